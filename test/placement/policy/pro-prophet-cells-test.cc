// SPDX-License-Identifier: GPL-2.0-only
#include "../../../examples/pro-prophet-cells.h"

#include "ns3/plan-figures.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

// A small part of what rails-pro-prophet-tables runs: what must hold of it.

namespace ns3::rails::proprophet
{

namespace
{

/// Seconds of some iterations of a cell.
struct Seconds
{
    double plain{0};
    double artifact{0}; //!< FasterMoE
    double published{0};
    double planner{0};   //!< Pro-Prophet's eq. 6
    double scheduler{0}; //!< planned by eq. 6, run by the schedule
    double full{0};
};

Seconds
RunCell(const Cell& cell, const World& world, const Planner& planner)
{
    const Bench bench(cell, world);
    const Ptr<SyntheticTokenLoad> load = MakeLoad(world.exponent);
    const Ptr<ExpertPolicy> artifact = bench.MakeFasterMoe("artifact");
    const Ptr<ExpertPolicy> published = bench.MakeFasterMoe("published");
    const Ptr<ExpertPolicy> blocking = bench.MakeProProphet(planner, false);
    const Ptr<ExpertPolicy> scheduled = bench.MakeProProphet(planner, true);
    Seconds seconds;
    for (const uint32_t iteration : {1U, 51U})
    {
        const Gates gates = DrawGates(cell, *load, iteration);
        seconds.plain += Bench::AddBlocking(bench.FindPlainTimes(gates, [&](const auto& counts) {
            return bench.FindPlain(counts);
        }));
        seconds.artifact += Bench::AddBlocking(bench.FindTimes(*artifact, gates));
        seconds.published += Bench::AddBlocking(bench.FindTimes(*published, gates));
        const auto times = bench.FindTimes(*blocking, gates);
        seconds.planner += Bench::AddBlocking(times);
        seconds.scheduler += Bench::AddScheduled(times);
        seconds.full += Bench::AddScheduled(bench.FindTimes(*scheduled, gates));
    }
    return seconds;
}

std::string
GetName(const Cell& cell)
{
    return std::string(cell.cluster.name) + " " + cell.model.name +
           " k=" + std::to_string(cell.topK);
}

constexpr Planner kOpen{1, 0}; //!< alpha of 1: begins on eight GPUs too
constexpr World kSlowLinks{1.1, 15, 0.25, 4};
constexpr World kFastLinks{1.1, 0, 0.75, 8};

TEST(ProProphetCells, IsAboveFasterMoeInAllCellsOfTables4And5)
{
    for (const World& world : {kSlowLinks, kMiddle, kFastLinks})
    {
        for (const Cell& cell : GetCells())
        {
            const Seconds seconds = RunCell(cell, world, kOpen);
            EXPECT_LT(seconds.full, seconds.artifact) << GetName(cell);
            EXPECT_LE(seconds.full, seconds.published) << GetName(cell);
        }
    }
}

TEST(ProProphetCells, GainsMoreWithTwoExpertsOfATokenOnLpwnv)
{
    for (const Model& model : {kS, kM, kDs, kDm})
    {
        const Seconds one = RunCell({kLpwnv, model, 1}, kMiddle, kOpen);
        const Seconds two = RunCell({kLpwnv, model, 2}, kMiddle, kOpen);
        EXPECT_GT(two.plain / two.full, one.plain / one.full) << model.name;
        EXPECT_GT(two.plain / two.artifact, one.plain / one.artifact) << model.name;
    }
}

// Fig. 14. With k = 1 the scheduler gains about as much as the planner, as it hides what the
// planner pays for.
TEST(ProProphetCells, PlannerThenSchedulerThenBothTogetherGain)
{
    for (const uint32_t topK : {1U, 2U})
    {
        const Seconds seconds = RunCell({kHpnv, kM, topK}, kMiddle, kOpen);
        const double planner = seconds.plain / seconds.planner;
        const double scheduler = seconds.planner / seconds.scheduler;
        const double together = seconds.scheduler / seconds.full;
        EXPECT_GT(planner, topK == 1 ? 1 : scheduler) << topK;
        EXPECT_GT(scheduler, together) << topK;
        EXPECT_GE(together, 1) << topK;
    }
}

// 0.96 in Table V: it takes links for faster than they are, and forgets all-to-alls.
TEST(ProProphetCells, ArtifactOfFasterMoeIsBelowPlainOnSlowLinks)
{
    const Cell cell{kLpwnv, kDm, 1};
    const Seconds skewed = RunCell(cell, kMiddle, kOpen);
    EXPECT_LT(skewed.plain / skewed.artifact, 0.96);
    EXPECT_GE(skewed.plain / skewed.published, 1) << "it knows the links";
    World steep = kMiddle;
    steep.exponent = 2;
    const Seconds most = RunCell(cell, steep, kOpen);
    EXPECT_GT(most.plain / most.artifact, 1) << "more to gain";
    World even = kMiddle;
    even.exponent = 0;
    const Seconds none = RunCell(cell, even, kOpen);
    EXPECT_DOUBLE_EQ(none.plain / none.artifact, 1) << "nothing is shadowed";
}

// Why the released tolerance cannot be the paper's: with Zipf's law over eight experts the busiest
// GPU has less than three mean loads more than the idlest, and the planner never begins.
TEST(ProProphetCells, ToleranceOf3NeverBeginsOnEightGpus)
{
    const Seconds seconds = RunCell({kLpwnv, kS, 2}, kMiddle, {3, 0});
    EXPECT_DOUBLE_EQ(seconds.full, seconds.plain);
    EXPECT_LT(seconds.artifact, seconds.plain);
}

/// \return standard deviation of what GPUs compute
double
FindDegree(const std::vector<uint64_t>& loads)
{
    double mean = 0;
    double square = 0;
    for (const uint64_t load : loads)
    {
        mean += static_cast<double>(load) / static_cast<double>(loads.size());
    }
    for (const uint64_t load : loads)
    {
        square += (static_cast<double>(load) - mean) * (static_cast<double>(load) - mean);
    }
    return std::sqrt(square / static_cast<double>(loads.size()));
}

// Fig. 16: RB of Pro-Prophet over RB of FasterMoE is below 1 where experts are nearly balanced, as
// their order changes from iteration to iteration.
TEST(ProProphetCells, StaleCountsMayBalanceLessThanExactOnesInNearlyBalancedLayers)
{
    const Cell cell{kHpnv, kS, 2};
    const Bench bench(cell, kMiddle);
    const ExpertSetting setting = MakeSetting(cell, kMiddle);
    const Ptr<SyntheticTokenLoad> load = MakeLoad(kMiddle.exponent);
    load->SetAttribute("Preset", StringValue("loss-free"));
    load->SetAttribute("Spread", DoubleValue(0.3));
    const Ptr<ExpertPolicy> stale = bench.MakeProProphet({0.5, 0}, true);
    const Ptr<ExpertPolicy> exact = bench.MakeFasterMoe("published");
    const Gates gates = DrawGates(cell, *load, 1);
    uint32_t below = 0;
    for (uint32_t layer = 0; layer < setting.layers; ++layer)
    {
        const auto findDegree = [&](ExpertPolicy& policy) {
            policy.BeginIteration(layer, gates.before[layer]);
            const ExpertPlan plan = policy.Plan(layer, gates.now[layer]);
            EXPECT_EQ(FindDefect(setting, gates.now[layer], plan), "");
            return FindDegree(FindFigures(setting, gates.now[layer], plan).loads);
        };
        below += findDegree(*exact) < findDegree(*stale);
    }
    EXPECT_GT(below, 0U);
}

} // namespace

} // namespace ns3::rails::proprophet
