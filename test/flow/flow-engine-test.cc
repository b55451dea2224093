// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/flow-engine.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/pcie-intra-topology.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kWireByte = 20;   // at 400 Gbit/s
constexpr TimePs kFrame = 83'560;  // 4096 B of payload, headers, preamble and gap
constexpr TimePs kDelay = 500'000; // of a cable
constexpr TimePs kRounding = 30;   // some divisions, each rounded to a picosecond

uint64_t
GetWire(uint64_t bytes)
{
    return FlowSettings{}.frames.GetMessageWire(bytes);
}

/// \return how long a lone message takes over so many cables of 400 Gbit/s
TimePs
GetAlone(uint64_t bytes, uint32_t cables)
{
    const auto wire = static_cast<TimePs>(GetWire(bytes));
    const auto largest = static_cast<TimePs>(GetWire(std::min<uint64_t>(bytes, 4096)));
    return cables * kDelay + (wire + (cables - 1) * largest) * kWireByte;
}

/// A cluster whose messages are flows.
struct FlowCluster
{
    explicit FlowCluster(const Ptr<Topology>& topology, const FlowSettings& settings = {})
        : wiring(topology->Lay()),
          router(std::make_shared<Router>(*wiring)),
          engine(CreateObject<FlowEngine>(wiring, router, settings))
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        engine->AssignStreams(1000);
        hooks.delivered = [this](Message& message) {
            ++delivered;
            EXPECT_LE(message.end, NowPs()) << message.id;
        };
        hooks.acknowledged = [this](Message&) { ++acknowledged; };
        for (uint32_t server = 0; server < wiring->GetShape().servers; ++server)
        {
            engine->SetClient(server, &hooks);
        }
    }

    ~FlowCluster()
    {
        engine = nullptr;
        Simulator::Destroy();
    }

    /// Posts a message by the NICs near its GPUs, unless others are given.
    Message& Post(uint32_t source,
                  uint32_t destination,
                  uint64_t bytes,
                  int txRail = -1,
                  int rxRail = -1,
                  TimePs at = 0,
                  uint64_t paceBps = 0)
    {
        const uint32_t gpus = wiring->GetShape().gpusPerServer;
        messages.emplace_back();
        Message& message = messages.back();
        message.id = static_cast<uint32_t>(messages.size() - 1);
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        message.paceBps = paceBps;
        if (source / gpus != destination / gpus)
        {
            message.txRail = static_cast<uint16_t>(txRail < 0 ? source % gpus : txRail);
            message.rxRail = static_cast<uint16_t>(rxRail < 0 ? destination % gpus : rxRail);
        }
        const auto post = [this, &message] { engine->Post(message); };
        at > NowPs() ? void(Simulator::Schedule(TimeStep(at - NowPs()), post)) : post();
        return message;
    }

    void Run()
    {
        Simulator::Run();
        engine->Finish();
    }

    void At(TimePs at, const std::function<void()>& act)
    {
        Simulator::Schedule(TimeStep(at), act);
    }

    void ExpectAllDelivered() const
    {
        EXPECT_EQ(delivered, messages.size());
        EXPECT_EQ(acknowledged, messages.size());
        uint64_t bytes = 0;
        for (const Message& message : messages)
        {
            bytes += message.bytes;
            EXPECT_GT(message.end, message.start) << message.id;
            EXPECT_GT(message.acknowledged, message.start) << message.id;
            EXPECT_LT(message.acknowledged, kNever) << message.id;
        }
        EXPECT_EQ(engine->GetDeliveredBytes(), bytes);
        for (uint32_t server = 0; server < wiring->GetShape().servers; ++server)
        {
            for (uint32_t rail = 0; rail < wiring->GetShape().nicsPerServer; ++rail)
            {
                EXPECT_EQ(engine->GetUnsentBytes(server, rail), 0U);
            }
        }
    }

    std::shared_ptr<Wiring> wiring;
    std::shared_ptr<Router> router;
    Ptr<FlowEngine> engine;
    MessageHooks hooks;
    std::deque<Message> messages;
    uint64_t delivered{0};
    uint64_t acknowledged{0};
};

Ptr<RailTopology>
MakeEngineRails(uint32_t servers, uint32_t gpus, uint64_t nvlinkBps = 3600 * kGbps)
{
    Ptr<RailTopology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("GpusPerDomain", UintegerValue(gpus));
    topology->SetAttribute("NvlinkRate", Rate(nvlinkBps));
    return topology;
}

Ptr<Topology>
MakeFabric(const std::string& name)
{
    if (name == "leaf-spine")
    {
        Ptr<Topology> topology = CreateObject<LeafSpineTopology>();
        topology->SetAttribute("Domains", UintegerValue(4));
        topology->SetAttribute("LeafPorts", UintegerValue(2));
        topology->SetAttribute("Spines", UintegerValue(2));
        return topology;
    }
    if (name == "fat-tree")
    {
        Ptr<Topology> topology = CreateObject<FatTreeTopology>();
        topology->SetAttribute("K", UintegerValue(4));
        return topology;
    }
    Ptr<Topology> topology = MakeEngineRails(4, 1);
    topology->SetAttribute("LeafPorts", UintegerValue(name == "rail" ? 4 : 2));
    topology->SetAttribute("RailSpines", UintegerValue(name == "rail" ? 0 : 2));
    return topology;
}

/// What is sent in a run that is made twice, with frames and with flows.
struct Sent
{
    uint32_t source;
    uint32_t destination;
    uint64_t bytes;
    int txRail{-1};
    int rxRail{-1};
    TimePs at{0};
    uint64_t paceBps{0};
};

/// Expects that messages end at the same time as with frames, but for `slack`.
void
ExpectAsWithFrames(const std::function<Ptr<Topology>()>& make,
                   const std::vector<Sent>& sent,
                   TimePs slack)
{
    std::vector<TimePs> completionTimes;
    std::vector<TimePs> known;
    std::vector<TimePs> begun;
    {
        TestCluster frames(make());
        frames.profile->SetAttribute("Buffer", Bytes(uint64_t{1} << 36));
        frames.Build();
        for (const Sent& one : sent)
        {
            frames.Post(one.source,
                        one.destination,
                        one.bytes,
                        one.txRail,
                        one.rxRail,
                        one.at,
                        one.paceBps);
        }
        frames.Run();
        for (const Message& message : frames.messages)
        {
            completionTimes.push_back(message.end);
            known.push_back(message.acknowledged);
            begun.push_back(message.sent);
        }
    }
    FlowCluster flows(make());
    for (const Sent& one : sent)
    {
        flows.Post(one.source,
                   one.destination,
                   one.bytes,
                   one.txRail,
                   one.rxRail,
                   one.at,
                   one.paceBps);
    }
    flows.Run();
    flows.ExpectAllDelivered();
    for (std::size_t i = 0; i < sent.size(); ++i)
    {
        EXPECT_NEAR(flows.messages[i].end, completionTimes[i], slack) << "message " << i;
        EXPECT_NEAR(flows.messages[i].acknowledged, known[i], slack) << "message " << i;
        EXPECT_NEAR(flows.messages[i].sent, begun[i], slack) << "message " << i;
    }
}

} // namespace

// Closed forms.

TEST(FlowEngineTest, ALoneMessageTakesItsTimeAndAWholeFrameACable)
{
    const std::vector<std::pair<std::string, uint32_t>> fabrics{{"rail", 2},
                                                                {"rail-spines", 4},
                                                                {"leaf-spine", 4},
                                                                {"fat-tree", 6}};
    for (const auto& [name, cables] : fabrics)
    {
        for (const uint64_t bytes : {1, 4096, 4097, 1'000'000, 2'000'001})
        {
            SCOPED_TRACE(name + ", " + std::to_string(bytes) + " B");
            const uint32_t last = MakeFabric(name)->GetShape().GetGpus() - 1;
            {
                FlowCluster cluster(MakeFabric(name));
                const Message& message = cluster.Post(0, last, bytes, 0, 0);
                cluster.Run();
                EXPECT_NEAR(message.end, GetAlone(bytes, cables), kRounding);
                EXPECT_EQ(message.sent, 0);
                cluster.ExpectAllDelivered();
            }
            ExpectAsWithFrames([fabric = name] { return MakeFabric(fabric); },
                               {{0, last, bytes, 0, 0}},
                               kRounding);
        }
    }
}

TEST(FlowEngineTest, ALoneMessageCrossesSlowerAndFasterUplinks)
{
    const auto make = [](uint64_t uplinkBps) {
        Ptr<Topology> topology = MakeFabric("leaf-spine");
        topology->SetAttribute("UplinkRate", Rate(uplinkBps));
        return topology;
    };
    for (const uint64_t gbps : {100, 400, 1600})
    {
        ExpectAsWithFrames([&] { return make(gbps * kGbps); }, {{0, 3, 1'000'000}}, kFrame);
    }
}

TEST(FlowEngineTest, ManyToOneShareTheReceiversCable)
{
    ExpectAsWithFrames([] { return MakeEngineRails(5, 1); },
                       {{1, 0, 1'000'000}, {2, 0, 1'000'000}, {3, 0, 1'000'000}},
                       3 * kFrame);
    FlowCluster cluster(MakeEngineRails(5, 1));
    for (uint32_t source = 1; source < 5; ++source)
    {
        cluster.Post(source, 0, 1'000'000);
    }
    cluster.Run();
    cluster.ExpectAllDelivered();
    const auto wire = static_cast<TimePs>(GetWire(1'000'000));
    for (const Message& message : cluster.messages)
    {
        EXPECT_NEAR(message.end, 2 * kDelay + 4 * wire * kWireByte + kFrame, kFrame);
    }
}

TEST(FlowEngineTest, ShorterOnesOfManyEndEarlierAndLeaveTheirShare)
{
    FlowCluster cluster(MakeEngineRails(4, 1));
    const Message& small = cluster.Post(1, 0, 409'600);
    const Message& large = cluster.Post(2, 0, 819'200);
    cluster.Run();
    EXPECT_NEAR(small.end, 2 * kDelay + 200 * kFrame + kFrame, kFrame);
    EXPECT_NEAR(large.end, 2 * kDelay + 300 * kFrame + kFrame, kFrame);
}

TEST(FlowEngineTest, WhatIsPacedMakesUpForItsWaitInTheNetworkLikeFramesInAQueue)
{
    // Three times 0.4 of the receiver's rate until the first has ended, then twice 0.4: with the
    // rest of before that is less than the receiver takes, so the others end as their paces say.
    constexpr uint64_t kPace = 160 * kGbps;
    const std::vector<Sent> sent{{1, 0, 400 * 4096, -1, -1, 0, kPace},
                                 {2, 0, 1200 * 4096, -1, -1, 0, kPace},
                                 {3, 0, 500 * 4096, -1, -1, 0, kPace},
                                 {3, 0, 700 * 4096, -1, -1, 0, kPace}};
    const auto make = [] { return MakeEngineRails(4, 1); };
    const auto expectEnds = [&](auto& cluster) {
        for (const Sent& one : sent)
        {
            cluster.Post(one.source, one.destination, one.bytes, -1, -1, 0, one.paceBps);
        }
        cluster.Run();
        for (const std::size_t last : {1, 3})
        {
            EXPECT_NEAR(cluster.messages[last].end, 2 * kDelay + 3000 * kFrame, 4 * kFrame);
        }
    };
    {
        FlowCluster flows(make());
        expectEnds(flows);
    }
    TestCluster frames(make());
    frames.Build();
    expectEnds(frames);
}

TEST(FlowEngineTest, WhatIsPacedMakesUpForItsWaitWithoutItsNicLikeFramesInAQueue)
{
    // A receiver is offered 1.2 of its rate until 800 frames' time, and takes 1100 in all. The
    // second message has left its NIC by 1000, beside another one that leaves nothing of that NIC.
    const std::vector<Sent> sent{{0, 1, 400 * 4096, -1, -1, 0, 200 * kGbps},
                                 {2, 1, 700 * 4096, -1, -1, 0, 280 * kGbps},
                                 {2, 0, 300 * 4096, -1, -1, 0, 120 * kGbps}};
    const auto expectEnds = [&](auto& cluster) {
        for (const Sent& one : sent)
        {
            cluster.Post(one.source, one.destination, one.bytes, -1, -1, 0, one.paceBps);
        }
        cluster.Run();
        EXPECT_NEAR(cluster.messages[1].end, 2 * kDelay + 1100 * kFrame, 4 * kFrame);
        EXPECT_NEAR(cluster.messages[2].end, 2 * kDelay + 1000 * kFrame, 4 * kFrame);
    };
    {
        FlowCluster flows(MakeEngineRails(3, 1));
        expectEnds(flows);
    }
    TestCluster frames(MakeEngineRails(3, 1));
    frames.Build();
    expectEnds(frames);
}

TEST(FlowEngineTest, WhatFollowsSomethingPacedIsSentWhenItsTurnComes)
{
    // A frame that takes the time of 500, 200 at once, and both again: stages are kept apart so.
    const auto expectEnds = [](auto& cluster) {
        for (const uint64_t frames : {1, 200, 1, 200})
        {
            const uint64_t pace = frames == 1 ? 400 * kGbps / 500 : 0;
            cluster.Post(0, 1, frames * 4096, -1, -1, 0, pace);
        }
        cluster.Run();
        EXPECT_NEAR(cluster.messages[1].end, 2 * kDelay + 700 * kFrame, 4 * kFrame);
        EXPECT_NEAR(cluster.messages[3].end, 2 * kDelay + 1400 * kFrame, 4 * kFrame);
    };
    {
        FlowCluster flows(MakeEngineRails(2, 1));
        expectEnds(flows);
    }
    TestCluster frames(MakeEngineRails(2, 1));
    frames.Build();
    expectEnds(frames);
}

TEST(FlowEngineTest, InAParkingLotEachFlowHasItsMaxMinShare)
{
    // One cable from leaf to leaf, which two flows share; one of them meets a third at its end.
    Ptr<Topology> topology = MakeEngineRails(6, 1);
    topology->SetAttribute("LeafPorts", UintegerValue(3));
    topology->SetAttribute("RailSpines", UintegerValue(1));
    FlowCluster cluster(topology);
    const Message& one = cluster.Post(0, 3, 4'096'000);
    const Message& both = cluster.Post(1, 4, 4'096'000);
    const Message& other = cluster.Post(2, 5, 4'096'000);
    const Message& third = cluster.Post(3, 4, 4'096'000);
    cluster.Run();
    // Three share the cable between the leaves; the third has what is left of its receiver.
    EXPECT_NEAR(third.end, 2 * kDelay + 1500 * kFrame + kFrame, kFrame);
    for (const Message* message : {&one, &both, &other})
    {
        EXPECT_NEAR(message->end, 4 * kDelay + 3000 * kFrame + 3 * kFrame, kFrame);
    }
}

TEST(FlowEngineTest, EveryMessageOfABacklogEndsWhereItsBytesDo)
{
    const std::vector<uint64_t> sizes{100'000, 200'000, 50'000, 1, 300'000, 4096, 4097};
    std::vector<Sent> sent;
    for (const uint64_t bytes : sizes)
    {
        sent.push_back({0, 3, bytes});
    }
    ExpectAsWithFrames([] { return MakeFabric("rail-spines"); }, sent, kRounding);
    FlowCluster cluster(MakeEngineRails(2, 1));
    for (const uint64_t bytes : sizes)
    {
        cluster.Post(0, 1, bytes);
    }
    cluster.Run();
    cluster.ExpectAllDelivered();
    TimePs wire = 0;
    for (const Message& message : cluster.messages)
    {
        wire += static_cast<TimePs>(GetWire(message.bytes));
        EXPECT_NEAR(message.end, 2 * kDelay + wire * kWireByte + kFrame, kFrame) << message.id;
    }
}

TEST(FlowEngineTest, MessagesThatComeLaterEndAsWithFrames)
{
    ExpectAsWithFrames([] { return MakeFabric("fat-tree"); },
                       {{0, 9, 100'000},
                        {0, 9, 200'000, -1, -1, 3'000'000},
                        {0, 9, 50'000, -1, -1, 100'000'000},
                        {0, 9, 1, -1, -1, 100'000'000}},
                       kRounding);
}

TEST(FlowEngineTest, NvlinkBeforeAndBehindTheCableStoresASegment)
{
    for (const uint64_t gbps : {450, 900, 3600})
    {
        for (const uint64_t bytes : {1, 4097, 16385, 1'000'000})
        {
            SCOPED_TRACE(std::to_string(gbps) + " Gbit/s, " + std::to_string(bytes));
            const auto make = [&] { return MakeEngineRails(2, 2, gbps * kGbps); };
            ExpectAsWithFrames(make, {{0, 3, bytes, 0, 0}}, kRounding);
            ExpectAsWithFrames(make, {{0, 3, bytes, 1, 1}}, kRounding);
        }
    }
}

TEST(FlowEngineTest, WhatNvlinkHoldsBackHasTheRateOfNvlink)
{
    for (const bool before : {false, true})
    {
        const int rail = before ? 1 : 0;
        TimePs end = 0;
        {
            FlowCluster cluster(MakeEngineRails(2, 2, 200 * kGbps));
            cluster.Post(0, 3, 1'638'400, rail, rail);
            cluster.Run();
            cluster.ExpectAllDelivered();
            end = cluster.messages.front().end;
        }
        const TimePs nvlink = 1'638'400 * 2 * kWireByte;
        EXPECT_NEAR(end, nvlink + 2 * kDelay + 25'000 + 5 * kFrame, kFrame);
        TestCluster frames(MakeEngineRails(2, 2, 200 * kGbps));
        frames.Build();
        frames.Post(0, 3, 1'638'400, rail, rail);
        frames.Run();
        EXPECT_NEAR(end, frames.messages.front().end, kFrame);
    }
}

TEST(FlowEngineTest, OverPcieMessagesEndAsWithFramesButForASegment)
{
    const auto make = [] {
        Ptr<Topology> topology = MakeEngineRails(2, 4);
        topology->SetAttribute("Intra", PointerValue(CreateObject<PcieIntraTopology>()));
        return topology;
    };
    constexpr TimePs kSegment = 16384 * 40;
    for (const uint64_t bytes : {1, 1'000'000})
    {
        for (const auto& [source, destination, rail] :
             {std::tuple(0, 4, 0), std::tuple(0, 7, 0), std::tuple(0, 7, 3)})
        {
            SCOPED_TRACE(std::to_string(bytes) + " B by rail " + std::to_string(rail) + " to " +
                         std::to_string(destination));
            ExpectAsWithFrames(make,
                               {{static_cast<uint32_t>(source),
                                 static_cast<uint32_t>(destination),
                                 bytes,
                                 rail,
                                 rail}},
                               kSegment);
        }
    }
}

TEST(FlowEngineTest, EightGpusOnTwoNicsShareThem)
{
    Ptr<Topology> topology = MakeEngineRails(2, 8);
    topology->SetAttribute("NicsPerDomain", UintegerValue(2));
    FlowCluster cluster(topology);
    for (uint32_t gpu = 0; gpu < 8; ++gpu)
    {
        cluster.Post(gpu, 8 + gpu, 409'600, static_cast<int>(gpu % 2), static_cast<int>(gpu % 2));
    }
    cluster.Run();
    cluster.ExpectAllDelivered();
    TimePs last = 0;
    for (const Message& message : cluster.messages)
    {
        last = std::max(last, message.end);
    }
    EXPECT_NEAR(last, 2 * kDelay + 400 * kFrame + 2 * kFrame, 2 * kFrame);
}

TEST(FlowEngineTest, InsideAServerMessagesShareNvlinkAsWithFrames)
{
    const auto make = [] { return MakeEngineRails(2, 4); };
    ExpectAsWithFrames(make, {{0, 1, 1'000'000}}, kRounding);
    ExpectAsWithFrames(make, {{0, 1, 1'000'000}, {1, 0, 500'000}}, kRounding);
    ExpectAsWithFrames(make, {{0, 1, 1'000'000}, {0, 2, 500'000}}, kFrame);
    ExpectAsWithFrames(make, {{0, 1, 1'000'000}, {2, 1, 500'000}}, kFrame);
}

TEST(FlowEngineTest, WhatStaysInAServerTakesNvlinkFromWhatLeavesIt)
{
    constexpr TimePs kSegment = 16384 * 40;
    ExpectAsWithFrames([] { return MakeEngineRails(2, 4, 600 * kGbps); },
                       {{0, 1, 2'000'000}, {0, 5, 1'000'000, 1, 1}, {0, 4, 1'000'000}},
                       kSegment);
}

// Stages inside servers.

TEST(FlowEngineTest, ANicReadsAheadOfWhatItSendsAndWaitsForWhatComesLater)
{
    constexpr TimePs kLater = 5'000'000;
    constexpr TimePs kSegment = 16384 * 16; // at 500 Gbit/s
    const auto make = [] { return MakeEngineRails(2, 4, 500 * kGbps); };
    const std::vector<Sent> sent{{0, 5, 2'000'000, 1, 1}, {0, 1, 1'000'000, -1, -1, kLater}};
    ExpectAsWithFrames(make, sent, 2 * kSegment);
    FlowCluster cluster(make());
    for (const Sent& one : sent)
    {
        cluster.Post(one.source, one.destination, one.bytes, one.txRail, one.rxRail, one.at);
    }
    cluster.Run();
    // 62.5 GB/s are read, and half of that while the other message shares NVLink. What was read
    // ahead in the first 5 us is sent by then, and the rest is sent at the rate of the cable.
    constexpr TimePs kShared = 32'000'000;
    EXPECT_NEAR(cluster.messages[1].end, kLater + kShared + 25'000, kRounding);
    const double left = 2e6 - 312'500 - 1e6;
    const double wire = left * static_cast<double>(GetWire(2'000'000)) / 2e6;
    EXPECT_NEAR(static_cast<double>(cluster.messages[0].end),
                kLater + kShared + wire * kWireByte + 25'000 + kSegment + 2 * kDelay + kFrame,
                kFrame);
}

TEST(FlowEngineTest, AcknowledgementsDoNotWaitForASlowWayToTheGpu)
{
    constexpr TimePs kSegment = 16384 * 40; // at 200 Gbit/s
    const auto make = [] { return MakeEngineRails(2, 4, 200 * kGbps); };
    const std::vector<Sent> sent{{0, 5, 1'000'000, 0, 0}, {0, 6, 1'000'000, 0, 0}};
    ExpectAsWithFrames(make, sent, 2 * kSegment);
    FlowCluster cluster(make());
    for (const Sent& one : sent)
    {
        cluster.Post(one.source, one.destination, one.bytes, one.txRail, one.rxRail);
    }
    cluster.Run();
    cluster.ExpectAllDelivered();
    const auto wire = static_cast<TimePs>(GetWire(1'000'000)) * kWireByte;
    EXPECT_NEAR(cluster.messages[0].acknowledged, wire + 4 * kDelay, 2 * kFrame);
    EXPECT_GT(cluster.messages[0].end, cluster.messages[0].acknowledged);
}

TEST(FlowEngineTest, MessagesForSeveralGpusOfAServerAreWrittenAtTheSameTime)
{
    // One queue pair has them one behind the other; each GPU takes 300 of its 400 Gbit/s.
    constexpr TimePs kSegment = 16384 * 27;
    std::vector<Sent> sent;
    for (uint32_t message = 0; message < 12; ++message)
    {
        sent.push_back({0, 5 + message % 3, 400'000, 0, 0});
    }
    ExpectAsWithFrames([] { return MakeEngineRails(2, 4, 300 * kGbps); }, sent, 5 * kSegment);
}

TEST(FlowEngineTest, NicsReadFromAllGpusThoughOneIsAtTheHeadOfAllQueues)
{
    // Every NIC has the messages of the GPUs in the same order.
    std::vector<Sent> sent;
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        for (int rail = 0; rail < 4; ++rail)
        {
            sent.push_back({gpu, 4 + static_cast<uint32_t>(rail), 400'000, rail, rail});
        }
    }
    ExpectAsWithFrames([] { return MakeEngineRails(2, 4, 400 * kGbps); },
                       sent,
                       5 * 16384 * kWireByte);
}

TEST(FlowEngineTest, WhatANicHasReceivedIsWrittenThoughItsQueuePairIsGivenUp)
{
    FlowCluster cluster(MakeEngineRails(2, 4, 200 * kGbps));
    Message& received = cluster.Post(0, 5, 400'000, 0, 0);
    Message& underWay = cluster.Post(0, 5, 4'000'000, 0, 0);
    Message& waiting = cluster.Post(0, 6, 4'000'000, 0, 0);
    cluster.At(12'000'000, [&] {
        cluster.engine->Abandon(received);
        cluster.engine->Abandon(underWay);
        cluster.engine->Abandon(waiting);
    });
    Message& later = cluster.Post(0, 5, 400'000, 0, 0, 30'000'000);
    cluster.Run();
    EXPECT_EQ(cluster.delivered, 2U);
    EXPECT_FALSE(received.isAbandoned);
    EXPECT_TRUE(underWay.isAbandoned);
    EXPECT_TRUE(waiting.isAbandoned);
    EXPECT_NEAR(received.end, 400'000 * 40 + 2 * kDelay, kDelay);
    EXPECT_NEAR(later.end, 30'000'000 + 400'000 * 40 + 2 * kDelay, kDelay);
}

// Queue pairs.

TEST(FlowEngineTest, EachQueuePairHasAnEqualShare)
{
    using Per = FlowSettings::QueuePairPer;
    for (const Per per : {Per::NicPair, Per::GpuPair, Per::Message})
    {
        FlowSettings settings;
        settings.queuePairPer = per;
        FlowCluster cluster(MakeEngineRails(2, 2), settings);
        // All by NIC 0: two messages from GPU to GPU, and one from another GPU.
        const Message& first = cluster.Post(0, 2, 409'600, 0, 0);
        const Message& second = cluster.Post(0, 2, 409'600, 0, 0);
        const Message& third = cluster.Post(1, 2, 409'600, 0, 0);
        cluster.Run();
        cluster.ExpectAllDelivered();
        const auto frames = [](const Message& message) {
            return static_cast<double>(message.end - 2 * kDelay) / kFrame;
        };
        EXPECT_NEAR(frames(first), per == Per::NicPair ? 100 : per == Per::GpuPair ? 200 : 300, 6);
        EXPECT_NEAR(frames(second), per == Per::NicPair ? 200 : 300, 6);
        EXPECT_NEAR(frames(third), per == Per::GpuPair ? 200 : 300, 6);
        const std::size_t queues = per == Per::NicPair ? 1 : per == Per::GpuPair ? 2 : 3;
        EXPECT_EQ(cluster.engine->GetQueues().size(), queues);
    }
}

TEST(FlowEngineTest, ANicPostsOneMessageInEachGap)
{
    constexpr TimePs kGap = 20'000'000;
    FlowSettings settings;
    settings.messageGap = kGap;
    FlowCluster cluster(MakeEngineRails(3, 1), settings);
    cluster.Post(0, 1, 10'000);
    cluster.Post(0, 2, 20'000);
    cluster.Post(0, 1, 30'000);
    EXPECT_EQ(cluster.engine->GetUnsentBytes(0, 0), 60'000U);
    cluster.Run();
    cluster.ExpectAllDelivered();
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_NEAR(cluster.messages[i].end,
                    (i + 1) * kGap + GetAlone(cluster.messages[i].bytes, 2),
                    kRounding);
        EXPECT_NEAR(cluster.messages[i].sent, (i + 1) * kGap, kRounding);
    }
}

TEST(FlowEngineTest, UnsentBytesFallWithTheRate)
{
    FlowCluster cluster(MakeEngineRails(2, 1));
    cluster.Post(0, 1, 409'600);
    cluster.Post(0, 1, 409'600);
    std::vector<uint64_t> left;
    for (const int frames : {0, 50, 100, 150, 250})
    {
        cluster.At(frames * kFrame, [&] { left.push_back(cluster.engine->GetUnsentBytes(0, 0)); });
    }
    cluster.Run();
    const std::vector<double> expected{819'200, 614'400, 409'600, 204'800, 0};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(static_cast<double>(left[i]), expected[i], 4096) << i;
    }
}

// What clients are told.

TEST(FlowEngineTest, WhoAwaitsAMessageIsToldInItsInstant)
{
    FlowCluster cluster(MakeEngineRails(2, 1));
    std::vector<TimePs> sent;
    std::vector<TimePs> ended;
    cluster.hooks.sent = [&](Message&) { sent.push_back(NowPs()); };
    cluster.hooks.delivered = [&](Message& message) {
        ended.push_back(NowPs());
        EXPECT_EQ(message.end, NowPs());
    };
    for (int i = 0; i < 3; ++i)
    {
        cluster.messages.emplace_back();
        Message& message = cluster.messages.back();
        message.destination = 1;
        message.txRail = message.rxRail = 0;
        message.bytes = 409'600;
        message.isAwaited = true;
        cluster.engine->Post(message);
    }
    cluster.Run();
    ASSERT_EQ(sent.size(), 3U);
    ASSERT_EQ(ended.size(), 3U);
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_NEAR(sent[i], (100 * (i + 1) - 1) * kFrame, kRounding);
        EXPECT_NEAR(ended[i], 100 * (i + 1) * kFrame + kFrame + 2 * kDelay, kRounding);
    }
}

TEST(FlowEngineTest, AMessagePostedInTheInstantInWhichAnotherEndsIsToldToo)
{
    // Posts fall before, on and behind the end of the first message, by a picosecond each, while a
    // queue pair of the same class goes on.
    for (TimePs error = -3; error <= 3; ++error)
    {
        for (const bool isAwaited : {false, true})
        {
            SCOPED_TRACE(error);
            FlowSettings settings;
            settings.queuePairPer = FlowSettings::QueuePairPer::Message;
            FlowCluster cluster(MakeEngineRails(2, 1), settings);
            cluster.hooks.delivered = [&](Message&) { ++cluster.delivered; };
            const auto add = [&](uint64_t bytes) -> Message& {
                cluster.messages.emplace_back();
                Message& message = cluster.messages.back();
                message.id = static_cast<uint32_t>(cluster.messages.size() - 1);
                message.destination = 1;
                message.txRail = message.rxRail = 0;
                message.bytes = bytes;
                message.isAwaited = isAwaited;
                return message;
            };
            cluster.engine->Post(add(409'600));
            cluster.engine->Post(add(819'200));
            const TimePs at = 200 * kFrame + error;
            Message& late = add(409'600);
            late.id = 0; // the queue pair of the first one
            Message& later = add(4096);
            later.id = 1;
            cluster.At(at, [&] {
                cluster.engine->Post(late);
                cluster.engine->Post(later);
                EXPECT_LE(cluster.engine->GetUnsentBytes(0, 0), 409'600U + 4096 + 409'600 + 2);
            });
            cluster.Run();
            cluster.ExpectAllDelivered();
        }
    }
}

// Its ACKs are as many bytes as it is; what comes behind it has hardly any.
TEST(FlowEngineTest, ABusyQueuePairHasTheAcknowledgementsOfWhatItSendsNow)
{
    const auto run = [](uint64_t first) {
        FlowCluster cluster(MakeEngineRails(2, 1));
        for (const uint32_t gpu : {0U, 1U})
        {
            cluster.Post(gpu, 1 - gpu, first);
            cluster.Post(gpu, 1 - gpu, 10'000'000, -1, -1, 3'000); // before it is over
        }
        cluster.Run();
        cluster.ExpectAllDelivered();
        return cluster.messages.back().end;
    };
    const auto small = static_cast<double>(run(1));
    EXPECT_NEAR(small / static_cast<double>(run(4096)), 1, 0.001);
}

TEST(FlowEngineTest, WhatFliesOverALongCableIsProgress)
{
    FlowCluster cluster(MakeEngineRails(2, 1));
    cluster.Post(0, 1, 4096);
    bool isAsked = false;
    cluster.At(GetAlone(4096, 2) - kDelay, [&] { // all is sent, and nothing has come
        isAsked = true;
        EXPECT_EQ(cluster.engine->GetLastArrival(), NowPs());
    });
    cluster.Run();
    EXPECT_TRUE(isAsked);
}

TEST(FlowEngineTest, AlarmsComeInTheirInstantAndNotInThePast)
{
    FlowCluster cluster(MakeEngineRails(2, 1));
    std::vector<std::pair<TimePs, uint32_t>> alarms;
    cluster.hooks.alarm = [&](uint32_t server) { alarms.emplace_back(NowPs(), server); };
    cluster.engine->SetAlarm(1, 5000);
    cluster.engine->SetAlarm(0, 5000);
    cluster.engine->SetAlarm(1, 3000);
    cluster.At(4000, [&] { EXPECT_THROW(cluster.engine->SetAlarm(0, 3999), std::logic_error); });
    cluster.Run();
    const std::vector<std::pair<TimePs, uint32_t>> expected{{3000, 1}, {5000, 0}, {5000, 1}};
    EXPECT_EQ(alarms, expected);
}

// Failures.

TEST(FlowEngineTest, AFlowOverACableThatIsDownWaitsAndGoesOn)
{
    FlowCluster cluster(MakeEngineRails(2, 1));
    const Message& message = cluster.Post(0, 1, 409'600);
    cluster.At(10 * kFrame, [&] {
        cluster.wiring->PrepareChange();
        cluster.wiring->SetUp(0, false, {});
    });
    cluster.At(30 * kFrame, [&] {
        cluster.wiring->PrepareChange();
        cluster.wiring->SetUp(0, true, {});
        cluster.wiring->SetRate(0, 200 * kGbps);
    });
    cluster.Run();
    cluster.ExpectAllDelivered();
    EXPECT_NEAR(message.end, 2 * kDelay + (30 + 180 + 1) * kFrame, kFrame);
    EXPECT_EQ(message.sent, 0);
}

TEST(FlowEngineTest, ConvergingInTheInstantOfAnEndLosesNothing)
{
    for (TimePs error = -3; error <= 3; ++error)
    {
        for (const uint64_t more : {0, 4096, 409'600})
        {
            SCOPED_TRACE(error);
            FlowCluster cluster(MakeFabric("rail-spines"));
            cluster.hooks.delivered = [&](Message&) { ++cluster.delivered; };
            cluster.Post(0, 3, 409'600);
            if (more > 0)
            {
                cluster.Post(0, 3, more);
            }
            cluster.At(100 * kFrame + error, [&] { cluster.router->Converge(); });
            cluster.Run();
            cluster.ExpectAllDelivered();
            EXPECT_NEAR(cluster.messages.front().end, GetAlone(409'600, 4), kRounding);
        }
    }
}

TEST(FlowEngineTest, WhatIsGivenUpIsNotDeliveredAndItsBytesAreNobodys)
{
    FlowCluster cluster(MakeEngineRails(2, 2));
    Message& done = cluster.Post(0, 2, 40'960);
    Message& half = cluster.Post(0, 2, 409'600);
    Message& waiting = cluster.Post(0, 2, 409'600);
    cluster.At(50 * kFrame, [&] {
        for (Message* message : {&done, &half, &waiting})
        {
            cluster.engine->Abandon(*message);
        }
        EXPECT_EQ(cluster.engine->GetUnsentBytes(0, 0), 0U);
        cluster.Post(0, 2, 409'600, 1, 1);
    });
    cluster.Run();
    EXPECT_FALSE(done.isAbandoned);
    EXPECT_TRUE(half.isAbandoned);
    EXPECT_TRUE(waiting.isAbandoned);
    EXPECT_EQ(half.end, kNever);
    EXPECT_EQ(cluster.delivered, 2U);
    EXPECT_EQ(cluster.acknowledged, 2U);
    EXPECT_EQ(cluster.engine->GetDeliveredBytes(), 40'960U + 409'600);
    EXPECT_EQ(cluster.engine->GetNicCounters(0).txBytes, 40'960U);
    EXPECT_EQ(cluster.engine->GetNicCounters(1).txBytes, 409'600U);
}

// Tolerance.

TEST(FlowEngineTest, WithAToleranceNothingEndsEarlierAndLittleLater)
{
    std::vector<std::vector<TimePs>> completionTimes;
    for (const double tolerance : {0.0, 0.01, 0.1})
    {
        FlowSettings settings;
        settings.tolerance = tolerance;
        FlowCluster cluster(MakeEngineRails(8, 1), settings);
        for (uint32_t source = 1; source < 8; ++source)
        {
            cluster.Post(source, 0, 1'000'000 + 10'000 * source);
        }
        cluster.Run();
        cluster.ExpectAllDelivered();
        completionTimes.emplace_back();
        for (const Message& message : cluster.messages)
        {
            completionTimes.back().push_back(message.end);
        }
        const TimePs last =
            *std::max_element(completionTimes.back().begin(), completionTimes.back().end());
        const TimePs exact =
            *std::max_element(completionTimes.front().begin(), completionTimes.front().end());
        EXPECT_GE(last, exact - kRounding);
        EXPECT_LE(static_cast<double>(last), static_cast<double>(exact) * (1 + 2 * tolerance) + 1);
    }
}

TEST(FlowEngineTest, TellsOfAShortMessageThatIsWrittenBeforeTheLongOneAheadOfIt)
{
    // Both go by one queue pair, and over NVLink to a GPU that is not near the NIC.
    FlowCluster cluster(MakeEngineRails(2, 3));
    std::map<uint32_t, TimePs> toldAt;
    cluster.hooks.delivered = [&](Message& message) { toldAt[message.id] = NowPs(); };
    const Message& longer = cluster.Post(0, 4, 1'000'000, 0, 0);
    const Message& shorter = cluster.Post(0, 5, 2, 0, 0);
    cluster.messages[0].isAwaited = cluster.messages[1].isAwaited = true;
    cluster.Run();
    ASSERT_LT(shorter.end, longer.end);
    EXPECT_EQ(toldAt[longer.id], longer.end);
    EXPECT_EQ(toldAt[shorter.id], shorter.end);
}
