// SPDX-License-Identifier: GPL-2.0-only
#include "max-min-certificate.h"

#include "level-sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

namespace
{

/// How exact a violation must be to be one, of capacities and rates.
constexpr double kViolation = 1e-9;

/// \return which resource gives more than it has, or counts wrongly
std::string
FindOverload(const SharingGraph& graph,
             const std::vector<double>& used,
             const std::vector<double>& loaded,
             double ratePrecision,
             double loadPrecision)
{
    for (uint32_t number = 0; number < graph.GetResources().size(); ++number)
    {
        const double capacity = graph.GetResource(number).capacity;
        const double limit = SharingGraph::FindLimit(capacity, loaded[number]);
        const double precision =
            std::max(kViolation, 2 * ratePrecision) * (capacity + loaded[number]) +
            2 * loadPrecision * capacity;
        const std::string name = "resource " + std::to_string(number);
        const double missing = limit - graph.GetShare(number).limit;
        if (!(missing >= -precision) ||
            !(missing <= precision || graph.GetResource(number).loadFell))
        {
            return name + " counts with other loads than it has";
        }
        if (!(used[number] <= limit + precision))
        {
            return name + " gives more than it has";
        }
        if (!(std::fabs(used[number] + loaded[number] - graph.GetLoad(number)) <= precision))
        {
            return name + " lost count of what is taken of it";
        }
    }
    return "";
}

/// \return which class has no bottleneck
std::string
FindUnfair(const SharingGraph& graph, const std::vector<double>& used, double ratePrecision)
{
    std::vector<double> fastest(graph.GetResources().size(), 0);
    for (const SharingGraph::FlowClass& flowClass : graph.GetClasses())
    {
        if (flowClass.weight == 0)
        {
            continue;
        }
        for (const SharingGraph::Incidence& use : graph.GetUses(flowClass))
        {
            fastest[use.resource] = std::max(fastest[use.resource], graph.GetRate(flowClass));
        }
    }
    const double precision = std::max(kViolation, 2 * ratePrecision);
    for (uint32_t number = 0; number < graph.GetClasses().size(); ++number)
    {
        const SharingGraph::FlowClass& flowClass = graph.GetClass(number);
        bool fair = flowClass.weight == 0;
        for (const SharingGraph::Incidence& use : graph.GetUses(flowClass))
        {
            const double limit = graph.GetShare(use.resource).limit;
            const double ahead = fastest[use.resource] - graph.GetRate(flowClass);
            fair = fair || (used[use.resource] >= limit * (1 - precision) &&
                            (ahead <= precision * graph.GetRate(flowClass) ||
                             ahead * flowClass.weight * use.share <= LevelSweep::kTie * limit));
        }
        if (!fair)
        {
            return "class " + std::to_string(number) + " could be faster";
        }
    }
    return "";
}

} // namespace

std::string
FindViolation(const SharingGraph& graph, double ratePrecision, double loadPrecision)
{
    std::vector<double> used(graph.GetResources().size(), 0);
    std::vector<double> loaded(graph.GetResources().size(), 0);
    for (const SharingGraph::FlowClass& flowClass : graph.GetClasses())
    {
        for (const SharingGraph::Incidence& use : graph.GetUses(flowClass))
        {
            used[use.resource] += flowClass.weight * use.share * graph.GetRate(flowClass);
        }
        for (const SharingGraph::Incidence& load : graph.GetLoads(flowClass))
        {
            loaded[load.resource] += flowClass.weight * load.share * graph.GetRate(flowClass);
        }
    }
    const std::string overload = FindOverload(graph, used, loaded, ratePrecision, loadPrecision);
    return overload.empty() ? FindUnfair(graph, used, ratePrecision) : overload;
}

} // namespace ns3::rails
