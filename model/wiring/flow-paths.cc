// SPDX-License-Identifier: GPL-2.0-only
#include "flow-paths.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

// Largest rounding difference of equal shares, which are added in different orders.
constexpr double kShareRounding = 1e-9;

} // namespace

bool
FlowPaths::Length::operator<(const Length& other) const
{
    return delay < other.delay || (delay == other.delay && sending < other.sending);
}

void
FlowPaths::Length::Add(const Length& cable)
{
    delay += cable.delay;
    sending += cable.sending;
    slowest = std::max(slowest, cable.slowest);
}

FlowPaths::FlowPaths(std::shared_ptr<const Router> router, PathSpread spread)
    : m_router(std::move(router)),
      m_spread(spread),
      m_ports(m_router->GetWiring()),
      m_hashes(m_router->GetWiring().GetSwitches().size()),
      m_lengths(m_router->GetWiring().GetCables().size()),
      m_bundles(static_cast<uint32_t>(2 * m_lengths.size())),
      m_walk(m_hops, m_ports, spread),
      m_arrivals(m_hashes.size()),
      m_longest(m_hashes.size())
{
    NS_ABORT_MSG_IF(spread == PathSpread::Adaptive, "paths that depend on frames");
    Refresh();
}

int64_t
FlowPaths::AssignStreams(int64_t stream, int64_t streamsPerSwitch)
{
    const int64_t first = stream;
    for (uint32_t at = 0; at < m_hashes.size(); ++at)
    {
        if (!m_router->GetWiring().GetSwitches()[at].isOptical)
        {
            m_hashes[at].AssignStreams(stream);
            stream += streamsPerSwitch;
        }
    }
    return stream - first;
}

void
FlowPaths::Refresh()
{
    m_hops.Read(*m_router);
    const Wiring& wiring = m_router->GetWiring();
    for (uint32_t number = 0; number < m_lengths.size(); ++number)
    {
        const Cable& cable = wiring.GetCables()[number];
        const double perByte = 8e12 / static_cast<double>(cable.rateBps);
        m_lengths[number] = {wiring.GetKind(cable).delay, perByte, perByte};
    }
    if (m_spread != PathSpread::OnePath)
    {
        m_bundles = PathBundles(wiring, m_walk);
        m_ways.clear();
        m_places.assign(m_bundles.GetCount(), 0);
    }
}

uint32_t
FlowPaths::GetBundles() const
{
    return m_bundles.GetCount();
}

const std::vector<uint32_t>&
FlowPaths::GetDirections(uint32_t bundle) const
{
    return m_bundles.GetDirections(bundle);
}

FlowPath
FlowPaths::Find(uint32_t fromNic, uint32_t toNic, uint32_t entropy) const
{
    FlowPath path;
    path.parts.reserve(8); // two NICs, and the tiers between them
    Length length;
    const auto detour = m_router->AllowsDetours()
                            ? m_router->GetWiring().GetCircuits().FindDetour(fromNic, toNic)
                            : std::nullopt;
    const bool isFound = detour ? Follow(fromNic, detour->in, entropy, path, length) &&
                                      Follow(detour->out, toNic, entropy, path, length)
                                : Follow(fromNic, toNic, entropy, path, length);
    if (!isFound)
    {
        return {};
    }
    std::sort(path.parts.begin(), path.parts.end(), [](const auto& a, const auto& b) {
        return a.bundle < b.bundle;
    });
    path.delay = length.delay;
    path.storing = length.sending - length.slowest;
    return path;
}

// Adds the links from a NIC to another to a path.
bool
FlowPaths::Follow(uint32_t fromNic,
                  uint32_t toNic,
                  uint32_t entropy,
                  FlowPath& path,
                  Length& length) const
{
    const Wiring& wiring = m_router->GetWiring();
    const uint32_t from = wiring.GetEdge(fromNic);
    const uint32_t to = wiring.GetEdge(toNic);
    path.parts.push_back({m_bundles.Find(GetUpDirection(fromNic)), 1});
    path.parts.push_back({m_bundles.Find(GetDownDirection(toNic)), 1});
    length.Add(m_lengths[fromNic]);
    if (wiring.IsOptical(fromNic) && from == to)
    {
        length.delay += m_lengths[toNic].delay; // a circuit stores nothing
    }
    else
    {
        length.Add(m_lengths[toNic]);
    }
    if (m_spread == PathSpread::OnePath)
    {
        return FollowHash(fromNic, toNic, entropy, path, length);
    }
    if (from == to)
    {
        return true;
    }
    const EdgeWay& way = GetEdgeWay(from, to);
    path.parts.insert(path.parts.end(), way.parts.begin(), way.parts.end());
    length.Add(way.length);
    return !way.parts.empty();
}

// Goes from switch to switch as frames do. A path over more switches than exist is a loop.
bool
FlowPaths::FollowHash(uint32_t fromNic,
                      uint32_t toNic,
                      uint32_t entropy,
                      FlowPath& path,
                      Length& length) const
{
    const Wiring& wiring = m_router->GetWiring();
    const uint32_t to = wiring.GetEdge(toNic);
    std::size_t passed = 0;
    for (uint32_t at = wiring.GetEdge(fromNic); at != to;)
    {
        const NextHops& hops = m_hops.Get(at, to);
        if (hops.ports.empty() || ++passed == m_hashes.size())
        {
            return false;
        }
        const uint16_t port = hops.ports.size() == 1
                                  ? hops.ports.front()
                                  : m_hashes[at].Choose(fromNic, toNic, entropy, hops);
        const FabricPorts::Place& place = m_ports.Get(at, port);
        if (place.neighbour == FabricPorts::kNoSwitch)
        {
            return false;
        }
        path.parts.push_back({m_bundles.Find(place.direction), 1});
        length.Add(m_lengths[GetCableOfDirection(place.direction)]);
        at = place.neighbour;
    }
    return true;
}

const FlowPaths::EdgeWay&
FlowPaths::GetEdgeWay(uint32_t from, uint32_t to) const
{
    const uint64_t key = uint64_t{from} << 32 | to;
    const auto known = m_ways.find(key);
    return known != m_ways.end() ? known->second
                                 : m_ways.emplace(key, MakeEdgeWay(from, to)).first->second;
}

FlowPaths::EdgeWay
FlowPaths::MakeEdgeWay(uint32_t from, uint32_t to) const
{
    m_walk.Start(to);
    if (!m_walk.Follow(from))
    {
        return {};
    }
    const std::vector<DestinationSpread::Stage>& stages = m_walk.GetStages();
    for (const DestinationSpread::Stage& stage : stages)
    {
        m_arrivals[stage.at] = 0;
        m_longest[stage.at] = {};
    }
    m_arrivals[from] = 1;
    m_arrivals[to] = 0;
    m_longest[to] = {};
    std::vector<DirectionShare> shares;
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
    {
        Pass(*stage, shares);
    }
    return {Bundle(shares), m_longest[to]};
}

// Distributes the share that arrives at a stage over its ports.
void
FlowPaths::Pass(const DestinationSpread::Stage& stage, std::vector<DirectionShare>& shares) const
{
    const std::vector<uint16_t>& ports = stage.hops->ports;
    const double unit = m_arrivals[stage.at] / static_cast<double>(stage.total);
    const std::size_t first = shares.size();
    uint16_t highest = 0;
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        const FabricPorts::Place& place = m_ports.Get(stage.at, ports[i]);
        const uint64_t weight = m_walk.GetWeight(stage, i, place.neighbour);
        if (weight == 0)
        {
            continue;
        }
        const double share = unit * static_cast<double>(weight);
        m_arrivals[place.neighbour] += share;
        Length way = m_longest[stage.at];
        way.Add(m_lengths[GetCableOfDirection(place.direction)]);
        m_longest[place.neighbour] = std::max(m_longest[place.neighbour], way);
        // Next hops of a user come in any order, and may repeat a port.
        const auto known =
            i == 0 || ports[i] > highest
                ? shares.end()
                : std::find_if(shares.begin() + static_cast<std::ptrdiff_t>(first),
                               shares.end(),
                               [&](const auto& sent) { return sent.direction == place.direction; });
        if (known == shares.end())
        {
            shares.push_back({place.direction, share});
        }
        else
        {
            known->share += share;
        }
        highest = std::max(highest, ports[i]);
    }
}

// Replaces the shares of directions by shares of bundles.
std::vector<FlowPath::Part>
FlowPaths::Bundle(const std::vector<DirectionShare>& shares) const
{
    std::vector<FlowPath::Part> parts;
    std::size_t directions = 0;
    for (const auto& [direction, share] : shares)
    {
        const uint32_t bundle = m_bundles.Find(direction);
        const std::size_t place = m_places[bundle];
        if (place < parts.size() && parts[place].bundle == bundle)
        {
            NS_ABORT_MSG_IF(std::abs(parts[place].share - share) > kShareRounding * share,
                            "shares within a bundle: " << parts[place].share << ", " << share);
            continue;
        }
        m_places[bundle] = static_cast<uint32_t>(parts.size());
        parts.push_back({bundle, share});
        directions += m_bundles.GetDirections(bundle).size();
    }
    NS_ABORT_MSG_IF(directions != shares.size(), "a path that uses a part of a bundle");
    return parts;
}

} // namespace ns3::rails
