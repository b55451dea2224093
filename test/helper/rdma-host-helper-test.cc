// SPDX-License-Identifier: GPL-2.0-only
#include "../harness/run/run-experiment-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/rails-application-helper.h"
#include "ns3/rails-error.h"
#include "ns3/rails-message.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/rdma-host-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

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

TEST_F(RdmaHostHelperTest, CapturesTheDevicesThatAreNamed)
{
    const TemporaryFolder folder;
    const std::string prefix = (folder.GetPath() / "a").string();
    Ptr<Engine> engine = hosts.Install(topology.Lay());
    NodeContainer servers = RdmaHostHelper::GetServers(*DynamicCast<FrameEngine>(engine));
    hosts.EnablePcap(prefix, servers.Get(0)->GetDevice(0));
    hosts.EnablePcap(prefix, NodeContainer(servers.Get(1)));
    std::ostringstream lines;
    hosts.EnableAscii(Create<OutputStreamWrapper>(&lines), servers.Get(0)->GetDevice(0));
    hosts.EnableAscii(prefix, servers.Get(0)->GetDevice(0));
    Message message;
    message.source = 0;
    message.destination = 2;
    message.txRail = 0;
    message.rxRail = 0;
    message.bytes = 10'000;
    engine->Post(message);
    Simulator::Run();
    engine->Finish();
    const std::string first = "a-" + std::to_string(servers.Get(0)->GetId());
    const std::string second = "a-" + std::to_string(servers.Get(1)->GetId());
    servers = NodeContainer();
    engine = nullptr;
    Simulator::Destroy(); // closes the files

    const auto sizeOf = [&](const std::string& name) {
        return std::filesystem::file_size(folder.GetPath() / name);
    };
    EXPECT_GT(sizeOf(first + "-0.pcap"), 10'000U);
    EXPECT_GT(sizeOf(second + "-0.pcap"), 10'000U);
    EXPECT_EQ(sizeOf(second + "-1.pcap"), 24U) << "a header alone: rail 1 was not used";
    EXPECT_FALSE(std::filesystem::exists(folder.GetPath() / (first + "-1.pcap")));
    EXPECT_GT(sizeOf(first + "-0.tr"), 300U);
    const std::string text = lines.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << "3 data frames, 3 ACKs\n" << text;
    EXPECT_EQ(text.substr(0, 18), "- 0.000000000000 /") << text;
}

TEST_F(RdmaHostHelperTest, NamesTheAttributeThatIsWrong)
{
    const auto getError = [](const auto& function) -> std::string {
        try
        {
            function();
        }
        catch (const ConfigurationError& error)
        {
            return error.what();
        }
        return "";
    };
    std::string error = getError([&] { topology.SetAttribute("Spine", UintegerValue(2)); });
    EXPECT_EQ(error.find("class 'RailTopology' has no attribute 'Spine'; did you mean 'Spines'?"),
              0U)
        << error;
    error = getError([&] { topology.SetAttribute("Domains", UintegerValue(0)); });
    EXPECT_NE(error.find("attribute 'Domains' of class 'RailTopology' does not take this value"),
              std::string::npos)
        << error;
    error = getError([&] { hosts.SetNicAttribute("Gap", StringValue("1us")); });
    EXPECT_EQ(error.find("class 'NicProfile' has no attribute 'Gap'"), 0U) << error;
    RailsApplicationHelper application("RailsBalancer");
    error = getError(
        [&] { application.SetFailureAttribute("Convergence", TimeValue(MicroSeconds(-5))); });
    EXPECT_NE(error.find("attribute 'Convergence' of class 'FailurePlan'"), std::string::npos)
        << error;
}

} // namespace

} // namespace ns3::rails
