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
TrainingSpec
MakeSmall(const std::string& type)
{
    TrainingSpec spec =
        MakeExpertPlan({2, 4}, MakeTinyModel(2), {{"Ep", 4}, {"Pp", 2}}, MakeBusyPolicy(type));
    spec.handling.warmUp = 1;
    return spec;
}

/// What copies of a layer send.
struct Sent
{
    double messages{0};
    double bytes{0};
};

Sent
CountSent(const TrainingSpec& spec, bool isGradients)
{
    TrainingContext context(spec);
    context.Prepare();
    Sent sent;
    for (uint32_t stage = 0; stage < spec.pp; ++stage)
    {
        SlotPlace place;
        place.stage = stage;
        const CopyTransfer transfer(context, {isGradients, stage}, place);
        for (const uint32_t gpu : context.ListGpus(stage))
        {
            for (uint32_t step = 0; step < CopyTransfer::CountSteps(spec); ++step)
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
        const TrainingSpec spec = MakeSmall(type);
        const GpuPartition groups = MakeExpertGroups(spec);
        const std::optional<PlanSample> sample = SamplePlans(spec, groups);
        EXPECT_EQ(sample.has_value(), !spec.handling.IsPlain());
        if (!sample)
        {
            continue;
        }
        const double gpus = spec.shape.GetGpus();
        for (const bool isGradients : {false, true})
        {
            const Sent sent = CountSent(spec, isGradients);
            const PlanSample::Copies& copies = isGradients ? sample->gradients : sample->weights;
            EXPECT_NEAR(copies.bytes * gpus, sent.bytes, 1e-6 * sent.bytes);
            EXPECT_NEAR((copies.peers * spec.handling.CountPieces() + copies.turns) * gpus,
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
    TrainingSpec spec =
        MakeExpertPlan({4, 1}, MakeTinyModel(1), {{"Ep", 4}}, MakeBusyPolicy("FasterMoe"));
    spec.handling.warmUp = 1;
    EXPECT_EQ(SamplePlans(spec, MakeExpertGroups(spec))->weights.outside, 1);
}

TEST(PlanSample, IsOfOneMicrobatchHoweverManyThereAre)
{
    TrainingSpec spec = MakeSmall("ProProphet");
    const double bytes = SamplePlans(spec, MakeExpertGroups(spec))->weights.bytes;
    spec.microbatches = 8;
    spec.iterations = 3;
    spec.model.layers = 6;
    EXPECT_DOUBLE_EQ(SamplePlans(spec, MakeExpertGroups(spec))->weights.bytes, bytes);
}

TEST(PlanSample, ReplicasAgreeAroundARingOfAllThatHoldAnExpert)
{
    // Two groups of four: each expert has two hosts, and hosts of the same experts share a buffer.
    TrainingSpec spec =
        MakeExpertPlan({2, 4}, MakeTinyModel(1), {{"Ep", 4}}, MakeBusyPolicy("FasterMoe"));
    EXPECT_DOUBLE_EQ(SamplePlans(spec, MakeExpertGroups(spec))->replicas, 1);
}

} // namespace

} // namespace ns3::rails::test
