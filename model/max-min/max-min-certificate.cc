// SPDX-License-Identifier: GPL-2.0-only
#include "max-min-certificate.h"

#include "incremental-water-filling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Tolerated relative error of capacities and rates.
constexpr double kViolation = 1e-9;

/// \return a sentence about a constraint over its capacity, or with wrong sums; empty without one
std::string
FindOverload(const MaxMinSystem& system,
             const std::vector<double>& used,
             const std::vector<double>& loaded,
             double ratePrecision,
             double loadPrecision)
{
    for (uint32_t number = 0; number < system.GetConstraints().size(); ++number)
    {
        const double capacity = system.GetConstraint(number).capacity;
        const double limit = MaxMinSystem::FindLimit(capacity, loaded[number]);
        const double precision =
            std::max(kViolation, 2 * ratePrecision) * (capacity + loaded[number]) +
            2 * loadPrecision * capacity;
        const std::string name = "resource " + std::to_string(number);
        const double missing = limit - system.GetState(number).limit;
        if (!(missing >= -precision) ||
            !(missing <= precision || system.GetConstraint(number).loadFell))
        {
            return name + " counts with other loads than it has";
        }
        if (!(used[number] <= limit + precision))
        {
            return name + " gives more than it has";
        }
        if (!(std::fabs(used[number] + loaded[number] - system.GetLoad(number)) <= precision))
        {
            return name + " lost count of what is taken of it";
        }
    }
    return "";
}

/// \return a sentence about a variable without a bottleneck; empty without one
std::string
FindUnfair(const MaxMinSystem& system, const std::vector<double>& used, double ratePrecision)
{
    std::vector<double> fastest(system.GetConstraints().size(), 0);
    for (const MaxMinSystem::Variable& variable : system.GetVariables())
    {
        if (variable.weight == 0)
        {
            continue;
        }
        for (const MaxMinSystem::Element& use : system.GetUses(variable))
        {
            fastest[use.constraint] = std::max(fastest[use.constraint], system.GetRate(variable));
        }
    }
    const double precision = std::max(kViolation, 2 * ratePrecision);
    for (uint32_t number = 0; number < system.GetVariables().size(); ++number)
    {
        const MaxMinSystem::Variable& variable = system.GetVariable(number);
        bool fair = variable.weight == 0;
        for (const MaxMinSystem::Element& use : system.GetUses(variable))
        {
            const double limit = system.GetState(use.constraint).limit;
            const double ahead = fastest[use.constraint] - system.GetRate(variable);
            fair = fair ||
                   (used[use.constraint] >= limit * (1 - precision) &&
                    (ahead <= precision * system.GetRate(variable) ||
                     ahead * variable.weight * use.share <= IncrementalWaterFilling::kTie * limit));
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
FindViolation(const MaxMinSystem& system, double ratePrecision, double loadPrecision)
{
    std::vector<double> used(system.GetConstraints().size(), 0);
    std::vector<double> loaded(system.GetConstraints().size(), 0);
    for (const MaxMinSystem::Variable& variable : system.GetVariables())
    {
        for (const MaxMinSystem::Element& use : system.GetUses(variable))
        {
            used[use.constraint] += variable.weight * use.share * system.GetRate(variable);
        }
        for (const MaxMinSystem::Element& load : system.GetLoads(variable))
        {
            loaded[load.constraint] += variable.weight * load.share * system.GetRate(variable);
        }
    }
    const std::string overload = FindOverload(system, used, loaded, ratePrecision, loadPrecision);
    return overload.empty() ? FindUnfair(system, used, ratePrecision) : overload;
}

} // namespace ns3::rails
