// SPDX-License-Identifier: GPL-2.0-only
#include "token-copies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ns3::rails
{

std::vector<uint32_t>
EstimateCopies(const LoadShape& shape,
               const std::vector<uint32_t>& counts,
               const std::vector<double>& inclusion,
               const std::vector<uint32_t>& setOf,
               uint32_t sets)
{
    const std::vector<double> anyOf = FindSetInclusion(inclusion, shape.topK, setOf, sets);
    std::vector<double> together(sets, 0);
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        together[setOf[expert]] += inclusion[expert];
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
FindSetInclusion(const std::vector<double>& inclusion,
                 uint32_t topK,
                 const std::vector<uint32_t>& setOf,
                 uint32_t sets)
{
    // Each expert alone is chosen or not; of all choices those count that have topK experts. So
    // that of none in a set is that of topK outside of it and none inside, over that of topK.
    const auto choose = [&](uint32_t without) {
        std::vector<double> byNumber(topK + 1, 0);
        byNumber[0] = 1;
        double none = 1;
        for (std::size_t expert = 0; expert < inclusion.size(); ++expert)
        {
            const double chosen = std::min(inclusion[expert], 1.0);
            if (setOf[expert] == without)
            {
                none *= 1 - chosen;
                continue;
            }
            for (uint32_t number = topK; number > 0; --number)
            {
                byNumber[number] += chosen * (byNumber[number - 1] - byNumber[number]);
            }
            byNumber[0] *= 1 - chosen;
        }
        return none * byNumber[topK];
    };
    const double all = choose(sets);
    std::vector<double> anyOf(sets, 1);
    for (uint32_t set = 0; all > 0 && set < sets; ++set)
    {
        anyOf[set] = std::clamp(1 - choose(set) / all, 0.0, 1.0);
    }
    return anyOf;
}

std::vector<double>
FindInclusion(const std::vector<double>& shares, uint32_t topK)
{
    std::vector<double> inclusion(shares.size(), 1);
    if (topK >= shares.size())
    {
        return inclusion;
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
