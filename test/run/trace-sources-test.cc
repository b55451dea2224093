// SPDX-License-Identifier: GPL-2.0-only
#include "../harness/run/run-experiment-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/rails-application-helper.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-message.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>

namespace ns3::rails
{

namespace
{

/// What sinks were told, by the trace source's name.
struct Heard
{
    void Note(const std::string& path, Time now)
    {
        const std::size_t name = path.rfind('/');
        ++counts[path.substr(name + 1)];
        TimePs& last = lasts[path.substr(0, path.find('/', 10))]; // of the node
        EXPECT_GE(now.GetTimeStep(), last) << path;
        last = now.GetTimeStep();
    }

    void OnFrame(std::string path, Time now, const Frame& frame)
    {
        Note(path, now);
        EXPECT_GT(frame.bytes, 0) << path;
    }

    void OnQueuePairFrame(std::string path, Time now, uint32_t queuePair, const Frame& frame)
    {
        Note(path, now);
        EXPECT_LT(queuePair, 100) << path;
        EXPECT_EQ(frame.kind, FrameKind::Data) << path;
    }

    void OnQueue(std::string path, Time now, uint64_t before, uint64_t after)
    {
        Note(path, now);
        EXPECT_NE(before, after) << path;
    }

    void OnPaused(std::string path, Time now, uint8_t trafficClass, bool /* paused */)
    {
        Note(path, now);
        EXPECT_EQ(trafficClass, kDataClass);
    }

    void OnWaits(std::string path, Time now)
    {
        Note(path, now);
    }

    void OnAllowance(std::string path,
                     Time now,
                     uint32_t queuePair,
                     uint64_t before,
                     uint64_t after)
    {
        Note(path, now);
        const std::string key = path + " " + std::to_string(queuePair);
        EXPECT_EQ(before, allowances[key]) << key;
        EXPECT_NE(before, after) << key;
        allowances[key] = after;
    }

    void OnAlpha(std::string path, Time now, uint32_t /* queuePair */, double before, double after)
    {
        Note(path, now);
        EXPECT_NE(before, after);
        EXPECT_LE(after, 1);
    }

    void OnBegin(std::string path, Time now, const Message& message)
    {
        Note(path, now);
        EXPECT_EQ(message.start, now.GetTimeStep());
    }

    void OnEnd(std::string path, Time now, const Message& message)
    {
        Note(path, now);
        EXPECT_EQ(message.end, now.GetTimeStep());
        bytes += message.bytes;
    }

    std::map<std::string, uint64_t> counts;
    std::map<std::string, TimePs> lasts; // of the nodes
    std::map<std::string, uint64_t> allowances;
    uint64_t bytes{0};
};

/// Seven GPUs of other servers send to one.
class TraceSources : public RunTest
{
  protected:
    TraceSources()
    {
        topology.SetAttribute("Domains", UintegerValue(8));
        topology.SetAttribute("GpusPerDomain", UintegerValue(1));
        application.SetWorkload("IncastWorkload",
                                "Senders",
                                UintegerValue(7),
                                "Bytes",
                                ByteSizeValue(ByteSize(1'000'000)));
    }

    ~TraceSources() override
    {
        Simulator::Destroy();
    }

    /// Frames are dropped rather than paused, and sent again.
    void DropFrames()
    {
        hosts.SetSwitchAttribute("Pfc", BooleanValue(false));
        hosts.SetSwitchAttribute("PortBuffer", ByteSizeValue(ByteSize(1'200'000)));
        hosts.SetLossRecovery("SelectiveRepeatLossRecovery");
    }

    /// Ports are paused.
    void PausePorts()
    {
        hosts.SetSwitchAttribute("Buffer", ByteSizeValue(ByteSize(2'000'000)));
    }

    EngineRecord RunOnce(Heard* heard)
    {
        const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
        if (heard)
        {
            Connect(*heard);
        }
        run->Run();
        EXPECT_TRUE(run->IsDone());
        const EngineRecord record = run->GetEngineRun().Describe();
        Simulator::Destroy();
        return record;
    }

    static void Connect(Heard& heard)
    {
        const std::string server = "/NodeList/*/$ns3::rails::GpuServer/";
        Config::Connect(server + "MessageBegin", MakeCallback(&Heard::OnBegin, &heard));
        Config::Connect(server + "MessageEnd", MakeCallback(&Heard::OnEnd, &heard));
        const std::string nic = server + "Nics/*/";
        Config::Connect(nic + "Waits", MakeCallback(&Heard::OnWaits, &heard));
        Config::Connect(nic + "Path", MakeCallback(&Heard::OnQueuePairFrame, &heard));
        Config::Connect(nic + "Retransmit", MakeCallback(&Heard::OnQueuePairFrame, &heard));
        Config::Connect(nic + "Rate", MakeCallback(&Heard::OnAllowance, &heard));
        Config::Connect(nic + "Window", MakeCallback(&Heard::OnAllowance, &heard));
        Config::Connect(nic + "Alpha", MakeCallback(&Heard::OnAlpha, &heard));
        const std::string nicPort = "/NodeList/*/DeviceList/*/$ns3::rails::RdmaNic/Port/";
        for (const std::string& port :
             {nicPort, std::string("/NodeList/*/$ns3::rails::Switch/Ports/*/")})
        {
            for (const std::string source : {"Transmit", "Arrive", "Mark", "Drop"})
            {
                Config::Connect(port + source, MakeCallback(&Heard::OnFrame, &heard));
            }
            Config::Connect(port + "QueueBytes", MakeCallback(&Heard::OnQueue, &heard));
            Config::Connect(port + "Paused", MakeCallback(&Heard::OnPaused, &heard));
        }
    }

    RailTopologyHelper topology;
    RdmaHostHelper hosts;
    RailsApplicationHelper application{"RailSourceBalancer"};
};

TEST_F(TraceSources, TellOfAllThatDropsCountAndChangeNothing)
{
    DropFrames();
    Heard heard;
    const EngineRecord record = RunOnce(&heard);
    const FrameCounters& counters = *record.frameCounters;
    EXPECT_EQ(heard.counts["MessageBegin"], 7U);
    EXPECT_EQ(heard.counts["MessageEnd"], 7U);
    EXPECT_EQ(heard.bytes, 7'000'000U);
    EXPECT_EQ(heard.counts["Path"], counters.frames);
    EXPECT_EQ(heard.counts["Drop"], counters.drops);
    EXPECT_EQ(heard.counts["Retransmit"], counters.retransmittedFrames);
    EXPECT_EQ(heard.counts["Mark"], counters.ecnMarks);
    EXPECT_EQ(heard.counts["Transmit"], counters.frameHops);
    EXPECT_EQ(heard.counts["Arrive"], counters.frameHops);
    for (const char* source : {"Drop", "Retransmit", "Mark", "Waits", "Rate", "Window", "Alpha"})
    {
        EXPECT_GT(heard.counts[source], 0U) << source;
    }
    EXPECT_EQ(RunOnce(nullptr).fingerprint, record.fingerprint);
}

TEST_F(TraceSources, TellOfEveryPause)
{
    PausePorts();
    Heard heard;
    const EngineRecord record = RunOnce(&heard);
    EXPECT_GT(record.frameCounters->pfcPauses, 0U);
    EXPECT_EQ(heard.counts["Paused"], 2 * record.frameCounters->pfcPauses);
    EXPECT_EQ(RunOnce(nullptr).fingerprint, record.fingerprint);
}

TEST_F(TraceSources, SinksMayLeave)
{
    Heard heard;
    const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
    Connect(heard);
    const std::string path = "/NodeList/*/$ns3::rails::GpuServer/MessageEnd";
    Config::Disconnect(path, MakeCallback(&Heard::OnEnd, &heard));
    run->Run();
    EXPECT_EQ(heard.counts["MessageBegin"], 7U);
    EXPECT_EQ(heard.counts["MessageEnd"], 0U);
}

TEST_F(TraceSources, ConfigSetReachesThePortsOfARun)
{
    hosts.SetCongestionControl("NoneCongestionControl");
    const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
    Config::Set("/NodeList/*/$ns3::rails::Switch/Ports/0/Rate", DataRateValue(DataRate("40Gbps")));
    run->Run();
    EXPECT_NEAR(static_cast<double>(run->GetTime()),
                7e6 * (4096 + 62 + 20) / 4096 * 8 / 40e9 * 1e12,
                0.05 * static_cast<double>(run->GetTime()));
}

TEST_F(TraceSources, FlowLevelTellsOfMessagesAndRates)
{
    hosts.SetEngine("FlowEngineChoice");
    hosts.SetCongestionControl("NoneCongestionControl");
    std::string fingerprints[2];
    for (const bool isHeard : {false, true})
    {
        Heard heard;
        std::map<uint32_t, double> rates;
        double most = 0;
        const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
        const Ptr<Engine> engine = run->GetEngine();
        std::function<void(Time, uint32_t, double, double)> onRate =
            [&](Time, uint32_t queue, double before, double after) {
                EXPECT_EQ(before, rates[queue]);
                rates[queue] = after;
                most = std::max(most, after);
            };
        if (isHeard)
        {
            engine->TraceConnect("MessageBegin",
                                 "/MessageBegin",
                                 MakeCallback(&Heard::OnBegin, &heard));
            engine->TraceConnect("MessageEnd", "/MessageEnd", MakeCallback(&Heard::OnEnd, &heard));
            engine->TraceConnectWithoutContext(
                "Rate",
                Callback<void, Time, uint32_t, double, double>(onRate));
        }
        run->Run();
        fingerprints[isHeard] = run->GetEngineRun().Describe().fingerprint;
        EXPECT_EQ(heard.counts["MessageBegin"], isHeard ? 7U : 0U);
        EXPECT_EQ(heard.counts["MessageEnd"], isHeard ? 7U : 0U);
        EXPECT_EQ(rates.size(), isHeard ? 7U : 0U);
        EXPECT_NEAR(most, isHeard ? 400e9 / 7 : 0, 4e9);
        for (const auto& [queue, rate] : rates)
        {
            EXPECT_EQ(rate, 0) << "queue " << queue << " ends";
        }
        Simulator::Destroy();
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

} // namespace

} // namespace ns3::rails
