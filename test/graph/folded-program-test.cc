// SPDX-License-Identifier: GPL-2.0-only
#include "../support/cluster-speeds.h"
#include "replica-fixtures.h"

#include "ns3/compute-time.h"
#include "ns3/folded-program.h"
#include "ns3/replica-search.h"
#include "ns3/transfer-bound.h"

#include <gtest/gtest.h>
#include <memory>
#include <optional>

namespace ns3::rails
{

namespace
{

using test::ReplicaProgram;

std::shared_ptr<const FoldedProgram>
Fold(uint32_t replicas)
{
    const auto program = std::make_shared<const ReplicaProgram>(replicas);
    const auto fold = std::make_shared<ReplicaFold>(program->GetShape(), program->GetReplicas());
    EXPECT_EQ(FindDifference(*program, *fold), std::nullopt);
    return std::make_shared<const FoldedProgram>(program, fold);
}

} // namespace

TEST(FoldedProgram, TwoReplicasSendToEachOtherAndOthersHaveNothingToDo)
{
    const auto program = Fold(5);
    GraphNode node;
    ASSERT_TRUE(program->GetNode(2, 1, 1, node));
    const std::vector<Demand> sends = node.transfer->GetSends(2, 0);
    ASSERT_EQ(sends.size(), 1U);
    EXPECT_EQ(sends.front().destination, 4U);
    EXPECT_EQ(program->FindReceiver(2, 4), 0U) << "in place of 4";
    EXPECT_EQ(sends.front().bytes, ReplicaProgram::kAcross);
    EXPECT_EQ(node.transfer->GetReceived(0, 0), ReplicaProgram::kAcross);
    EXPECT_TRUE(node.transfer->TakesPart(3, 0));
    EXPECT_FALSE(node.transfer->TakesPart(4, 0));
    EXPECT_FALSE(program->GetNode(4, 0, 0, node));
    EXPECT_EQ(program->CountStreams(4), 0U);
    EXPECT_EQ(program->CountNodes(4, 0), 0U);
    EXPECT_EQ(program->CountNodes(3, 0), 2U);
}

TEST(FoldedProgram, MovesAndTakesWhatAllReplicasDo)
{
    for (const uint32_t replicas : {3, 4, 7})
    {
        const auto folded = Fold(replicas);
        const ReplicaProgram all(replicas);
        EXPECT_EQ(folded->GetTotal().GetTotalBytes(),
                  2 * replicas * (2 * ReplicaProgram::kInside + ReplicaProgram::kAcross));
        EXPECT_EQ(FindComputeTime(*folded), 2 * ReplicaProgram::kCompute);
        const TransferBound bound(all.GetShape(), test::MakeSpeeds(all.GetShape().gpusPerServer));
        EXPECT_EQ(FindPathTime(*folded, bound), FindPathTime(all, bound));
    }
}

} // namespace ns3::rails
