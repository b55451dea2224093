// SPDX-License-Identifier: GPL-2.0-only
#include "rails-router.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();

} // namespace

Router::Place&
Router::GetPlace(Switch& at)
{
    if (at.GetNumber() >= m_places.size())
    {
        m_places.resize(at.GetNumber() + 1);
    }
    Place& place = m_places[at.GetNumber()];
    place.at = &at;
    return place;
}

void
Router::AddEdge(Switch& edge, uint32_t region)
{
    GetPlace(edge);
    m_edges.push_back(&edge);
    if (edge.GetNumber() >= m_regions.size())
    {
        m_regions.resize(edge.GetNumber() + 1, 0);
    }
    m_regions[edge.GetNumber()] = region;
}

void
Router::AddCable(Switch& lower,
                 uint16_t lowerPort,
                 Switch& upper,
                 uint16_t upperPort,
                 uint32_t cost)
{
    GetPlace(lower).up.push_back({upper.GetNumber(), lowerPort, upperPort, cost});
    GetPlace(upper).down.push_back({lower.GetNumber(), upperPort, lowerPort, cost});
}

void
Router::Override(Switch& at, uint32_t edge, const std::vector<uint16_t>& ports)
{
    m_overrides[{&at, edge}] = {ports, std::vector<uint32_t>(ports.size(), 1)};
}

void
Router::SortByTier()
{
    // A switch is one tier above the highest that it is joined to below.
    for (bool changed = true; changed;)
    {
        changed = false;
        for (const Place& place : m_places)
        {
            for (const Cable& cable : place.up)
            {
                uint32_t& tier = m_places[cable.to].tier;
                changed = changed || tier <= place.tier;
                tier = std::max(tier, place.tier + 1);
            }
        }
    }
    m_order.resize(m_places.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) {
        return m_places[a].tier < m_places[b].tier;
    });
}

bool
Router::IsUp(const Place& place, const Cable& cable) const
{
    return place.at->GetPort(cable.port).GetLink().IsUp() &&
           m_places[cable.to].at->GetPort(cable.peerPort).GetLink().IsUp();
}

// Finds the way of a switch from the ways of its neighbours over some cables.
void
Router::Extend(const Place& place, const std::vector<Cable>& cables, std::vector<Way>& ways) const
{
    Way& way = ways[place.at->GetNumber()];
    way.cost = kFar;
    way.paths.clear();
    way.hops.ports.clear();
    way.hops.weights.clear();
    for (const Cable& cable : cables)
    {
        if (ways[cable.to].cost != kFar && IsUp(place, cable))
        {
            way.cost = std::min(way.cost, ways[cable.to].cost + cable.cost);
        }
    }
    if (way.cost == kFar)
    {
        return;
    }
    std::vector<std::pair<uint16_t, uint64_t>> bandwidths; // by port
    for (const Cable& cable : cables)
    {
        const Way& next = ways[cable.to];
        if (next.cost == kFar || next.cost + cable.cost != way.cost || !IsUp(place, cable))
        {
            continue;
        }
        const uint64_t own = place.at->GetPort(cable.port).GetRateBps();
        uint64_t sum = 0;
        for (const auto& [bandwidth, count] : next.paths)
        {
            way.paths[std::min(own, bandwidth)] += count;
            sum += std::min(own, bandwidth) * count;
        }
        bandwidths.emplace_back(cable.port, sum);
    }
    std::sort(bandwidths.begin(), bandwidths.end());
    uint64_t divisor = 0;
    for (const auto& [port, bandwidth] : bandwidths)
    {
        divisor = std::gcd(divisor, bandwidth);
    }
    for (const auto& [port, bandwidth] : bandwidths)
    {
        way.hops.ports.push_back(port);
        way.hops.weights.push_back(static_cast<uint32_t>(bandwidth / divisor));
    }
}

void
Router::Converge()
{
    if (m_order.empty())
    {
        SortByTier();
        for (const Place& place : m_places)
        {
            const bool hasNics =
                std::find(m_edges.begin(), m_edges.end(), place.at) != m_edges.end();
            place.at->SetRegions(m_regions, hasNics);
        }
    }
    std::vector<Way> ways(m_places.size());
    for (const Switch* edge : m_edges)
    {
        const uint32_t to = edge->GetNumber();
        // Down from where the destination is below, then up from everywhere else.
        for (const uint32_t number : m_order)
        {
            Extend(m_places[number], m_places[number].down, ways);
            if (number == to)
            {
                ways[to].cost = 0;
                ways[to].paths[std::numeric_limits<uint64_t>::max()] = 1;
            }
        }
        for (auto number = m_order.rbegin(); number != m_order.rend(); ++number)
        {
            if (ways[*number].cost == kFar)
            {
                Extend(m_places[*number], m_places[*number].up, ways);
            }
        }
        for (const Place& place : m_places)
        {
            if (place.at->GetNumber() != to)
            {
                const auto override = m_overrides.find({place.at, to});
                place.at->SetNextHops(to,
                                      override == m_overrides.end()
                                          ? ways[place.at->GetNumber()].hops
                                          : override->second);
            }
        }
    }
    m_routes.clear();
    ++m_version;
    for (const Place& place : m_places)
    {
        place.at->TellRoutesChanged();
    }
}

uint32_t
Router::GetVersion() const
{
    return m_version;
}

uint32_t
Router::GetTiers() const
{
    return m_order.empty() ? 1 : m_places[m_order.back()].tier + 1;
}

bool
Router::IsConnected(uint32_t from, uint32_t to) const
{
    return from == to || !m_places[from].at->GetNextHops(to).ports.empty();
}

const std::vector<Route>&
Router::GetRoutes(uint32_t from, uint32_t to) const
{
    const auto [known, isNew] = m_routes.try_emplace({from, to});
    if (isNew && from != to)
    {
        std::vector<Route>& routes = known->second;
        FollowRoutes(from, to, Route{}, routes);
        std::sort(routes.begin(), routes.end(), [](const Route& a, const Route& b) {
            return std::lexicographical_compare(a.ports.rbegin(),
                                                a.ports.rend(),
                                                b.ports.rbegin(),
                                                b.ports.rend());
        });
    }
    return known->second;
}

void
Router::FollowRoutes(uint32_t at, uint32_t to, Route route, std::vector<Route>& found) const
{
    if (at == to)
    {
        found.push_back(route);
        return;
    }
    NS_ABORT_MSG_IF(route.length == route.ports.size(),
                    "a path from switch " << at << " to switch " << to << " is too long");
    for (const uint16_t port : m_places[at].at->GetNextHops(to).ports)
    {
        Route longer = route;
        longer.ports[longer.length++] = port;
        const std::vector<Cable>& up = m_places[at].up;
        const std::vector<Cable>& down = m_places[at].down;
        const auto leads = [port](const Cable& cable) { return cable.port == port; };
        auto cable = std::find_if(up.begin(), up.end(), leads);
        if (cable == up.end())
        {
            cable = std::find_if(down.begin(), down.end(), leads);
        }
        FollowRoutes(cable->to, to, longer, found);
    }
}

} // namespace ns3::rails
