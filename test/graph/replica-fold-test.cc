// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/replica-fold.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Two stages of four replicas, each a server of two GPUs.
const ClusterShape kEightServers{8, 2};
const std::vector<std::vector<uint32_t>> kFourReplicas{{0, 1, 8, 9},
                                                       {2, 3, 10, 11},
                                                       {4, 5, 12, 13},
                                                       {6, 7, 14, 15}};

} // namespace

TEST(ReplicaFold, FitsWholeServersWithGpusAtTheSamePlaces)
{
    EXPECT_TRUE(ReplicaFold::Fits(kEightServers, kFourReplicas));
    EXPECT_FALSE(ReplicaFold::Fits({4, 4}, kFourReplicas)) << "two replicas share a server";
    EXPECT_FALSE(ReplicaFold::Fits({4, 2}, {{0, 1}, {2, 3, 4, 5}, {6, 7}})) << "one is larger";
    EXPECT_FALSE(ReplicaFold::Fits({4, 2}, {{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
}

TEST(ReplicaFold, SendsToTheOtherOfTheTwoWhateverGoesToAnotherReplica)
{
    const ReplicaFold fold(kEightServers, kFourReplicas);
    EXPECT_TRUE(fold.IsComputed(3));
    EXPECT_FALSE(fold.IsComputed(4));
    EXPECT_EQ(fold.Fold(0, 9), 9U) << "of the same replica";
    EXPECT_EQ(fold.Fold(0, 10), 10U);
    EXPECT_EQ(fold.Fold(0, 14), 10U) << "the last sends to the first, and the first to the last";
    EXPECT_EQ(fold.Fold(2, 12), 8U);
    EXPECT_EQ(fold.Fold(2, 10), 10U);
    EXPECT_EQ(fold.GetDistance(6, 8), 1U) << "in a circle";
    EXPECT_EQ(fold.FindComputedServer(3), 0U);
    EXPECT_EQ(fold.FindComputedServer(6), 4U);
    EXPECT_EQ(fold.Multiply(uint64_t{10}), 20U);
    EXPECT_EQ(fold.Divide(20), 10U);
}

TEST(ReplicaFold, ServersMustAlwaysSendEquallyFar)
{
    ReplicaFold fold(kEightServers, kFourReplicas);
    EXPECT_TRUE(fold.AddPair(0, 3));
    EXPECT_TRUE(fold.AddPair(0, 1)) << "within the replica";
    EXPECT_TRUE(fold.AddPair(1, 2)) << "another GPU as far on";
    EXPECT_TRUE(fold.AddPair(0, 14)) << "to another server of a replica that is further on";
    EXPECT_FALSE(fold.AddPair(0, 4));
    EXPECT_EQ(fold.GetRealDistance(0, fold.Fold(0, 3)), 1U);
    EXPECT_EQ(fold.GetRealDistance(0, fold.Fold(0, 14)), 3U);
    EXPECT_EQ(fold.GetRealDistance(0, 1), 0U);
}

TEST(ReplicaFold, GpusGetWhatTheFirstReplicaSendsThem)
{
    ReplicaFold fold(kEightServers, kFourReplicas);
    EXPECT_TRUE(fold.AddArrival({3, 3}, 1, 2));
    EXPECT_TRUE(fold.AddArrival({3, 5}, 1, 2));
    EXPECT_TRUE(fold.AddArrival({3, 3}, 0, 1));
    EXPECT_TRUE(fold.AddArrival({9, 9}, 1, 0)) << "in another lane";
    EXPECT_TRUE(fold.AddArrival({3, 6}, 1, 0)) << "behind all that came from another replica";
    EXPECT_EQ(fold.FindReceiver({3, 4}, 0), 2U) << "the first sends to the second";
    EXPECT_EQ(fold.FindReceiver({3, 5}, 2), 2U);
    EXPECT_EQ(fold.FindReceiver({3, 6}, 2), 0U);
    EXPECT_EQ(fold.FindReceiver({3, 3}, 3), 1U);
    EXPECT_EQ(fold.FindReceiver({9, 9}, 2), 0U);
    EXPECT_EQ(fold.FindReceiver({4, 4}, 9), 9U) << "nothing is known of the lane";
    EXPECT_FALSE(fold.AddArrival({3, 4}, 1, 0)) << "from its own replica, too";
}

} // namespace ns3::rails
