// SPDX-License-Identifier: GPL-2.0-only
#include "failure-timetable.h"

#include "ns3/log.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFailureTimetable");

namespace
{

// Largest number of names in a list of a message.
constexpr std::size_t kListed = 8;

std::string
ListSome(const std::set<std::string>& names)
{
    std::vector<std::string> some(
        names.begin(),
        std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(kListed, names.size()))));
    return JoinNames(some) + (names.size() > kListed ? ", ..." : "");
}

std::string
MakeKey(uint32_t entry, const std::string& key)
{
    return "failures.schedule." + std::to_string(entry) + "." + key;
}

bool
IsNic(const Wiring& wiring, const std::string& name)
{
    return wiring.FindNic(name) < wiring.GetShape().GetNics();
}

bool
IsSwitch(const Wiring& wiring, const std::string& name)
{
    return wiring.FindSwitch(name) < wiring.GetSwitches().size();
}

std::vector<uint32_t>
FindCablesOf(const Wiring& wiring, const std::string& name)
{
    return IsNic(wiring, name) ? std::vector<uint32_t>{wiring.FindNic(name)}
                               : wiring.GetSwitches()[wiring.FindSwitch(name)].cables;
}

std::string
DescribeNeighbours(const Wiring& wiring, const std::string& name)
{
    std::set<std::string> neighbours;
    for (const uint32_t number : FindCablesOf(wiring, name))
    {
        const auto [lower, upper] = wiring.GetEndNames(wiring.GetCables()[number]);
        neighbours.insert({lower, upper});
    }
    neighbours.erase(name);
    return ListSome(neighbours);
}

} // namespace

bool
FailureTimetable::Instant::CanReturn() const
{
    return std::any_of(actions.begin(), actions.end(), [](const Action& action) {
        return action.change == FailureEntry::Change::Up;
    });
}

FailureTimetable::FailureTimetable(FailureSchedule schedule, const Wiring& wiring)
    : m_schedule(std::move(schedule))
{
    for (uint32_t entry = 0; entry < m_schedule.entries.size(); ++entry)
    {
        m_cables.push_back(Resolve(wiring, entry));
    }
    if (m_schedule.IsEmpty())
    {
        return;
    }
    AddInstants();
    CheckOrder();
    if (!m_schedule.random.IsEmpty())
    {
        if (m_schedule.random.probability > 0 &&
            std::none_of(wiring.GetCables().begin(),
                         wiring.GetCables().end(),
                         [&](const Cable& cable) { return CanFailAtRandom(wiring, cable); }))
        {
            throw ConfigurationError("failures.random.port_class",
                                     "the topology has no such cables that could fail at random: "
                                     "rails without spines have none between switches, so set "
                                     "failures.random.class to nic or all");
        }
        m_instants[0];
    }
    AddConvergences();
    NS_LOG_INFO(m_schedule.entries.size() << " entries of the schedule of failures make "
                                          << m_instants.size() << " instants");
}

void
FailureTimetable::AddInstants()
{
    for (uint32_t number = 0; number < m_schedule.entries.size(); ++number)
    {
        const FailureEntry& entry = m_schedule.entries[number];
        if (entry.IsOfGpus())
        {
            continue;
        }
        if (entry.change != FailureEntry::Change::Flap)
        {
            m_instants[entry.at].actions.push_back({number, entry.change});
            continue;
        }
        for (uint64_t time = 0; time < entry.times; ++time)
        {
            const TimePs at = entry.at + static_cast<TimePs>(time) * entry.every;
            m_instants[at].actions.push_back({number, FailureEntry::Change::Down});
            m_instants[at + entry.downFor].actions.push_back({number, FailureEntry::Change::Up});
        }
    }
}

void
FailureTimetable::AddConvergences()
{
    if (m_schedule.convergence == kNever)
    {
        return;
    }
    std::vector<TimePs> changes;
    for (const auto& [at, instant] : m_instants)
    {
        changes.push_back(at);
    }
    for (const TimePs at : changes)
    {
        m_instants[at + m_schedule.convergence].converges = true;
    }
}

void
FailureTimetable::CheckName(const Wiring& wiring, uint32_t number, const std::string& name) const
{
    const FailureEntry& entry = m_schedule.entries[number];
    const bool takesSwitch = entry.target != FailureEntry::Target::Nic;
    const bool takesNic = entry.target != FailureEntry::Target::Switch;
    if ((takesSwitch && IsSwitch(wiring, name)) || (takesNic && IsNic(wiring, name)))
    {
        return;
    }
    std::set<std::string> switches;
    for (const WiredSwitch& at : wiring.GetSwitches())
    {
        switches.insert(at.name);
    }
    std::set<std::string> nics;
    for (uint32_t nic = 0; nic < wiring.GetShape().GetNics(); ++nic)
    {
        nics.insert(wiring.GetNicName(nic));
    }
    std::vector<std::string> known;
    if (takesSwitch)
    {
        known.insert(known.end(), switches.begin(), switches.end());
    }
    if (takesNic)
    {
        known.insert(known.end(), nics.begin(), nics.end());
    }
    const std::string nearest = NearestName(name, known);
    throw ConfigurationError(MakeKey(number, entry.GetTargetName()),
                             std::string("there is no ") +
                                 (takesSwitch && takesNic ? "switch or NIC"
                                  : takesNic              ? "NIC"
                                                          : "switch") +
                                 " '" + name + "'" +
                                 (nearest.empty() ? "; one is named " + known.front()
                                                  : "; did you mean '" + nearest + "'?"));
}

void
FailureTimetable::CheckNumber(const ClusterShape& shape, uint32_t number, const FailureEntry& entry)
{
    const bool isServer = entry.target == FailureEntry::Target::Server;
    const uint32_t count = isServer ? shape.servers : shape.GetGpus();
    if (entry.number >= count)
    {
        throw ConfigurationError(MakeKey(number, entry.GetTargetName()),
                                 std::string("the cluster has no ") +
                                     (isServer ? "server " : "GPU ") +
                                     std::to_string(entry.number) + ": it has " +
                                     std::to_string(count) + ", counted from 0");
    }
}

std::vector<uint32_t>
FailureTimetable::Resolve(const Wiring& wiring, uint32_t number) const
{
    const FailureEntry& entry = m_schedule.entries[number];
    if (entry.IsOfGpus())
    {
        CheckNumber(wiring.GetShape(), number, entry);
        return {};
    }
    for (const std::string& name : entry.names)
    {
        CheckName(wiring, number, name);
    }
    std::vector<uint32_t> cables = entry.names.size() == 2
                                       ? FindBetween(wiring, number)
                                       : FindCablesOf(wiring, entry.names.front());
    if (entry.target == FailureEntry::Target::Link && entry.names.size() == 1 &&
        IsSwitch(wiring, entry.names.front()))
    {
        throw ConfigurationError(MakeKey(number, entry.GetTargetName()),
                                 "a link between switches has two ends; for all cables of " +
                                     entry.names.front() + " write switch: " + entry.names.front());
    }
    for (const uint32_t cable : cables)
    {
        const uint64_t fullRateBps = wiring.GetKind(wiring.GetCables()[cable]).rateBps;
        if (entry.change == FailureEntry::Change::Rate && entry.rateBps > fullRateBps)
        {
            throw ConfigurationError(MakeKey(number, "rate"),
                                     "a cable cannot be faster than it was laid: at most " +
                                         FormatRate(fullRateBps));
        }
    }
    return cables;
}

std::vector<uint32_t>
FailureTimetable::FindBetween(const Wiring& wiring, uint32_t number) const
{
    const FailureEntry& entry = m_schedule.entries[number];
    const std::vector<uint32_t> ofSecond = FindCablesOf(wiring, entry.names[1]);
    std::vector<uint32_t> cables;
    for (const uint32_t cable : FindCablesOf(wiring, entry.names[0]))
    {
        if (entry.names[0] != entry.names[1] &&
            std::find(ofSecond.begin(), ofSecond.end(), cable) != ofSecond.end())
        {
            cables.push_back(cable);
        }
    }
    if (cables.empty())
    {
        throw ConfigurationError(MakeKey(number, "link"),
                                 "no cable joins " + entry.names[0] + " and " + entry.names[1] +
                                     "; " + entry.names[0] + " is joined to " +
                                     DescribeNeighbours(wiring, entry.names[0]));
    }
    if (entry.cable)
    {
        if (*entry.cable >= cables.size())
        {
            throw ConfigurationError(MakeKey(number, "cable"),
                                     "there are " + std::to_string(cables.size()) +
                                         " cables between " + entry.names[0] + " and " +
                                         entry.names[1] + ", counted from 0");
        }
        cables = {cables[*entry.cable]};
    }
    return cables;
}

// Rejects entries that bring up a target that is not down: most likely a mistake in the times.
void
FailureTimetable::CheckOrder() const
{
    if (!m_schedule.random.IsEmpty())
    {
        return; // links that are down are not known yet
    }
    std::set<uint32_t> down;            // links
    std::set<std::string> downSwitches; // by name
    for (const auto& [at, instant] : m_instants)
    {
        for (const Action& action : instant.actions)
        {
            const FailureEntry& entry = m_schedule.entries[action.entry];
            const bool isSwitch = entry.target == FailureEntry::Target::Switch;
            const std::vector<uint32_t>& cables = m_cables[action.entry];
            if (action.change == FailureEntry::Change::Down && isSwitch)
            {
                downSwitches.insert(entry.names.front());
            }
            else if (action.change == FailureEntry::Change::Down)
            {
                down.insert(cables.begin(), cables.end());
            }
            else if (action.change == FailureEntry::Change::Up)
            {
                bool any = isSwitch && downSwitches.erase(entry.names.front()) > 0;
                for (const uint32_t cable : cables)
                {
                    any = (!isSwitch && down.erase(cable) > 0) || any;
                }
                if (!any)
                {
                    throw ConfigurationError(MakeKey(action.entry, "at"),
                                             entry.DescribeTarget() + " is not down at " +
                                                 FormatTime(at) + ": it goes down later or never");
                }
            }
        }
    }
}

const std::vector<uint32_t>&
FailureTimetable::GetCables(uint32_t entry) const
{
    return m_cables[entry];
}

bool
FailureTimetable::CanFailAtRandom(const Wiring& wiring, const Cable& cable) const
{
    const FailureDraw& random = m_schedule.random;
    const bool isAmong =
        random.cables == CABLES_ALL || cable.isNic == (random.cables == CABLES_NIC);
    return isAmong &&
           (random.portClass.empty() || wiring.GetKind(cable).lowerClass == random.portClass);
}

} // namespace ns3::rails
