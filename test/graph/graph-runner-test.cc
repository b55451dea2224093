// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"
#include "../collective/exchange/exchange-fixtures.h"

#include "ns3/graph-runner.h"
#include "ns3/simulator.h"
#include "ns3/stage-program.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
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

/// Stages whose transfers take a part of what a GPU computes with.
class SharingProgram : public StageProgram
{
  public:
    SharingProgram(std::vector<Stage> stages, uint32_t taken)
        : StageProgram(kGraphRunnerShape, std::move(stages), 1),
          m_taken(taken)
    {
    }

    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override
    {
        const bool is = StageProgram::GetNode(gpu, stream, index, node);
        if (is && node.type == GraphNode::Type::Transfer)
        {
            node.share = {m_taken, 4};
        }
        return is;
    }

  private:
    uint32_t m_taken;
};

Stage
ComputeFor(const std::string& name, TimePs duration)
{
    Stage stage;
    stage.name = name;
    stage.duration = duration;
    return stage;
}

Stage
SendBeside(const std::string& name)
{
    Stage stage = Send(name);
    stage.stream = name;
    return stage;
}

struct SharedRun
{
    std::map<std::pair<uint32_t, uint32_t>, std::vector<TimePs>> ends; //!< by GPU and stream
    GraphRecord record;
};

SharedRun
RunShared(const std::vector<Stage>& stages, uint32_t taken)
{
    SharedRun run;
    const auto program = std::make_shared<const SharingProgram>(stages, taken);
    const Ptr<MockService> service = CreateObject<MockService>(kGraphRunnerShape);
    GraphRunner runner(program, service, Make<Balancer>("RailSourceBalancer"));
    runner.SetEndCallback([&](uint32_t gpu, uint32_t stream, uint64_t, TimePs at) {
        run.ends[{gpu, stream}].push_back(at);
    });
    runner.Start();
    Simulator::Run();
    EXPECT_TRUE(runner.IsFinished());
    run.record = runner.GetRecord();
    Simulator::Destroy();
    return run;
}

// Stream 0 computes, 1 and 2 send.
TEST(GraphRunner, ComputingIsSlowerByWhatTransfersBesideItTakeAndNoLonger)
{
    for (const TimePs duration : {TimePs{3}, TimePs{300}, TimePs{50'000}, kLate})
    {
        const std::vector<Stage> stages{ComputeFor("compute", duration), SendBeside("one")};
        const SharedRun alone = RunShared(stages, 0);
        const SharedRun shared = RunShared(stages, 1);
        for (uint32_t gpu = 0; gpu < kGraphRunnerShape.GetGpus(); ++gpu)
        {
            const TimePs sent = alone.ends.at({gpu, 1}).front();
            EXPECT_EQ(shared.ends.at({gpu, 1}).front(), sent);
            EXPECT_EQ(alone.ends.at({gpu, 0}).front(), duration);
            // Until it is over three quarters are done.
            const TimePs slowed = 3 * sent >= 4 * duration
                                      ? (4 * duration + 2) / 3
                                      : sent + (4 * duration - 3 * sent + 3) / 4;
            EXPECT_EQ(shared.ends.at({gpu, 0}).front(), slowed) << "GPU " << gpu;
        }
        EXPECT_EQ(shared.record.kinds[0].busy > alone.record.kinds[0].busy, true);
    }
}

TEST(GraphRunner, WhatSeveralTransfersTakeAddsUp)
{
    const TimePs duration = kLate;
    const std::vector<Stage> stages{ComputeFor("compute", duration),
                                    SendBeside("one"),
                                    SendBeside("two"),
                                    ComputeFor("next", duration)};
    const SharedRun alone = RunShared(stages, 0);
    const SharedRun shared = RunShared(stages, 1);
    for (uint32_t gpu = 0; gpu < kGraphRunnerShape.GetGpus(); ++gpu)
    {
        const TimePs one = alone.ends.at({gpu, 1}).front();
        const TimePs two = alone.ends.at({gpu, 2}).front();
        ASSERT_LT(std::max(one, two), duration);
        // A quarter of the time of each is lost, whichever is longer.
        EXPECT_NEAR(static_cast<double>(shared.ends.at({gpu, 0}).front()),
                    static_cast<double>(duration) + static_cast<double>(one + two) / 4,
                    2);
        EXPECT_EQ(shared.ends.at({gpu, 0}).back() - shared.ends.at({gpu, 0}).front(), duration)
            << "nothing is under way any more";
        EXPECT_EQ(shared.record.end,
                  std::max_element(shared.ends.begin(),
                                   shared.ends.end(),
                                   [](const auto& a, const auto& b) {
                                       return a.second.back() < b.second.back();
                                   })
                      ->second.back());
    }
    double path = 0;
    for (const KindRecord& kind : shared.record.kinds)
    {
        path += static_cast<double>(kind.critical);
    }
    EXPECT_EQ(path, static_cast<double>(shared.record.end)) << "parts of the critical path add up";
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
                           Make<Balancer>("RailSourceBalancer"));
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
