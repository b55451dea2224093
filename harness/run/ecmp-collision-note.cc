// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-collision-note.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

/// A smaller cost does not decide a comparison.
constexpr double kDecisive = 1.05;

/// \return classes of ports at the lower ends of cables between switches
std::set<std::string>
FindLowerClasses(const Wiring& wiring)
{
    std::set<std::string> classes;
    for (const Cable& cable : wiring.GetCables())
    {
        if (!cable.isNic)
        {
            classes.insert(wiring.GetKind(cable).lowerClass);
        }
    }
    return classes;
}

} // namespace

EcmpCollision
FindEcmpCollision(const Result& result, const Wiring& wiring)
{
    // Equivalent ports: all that lead up from one switch, or all that lead down to one switch.
    using Group = std::tuple<bool, uint32_t, std::string>;

    struct Sum
    {
        double time{0};
        uint32_t ports{0};
    };

    const uint32_t servers = wiring.GetShape().servers;
    const std::set<std::string> lower = FindLowerClasses(wiring);
    std::map<Group, Sum> groups;
    double even = 0;
    double largest = 0;
    const PortRecord* at = nullptr;
    for (const PortRecord& port : result.portRecords)
    {
        const double time = static_cast<double>(port.bytes) / static_cast<double>(port.rateBps);
        if (port.node < servers || port.peer < servers)
        {
            even = std::max(even, time);
            continue;
        }
        const bool isUp = lower.count(port.portClass) > 0;
        Sum& sum = groups[{isUp, isUp ? port.node : port.peer, port.portClass}];
        sum.time += time;
        ++sum.ports;
        if (time > largest)
        {
            largest = time;
            at = &port;
        }
    }
    for (const auto& [group, sum] : groups)
    {
        even = std::max(even, sum.time / sum.ports);
    }
    if (!at || largest <= even)
    {
        return {};
    }
    const auto getName = [&](uint32_t node) { return wiring.GetSwitches()[node - servers].name; };
    return {largest / even, getName(at->node) + " to " + getName(at->peer)};
}

std::vector<std::string>
FindEcmpCollisionNotes(std::optional<PathSpread> spread,
                       const Wiring& wiring,
                       const FabricTraits& traits,
                       const Result& result)
{
    if (result.status != RunStatus::Done || result.failedCables > 0 ||
        spread != PathSpread::OnePath || !(traits.forksInRail || traits.forksAcross))
    {
        return {};
    }
    constexpr std::size_t kRoutes = 1;
    const EcmpCollision load = FindEcmpCollision(result, wiring);
    std::optional<double> cost;
    if (result.explanation)
    {
        cost = result.explanation->GetFactor(kRoutes);
    }
    if (cost.value_or(load.overEven) < kDecisive)
    {
        return {};
    }
    // Equal words for all runs, so that a sweep can count them.
    std::string warning = "warning: balance.host: a hash has put flows on the same cables, which ";
    warning += cost ? "costs at least 5 % of the time: it decides comparisons with other fabrics"
                    : "may decide comparisons with other fabrics";
    warning += "; set balance.host to spray";
    warning += result.engine == "frames" ? " and transport.loss_recovery to selective-repeat" : "";
    return {warning,
            cost ? "routes of hashed flows cost a factor of " + Explanation::FormatFactor(*cost)
                 : "the hash of flows has put " + Explanation::FormatFactor(load.overEven) +
                       " times as much on the cable " + load.cable +
                       " as the busiest would carry if all flows were spread"};
}

} // namespace ns3::rails
