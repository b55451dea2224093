// SPDX-License-Identifier: GPL-2.0-only
#include "flow-alone.h"

#include "ns3/flow-calendar.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using ns3::rails::test::GoAlone;

/// A calendar that somebody works off; what was done when is noted.
class FlowCalendarTest : public testing::Test
{
  protected:
    using Duty = FlowCalendar::Duty;
    using Task = FlowCalendar::Task;

    FlowCalendarTest()
        : m_calendar(m_clocks, [this] { Work(); })
    {
    }

    ~FlowCalendarTest() override
    {
        Simulator::Destroy();
    }

    void Work()
    {
        for (Duty duty = Next(); duty != Duty::None; duty = Next())
        {
            m_done.emplace_back(NowPs(), duty);
            switch (duty)
            {
            case Duty::Stop:
                m_clocks.SetStop(m_clocks.GetNextClass(), FlowClocks::kNowhere);
                break;
            case Duty::Appointment:
                m_kept.push_back(m_calendar.TakeAppointment().index);
                break;
            case Duty::Settling:
                m_calendar.TakeSettling(NowPs());
                m_asksAgain ? m_calendar.AskToSettle(NowPs()) : void();
                break;
            default:
                m_calendar.GiveUpSettling();
                break;
            }
        }
    }

    Duty Next() const
    {
        return m_calendar.GetDuty(NowPs());
    }

    using Done = std::vector<std::pair<TimePs, Duty>>;

    FlowClocks m_clocks;
    FlowCalendar m_calendar;
    Done m_done;
    std::vector<uint32_t> m_kept;
    bool m_asksAgain{false};
};

TEST_F(FlowCalendarTest, AtOneTimeStopsComeFirstAndSettlingLast)
{
    constexpr TimePs kAt = 1000;
    m_calendar.AskToSettle(kAt);
    m_calendar.Meet(kAt, Task::Delivered, 7);
    m_clocks.Open(0, 0);
    GoAlone(m_clocks, 0, 1e12, 0); // a byte in each picosecond
    m_clocks.SetStop(0, static_cast<double>(kAt) - 0.5);
    m_calendar.Arrange();
    Simulator::Run();
    EXPECT_EQ(m_done, (Done{{kAt, Duty::Stop}, {kAt, Duty::Appointment}, {kAt, Duty::Settling}}));
}

TEST_F(FlowCalendarTest, AppointmentsAreKeptByTimeThenTaskThenIndex)
{
    m_calendar.Add(20, Task::Sent, 1);
    m_calendar.Add(10, Task::Alarm, 2);
    m_calendar.Add(10, Task::Acknowledged, 4);
    m_calendar.Add(10, Task::Acknowledged, 3);
    m_calendar.Arrange();
    Simulator::Run();
    EXPECT_EQ(m_kept, (std::vector<uint32_t>{3, 4, 2, 1}));
}

TEST_F(FlowCalendarTest, WhoeverMissedAnAppointmentIsMetNow)
{
    Simulator::Schedule(TimeStep(50), [this] { m_calendar.Meet(30, Task::Delivered, 1); });
    Simulator::Run();
    EXPECT_EQ(m_done, (Done{{50, Duty::Appointment}}));
}

TEST_F(FlowCalendarTest, MessagesFlyUntilBothTheirEndsAreTold)
{
    m_calendar.Meet(10, Task::Alarm, 0);
    EXPECT_FALSE(m_calendar.IsAnyFlying());
    m_calendar.Meet(10, Task::Delivered, 0);
    m_calendar.Meet(20, Task::Acknowledged, 0);
    Simulator::Stop(TimeStep(15));
    Simulator::Run();
    EXPECT_TRUE(m_calendar.IsAnyFlying());
    Simulator::Run();
    EXPECT_FALSE(m_calendar.IsAnyFlying());
}

TEST_F(FlowCalendarTest, AQueueIsArmedOnceAndRatesAreFoundAtOnce)
{
    FlowQueue queue;
    m_calendar.Arm(5, queue);
    m_calendar.Arm(5, queue);
    EXPECT_EQ(m_calendar.TakeArmed(), std::vector<uint32_t>{5});
    m_calendar.Arm(5, queue);
    EXPECT_TRUE(m_calendar.TakeArmed().empty()) << "it is armed until somebody resets that";
    queue.isArmed = false;
    m_calendar.Arm(5, queue);
    EXPECT_EQ(m_calendar.TakeArmed(), std::vector<uint32_t>{5});
    Simulator::Run();
    EXPECT_EQ(m_done, (Done{{0, Duty::Settling}}));
}

TEST_F(FlowCalendarTest, RatesThatAreFoundAnewForEverAreEndless)
{
    m_asksAgain = true;
    m_calendar.AskToSettle(10);
    Simulator::Run();
    ASSERT_FALSE(m_done.empty());
    EXPECT_EQ(m_done.back(), std::make_pair(TimePs{10}, Duty::Endless));
    EXPECT_GT(m_done.size(), 10'000U);
    EXPECT_EQ(Next(), Duty::None) << "nobody has asked again";
}
