// SPDX-License-Identifier: GPL-2.0-only
#include "destination-spread.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

DestinationSpread::DestinationSpread(const Router& router,
                                     const FabricPorts& ports,
                                     PathSpread spread)
    : m_router(router),
      m_ports(ports),
      m_spread(spread),
      m_visits(router.GetWiring().GetSwitches().size())
{
}

void
DestinationSpread::Start(uint32_t to)
{
    m_to = to;
    ++m_start;
    m_stages.clear();
    m_hops.clear();
    Visit& visit = GetVisit(to);
    visit.state = State::Arrives;
    visit.routes = 1;
}

bool
DestinationSpread::Follow(uint32_t from)
{
    return Look(from) == State::Arrives;
}

const std::vector<DestinationSpread::Stage>&
DestinationSpread::GetStages() const
{
    return m_stages;
}

const std::vector<DestinationSpread::Hop>&
DestinationSpread::GetHops() const
{
    return m_hops;
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
DestinationSpread::Look(uint32_t at)
{
    Visit& visit = GetVisit(at);
    if (visit.state == State::Open)
    {
        return State::Circles;
    }
    if (visit.state == State::Unknown)
    {
        visit.state = State::Open;
        const NextHops& hops = m_router.GetNextHops(at, m_to);
        visit.state = LookBeyond(at, hops);
        if (visit.state == State::Arrives)
        {
            AddStage(at, hops);
        }
    }
    return visit.state;
}

// Finds out what becomes of what a switch sends on.
DestinationSpread::State
DestinationSpread::LookBeyond(uint32_t at, const NextHops& hops)
{
    Visit& visit = GetVisit(at);
    bool isLost = hops.ports.empty();
    for (const uint16_t port : hops.ports)
    {
        const uint32_t neighbour = m_ports.Get(at, port).neighbour;
        const State beyond = neighbour == FabricPorts::kNoSwitch ? State::Lost : Look(neighbour);
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
    if (m_spread != PathSpread::Routes)
    {
        return isLost ? State::Lost : State::Arrives;
    }
    // Hosts pass over routes that lead nowhere. Short as a Route is, their number fits 64 bits.
    if (visit.length > Route{}.ports.size())
    {
        return State::Circles;
    }
    return visit.routes == 0 ? State::Lost : State::Arrives;
}

// Of a port in the next hops, which leads to a neighbour.
uint64_t
DestinationSpread::GetWeight(const NextHops& hops, std::size_t index, uint32_t neighbour) const
{
    switch (m_spread)
    {
    case PathSpread::Weighted:
        return hops.weights[index];
    case PathSpread::Routes:
        return neighbour == FabricPorts::kNoSwitch ? 0 : m_visits[neighbour].routes;
    default:
        return 1;
    }
}

void
DestinationSpread::AddStage(uint32_t at, const NextHops& hops)
{
    Stage stage{at, static_cast<uint32_t>(m_hops.size()), 0};
    uint32_t highest = 0;
    for (std::size_t i = 0; i < hops.ports.size(); ++i)
    {
        const FabricPorts::Place& place = m_ports.Get(at, hops.ports[i]);
        const uint64_t weight = GetWeight(hops, i, place.neighbour);
        if (weight == 0)
        {
            continue;
        }
        stage.total += weight;
        // Next hops that a user has given may name a port twice.
        const auto first = m_hops.begin() + stage.firstHop;
        const auto known = hops.ports[i] > highest || i == 0
                               ? m_hops.end()
                               : std::find_if(first, m_hops.end(), [&](const Hop& hop) {
                                     return hop.direction == place.direction;
                                 });
        if (known == m_hops.end())
        {
            m_hops.push_back({place.neighbour, place.direction, weight});
        }
        else
        {
            known->weight += weight;
        }
        highest = std::max<uint32_t>(highest, hops.ports[i]);
    }
    stage.endHop = static_cast<uint32_t>(m_hops.size());
    m_stages.push_back(stage);
}

} // namespace ns3::rails
