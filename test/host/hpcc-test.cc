// SPDX-License-Identifier: GPL-2.0-only

// HPCC step by step: what is made of the reports of ports, and of that a window.

#include "../support/test-cluster.h"

#include "ns3/hpcc-congestion-control.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint64_t kHpccLine = 100 * kGbps;
constexpr TimePs kHpccUs = 1'000'000;
constexpr uint64_t kHpccBytesPerUs = 12'500;       // of a port at 100 Gbps
constexpr double kHpccStartWindow = 10 * 12'500.0; // in a base round trip of 10 us
constexpr double kHpccIncrease = 80;

/// A queue pair's control, and ports on its way of which each sends at a rate that a test sets.
class Hpcc : public testing::Test
{
  protected:
    Hpcc()
    {
        m_prototype->SetAttribute("BaseRoundTrip", Ps(10 * kHpccUs));
    }

    Ptr<HpccCongestionControl> Start()
    {
        Ptr<HpccCongestionControl> control =
            DynamicCast<HpccCongestionControl>(m_prototype->Fork());
        control->Join({&m_active, 4178, nullptr, 4096});
        control->Start(0, kHpccLine);
        return control;
    }

    /// \return the report of a port
    static PortReport Report(TimePs at, uint64_t wireBytes, uint64_t queueBytes, uint32_t port = 0)
    {
        return {1, port, queueBytes, wireBytes, at, kHpccLine};
    }

    /// An ACK comes that brings reports, of a frame that was sent a time before.
    static void Acknowledge(HpccCongestionControl& control,
                            TimePs now,
                            TimePs roundTrip,
                            const std::vector<PortReport>& reports)
    {
        Telemetry telemetry;
        for (const PortReport& report : reports)
        {
            telemetry.Add(report);
        }
        control.OnAck(now, {false, roundTrip, &telemetry});
    }

    /// A round trip passes in which one port sends a part of its rate and keeps a queue.
    void PassRoundTrip(HpccCongestionControl& control, double part, uint64_t queueBytes = 0)
    {
        m_now += 10 * kHpccUs;
        m_sent += static_cast<uint64_t>(part * 10 * kHpccBytesPerUs);
        Acknowledge(control, m_now, 10 * kHpccUs, {Report(m_now, m_sent, queueBytes)});
    }

    uint32_t m_active{1};
    TimePs m_now{0};
    uint64_t m_sent{0};
    Ptr<HpccCongestionControl> m_prototype{CreateObject<HpccCongestionControl>()};
};

TEST_F(Hpcc, StartsAtLineRateWithWhatThatSendsInABaseRoundTrip)
{
    const auto control = Start();
    EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow);
    EXPECT_EQ(control->GetRateBps(0), kHpccLine);
    EXPECT_EQ(control->GetWindowBytes(), 30 * 4096U) << "29.9 frames: the last one goes too";
    EXPECT_EQ(control->GetNextChange(0), kNever);
    EXPECT_TRUE(control->GetTraits().usesAcks);
    EXPECT_TRUE(control->GetTraits().usesTelemetry);
    EXPECT_FALSE(control->GetTraits().usesEcn);
}

TEST_F(Hpcc, HasTheParametersOfThePaper)
{
    const auto fresh = CreateObject<HpccCongestionControl>();
    fresh->Join({&m_active, 4178, nullptr, 4096});
    fresh->Start(0, kHpccLine);
    EXPECT_DOUBLE_EQ(fresh->GetWindow(), 13 * 12'500.0);
    DoubleValue target;
    fresh->GetAttribute("Target", target);
    EXPECT_EQ(target.Get(), 0.95);
    UintegerValue maxStage;
    fresh->GetAttribute("MaxStage", maxStage);
    EXPECT_EQ(maxStage.Get(), 5U);
    ByteSizeValue increase;
    fresh->GetAttribute("AdditiveIncrease", increase);
    EXPECT_EQ(increase.Get().Get(), 80U);
}

TEST_F(Hpcc, TheFirstAnswerIsOnlyRemembered)
{
    const auto control = Start();
    Acknowledge(*control, 10 * kHpccUs, 10 * kHpccUs, {Report(5 * kHpccUs, 0, 900'000)});
    EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow);
    EXPECT_DOUBLE_EQ(control->GetUse(), 1);
}

TEST_F(Hpcc, UseIsWhatAPortSendsAndWhatWaitsThere)
{
    // Half of the rate, and a queue of a quarter of what it sends in a base round trip.
    const auto control = Start();
    PassRoundTrip(*control, 0, 100'000);
    PassRoundTrip(*control, 0.5, 31'250);
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.75) << "the shorter queue of two";
    PassRoundTrip(*control, 0.5, 62'500);
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.75);
    PassRoundTrip(*control, 0.5, 62'500);
    EXPECT_DOUBLE_EQ(control->GetUse(), 1);
}

TEST_F(Hpcc, AShortTimeBetweenReportsCountsForItsPartOfARoundTrip)
{
    const auto control = Start();
    Acknowledge(*control, 1 * kHpccUs, 1, {Report(0, 0, 0)});
    // Nothing was sent for a tenth, and then for a fifth of it.
    Acknowledge(*control, 2 * kHpccUs, 1, {Report(1 * kHpccUs, 0, 0)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.9);
    Acknowledge(*control, 4 * kHpccUs, 1, {Report(3 * kHpccUs, 0, 0)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.72);
    // What is longer than a round trip counts alone.
    Acknowledge(*control, 40 * kHpccUs, 1, {Report(33 * kHpccUs, 15 * kHpccBytesPerUs, 0)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.5);
}

TEST_F(Hpcc, TheMostUsedPortCounts)
{
    const auto control = Start();
    Acknowledge(*control, 10 * kHpccUs, 1, {Report(0, 0, 0, 0), Report(0, 0, 0, 1)});
    Acknowledge(*control,
                20 * kHpccUs,
                1,
                {Report(10 * kHpccUs, 3 * kHpccBytesPerUs, 0, 0),
                 Report(10 * kHpccUs, 7 * kHpccBytesPerUs, 0, 1)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.7);
}

TEST_F(Hpcc, PortsOfAnotherWayAreNotComparedWithThoseOfTheFormer)
{
    const auto control = Start();
    Acknowledge(*control, 10 * kHpccUs, 1, {Report(0, 0, 0, 0), Report(0, 0, 0, 5)});
    // The first port is another one and says much; the second one is the same.
    const uint64_t much = 1'000'000'000;
    Acknowledge(
        *control,
        20 * kHpccUs,
        1,
        {Report(10 * kHpccUs, much, much, 3), Report(10 * kHpccUs, 6 * kHpccBytesPerUs, 0, 5)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.6);
    // None is the same.
    const double window = control->GetWindow();
    Acknowledge(*control,
                30 * kHpccUs,
                1,
                {Report(20 * kHpccUs, 0, 0, 0), Report(20 * kHpccUs, 0, 0, 6)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.6);
    EXPECT_DOUBLE_EQ(control->GetWindow(), window);
    // An answer that was overtaken says nothing new.
    Acknowledge(*control,
                31 * kHpccUs,
                1,
                {Report(19 * kHpccUs, 0, much, 0), Report(19 * kHpccUs, 0, much, 6)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.6);
    Acknowledge(*control,
                40 * kHpccUs,
                1,
                {Report(30 * kHpccUs, 4 * kHpccBytesPerUs, 0, 0),
                 Report(30 * kHpccUs, 2 * kHpccBytesPerUs, 0, 6)});
    EXPECT_DOUBLE_EQ(control->GetUse(), 0.4);
}

TEST_F(Hpcc, DividesTheWindowByWhatIsTooMuch)
{
    const auto control = Start();
    PassRoundTrip(*control, 1, 125'000);
    PassRoundTrip(*control, 1, 125'000);
    EXPECT_DOUBLE_EQ(control->GetUse(), 2);
    const double first = kHpccStartWindow * 0.95 / 2 + kHpccIncrease;
    EXPECT_DOUBLE_EQ(control->GetWindow(), first);
    EXPECT_NEAR(static_cast<double>(control->GetRateBps(m_now)), first * 8 / 10e-6, 1);
    PassRoundTrip(*control, 1, 125'000);
    EXPECT_DOUBLE_EQ(control->GetWindow(), first * 0.95 / 2 + kHpccIncrease);
}

TEST_F(Hpcc, AnswersOfOneRoundTripDoNotAddUp)
{
    const auto control = Start();
    Acknowledge(*control, 10 * kHpccUs, 10 * kHpccUs, {Report(0, 0, 125'000)});
    // Frames sent before 10 us say the same again and again.
    for (int i = 1; i < 10; ++i)
    {
        const TimePs now = (10 + i) * kHpccUs;
        Acknowledge(*control,
                    now,
                    10 * kHpccUs - 1 + kHpccUs,
                    {Report(i * 10 * kHpccUs, i * 10 * kHpccBytesPerUs, 125'000)});
        EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow * 0.95 / 2 + kHpccIncrease) << i;
    }
    // The first one that was sent then makes this window the reference.
    const double reference = control->GetWindow();
    Acknowledge(*control,
                20 * kHpccUs,
                10 * kHpccUs,
                {Report(100 * kHpccUs, 100 * kHpccBytesPerUs, 125'000)});
    EXPECT_DOUBLE_EQ(control->GetWindow(), reference);
    Acknowledge(*control,
                21 * kHpccUs,
                10 * kHpccUs,
                {Report(110 * kHpccUs, 110 * kHpccBytesPerUs, 125'000)});
    EXPECT_DOUBLE_EQ(control->GetWindow(), reference * 0.95 / 2 + kHpccIncrease);
}

TEST_F(Hpcc, GrowsByAConstantForSomeRoundTripsAndThenTakesWhatIsFree)
{
    const auto control = Start();
    PassRoundTrip(*control, 1, 1'125'000);
    PassRoundTrip(*control, 1, 1'125'000);
    double window = kHpccStartWindow * 0.95 / 10 + kHpccIncrease;
    EXPECT_DOUBLE_EQ(control->GetWindow(), window);
    for (int stage = 0; stage < 5; ++stage)
    {
        PassRoundTrip(*control, 0.5);
        window += kHpccIncrease;
        EXPECT_DOUBLE_EQ(control->GetWindow(), window) << stage;
    }
    PassRoundTrip(*control, 0.5);
    window = window * 0.95 / 0.5 + kHpccIncrease;
    EXPECT_DOUBLE_EQ(control->GetWindow(), window);
    // And the stages begin anew.
    PassRoundTrip(*control, 0.5);
    EXPECT_DOUBLE_EQ(control->GetWindow(), window + kHpccIncrease);
}

TEST_F(Hpcc, TheWindowNeverExceedsThatOfTheStart)
{
    m_prototype->SetAttribute("MaxStage", UintegerValue(0));
    const auto control = Start();
    for (int i = 0; i < 5; ++i)
    {
        PassRoundTrip(*control, 0.1);
        EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow);
    }
}

TEST_F(Hpcc, FollowsTheRateOfItsNic)
{
    const auto control = Start();
    control->SetLineRate(0, kHpccLine / 4);
    EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow / 4);
    EXPECT_EQ(control->GetRateBps(0), kHpccLine / 4);
    control->SetLineRate(0, kHpccLine);
    EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow) << "it was at line rate";
    PassRoundTrip(*control, 1, 125'000);
    PassRoundTrip(*control, 1, 125'000);
    const double window = control->GetWindow();
    control->SetLineRate(m_now, 2 * kHpccLine);
    EXPECT_DOUBLE_EQ(control->GetWindow(), window) << "it was slower";
}

TEST_F(Hpcc, ForkOfAUsedOneIsNew)
{
    const auto used = Start();
    PassRoundTrip(*used, 1, 125'000);
    PassRoundTrip(*used, 1, 125'000);
    ASSERT_LT(used->GetWindow(), kHpccStartWindow);
    auto fork = DynamicCast<HpccCongestionControl>(used->Fork());
    fork->Join({&m_active, 4178, nullptr, 4096});
    fork->Start(0, kHpccLine);
    EXPECT_DOUBLE_EQ(fork->GetWindow(), kHpccStartWindow);
    EXPECT_DOUBLE_EQ(fork->GetUse(), 1);
    PassRoundTrip(*fork, 1, 125'000);
    EXPECT_DOUBLE_EQ(fork->GetWindow(), kHpccStartWindow) << "nothing was remembered";
}

TEST_F(Hpcc, RefusesATargetOfNothing)
{
    m_prototype->SetAttribute("Target", DoubleValue(0));
    EXPECT_THROW(m_prototype->Check(), ConfigurationError);
    m_prototype->SetAttribute("Target", DoubleValue(0.01));
    EXPECT_NO_THROW(m_prototype->Check());
}

TEST_F(Hpcc, AFrameThatCrossedNoSwitchChangesNothing)
{
    const auto control = Start();
    Acknowledge(*control, 10 * kHpccUs, 10 * kHpccUs, {});
    control->OnAck(20 * kHpccUs, {true, 10 * kHpccUs});
    EXPECT_DOUBLE_EQ(control->GetWindow(), kHpccStartWindow);
}

} // namespace
