// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"
#include "../collective/exchange/exchange-fixtures.h"

#include "ns3/graph-runner.h"
#include "ns3/simulator.h"
#include "ns3/stage-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kGraphRunnerShape{2, 2};
constexpr TimePs kLate = 1'000'000;

/// Stages whose computing takes the last GPU of a server longer.
class SkewedProgram : public StageProgram
{
  public:
    using StageProgram::StageProgram;

    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override
    {
        const bool is = StageProgram::GetNode(gpu, stream, index, node);
        node.duration += is && node.type == GraphNode::Type::Compute ? gpu % 2 * kLate : 0;
        return is;
    }
};

Stage
Send(const std::string& name)
{
    Stage stage;
    stage.name = name;
    stage.type = GraphNode::Type::Transfer;
    stage.steps = {std::make_shared<const TrafficMatrix>(
        MakeMatrix(kGraphRunnerShape, {{0, 0, 100, 0}, {0, 0, 0, 200}, {300}, {0, 400}}))};
    return stage;
}

TEST(GraphRunner, PartsOfAPlanArePostedAsGpusComeWhetherOthersAreForgottenOrNot)
{
    Stage compute;
    compute.name = "compute";
    const auto program = std::make_shared<const SkewedProgram>(
        kGraphRunnerShape,
        std::vector<Stage>{compute, Send("one"), Send("two"), Send("three")},
        1);
    for (const bool forgets : {false, true})
    {
        const Ptr<MockService> service = CreateObject<MockService>(kGraphRunnerShape);
        GraphRunner runner(MakeOneExchange(program->GetTotal()),
                           program,
                           service,
                           Make<Planner>("RailSourcePlanner"));
        if (forgets)
        {
            runner.ForgetMessagesBeyond(0);
        }
        runner.Start();
        Simulator::Run();
        EXPECT_TRUE(runner.IsFinished());
        EXPECT_EQ(runner.GetMessages().GetSize(), 12U);
        EXPECT_EQ(runner.GetMessages().GetDeliveredBytes(), 3'000U);
        EXPECT_EQ(runner.GetMessages().GetAll().size() < 12U, forgets);
        // GPUs 0 and 2 have sent all of theirs when GPUs 1 and 3 begin.
        EXPECT_EQ(service->order.size(), 12U);
        EXPECT_EQ(runner.GetRecord().end, kLate + 3 * (400 + kFlight + kAckFlight));
        Simulator::Destroy();
    }
}

} // namespace
