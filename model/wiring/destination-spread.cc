// SPDX-License-Identifier: GPL-2.0-only
#include "destination-spread.h"

#include <algorithm>

namespace ns3::rails
{

DestinationSpread::DestinationSpread(const NextHopTable& hops,
                                     const FabricPorts& ports,
                                     PathSpread spread)
    : m_hops(hops),
      m_ports(ports),
      m_spread(spread),
      m_visits(ports.GetSwitches())
{
}

void
DestinationSpread::Start(uint32_t to)
{
    m_to = to;
    ++m_start;
    m_stages.clear();
    Visit& visit = GetVisit(to);
    visit.state = State::Arrives;
    visit.routes = 1;
}

bool
DestinationSpread::Follow(uint32_t from)
{
    return Examine(from) == State::Arrives;
}

DestinationSpread::Visit&
DestinationSpread::GetVisit(uint32_t at)
{
    Visit& visit = m_visits[at];
    if (visit.start != m_start)
    {
        visit = Visit{};
        visit.start = m_start;
    }
    return visit;
}

DestinationSpread::State
DestinationSpread::Examine(uint32_t at)
{
    Visit& visit = GetVisit(at);
    if (visit.state == State::Open)
    {
        return State::Circles;
    }
    if (visit.state == State::Unknown)
    {
        visit.state = State::Open;
        const NextHops& hops = m_hops.Get(at, m_to);
        visit.state = ExamineBeyond(at, hops);
        if (visit.state == State::Arrives)
        {
            m_stages.push_back({at, &hops, GetTotal(at, hops)});
        }
    }
    return visit.state;
}

// Examines the next hops of a switch.
DestinationSpread::State
DestinationSpread::ExamineBeyond(uint32_t at, const NextHops& hops)
{
    Visit& visit = m_visits[at];
    bool isLost = hops.ports.empty();
    for (const uint16_t port : hops.ports)
    {
        const uint32_t neighbour = m_ports.Get(at, port).neighbour;
        const State beyond = neighbour == FabricPorts::kNoSwitch ? State::Lost : Examine(neighbour);
        if (beyond == State::Circles)
        {
            return State::Circles;
        }
        if (beyond == State::Lost)
        {
            isLost = true;
            continue;
        }
        const Visit& next = m_visits[neighbour];
        visit.routes += next.routes;
        visit.length = std::max(visit.length, static_cast<uint8_t>(next.length + 1));
    }
    if (m_spread == PathSpread::Routes)
    {
        // Hosts skip next hops without a path. 64 bits hold the number of such short routes.
        isLost = visit.routes == 0;
        if (visit.length > Route{}.ports.size())
        {
            return State::Circles;
        }
    }
    return isLost ? State::Lost : State::Arrives;
}

// The sum of the weights of next hops.
uint64_t
DestinationSpread::GetTotal(uint32_t at, const NextHops& hops) const
{
    switch (m_spread)
    {
    case PathSpread::Weighted:
        return hops.totalWeight;
    case PathSpread::Routes:
        return m_visits[at].routes;
    default:
        return hops.ports.size();
    }
}

} // namespace ns3::rails
