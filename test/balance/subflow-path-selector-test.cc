// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector-fixture.h"

#include "ns3/balancer.h"
#include "ns3/graph-runner.h"

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

TEST(SubflowPathSelectorTest, LeavesTheEntropyToTheQueuePair)
{
    HostPath path(MakePrototype("Subflow"), 1, 17);
    EXPECT_EQ(path.Send(3), (std::vector<uint32_t>{17, 17, 17}));
    EXPECT_EQ(path.selector->GetSubflows(), 4U);
    EXPECT_EQ(MakePrototype("Subflow", Key{"Count", "256"})->GetSubflows(), 256U);
}

class SubflowRun : public testing::TestWithParam<const char*>
{
};

TEST_P(SubflowRun, SplitsAMessageOverItsQueuePairsEvenly)
{
    TestCluster test(2);
    test.topology->SetAttribute("LeafPorts", UintegerValue(1));
    test.topology->SetAttribute("RailSpines", UintegerValue(8));
    test.transport->SetAttribute("QpPer", StringValue(GetParam()));
    test.transport->SetAttribute(
        "LossRecovery",
        StringValue("ns3::rails::SelectiveRepeatLossRecovery[LossThreshold=32]"));
    test.path = MakePrototype("Subflow");
    test.Build();
    SprayRun run;
    EntropyListener listener(run);
    test.GetNicPort(0).TraceConnectWithoutContext(
        "Transmit",
        MakeCallback(&EntropyListener::OnTransmit, &listener));
    TrafficMatrix matrix(test.topology->GetShape());
    matrix.Add(0, 1, 1'000'003);
    GraphRunner runner(MakeOneExchange(matrix),
                       test.cluster,
                       ObjectFactory("ns3::rails::RailSourceBalancer").Create<Balancer>());
    runner.SetSubflows(test.path->GetSubflows());
    runner.Start();
    test.Run();
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(runner.GetMessages().GetDeliveredBytes(), 1'000'003U);
    ASSERT_EQ(runner.GetMessages().GetAll().size(), 4U);
    for (const Message& message : runner.GetMessages().GetAll())
    {
        EXPECT_NEAR(static_cast<double>(message.bytes), 250'000.75, 1);
        EXPECT_LT(message.end, kNever);
    }
    EXPECT_EQ(test.GetDeliveredBytes(), 1'000'003U);
    EXPECT_EQ(test.cluster->GetServers()[0]->GetNic(0).GetSendQueues().size(), 4U);
    EXPECT_EQ(run.CountEntropies(), 4U);
    uint32_t used = 0;
    for (const Ptr<Port>& port : test.GetSwitch("rail0-leaf0").GetPorts())
    {
        const bool isUplink = port->GetIdentity().portClass == "leaf_up";
        used += isUplink && port->GetCountersNow().dataFrames > 0 ? 1 : 0;
    }
    EXPECT_GE(used, 2U);
    EXPECT_LE(used, 4U);
}

INSTANTIATE_TEST_SUITE_P(QueuePairs, SubflowRun, testing::Values("nic-pair", "message"));

} // namespace
