// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-traits.h"

#include "rails-router.h"
#include "rails-wiring.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// What is attached to an edge switch.
struct EdgeSwitch
{
    uint32_t number{0};
    std::set<uint32_t> servers{}; //!< of its NICs
    std::set<uint32_t> rails{};   //!< of its NICs
    uint32_t nics{0};
};

/// The path from one edge switch to another.
struct Way
{
    uint32_t links{0};    //!< including the links of both NICs; 0: no path
    bool isForked{false}; //!< whether there are several paths
};

std::vector<EdgeSwitch>
FindEdges(const Wiring& wiring)
{
    std::vector<EdgeSwitch> edges;
    for (const uint32_t number : wiring.GetEdges())
    {
        EdgeSwitch edge{number};
        for (const uint32_t cable : wiring.GetSwitches()[number].cables)
        {
            if (wiring.GetCables()[cable].isNic)
            {
                edge.servers.insert(wiring.GetShape().GetNicServer(cable));
                edge.rails.insert(wiring.GetShape().GetRail(cable));
                ++edge.nics;
            }
        }
        edges.push_back(std::move(edge));
    }
    return edges;
}

Way
FollowWay(const Router& router, uint32_t from, uint32_t to)
{
    Way way{2};
    for (uint32_t at = from; at != to; ++way.links)
    {
        const NextHops& hops = router.GetNextHops(at, to);
        if (hops.ports.empty())
        {
            return {};
        }
        way.isForked = way.isForked || hops.ports.size() > 1;
        at = router.GetNeighbour(at, hops.ports.front());
    }
    return way;
}

/// A mean over pairs of NICs.
struct PairMean
{
    double pairs{0};
    double sum{0};

    void Add(double number, uint32_t links)
    {
        pairs += number;
        sum += number * links;
    }

    double Get() const
    {
        return pairs > 0 ? sum / pairs : 2;
    }
};

bool
HaveServersApart(const EdgeSwitch& a, const EdgeSwitch& b)
{
    return a.servers.size() > 1 || a.servers != b.servers;
}

bool
ShareRail(const EdgeSwitch& a, const EdgeSwitch& b)
{
    return std::any_of(a.rails.begin(), a.rails.end(), [&](uint32_t rail) {
        return b.rails.count(rail) > 0;
    });
}

bool
HaveRailsApart(const EdgeSwitch& a, const EdgeSwitch& b)
{
    return a.rails.size() > 1 || a.rails != b.rails;
}

double
FindOversubscription(const Wiring& wiring)
{
    std::vector<uint64_t> below(wiring.GetSwitches().size());
    std::vector<uint64_t> above(wiring.GetSwitches().size());
    for (const Cable& cable : wiring.GetCables())
    {
        const bool isLevel = !cable.isNic && wiring.GetSwitches()[cable.lower].isRelay;
        (isLevel ? above : below)[cable.upper] += cable.rateBps;
        if (!cable.isNic)
        {
            above[cable.lower] += cable.rateBps;
        }
    }
    double largest = 0;
    for (std::size_t at = 0; at < above.size(); ++at)
    {
        if (above[at] > 0)
        {
            largest =
                std::max(largest, static_cast<double>(below[at]) / static_cast<double>(above[at]));
        }
    }
    return largest > 0 ? largest : 1;
}

} // namespace

FabricTraits
FindTraits(const Wiring& wiring)
{
    return FindTraits(Router(wiring, Router::Overrides::Ignored));
}

FabricTraits
FindTraits(const Router& router)
{
    const Wiring& wiring = router.GetWiring();
    const std::vector<EdgeSwitch> edges = FindEdges(wiring);
    FabricTraits traits;
    traits.tiers = router.GetTiers();
    traits.oversubscription = FindOversubscription(wiring);
    traits.connectsRails = true;
    uint32_t shortest = std::numeric_limits<uint32_t>::max();
    PairMean all;
    PairMean inRails;
    for (const EdgeSwitch& from : edges)
    {
        const double apart =
            from.nics - double{1} * from.nics / std::max<std::size_t>(1, from.servers.size());
        all.Add(from.nics * apart, 2);
        inRails.Add(from.nics * apart, 2);
        shortest = from.servers.size() > 1 ? 2 : shortest;
        for (const EdgeSwitch& to : edges)
        {
            if (to.number == from.number)
            {
                continue;
            }
            const Way way = FollowWay(router, from.number, to.number);
            if (way.links == 0)
            {
                traits.connectsRails = traits.connectsRails && !HaveRailsApart(from, to);
                continue;
            }
            if (HaveServersApart(from, to))
            {
                all.Add(double{1} * from.nics * to.nics, way.links);
                inRails.Add(ShareRail(from, to) ? double{1} * from.nics * to.nics : 0, way.links);
                shortest = std::min(shortest, way.links);
                traits.longestLinks = std::max(traits.longestLinks, way.links);
            }
            traits.forksInRail = traits.forksInRail || (way.isForked && ShareRail(from, to));
            traits.forksAcross = traits.forksAcross || (way.isForked && HaveRailsApart(from, to));
        }
    }
    traits.meanLinks = all.Get();
    traits.meanRailLinks = inRails.Get();
    traits.shortestLinks = shortest == std::numeric_limits<uint32_t>::max() ? 2 : shortest;
    return traits;
}

uint32_t
CountBoundedLinks(const Wiring& wiring, const FabricTraits& traits)
{
    uint64_t nicRate = 0;
    uint64_t largest = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        const uint64_t rate = wiring.GetKind(cable).rateBps;
        largest = std::max(largest, rate);
        nicRate = cable.isNic ? std::max(nicRate, rate) : nicRate;
    }
    if (wiring.HasOptical())
    {
        return 1; // a circuit stores nothing
    }
    const bool hasFaster = largest > nicRate;
    return hasFaster ? 2 : traits.shortestLinks;
}

} // namespace ns3::rails
