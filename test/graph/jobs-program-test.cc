// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/compute-time.h"
#include "ns3/jobs-program.h"
#include "ns3/phase-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
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
    const std::vector<Demand> sends = first.transfer->GetSends(6, 0);
    ASSERT_EQ(sends.size(), 1U);
    EXPECT_EQ(sends.front().destination, 1U); // GPU 3 of a
    EXPECT_EQ(first.transfer->GetReceived(1, 0), 5U);
    EXPECT_EQ(first.transfer->GetReceived(0, 0), 0U);
    EXPECT_EQ(first.transfer->GetMembers(kCluster, 0, 0), (std::vector<uint32_t>{0, 1}));
    EXPECT_TRUE(first.transfer->GetMembers(kCluster, 1, 0).empty()) << "a server of the other job";
    const GraphNode barrier = GetNode(program, 6, 0);
    EXPECT_EQ(barrier.barrier->CountMembers(), 4U);
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
    EXPECT_EQ(FindComputeTime(program), 170);
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
    EXPECT_TRUE(GetNode(program, 6, 1).transfer->GetTraits().isAwaited)
        << "the end of all messages is not that of a job";
}

TEST(JobsProgram, ServersWithoutAJobDoNothing)
{
    const JobsProgram program(kCluster, {{"a", MakePair(5), {3, 0}}});
    GraphNode node;
    EXPECT_FALSE(program.GetNode(2, 0, 0, node));
    EXPECT_THROW(JobsProgram(kCluster, {{"a", MakePair(5), {3, 0}}, {"b", MakePair(7), {0, 2}}}),
                 std::logic_error);
}

/// Announces bytes for all other GPUs.
class AnnouncingBarrier : public GraphBarrier
{
  public:
    /// \param number of the barrier
    explicit AnnouncingBarrier(uint32_t number)
        : GraphBarrier(4),
          m_number(number)
    {
    }

    std::vector<Demand> GetAnnounced(uint32_t gpu) const override
    {
        std::vector<Demand> demands;
        for (uint32_t other = 0; other < 4; ++other)
        {
            if (other != gpu)
            {
                demands.push_back({other, 100 * m_number + 10 * gpu + other});
            }
        }
        return demands;
    }

  private:
    uint32_t m_number;
};

/// A program of two servers that announces at its barriers.
class AnnouncingProgram : public PhaseProgram
{
  public:
    using PhaseProgram::PhaseProgram;

    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override
    {
        const bool is = PhaseProgram::GetNode(gpu, stream, index, node);
        if (node.barrier)
        {
            node.barrier = std::make_shared<const AnnouncingBarrier>(node.step);
        }
        return is;
    }
};

/// \return the job on servers 0 and 1, whose GPUs 1 and 2 are those at the same places of server 3
JobsProgram
MakeReplaced()
{
    const ClusterShape shape{2, 2};
    const auto traffic = std::make_shared<const TrafficMatrix>(
        MakeMatrix(shape, {{0, 5, 6, 7}, {8, 0, 0, 0}, {0, 0, 0, 9}}));
    const auto program = std::make_shared<const AnnouncingProgram>(
        WorkloadSchedule{shape, traffic, 1, {{{PhaseKind::Dispatch, 0}, 0, traffic}}});
    Job job{"a", program, {0, 1}};
    job.gpus = {0, 7, 6, 3};
    return JobsProgram(kCluster, {{"first", MakePair(5), {2}, 0, 1, {2, 4, 5, 1}}, job});
}

/// \return pairs of destination and bytes
std::vector<std::pair<uint32_t, uint64_t>>
List(const std::vector<Demand>& demands)
{
    std::vector<std::pair<uint32_t, uint64_t>> list;
    for (const Demand& demand : demands)
    {
        list.emplace_back(demand.destination, demand.bytes);
    }
    return list;
}

using Demands = std::vector<std::pair<uint32_t, uint64_t>>;
using Gpus = std::vector<uint32_t>;

TEST(JobsProgram, AGpuElsewhereSendsAndReceivesInPlaceOfTheOneThatItReplaces)
{
    const JobsProgram program = MakeReplaced();
    const GraphNode node = GetNode(program, 7, 1);
    EXPECT_EQ(node.step, GetNode(program, 0, 1).step);
    EXPECT_EQ(List(node.transfer->GetSends(0, 0)), (Demands{{3, 7}, {6, 6}, {7, 5}}));
    EXPECT_EQ(List(node.transfer->GetSends(7, 0)), (Demands{{0, 8}}));
    EXPECT_EQ(List(node.transfer->GetSends(6, 0)), (Demands{{3, 9}}));
    EXPECT_EQ(node.transfer->GetReceived(0, 0), 8U);
    EXPECT_EQ(node.transfer->GetReceived(7, 0), 5U);
    EXPECT_EQ(node.transfer->GetReceived(6, 0), 6U);
    EXPECT_EQ(node.transfer->GetReceived(3, 0), 16U);
    EXPECT_EQ(program.CountStreams(7), 1U);
    const TrafficMatrix total = program.GetTotal();
    EXPECT_EQ(List(total.GetRow(0)), (Demands{{3, 7}, {6, 6}, {7, 5}}));
    EXPECT_EQ(List(total.GetRow(7)), (Demands{{0, 8}}));
    EXPECT_EQ(total.GetTotalBytes(), 2 * 5U + 35);
}

TEST(JobsProgram, MembersOfAServerAreTheGpusThatAJobHasThere)
{
    const JobsProgram program = MakeReplaced();
    const auto list = [&](uint32_t gpu, uint32_t server) {
        return GetNode(program, gpu, 1).transfer->GetMembers(kCluster, server, 0);
    };
    EXPECT_EQ(list(0, 0), Gpus{0});
    EXPECT_EQ(list(0, 1), Gpus{3});
    EXPECT_EQ(list(0, 2), Gpus{});
    EXPECT_EQ(list(0, 3), (Gpus{6, 7}));
    EXPECT_EQ(list(2, 0), Gpus{1});
    EXPECT_EQ(list(2, 1), Gpus{2});
    EXPECT_EQ(list(2, 2), (Gpus{4, 5}));
    EXPECT_EQ(list(2, 3), Gpus{});
    EXPECT_EQ(GetNode(program, 7, 0).barrier->CountMembers(), 4U);
}

TEST(JobsProgram, WhatIsAnnouncedIsForTheGpusOfTheCluster)
{
    const JobsProgram program = MakeReplaced();
    const std::shared_ptr<const GraphBarrier> barrier =
        GetNode(program, 7, 2).barrier; // the second
    EXPECT_EQ(List(barrier->GetAnnounced(7)), (Demands{{0, 110}, {3, 113}, {6, 112}}));
    EXPECT_EQ(List(barrier->GetAnnounced(3)), (Demands{{0, 130}, {6, 132}, {7, 131}}));
}

TEST(JobsProgram, AGpuThatIsReplacedDoesNothing)
{
    Job job{"a", MakePair(5), {0, 1}};
    job.gpus = {0, 7, 2, 3};
    const JobsProgram program(kCluster, {job});
    GraphNode node;
    EXPECT_FALSE(program.GetNode(1, 0, 0, node));
    EXPECT_EQ(program.CountStreams(1), 0U);
    EXPECT_FALSE(program.GetNode(6, 0, 0, node)) << "the others of the spare server";
    EXPECT_TRUE(program.GetNode(7, 0, 0, node));
    EXPECT_THROW(JobsProgram(kCluster, {job, {"b", MakePair(5), {2, 3}}}), std::logic_error)
        << "the spare server is in use";
}

} // namespace
