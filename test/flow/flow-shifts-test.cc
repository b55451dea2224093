// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-shifts.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;

/// Classes 0 and 1 go at the paces 0 and 1, at 1 and 4 GB/s; queues have the numbers of their
/// classes. Windows are a microsecond, and nothing is off without them.
class FlowShiftsTest : public testing::Test
{
  protected:
    static constexpr TimePs kWindow = 1'000'000;
    static constexpr double kAlways = 1e-9;

    FlowShiftsTest()
    {
        m_message.start = 0;
        m_shifts.BeginSettling(0, 0);
        for (const uint32_t number : {0, 1})
        {
            m_shifts.Open(number);
            m_shifts.Begin(number, number, 0);
            m_shifts.SetRate(number, number == 0 ? 1e9 : 4e9);
            m_shifts.SetPace(number, number);
        }
    }

    void SetRate(uint32_t pace, double rate, TimePs window = kWindow)
    {
        m_shifts.BeginSettling(0, window);
        m_shifts.SetRate(pace, rate);
    }

    /// \return by how many microseconds the end of a message may be off that is over after 100 us
    double End(uint32_t number)
    {
        FlowShifts shifts = m_shifts; // others may come later
        shifts.NoteServed(number, number, m_message, 100 * kWindow);
        EXPECT_NEAR(shifts.GetLargest().part, shifts.GetLargest().seconds / 100e-6, 1e-12);
        return 1e6 * shifts.GetLargest().seconds;
    }

    FlowShifts m_shifts{kAlways};
    Message m_message;
};

namespace
{

constexpr double kNear = 1e-6;

} // namespace

TEST_F(FlowShiftsTest, WhoEndsInTheWindowIsOffByTheWholeChange)
{
    SetRate(0, 1.5e9);
    EXPECT_NEAR(End(0), 0.5 / 1.5, kNear);
    EXPECT_NEAR(End(1), 0, kNear) << "it did not change";
}

TEST_F(FlowShiftsTest, WhoEndsLaterIsOffByTheCurvature)
{
    SetRate(0, 1.5e9);
    m_shifts.BeginSettling(0, kWindow); // and its rate stays
    EXPECT_NEAR(End(0), 0.5 * 0.5 / 2 / 1.5, kNear);
}

TEST_F(FlowShiftsTest, TheCurvatureIsNoMoreThanTheChange)
{
    SetRate(0, 5e9);
    m_shifts.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), 4.0 / 5, kNear);
}

TEST_F(FlowShiftsTest, WhatIsLastingAddsUp)
{
    SetRate(0, 1.5e9);
    SetRate(0, 2e9);
    m_shifts.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 0.5 * 0.5 / 3) / 2, kNear);
}

TEST_F(FlowShiftsTest, WithoutAWindowNothingIsOff)
{
    SetRate(0, 1.5e9, 0);
    EXPECT_NEAR(End(0), 0, kNear);
}

TEST_F(FlowShiftsTest, AClassTakesWhatItIsOffByToAnotherPace)
{
    SetRate(0, 1.5e9);
    SetRate(1, 3e9);
    m_shifts.BeginSettling(0, kWindow);
    m_shifts.SetPace(0, 1); // from 1.5 to 3
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 1.5) / 3, kNear) << "of pace 1, only what comes";
    m_shifts.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 1.5 * 1.5 / 3) / 3, kNear);
    SetRate(1, 4e9);
    m_shifts.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), (0.5 * 0.5 / 2 + 1.5 * 1.5 / 3 + 1.0 / 6) / 4, kNear);
}

TEST_F(FlowShiftsTest, AClassThatMovesIsComparedWithItsRateBefore)
{
    m_shifts.BeginSettling(0, kWindow);
    m_shifts.SetRate(0, 2e9); // without it
    m_shifts.SetRate(1, 1.5e9);
    m_shifts.SetPace(0, 1);
    EXPECT_NEAR(End(0), 0.5 / 1.5, kNear);
}

TEST_F(FlowShiftsTest, AQueueHasWhatIsLastingSinceItBegan)
{
    SetRate(0, 1.5e9);
    m_shifts.BeginSettling(0, 0);
    m_shifts.Begin(2, 0, 0);
    m_shifts.NoteServed(2, 0, m_message, 100 * kWindow);
    EXPECT_NEAR(1e6 * m_shifts.GetLargest().seconds, 0, kNear);
    // It takes what comes to another class, until it has nothing to serve.
    SetRate(0, 2e9);
    m_shifts.BeginSettling(0, 0);
    m_shifts.End(2, 0);
    m_shifts.Begin(2, 1, 0);
    m_shifts.NoteServed(2, 1, m_message, 100 * kWindow);
    EXPECT_NEAR(1e6 * m_shifts.GetLargest().seconds, 0.5 * 0.5 / 3 / 4, kNear);
    m_shifts.End(2, 1);
    m_shifts.Forget(2);
    m_shifts.Begin(2, 1, 0);
    m_shifts.End(0, 0); // the first one alone has more
    m_shifts.Close(0);
    m_shifts.NoteServed(2, 1, m_message, 100 * kWindow);
    EXPECT_NEAR(1e6 * m_shifts.GetLargest().seconds, 0.5 * 0.5 / 3 / 4, kNear) << "as before";
}

TEST_F(FlowShiftsTest, WhatIsBroughtIsOffByTheQueuesBeforeToo)
{
    SetRate(0, 1.5e9);
    m_shifts.NoteServed(0, 0, m_message, 100 * kWindow);
    m_shifts.PassOn(0, 1);
    EXPECT_NEAR(End(1), 0.5 / 1.5, kNear);
    SetRate(1, 8e9);
    EXPECT_NEAR(End(1), 0.5 / 1.5 + 4.0 / 8, kNear);
}

TEST_F(FlowShiftsTest, WhatIsOverAsItsRateGoesWasServedBefore)
{
    m_shifts.BeginSettling(100 * kWindow, kWindow);
    m_shifts.SetRate(0, 0.4e9); // rates are found in rounds where queues feed others
    m_shifts.SetRate(0, 0);
    EXPECT_NEAR(End(0), 1, kNear);
}

TEST_F(FlowShiftsTest, WhatIsOverAsItComesToAFasterPaceIsNotCountedAtThatOnesRateBefore)
{
    SetRate(2, 1, 0);
    m_shifts.BeginSettling(100 * kWindow, kWindow);
    m_shifts.SetRate(2, 2e9);
    m_shifts.SetPace(0, 2);
    EXPECT_NEAR(End(0), 1.0 / 2, kNear);
}

TEST_F(FlowShiftsTest, WhatGoesAtAPaceThatHasHadNoRateStandsStill)
{
    SetRate(0, 1.5e9);
    m_shifts.BeginSettling(0, kWindow);
    m_shifts.SetPace(0, 1000);
    m_shifts.BeginSettling(0, kWindow);
    m_shifts.SetRate(1000, 1e9);
    m_shifts.BeginSettling(0, kWindow);
    EXPECT_NEAR(End(0), 0.5 * 0.5 / 2 + 1.5 + 1, kNear);
}

TEST_F(FlowShiftsTest, WhatIsBroughtMayBeKnownBeforeWhatItIsBroughtTo)
{
    SetRate(0, 1.5e9);
    m_shifts.NoteServed(0, 0, m_message, 100 * kWindow);
    m_shifts.PassOn(0, 1000);
    m_shifts.Begin(1000, 1, 0);
    m_shifts.NoteServed(1000, 1, m_message, 200 * kWindow);
    EXPECT_NEAR(1e6 * m_shifts.GetLargest().seconds, 0.5 / 1.5, kNear);
}

TEST_F(FlowShiftsTest, TheLargestLastingPartIsOfTheYoungestMessageOfAClass)
{
    SetRate(0, 1.5e9);
    const double lasting = 0.5 * 0.5 / 2 / 1.5; // of a microsecond
    EXPECT_NEAR(m_shifts.FindLargestLasting(100 * kWindow), lasting / 100, kNear);
    m_shifts.Begin(2, 0, 90 * kWindow);
    EXPECT_NEAR(m_shifts.FindLargestLasting(100 * kWindow), lasting / 10, kNear);
    m_shifts.Close(0);
    EXPECT_EQ(m_shifts.FindLargestLasting(100 * kWindow), 0);
}

TEST_F(FlowShiftsTest, TheLargestLastingPartHasWhatAQueueBringsFromAnotherClass)
{
    SetRate(0, 1.5e9);
    m_shifts.BeginSettling(0, 0);
    m_shifts.End(0, 0);
    m_shifts.Close(0);
    EXPECT_EQ(m_shifts.FindLargestLasting(100 * kWindow), 0);
    m_shifts.Begin(0, 1, 0);
    EXPECT_NEAR(m_shifts.FindLargestLasting(100 * kWindow), 0.5 * 0.5 / 2 / 4 / 100, kNear);
}

TEST_F(FlowShiftsTest, WhereRatesAreExactNothingIsKept)
{
    m_shifts = FlowShifts(0);
    m_shifts.Open(0);
    m_shifts.Begin(0, 0, 0);
    SetRate(0, 1e9);
    m_shifts.SetPace(0, 0);
    SetRate(0, 2e9);
    m_shifts.NoteServed(0, 0, m_message, kWindow);
    m_shifts.PassOn(0, 1);
    m_shifts.End(0, 0);
    m_shifts.Forget(0);
    m_shifts.Close(0);
    EXPECT_EQ(m_shifts.GetLargest().part, 0);
    EXPECT_EQ(m_shifts.FindLargestLasting(kWindow), 0);
}
