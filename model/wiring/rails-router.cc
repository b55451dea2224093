// SPDX-License-Identifier: GPL-2.0-only
#include "rails-router.h"

#include "ns3/log.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsRouter");

namespace
{

constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();

constexpr uint64_t kLargestWeight = 1000;

uint64_t
HashHops(const NextHops& hops)
{
    constexpr uint64_t kFactor = 0x9e3779b97f4a7c15; // scatters; nothing hangs on its value
    uint64_t hash = hops.ports.size();
    for (std::size_t i = 0; i < hops.ports.size(); ++i)
    {
        const uint64_t hop = uint64_t{hops.weights[i]} << 16 | hops.ports[i];
        hash = (hash ^ hop) * kFactor;
        hash ^= hash >> 29;
    }
    return hash;
}

/// \return the ports of a RouteOverride in the order of their numbers, each weighted by its number
/// of occurrences
NextHops
MakeNextHops(std::vector<uint16_t> ports)
{
    std::sort(ports.begin(), ports.end());
    NextHops hops;
    for (const uint16_t port : ports)
    {
        if (hops.ports.empty() || hops.ports.back() != port)
        {
            hops.ports.push_back(port);
            hops.weights.push_back(0);
        }
        ++hops.weights.back();
    }
    return hops;
}

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

void
Router::AddPlaces()
{
    const std::vector<WiredSwitch>& switches = m_wiring.GetSwitches();
    m_places.resize(switches.size());
    m_ways.resize(switches.size());
    m_costs.resize(switches.size());
    m_sharing.resize(switches.size());
    std::vector<uint32_t> indices(m_wiring.GetCables().size()); // in Place::down
    for (uint32_t at = 0; at < switches.size(); ++at)
    {
        Place& place = m_places[at];
        place.groups.emplace_back(); // no next hops
        place.hashes.push_back(HashHops(place.groups.front()));
        for (uint32_t port = 0; port < switches[at].cables.size(); ++port)
        {
            const uint32_t number = switches[at].cables[port];
            const Cable& cable = m_wiring.GetCables()[number];
            if (!cable.isNic)
            {
                const bool isUp = cable.lower == at;
                std::vector<Edge>& edges = switches[at].isRelay ? place.level
                                           : isUp               ? place.up
                                                                : place.down;
                indices[number] = isUp ? indices[number] : static_cast<uint32_t>(edges.size());
                edges.push_back({isUp ? cable.upper : cable.lower,
                                 static_cast<uint16_t>(port),
                                 number,
                                 m_wiring.GetKind(cable).cost,
                                 0,
                                 0});
            }
        }
    }
    for (Place& place : m_places)
    {
        for (Edge& cable : place.up)
        {
            cable.back = indices[cable.cable];
        }
    }
}

void
Router::SortByTier()
{
    // A switch is one tier above the highest of its lower neighbours.
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
                if (tier == m_places.size())
                {
                    throw std::logic_error("cables lead up in a circle, by " +
                                           m_wiring.GetSwitches()[cable.to].name +
                                           ": a fabric without tiers is one of relays");
                }
            }
        }
    }
    m_order.resize(m_places.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) {
        return m_places[a].tier < m_places[b].tier;
    });
}

// Copies the states and rates of links from the wiring: once, not per destination.
void
Router::ReadCableStates()
{
    const std::vector<Cable>& cables = m_wiring.GetCables();
    for (Place& place : m_places)
    {
        for (std::vector<Edge>* edges : {&place.down, &place.up, &place.level})
        {
            for (Edge& edge : *edges)
            {
                const Cable& cable = cables[edge.cable];
                edge.rateBps = cable.isUp ? cable.rateBps : 0;
            }
        }
    }
    const uint32_t nics = m_wiring.GetShape().GetNics();
    m_knownRates.resize(nics);
    for (uint32_t nic = 0; nic < nics; ++nic)
    {
        m_knownRates[nic] = cables[nic].isUp ? cables[nic].rateBps : 0;
    }
}

// Switches with equal links to the same upper switches have equal upward paths, and a large fabric
// has many such switches.
void
Router::FindAlike()
{
    std::map<std::vector<uint64_t>, uint32_t> known;
    std::vector<uint64_t> cables;
    for (Place& place : m_places)
    {
        cables.clear();
        for (const Edge& cable : place.up)
        {
            if (cable.rateBps > 0)
            {
                cables.push_back(uint64_t{cable.to} << 32 | cable.port);
                cables.push_back(cable.cost);
                cables.push_back(cable.rateBps);
            }
        }
        place.likeness =
            known.try_emplace(cables, static_cast<uint32_t>(known.size())).first->second;
    }
    m_examples.resize(known.size());
}

// Takes a link as the first of a path from its switch, unless another link is on a shorter path.
void
Router::Consider(const Edge& cable)
{
    const uint32_t next = m_costs[cable.to];
    if (next == kFar || cable.rateBps == 0 || next + cable.cost > m_cheapest)
    {
        return;
    }
    if (next + cable.cost < m_cheapest)
    {
        m_cheapest = next + cable.cost;
        m_first.clear();
    }
    m_first.push_back(&cable);
}

// Finds the paths of a switch from the paths of its neighbours over the links considered.
void
Router::Extend(uint32_t at)
{
    Way& way = m_ways[at];
    m_costs[at] = std::exchange(m_cheapest, kFar);
    m_bandwidths.clear();
    for (const Edge* cable : m_first)
    {
        uint64_t sum = 0;
        for (const Bundle& bundle : m_ways[m_sharing[cable->to]].bundles)
        {
            const uint64_t bandwidth = std::min(cable->rateBps, bundle.bandwidth);
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
        way.hops.ports.push_back(cable->port);
        m_bandwidths.push_back(sum);
    }
    m_first.clear();
    SetWeights(way.hops);
    way.hash = HashHops(way.hops);
}

// Scales the bandwidths of ports to small weights.
void
Router::SetWeights(NextHops& hops) const
{
    uint64_t divisor = 0;
    uint64_t largest = 0;
    uint64_t latest = 0; // most bandwidths repeat the previous one
    for (const uint64_t bandwidth : m_bandwidths)
    {
        divisor = bandwidth == latest ? divisor : std::gcd(divisor, bandwidth);
        largest = std::max(largest, bandwidth);
        latest = bandwidth;
    }
    // Degraded rates may have only a small common divisor: weights are rounded to 0.1 % of the
    // largest.
    divisor = std::max(divisor, largest / kLargestWeight);
    latest = 0;
    uint32_t weight = 0;
    for (const uint64_t bandwidth : m_bandwidths)
    {
        if (bandwidth != latest)
        {
            weight =
                static_cast<uint32_t>(std::max<uint64_t>(1, (bandwidth + divisor / 2) / divisor));
            latest = bandwidth;
        }
        hops.weights.push_back(weight);
    }
}

// Finds the paths of all switches to one destination.
void
Router::FindWays(uint32_t to)
{
    for (Way& way : m_ways)
    {
        way.below.clear();
        way.bundles.clear();
        way.hops.ports.clear();
        way.hops.weights.clear();
        way.hash = HashHops(way.hops);
    }
    m_cheapest = kFar;
    m_costs.assign(m_costs.size(), kFar);
    std::iota(m_sharing.begin(), m_sharing.end(), 0);
    m_examples.assign(m_examples.size(), kFar);
    m_costs[to] = 0;
    m_ways[to].bundles.push_back({std::numeric_limits<uint64_t>::max(), 1});
    if (m_wiring.GetSwitches()[to].isRelay)
    {
        FindWaysLevel(to);
        return;
    }
    // First downward paths from switches above the destination, then upward paths from all others.
    FindWaysDown();
    FindWaysUp();
}

// Among relays, from the nearest to the farthest (Dijkstra).
void
Router::FindWaysLevel(uint32_t to)
{
    using Candidate = std::pair<uint32_t, uint32_t>; // a cost and a switch
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto addNeighbours = [&](uint32_t at) {
        for (const Edge& cable : m_places[at].level)
        {
            if (cable.rateBps > 0 && m_costs[cable.to] == kFar)
            {
                candidates.emplace(m_costs[at] + cable.cost, cable.to);
            }
        }
    };
    addNeighbours(to);
    while (!candidates.empty())
    {
        const uint32_t at = candidates.top().second;
        candidates.pop();
        if (m_costs[at] != kFar)
        {
            continue;
        }
        for (const Edge& cable : m_places[at].level)
        {
            Consider(cable);
        }
        Extend(at);
        // Like the destination, one path of unlimited rate: only the rate of the next link counts.
        m_ways[at].bundles = m_ways[to].bundles;
        addNeighbours(at);
    }
}

void
Router::FindWaysDown()
{
    for (const uint32_t number : m_order)
    {
        std::vector<uint32_t>& below = m_ways[number].below;
        std::sort(below.begin(), below.end());
        for (const uint32_t index : below)
        {
            Consider(m_places[number].down[index]);
        }
        if (!below.empty())
        {
            Extend(number);
        }
        if (m_costs[number] == kFar)
        {
            continue;
        }
        for (const Edge& cable : m_places[number].up)
        {
            if (cable.rateBps > 0)
            {
                m_ways[cable.to].below.push_back(cable.back);
            }
        }
    }
}

void
Router::FindWaysUp()
{
    for (auto number = m_order.rbegin(); number != m_order.rend(); ++number)
    {
        if (m_costs[*number] != kFar)
        {
            continue;
        }
        uint32_t& example = m_examples[m_places[*number].likeness];
        if (example != kFar)
        {
            m_costs[*number] = m_costs[example];
            m_sharing[*number] = example;
            continue;
        }
        example = *number;
        for (const Edge& cable : m_places[*number].up)
        {
            Consider(cable);
        }
        Extend(*number);
    }
}

void
Router::SetNextHops(Place& place, uint32_t edge, const NextHops& hops, uint64_t hash)
{
    auto known = std::find(place.hashes.begin(), place.hashes.end(), hash);
    std::size_t group = known - place.hashes.begin();
    while (known != place.hashes.end() && !(place.groups[group] == hops))
    {
        known = std::find(known + 1, place.hashes.end(), hash);
        group = known - place.hashes.begin();
    }
    place.groupOfEdge[edge] = static_cast<uint32_t>(group);
    if (known == place.hashes.end())
    {
        place.groups.push_back(hops);
        place.groups.back().CountWeights();
        place.hashes.push_back(hash);
    }
}

void
Router::Converge()
{
    ReadCableStates();
    FindAlike();
    const std::vector<uint32_t>& destinations = m_wiring.GetEdges();
    const uint32_t edges = // numbers up to the last edge switch
        destinations.empty() ? 0 : *std::max_element(destinations.begin(), destinations.end()) + 1;
    for (Place& place : m_places)
    {
        place.groups.resize(1);
        place.hashes.resize(1);
        place.groupOfEdge.assign(edges, 0);
    }
    for (const uint32_t to : destinations)
    {
        FindWays(to);
        for (uint32_t number = 0; number < m_places.size(); ++number)
        {
            if (number != to)
            {
                const Way& way = m_ways[m_sharing[number]];
                SetNextHops(m_places[number], to, way.hops, way.hash);
            }
        }
    }
    if (m_overrides == Overrides::Obeyed)
    {
        for (const RouteOverride& route : m_wiring.GetOverrides())
        {
            const NextHops hops = MakeNextHops(route.ports);
            SetNextHops(m_places[route.at], route.edge, hops, HashHops(hops));
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

void
Router::AllowDetours()
{
    m_allowsDetours = true;
}

bool
Router::Reaches(uint32_t from, uint32_t to) const
{
    if (m_allowsDetours && m_wiring.HasOptical())
    {
        if (const auto detour = m_wiring.GetCircuits().FindDetour(from, to))
        {
            return ReachesDirectly(from, detour->in) && m_knownRates[detour->out] > 0 &&
                   Leads(detour->out, to);
        }
    }
    return ReachesDirectly(from, to);
}

bool
Router::ReachesDirectly(uint32_t from, uint32_t to) const
{
    return m_wiring.GetCables()[from].isUp && Leads(from, to);
}

/// \return true when the router knows a path from a working NIC to another
bool
Router::Leads(uint32_t from, uint32_t to) const
{
    return m_knownRates[to] > 0 && m_wiring.GetCircuits().WillJoin(from, to) &&
           IsConnected(m_wiring.GetEdge(from), m_wiring.GetEdge(to));
}

uint64_t
Router::GetKnownRate(uint32_t nic) const
{
    return m_knownRates[nic];
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
