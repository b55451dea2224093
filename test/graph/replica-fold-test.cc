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
    EXPECT_EQ(fold.FindComputedServer(3), 0U);
    EXPECT_EQ(fold.FindComputedServer(6), 4U);
    EXPECT_EQ(fold.Multiply(uint64_t{10}), 20U);
    EXPECT_EQ(fold.Divide(20), 10U);
}

namespace
{

/// \return four replicas of which each sends to the next one, and the first two to each other, as
/// the last two do
ReplicaFold
MakePairsInARing()
{
    ReplicaFold fold(kEightServers, kFourReplicas);
    const std::vector<uint32_t> partners{1, 0, 3, 2};
    for (uint32_t replica = 1; replica < 4; ++replica)
    {
        EXPECT_TRUE(fold.AddCrossing(0, 1, replica, (replica + 1) % 4));
        EXPECT_TRUE(fold.AddCrossing(5, 1, replica, partners[replica]));
    }
    return fold;
}

} // namespace

TEST(ReplicaFold, KnowsWhereEachReplicaSendsWhatTheFirstSendsToOne)
{
    const ReplicaFold fold = MakePairsInARing();
    EXPECT_TRUE(fold.IsEven());
    EXPECT_EQ(fold.FindCrossing(0, 0, 8), 0U) << "within the replica";
    const uint32_t ring = fold.FindCrossing(0, 0, 2);
    const uint32_t pairs = fold.FindCrossing(5, 0, 2);
    EXPECT_NE(ring, pairs) << "of another channel";
    EXPECT_EQ(fold.FindCrossing(0, 2, 4), ring) << "from the second that is run, to the third";
    EXPECT_EQ(fold.FindCrossing(5, 2, 0), pairs);
    EXPECT_EQ(fold.GetTarget(ring, 3), 0U);
    EXPECT_EQ(fold.GetTarget(pairs, 3), 2U);
    EXPECT_EQ(fold.GetTarget(0, 3), 3U);
}

TEST(ReplicaFold, AWayLeadsToOneReplicaAndToEachOnce)
{
    ReplicaFold twice(kEightServers, kFourReplicas);
    EXPECT_TRUE(twice.AddCrossing(0, 1, 2, 3));
    EXPECT_TRUE(twice.AddCrossing(0, 1, 2, 3)) << "it is known";
    EXPECT_FALSE(twice.AddCrossing(0, 1, 2, 0)) << "it led to the last one";
    EXPECT_TRUE(twice.AddCrossing(0, 1, 1, 2));
    EXPECT_FALSE(twice.IsEven()) << "nothing is known of the last one";
    EXPECT_TRUE(twice.AddCrossing(0, 1, 3, 2));
    EXPECT_FALSE(twice.IsEven()) << "nobody sends to the first one";

    ReplicaFold both(kEightServers, kFourReplicas);
    for (uint32_t replica = 1; replica < 4; ++replica)
    {
        EXPECT_TRUE(both.AddCrossing(0, 1, replica, (replica + 1) % 4));
    }
    EXPECT_TRUE(both.IsEven());
    EXPECT_FALSE(both.AddCrossing(0, 2, 1, 2)) << "it sends there by the first way already";
}

TEST(ReplicaFold, GpusGetWhatTheFirstReplicaSendsThem)
{
    ReplicaFold fold(kEightServers, kFourReplicas);
    EXPECT_TRUE(fold.AddArrival({3, 3}, 2));
    EXPECT_TRUE(fold.AddArrival({3, 5}, 2));
    EXPECT_TRUE(fold.AddArrival({3, 3}, 1));
    EXPECT_TRUE(fold.AddArrival({9, 9}, 0)) << "in another lane";
    EXPECT_TRUE(fold.AddArrival({3, 6}, 0)) << "behind all that came from another replica";
    EXPECT_EQ(fold.FindReceiver({3, 4}, 0), 2U) << "the first sends to the second";
    EXPECT_EQ(fold.FindReceiver({3, 5}, 2), 2U);
    EXPECT_EQ(fold.FindReceiver({3, 6}, 2), 0U);
    EXPECT_EQ(fold.FindReceiver({3, 3}, 3), 1U);
    EXPECT_EQ(fold.FindReceiver({9, 9}, 2), 0U);
    EXPECT_EQ(fold.FindReceiver({4, 4}, 9), 9U) << "nothing is known of the lane";
    EXPECT_FALSE(fold.AddArrival({3, 4}, 0)) << "from its own replica, too";
}

} // namespace ns3::rails
