// SPDX-License-Identifier: GPL-2.0-only
#include "rails-failures.h"

#include "ns3/log.h"
#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFailures");

namespace
{

constexpr uint32_t kMostDraws = 1000;

/// \return true when a link ends at any of some switches
bool
IsAtAny(const Cable& cable, const std::vector<bool>& switches)
{
    return switches[cable.upper] || (!cable.isNic && switches[cable.lower]);
}

} // namespace

Failures::Failures(FailureSchedule schedule, Wiring& wiring, Router& router)
    : m_timetable(std::move(schedule), wiring),
      m_wiring(wiring),
      m_router(router),
      m_reach(wiring),
      m_random(CreateObject<UniformRandomVariable>()),
      m_states(wiring.GetCables().size()),
      m_switchDown(wiring.GetSwitches().size())
{
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

void
Failures::Draw(const std::vector<ServerPair>& pairs, bool crossesRails)
{
    if (m_timetable.GetSchedule().random.IsEmpty())
    {
        return;
    }
    for (uint32_t draw = 0; draw < kMostDraws; ++draw)
    {
        if (DrawOnce(pairs, crossesRails))
        {
            NS_LOG_INFO("random failures: draw " << draw << " leaves a path between every two of "
                                                 << pairs.size() << " pairs of servers");
            return;
        }
    }
    throw ConfigurationError("failures.random",
                             "of " + std::to_string(kMostDraws) +
                                 " draws none left a path between every two servers with traffic: "
                                 "make its probabilities smaller, and leave servers that may fail "
                                 "without traffic");
}

bool
Failures::DrawOnce(const std::vector<ServerPair>& pairs, bool crossesRails)
{
    const FailureDraw& random = m_timetable.GetSchedule().random;
    const std::vector<Cable>& cables = m_wiring.GetCables();
    std::vector<bool> isDown(cables.size());
    for (uint32_t number = 0; number < cables.size(); ++number)
    {
        if (random.probability > 0 && m_timetable.CanFailAtRandom(m_wiring, cables[number]))
        {
            isDown[number] = m_random->GetValue() < random.probability;
        }
    }
    const auto draw = [this](std::size_t count, double probability) {
        std::vector<bool> drawn(count);
        for (std::size_t i = 0; probability > 0 && i < count; ++i)
        {
            drawn[i] = m_random->GetValue() < probability;
        }
        return drawn;
    };
    const std::vector<bool> switches = draw(m_wiring.GetSwitches().size(), random.switches);
    const std::vector<bool> servers = draw(m_wiring.GetShape().servers, random.servers);
    CableReach reach(m_wiring);
    for (uint32_t number = 0; number < cables.size(); ++number)
    {
        const Cable& cable = cables[number];
        m_states[number].isDown =
            isDown[number] || IsAtAny(cable, switches) ||
            (cable.isNic && servers[m_wiring.GetShape().GetNicServer(cable.lower)]);
        reach.SetUp(number, !m_states[number].isDown);
    }
    return std::all_of(pairs.begin(), pairs.end(), [&](const ServerPair& pair) {
        return HasPath(reach, pair, crossesRails);
    });
}

bool
Failures::HasPath(const CableReach& reach, const ServerPair& pair, bool crossesRails) const
{
    const uint32_t rails = m_wiring.GetShape().nicsPerServer;
    for (uint32_t from = 0; from < rails; ++from)
    {
        for (uint32_t to = crossesRails ? 0 : from; to < (crossesRails ? rails : from + 1); ++to)
        {
            if (reach.HasPath(pair.first * rails + from, pair.second * rails + to))
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
    for (const auto& [at, instant] : m_timetable.GetInstants())
    {
        m_pendingReturns += instant.CanReturn() ? 1 : 0;
        m_pendingConvergences += instant.converges ? 1 : 0;
    }
    for (const auto& [at, instant] : m_timetable.GetInstants())
    {
        if (at == 0)
        {
            Run(instant);
        }
        else
        {
            // Scheduled before all other events, so they are the first of their instants.
            Simulator::Schedule(TimeStep(static_cast<uint64_t>(at)),
                                [this, &instant = instant] { Run(instant); });
        }
    }
    NoteNicRates();
}

void
Failures::Run(const Instant& instant)
{
    // Nodes that lag behind catch up first: their local time may be earlier than the change.
    m_wiring.PrepareChange();
    m_pendingReturns -= instant.CanReturn() ? 1 : 0;
    m_pendingConvergences -= instant.converges ? 1 : 0;
    if (NowPs() == 0)
    {
        uint32_t drawn = 0;
        for (uint32_t cable = 0; cable < m_states.size(); ++cable)
        {
            drawn += Settle(cable) ? 1 : 0;
        }
        if (!m_timetable.GetSchedule().random.IsEmpty())
        {
            AddEvent("random", "down", drawn);
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
        m_router.Converge();
        m_convergences.push_back(NowPs());
        NS_LOG_INFO(FormatTime(NowPs()) << ": the routing has converged");
    }
    if (m_changed)
    {
        m_changed(instant.converges);
    }
}

void
Failures::Execute(const Action& action)
{
    const FailureEntry& entry = m_timetable.GetSchedule().entries[action.entry];
    const std::vector<uint32_t>& cables = m_timetable.GetCables(action.entry);
    const bool down = action.change == FailureEntry::Change::Down;
    const bool isSwitch = entry.target == FailureEntry::Target::Switch;
    const bool isRate = action.change == FailureEntry::Change::Rate;
    if (isSwitch && !isRate)
    {
        m_switchDown[m_wiring.FindSwitch(entry.names.front())] = down;
    }
    uint32_t changed = 0;
    for (const uint32_t number : cables)
    {
        State& state = m_states[number];
        if (isRate)
        {
            const uint64_t fullRateBps = m_wiring.GetKind(m_wiring.GetCables()[number]).rateBps;
            m_wiring.SetRate(number, entry.rateBps);
            state.hasFailed = state.hasFailed || entry.rateBps < fullRateBps;
            ++changed;
            continue;
        }
        state.isDown = isSwitch ? state.isDown : down;
        changed += Settle(number) ? 1 : 0;
    }
    AddEvent(entry.DescribeTarget(),
             isRate ? FormatRate(entry.rateBps)
             : down ? "down"
                    : "up",
             changed);
}

void
Failures::AddEvent(const std::string& what, const std::string& state, uint32_t cables)
{
    NS_LOG_INFO(FormatTime(NowPs())
                << ": " << what << ": " << state << " (cables changed: " << cables << ")");
    m_events.push_back({NowPs(), what, state, cables});
}

// Sets a link up or down by its own state and the states of its switches; returns true when that
// changes the link.
bool
Failures::Settle(uint32_t number)
{
    State& state = m_states[number];
    const bool up = !state.isDown && !IsAtAny(m_wiring.GetCables()[number], m_switchDown);
    if (up == m_reach.IsUp(number))
    {
        return false;
    }
    state.hasFailed = state.hasFailed || !up;
    m_reach.SetUp(number, up);
    m_wiring.SetUp(number, up, m_timetable.GetSchedule().rules);
    return true;
}

void
Failures::NoteNicRates()
{
    const uint32_t nics = m_wiring.GetShape().GetNics();
    m_bestNicRates.resize(m_timetable.GetSchedule().IsEmpty() ? 0 : nics, 0);
    for (uint32_t nic = 0; nic < m_bestNicRates.size(); ++nic)
    {
        if (m_reach.IsUp(nic))
        {
            m_bestNicRates[nic] = std::max(m_bestNicRates[nic], m_wiring.GetCables()[nic].rateBps);
        }
    }
}

bool
Failures::IsCutOff(uint32_t fromNic, uint32_t toNic) const
{
    if (m_timetable.GetSchedule().IsEmpty() || m_wiring.IsOptical(fromNic) ||
        m_wiring.IsOptical(toNic)) // circuits come and go
    {
        return false;
    }
    if (!m_reach.HasPath(fromNic, toNic))
    {
        return m_pendingReturns == 0;
    }
    return m_pendingConvergences == 0 &&
           !m_router.IsConnected(m_wiring.GetEdge(fromNic), m_wiring.GetEdge(toNic));
}

uint32_t
Failures::GetFailedCables() const
{
    return static_cast<uint32_t>(std::count_if(m_states.begin(),
                                               m_states.end(),
                                               [](const State& state) { return state.hasFailed; }));
}

} // namespace ns3::rails
