// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "exchange-fixtures.h"

#include "ns3/chained-steps.h"
#include "ns3/eager-sender.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Ids = std::vector<uint32_t>;

const ClusterShape kShape{3, 1};

class ChainedStepsTest : public testing::Test
{
  protected:
    void Start(const std::vector<TrafficMatrix>& matrices)
    {
        std::vector<TrafficStep> list;
        for (const TrafficMatrix& matrix : matrices)
        {
            list.push_back({std::make_shared<const TrafficMatrix>(matrix), 0});
        }
        poster.PlanSteps(list);
        steps = std::make_unique<ChainedSteps>(kShape, list, poster, [this] {
            ++firstPosts;
            EXPECT_TRUE(service->order.empty());
        });
        steps->Start();
    }

    ServerKnowledge failures{kShape, false};
    PlanMaker maker{Make<Planner>("RailSourcePlanner"), failures};
    Ptr<StillService> service{CreateObject<StillService>(kShape)};
    ExchangeMessages messages{kShape, service};
    EagerSender sender{messages};
    StepPoster poster{kShape, maker, messages, sender};
    std::unique_ptr<ChainedSteps> steps;
    int firstPosts{0};
};

/// \return each GPU has something for the next
TrafficMatrix
MakeRing()
{
    return MakeMatrix(kShape, {{0, 10, 0}, {0, 0, 10}, {10, 0, 0}});
}

TEST_F(ChainedStepsTest, AGpuGoesOnWithWhatItGotWhateverOthersDo)
{
    Start({MakeRing(), MakeRing(), MakeRing()});
    EXPECT_EQ(firstPosts, 1);
    EXPECT_EQ(service->order, (Ids{0, 1, 2}));
    EXPECT_FALSE(steps->IsWaiting());
    steps->OnDelivered(messages.Get(1)); // from GPU 1 to 2
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 5})) << "the second step of GPU 2";
    steps->OnDelivered(messages.Get(5)); // from GPU 2 to 0, which has not got the first
    EXPECT_EQ(service->order.size(), 4U);
    steps->OnDelivered(messages.Get(2)); // and now it has
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 5, 3, 6}));
    EXPECT_EQ(firstPosts, 1);
}

TEST_F(ChainedStepsTest, AGpuThatIsToGetNothingDoesNotWait)
{
    // GPU 2 gets something in the first step, the others in the second.
    Start({MakeMatrix(kShape, {{0, 0, 10}}), MakeMatrix(kShape, {{}, {10}, {0, 10}}), MakeRing()});
    EXPECT_EQ(service->order, (Ids{0, 1})) << "GPU 1 is in the second step, GPU 2 waits";
    steps->OnDelivered(messages.Get(0));
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 5})) << "GPU 2 is to get nothing in the second step";
}

TEST_F(ChainedStepsTest, EveryByteOfAStepIsWaitedFor)
{
    Start({MakeMatrix(kShape, {{0, 0, 10}, {0, 0, 20}}), MakeRing()});
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3})) << "GPUs 0 and 1 wait for nothing";
    steps->OnDelivered(messages.Get(1));
    EXPECT_EQ(service->order.size(), 4U);
    steps->OnDelivered(messages.Get(0));
    EXPECT_EQ(service->order, (Ids{0, 1, 2, 3, 4}));
}

} // namespace
