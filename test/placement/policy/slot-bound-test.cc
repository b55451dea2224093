// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/**
 * A case of the family in section 2.3 of moe-runtime-2026: some hot GPUs carry all load, evenly
 * over their experts. A policy that keeps homes has beta times as many slots as homes on each GPU.
 */
struct BoundCase
{
    uint32_t gpus;
    uint32_t homes;
    uint32_t slots;

    double GetBeta() const
    {
        return static_cast<double>(slots) / homes;
    }

    /// \return what no policy can be below with this many hot GPUs
    double GetBound(uint32_t hot) const
    {
        const double load = static_cast<double>(gpus) / hot; // of a hot GPU, in means
        return std::max(1.0, (1 + GetBeta()) * load - GetBeta() * load * load);
    }
};

/// \return counts of hot GPUs that all sources have alike
TokenCounts
MakeHot(const ExpertSetting& setting, uint32_t hot)
{
    const uint32_t experts = hot * setting.GetHomes();
    TokenCounts counts(setting.cluster.gpus, setting.experts);
    for (uint32_t source = 0; source < setting.cluster.gpus; ++source)
    {
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            counts.Set(source, expert, setting.tokens / experts);
        }
    }
    return counts;
}

struct SlotPolicy
{
    std::string name;
    std::string type;
    PolicyKeys keys;
    bool hasOneSlot; //!< and no other number
};

class SlotBound : public testing::TestWithParam<SlotPolicy>
{
};

TEST_P(SlotBound, NoPolicyThatKeepsHomesIsBelowIt)
{
    // Of each beta, with a number of hot GPUs at which the bound is its largest.
    uint32_t cases = 0;
    for (const BoundCase& at : {BoundCase{8, 4, 4},
                                BoundCase{14, 4, 3},
                                BoundCase{12, 4, 2},
                                BoundCase{20, 4, 1},
                                BoundCase{12, 2, 1},
                                BoundCase{22, 10, 1},
                                BoundCase{8, 1, 1}})
    {
        if (GetParam().hasOneSlot && at.slots != 1)
        {
            continue;
        }
        ++cases;
        const double beta = at.GetBeta();
        PolicyKeys keys = GetParam().keys;
        keys.emplace_back("Slots", std::to_string(at.slots));
        const ExpertSetting setting = MakeOneServer(at.gpus, at.gpus * at.homes, 1, 1'000'000);
        double worst = 0;
        double worstBound = 0;
        for (uint32_t hot = 1; hot <= at.gpus; ++hot)
        {
            const TokenCounts counts = MakeHot(setting, hot);
            const ExpertPlan plan = PlanOnce(setting, counts, GetParam().type, keys);
            ASSERT_EQ(FindDefect(setting, counts, plan), "");
            std::vector<uint32_t> copies(at.gpus);
            for (const ExpertTransfer& transfer : plan.weights)
            {
                ++copies[transfer.to];
            }
            EXPECT_LE(*std::max_element(copies.begin(), copies.end()), at.slots);
            const double found = FindFigures(setting, counts, plan).maxOverMean;
            EXPECT_GE(found, at.GetBound(hot) * (1 - 1e-12)) << beta << " " << hot;
            worst = std::max(worst, found);
            worstBound = std::max(worstBound, at.GetBound(hot));
        }
        const double formula = (1 + beta) * (1 + beta) / (4 * beta);
        EXPECT_NEAR(worstBound, formula, 1e-9) << beta;
        EXPECT_GE(worst, worstBound * (1 - 1e-12)) << beta;
        std::string name = "worst_" + std::to_string(at.slots) + "_of_" + std::to_string(at.homes);
        RecordProperty(name, std::to_string(worst) + " bound " + std::to_string(formula));
    }
    EXPECT_GE(cases, 4U);
}

INSTANTIATE_TEST_SUITE_P(
    Section23,
    SlotBound,
    testing::Values(SlotPolicy{"MoonEp", "MoonEp", {{"Overflow", "home"}}, false},
                    SlotPolicy{"UltraEp", "UltraEp", {}, false},
                    SlotPolicy{"UltraEpBest", "UltraEp", {{"Search", "best"}}, false},
                    SlotPolicy{"EchoGreedy", "Echo", {{"Algorithm", "one-shot-greedy"}}, false},
                    SlotPolicy{"EchoBins", "Echo", {}, true}),
    [](const testing::TestParamInfo<SlotPolicy>& policy) { return policy.param.name; });

} // namespace

} // namespace ns3::rails::test
