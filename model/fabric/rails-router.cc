// SPDX-License-Identifier: GPL-2.0-only
#include "rails-router.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();

constexpr uint64_t kLargestWeight = 1000;

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
    const auto add = [](Place& place, std::vector<Cable>& cables, const Cable& cable) {
        cables.push_back(cable);
        place.neighbours.resize(std::max<std::size_t>(place.neighbours.size(), cable.port + 1));
        place.neighbours[cable.port] = cable.to;
    };
    Place& below = GetPlace(lower);
    add(below, below.up, {upper.GetNumber(), lowerPort, upperPort, cost, 0});
    Place& above = GetPlace(upper);
    add(above, above.down, {lower.GetNumber(), upperPort, lowerPort, cost, 0});
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

// Once, when all cables are there.
void
Router::Prepare()
{
    SortByTier();
    m_ways.resize(m_places.size());
    for (Place& place : m_places)
    {
        for (std::vector<Cable>* cables : {&place.down, &place.up})
        {
            std::sort(cables->begin(), cables->end(), [](const Cable& a, const Cable& b) {
                return a.port < b.port;
            });
        }
        const bool hasNics = std::find(m_edges.begin(), m_edges.end(), place.at) != m_edges.end();
        place.at->SetRegions(m_regions, hasNics);
    }
}

// Writes down which cables work, and how fast: they are asked once, not per destination.
void
Router::Look()
{
    for (Place& place : m_places)
    {
        for (std::vector<Cable>* cables : {&place.down, &place.up})
        {
            for (Cable& cable : *cables)
            {
                const Port& here = place.at->GetPort(cable.port);
                const Port& there = m_places[cable.to].at->GetPort(cable.peerPort);
                const bool isUp = here.GetLink().IsUp() && there.GetLink().IsUp();
                cable.rateBps = isUp ? here.GetRateBps() : 0;
            }
        }
    }
}

// Finds the way of a switch from the ways of its neighbours over some cables.
void
Router::Extend(const Place& place, const std::vector<Cable>& cables)
{
    Way& way = m_ways[place.at->GetNumber()];
    for (const Cable& cable : cables)
    {
        if (m_ways[cable.to].cost != kFar && cable.rateBps > 0)
        {
            way.cost = std::min(way.cost, m_ways[cable.to].cost + cable.cost);
        }
    }
    if (way.cost == kFar)
    {
        return;
    }
    m_bandwidths.clear();
    uint64_t divisor = 0;
    for (const Cable& cable : cables)
    {
        const Way& next = m_ways[cable.to];
        if (next.cost == kFar || next.cost + cable.cost != way.cost || cable.rateBps == 0)
        {
            continue;
        }
        uint64_t sum = 0;
        for (const Bundle& bundle : next.bundles)
        {
            const uint64_t bandwidth = std::min(cable.rateBps, bundle.bandwidth);
            sum += bandwidth * bundle.paths;
            const auto same = std::find_if(
                way.bundles.begin(),
                way.bundles.end(),
                [bandwidth](const Bundle& other) { return other.bandwidth == bandwidth; });
            if (same == way.bundles.end())
            {
                way.bundles.push_back({bandwidth, bundle.paths});
            }
            else
            {
                same->paths += bundle.paths;
            }
        }
        way.hops.ports.push_back(cable.port);
        m_bandwidths.push_back(sum);
        divisor = std::gcd(divisor, sum);
    }
    // Degraded rates may have hardly a divisor in common: weights stay small, to within 0.1 %.
    const uint64_t largest = *std::max_element(m_bandwidths.begin(), m_bandwidths.end());
    divisor = std::max(divisor, largest / kLargestWeight);
    for (const uint64_t bandwidth : m_bandwidths)
    {
        way.hops.weights.push_back(
            static_cast<uint32_t>(std::max<uint64_t>(1, (bandwidth + divisor / 2) / divisor)));
    }
}

// Finds the ways of all switches to one destination.
void
Router::FindWays(uint32_t to)
{
    for (Way& way : m_ways)
    {
        way.cost = kFar;
        way.isAbove = false;
        way.bundles.clear();
        way.hops.ports.clear();
        way.hops.weights.clear();
    }
    m_ways[to].cost = 0;
    m_ways[to].isAbove = true;
    m_ways[to].bundles.push_back({std::numeric_limits<uint64_t>::max(), 1});
    // Down from where the destination is below, then up from everywhere else.
    for (const uint32_t number : m_order)
    {
        const Place& place = m_places[number];
        if (m_ways[number].isAbove && number != to)
        {
            Extend(place, place.down);
        }
        if (m_ways[number].cost != kFar)
        {
            for (const Cable& cable : place.up)
            {
                m_ways[cable.to].isAbove = true;
            }
        }
    }
    for (auto number = m_order.rbegin(); number != m_order.rend(); ++number)
    {
        if (m_ways[*number].cost == kFar)
        {
            Extend(m_places[*number], m_places[*number].up);
        }
    }
}

void
Router::Converge()
{
    if (m_order.empty())
    {
        Prepare();
    }
    Look();
    for (const Switch* edge : m_edges)
    {
        const uint32_t to = edge->GetNumber();
        FindWays(to);
        for (uint32_t number = 0; number < m_places.size(); ++number)
        {
            if (number != to)
            {
                m_places[number].at->SetNextHops(to, m_ways[number].hops);
            }
        }
    }
    for (const auto& [key, hops] : m_overrides)
    {
        m_places[key.first->GetNumber()].at->SetNextHops(key.second, hops);
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
    if (route.length == route.ports.size())
    {
        throw ConfigurationError("topology.routes",
                                 "a path from " + m_places[at].at->GetName() + " to " +
                                     m_places[to].at->GetName() +
                                     " is longer than any in a fabric of tiers: a loop?");
    }
    for (const uint16_t port : m_places[at].at->GetNextHops(to).ports)
    {
        Route longer = route;
        longer.ports[longer.length++] = port;
        FollowRoutes(m_places[at].neighbours[port], to, longer, found);
    }
}

} // namespace ns3::rails
