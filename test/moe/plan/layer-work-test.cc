// SPDX-License-Identifier: GPL-2.0-only
#include "../training-fixtures.h"

#include "ns3/layer-work.h"
#include "ns3/profile-compute-model.h"
#include "ns3/published-models.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>

namespace ns3::rails
{

namespace
{

/// \return operations forward of all products
double
CountProducts(const Work& work)
{
    double sum = 0;
    for (const Product& product : work.products)
    {
        sum += 2 * std::accumulate(product.rows.begin(), product.rows.end(), 0.0) * product.inner *
               product.columns;
    }
    return sum;
}

} // namespace

TEST(LayerWorkTest, ShapesHaveTheOperationsThatAreCounted)
{
    for (const PublishedModel& model : GetPublishedModels())
    {
        for (const uint32_t tp : {1U, 4U})
        {
            TrainingPlan plan = test::MakePlan({1, 8},
                                               test::MakeModel(model.name)->GetDimensions(),
                                               {{"Tp", tp}, {"Cp", 2}, {"Etp", 2}},
                                               CreateObject<ProfileComputeModel>());
            plan.sequence = 4096;
            SCOPED_TRACE(model.name + ", tp " + std::to_string(tp));
            const Work whole = MakeAttentionWork(plan, AttentionPart::Whole, Pass::Forward);
            EXPECT_NEAR(CountProducts(whole) + whole.core, whole.flops, 1e-9 * whole.flops);
            double products = 0;
            double flops = 0;
            double core = 0;
            double moved = 0;
            for (const AttentionPart part :
                 {AttentionPart::Inputs, AttentionPart::Core, AttentionPart::Outputs})
            {
                const Work work = MakeAttentionWork(plan, part, Pass::Forward);
                products += CountProducts(work);
                flops += work.flops;
                core += work.core;
                moved += work.moved;
            }
            EXPECT_NEAR(products, CountProducts(whole), 1e-9 * products);
            EXPECT_NEAR(flops, whole.flops, 1e-9 * flops);
            EXPECT_EQ(core, whole.core);
            EXPECT_EQ(moved, whole.moved);
            const Work again = MakeProjectionWork(plan);
            EXPECT_NEAR(CountProducts(again), again.flops, 1e-9 * again.flops);
            for (const Work& work : {MakeGateWork(plan, Pass::Forward),
                                     MakeSharedWork(plan, Pass::Forward),
                                     MakeDenseWork(plan, Pass::Forward),
                                     MakeHeadWork(plan, Pass::Forward),
                                     MakeExpertWork(plan, 1000, Pass::Forward),
                                     MakeExpertWork(plan, 1000, Pass::Forward, {1500, 500})})
            {
                EXPECT_NEAR(CountProducts(work), work.flops, 1e-9 * work.flops);
                EXPECT_EQ(work.core, 0);
            }
        }
    }
}

} // namespace ns3::rails
