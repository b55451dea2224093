// SPDX-License-Identifier: GPL-2.0-only
#include "../expert-fixtures.h"

#include "ns3/expert-planning.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Writes down what it is called with.
class PlanningDiary : public PlanningClient
{
  public:
    const TokenCounts& Draw(const PlanningSite& site, const LoadPlace& place) override
    {
        Write("draw", site, place);
        return m_counts;
    }

    void TakeMoves(uint32_t iteration, const std::vector<LayerMoves>& moves) override
    {
        for (std::size_t layer = 0; layer < moves.size(); ++layer)
        {
            for (const ExpertTransfer& transfer : moves[layer].transfers)
            {
                moved.push_back(std::to_string(iteration) + ": " + std::to_string(layer) + " " +
                                std::to_string(transfer.from) + ">" + std::to_string(transfer.to) +
                                " " + std::to_string(transfer.bytes));
            }
        }
    }

    void TakePlan(const PlanningSite& site,
                  const LoadPlace& place,
                  const TokenCounts&,
                  ExpertPlan,
                  double) override
    {
        Write("plan", site, place);
    }

    void Reject(const LoadPlace&, const std::string& defect) override
    {
        calls.push_back(defect);
    }

    void EndIteration(uint32_t iteration) override
    {
        calls.push_back("end " + std::to_string(iteration));
    }

    std::vector<std::string> calls;
    std::vector<std::string> moved;

  private:
    /// By group, layer and micro-batch.
    void Write(const std::string& what, const PlanningSite& site, const LoadPlace& place)
    {
        calls.push_back(what + " " + std::to_string(site.group) + std::to_string(place.layer) +
                        std::to_string(place.microbatch));
    }

    TokenCounts m_counts{2, 2, {4, 0, 0, 4}};
};

/// Two groups of two GPUs, one server each, with two layers: 5 and 7.
PlanningScope
MakePlanningScope()
{
    PlanningScope scope;
    scope.members = {{0, 1}, {2, 3}};
    scope.groups = {{0, 1}};
    scope.layers = {{5, 7}};
    scope.gpusPerServer = 2;
    return scope;
}

PlanningDiary
LeadDiary(const PlanningScope& scope, const Ptr<GivenPolicy>& policy, uint32_t microbatches = 1)
{
    ExpertSetting setting;
    setting.cluster.gpus = 2;
    setting.cluster.gpusPerServer = 2;
    setting.expertParallel = 2;
    setting.experts = 2;
    setting.layers = 2;
    setting.microbatches = microbatches;
    setting.weightBytes = 100;
    setting.stateBytes = 12;
    PlanningDiary diary;
    ExpertPlanning(policy, setting, scope).Run(diary);
    return diary;
}

using Calls = std::vector<std::string>;

TEST(ExpertPlanning, LayersOfAGroupFollowEachOtherOrGroupsOfALayer)
{
    PlanningScope scope = MakePlanningScope();
    EXPECT_EQ(LeadDiary(scope, CreateObject<GivenPolicy>()).calls,
              (Calls{"draw 050",
                     "plan 050",
                     "draw 070",
                     "plan 070",
                     "draw 150",
                     "plan 150",
                     "draw 170",
                     "plan 170",
                     "end 0"}));
    scope.isByLayer = true;
    EXPECT_EQ(LeadDiary(scope, CreateObject<GivenPolicy>()).calls,
              (Calls{"draw 050",
                     "plan 050",
                     "draw 150",
                     "plan 150",
                     "draw 070",
                     "plan 070",
                     "draw 170",
                     "plan 170",
                     "end 0"}));
}

TEST(ExpertPlanning, BehindTheRunTokensAreRememberedAndPlannedAtMostOnce)
{
    PlanningScope scope = MakePlanningScope();
    scope.members.resize(1);
    scope.groups = {{0}};
    scope.layers = {{5}};
    scope.end = 2;
    const Calls ofRun{"draw 050", "plan 050", "draw 051", "plan 051", "end 0"};
    Calls wanted = ofRun;
    wanted.insert(wanted.end(), {"draw 050", "draw 051", "end 1"});
    EXPECT_EQ(LeadDiary(scope, CreateObject<GivenPolicy>(), 2).calls, wanted);
    scope.plansBehind = true;
    wanted = ofRun;
    wanted.insert(wanted.end(), {"draw 050", "plan 050", "draw 051", "end 1"});
    EXPECT_EQ(LeadDiary(scope, CreateObject<GivenPolicy>(), 2).calls, wanted);
}

TEST(ExpertPlanning, NothingIsPlannedBehindAPlanThatCannotBeRight)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [](uint32_t layer, const TokenCounts&) {
        ExpertPlan plan;
        plan.routes = {{0, 0, 0, layer == 1 ? 3U : 4U}, {1, 1, 1, 4}};
        return plan;
    };
    EXPECT_EQ(LeadDiary(MakePlanningScope(), policy).calls.size(), 4U);
    EXPECT_EQ(LeadDiary(MakePlanningScope(), policy).calls[2], "draw 070");
    EXPECT_NE(LeadDiary(MakePlanningScope(), policy).calls[3].find("were 4 and became 3"),
              std::string::npos);
}

TEST(ExpertPlanning, WhatMovesHasTheNumbersOfTheClusterAndStatesAreOfAllGroups)
{
    PlanningScope scope = MakePlanningScope();
    scope.layers = {{5}};
    scope.end = 2;
    scope.run = {0, 2};
    const auto policy = CreateObject<GivenPolicy>();
    policy->after = ExpertPlacement{{{0, 1}, {1}}};
    // Expert 0 comes to GPU 1 and GPU 3. Its states, 6 B on GPU 0 and 2, are 3 B on four GPUs.
    EXPECT_EQ(LeadDiary(scope, policy).moved,
              (Calls{"1: 0 0>1 100", "1: 0 2>3 100", "1: 0 0>1 3", "1: 0 2>3 3"}));
}

} // namespace

} // namespace ns3::rails::test
