// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/expert-states.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Hosts = std::vector<uint32_t>;
/// Bytes by sender and receiver.
using Bytes = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

/// \return what 60 B of states do on servers of four GPUs
Bytes
Move(const Hosts& before, const Hosts& after, uint64_t bytes = 60)
{
    ClusterView cluster;
    cluster.gpusPerServer = 4;
    Bytes moved;
    for (const ExpertTransfer& transfer : MoveStates(cluster, 7, bytes, before, after))
    {
        EXPECT_EQ(transfer.expert, 7U);
        EXPECT_TRUE(moved.insert({{transfer.from, transfer.to}, transfer.bytes}).second);
    }
    return moved;
}

TEST(ExpertStates, AreDividedEvenlyOverAllHosts)
{
    using Parts = std::map<uint32_t, uint64_t>;
    EXPECT_EQ(DivideStates(60, {3}), (Parts{{3, 60}}));
    EXPECT_EQ(DivideStates(60, {5, 2, 0}), (Parts{{0, 20}, {2, 20}, {5, 20}}));
    EXPECT_EQ(DivideStates(62, {5, 2, 0}), (Parts{{0, 21}, {2, 21}, {5, 20}}));
}

TEST(ExpertStates, NewHostsGetTheirPartAndThoseBeforeKeepTheirs)
{
    EXPECT_EQ(Move({1}, {1}), Bytes());
    EXPECT_EQ(Move({1}, {2}), (Bytes{{{1, 2}, 60}}));
    EXPECT_EQ(Move({0}, {0, 1, 2, 3}), (Bytes{{{0, 1}, 15}, {{0, 2}, 15}, {{0, 3}, 15}}));
    EXPECT_EQ(Move({0, 1}, {1, 0, 2}), (Bytes{{{0, 2}, 10}, {{1, 2}, 10}}));
    EXPECT_EQ(Move({0, 1, 2}, {2, 3, 1}), (Bytes{{{0, 3}, 20}}));
}

TEST(ExpertStates, WhatAHostNoLongerHasGoesToThoseThatAreLeft)
{
    EXPECT_EQ(Move({0, 1, 2, 3}, {0}), (Bytes{{{1, 0}, 15}, {{2, 0}, 15}, {{3, 0}, 15}}));
    EXPECT_EQ(Move({0, 1, 2}, {0, 1}), (Bytes{{{2, 0}, 10}, {{2, 1}, 10}}));
}

TEST(ExpertStates, ComeFromTheSameServerFirst)
{
    EXPECT_EQ(Move({0, 4}, {0, 1, 2, 4, 5, 6}),
              (Bytes{{{0, 1}, 10}, {{0, 2}, 10}, {{4, 5}, 10}, {{4, 6}, 10}}));
    EXPECT_EQ(Move({0, 4}, {0, 4, 5}), (Bytes{{{4, 5}, 10}, {{0, 5}, 10}}));
}

TEST(ExpertStates, AreAllThereAfterwards)
{
    const std::vector<Hosts> all{{0}, {5}, {0, 5}, {1, 2, 6}, {0, 1, 2, 3}, {0, 2, 3, 4, 5, 6, 7}};
    for (const Hosts& before : all)
    {
        for (const Hosts& after : all)
        {
            std::map<uint32_t, uint64_t> has = DivideStates(101, before);
            for (const auto& [pair, bytes] : Move(before, after, 101))
            {
                EXPECT_GE(has[pair.first], bytes);
                has[pair.first] -= bytes;
                has[pair.second] += bytes;
            }
            const std::map<uint32_t, uint64_t> wanted = DivideStates(101, after);
            for (const auto& [gpu, bytes] : has)
            {
                const auto own = wanted.find(gpu);
                EXPECT_EQ(bytes, own == wanted.end() ? 0 : own->second);
            }
        }
    }
}

} // namespace

} // namespace ns3::rails
