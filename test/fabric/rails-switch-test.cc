// SPDX-License-Identifier: GPL-2.0-only
#include "../support/port-pair.h"
#include "../support/test-cluster.h"

#include "ns3/boolean.h"
#include "ns3/rails-error.h"
#include "ns3/rails-switch.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kRailsSwitchDelay = 100'000;

/// A switch of number 0 with hosts that send what they are told.
class SwitchBench
{
  public:
    SwitchBench()
    {
        profile->SetAttribute("Headroom", Bytes(20'000));
        profile->SetAttribute("Buffer", Bytes(48'000));
    }

    ~SwitchBench()
    {
        Simulator::Destroy();
    }

    /// Makes the switch with a host per rate.
    void Build(const std::vector<uint64_t>& rates)
    {
        node = CreateObject<Node>();
        at = CreateObject<Switch>(node, 0, "switch", profile, selector, pool);
        node->AggregateObject(at);
        for (const uint64_t rate : rates)
        {
            Port& port = at->AddPort("leaf_down", rate, kRailsSwitchDelay, 1000);
            hosts.push_back(std::make_unique<Host>(pool));
            Host& host = *hosts.back();
            host.port = CreateObject<Port>(Port::Identity{100 + port.GetIndex(), 0, "host", rate},
                                           host.owner,
                                           host.agenda,
                                           pool);
            host.port->Connect(port, kRailsSwitchDelay);
            port.Connect(*host.port, kRailsSwitchDelay);
        }
    }

    void Send(uint32_t from, uint32_t to, uint32_t frames, FrameKind kind = FrameKind::Data)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            Frame* frame = pool.Allocate();
            frame->kind = kind;
            frame->trafficClass = kind == FrameKind::Data ? kDataClass : kControlClass;
            frame->bytes = kind == FrameKind::Data ? 1000 : 64;
            frame->psn = i;
            frame->destination = {0, to};
            hosts[from]->port->Enqueue(frame);
        }
    }

    FramePool pool;
    Ptr<SwitchProfile> profile{CreateObject<SwitchProfile>()};
    Ptr<EcmpPortSelector> selector{CreateObject<EcmpPortSelector>()};
    Ptr<Node> node;
    Ptr<Switch> at;
    std::vector<std::unique_ptr<Host>> hosts;
};

TEST(Switch, PausesAndResumesWhenComputedByHand)
{
    // 8000 B are shared. Frames of 1000 B come at 100 Gbps, 81.6 ns each, from 100 ns on, and leave
    // at 10 Gbps, 816 ns each.
    // The 5th, at 508 ns, finds 4000 B charged and 4000 B free: pause. The pause frame takes 6.72
    // ns and 100 ns: at 614.72 ns the host is amid its 8th frame. Frames leave at 181.6 ns + k *
    // 816 ns. The first four empty the headroom; 4000 B stay charged. With the 5th it is 3000 B of
    // an allowed 8000 - 3000 - 1000 = 4000 B: resume, at 4261.6 ns, to be heard at 4368.32 ns.
    SwitchBench bench;
    bench.profile->SetAttribute("XonOffset", Bytes(1000));
    bench.Build({100 * kGbps, 10 * kGbps});
    bench.Send(0, 1, 9);
    Simulator::Run();

    const PortCounters host = bench.hosts[0]->port->GetCountersNow();
    EXPECT_EQ(host.pauses, 1U);
    EXPECT_EQ(host.paused, 4'368'320 - 614'720);
    EXPECT_EQ(bench.at->GetPorts()[0]->GetCountersNow().pauseFrames, 2U);
    EXPECT_EQ(bench.at->GetBuffer().GetUsedMax(), 8000U);
    const std::vector<Arrival>& arrivals = bench.hosts[1]->owner.arrivals;
    ASSERT_EQ(arrivals.size(), 9U);
    for (uint64_t i = 0; i < 9; ++i)
    {
        // The queue never ran empty.
        EXPECT_EQ(arrivals[i], (Arrival{281'600 + TimePs(i + 1) * 816'000, FrameKind::Data, i}));
    }
    EXPECT_EQ(bench.at->GetBuffer().GetUsed(), 0U);
    EXPECT_EQ(bench.pool.GetInUse(), 0U);
}

TEST(Switch, PausesLaterWithAWiderHysteresisLastLonger)
{
    // As above, but it resumes only with the 6th frame that leaves, or the 7th: 816 ns later each.
    for (const auto& [offset, later] : {std::pair{3000U, 1}, std::pair{5000U, 2}})
    {
        SwitchBench bench;
        bench.profile->SetAttribute("XonOffset", Bytes(offset));
        bench.Build({100 * kGbps, 10 * kGbps});
        bench.Send(0, 1, 9);
        Simulator::Run();
        EXPECT_EQ(bench.hosts[0]->port->GetCountersNow().paused, 3'753'600 + later * 816'000);
    }
}

TEST(Switch, KeepsALongPauseUpByRefreshing)
{
    // 100 quanta are 512 ns at 100 Gbps; the pause of 3753.6 ns needs a frame every 256 ns. XOFF at
    // 508 ns, refreshed at 764, 1020, ..., 4092 ns: 14 times; and the XON.
    SwitchBench bench;
    bench.profile->SetAttribute("XonOffset", Bytes(1000));
    bench.profile->SetAttribute("PauseQuanta", UintegerValue(100));
    bench.Build({100 * kGbps, 10 * kGbps});
    bench.Send(0, 1, 9);
    Simulator::Run();
    EXPECT_EQ(bench.hosts[0]->port->GetCountersNow().pauses, 1U);
    EXPECT_EQ(bench.hosts[0]->port->GetCountersNow().paused, 3'753'600);
    EXPECT_EQ(bench.at->GetPorts()[0]->GetCountersNow().pauseFrames, 16U);
}

TEST(Switch, PausesOnlyThosePortsThatHoldTooMuch)
{
    SwitchBench bench;
    bench.profile->SetAttribute("Buffer", Bytes(96'000));
    bench.Build({100 * kGbps, 10 * kGbps, 100 * kGbps, 100 * kGbps});
    bench.Send(0, 1, 20);
    bench.Send(2, 3, 20);
    Simulator::Run();
    EXPECT_GT(bench.hosts[0]->port->GetCountersNow().pauses, 0U);
    EXPECT_EQ(bench.hosts[2]->port->GetCountersNow().pauses, 0U);
    EXPECT_EQ(bench.hosts[1]->owner.arrivals.size(), 20U);
    EXPECT_EQ(bench.hosts[3]->owner.arrivals.size(), 20U);
}

TEST(Switch, ControlOvertakesDataAndIsNeverPaused)
{
    SwitchBench bench;
    bench.Build({100 * kGbps, 10 * kGbps});
    bench.Send(0, 1, 20);
    Simulator::Stop(NanoSeconds(2000)); // amid the pause
    Simulator::Run();
    bench.hosts[0]->agenda.CatchUp();
    ASSERT_TRUE(bench.hosts[0]->port->IsPaused(kDataClass));
    bench.Send(0, 1, 1, FrameKind::Ack);
    Simulator::Run();
    const std::vector<Arrival>& arrivals = bench.hosts[1]->owner.arrivals;
    ASSERT_EQ(arrivals.size(), 21U);
    // It comes to the switch at 2106.72 ns, while the 3rd data frame is being sent.
    EXPECT_EQ(arrivals[3].kind, FrameKind::Ack);
    EXPECT_EQ(arrivals[3].at, 281'600 + 3 * 816'000 + 84 * 800);
}

TEST(Switch, DropsLosslessFramesOnlyWhenTheHeadroomIsTooSmall)
{
    // The pause lets 3 more frames come after the one that asked for it: 4000 B.
    for (const auto& [headroom, drops] : {std::pair{4000U, 0U}, std::pair{3999U, 1U}, {1000U, 3U}})
    {
        SwitchBench bench;
        bench.profile->SetAttribute("Headroom", Bytes(headroom));
        bench.profile->SetAttribute("Buffer", Bytes(8000 + 2 * headroom));
        bench.Build({100 * kGbps, 10 * kGbps});
        bench.Send(0, 1, 9);
        Simulator::Run();
        EXPECT_EQ(bench.at->GetLosslessDrops(), drops);
        EXPECT_EQ(bench.at->GetPorts()[1]->GetCountersNow().drops, drops);
        EXPECT_EQ(bench.hosts[1]->owner.arrivals.size(), 9U - drops);
        EXPECT_EQ(bench.at->GetBuffer().GetUsed(), 0U);
        EXPECT_EQ(bench.pool.GetInUse(), 0U);
    }
}

TEST(Switch, WithoutPfcDropsAtTheThresholdOfTheQueue)
{
    // q + 1000 <= 48000 - used, where used counts the frame that is being sent as well.
    SwitchBench bench;
    bench.profile->SetAttribute("Pfc", BooleanValue(false));
    bench.Build({100 * kGbps, 1 * kGbps});
    bench.Send(0, 1, 60);
    Simulator::Run();
    // 1 is sent from 181.6 ns to 8341.6 ns, when all 60 have come: used = 1000 + q.
    const uint64_t held = 24; // 23 wait when 23000 + 1000 <= 48000 - 24000
    EXPECT_EQ(bench.hosts[1]->owner.arrivals.size(), held + 1);
    EXPECT_EQ(bench.at->GetPorts()[1]->GetCountersNow().drops, 60 - held - 1);
    EXPECT_EQ(bench.at->GetLosslessDrops(), 0U) << "lossy drops break no invariant";
    EXPECT_EQ(bench.hosts[0]->port->GetCountersNow().pauses, 0U);
    EXPECT_EQ(bench.at->GetBuffer().GetUsed(), 0U);
}

TEST(Switch, RefusesABufferThatTheHeadroomDoesNotFit)
{
    SwitchBench bench;
    bench.profile->SetAttribute("Headroom", Bytes(16'000));
    EXPECT_NO_THROW(bench.Build({kGbps, kGbps}));
    EXPECT_THROW(bench.at->AddPort("leaf_down", kGbps, 0, 1000), ConfigurationError);
}

TEST(SwitchProfile, HeadroomFollowsTheFormula)
{
    Ptr<SwitchProfile> profile = CreateObject<SwitchProfile>();
    // Frames of 4158 B are 4178 B on the wire; 2 of them and a pause frame of 84 B are 8440 B. With
    // 2 * 400 Gbps * 500 ns = 50000 B that is 13.99 frames: 14, and one more.
    EXPECT_EQ(profile->GetHeadroom(400 * kGbps, 500'000, 4158), 15 * 4178U);
    // 500 B: 2.14 frames.
    EXPECT_EQ(profile->GetHeadroom(400 * kGbps, 5'000, 4158), 4 * 4178U);
    // 100000 B: 25.96 frames.
    EXPECT_EQ(profile->GetHeadroom(800 * kGbps, 500'000, 4158), 27 * 4178U);
    // The response time counts once: 5000 B at 400 Gbps and 100 ns make 15.18 frames.
    profile->SetAttribute("PauseResponse", TimeValue(NanoSeconds(100)));
    EXPECT_EQ(profile->GetHeadroom(400 * kGbps, 500'000, 4158), 17 * 4178U);
    profile->SetAttribute("PauseResponse", TimeValue(NanoSeconds(0)));
    // A whole number of frames, 3 * 84 B, is not rounded up.
    EXPECT_EQ(profile->GetHeadroom(400 * kGbps, 0, 64), 4 * 84U);

    profile->SetAttribute("Headroom", Bytes(777));
    EXPECT_EQ(profile->GetHeadroom(400 * kGbps, 500'000, 4158), 777U);
    profile->SetAttribute("Pfc", BooleanValue(false));
    EXPECT_EQ(profile->GetHeadroom(400 * kGbps, 500'000, 4158), 0U);
}

/// Two leaves of 8 servers each, joined by 2 spines with 4 cables each.
class ParallelLinks : public testing::Test
{
  protected:
    ParallelLinks()
    {
        m_test.topology->SetAttribute("LeafPorts", UintegerValue(8));
        m_test.topology->SetAttribute("RailSpines", UintegerValue(2));
        m_test.topology->SetAttribute("UplinksPerSpine", UintegerValue(4));
    }

    /// \return data frames that left the ports of a class of a switch, by port
    std::vector<uint64_t> GetFrames(const std::string& name, const std::string& portClass) const
    {
        std::vector<uint64_t> frames;
        for (const Ptr<Port>& port : m_test.GetSwitch(name).GetPorts())
        {
            if (port->GetIdentity().portClass == portClass)
            {
                frames.push_back(port->GetCountersNow().frames);
            }
        }
        return frames;
    }

    TestCluster m_test{16};
};

TEST_F(ParallelLinks, AreAllUsed)
{
    m_test.Build();
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 8; destination < 16; ++destination)
        {
            m_test.Post(source, destination, 4096);
        }
    }
    m_test.Run();
    for (const auto& [name, portClass] : {std::pair{"rail0-leaf0", "leaf_up"},
                                          std::pair{"rail0-spine0", "rail_spine_down"},
                                          std::pair{"rail0-spine1", "rail_spine_down"}})
    {
        const std::vector<uint64_t> frames = GetFrames(name, portClass);
        EXPECT_EQ(frames.size(), 8U);
        for (std::size_t cable = 0; cable < frames.size(); ++cable)
        {
            // From leaf to spine there are 64 data frames on 8 cables, down to leaf 1 about 32
            // on 4.
            EXPECT_GT(frames[cable], 0U) << name << " cable " << cable;
        }
    }
}

TEST_F(ParallelLinks, CarryAQueuePairOnOneOfThem)
{
    m_test.Build();
    m_test.Post(0, 15, 100 * 4096);
    m_test.Run();
    const std::vector<uint64_t> frames = GetFrames("rail0-leaf0", "leaf_up");
    EXPECT_EQ(std::count(frames.begin(), frames.end(), 100U), 1);
    EXPECT_EQ(std::count(frames.begin(), frames.end(), 0U), 7);
}

TEST_F(ParallelLinks, AreChosenDifferentlyWithAnotherSeed)
{
    std::set<std::vector<uint64_t>> outcomes;
    for (uint64_t seed = 1; seed <= 4; ++seed)
    {
        TestCluster test(16);
        test.topology->SetAttribute("LeafPorts", UintegerValue(8));
        test.topology->SetAttribute("RailSpines", UintegerValue(8));
        test.Build(seed);
        for (uint32_t source = 0; source < 8; ++source)
        {
            test.Post(source, source + 8, 4096);
        }
        test.Run();
        std::vector<uint64_t> frames;
        for (const Ptr<Port>& port : test.GetSwitch("rail0-leaf0").GetPorts())
        {
            frames.push_back(port->GetCountersNow().frames);
        }
        outcomes.insert(frames);
    }
    EXPECT_GE(outcomes.size(), 3U);
}

TEST_F(ParallelLinks, FollowNextHopsThatAreOverridden)
{
    m_test.topology->SetAttribute("Routes",
                                  StringValue("rail0-leaf0 > rail0-leaf1 via rail0-spine1;"));
    m_test.Build();
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 8; destination < 16; ++destination)
        {
            m_test.Post(source, destination, 4096);
        }
    }
    m_test.Run();
    uint64_t throughFirst = 0;
    uint64_t throughSecond = 0;
    for (const Ptr<Port>& port : m_test.GetSwitch("rail0-leaf0").GetPorts())
    {
        if (port->GetIdentity().portClass == "leaf_up")
        {
            const uint32_t spine = port->GetPeer().GetIdentity().node -
                                   m_test.GetSwitch("rail0-spine0").GetObject<Node>()->GetId();
            (spine == 0 ? throughFirst : throughSecond) += port->GetCountersNow().frames;
        }
    }
    EXPECT_EQ(throughFirst, 0U);
    EXPECT_EQ(throughSecond, 64U) << "data frames; the ACKs leave the other leaf";
    EXPECT_EQ(m_test.deliveries.size(), 64U);
}

} // namespace
