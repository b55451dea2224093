// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/circulant-offsets.h"

#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Offsets = std::vector<uint32_t>;

/// \return how many NICs of a server offsets take
uint32_t
CountNics(uint32_t servers, const Offsets& offsets)
{
    uint32_t nics = 0;
    for (const uint32_t offset : offsets)
    {
        nics += 2 * offset == servers ? 1 : 2;
    }
    return nics;
}

TEST(CirculantOffsets, TakeAllNicsAndNoPairOfServersTwice)
{
    for (uint32_t servers = 2; servers <= 20; ++servers)
    {
        for (uint32_t nics = 0; nics + 1 < servers; ++nics)
        {
            if (servers % 2 == 1 && nics % 2 == 1)
            {
                continue;
            }
            const Offsets offsets = FindCirculantOffsets(servers, nics);
            EXPECT_EQ(CountNics(servers, offsets), nics) << servers;
            EXPECT_EQ(std::set<uint32_t>(offsets.begin(), offsets.end()).size(), offsets.size());
            for (const uint32_t offset : offsets)
            {
                EXPECT_GE(offset, 1U);
                EXPECT_LE(2 * offset, servers);
            }
        }
    }
}

TEST(CirculantOffsets, JoinAllServersOnceThereAreTwoNics)
{
    for (uint32_t servers = 4; servers <= 20; ++servers)
    {
        for (uint32_t nics = 2; nics + 1 < servers; nics += servers % 2 == 1 ? 2 : 1)
        {
            uint32_t divisor = servers;
            for (const uint32_t offset : FindCirculantOffsets(servers, nics))
            {
                divisor = std::gcd(divisor, offset);
            }
            EXPECT_EQ(divisor, 1U) << servers << " servers, " << nics << " NICs";
        }
    }
}

TEST(CirculantOffsets, BringServersCloseTogether)
{
    EXPECT_EQ(FindCirculantOffsets(2, 0), Offsets{});
    EXPECT_EQ(FindCirculantOffsets(4, 1), Offsets{2});
    EXPECT_EQ(FindCirculantOffsets(4, 2), Offsets{1});
    // Four to either side of a table of eight: all others are two circuits away, by four ways.
    EXPECT_EQ(FindCirculantOffsets(8, 4), (Offsets{3, 1}));
    // Of 13 in a circle, 1 and 5 reach all in two circuits; 1 and 2 would need three.
    const Offsets two = FindCirculantOffsets(13, 4);
    std::set<uint32_t> reached;
    for (const uint32_t one : {two[0], 13 - two[0], two[1], 13 - two[1], 13U})
    {
        for (const uint32_t other : {two[0], 13 - two[0], two[1], 13 - two[1], 13U})
        {
            reached.insert((one + other) % 13);
        }
    }
    EXPECT_EQ(reached.size(), 13U);
}

} // namespace

} // namespace ns3::rails::test
