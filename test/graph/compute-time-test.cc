// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"
#include "../support/cluster-speeds.h"

#include "ns3/compute-time.h"
#include "ns3/stage-program.h"
#include "ns3/transfer-bound.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

constexpr TimePs kNs = 1'000;

TEST(PathTime, AddsWhatEachTransferTakesToWhatIsComputed)
{
    const ClusterShape shape{3, 1};
    const TransferBound transfers(shape, test::MakeSpeeds(1));
    Stage compute;
    compute.name = "compute";
    compute.duration = 5'000 * kNs;
    Stage send; // GPU 0 to 1, then 1 to 2
    send.name = "send";
    send.type = GraphNode::Type::Transfer;
    send.stream = "communication";
    send.after = {0};
    send.steps = {std::make_shared<const TrafficMatrix>(MakeMatrix(shape, {{0, 50'000}})),
                  std::make_shared<const TrafficMatrix>(MakeMatrix(shape, {{}, {0, 0, 70'000}}))};
    const StageProgram program(shape, {compute, send}, 2);
    const TimePs path = 5'000 * kNs + transfers.GetMessageTime(0, 1, 50'000) +
                        transfers.GetMessageTime(1, 2, 70'000);
    // GPU 2 computes while the first iteration of the others is under way, and is behind alone.
    EXPECT_GE(FindPathTime(program, transfers), path + 5'000 * kNs);
    EXPECT_LE(FindPathTime(program, transfers), 2 * path);
    EXPECT_EQ(FindPathTime(StageProgram(shape, {compute, send}, 1), transfers), path);
    EXPECT_EQ(FindComputeTime(program), 10'000 * kNs);
}

} // namespace
