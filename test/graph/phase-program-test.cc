// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/compute-time.h"
#include "ns3/phase-program.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kPhaseProgramShape{2, 2};

std::shared_ptr<const TrafficMatrix>
Share(const std::vector<std::vector<uint64_t>>& rows)
{
    return std::make_shared<const TrafficMatrix>(MakeMatrix(kPhaseProgramShape, rows));
}

GraphNode
GetNode(const PhaseProgram& program, uint64_t index)
{
    GraphNode node;
    EXPECT_TRUE(program.GetNode(1, 0, index, node));
    return node;
}

TEST(PhaseProgram, PutsEveryPhaseBetweenTwoBarriersWithoutDelay)
{
    const auto traffic = Share({{0, 5, 7}});
    const PhaseProgram program(WorkloadSchedule{
        kPhaseProgramShape,
        traffic,
        1,
        {{{PhaseKind::Dispatch, 0}, 0, traffic}, {{PhaseKind::Compute, 300}, 0, nullptr}}});
    EXPECT_TRUE(program.HasPhases());
    for (const uint64_t index : {0, 2, 4})
    {
        const GraphNode barrier = GetNode(program, index);
        EXPECT_EQ(barrier.type, GraphNode::Type::Barrier);
        EXPECT_EQ(barrier.duration, 0);
        EXPECT_EQ(barrier.step, index / 2);
    }
    const GraphNode transfer = GetNode(program, 1);
    EXPECT_EQ(transfer.type, GraphNode::Type::Transfer);
    EXPECT_TRUE(transfer.transfer->GetTraits().endsWhenReceived);
    EXPECT_FALSE(transfer.transfer->GetTraits().isAwaited) << "the barrier awaits the end of all";
    EXPECT_FALSE(transfer.transfer->GetTraits().isTimed);
    const GraphNode compute = GetNode(program, 3);
    EXPECT_EQ(compute.type, GraphNode::Type::Compute);
    EXPECT_EQ(compute.duration, 300);
    GraphNode none;
    EXPECT_FALSE(program.GetNode(1, 0, 5, none));
    EXPECT_EQ(FindComputeTime(program), 300);
    EXPECT_EQ(transfer.transfer->GetReceived(2, 0), 7U);
    EXPECT_EQ(transfer.transfer->GetReceived(0, 0), 0U);
}

TEST(PhaseProgram, RegionsOfCircuitsMeetBeforeWhatGoesThere)
{
    const auto traffic = Share({{0, 5, 7}, {}, {2}});
    const auto back = std::make_shared<const TrafficMatrix>(traffic->Transpose());
    const WorkloadSchedule schedule{
        kPhaseProgramShape,
        traffic,
        1,
        {{{PhaseKind::Dispatch, 0}, 0, traffic}, {{PhaseKind::Combine, 0}, 0, back}}};
    CircuitTiming circuits;
    circuits.servers = 1;
    circuits.delay = 70;
    const PhaseProgram program(schedule, circuits);
    for (const uint64_t index : {0, 1, 3, 5})
    {
        EXPECT_EQ(GetNode(program, index).type, GraphNode::Type::Barrier) << index;
    }
    for (const uint64_t index : {2, 4})
    {
        EXPECT_EQ(GetNode(program, index).type, GraphNode::Type::Transfer) << index;
    }
    const GraphNode meeting = GetNode(program, 1);
    EXPECT_EQ(meeting.duration, 70);
    EXPECT_EQ(meeting.barrier->CountMembers(), 2U);
    EXPECT_TRUE(meeting.barrier->GetPurpose().has_value());
    const std::vector<Demand> announced = meeting.barrier->GetAnnounced(0);
    ASSERT_EQ(announced.size(), 2U);
    EXPECT_EQ(announced[1].destination, 2U);
    EXPECT_EQ(announced[1].bytes, 7U);
    GraphNode other; // of the other region
    EXPECT_TRUE(program.GetNode(2, 0, 1, other));
    EXPECT_NE(other.step, meeting.step);
    EXPECT_GT(std::min(other.step, meeting.step), 2U) << "barriers of all GPUs are 0 to 2";
    EXPECT_TRUE(GetNode(program, 2).transfer->GetTraits().isDataDependent);
    EXPECT_FALSE(GetNode(program, 4).transfer->GetTraits().isDataDependent);

    circuits.takesTurns = true;
    EXPECT_TRUE(GetNode(PhaseProgram(schedule, circuits), 4).barrier->GetPurpose().has_value());
}

TEST(PhaseProgram, NumbersTheStepsOfAllPhases)
{
    const auto first = Share({{0, 5}});
    const auto second = Share({{}, {3, 0, 0, 4}});
    ScheduledPhase chained{{PhaseKind::Dispatch, 0}, 0, first, {{first, 0}, {second, 0}}, true};
    ScheduledPhase timed{{PhaseKind::Dispatch, 0}, 0, first, {{second, 10}, {first, 30}}};
    const PhaseProgram program(WorkloadSchedule{kPhaseProgramShape, first, 1, {chained, timed}});
    EXPECT_EQ(GetNode(program, 1).step, 0U);
    const CommOp& steps = *GetNode(program, 1).transfer;
    EXPECT_EQ(steps.GetTraits().steps, 2U);
    EXPECT_TRUE(steps.GetTraits().isAwaited) << "each message lets a GPU go on";
    EXPECT_EQ(GetNode(program, 3).step, 2U);
    const CommOp& times = *GetNode(program, 3).transfer;
    EXPECT_TRUE(times.GetTraits().isTimed);
    EXPECT_EQ(times.GetStart(1), 30);
    EXPECT_EQ(times.GetSends(1, 0).size(), 2U);
    EXPECT_EQ(steps.GetMembers(kPhaseProgramShape, 0, 0), (std::vector<uint32_t>{0, 1}))
        << "all go on in steps";
    EXPECT_EQ(times.GetMembers(kPhaseProgramShape, 0, 0), (std::vector<uint32_t>{1}))
        << "those that send";
    const TrafficMatrix total = program.GetTotal();
    EXPECT_EQ(total.GetRow(0).front().bytes, 10U);
    EXPECT_EQ(total.GetRow(1).back().bytes, 8U);
}

} // namespace
