// SPDX-License-Identifier: GPL-2.0-only
#include "flow-parts.h"

#include "ns3/completion-window.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

/// Three servers of one GPU. A short message to the first and a long one from the second share the
/// cable to the third.
class CompletionWindowTest : public testing::Test
{
  protected:
    static constexpr uint64_t kShort = 1'000'000;
    static constexpr double kLine = 50e9; // bytes/s of 400 Gbit/s
    static constexpr double kTolerance = 0.1;
    static constexpr double kWindow = 0.8 * kTolerance; // part of the time since the last post

    CompletionWindowTest()
        : m_parts(LayRails(3, 1), MakeSettings()),
          m_window(kTolerance,
                   m_parts.queues,
                   m_parts.classes,
                   m_parts.clocks,
                   m_parts.errorBound,
                   m_parts.network,
                   m_parts.completionTimes)
    {
    }

    static FlowSettings MakeSettings()
    {
        FlowSettings settings;
        settings.tolerance = kTolerance;
        return settings;
    }

    /// Both are served from now on.
    void Begin()
    {
        m_parts.messages[0].start = m_parts.messages[1].start = 0;
        m_short = m_parts.Add(m_parts.messages[0]);
        m_long = m_parts.Add(m_parts.messages[1]);
        for (const uint32_t number : {m_short, m_long})
        {
            m_parts.classes.Begin(number);
        }
        Solve();
    }

    void Solve()
    {
        m_parts.network.Solve();
        for (const uint32_t number : {m_short, m_long})
        {
            const uint32_t flowClass = m_parts.queues[number].flowClass;
            GoAlone(m_parts.clocks, flowClass, m_parts.network.GetRate(flowClass), NowPs());
            m_parts.classes.ChooseStop(flowClass);
        }
    }

    double GetRate(uint32_t number) const
    {
        return m_parts.network.GetRate(m_parts.queues[number].flowClass);
    }

    FlowParts m_parts;
    CompletionWindow m_window;
    uint32_t m_short{0};
    uint32_t m_long{0};
};

TEST_F(CompletionWindowTest, WhoeverEndsSoonLeavesSomethingToOthersAtOnce)
{
    m_parts.completionTimes.Expect(m_parts.Make(0, 2, kShort, 0), 0);
    m_parts.completionTimes.Expect(m_parts.Make(1, 2, 100 * kShort, 0), 0);
    Begin();
    const double half = GetRate(m_long);
    EXPECT_NEAR(half, kLine / 2, kLine / 100);
    // The short one takes 42 us.
    const TimePs end = m_parts.clocks.GetDue(m_parts.queues[m_short].flowClass);
    const TimePs now = end - end / 22;
    m_window.Examine(now);
    EXPECT_EQ(m_window.GetEnd(), now + static_cast<TimePs>(kWindow * static_cast<double>(now)));
    EXPECT_EQ(m_window.GetWindow(), m_window.GetEnd() - now);
    m_parts.network.Solve();
    EXPECT_GT(GetRate(m_long), 1.2 * half);
    m_window.Examine(end / 2);
    m_parts.network.Solve();
    EXPECT_DOUBLE_EQ(GetRate(m_long), half) << "nobody ends soon";
}

TEST_F(CompletionWindowTest, WhileSomebodyAwaitsAMessageNothingIsTakenTogether)
{
    Message& message = m_parts.Make(0, 2, kShort, 0);
    message.isAwaited = true;
    m_parts.completionTimes.Expect(message, 0);
    m_parts.completionTimes.Expect(m_parts.Make(1, 2, 100 * kShort, 0), 0);
    Begin();
    m_window.Examine(1000);
    EXPECT_EQ(m_window.GetEnd(), 1000);
}

TEST_F(CompletionWindowTest, WhereNobodyEndsNoWindowCounts)
{
    m_parts.completionTimes.Expect(m_parts.Make(0, 2, kShort, 0), 0);
    m_parts.completionTimes.Expect(m_parts.Make(1, 2, 100 * kShort, 0), 0);
    Begin();
    const TimePs early = m_parts.clocks.GetDue(m_parts.queues[m_short].flowClass) / 4;
    m_window.Examine(early);
    EXPECT_GT(m_window.GetEnd(), early);
    EXPECT_EQ(m_window.GetWindow(), 0);
    // Unless a flow ends in it that was not seen coming.
    EXPECT_EQ(m_window.PutOff(early + 1), m_window.GetEnd());
    const TimePs later = 2 * early;
    m_window.Examine(later);
    EXPECT_EQ(m_window.GetWindow(), static_cast<TimePs>(kWindow * static_cast<double>(early)));
    EXPECT_EQ(m_window.PutOff(3 * early), 3 * early) << "the window is over";
}

TEST_F(CompletionWindowTest, WhereAllEndRatesAreFoundAtEachEnd)
{
    m_parts.completionTimes.Expect(m_parts.Make(0, 2, kShort, 0), 0);
    m_parts.completionTimes.Expect(m_parts.Make(1, 2, kShort + 1000, 0), 0);
    Begin();
    const double half = GetRate(m_long);
    const TimePs end = m_parts.clocks.GetDue(m_parts.queues[m_short].flowClass);
    m_window.Examine(end - 1000);
    EXPECT_EQ(m_window.GetEnd(), end - 1000);
    m_parts.network.Solve();
    EXPECT_DOUBLE_EQ(GetRate(m_long), half);
}

TEST_F(CompletionWindowTest, AWindowLeavesRoomForWhatEndsAreOffAlready)
{
    m_parts.completionTimes.Expect(m_parts.Make(0, 2, kShort, 0), 0);
    m_parts.completionTimes.Expect(m_parts.Make(1, 2, 100 * kShort, 0), 0);
    Begin();
    const uint32_t flowClass = m_parts.queues[m_long].flowClass;
    const TimePs now = 10'000'000;
    const auto tell = [&](double rate) {
        m_parts.errorBound.BeginSettling(0, now / 2);
        m_parts.errorBound.SetRate(flowClass, rate);
    };
    tell(1e9);
    m_parts.errorBound.SetPace(flowClass, flowClass);
    tell(1.5e9); // 5 us * 0.5e9 * 0.5e9 / 2e9: a 24th of what is served in 10 us
    m_window.Examine(now);
    EXPECT_NEAR(static_cast<double>(m_window.GetEnd() - now),
                (0.9 * kTolerance - 1.0 / 24) * static_cast<double>(now),
                1);
    tell(5e9); // more than all
    m_window.Examine(now);
    EXPECT_EQ(m_window.GetEnd(), now);
}
