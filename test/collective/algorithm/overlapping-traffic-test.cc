// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/overlapping-traffic.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Operation = CollectiveOperation;
using Buffers = OverlappingTraffic::Buffers;
/// Bytes by sender and receiver.
using Bytes = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

const ClusterShape kShape{2, 4};

OverlappingTraffic
Make(const Buffers& buffers,
     const CollectiveChoice& asked,
     Operation operation = Operation::ReduceScatter)
{
    CollectiveChooser chooser;
    return {{kShape, {}, asked}, operation, buffers, chooser};
}

/// \return what is sent in a step; what is received must agree
Bytes
Send(const OverlappingTraffic& traffic, uint32_t step)
{
    Bytes bytes;
    std::map<uint32_t, uint64_t> got;
    for (uint32_t gpu = 0; gpu < kShape.GetGpus(); ++gpu)
    {
        for (const Demand& demand : traffic.GetSends(gpu, step))
        {
            EXPECT_TRUE(bytes.insert({{gpu, demand.destination}, demand.bytes}).second);
            got[demand.destination] += demand.bytes;
        }
    }
    for (uint32_t gpu = 0; gpu < kShape.GetGpus(); ++gpu)
    {
        EXPECT_EQ(traffic.GetReceived(gpu, step), got[gpu]) << gpu;
    }
    return bytes;
}

Bytes
SendAll(const OverlappingTraffic& traffic)
{
    Bytes all;
    for (uint32_t step = 0; step < traffic.CountSteps(); ++step)
    {
        for (const auto& [pair, bytes] : Send(traffic, step))
        {
            all[pair] += bytes;
        }
    }
    return all;
}

std::set<std::string>
ListWays(const OverlappingTraffic& traffic)
{
    std::set<std::string> ways;
    for (const CollectiveRecord& record : traffic.Describe(3))
    {
        EXPECT_EQ(record.kind, 3U);
        ways.insert(record.algorithm + " " + std::to_string(record.rings));
    }
    return ways;
}

TEST(OverlappingTraffic, GroupsThatShareNoGpuAreOnTheSameLane)
{
    const OverlappingTraffic traffic =
        Make({{{0, 1}, 100}, {{2, 3}, 100}, {{4, 5, 6}, 300}}, {ALGORITHM_RING, 1});
    EXPECT_EQ(traffic.CountLanes(), 1U);
    EXPECT_EQ(traffic.CountSteps(), 2U);
    EXPECT_EQ(Send(traffic, 0),
              (Bytes{{{0, 1}, 50},
                     {{1, 0}, 50},
                     {{2, 3}, 50},
                     {{3, 2}, 50},
                     {{4, 5}, 100},
                     {{5, 6}, 100},
                     {{6, 4}, 100}}));
    EXPECT_EQ(Send(traffic, 1), (Bytes{{{4, 5}, 100}, {{5, 6}, 100}, {{6, 4}, 100}}));
    EXPECT_EQ(traffic.GetRail(0, 0).rail, kNoRail);
}

TEST(OverlappingTraffic, GroupsThatShareAGpuDoNotWaitForEachOther)
{
    // All pairs of three GPUs: a lane each.
    const OverlappingTraffic traffic =
        Make({{{0, 1}, 100}, {{0, 4}, 80}, {{1, 4}, 60}}, {ALGORITHM_RING, 1});
    EXPECT_EQ(traffic.CountLanes(), 3U);
    EXPECT_EQ(traffic.CountSteps(), 3U);
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t lane = 0; lane < 3; ++lane)
    {
        const Bytes sent = Send(traffic, lane);
        EXPECT_EQ(sent.size(), 2U);
        pairs.insert(sent.begin()->first);
    }
    EXPECT_EQ(pairs.size(), 3U);
    EXPECT_EQ(SendAll(traffic),
              (Bytes{{{0, 1}, 50},
                     {{1, 0}, 50},
                     {{0, 4}, 40},
                     {{4, 0}, 40},
                     {{1, 4}, 30},
                     {{4, 1}, 30}}));
}

TEST(OverlappingTraffic, EachGroupGoesTheWayThatItCan)
{
    // Two levels where servers have as many members, rings elsewhere, over all NICs that the
    // members of a server are near.
    const OverlappingTraffic levels = Make({{{0, 1, 4, 5}, 400}, {{2, 3, 6}, 300}, {{1, 2}, 100}},
                                           {ALGORITHM_HIERARCHICAL, kAutomaticRings});
    EXPECT_EQ(ListWays(levels), (std::set<std::string>{"hierarchical 2", "ring 1", "ring 2"}));
    const Bytes all = SendAll(levels);
    EXPECT_EQ(all.at({0, 4}), 100U); // a quarter, each way
    EXPECT_EQ(all.at({4, 0}), 100U);
    EXPECT_EQ(all.count({1, 4}), 0U);
    EXPECT_EQ(all.at({1, 2}), 50U);
    const OverlappingTraffic direct =
        Make({{{0, 1, 4, 5}, 400}}, {ALGORITHM_DIRECT, kAutomaticRings});
    EXPECT_EQ(ListWays(direct), (std::set<std::string>{"direct 1"}));
    EXPECT_EQ(direct.CountSteps(), 1U);
    EXPECT_EQ(SendAll(direct).size(), 12U);
    EXPECT_EQ(SendAll(direct).at({1, 4}), 100U);
}

TEST(OverlappingTraffic, WhatIsPinnedToARailHasLanesOfItsOwn)
{
    // Of four GPUs of each server rings leave by four NICs; a balancer decides for a single pair.
    const OverlappingTraffic traffic =
        Make({{{0, 1, 4, 5}, 800}, {{2, 6}, 100}}, {ALGORITHM_RING, kAutomaticRings});
    EXPECT_EQ(traffic.CountLanes(), 2 + 1U);
    std::map<uint32_t, std::set<bool>> pinned; // by lane
    const uint32_t steps = traffic.CountSteps() / traffic.CountLanes();
    for (uint32_t step = 0; step < traffic.CountSteps(); ++step)
    {
        for (uint32_t gpu = 0; gpu < kShape.GetGpus(); ++gpu)
        {
            if (!traffic.GetSends(gpu, step).empty())
            {
                pinned[step / steps].insert(traffic.GetRail(gpu, step).rail != kNoRail);
            }
        }
    }
    for (const auto& [lane, kinds] : pinned)
    {
        EXPECT_EQ(kinds.size(), 1U) << lane;
    }
}

TEST(OverlappingTraffic, AllIsMovedThatTheGroupsMoveByThemselves)
{
    const Buffers buffers{{{0, 1, 2}, 1001}, {{0, 4}, 77}, {{1, 2, 5, 6}, 4096}, {{3, 7}, 1}};
    for (const Operation operation :
         {Operation::ReduceScatter, Operation::AllGather, Operation::AllReduce})
    {
        const uint64_t rounds = operation == Operation::AllReduce ? 2 : 1;
        for (const CollectiveAlgorithm algorithm :
             {ALGORITHM_RING, ALGORITHM_HIERARCHICAL, ALGORITHM_DIRECT, ALGORITHM_AUTOMATIC})
        {
            uint64_t sum = 0;
            for (const auto& [pair, bytes] :
                 SendAll(Make(buffers, {algorithm, kAutomaticRings}, operation)))
            {
                sum += bytes;
            }
            EXPECT_EQ(sum, rounds * (2 * 1001 + 77 + 3 * 4096 + 1)) << GetName(algorithm);
        }
    }
}

TEST(OverlappingTraffic, NothingIsALaneWithOneEmptyStep)
{
    const OverlappingTraffic traffic = Make({}, {ALGORITHM_AUTOMATIC, kAutomaticRings});
    EXPECT_EQ(traffic.CountLanes(), 1U);
    EXPECT_EQ(traffic.CountSteps(), 1U);
    EXPECT_TRUE(SendAll(traffic).empty());
    EXPECT_TRUE(ListWays(traffic).empty());
}

} // namespace

} // namespace ns3::rails
