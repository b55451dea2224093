// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "exchange-fixtures.h"

#include "ns3/eager-sender.h"
#include "ns3/timed-steps.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kShape{2, 1};

class TimedStepsTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        steps.reset();
        Simulator::Destroy();
    }

    /// Plans steps, each of one message from server 0 to 1, to start at times after 100 ps.
    void StartAt100(const std::vector<TimePs>& starts)
    {
        std::vector<TrafficStep> list;
        for (const TimePs start : starts)
        {
            list.push_back(
                {std::make_shared<const TrafficMatrix>(MakeMatrix(kShape, {{0, 10}})), start});
        }
        poster.PlanSteps(list);
        steps = std::make_unique<TimedSteps>(list, poster, service, [this] {
            firstPosts.push_back(NowPs());
            EXPECT_TRUE(service->order.empty()) << "told before the post";
        });
        Simulator::Schedule(TimeStep(100), [this] { steps->Start(); });
    }

    std::vector<TimePs> GetStarts() const
    {
        std::vector<TimePs> starts;
        for (const Message& message : messages.GetAll())
        {
            starts.push_back(message.start);
        }
        return starts;
    }

    ServerKnowledge failures{kShape, false};
    PlanMaker maker{Make<Planner>("RailSourcePlanner"), failures};
    Ptr<StillService> service{CreateObject<StillService>(kShape)};
    ExchangeMessages messages{kShape, service};
    EagerSender sender{messages};
    StepPoster poster{kShape, maker, messages, sender};
    std::unique_ptr<TimedSteps> steps;
    std::vector<TimePs> firstPosts; //!< when the first post was told
};

TEST_F(TimedStepsTest, PostEachAtItsTimeFromTheStartOfThePhase)
{
    StartAt100({0, 0, 30, 50});
    std::vector<bool> waiting;
    for (const TimePs at : {101, 149, 151})
    {
        Simulator::Schedule(TimeStep(at), [&] { waiting.push_back(steps->IsWaiting()); });
    }
    Simulator::Run();
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{100, 100, 130, 150}));
    EXPECT_EQ(firstPosts, (std::vector<TimePs>{100}));
    EXPECT_EQ(waiting, (std::vector<bool>{true, true, false}));
    EXPECT_EQ(service->catchUps, 2) << "once before each later post";
}

TEST_F(TimedStepsTest, TellTheFirstPostWhenItComes)
{
    StartAt100({40, 50});
    Simulator::Run();
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{140, 150}));
    EXPECT_EQ(firstPosts, (std::vector<TimePs>{140}));
}

TEST_F(TimedStepsTest, PostBehindAllElseOfAnInstant)
{
    StartAt100({0, 30});
    std::vector<size_t> posted;
    Simulator::Schedule(TimeStep(100), [&] {
        // Behind the event that says that the time of the step has come.
        Simulator::Schedule(TimeStep(30), [&] { posted.push_back(service->order.size()); });
    });
    Simulator::Run();
    EXPECT_EQ(posted, (std::vector<size_t>{1}));
    EXPECT_EQ(service->order.size(), 2U);
}

TEST_F(TimedStepsTest, PostNothingMoreWhenTheyAreGone)
{
    StartAt100({0, 30});
    Simulator::Schedule(TimeStep(110), [&] { steps.reset(); });
    Simulator::Run();
    EXPECT_EQ(service->order.size(), 1U);
}

} // namespace
