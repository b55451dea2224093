// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/jobs-program.h"
#include "ns3/phase-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kCluster{4, 2};

/// \return a program of two servers whose GPU 0 sends to GPU 3, and then computes
std::shared_ptr<const PhaseProgram>
MakePair(uint64_t bytes)
{
    const ClusterShape shape{2, 2};
    const auto traffic =
        std::make_shared<const TrafficMatrix>(MakeMatrix(shape, {{0, 0, 0, bytes}}));
    return std::make_shared<const PhaseProgram>(
        WorkloadSchedule{shape,
                         traffic,
                         1,
                         {{{PhaseKind::Dispatch, 0}, 0, traffic},
                          {{PhaseKind::Compute, 70}, 0, nullptr},
                          {{PhaseKind::Dispatch, 0}, 1, traffic}}});
}

JobsProgram
MakeTwo()
{
    return JobsProgram(kCluster, {{"a", MakePair(5), {3, 0}}, {"b", MakePair(7), {1, 2}, 100, 2}});
}

GraphNode
GetNode(const JobsProgram& program, uint32_t gpu, uint64_t index)
{
    GraphNode node;
    EXPECT_TRUE(program.GetNode(gpu, 0, index, node));
    return node;
}

TEST(JobsProgram, EachJobHasTheServersThatItWasGiven)
{
    const JobsProgram program = MakeTwo();
    const GraphNode first = GetNode(program, 6, 1); // GPU 0 of a
    EXPECT_EQ(first.type, GraphNode::Type::Transfer);
    const std::vector<Demand> sends = program.GetSends(6, first.step);
    ASSERT_EQ(sends.size(), 1U);
    EXPECT_EQ(sends.front().destination, 1U); // GPU 3 of a
    EXPECT_EQ(program.GetReceived(1, first.step), 5U);
    EXPECT_EQ(program.GetReceived(0, first.step), 0U);
    EXPECT_EQ(program.GetMembers(0, first.step), (std::vector<uint32_t>{0, 1}));
    EXPECT_TRUE(program.GetMembers(1, first.step).empty()) << "a server of the other job";
    const GraphNode barrier = GetNode(program, 6, 0);
    EXPECT_EQ(program.CountMembers(barrier.step), 4U);
    const TrafficMatrix total = program.GetTotal();
    EXPECT_EQ(total.GetRow(6).front().bytes, 10U);
    EXPECT_EQ(total.GetRow(2).front().destination, 5U);
    EXPECT_EQ(total.GetTotalBytes(), 24U);
}

TEST(JobsProgram, StepsAndBarriersOfDifferentJobsHaveDifferentNumbers)
{
    const JobsProgram program = MakeTwo();
    EXPECT_NE(GetNode(program, 6, 0).step, GetNode(program, 2, 1).step) << "barriers";
    EXPECT_NE(GetNode(program, 6, 1).step, GetNode(program, 2, 2).step) << "steps";
    EXPECT_EQ(GetNode(program, 6, 5).step, GetNode(program, 6, 1).step + 1) << "of one job";
}

TEST(JobsProgram, AJobBeginsAtItsStart)
{
    const JobsProgram program = MakeTwo();
    const GraphNode start = GetNode(program, 2, 0);
    EXPECT_EQ(start.type, GraphNode::Type::Compute);
    EXPECT_EQ(start.duration, 100);
    EXPECT_EQ(GetNode(program, 2, 1).type, GraphNode::Type::Barrier);
    EXPECT_EQ(program.GetComputeTime(), 170);
}

TEST(JobsProgram, KindsOfOneNameAreOneInEachJob)
{
    const JobsProgram program = MakeTwo();
    EXPECT_EQ(program.GetKinds(),
              (std::vector<std::string>{"a: dispatch",
                                        "a: compute",
                                        "b: dispatch",
                                        "b: compute",
                                        "b: start"}));
    EXPECT_EQ(GetNode(program, 6, 5).kind, GetNode(program, 6, 1).kind);
    EXPECT_EQ(program.GetKinds()[GetNode(program, 2, 0).kind], "b: start");
    EXPECT_TRUE(GetNode(program, 6, 1).isAwaited) << "the end of all messages is not that of a job";
}

TEST(JobsProgram, ServersWithoutAJobDoNothing)
{
    const JobsProgram program(kCluster, {{"a", MakePair(5), {3, 0}}});
    GraphNode node;
    EXPECT_FALSE(program.GetNode(2, 0, 0, node));
    EXPECT_THROW(JobsProgram(kCluster, {{"a", MakePair(5), {3, 0}}, {"b", MakePair(7), {0, 2}}}),
                 std::logic_error);
}

} // namespace
