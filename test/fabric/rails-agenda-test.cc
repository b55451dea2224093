// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/object-factory.h"
#include "ns3/rails-agenda.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

struct Ran
{
    TimePs at;
    TaskPhase phase;
    uint32_t index;

    bool operator==(const Ran& other) const
    {
        return at == other.at && phase == other.phase && index == other.index;
    }

    friend std::ostream& operator<<(std::ostream& os, const Ran& ran)
    {
        return os << ran.at << "/" << static_cast<int>(ran.phase) << "/" << ran.index;
    }

    bool operator<(const Ran& other) const
    {
        return std::tie(at, phase, index) < std::tie(other.at, other.phase, other.index);
    }
};

using Log = std::vector<Ran>;

constexpr TimePs kSlack = 100;

class LoggedTask : public Task
{
  public:
    LoggedTask(Log& log, const Agenda& agenda, TaskPhase phase, uint32_t index)
        : Task(phase, index),
          m_log(log),
          m_agenda(agenda),
          m_phase(phase),
          m_index(index)
    {
    }

    void Run() override
    {
        m_log.push_back({m_agenda.Now(), m_phase, m_index});
        if (then)
        {
            then();
        }
    }

    std::function<void()> then;

  private:
    Log& m_log;
    const Agenda& m_agenda;
    TaskPhase m_phase;
    uint32_t m_index;
};

class AgendaTest : public testing::TestWithParam<std::string>
{
  protected:
    void SetUp() override
    {
        Simulator::SetScheduler(ObjectFactory(GetParam()));
        m_agenda->LimitSlack(2 * kSlack);
        m_agenda->LimitSlack(kSlack);
        m_agenda->LimitSlack(3 * kSlack);
    }

    void TearDown() override
    {
        m_agenda.reset();
        Simulator::Destroy();
    }

    LoggedTask& Make(TaskPhase phase, uint32_t index)
    {
        m_tasks.push_back(std::make_unique<LoggedTask>(m_log, *m_agenda, phase, index));
        return *m_tasks.back();
    }

    Log m_log;
    std::vector<std::unique_ptr<LoggedTask>> m_tasks;
    std::unique_ptr<Agenda> m_agenda{std::make_unique<Agenda>()};
};

TEST_P(AgendaTest, OrderDoesNotDependOnInsertion)
{
    Log expected;
    std::vector<std::pair<TimePs, LoggedTask*>> plan;
    for (const TaskPhase phase : {TaskPhase::Departure, TaskPhase::Arrival, TaskPhase::Timer})
    {
        for (uint32_t index = 0; index < 5; ++index)
        {
            LoggedTask& task = Make(phase, index);
            for (const TimePs at : {0, 1, 7, 7'000'000})
            {
                plan.emplace_back(at, &task);
                expected.push_back({at, phase, index});
            }
        }
    }
    std::sort(expected.begin(), expected.end());
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        m_log.clear();
        std::shuffle(plan.begin(), plan.end(), std::mt19937(seed));
        const TimePs start = NowPs();
        for (const auto& [at, task] : plan)
        {
            m_agenda->Schedule(start + at, *task);
        }
        Simulator::Run();
        for (Ran& ran : m_log)
        {
            ran.at -= start;
        }
        ASSERT_EQ(m_log, expected) << "seed " << seed;
    }
}

TEST_P(AgendaTest, DecisionsComeLastInTheOrderOfPorts)
{
    LoggedTask& second = Make(TaskPhase::Decision, 2);
    LoggedTask& first = Make(TaskPhase::Decision, 1);
    LoggedTask& timer = Make(TaskPhase::Timer, 9);
    LoggedTask& arrival = Make(TaskPhase::Arrival, 3);
    m_agenda->Decide(second);
    m_agenda->Decide(first);
    m_agenda->Schedule(0, timer);
    m_agenda->Schedule(0, arrival);
    Simulator::Run();
    EXPECT_EQ(m_log,
              (Log{{0, TaskPhase::Arrival, 3},
                   {0, TaskPhase::Timer, 9},
                   {0, TaskPhase::Decision, 1},
                   {0, TaskPhase::Decision, 2}}));
}

TEST_P(AgendaTest, ADecisionIsMadeOnceHoweverOftenItIsAskedFor)
{
    LoggedTask& decision = Make(TaskPhase::Decision, 0);
    LoggedTask& arrival = Make(TaskPhase::Arrival, 0);
    arrival.then = [&] { m_agenda->Decide(decision); };
    m_agenda->Decide(decision);
    m_agenda->Decide(decision);
    m_agenda->Schedule(0, arrival);
    m_agenda->Schedule(5, arrival);
    Simulator::Run();
    EXPECT_EQ(m_log,
              (Log{{0, TaskPhase::Arrival, 0},
                   {0, TaskPhase::Decision, 0},
                   {5, TaskPhase::Arrival, 0},
                   {5, TaskPhase::Decision, 0}}));
}

TEST_P(AgendaTest, WhatTasksAddToTheirInstantHappensInIt)
{
    LoggedTask& late = Make(TaskPhase::Timer, 1);
    LoggedTask& decision = Make(TaskPhase::Decision, 0);
    LoggedTask& other = Make(TaskPhase::Decision, 1);
    LoggedTask& arrival = Make(TaskPhase::Arrival, 0);
    arrival.then = [&] {
        m_agenda->Decide(decision);
        m_agenda->Schedule(m_agenda->Now(), late);
    };
    decision.then = [&] { m_agenda->Decide(other); };
    m_agenda->Schedule(3, arrival);
    Simulator::Run();
    EXPECT_EQ(m_log,
              (Log{{3, TaskPhase::Arrival, 0},
                   {3, TaskPhase::Timer, 1},
                   {3, TaskPhase::Decision, 0},
                   {3, TaskPhase::Decision, 1}}));
}

TEST_P(AgendaTest, AnEarlierTaskThanThoseThatWaitIsInTime)
{
    LoggedTask& late = Make(TaskPhase::Timer, 0);
    LoggedTask& early = Make(TaskPhase::Timer, 1);
    m_agenda->Schedule(1000, late);
    m_agenda->Schedule(10, early);
    Simulator::Schedule(TimeStep(4), [&] { m_agenda->Schedule(5, early); });
    Simulator::Schedule(TimeStep(500), [&] { m_agenda->Schedule(600, early); });
    Simulator::Run();
    EXPECT_EQ(m_log,
              (Log{{5, TaskPhase::Timer, 1},
                   {10, TaskPhase::Timer, 1},
                   {600, TaskPhase::Timer, 1},
                   {1000, TaskPhase::Timer, 0}}));
}

TEST_P(AgendaTest, ATaskScheduledTwiceRunsTwice)
{
    LoggedTask& task = Make(TaskPhase::Arrival, 0);
    m_agenda->Schedule(5, task);
    m_agenda->Schedule(5, task);
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 2U);
}

TEST_P(AgendaTest, AnInstantCostsOneEvent)
{
    for (uint32_t index = 0; index < 100; ++index)
    {
        m_agenda->Schedule(5, Make(TaskPhase::Arrival, index));
    }
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 100U);
    EXPECT_EQ(Simulator::GetEventCount(), 1U);
}

TEST_P(AgendaTest, IsNeverLaterThanItsSlack)
{
    TimePs latest = 0;
    for (uint32_t index = 0; index < 30; ++index)
    {
        for (const TaskPhase phase : {TaskPhase::Departure, TaskPhase::Arrival, TaskPhase::Timer})
        {
            LoggedTask& task = Make(phase, index);
            task.then = [&] {
                const TimePs late = NowPs() - m_agenda->Now();
                EXPECT_GE(late, 0);
                latest = std::max(latest, late);
            };
            m_agenda->Schedule(17 * index, task);
        }
    }
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 90U);
    EXPECT_TRUE(std::is_sorted(m_log.begin(), m_log.end()));
    EXPECT_LE(latest, kSlack);
}

TEST_P(AgendaTest, WithoutSlackIsOnTime)
{
    m_agenda->LimitSlack(0);
    for (const TaskPhase phase : {TaskPhase::Departure, TaskPhase::Arrival, TaskPhase::Timer})
    {
        LoggedTask& task = Make(phase, 0);
        task.then = [&] { EXPECT_EQ(NowPs(), m_agenda->Now()); };
        m_agenda->Schedule(5, task);
        m_agenda->Schedule(11, task);
    }
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 6U);
}

TEST_P(AgendaTest, APunctualNodeIsLateWithDeparturesOnly)
{
    m_agenda->SetPunctual(true);
    for (const TaskPhase phase : {TaskPhase::Arrival, TaskPhase::Timer})
    {
        LoggedTask& task = Make(phase, 0);
        task.then = [&] { EXPECT_EQ(NowPs(), m_agenda->Now()); };
        m_agenda->Schedule(5, task);
        m_agenda->Schedule(11, task);
    }
    m_agenda->Schedule(8, Make(TaskPhase::Departure, 0));
    Simulator::Run();
    EXPECT_EQ(m_log,
              (Log{{5, TaskPhase::Arrival, 0},
                   {5, TaskPhase::Timer, 0},
                   {8, TaskPhase::Departure, 0},
                   {11, TaskPhase::Arrival, 0},
                   {11, TaskPhase::Timer, 0}}));
}

TEST_P(AgendaTest, BecomesPunctualAtOnce)
{
    LoggedTask& task = Make(TaskPhase::Arrival, 0);
    task.then = [&] { EXPECT_EQ(NowPs(), m_agenda->Now()); };
    m_agenda->Schedule(50, task);
    Simulator::Schedule(TimeStep(10), [&] { m_agenda->SetPunctual(true); });
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 1U);
}

TEST_P(AgendaTest, StaysPunctualWhenItBecameSoWhileCatchingUp)
{
    LoggedTask& first = Make(TaskPhase::Arrival, 0);
    first.then = [&] { m_agenda->SetPunctual(true); };
    LoggedTask& second = Make(TaskPhase::Arrival, 1);
    second.then = [&] { EXPECT_EQ(NowPs(), m_agenda->Now()); };
    m_agenda->Schedule(10, first);
    m_agenda->Schedule(50, second);
    Simulator::Schedule(TimeStep(20), [&] { m_agenda->CatchUp(); });
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 2U);
}

TEST_P(AgendaTest, CatchesUpWithAllBeforeNow)
{
    for (const TimePs at : {10, 19, 20, 21})
    {
        m_agenda->Schedule(at, Make(TaskPhase::Arrival, static_cast<uint32_t>(at)));
    }
    Simulator::Schedule(TimeStep(20), [&] {
        m_agenda->CatchUp();
        EXPECT_EQ(m_log, (Log{{10, TaskPhase::Arrival, 10}, {19, TaskPhase::Arrival, 19}}));
        m_agenda->CatchUp();
        EXPECT_EQ(m_log.size(), 2U);
        EXPECT_EQ(m_agenda->Now(), 20);
        m_agenda->Finish();
        EXPECT_EQ(m_log.size(), 3U);
    });
    Simulator::Run();
    EXPECT_EQ(m_log.size(), 4U);
}

TEST_P(AgendaTest, MayGoBeforeItsEvents)
{
    m_agenda->Schedule(5, Make(TaskPhase::Arrival, 0));
    Simulator::Schedule(TimeStep(1), [&] { m_agenda.reset(); });
    Simulator::Run();
    EXPECT_TRUE(m_log.empty());
}

INSTANTIATE_TEST_SUITE_P(Schedulers,
                         AgendaTest,
                         testing::Values("ns3::MapScheduler",
                                         "ns3::HeapScheduler",
                                         "ns3::CalendarScheduler",
                                         "ns3::PriorityQueueScheduler"),
                         [](const testing::TestParamInfo<std::string>& info) {
                             return info.param.substr(5);
                         });

} // namespace
