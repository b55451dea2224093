// SPDX-License-Identifier: GPL-2.0-only
#include "rails-failures.h"

#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kMostDraws = 1000;

// Lists in messages end after so many names.
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

} // namespace

Failures::Failures(Ptr<const FailurePlan> plan, Ptr<GpuCluster> cluster)
    : m_plan(plan),
      m_cluster(cluster),
      m_random(CreateObject<UniformRandomVariable>())
{
    if (plan->IsEmpty())
    {
        return;
    }
    AddCables();
    AddNames();
    const std::vector<FailureEntry>& entries = plan->m_schedule.Get();
    for (uint32_t number = 0; number < entries.size(); ++number)
    {
        m_entryCables.push_back(Resolve(number));
        const FailureEntry& entry = entries[number];
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
    CheckOrder();
    if (plan->m_random->m_probability > 0)
    {
        if (std::none_of(m_cables.begin(), m_cables.end(), [this](const Cable& cable) {
                return CanFailAtRandom(cable);
            }))
        {
            throw ConfigurationError("failures.random.port_class",
                                     "the topology has no such cables between switches that could "
                                     "fail at random");
        }
        m_instants[0];
    }
    AddConvergences();
    cluster->SetCutOffCallback([this](const RdmaNic& nic, uint32_t peer) {
        const uint32_t rails = m_cluster->GetConfiguration().gpusPerDomain;
        return IsCutOff(nic.GetPlace().domain, nic.GetPlace().rail, peer / rails, peer % rails);
    });
}

Failures::~Failures()
{
    m_cluster->SetCutOffCallback({});
}

void
Failures::AddCables()
{
    const uint32_t rails = m_cluster->GetConfiguration().gpusPerDomain;
    const auto switches = static_cast<uint32_t>(m_cluster->GetSwitches().size());
    m_cablesOf.resize(switches);
    m_switchDown.resize(switches + 1); // the last stands for servers
    const auto add =
        [this](Ptr<Port> lowerPort, Ptr<Port> upperPort, uint32_t lower, uint32_t upper) {
            const auto number = static_cast<uint32_t>(m_cables.size());
            if (lower < m_cablesOf.size())
            {
                m_cablesOf[lower].push_back(number);
            }
            m_cablesOf[upper].push_back(number);
            m_cables.push_back({lowerPort, upperPort, lower, upper, lowerPort->GetRateBps()});
        };
    for (uint32_t domain = 0; domain < m_cluster->GetServers().size(); ++domain)
    {
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            Port& port = m_cluster->GetServers()[domain]->GetNic(rail).GetPort();
            add(&port, &port.GetPeer(), switches, m_cluster->GetEdge(domain, rail).GetNumber());
        }
    }
    m_nics = static_cast<uint32_t>(m_cables.size());
    for (const GpuCluster::SwitchCable& cable : m_cluster->GetSwitchCables())
    {
        add(cable.lowerPort, cable.upperPort, cable.lower->GetNumber(), cable.upper->GetNumber());
    }
    m_bestNicRates.resize(m_nics, 0);
}

void
Failures::AddNames()
{
    const uint32_t rails = m_cluster->GetConfiguration().gpusPerDomain;
    for (const Ptr<Switch>& at : m_cluster->GetSwitches())
    {
        m_switches[at->GetName()] = at->GetNumber();
    }
    for (uint32_t nic = 0; nic < m_nics; ++nic)
    {
        m_nicCables["server" + std::to_string(nic / rails) + "-nic" + std::to_string(nic % rails)] =
            nic;
    }
}

void
Failures::AddConvergences()
{
    if (!m_plan->Converges())
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
        m_instants[at + m_plan->m_convergence.GetPicoSeconds()].converges = true;
    }
}

std::vector<uint32_t>
Failures::GetCablesOf(const std::string& name) const
{
    const auto nic = m_nicCables.find(name);
    return nic != m_nicCables.end() ? std::vector<uint32_t>{nic->second}
                                    : m_cablesOf[m_switches.at(name)];
}

std::vector<uint32_t>
Failures::Resolve(uint32_t number) const
{
    const FailureEntry& entry = m_plan->m_schedule.Get()[number];
    const std::string key = MakeKey(number, entry.GetTargetName());
    const bool takesSwitch = entry.target != FailureEntry::Target::Nic;
    const bool takesNic = entry.target != FailureEntry::Target::Switch;
    std::vector<std::string> known;
    for (const auto& [name, at] : m_switches)
    {
        known.insert(known.end(), takesSwitch ? 1 : 0, name);
    }
    for (const auto& [name, cable] : m_nicCables)
    {
        known.insert(known.end(), takesNic ? 1 : 0, name);
    }
    for (const std::string& name : entry.names)
    {
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            const std::string nearest = NearestName(name, known);
            throw ConfigurationError(key,
                                     std::string("there is no ") +
                                         (takesSwitch && takesNic ? "switch or NIC"
                                          : takesNic              ? "NIC"
                                                                  : "switch") +
                                         " '" + name + "'" +
                                         (nearest.empty() ? "; one is named " + known.front()
                                                          : "; did you mean '" + nearest + "'?"));
        }
    }
    std::vector<uint32_t> cables =
        entry.names.size() == 2 ? FindBetween(number) : GetCablesOf(entry.names.front());
    if (entry.target == FailureEntry::Target::Link && entry.names.size() == 1 &&
        m_switches.count(entry.names.front()) > 0)
    {
        throw ConfigurationError(key,
                                 "a link between switches has two ends; for all cables of " +
                                     entry.names.front() + " write switch: " + entry.names.front());
    }
    for (const uint32_t cable : cables)
    {
        if (entry.change == FailureEntry::Change::Rate &&
            entry.rateBps > m_cables[cable].fullRateBps)
        {
            throw ConfigurationError(MakeKey(number, "rate"),
                                     "a cable cannot be faster than it was laid: at most " +
                                         FormatRate(m_cables[cable].fullRateBps));
        }
    }
    return cables;
}

std::vector<uint32_t>
Failures::FindBetween(uint32_t number) const
{
    const FailureEntry& entry = m_plan->m_schedule.Get()[number];
    const std::vector<uint32_t> ofSecond = GetCablesOf(entry.names[1]);
    std::vector<uint32_t> cables;
    for (const uint32_t cable : GetCablesOf(entry.names[0]))
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
                                     DescribeNeighbours(entry.names[0]));
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

std::string
Failures::DescribeNeighbours(const std::string& name) const
{
    std::set<std::string> neighbours;
    for (const uint32_t cable : GetCablesOf(name))
    {
        for (const Ptr<Port>& port : {m_cables[cable].lowerPort, m_cables[cable].upperPort})
        {
            neighbours.insert(m_cluster->GetEndName(*port));
        }
    }
    neighbours.erase(name);
    return ListSome(neighbours);
}

// Nothing comes back that has not gone down before: a slip in the times, most likely.
void
Failures::CheckOrder() const
{
    if (m_plan->m_random->m_probability > 0)
    {
        return; // who knows what is down
    }
    std::set<uint32_t> down;            // cables
    std::set<std::string> downSwitches; // by name
    for (const auto& [at, instant] : m_instants)
    {
        for (const Action& action : instant.actions)
        {
            const FailureEntry& entry = m_plan->m_schedule.Get()[action.entry];
            const bool isSwitch = entry.target == FailureEntry::Target::Switch;
            const std::vector<uint32_t>& cables = m_entryCables[action.entry];
            if (action.change == FailureEntry::Change::Down)
            {
                down.insert(cables.begin(), isSwitch ? cables.begin() : cables.end());
                downSwitches.insert(isSwitch ? entry.names.front() : "");
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

int64_t
Failures::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
Failures::SetChangedCallback(std::function<void(bool)> callback)
{
    m_changed = std::move(callback);
}

bool
Failures::CanFailAtRandom(const Cable& cable) const
{
    const std::string& portClass = m_plan->m_random->m_portClass;
    return cable.lower < m_cablesOf.size() &&
           (portClass.empty() || cable.lowerPort->GetIdentity().portClass == portClass);
}

void
Failures::Draw(const std::vector<ServerPair>& pairs, bool crossesRails)
{
    if (m_plan->m_random->m_probability == 0)
    {
        return;
    }
    for (uint32_t draw = 0; draw < kMostDraws; ++draw)
    {
        if (DrawOnce(pairs, crossesRails))
        {
            return;
        }
    }
    throw ConfigurationError("failures.random.probability",
                             "of " + std::to_string(kMostDraws) +
                                 " draws none left a path between every two servers with traffic: "
                                 "make it smaller");
}

bool
Failures::DrawOnce(const std::vector<ServerPair>& pairs, bool crossesRails)
{
    for (Cable& cable : m_cables)
    {
        if (CanFailAtRandom(cable))
        {
            cable.isDown = m_random->GetValue() < m_plan->m_random->m_probability;
            cable.isUp = !cable.isDown;
        }
    }
    m_above.clear();
    const bool connected = std::all_of(pairs.begin(), pairs.end(), [&](const ServerPair& pair) {
        return HasPath(pair, crossesRails);
    });
    for (Cable& cable : m_cables)
    {
        cable.isUp = true; // until Start()
    }
    m_above.clear();
    return connected;
}

bool
Failures::HasPath(const ServerPair& pair, bool crossesRails) const
{
    const uint32_t rails = m_cluster->GetConfiguration().gpusPerDomain;
    for (uint32_t from = 0; from < rails; ++from)
    {
        for (uint32_t to = crossesRails ? 0 : from; to < (crossesRails ? rails : from + 1); ++to)
        {
            if (HasPath(pair.first, from, pair.second, to))
            {
                return true;
            }
        }
    }
    return false;
}

void
Failures::Start()
{
    for (const auto& [at, instant] : m_instants)
    {
        m_pendingReturns += CanReturn(instant) ? 1 : 0;
        m_pendingConvergences += instant.converges ? 1 : 0;
    }
    for (const auto& [at, instant] : m_instants)
    {
        if (at == 0)
        {
            Run(instant);
        }
        else
        {
            // In the order of time and before all other events: the first of their instants.
            Simulator::Schedule(TimeStep(static_cast<uint64_t>(at)), &Failures::Run, this, instant);
        }
    }
    NoteNicRates();
}

void
Failures::Run(const Instant& instant)
{
    // Whatever a node does after this it does after this in its own time too.
    m_cluster->CatchUp();
    m_pendingReturns -= CanReturn(instant) ? 1 : 0;
    m_pendingConvergences -= instant.converges ? 1 : 0;
    if (NowPs() == 0)
    {
        uint32_t drawn = 0;
        for (uint32_t cable = 0; cable < m_cables.size(); ++cable)
        {
            drawn += Settle(cable) ? 1 : 0;
        }
        if (m_plan->m_random->m_probability > 0)
        {
            m_events.push_back({0, "random", "down", drawn});
        }
    }
    for (const Action& action : instant.actions)
    {
        Execute(action);
    }
    if (NowPs() > 0)
    {
        NoteNicRates();
    }
    if (instant.converges)
    {
        m_cluster->Converge();
        m_convergences.push_back(NowPs());
    }
    if (m_changed)
    {
        m_changed(instant.converges);
    }
}

void
Failures::Execute(const Action& action)
{
    const FailureEntry& entry = m_plan->m_schedule.Get()[action.entry];
    const std::vector<uint32_t>& cables = m_entryCables[action.entry];
    const bool down = action.change == FailureEntry::Change::Down;
    const bool isSwitch = entry.target == FailureEntry::Target::Switch;
    const bool isRate = action.change == FailureEntry::Change::Rate;
    if (isSwitch && !isRate)
    {
        m_switchDown[m_switches.at(entry.names.front())] = down;
    }
    uint32_t changed = 0;
    for (const uint32_t number : cables)
    {
        Cable& cable = m_cables[number];
        if (isRate)
        {
            for (const Ptr<Port>& port : {cable.lowerPort, cable.upperPort})
            {
                port->GetAgenda().CatchUp();
                port->SetRateBps(entry.rateBps);
            }
            cable.hasFailed = cable.hasFailed || entry.rateBps < cable.fullRateBps;
            ++changed;
            continue;
        }
        cable.isDown = isSwitch ? cable.isDown : down;
        changed += Settle(number) ? 1 : 0;
    }
    m_events.push_back({NowPs(),
                        entry.DescribeTarget(),
                        isRate ? FormatRate(entry.rateBps)
                        : down ? "down"
                               : "up",
                        changed});
}

// Makes a cable what its own state and that of its ends say; returns true when that is new.
bool
Failures::Settle(uint32_t number)
{
    Cable& cable = m_cables[number];
    const bool up = !cable.isDown && !m_switchDown[cable.lower] && !m_switchDown[cable.upper];
    if (up == cable.isUp)
    {
        return false;
    }
    cable.isUp = up;
    cable.hasFailed = cable.hasFailed || !up;
    m_above.clear();
    m_cluster->SetCableUp(*cable.lowerPort, up, m_plan->m_inFlight == FailurePlan::IN_FLIGHT_LOST);
    if (m_plan->m_queued == FailurePlan::QUEUED_HELD)
    {
        cable.lowerPort->SetHeld(!up);
        cable.upperPort->SetHeld(!up);
    }
    return true;
}

void
Failures::NoteNicRates()
{
    for (uint32_t nic = 0; nic < m_nics; ++nic)
    {
        if (m_cables[nic].isUp)
        {
            m_bestNicRates[nic] =
                std::max(m_bestNicRates[nic], m_cables[nic].lowerPort->GetRateBps());
        }
    }
}

bool
Failures::CanReturn(const Instant& instant)
{
    return std::any_of(instant.actions.begin(), instant.actions.end(), [](const Action& action) {
        return action.change == FailureEntry::Change::Up;
    });
}

const std::vector<bool>&
Failures::FindAbove(uint32_t edge) const
{
    const auto [known, isNew] = m_above.try_emplace(edge);
    std::vector<bool>& above = known->second;
    if (!isNew)
    {
        return above;
    }
    above.resize(m_cablesOf.size());
    above[edge] = true;
    std::vector<uint32_t> found{edge};
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        for (const uint32_t number : m_cablesOf[found[i]])
        {
            const Cable& cable = m_cables[number];
            if (cable.lower == found[i] && cable.isUp && !above[cable.upper])
            {
                above[cable.upper] = true;
                found.push_back(cable.upper);
            }
        }
    }
    return above;
}

bool
Failures::HasPath(uint32_t from, uint32_t fromRail, uint32_t to, uint32_t toRail) const
{
    if (m_cables.empty())
    {
        return true;
    }
    const uint32_t rails = m_cluster->GetConfiguration().gpusPerDomain;
    const Cable& first = m_cables[from * rails + fromRail];
    const Cable& last = m_cables[to * rails + toRail];
    if (!first.isUp || !last.isUp)
    {
        return false;
    }
    if (first.upper == last.upper)
    {
        return true;
    }
    // Up to a switch that both have above them, then down.
    const std::vector<bool>& above = FindAbove(first.upper);
    const std::vector<bool>& aboveOther = FindAbove(last.upper);
    for (std::size_t i = 0; i < above.size(); ++i)
    {
        if (above[i] && aboveOther[i])
        {
            return true;
        }
    }
    return false;
}

bool
Failures::IsCutOff(uint32_t from, uint32_t fromRail, uint32_t to, uint32_t toRail) const
{
    if (m_cables.empty())
    {
        return false;
    }
    if (!HasPath(from, fromRail, to, toRail))
    {
        return m_pendingReturns == 0;
    }
    return m_pendingConvergences == 0 &&
           !m_cluster->GetRouter().IsConnected(m_cluster->GetEdge(from, fromRail).GetNumber(),
                                               m_cluster->GetEdge(to, toRail).GetNumber());
}

const std::vector<Failures::Event>&
Failures::GetEvents() const
{
    return m_events;
}

const std::vector<TimePs>&
Failures::GetConvergences() const
{
    return m_convergences;
}

uint32_t
Failures::GetFailedCables() const
{
    return static_cast<uint32_t>(std::count_if(m_cables.begin(),
                                               m_cables.end(),
                                               [](const Cable& cable) { return cable.hasFailed; }));
}

std::vector<uint64_t>
Failures::GetBestNicRates() const
{
    return m_bestNicRates;
}

} // namespace ns3::rails
