// SPDX-License-Identifier: GPL-2.0-only
#include "token-copies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kNoSet = std::numeric_limits<uint32_t>::max();

/**
 * \param without a set, or kNoSet
 * \return how probable it is that of the experts of a group, each of them chosen or not by itself,
 *     so many are chosen and none of the set; by number, up to topK
 */
std::vector<double>
FindChances(const LoadShape& shape,
            const std::vector<double>& inclusion,
            const std::vector<uint32_t>& setOf,
            uint32_t without,
            uint32_t group)
{
    // With a limit experts that all tokens would go to may be too many.
    const double most = shape.groups > 1 ? 1 - 1e-9 : 1;
    const double least = shape.groups > 1 ? 1e-9 : 0;
    const uint32_t size = shape.experts / shape.groups;
    std::vector<double> byNumber(shape.topK + 1, 0);
    byNumber[0] = 1;
    double none = 1;
    for (uint32_t expert = group * size; expert < (group + 1) * size; ++expert)
    {
        const double chosen = std::clamp(inclusion[expert], least, most);
        if (setOf[expert] == without)
        {
            none *= 1 - chosen;
            continue;
        }
        for (uint32_t number = shape.topK; number > 0; --number)
        {
            byNumber[number] += chosen * (byNumber[number - 1] - byNumber[number]);
        }
        byNumber[0] *= 1 - chosen;
    }
    for (double& chance : byNumber)
    {
        chance *= none;
    }
    return byNumber;
}

/// \return how probable it is that topK experts of at most topGroups groups are chosen, and none of
///     a set
double
FindChance(const LoadShape& shape,
           const std::vector<double>& inclusion,
           const std::vector<uint32_t>& setOf,
           uint32_t without)
{
    // By groups that have some of those chosen, and by how many are.
    std::vector<std::vector<double>> chances(shape.topGroups + 1,
                                             std::vector<double>(shape.topK + 1, 0));
    chances[0][0] = 1;
    for (uint32_t group = 0; group < shape.groups; ++group)
    {
        const std::vector<double> here = FindChances(shape, inclusion, setOf, without, group);
        for (uint32_t reached = shape.topGroups + 1; reached-- > 0;)
        {
            for (uint32_t number = shape.topK + 1; number-- > 0;)
            {
                double chance = chances[reached][number] * here[0];
                for (uint32_t ofGroup = 1; reached > 0 && ofGroup <= number; ++ofGroup)
                {
                    chance += chances[reached - 1][number - ofGroup] * here[ofGroup];
                }
                chances[reached][number] = chance;
            }
        }
    }
    double sum = 0;
    for (const std::vector<double>& byNumber : chances)
    {
        sum += byNumber.back();
    }
    return sum;
}

} // namespace

std::vector<uint32_t>
EstimateCopies(const LoadShape& shape,
               const std::vector<uint32_t>& counts,
               const std::vector<double>& inclusion,
               const std::vector<uint32_t>& setOf,
               uint32_t sets)
{
    const std::vector<double> anyOf = FindSetInclusion(shape, inclusion, setOf, sets);
    const std::vector<double> limited = LimitInclusion(shape, inclusion);
    std::vector<double> together(sets, 0);
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        together[setOf[expert]] += limited[expert];
    }
    std::vector<uint32_t> copies;
    copies.reserve(std::size_t{shape.sources} * sets);
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        std::vector<uint64_t> pairs(sets, 0);
        std::vector<uint32_t> most(sets, 0);
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            const uint32_t count = counts[std::size_t{source} * shape.experts + expert];
            pairs[setOf[expert]] += count;
            most[setOf[expert]] = std::max(most[setOf[expert]], count);
        }
        for (uint32_t set = 0; set < sets; ++set)
        {
            // As many copies of a pair as in the mean, and no less than one expert alone needs.
            const double ratio = together[set] > 0 ? anyOf[set] / together[set] : 1;
            const auto mean =
                static_cast<uint64_t>(std::llround(static_cast<double>(pairs[set]) * ratio));
            const uint64_t limit = std::min<uint64_t>(pairs[set], shape.tokens);
            copies.push_back(
                static_cast<uint32_t>(std::min(std::max<uint64_t>(mean, most[set]), limit)));
        }
    }
    return copies;
}

std::vector<double>
FindSetInclusion(const LoadShape& shape,
                 const std::vector<double>& inclusion,
                 const std::vector<uint32_t>& setOf,
                 uint32_t sets)
{
    std::vector<double> anyOf(sets, 0);
    if (shape.topK == 1)
    {
        // A token has one expert, which is in one set and in one group.
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            if (setOf[expert] < sets)
            {
                anyOf[setOf[expert]] += inclusion[expert];
            }
        }
        return anyOf;
    }
    // That none of a set is among topK is that of topK outside of it and none inside, over that of
    // topK.
    const double all = FindChance(shape, inclusion, setOf, kNoSet);
    for (uint32_t set = 0; set < sets; ++set)
    {
        const double none = all > 0 ? FindChance(shape, inclusion, setOf, set) / all : 0;
        anyOf[set] = std::clamp(1 - none, 0.0, 1.0);
    }
    return anyOf;
}

std::vector<double>
LimitInclusion(const LoadShape& shape, const std::vector<double>& inclusion)
{
    if (shape.groups == 1)
    {
        return inclusion;
    }
    std::vector<uint32_t> itself(shape.experts);
    std::iota(itself.begin(), itself.end(), 0);
    return FindSetInclusion(shape, inclusion, itself, shape.experts);
}

std::vector<double>
FindInclusion(const std::vector<double>& shares, uint32_t topK)
{
    std::vector<double> inclusion(shares.size(), 1);
    if (topK >= shares.size())
    {
        return inclusion;
    }
    if (topK == 1)
    {
        return shares;
    }
    double low = 0;
    double high = 1;
    const auto fill = [&](double factor) {
        double sum = 0;
        for (std::size_t expert = 0; expert < shares.size(); ++expert)
        {
            inclusion[expert] = -std::expm1(-factor * shares[expert]);
            sum += inclusion[expert];
        }
        return sum;
    };
    while (fill(high) < topK && high < 1e18)
    {
        high *= 2;
    }
    for (int round = 0; round < 100; ++round)
    {
        const double factor = (low + high) / 2;
        (fill(factor) < topK ? low : high) = factor;
    }
    fill(high);
    return inclusion;
}

} // namespace ns3::rails
