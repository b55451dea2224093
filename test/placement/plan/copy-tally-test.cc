// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/copy-tally.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using TallyRow = std::tuple<uint32_t, uint32_t, ExpertRole, uint64_t>;

std::vector<TallyRow>
TakeRows(CopyTally& tally)
{
    std::vector<TallyRow> rows;
    for (const ExpertCopy& copy : tally.Take())
    {
        rows.emplace_back(copy.expert, copy.gpu, copy.role, copy.tokens);
    }
    return rows;
}

/// \return a plan of two experts on two groups of two GPUs
ExpertPlan
MakeTallyPlan(std::vector<std::vector<uint32_t>> hosts)
{
    ExpertPlan plan;
    plan.placement = std::make_shared<const ExpertPlacement>(ExpertPlacement{std::move(hosts)});
    return plan;
}

ExpertSetting
MakeTallySetting()
{
    ExpertSetting setting;
    setting.cluster.gpus = 4;
    setting.expertParallel = 2;
    setting.experts = 2;
    return setting;
}

TEST(CopyTally, EachGroupHasAHomeAndTheRestAreReplicasOrCopies)
{
    // Expert 0 lives on GPU 1 and 2, and fills two slots of 0; expert 1 is in the first group
    // alone.
    ExpertPlan plan = MakeTallyPlan({{1, 0, 0, 2}, {1}});
    plan.weights = {{1, 1, 3, 100}};
    plan.routes = {{0, 0, 0, 7}, {3, 1, 3, 5}, {2, 1, 3, 1}, {1, 1, 1, 2}};
    CopyTally tally;
    tally.Add(MakeTallySetting(), plan, {0, 1, 2, 3});
    EXPECT_EQ(TakeRows(tally),
              (std::vector<TallyRow>{{0, 0, ExpertRole::Replica, 7},
                                     {0, 1, ExpertRole::Home, 0},
                                     {0, 2, ExpertRole::Home, 0},
                                     {1, 1, ExpertRole::Home, 2},
                                     {1, 3, ExpertRole::Copy, 6}}));
    EXPECT_TRUE(tally.Take().empty());
}

TEST(CopyTally, MicrobatchesAddUpAndTheStrongestRoleStays)
{
    CopyTally tally;
    ExpertPlan plan = MakeTallyPlan({{0, 2}, {1, 3}});
    plan.weights = {{1, 1, 0, 100}};
    plan.routes = {{0, 1, 0, 4}};
    tally.Add(MakeTallySetting(), plan, {8, 9, 4, 5});
    plan = MakeTallyPlan({{0, 2}, {1, 3, 0}});
    plan.routes = {{0, 1, 0, 6}, {2, 0, 2, 3}};
    plan.padding = {50, 50, 50, 50};
    tally.Add(MakeTallySetting(), plan, {8, 9, 4, 5});
    EXPECT_EQ(TakeRows(tally),
              (std::vector<TallyRow>{{0, 4, ExpertRole::Home, 3},
                                     {0, 8, ExpertRole::Home, 0},
                                     {1, 5, ExpertRole::Home, 0},
                                     {1, 8, ExpertRole::Replica, 10},
                                     {1, 9, ExpertRole::Home, 0}}));
}

} // namespace

} // namespace ns3::rails::test
