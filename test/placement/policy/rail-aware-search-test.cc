// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rail-aware-search.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// GPUs with one expert each, of which a token takes 1 s, a copy over NVLink 10 s, over a NIC 100
/// s.
ExpertSetting
MakeRailAwareSearchSetting(uint32_t gpus, uint32_t gpusPerServer)
{
    ExpertSetting setting;
    setting.cluster.gpus = gpus;
    setting.cluster.gpusPerServer = gpusPerServer;
    setting.cluster.nicsPerServer = gpusPerServer;
    setting.cluster.flops = 1;
    setting.cluster.nvlinkRate = 10;
    setting.cluster.nicRate = 1;
    setting.expertParallel = gpus;
    setting.experts = gpus;
    setting.tokenFlops = 1;
    setting.weightBytes = 100;
    return setting;
}

/// All GPUs have as many tokens for an expert. \param tokens of a GPU by expert
TokenCounts
MakeCounts(const ExpertSetting& setting, const std::vector<uint32_t>& tokens)
{
    TokenCounts counts(setting.cluster.gpus, setting.experts);
    for (uint32_t source = 0; source < setting.cluster.gpus; ++source)
    {
        for (uint32_t expert = 0; expert < setting.experts; ++expert)
        {
            counts.Set(source, expert, tokens[expert]);
        }
    }
    return counts;
}

RailAwareTrial
Search(const ExpertSetting& setting, const TokenCounts& counts, uint32_t slots = 2)
{
    const ExpertDivision division(setting, counts);
    return RailAwareSearch(division, counts, slots, 1).Search(100);
}

TEST(RailAwareSearch, PricesAreTimesOnTheLinksOfTheCluster)
{
    const CopyPrices prices = CopyPrices::From(MakeRailAwareSearchSetting(4, 2));
    EXPECT_DOUBLE_EQ(prices.token, 1);
    EXPECT_DOUBLE_EQ(prices.inside, 10);
    EXPECT_DOUBLE_EQ(prices.across, 100);
}

TEST(RailAwareSearch, CopiesStayInTheirServerWhereItHasRoom)
{
    // 0 has 160 tokens more than 1, its neighbour, and 2 and 3 in the other server are as idle.
    const ExpertSetting setting = MakeRailAwareSearchSetting(4, 2);
    const RailAwareTrial found = Search(setting, MakeCounts(setting, {50, 10, 10, 10}));
    ASSERT_EQ(found.gifts.size(), 1U);
    EXPECT_EQ(found.gifts[0].expert, 0U);
    EXPECT_EQ(found.gifts[0].gpu, 1U);
    EXPECT_NEAR(static_cast<double>(found.largest), 120, 1); // 200 and 40 meet
    EXPECT_DOUBLE_EQ(found.seconds, static_cast<double>(found.largest) + 10);
}

TEST(RailAwareSearch, CopiesLeaveTheirServerOnlyForMoreThanTheNicTakes)
{
    const ExpertSetting setting = MakeRailAwareSearchSetting(2, 1);
    // Half of what is too much is 80 and 100 tokens: the NIC takes 100 s.
    EXPECT_TRUE(Search(setting, MakeCounts(setting, {90, 10})).gifts.empty());
    const RailAwareTrial found = Search(setting, MakeCounts(setting, {300, 10}));
    ASSERT_EQ(found.gifts.size(), 1U);
    EXPECT_GE(found.gifts[0].tokens, 100U);
    EXPECT_LT(found.seconds, 600);
}

TEST(RailAwareSearch, CopiesThatLeaveOneHomeAreSpreadOverRails)
{
    // The server of GPU 0 is full; all others have room.
    const ExpertSetting setting = MakeRailAwareSearchSetting(16, 4);
    std::vector<uint32_t> tokens(16, 1);
    tokens[0] = 2000;
    tokens[1] = tokens[2] = tokens[3] = 500;
    const RailAwareTrial found = Search(setting, MakeCounts(setting, tokens));
    std::vector<uint32_t> rails(4);
    uint32_t copies = 0;
    for (const ExpertGift& gift : found.gifts)
    {
        if (gift.expert == 0 && gift.gpu >= 4)
        {
            ++rails[gift.gpu % 4];
            ++copies;
        }
    }
    ASSERT_GE(copies, 4U);
    for (const uint32_t onRail : rails)
    {
        EXPECT_NEAR(onRail, copies / 4.0, 1);
    }
}

TEST(RailAwareSearch, OfServersTheOneThatHasTheTokensGetsTheCopy)
{
    const ExpertSetting setting = MakeRailAwareSearchSetting(3, 1);
    TokenCounts counts(3, 3);
    counts.Set(2, 0, 1000); // all that go to expert 0 are on GPU 2
    const RailAwareTrial found = Search(setting, counts);
    ASSERT_FALSE(found.gifts.empty());
    EXPECT_EQ(found.gifts[0].gpu, 2U);
}

TEST(RailAwareSearch, SlotsAreKept)
{
    const ExpertSetting setting = MakeRailAwareSearchSetting(4, 4);
    const TokenCounts counts = MakeCounts(setting, {300, 260, 0, 0});
    EXPECT_GT(Search(setting, counts, 2).gifts.size(), 2U);
    const RailAwareTrial found = Search(setting, counts, 1);
    ASSERT_EQ(found.gifts.size(), 2U);
    EXPECT_NE(found.gifts[0].gpu, found.gifts[1].gpu);
}

TEST(RailAwareSearch, NeverCostsMoreThanNoCopiesAndBalancesExactlyWhereTheyAreFree)
{
    std::mt19937 bits(7);
    std::lognormal_distribution<double> loads(3, 1.5);
    for (int round = 0; round < 200; ++round)
    {
        ExpertSetting setting = MakeRailAwareSearchSetting(8, round % 2 == 0 ? 8 : 2);
        setting.experts = 16;
        TokenCounts counts(8, 16);
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (uint32_t expert = 0; expert < 16; ++expert)
            {
                counts.Set(source, expert, static_cast<uint32_t>(loads(bits)));
            }
        }
        const ExpertDivision division(setting, counts);
        const RailAwareSearch search(division, counts, 2, 1);
        const uint64_t high =
            *std::max_element(division.GetLoads().begin(), division.GetLoads().end());
        const RailAwareTrial none = search.Try(high);
        EXPECT_TRUE(none.gifts.empty());
        EXPECT_LE(search.Search(24).seconds, none.seconds);

        setting.weightBytes = 0;
        const ExpertDivision free(setting, counts);
        EXPECT_EQ(RailAwareSearch(free, counts, 16, 1).Search(24).largest,
                  (counts.GetTotal() + 7) / 8);
    }
}

} // namespace

} // namespace ns3::rails::test
