// SPDX-License-Identifier: GPL-2.0-only
#include "rails-router.h"

#include "ns3/log.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsRouter");

namespace
{

constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();

constexpr uint64_t kLargestWeight = 1000;

} // namespace

Router::Router(const Wiring& wiring, Overrides overrides)
    : m_wiring(wiring),
      m_overrides(overrides)
{
    AddPlaces();
    SortByTier();
    Converge();
}

void
Router::AddListener(RouterListener& listener)
{
    m_listeners.push_back(&listener);
}

void
Router::RemoveListener(RouterListener& listener)
{
    m_listeners.erase(std::remove(m_listeners.begin(), m_listeners.end(), &listener),
                      m_listeners.end());
}

const Wiring&
Router::GetWiring() const
{
    return m_wiring;
}

void
Router::AddPlaces()
{
    const std::vector<WiredSwitch>& switches = m_wiring.GetSwitches();
    m_places.resize(switches.size());
    m_ways.resize(switches.size());
    for (uint32_t at = 0; at < switches.size(); ++at)
    {
        Place& place = m_places[at];
        place.groups.emplace_back(); // no next hops
        for (uint32_t port = 0; port < switches[at].cables.size(); ++port)
        {
            const uint32_t number = switches[at].cables[port];
            const Cable& cable = m_wiring.GetCables()[number];
            if (!cable.isNic)
            {
                const bool isUp = cable.lower == at;
                (isUp ? place.up : place.down)
                    .push_back({isUp ? cable.upper : cable.lower,
                                static_cast<uint16_t>(port),
                                number,
                                m_wiring.GetKind(cable).cost,
                                0});
            }
        }
    }
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
            for (const Edge& cable : place.up)
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

// Copies from the wiring which cables work, and how fast: once, not per destination.
void
Router::ReadCableStates()
{
    const std::vector<Cable>& cables = m_wiring.GetCables();
    for (Place& place : m_places)
    {
        for (std::vector<Edge>* edges : {&place.down, &place.up})
        {
            for (Edge& edge : *edges)
            {
                const Cable& cable = cables[edge.cable];
                edge.rateBps = cable.isUp ? cable.rateBps : 0;
            }
        }
    }
    const uint32_t nics = m_wiring.GetShape().GetNics();
    m_knownDown.resize(nics);
    for (uint32_t nic = 0; nic < nics; ++nic)
    {
        m_knownDown[nic] = !cables[nic].isUp;
    }
}

// Finds the way of a switch from the ways of its neighbours over some cables.
void
Router::Extend(uint32_t at, const std::vector<Edge>& edges)
{
    Way& way = m_ways[at];
    for (const Edge& cable : edges)
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
    for (const Edge& cable : edges)
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
            Extend(number, place.down);
        }
        if (m_ways[number].cost != kFar)
        {
            for (const Edge& cable : place.up)
            {
                m_ways[cable.to].isAbove = true;
            }
        }
    }
    for (auto number = m_order.rbegin(); number != m_order.rend(); ++number)
    {
        if (m_ways[*number].cost == kFar)
        {
            Extend(*number, m_places[*number].up);
        }
    }
}

void
Router::SetNextHops(Place& place, uint32_t edge, const NextHops& hops)
{
    const auto known = std::find(place.groups.begin(), place.groups.end(), hops);
    if (edge >= place.groupOfEdge.size())
    {
        place.groupOfEdge.resize(edge + 1, 0);
    }
    place.groupOfEdge[edge] = static_cast<uint32_t>(known - place.groups.begin());
    if (known == place.groups.end())
    {
        place.groups.push_back(hops);
        place.groups.back().CountWeights();
    }
}

void
Router::Converge()
{
    ReadCableStates();
    for (Place& place : m_places)
    {
        place.groups.resize(1);
    }
    for (const uint32_t to : m_wiring.GetEdges())
    {
        FindWays(to);
        for (uint32_t number = 0; number < m_places.size(); ++number)
        {
            if (number != to)
            {
                SetNextHops(m_places[number], to, m_ways[number].hops);
            }
        }
    }
    if (m_overrides == Overrides::Obeyed)
    {
        for (const RouteOverride& route : m_wiring.GetOverrides())
        {
            SetNextHops(m_places[route.at],
                        route.edge,
                        {route.ports, std::vector<uint32_t>(route.ports.size(), 1)});
        }
    }
    m_routes.clear();
    ++m_version;
    NS_LOG_LOGIC("next hops of " << m_places.size() << " switches to " << m_wiring.GetEdges().size()
                                 << " edge switches, version " << m_version);
    for (RouterListener* listener : m_listeners)
    {
        listener->OnConverged();
    }
}

const NextHops&
Router::GetNextHops(uint32_t at, uint32_t edge) const
{
    const Place& place = m_places[at];
    return place.groups[edge < place.groupOfEdge.size() ? place.groupOfEdge[edge] : 0];
}

uint32_t
Router::GetNeighbour(uint32_t at, uint16_t port) const
{
    const Cable& cable = m_wiring.GetCables()[m_wiring.GetSwitches()[at].cables[port]];
    return cable.lower == at ? cable.upper : cable.lower;
}

bool
Router::Reaches(uint32_t from, uint32_t to) const
{
    return !m_knownDown[to] && m_wiring.GetCables()[from].isUp &&
           IsConnected(m_wiring.GetEdge(from), m_wiring.GetEdge(to));
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
    return from == to || !GetNextHops(from, to).ports.empty();
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
                                 "a path from " + m_wiring.GetSwitches()[at].name + " to " +
                                     m_wiring.GetSwitches()[to].name +
                                     " is longer than any in a fabric of tiers: a loop?");
    }
    for (const uint16_t port : GetNextHops(at, to).ports)
    {
        Route longer = route;
        longer.ports[longer.length++] = port;
        FollowRoutes(GetNeighbour(at, port), to, longer, found);
    }
}

} // namespace ns3::rails
