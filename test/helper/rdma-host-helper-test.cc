// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/rails-error.h"
#include "ns3/rails-message.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/rdma-host-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails
{

namespace
{

class RdmaHostHelperTest : public testing::Test
{
  protected:
    RdmaHostHelperTest()
    {
        topology.SetAttribute("Domains", UintegerValue(2));
        topology.SetAttribute("GpusPerDomain", UintegerValue(2));
        hosts.SetCongestionControl("NoneCongestionControl");
    }

    ~RdmaHostHelperTest() override
    {
        Simulator::Destroy();
    }

    /// \return when a message between two servers is there
    TimePs Send()
    {
        const Ptr<Engine> engine = hosts.Install(topology.Lay());
        Message message;
        message.source = 0;
        message.destination = 2;
        message.txRail = 0;
        message.rxRail = 0;
        message.bytes = 1'000'000;
        engine->Post(message);
        Simulator::Run();
        engine->Finish();
        Simulator::Destroy();
        return message.end;
    }

    RailTopologyHelper topology;
    RdmaHostHelper hosts;
};

TEST_F(RdmaHostHelperTest, BothEnginesMoveMessages)
{
    const TimePs shortest = 1'000'000 * 20; // at 400 Gbps
    const TimePs frames = Send();
    hosts.SetEngine("FlowEngineChoice");
    const TimePs flows = Send();
    EXPECT_GT(frames, shortest);
    EXPECT_LT(frames, shortest * 11 / 10);
    EXPECT_NEAR(static_cast<double>(flows), static_cast<double>(frames), 0.02 * shortest);
}

TEST_F(RdmaHostHelperTest, SetsWhatServersAndSwitchesWorkWith)
{
    hosts.SetTransportAttribute("Mtu", ByteSizeValue(ByteSize(1024)));
    hosts.SetNicAttribute("MessageGap", TimeValue(MicroSeconds(7)));
    hosts.SetSwitchAttribute("Buffer", ByteSizeValue(ByteSize(5'000'000)));
    hosts.SetCongestionControl("DcqcnCongestionControl", "Preset", StringValue("paper"));
    hosts.SetLossRecovery("SelectiveRepeatLossRecovery");
    hosts.SetPathSelector("SubflowPathSelector", "Count", UintegerValue(3));
    hosts.SetPortSelector("JsqPortSelector");
    const FrameSettings parts = hosts.MakeSettings().parts;
    EXPECT_EQ(parts.transport->GetMtu(), 1024U);
    EXPECT_EQ(parts.nic->GetMessageGap(), 7'000'000);
    EXPECT_EQ(parts.profile->GetBuffer(), 5'000'000U);
    EXPECT_EQ(parts.transport->GetCongestionControl()->GetInstanceTypeId().GetName(),
              "ns3::rails::DcqcnCongestionControl");
    EXPECT_EQ(parts.transport->GetLossRecovery()->GetInstanceTypeId().GetName(),
              "ns3::rails::SelectiveRepeatLossRecovery");
    EXPECT_EQ(parts.path->GetSubflows(), 3U);
    EXPECT_EQ(parts.selector->GetInstanceTypeId().GetName(), "ns3::rails::JsqPortSelector");
}

TEST_F(RdmaHostHelperTest, RefusesWhatAnEngineCannotDo)
{
    hosts.SetEngine("FlowEngineChoice");
    hosts.SetCongestionControl("DcqcnCongestionControl");
    try
    {
        hosts.Install(topology.Lay());
        FAIL() << "flows have no marks";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "transport.congestion_control");
    }
    hosts.SetEngine("FlowEngineChoice", "AssumeIdeal", BooleanValue(true));
    EXPECT_TRUE(hosts.Install(topology.Lay()));
}

TEST_F(RdmaHostHelperTest, ServersAreNodesWhoseDevicesAreNics)
{
    const Ptr<FrameEngine> cluster = DynamicCast<FrameEngine>(hosts.Install(topology.Lay()));
    ASSERT_TRUE(cluster);
    const NodeContainer servers = RdmaHostHelper::GetServers(*cluster);
    ASSERT_EQ(servers.GetN(), 2U);
    EXPECT_EQ(servers.Get(1)->GetNDevices(), 2U);
}

} // namespace

} // namespace ns3::rails
