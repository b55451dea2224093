// SPDX-License-Identifier: GPL-2.0-only

// Fixed rate: the share of a queue pair, gaps that are shortened only, starts within one gap.

#include "../support/test-cluster.h"

#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/congestion-control.h"
#include "ns3/rails-error.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint64_t kFixedRateLine = 800 * kGbps;
constexpr uint32_t kWireFrame = 4178;

/// A queue pair's control at a NIC with so many busy queue pairs.
class FixedRate : public testing::Test
{
  protected:
    FixedRate()
    {
        m_random->SetStream(7);
    }

    Ptr<CongestionControl> Start()
    {
        Ptr<CongestionControl> control = m_prototype->Fork();
        control->Join({&m_active, kWireFrame, m_random, 4096});
        control->Start(0, kFixedRateLine);
        return control;
    }

    uint32_t m_active{1};
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()};
    Ptr<CongestionControl> m_prototype{
        MakeComponent<CongestionControl>("FixedRateCongestionControl")};
};

TEST_F(FixedRate, ForkOfAUsedOneIsNew)
{
    m_prototype->SetAttribute("Jitter", DoubleValue(0));
    m_prototype->SetAttribute("Load", DoubleValue(0.5));
    m_prototype->SetRhoMax(0.5);
    m_active = 4;
    Ptr<CongestionControl> used = Start();
    EXPECT_EQ(used->GetRateBps(0), kFixedRateLine / 16);
    Ptr<CongestionControl> fork = used->Fork();
    m_active = 2;
    fork->Join({&m_active, kWireFrame, m_random, 4096});
    fork->Start(0, kFixedRateLine);
    EXPECT_EQ(fork->GetRateBps(0), kFixedRateLine / 8);
    EXPECT_EQ(used->GetRateBps(0), kFixedRateLine / 16);
}

TEST_F(FixedRate, OfOneQueuePairIsTheLineRate)
{
    m_prototype->SetAttribute("Jitter", DoubleValue(0));
    Ptr<CongestionControl> control = Start();
    EXPECT_EQ(control->GetRateBps(0), kFixedRateLine);
    EXPECT_EQ(control->GetNextChange(0), kNever);
    EXPECT_FALSE(control->GetTraits().usesEcn);
    EXPECT_FALSE(control->GetTraits().usesAcks);
}

TEST_F(FixedRate, IsTheShareAtTheFirstRequestForGood)
{
    m_prototype->SetAttribute("Jitter", DoubleValue(0));
    Ptr<CongestionControl> control = Start();
    control->GetStartBytes();
    m_active = 127; // posted in the same instant, before anything could be sent
    EXPECT_EQ(control->GetRateBps(0), kFixedRateLine / 127);
    m_active = 3;
    control->OnSent(0, kWireFrame);
    EXPECT_EQ(control->GetRateBps(1'000'000), kFixedRateLine / 127);
    EXPECT_EQ(Start()->GetRateBps(1'000'000), kFixedRateLine / 3) << "a fork begins anew";
}

TEST_F(FixedRate, OfAGivenRateIsNotShared)
{
    m_prototype->SetAttribute("Jitter", DoubleValue(0));
    m_prototype->SetAttribute("Rate", Rate(10 * kGbps));
    m_active = 5;
    EXPECT_EQ(Start()->GetRateBps(0), 10 * kGbps);
}

TEST_F(FixedRate, IsMultipliedByTheLoad)
{
    m_prototype->SetAttribute("Jitter", DoubleValue(0));
    m_active = 2;
    m_prototype->SetAttribute("Load", DoubleValue(0.75));
    EXPECT_EQ(Start()->GetRateBps(0), 300 * kGbps);
    m_prototype->SetRhoMax(0.5);
    EXPECT_EQ(Start()->GetRateBps(0), 150 * kGbps);
    EXPECT_FALSE(m_prototype->WantsRhoMax());
    m_prototype->SetAttribute("RhoMax", BooleanValue(true));
    EXPECT_TRUE(m_prototype->WantsRhoMax());
}

TEST_F(FixedRate, RefusesALoadOfNothing)
{
    EXPECT_NO_THROW(m_prototype->Check());
    m_prototype->SetAttribute("Load", DoubleValue(0));
    EXPECT_THROW(m_prototype->Check(), ConfigurationError);
}

TEST_F(FixedRate, ShortensEveryGapByUpToTheJitterAndLengthensNone)
{
    Ptr<CongestionControl> control = Start();
    constexpr int kGaps = 20'000;
    std::set<uint64_t> rates;
    double sum = 0;
    double longest = 0;
    double shortest = 1;
    for (int i = 0; i < kGaps; ++i)
    {
        const uint64_t rate = control->GetRateBps(i);
        EXPECT_EQ(control->GetRateBps(i), rate) << "one draw a gap";
        rates.insert(rate);
        const double gap = static_cast<double>(kFixedRateLine) / rate;
        sum += gap;
        longest = std::max(longest, gap);
        shortest = std::min(shortest, gap);
        control->OnSent(i, kWireFrame);
    }
    EXPECT_GT(rates.size(), kGaps * 0.99);
    EXPECT_LE(longest, 1 + 1e-11);
    EXPECT_GT(longest, 0.9999);
    EXPECT_GE(shortest, 0.99);
    EXPECT_LT(shortest, 0.9901);
    // 1 - jitter/2, with five standard deviations of a mean of 20000 draws.
    EXPECT_NEAR(sum / kGaps, 0.995, 5 * 0.01 / std::sqrt(12.0 * kGaps));
}

TEST_F(FixedRate, LengthensEveryGapIfToldTo)
{
    m_prototype->SetAttribute("Lengthen", BooleanValue(true));
    Ptr<CongestionControl> control = Start();
    double sum = 0;
    constexpr int kGaps = 20'000;
    for (int i = 0; i < kGaps; ++i)
    {
        const double gap = static_cast<double>(kFixedRateLine) / control->GetRateBps(i);
        EXPECT_GE(gap, 1);
        EXPECT_LE(gap, 1.01 + 1e-11);
        sum += gap;
        control->OnSent(i, kWireFrame);
    }
    EXPECT_NEAR(sum / kGaps, 1.005, 5 * 0.01 / std::sqrt(12.0 * kGaps));
}

TEST_F(FixedRate, HoldsTheFirstFrameBackForAPartOfAGap)
{
    double sum = 0;
    uint32_t smallest = kWireFrame;
    uint32_t largest = 0;
    constexpr int kDraws = 20'000;
    for (int i = 0; i < kDraws; ++i)
    {
        const uint32_t bytes = Start()->GetStartBytes();
        ASSERT_LT(bytes, kWireFrame);
        smallest = std::min(smallest, bytes);
        largest = std::max(largest, bytes);
        sum += bytes;
    }
    EXPECT_LT(smallest, 10U);
    EXPECT_GT(largest, kWireFrame - 10);
    EXPECT_NEAR(sum / kDraws, kWireFrame / 2.0, 5 * kWireFrame / std::sqrt(12.0 * kDraws));
    m_prototype->SetAttribute("RandomStart", BooleanValue(false));
    EXPECT_EQ(Start()->GetStartBytes(), 0U);
}

// In the network: 400 Gbps, 500 ns.

constexpr TimePs kFixedRateDelay = 500'000;
constexpr TimePs kFixedRateFullFrame = TimePs{kWireFrame} * 20;

/// \return a cluster with this control
Ptr<CongestionControl>
UseFixedRate(TestCluster& test)
{
    Ptr<CongestionControl> control = MakeComponent<CongestionControl>("FixedRateCongestionControl");
    test.transport->SetAttribute("CongestionControl", PointerValue(control));
    return control;
}

/// When each NIC sent its data frames, by queue pair.
struct SendTimes
{
    explicit SendTimes(Port& port)
        : agenda(port.GetAgenda())
    {
        port.TraceConnectWithoutContext("Transmit", MakeCallback(&SendTimes::OnTransmit, this));
    }

    void OnTransmit(Time, const Frame& frame)
    {
        if (frame.kind == FrameKind::Data)
        {
            times[frame.destinationNic].push_back(agenda.Now());
        }
    }

    Agenda& agenda;
    std::map<uint32_t, std::vector<TimePs>> times;
};

TEST(FixedRateRun, PacesExactlyWithoutJitter)
{
    TestCluster test(2);
    Ptr<CongestionControl> control = UseFixedRate(test);
    control->SetAttribute("Rate", Rate(20 * kGbps));
    control->SetAttribute("Load", DoubleValue(0.5));
    control->SetAttribute("Jitter", DoubleValue(0));
    control->SetAttribute("RandomStart", BooleanValue(false));
    test.Build();
    const Message& message = test.Post(0, 1, 100 * 4096);
    test.Run();
    // 4178 B at 10 Gbps take 3342.4 ns.
    EXPECT_EQ(message.end, 99 * 3'342'400 + 2 * (kFixedRateFullFrame + kFixedRateDelay));
}

TEST(FixedRateRun, OfOneFlowAtFullLoadIsLimitedByTheLineOnly)
{
    // The shortened gaps are over before the port is free again: frames follow each other.
    TestCluster test(2);
    UseFixedRate(test);
    test.Build();
    SendTimes sent(test.GetNicPort(0));
    const Message& message = test.Post(0, 1, 1000 * 4096);
    test.Run();
    const std::vector<TimePs>& times = sent.times.at(1);
    ASSERT_EQ(times.size(), 1000U);
    EXPECT_GT(times.front(), 0);
    EXPECT_LT(times.front(), kFixedRateFullFrame);
    EXPECT_EQ(times.back() - times.front(), 999 * kFixedRateFullFrame);
    EXPECT_EQ(message.end, times.back() + 2 * (kFixedRateFullFrame + kFixedRateDelay));
}

TEST(FixedRateRun, SharesTheLineAmongWhatIsPostedTogether)
{
    // 31 messages posted one by one in one instant: each starts within a gap of 31 frame times,
    // and each gap is at most that, shortened by 1% at most, as far as the port is free.
    constexpr uint32_t kPeers = 31;
    constexpr uint32_t kFrames = 40;
    TestCluster test(kPeers + 1);
    Ptr<CongestionControl> control = UseFixedRate(test);
    control->SetAttribute("Load", DoubleValue(0.5));
    test.Build();
    SendTimes sent(test.GetNicPort(0));
    for (uint32_t peer = 1; peer <= kPeers; ++peer)
    {
        test.Post(0, peer, kFrames * 4096);
    }
    test.Run();
    const TimePs gap = 2 * kPeers * kFixedRateFullFrame;
    TimePs earliest = kNever;
    TimePs latest = 0;
    TimePs sum = 0;
    ASSERT_EQ(sent.times.size(), kPeers);
    for (const auto& [peer, times] : sent.times)
    {
        ASSERT_EQ(times.size(), kFrames);
        earliest = std::min(earliest, times.front());
        latest = std::max(latest, times.front());
        for (uint32_t i = 1; i < kFrames; ++i)
        {
            const TimePs between = times[i] - times[i - 1];
            sum += between;
            // A frame may have to wait for some others that are due at the same time.
            EXPECT_GE(between, gap * 99 / 100 - 1);
            EXPECT_LE(between, gap + 10 * kFixedRateFullFrame);
        }
    }
    EXPECT_LT(earliest, gap / 5);
    EXPECT_GT(latest, gap * 4 / 5);
    EXPECT_LT(latest, gap + 5 * kFixedRateFullFrame);
    const double mean = static_cast<double>(sum) / (kPeers * (kFrames - 1));
    EXPECT_GT(mean, 0.994 * gap);
    EXPECT_LT(mean, gap);
}

TEST(FixedRateRun, GivesALaterMessageTheShareOfItsOwnTime)
{
    TestCluster test(3);
    Ptr<CongestionControl> control = UseFixedRate(test);
    control->SetAttribute("Jitter", DoubleValue(0));
    control->SetAttribute("RandomStart", BooleanValue(false));
    test.Build();
    SendTimes sent(test.GetNicPort(0));
    test.Post(0, 1, 100 * 4096);
    test.Post(0, 2, 3 * 4096, -1, -1, 50 * kFixedRateFullFrame + 1);
    test.Run();
    const std::vector<TimePs>& late = sent.times.at(2);
    EXPECT_EQ(late[0], 52 * kFixedRateFullFrame); // the other one's turn comes first
    // Two queue pairs are busy then, so its gap is two frames, after which it waits for the port.
    EXPECT_EQ(late[1] - late[0], 2 * kFixedRateFullFrame);
}

} // namespace
