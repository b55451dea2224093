// SPDX-License-Identifier: GPL-2.0-only
#ifndef HISTORY_FIXTURE_H
#define HISTORY_FIXTURE_H

#include "ns3/expert-policy.h"
#include "ns3/load-history.h"
#include "ns3/plan-figures.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails::test
{

/// \return counts in which the tokens of each expert are dealt evenly to the sources
inline TokenCounts
DealLoads(const std::vector<uint64_t>& loads, uint32_t sources)
{
    TokenCounts counts(sources, static_cast<uint32_t>(loads.size()));
    for (uint32_t expert = 0; expert < loads.size(); ++expert)
    {
        for (uint32_t source = 0; source < sources; ++source)
        {
            const uint64_t more = source < loads[expert] % sources ? 1 : 0;
            counts.Set(source, expert, static_cast<uint32_t>(loads[expert] / sources + more));
        }
    }
    return counts;
}

/// \return a history of one iteration of one micro-batch
inline LoadHistory
MakeHistory(const TokenCounts& counts)
{
    LoadHistory history(counts.GetExperts(), 16);
    history.Add(counts);
    history.EndIteration();
    return history;
}

/// \return a history in which experts had these tokens in the last iteration
inline LoadHistory
MakeHistory(const std::vector<uint64_t>& loads)
{
    return MakeHistory(DealLoads(loads, 1));
}

/// \return what a plan of the first layer comes to, which must have no defect
inline PlanFigures
PlanFirstLayer(ExpertPolicy& policy, const ExpertSetting& setting, const TokenCounts& counts)
{
    const ExpertPlan plan = policy.Plan(0, counts);
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    return FindFigures(setting, counts, plan);
}

/// \return the placement of the first layer
inline ExpertPlacement
GetFirstPlacement(ExpertPolicy& policy, const ExpertSetting& setting)
{
    return *policy.Plan(0, TokenCounts(setting.cluster.gpus, setting.experts)).placement;
}

/// \return a setting of one group of expert parallelism, with servers of some GPUs
inline ExpertSetting
MakeOneGroup(uint32_t gpus, uint32_t gpusPerServer, uint32_t experts)
{
    ExpertSetting setting;
    setting.cluster.gpus = gpus;
    setting.cluster.gpusPerServer = gpusPerServer;
    setting.expertParallel = gpus;
    setting.experts = experts;
    setting.tokenBytes = 1;
    setting.weightBytes = 100;
    setting.gradientBytes = 200;
    setting.stateBytes = 600;
    return setting;
}

} // namespace ns3::rails::test

#endif // HISTORY_FIXTURE_H
