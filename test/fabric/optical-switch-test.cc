// SPDX-License-Identifier: GPL-2.0-only
#include "../support/port-pair.h"

#include "ns3/node.h"
#include "ns3/optical-switch.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::rails::test
{

namespace
{

constexpr uint64_t kOpticalSwitchRate = 100'000'000'000;
constexpr TimePs kOpticalSwitchDelay = 100'000;
constexpr TimePs kFrame = 1020 * 80; // 1000 B with preamble and gap
constexpr TimePs kAck = 84 * 80;

/// Four hosts at an optical switch, which is number 3 of its fabric.
class OpticalSwitchTest : public testing::Test
{
  protected:
    static constexpr uint32_t kNumber = 3;

    OpticalSwitchTest()
    {
        const Ptr<Node> node = CreateObject<Node>();
        at = CreateObject<OpticalSwitch>(node, kNumber, pool);
        node->AggregateObject(at);
        for (uint32_t i = 0; i < 4; ++i)
        {
            Port& port = at->AddPort("optical_down", kOpticalSwitchRate);
            hosts.push_back(std::make_unique<Host>(pool));
            Host& host = *hosts.back();
            host.port = CreateObject<Port>(Port::Identity{100 + i, 0, "host", kOpticalSwitchRate},
                                           host.owner,
                                           host.agenda,
                                           pool);
            host.port->Connect(port, kOpticalSwitchDelay);
            port.Connect(*host.port, kOpticalSwitchDelay);
        }
    }

    ~OpticalSwitchTest() override
    {
        Simulator::Destroy();
    }

    /// Leads what comes in at each of two ports out by the other.
    void Join(uint32_t one, uint32_t other)
    {
        at->Lead(one, other);
        at->Lead(other, one);
    }

    void Send(uint32_t from, uint32_t to, uint64_t frames, FrameKind kind = FrameKind::Data)
    {
        for (uint64_t psn = 0; psn < frames; ++psn)
        {
            Frame* frame = pool.Allocate();
            frame->kind = kind;
            frame->trafficClass = kind == FrameKind::Data ? kDataClass : kControlClass;
            frame->bytes = kind == FrameKind::Data ? 1000 : 64;
            frame->psn = psn;
            frame->destination = {kNumber, to};
            hosts[from]->port->Enqueue(frame);
        }
    }

    /// Does something at a time, when all have been brought up to it.
    void At(TimePs time, const std::function<void()>& act)
    {
        Simulator::Schedule(TimeStep(static_cast<uint64_t>(time)), [this, act] {
            at->GetPorts().front()->GetAgenda().CatchUp();
            for (const auto& host : hosts)
            {
                host->agenda.CatchUp();
            }
            act();
        });
    }

    const std::vector<Arrival>& GetArrivals(uint32_t host) const
    {
        return hosts[host]->owner.arrivals;
    }

    FramePool pool;
    Ptr<OpticalSwitch> at;
    std::vector<std::unique_ptr<Host>> hosts;
};

TEST_F(OpticalSwitchTest, AFrameLeavesInTheInstantInWhichItCameIn)
{
    Join(0, 2);
    Send(0, 2, 3);
    Send(2, 0, 1, FrameKind::Ack);
    Simulator::Run();
    ASSERT_EQ(GetArrivals(2).size(), 3U);
    for (uint64_t psn = 0; psn < 3; ++psn)
    {
        // It is sent once, and crosses both cables; nothing is stored in between.
        EXPECT_EQ(GetArrivals(2)[psn],
                  (Arrival{static_cast<TimePs>(psn + 1) * kFrame + 2 * kOpticalSwitchDelay,
                           FrameKind::Data,
                           psn}));
    }
    ASSERT_EQ(GetArrivals(0).size(), 1U);
    EXPECT_EQ(GetArrivals(0)[0], (Arrival{kAck + 2 * kOpticalSwitchDelay, FrameKind::Ack, 0}));
    EXPECT_TRUE(GetArrivals(1).empty());
    EXPECT_TRUE(GetArrivals(3).empty());
    EXPECT_EQ(at->GetLostFrames(), 0U);
    EXPECT_EQ(pool.GetInUse(), 0U);
}

TEST_F(OpticalSwitchTest, CircuitsDoNotHinderEachOther)
{
    Join(0, 1);
    Join(2, 3);
    for (uint32_t host = 0; host < 4; ++host)
    {
        Send(host, host ^ 1, 50);
    }
    Simulator::Run();
    for (uint32_t host = 0; host < 4; ++host)
    {
        ASSERT_EQ(GetArrivals(host).size(), 50U);
        EXPECT_EQ(GetArrivals(host).back().at, 50 * kFrame + 2 * kOpticalSwitchDelay);
    }
}

TEST_F(OpticalSwitchTest, WithoutACircuitAFrameIsLostAndCounted)
{
    Send(0, 2, 3);
    Send(1, 1, 1); // to where it came from
    Simulator::Run();
    for (uint32_t host = 0; host < 4; ++host)
    {
        EXPECT_TRUE(GetArrivals(host).empty()) << host;
    }
    EXPECT_EQ(at->GetLostFrames(), 4U);
    EXPECT_EQ(pool.GetInUse(), 0U);
}

TEST_F(OpticalSwitchTest, AFrameForAnotherThanTheCircuitLeadsToIsLostAndCounted)
{
    Join(0, 2);
    Send(0, 3, 2);
    Send(0, 2, 1);
    Simulator::Run();
    EXPECT_EQ(GetArrivals(2).size(), 1U);
    EXPECT_TRUE(GetArrivals(3).empty());
    EXPECT_EQ(at->GetLostFrames(), 2U);
    EXPECT_EQ(pool.GetInUse(), 0U);
}

TEST_F(OpticalSwitchTest, WhatCountsIsTheCircuitInTheInstantOfTheArrival)
{
    // Frames come in at 181.6 ns, 263.2 ns, 344.8 ns and 426.4 ns; the circuit moves twice.
    Join(0, 2);
    Send(0, 2, 4);
    At(kOpticalSwitchDelay + kFrame + 1, [&] {
        at->Lead(2, 2);
        Join(0, 3);
    });
    At(kOpticalSwitchDelay + 3 * kFrame + 1, [&] {
        at->Lead(3, 3);
        Join(0, 2);
    });
    Simulator::Run();
    ASSERT_EQ(GetArrivals(2).size(), 2U);
    EXPECT_EQ(GetArrivals(2)[0].psn, 0U);
    EXPECT_EQ(GetArrivals(2)[1],
              (Arrival{4 * kFrame + 2 * kOpticalSwitchDelay, FrameKind::Data, 3}));
    EXPECT_TRUE(GetArrivals(3).empty());
    EXPECT_EQ(at->GetLostFrames(), 2U);
}

TEST_F(OpticalSwitchTest, AFrameThatHasPassedArrivesThoughTheCircuitGoes)
{
    Join(0, 2);
    Send(0, 2, 2);
    At(kOpticalSwitchDelay + kFrame + 1, [&] {
        at->Lead(0, 0);
        at->Lead(2, 2);
    });
    Simulator::Run();
    ASSERT_EQ(GetArrivals(2).size(), 1U);
    EXPECT_EQ(GetArrivals(2)[0].at, kFrame + 2 * kOpticalSwitchDelay);
    EXPECT_EQ(at->GetLostFrames(), 1U);
}

TEST_F(OpticalSwitchTest, PortsCountWhatLeavesByThem)
{
    Join(0, 2);
    Send(0, 2, 3);
    Send(2, 0, 2, FrameKind::Ack);
    Send(0, 1, 1); // lost
    Simulator::Run();
    const PortCounters data = at->GetPorts()[2]->GetCountersNow();
    EXPECT_EQ(data.frames, 3U);
    EXPECT_EQ(data.dataFrames, 3U);
    EXPECT_EQ(data.wireBytes, 3 * 1020U);
    EXPECT_EQ(data.busy, 3 * kFrame);
    EXPECT_EQ(data.queueMaxBytes, 0U) << "it has no queue";
    const PortCounters acks = at->GetPorts()[0]->GetCountersNow();
    EXPECT_EQ(acks.frames, 2U);
    EXPECT_EQ(acks.dataFrames, 0U);
    EXPECT_EQ(acks.wireBytes, 2 * 84U);
    EXPECT_EQ(acks.busy, 2 * kAck);
    EXPECT_EQ(at->GetPorts()[1]->GetCountersNow().frames, 0U);
}

TEST_F(OpticalSwitchTest, ACableThatIsCutBehindTheSwitchLosesWhatItHandsOn)
{
    Join(0, 2);
    Send(0, 2, 2);
    At(kOpticalSwitchDelay + kFrame + 1, [&] { at->GetPorts()[2]->GetLink().SetUp(false, false); });
    Simulator::Run();
    EXPECT_EQ(GetArrivals(2).size(), 1U);
    EXPECT_EQ(at->GetPorts()[2]->GetLink().GetLosses(), 1U);
    EXPECT_EQ(at->GetLostFrames(), 0U) << "the circuit was there";
    EXPECT_EQ(pool.GetInUse(), 0U);
}

} // namespace

} // namespace ns3::rails::test
