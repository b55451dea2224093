// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/distinct-chance.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rails;

namespace
{

/// \return the same by all orders in which members can be drawn
double
Enumerate(std::vector<double> shares, uint32_t count, uint32_t first, uint32_t end)
{
    double left = 0;
    for (const double share : shares)
    {
        left += share;
    }
    double chance = count == 0 ? 1 : 0;
    for (uint32_t member = 0; count > 0 && member < shares.size(); ++member)
    {
        if ((member < first || member >= end) && shares[member] > 0)
        {
            std::vector<double> others = shares;
            others[member] = 0;
            chance += shares[member] / left * Enumerate(others, count - 1, first, end);
        }
    }
    return chance;
}

TEST(DistinctChance, IsThatOfAllOrdersOfDraws)
{
    const std::vector<std::vector<double>> populations{
        {0.2, 0.2, 0.2, 0.2, 0.2},
        {0.5, 0.3, 0, 0.15, 0.05},
        {0.01, 0.01, 0.9, 0.04, 0.04},
        {1e-6, 0.4, 1e-3, 0.3, 0.298999},
    };
    for (const std::vector<double>& shares : populations)
    {
        for (uint32_t count = 1; count <= 4; ++count)
        {
            for (uint32_t first = 0; first < shares.size(); ++first)
            {
                for (uint32_t end = first + 1; end <= shares.size(); ++end)
                {
                    EXPECT_NEAR(FindMissChance(shares, count, first, end),
                                Enumerate(shares, count, first, end),
                                1e-9)
                        << count << " of " << shares.front() << "...: " << first << " to " << end;
                }
            }
        }
    }
}

TEST(DistinctChance, OfManyEqualSharesIsHypergeometricAlsoWhenOneDiffersALittle)
{
    std::vector<double> shares(256, 1.0 / 256);
    const double equal = FindMissChance(shares, 8, 32, 64);
    double product = 1;
    for (uint32_t drawn = 0; drawn < 8; ++drawn)
    {
        product *= (224.0 - drawn) / (256.0 - drawn);
    }
    EXPECT_NEAR(equal, product, 1e-12);
    shares.front() *= 1 + 1e-9;
    EXPECT_NEAR(FindMissChance(shares, 8, 32, 64), equal, 1e-9);
}

} // namespace
