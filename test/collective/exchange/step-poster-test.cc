// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "exchange-fixtures.h"

#include "ns3/eager-sender.h"
#include "ns3/step-poster.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Ids = std::vector<uint32_t>;

const ClusterShape kShape{2, 2};

class StepPosterTest : public testing::Test
{
  protected:
    /// Plans steps that each move a matrix.
    bool Plan(const std::vector<TrafficMatrix>& matrices)
    {
        std::vector<TrafficStep> steps;
        for (const TrafficMatrix& matrix : matrices)
        {
            steps.push_back({std::make_shared<const TrafficMatrix>(matrix), 0});
        }
        return poster.PlanSteps(steps);
    }

    ServerKnowledge failures{kShape, false};
    PlanMaker maker{Make<Planner>("RailSourcePlanner"), failures};
    Ptr<StillService> service{CreateObject<StillService>(kShape)};
    ExchangeMessages messages{kShape, service};
    EagerSender sender{messages};
    StepPoster poster{kShape, maker, messages, sender};
};

TEST_F(StepPosterTest, NumbersAllStepsBeforeAnythingIsPosted)
{
    // GPU 0 has something for 1 and 2, GPU 2 for 0; then GPU 3 for 1.
    EXPECT_TRUE(Plan({MakeMatrix(kShape, {{0, 50, 300, 0}, {}, {70}}),
                      MakeMatrix(kShape, {{}, {}, {}, {0, 90}})}));
    ASSERT_EQ(messages.GetSize(), 4U);
    EXPECT_EQ(messages.Get(0).destination, 2U) << "what leaves a server goes before what stays";
    EXPECT_EQ(messages.Get(1).destination, 1U);
    EXPECT_EQ(messages.Get(2).source, 2U);
    EXPECT_EQ(messages.Get(3).source, 3U);
    EXPECT_EQ(messages.Get(3).step, 1U);
    EXPECT_TRUE(service->order.empty());
    poster.PostStep(1);
    EXPECT_EQ(service->order, (Ids{3}));
    poster.PostStep(0);
    EXPECT_EQ(service->order, (Ids{3, 0, 1, 2}));
}

TEST_F(StepPosterTest, PostsTheStepOfOneGpuAlone)
{
    EXPECT_TRUE(
        Plan({MakeMatrix(kShape, {{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}})}));
    poster.PostStepOfGpu(0, 1);
    // Server 0: 0-2, 0-3, 1-2, 1-3, then 0-1 and 1-0 inside.
    EXPECT_EQ(service->order, (Ids{2, 3, 5}));
    poster.PostStepOfGpu(0, 2);
    EXPECT_EQ(service->order, (Ids{2, 3, 5, 6, 7, 10}));
}

TEST_F(StepPosterTest, TellsWhenThereIsNothingToMove)
{
    EXPECT_FALSE(Plan({TrafficMatrix(kShape), TrafficMatrix(kShape)}));
    EXPECT_TRUE(Plan({TrafficMatrix(kShape), MakeMatrix(kShape, {{0, 1}})}));
    EXPECT_FALSE(Plan({TrafficMatrix(kShape)})) << "whatever was planned before";
}

} // namespace
