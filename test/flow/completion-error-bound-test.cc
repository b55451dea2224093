// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/completion-error-bound.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;

/// Classes 0 and 1 go at the paces 0 and 1, at 1 and 4 GB/s; queues have the numbers of their
/// classes. Windows are a microsecond, and nothing is off without them.
class CompletionErrorBoundTest : public testing::Test
{
  protected:
    static constexpr TimePs kWindow = 1'000'000;
    static constexpr double kAlways = 1e-9;

    CompletionErrorBoundTest()
    {
        m_message.start = 0;
        m_errorBound.BeginSettling(0, 0);
        for (const uint32_t number : {0, 1})
        {
            m_errorBound.Open(number);
            m_errorBound.Begin(number, number, 0);
            m_errorBound.SetRate(number, number == 0 ? 1e9 : 4e9);
            m_errorBound.SetPace(number, number);
        }
    }

    void SetRate(uint32_t pace, double rate, TimePs window = kWindow)
    {
        m_errorBound.BeginSettling(0, window);
        m_errorBound.SetRate(pace, rate);
    }

    /// \return by how many microseconds the end of a message may be off that is over after 100 us
    double End(uint32_t number)
    {
        CompletionErrorBound errorBound = m_errorBound; // others may come later
        errorBound.NoteServed(number, number, m_message, 100 * kWindow);
        EXPECT_NEAR(errorBound.GetLargest().part, errorBound.GetLargest().seconds / 100e-6, 1e-12);
        return 1e6 * errorBound.GetLargest().seconds;
    }

    CompletionErrorBound m_errorBound{kAlways};
    Message m_message;
};

namespace
{

constexpr double kNear = 1e-6;

} // namespace

TEST_F(CompletionErrorBoundTest, WhoEndsInTheWindowIsOffByTheWholeChange)
{
    SetRate(0, 1.5e9);
    EXPECT_NEAR(End(0), 0.5 / 1.5, kNear);
    EXPECT_NEAR(End(1), 0, kNear) << "it did not change";
}

TEST_F(CompletionErrorBoundTest, WhoEndsLaterIsOffByTheCurvature)
{
    SetRate(0, 1.5e9);
    m_errorBound.BeginSettling(0, kWindow); // and its rate stays
    EXPECT_NEAR(End(0), 0.5 * 0.5 / 2 / 1.5, kNear);
}

TEST_F(CompletionErrorBoundTest, TheCurvatureIsNoMoreThanTheChange)
{
    SetRate(0, 5e9);
    m_errorBound.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), 4.0 / 5, kNear);
}

TEST_F(CompletionErrorBoundTest, WhatIsLastingAddsUp)
{
    SetRate(0, 1.5e9);
    SetRate(0, 2e9);
    m_errorBound.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 0.5 * 0.5 / 3) / 2, kNear);
}

TEST_F(CompletionErrorBoundTest, WithoutAWindowNothingIsOff)
{
    SetRate(0, 1.5e9, 0);
    EXPECT_NEAR(End(0), 0, kNear);
}

TEST_F(CompletionErrorBoundTest, AClassTakesWhatItIsOffByToAnotherPace)
{
    SetRate(0, 1.5e9);
    SetRate(1, 3e9);
    m_errorBound.BeginSettling(0, kWindow);
    m_errorBound.SetPace(0, 1); // from 1.5 to 3
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 1.5) / 3, kNear) << "of pace 1, only what comes";
    m_errorBound.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 1.5 * 1.5 / 3) / 3, kNear);
    SetRate(1, 4e9);
    m_errorBound.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 1.5 * 1.5 / 3 + 1.0 / 6) / 4, kNear);
}

TEST_F(CompletionErrorBoundTest, AClassThatMovesIsComparedWithItsRateBefore)
{
    m_errorBound.BeginSettling(0, kWindow);
    m_errorBound.SetRate(0, 2e9); // without it
    m_errorBound.SetRate(1, 1.5e9);
    m_errorBound.SetPace(0, 1);
    EXPECT_NEAR(End(0), 0.5 / 1.5, kNear);
}

TEST_F(CompletionErrorBoundTest, AQueueHasWhatIsLastingSinceItBegan)
{
    SetRate(0, 1.5e9);
    m_errorBound.BeginSettling(0, 0);
    m_errorBound.Begin(2, 0, 0);
    m_errorBound.NoteServed(2, 0, m_message, 100 * kWindow);
    EXPECT_NEAR(1e6 * m_errorBound.GetLargest().seconds, 0, kNear);
    // It takes what comes to another class, until it has nothing to serve.
    SetRate(0, 2e9);
    m_errorBound.BeginSettling(0, 0);
    m_errorBound.End(2, 0);
    m_errorBound.Begin(2, 1, 0);
    m_errorBound.NoteServed(2, 1, m_message, 100 * kWindow);
    EXPECT_NEAR(1e6 * m_errorBound.GetLargest().seconds, 0.5 * 0.5 / 3 / 4, kNear);
    m_errorBound.End(2, 1);
    m_errorBound.Forget(2);
    m_errorBound.Begin(2, 1, 0);
    m_errorBound.End(0, 0); // the first one alone has more
    m_errorBound.Close(0);
    m_errorBound.NoteServed(2, 1, m_message, 100 * kWindow);
    EXPECT_NEAR(1e6 * m_errorBound.GetLargest().seconds, 0.5 * 0.5 / 3 / 4, kNear) << "as before";
}

TEST_F(CompletionErrorBoundTest, WhatIsBroughtIsOffByTheQueuesBeforeToo)
{
    SetRate(0, 1.5e9);
    m_errorBound.NoteServed(0, 0, m_message, 100 * kWindow);
    m_errorBound.PassOn(0, 1);
    EXPECT_NEAR(End(1), 0.5 / 1.5, kNear);
    SetRate(1, 8e9);
    EXPECT_NEAR(End(1), 0.5 / 1.5 + 4.0 / 8, kNear);
}

TEST_F(CompletionErrorBoundTest, WhatIsOverAsItsRateGoesWasServedBefore)
{
    m_errorBound.BeginSettling(100 * kWindow, kWindow);
    m_errorBound.SetRate(0, 0.4e9); // rates are found in rounds where queues feed others
    m_errorBound.SetRate(0, 0);
    EXPECT_NEAR(End(0), 1, kNear);
}

TEST_F(CompletionErrorBoundTest, WhatIsOverAsItComesToAFasterPaceIsNotCountedAtThatOnesRateBefore)
{
    SetRate(2, 1, 0);
    m_errorBound.BeginSettling(100 * kWindow, kWindow);
    m_errorBound.SetRate(2, 2e9);
    m_errorBound.SetPace(0, 2);
    EXPECT_NEAR(End(0), 1.0 / 2, kNear);
}

TEST_F(CompletionErrorBoundTest, WhatGoesAtAPaceThatHasHadNoRateStandsStill)
{
    SetRate(0, 1.5e9);
    m_errorBound.BeginSettling(0, kWindow);
    m_errorBound.SetPace(0, 1000);
    m_errorBound.BeginSettling(0, kWindow);
    m_errorBound.SetRate(1000, 1e9);
    m_errorBound.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), 0.5 * 0.5 / 2 + 1.5 + 1, kNear);
}

TEST_F(CompletionErrorBoundTest, WhatIsBroughtMayBeKnownBeforeWhatItIsBroughtTo)
{
    SetRate(0, 1.5e9);
    m_errorBound.NoteServed(0, 0, m_message, 100 * kWindow);
    m_errorBound.PassOn(0, 1000);
    m_errorBound.Begin(1000, 1, 0);
    m_errorBound.NoteServed(1000, 1, m_message, 200 * kWindow);
    EXPECT_NEAR(1e6 * m_errorBound.GetLargest().seconds, 0.5 / 1.5, kNear);
}

TEST_F(CompletionErrorBoundTest, TheLargestLastingPartIsOfTheYoungestMessageOfAClass)
{
    SetRate(0, 1.5e9);
    const double lasting = 0.5 * 0.5 / 2 / 1.5; // of a microsecond
    EXPECT_NEAR(m_errorBound.FindLargestLasting(100 * kWindow), lasting / 100, kNear);
    m_errorBound.Begin(2, 0, 90 * kWindow);
    EXPECT_NEAR(m_errorBound.FindLargestLasting(100 * kWindow), lasting / 10, kNear);
    m_errorBound.Close(0);
    EXPECT_EQ(m_errorBound.FindLargestLasting(100 * kWindow), 0);
}

TEST_F(CompletionErrorBoundTest, TheLargestLastingPartHasWhatAQueueBringsFromAnotherClass)
{
    SetRate(0, 1.5e9);
    m_errorBound.BeginSettling(0, 0);
    m_errorBound.End(0, 0);
    m_errorBound.Close(0);
    EXPECT_EQ(m_errorBound.FindLargestLasting(100 * kWindow), 0);
    m_errorBound.Begin(0, 1, 0);
    EXPECT_NEAR(m_errorBound.FindLargestLasting(100 * kWindow), 0.5 * 0.5 / 2 / 4 / 100, kNear);
}

TEST_F(CompletionErrorBoundTest, WhereRatesAreExactNothingIsKept)
{
    m_errorBound = CompletionErrorBound(0);
    m_errorBound.Open(0);
    m_errorBound.Begin(0, 0, 0);
    SetRate(0, 1e9);
    m_errorBound.SetPace(0, 0);
    SetRate(0, 2e9);
    m_errorBound.NoteServed(0, 0, m_message, kWindow);
    m_errorBound.PassOn(0, 1);
    m_errorBound.End(0, 0);
    m_errorBound.Forget(0);
    m_errorBound.Close(0);
    EXPECT_EQ(m_errorBound.GetLargest().part, 0);
    EXPECT_EQ(m_errorBound.FindLargestLasting(kWindow), 0);
}
