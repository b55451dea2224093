// SPDX-License-Identifier: GPL-2.0-only

// What is expected of a policy before it runs, beside what it then does.

#include "../expert-fixtures.h"

#include "ns3/copy-transfer.h"
#include "ns3/plan-sample.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails::test
{

namespace
{

/// One layer on each of two servers, for one micro-batch.
TrainingPlan
MakeSmall(const std::string& type)
{
    TrainingPlan plan =
        MakeExpertPlan({2, 4}, MakeTinyModel(2), {{"Ep", 4}, {"Pp", 2}}, MakeBusyPolicy(type));
    plan.handling.warmUp = 1;
    return plan;
}

/// What copies of a layer send.
struct Sent
{
    double messages{0};
    double bytes{0};
};

Sent
CountSent(const TrainingPlan& plan, bool isGradients)
{
    TrainingContext context(plan);
    context.Prepare();
    Sent sent;
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        SlotPlace place;
        place.stage = stage;
        const CopyTransfer transfer(context, {isGradients, stage}, place);
        for (const uint32_t gpu : context.ListGpus(stage))
        {
            for (uint32_t step = 0; step < CopyTransfer::CountSteps(plan); ++step)
            {
                for (const Demand& demand : transfer.GetSends(gpu, step))
                {
                    ++sent.messages;
                    sent.bytes += static_cast<double>(demand.bytes);
                }
            }
        }
    }
    return sent;
}

TEST(PlanSample, HasTheBytesAndMessagesOfCopiesThatThePolicySendsInTheRun)
{
    double all = 0;
    for (const std::string& type : FindPolicies())
    {
        SCOPED_TRACE(type);
        const TrainingPlan plan = MakeSmall(type);
        const ExpertGroups groups(plan);
        const std::optional<PlanSample> sample = SamplePlans(plan, groups);
        EXPECT_EQ(sample.has_value(), !plan.handling.IsPlain());
        if (!sample)
        {
            continue;
        }
        const double gpus = plan.shape.GetGpus();
        for (const bool isGradients : {false, true})
        {
            const Sent sent = CountSent(plan, isGradients);
            const PlanSample::Copies& copies = isGradients ? sample->gradients : sample->weights;
            EXPECT_NEAR(copies.bytes * gpus, sent.bytes, 1e-6 * sent.bytes);
            EXPECT_NEAR((copies.peers * plan.handling.CountPieces() + copies.turns) * gpus,
                        sent.messages,
                        0.1 * sent.messages);
            EXPECT_EQ(copies.outside, 0);
            all += sent.bytes;
        }
        EXPECT_GT(sample->seconds, 0);
    }
    EXPECT_GT(all, 0);
}

TEST(PlanSample, CountsWhatGoesToOtherServers)
{
    TrainingPlan plan =
        MakeExpertPlan({4, 1}, MakeTinyModel(1), {{"Ep", 4}}, MakeBusyPolicy("FasterMoe"));
    plan.handling.warmUp = 1;
    EXPECT_EQ(SamplePlans(plan, ExpertGroups(plan))->weights.outside, 1);
}

TEST(PlanSample, IsOfOneMicrobatchHoweverManyThereAre)
{
    TrainingPlan plan = MakeSmall("ProProphet");
    const double bytes = SamplePlans(plan, ExpertGroups(plan))->weights.bytes;
    plan.microbatches = 8;
    plan.iterations = 3;
    plan.model.layers = 6;
    EXPECT_DOUBLE_EQ(SamplePlans(plan, ExpertGroups(plan))->weights.bytes, bytes);
}

TEST(PlanSample, ReplicasAgreeAroundARingOfAllThatHoldAnExpert)
{
    // Two groups of four: each expert has two hosts, and hosts of the same experts share a buffer.
    TrainingPlan plan =
        MakeExpertPlan({2, 4}, MakeTinyModel(1), {{"Ep", 4}}, MakeBusyPolicy("FasterMoe"));
    EXPECT_DOUBLE_EQ(SamplePlans(plan, ExpertGroups(plan))->replicas, 1);
}

} // namespace

} // namespace ns3::rails::test
