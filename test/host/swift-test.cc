// SPDX-License-Identifier: GPL-2.0-only

// Swift: growth and shrinking of the window by the delay, and what comes of it in a network.

#include "../support/test-cluster.h"

#include "ns3/boolean.h"
#include "ns3/rails-error.h"
#include "ns3/swift-congestion-control.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint64_t kSwiftLine = 800 * kGbps;
constexpr TimePs kUs = 1'000'000;

/// A queue pair's control; the target is 10 us without flow scaling.
class Swift : public testing::Test
{
  protected:
    Swift()
    {
        m_prototype->SetAttribute("BaseTarget", Ps(10 * kUs));
        m_prototype->SetAttribute("FlowScalingRange", Ps(0));
        m_prototype->SetAttribute("StartWindow", Bytes(10 * 4096));
    }

    Ptr<SwiftCongestionControl> Start(TimePs now = 0)
    {
        Ptr<SwiftCongestionControl> control =
            DynamicCast<SwiftCongestionControl>(m_prototype->Fork());
        control->Join({&m_active, 4178, nullptr, 4096});
        control->Start(now, kSwiftLine);
        return control;
    }

    uint32_t m_active{1};
    Ptr<SwiftCongestionControl> m_prototype{CreateObject<SwiftCongestionControl>()};
};

TEST_F(Swift, ForkOfAUsedOneIsNew)
{
    m_prototype->SetAttribute("LargestDecrease", DoubleValue(0.25));
    Ptr<SwiftCongestionControl> used = Start();
    Ptr<SwiftCongestionControl> other = Start();
    used->OnAck(1'000'000'000, {false, 500'000'000});
    used->OnLoss(2'000'000'000);
    ASSERT_NE(used->GetWindow(), other->GetWindow());
    auto fork = DynamicCast<SwiftCongestionControl>(used->Fork());
    fork->Join({&m_active, 4178, nullptr, 4096});
    fork->Start(0, kSwiftLine);
    EXPECT_EQ(fork->GetWindow(), other->GetWindow());
    EXPECT_EQ(fork->GetDelay(), 0);
    EXPECT_EQ(fork->GetRateBps(0), kSwiftLine);
    // It reacts as the other one does.
    for (const auto& control : {fork, other})
    {
        control->OnAck(1'000'000'000, {false, 500'000'000});
    }
    EXPECT_EQ(fork->GetWindow(), other->GetWindow());
    EXPECT_EQ(fork->GetRateBps(1'000'000'000), other->GetRateBps(1'000'000'000));
}

TEST_F(Swift, StartsWithWhatTheLineSendsInTheTarget)
{
    m_prototype->SetAttribute("StartWindow", ByteSizeValue(ByteSize::Special()));
    Ptr<SwiftCongestionControl> control = Start();
    EXPECT_EQ(control->GetWindowBytes(), 1'000'000U); // 800 Gbps for 10 us
    EXPECT_EQ(control->GetRateBps(0), kSwiftLine);
    EXPECT_EQ(control->GetNextChange(0), kNever);
    EXPECT_TRUE(control->GetTraits().usesAcks);
    EXPECT_FALSE(control->GetTraits().usesEcn);
}

TEST_F(Swift, GrowsByOneFrameARoundTripBelowTheTarget)
{
    Ptr<SwiftCongestionControl> control = Start();
    control->OnAck(kUs, {false, 10 * kUs - 1});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10.1);
    control->OnAck(kUs, {false, 7 * kUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10.1 + 1 / 10.1);
    EXPECT_EQ(Start()->GetWindow(), 10) << "a fork begins anew";
    // An ACK adds one over the window, so half its square grows by one.
    for (int i = 2; i < 150; ++i)
    {
        control->OnAck(kUs, {false, 7 * kUs});
    }
    EXPECT_NEAR(control->GetWindow(), 20, 0.02);
}

TEST_F(Swift, ShrinksByThePartOfTheDelayBeyondTheTargetOnceARoundTrip)
{
    Ptr<SwiftCongestionControl> control = Start();
    control->OnAck(11 * kUs, {false, 12 * kUs});
    EXPECT_EQ(control->GetWindow(), 10) << "its first round trip is not over";
    control->OnAck(12 * kUs, {false, 12 * kUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10 * (1 - 0.8 * 2 / 12));
    control->OnAck(24 * kUs - 1, {false, 12 * kUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10 * (1 - 0.8 * 2 / 12));
    control->OnAck(24 * kUs, {false, 12 * kUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10 * (1 - 0.8 * 2 / 12) * (1 - 0.8 * 2 / 12));
}

TEST_F(Swift, ShrinksByHalfAtTheMost)
{
    Ptr<SwiftCongestionControl> control = Start();
    control->OnAck(1000 * kUs, {false, 1000 * kUs}); // 0.8 * 0.99
    EXPECT_DOUBLE_EQ(control->GetWindow(), 5);
}

TEST_F(Swift, HalvesAtALossOnceARoundTripUnlessToldNotTo)
{
    Ptr<SwiftCongestionControl> control = Start();
    control->OnAck(8 * kUs, {false, 8 * kUs});
    control->OnLoss(8 * kUs);
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10.1 / 2);
    control->OnLoss(16 * kUs - 1);
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10.1 / 2);
    control->OnLoss(16 * kUs);
    EXPECT_DOUBLE_EQ(control->GetWindow(), 10.1 / 4);
    m_prototype->SetAttribute("ReactToLoss", BooleanValue(false));
    control = Start();
    control->OnLoss(16 * kUs);
    EXPECT_EQ(control->GetWindow(), 10);
}

TEST_F(Swift, PacesAWindowBelowOneFrame)
{
    m_prototype->SetAttribute("StartWindow", Bytes(4096));
    Ptr<SwiftCongestionControl> control = Start();
    control->OnAck(1000 * kUs, {false, 1000 * kUs});
    control->OnAck(2000 * kUs, {false, 1000 * kUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 0.25);
    EXPECT_EQ(control->GetWindowBytes(), 1024U);
    // A quarter of 4178 B in a round trip of 1 ms.
    EXPECT_EQ(control->GetRateBps(2000 * kUs), 8'356'000U);
    // Below one frame an ACK adds one frame at once.
    control->OnAck(2001 * kUs, {false, 8 * kUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), 1.25);
    EXPECT_EQ(control->GetRateBps(2001 * kUs), kSwiftLine);
}

TEST_F(Swift, KeepsToItsSmallestAndLargestWindow)
{
    m_prototype->SetAttribute("MinimumWindow", DoubleValue(0.5));
    m_prototype->SetAttribute("MaximumWindow", Bytes(11 * 4096));
    Ptr<SwiftCongestionControl> control = Start();
    for (int i = 0; i < 100; ++i)
    {
        control->OnAck(kUs, {false, 7 * kUs});
    }
    EXPECT_EQ(control->GetWindowBytes(), 11 * 4096U);
    for (int i = 1; i < 100; ++i)
    {
        control->OnAck(i * 100 * kUs, {false, 100 * kUs});
    }
    EXPECT_EQ(control->GetWindow(), 0.5);
}

TEST_F(Swift, AimsHigherTheSmallerTheWindow)
{
    // 10 us, and up to 4 us more: all of it up to 0.1 frames, none from 100 frames on, in between
    // by 1/sqrt(window), between 0.1 and sqrt(10).
    m_prototype->SetAttribute("FlowScalingRange", Ps(4 * kUs));
    const auto target = [this](uint64_t bytes) {
        m_prototype->SetAttribute("StartWindow", Bytes(bytes));
        return static_cast<double>(Start()->GetTarget());
    };
    EXPECT_EQ(target(100 * 4096), 10e6);
    EXPECT_EQ(target(1000 * 4096), 10e6);
    EXPECT_EQ(target(400), 14e6);
    EXPECT_NEAR(target(4096), 10e6 + 4e6 * 0.9 / (std::sqrt(10) - 0.1), 1);
    EXPECT_NEAR(target(25 * 4096), 10e6 + 4e6 * 0.1 / (std::sqrt(10) - 0.1), 1);
}

TEST_F(Swift, TakesTheMedianOfTheLastSamples)
{
    m_prototype->SetAttribute("MedianOf", UintegerValue(5));
    Ptr<SwiftCongestionControl> control = Start();
    EXPECT_EQ(control->GetDelay(), 0);
    const std::vector<std::pair<TimePs, TimePs>> samplesAndMedians{{9, 9},
                                                                   {3, 3},
                                                                   {7, 7},
                                                                   {7, 7},
                                                                   {1, 7},     // 9 3 7 7 1
                                                                   {100, 7},   // 3 7 7 1 100
                                                                   {100, 7},   // 7 7 1 100 100
                                                                   {100, 100}, // 7 1 100 100 100
                                                                   {2, 100},   // 1 100 100 100 2
                                                                   {2, 100},   // 100 100 100 2 2
                                                                   {2, 2}};
    for (const auto& [sample, median] : samplesAndMedians)
    {
        control->OnAck(0, {false, sample});
        EXPECT_EQ(control->GetDelay(), median) << sample;
    }
}

TEST_F(Swift, WithAMedianOneSlowPathDoesNotCount)
{
    for (const uint32_t samples : {1U, 4U})
    {
        m_prototype->SetAttribute("MedianOf", UintegerValue(samples));
        Ptr<SwiftCongestionControl> control = Start();
        for (int i = 1; i < 400; ++i)
        {
            control->OnAck(i * kUs, {false, i % 4 == 0 ? 40 * kUs : 7 * kUs});
        }
        EXPECT_EQ(control->GetWindow() > 20, samples == 4) << control->GetWindow();
    }
}

TEST_F(Swift, RefusesParametersThatContradictEachOther)
{
    EXPECT_NO_THROW(m_prototype->Check());
    m_prototype->SetAttribute("FlowScalingMinimum", DoubleValue(100));
    EXPECT_THROW(m_prototype->Check(), ConfigurationError);
    m_prototype->SetAttribute("FlowScalingMinimum", DoubleValue(1));
    m_prototype->SetAttribute("LargestDecrease", DoubleValue(1));
    EXPECT_THROW(m_prototype->Check(), ConfigurationError);
}

// In the network: 400 Gbps, 500 ns, one leaf, so an idle round trip takes 2.17 us.

/// A queue over time.
struct QueueWatch
{
    explicit QueueWatch(Port& port, TimePs from)
        : agenda(port.GetAgenda()),
          since(from),
          start(from)
    {
        port.TraceConnectWithoutContext("QueueBytes", MakeCallback(&QueueWatch::OnChange, this));
    }

    void OnChange(Time, uint64_t before, uint64_t)
    {
        const TimePs now = agenda.Now();
        if (now > since)
        {
            area += static_cast<double>(before) * static_cast<double>(now - since);
            since = now;
        }
    }

    double GetMean() const
    {
        return area / static_cast<double>(since - start);
    }

    Agenda& agenda;
    TimePs since;
    TimePs start;
    double area{0};
};

TEST(SwiftRun, OfOneFlowUsesTheWholeLine)
{
    TestCluster test(2);
    test.transport->SetAttribute("CongestionControl",
                                 StringValue("ns3::rails::SwiftCongestionControl"));
    test.Build();
    const Message& message = test.Post(0, 1, 2000 * 4096);
    test.Run();
    EXPECT_EQ(message.end, 2001 * 4178 * 20 + 2 * 500'000);
}

TEST(SwiftRun, OfOneFlowUsesTheWholeLineHoweverLongTheRoundTrip)
{
    // 100 Gbps, two links of 6 us there and back: an idle round trip takes more than 24 us.
    for (const bool isAutomatic : {true, false})
    {
        TestCluster test(2);
        test.topology->SetAttribute("NicRate", Rate(100 * kGbps));
        test.topology->SetAttribute("LinkDelay", Ps(6 * kUs));
        Ptr<SwiftCongestionControl> control = CreateObject<SwiftCongestionControl>();
        if (!isAutomatic)
        {
            control->SetAttribute("BaseTarget", Ps(10 * kUs));
        }
        test.transport->SetAttribute("CongestionControl", PointerValue(control));
        test.Build();
        const Message& message = test.Post(0, 1, 2000 * 4096);
        test.Run();
        EXPECT_EQ(message.end == 2001 * 4178 * 80 + 2 * 6 * kUs, isAutomatic) << message.end;
    }
}

TEST(SwiftRun, OfEightToOneHoldsTheQueueAtTheTarget)
{
    // The queue takes what the target leaves beyond the idle round trip, and the line stays busy.
    TestCluster test(9);
    Ptr<SwiftCongestionControl> control = CreateObject<SwiftCongestionControl>();
    control->SetAttribute("BaseTarget", Ps(10 * kUs));
    control->SetAttribute("FlowScalingRange", Ps(0));
    test.transport->SetAttribute("CongestionControl", PointerValue(control));
    test.Build();
    constexpr TimePs kFrom = 500 * kUs;
    QueueWatch watch(test.GetNicPort(0).GetPeer(), kFrom);
    constexpr uint64_t kFrames = 2000;
    for (uint32_t sender = 1; sender <= 8; ++sender)
    {
        test.Post(sender, 0, kFrames * 4096);
    }
    test.RunUntil(1200 * kUs);
    const double idle = 2 * (500e3 + 4178 * 20) + 2 * (500e3 + 84 * 20);
    const double aim = (10e6 - idle) / 20 * 4158 / 4178; // bytes without gaps
    EXPECT_NEAR(watch.GetMean(), aim, 0.15 * aim);
    test.Run();
    EXPECT_LT(test.GetLastEnd(), 8 * TimePs{kFrames} * 4178 * 20 * 101 / 100 + 3 * kUs);
    EXPECT_EQ(test.deliveries.size(), 8U);
}

TEST(SwiftRun, OfSixtyToOneGetsByWithWindowsBelowAFrame)
{
    // Beyond the idle round trip the target leaves 34 frames for the queue, fewer than senders.
    TestCluster test(61);
    Ptr<SwiftCongestionControl> control = CreateObject<SwiftCongestionControl>();
    control->SetAttribute("BaseTarget", Ps(5 * kUs));
    control->SetAttribute("FlowScalingRange", Ps(0));
    control->SetAttribute("StartWindow", Bytes(4096));
    test.transport->SetAttribute("CongestionControl", PointerValue(control));
    test.Build();
    constexpr TimePs kFrom = 200 * kUs;
    QueueWatch watch(test.GetNicPort(0).GetPeer(), kFrom);
    for (uint32_t sender = 1; sender <= 60; ++sender)
    {
        test.Post(sender, 0, 100 * 4096);
    }
    test.RunUntil(400 * kUs);
    EXPECT_LT(watch.GetMean(), 60 * 4158.0);
    EXPECT_GT(watch.GetMean(), 4158.0);
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 60U);
}

} // namespace
