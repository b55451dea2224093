// SPDX-License-Identifier: GPL-2.0-only

// Where tokens go under a policy of experts, and what is told about it.

#include "../../collective/collective-fixtures.h"
#include "../expert-fixtures.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Row = std::vector<uint32_t>;
using Hosts = std::vector<std::vector<uint32_t>>;

/// Groups and router of a training, which live as long.
struct Routed
{
    explicit Routed(TrainingSpec made)
        : plan(std::move(made)),
          groups(MakeExpertGroups(plan)),
          router(plan, groups)
    {
    }

    /// \return tokens from each GPU of a group to each
    std::vector<Row> GetTokens(uint32_t group, const LoadPlace& place) const
    {
        const std::vector<uint32_t>& tokens = router.Get(group, place)->tokens;
        const uint32_t gpus = groups.GetSize();
        std::vector<Row> rows;
        for (uint32_t source = 0; source < gpus; ++source)
        {
            rows.emplace_back(tokens.begin() + source * gpus, tokens.begin() + (source + 1) * gpus);
        }
        return rows;
    }

    const TrainingSpec plan;
    const GpuPartition groups;
    const PlannedDispatch router;
};

/// Calls back with each group and place of the iterations that are run.
template <typename Function>
void
ForEachPlace(const Routed& routed, Function&& function)
{
    const TrainingSpec& plan = routed.plan;
    for (uint32_t group = 0; group < routed.groups.GetCount(); ++group)
    {
        for (uint32_t iteration = 0; iteration < plan.iterations; ++iteration)
        {
            for (uint32_t microbatch = 0; microbatch < plan.microbatches; ++microbatch)
            {
                for (const uint32_t layer : plan.ListExpertLayers(plan.GetGroupStage(group)))
                {
                    function(group, LoadPlace{iteration, layer, microbatch, 0});
                }
            }
        }
    }
}

/// \return counts of a group as the load has them, which numbers iterations from the warm-up on
TokenCounts
DrawFor(const Routed& routed, uint32_t group, LoadPlace place)
{
    place.iteration += routed.plan.handling.warmUp;
    return DrawCounts(routed.plan, group, place);
}

uint64_t
Sum(const Row& row)
{
    return std::accumulate(row.begin(), row.end(), uint64_t{0});
}

class PlannedRouterTest : public ::testing::TestWithParam<std::string>
{
};

TEST_P(PlannedRouterTest, RoutesAllTokensOfEachSourceThatAreDrawn)
{
    TrainingSpec plan = MakeExpertPlan({2, 4},
                                       MakeTinyModel(3),
                                       {{"Ep", 4}, {"Pp", 2}},
                                       MakeBusyPolicy(GetParam()));
    plan.microbatches = 2;
    plan.iterations = 2;
    plan.handling.warmUp = 1;
    const Routed routed(plan);
    uint64_t away = 0; // from where they would be without a policy
    ForEachPlace(routed, [&](uint32_t group, const LoadPlace& place) {
        SCOPED_TRACE("group " + std::to_string(group) + ", layer " + std::to_string(place.layer));
        const TokenCounts counts = DrawFor(routed, group, place);
        const auto routing = routed.router.Get(group, place);
        const std::vector<Row> tokens = routed.GetTokens(group, place);
        std::vector<uint64_t> received(4);
        for (uint32_t source = 0; source < 4; ++source)
        {
            EXPECT_EQ(Sum(tokens[source]), counts.GetFrom(source));
            for (uint32_t host = 0; host < 4; ++host)
            {
                received[host] += tokens[source][host];
                const uint32_t atHome =
                    counts.Get(source, 2 * host) + counts.Get(source, 2 * host + 1);
                away += atHome - std::min(atHome, tokens[source][host]);
            }
        }
        EXPECT_EQ(routing->received, received);
        EXPECT_EQ(routing->arrived, received);
    });
    EXPECT_EQ(away > 0, GetParam() != "PlainEp");
}

std::vector<std::string>
FindThoseThatDropNothing()
{
    std::vector<std::string> types = FindPolicies();
    types.erase(std::remove(types.begin(), types.end(), "DeepspeedMoe"), types.end());
    return types;
}

INSTANTIATE_TEST_SUITE_P(Registered,
                         PlannedRouterTest,
                         testing::ValuesIn(FindThoseThatDropNothing()),
                         [](const testing::TestParamInfo<std::string>& policy) {
                             return policy.param;
                         });

/// Four GPUs of a server or more, with an expert each.
TrainingSpec
MakeFour(Ptr<ExpertPolicy> policy, GivenLoad::Function load, uint32_t layers = 1)
{
    TrainingSpec plan = MakeExpertPlan({1, 4}, MakeTinyModel(layers, 4), {{"Ep", 4}}, policy);
    plan.load = GivenLoad::Make(std::move(load));
    return plan;
}

TEST(PlannedDispatch, EveryPlaceHasTheTokensOfItsOwnDraw)
{
    // A number in which every part of the place can be read.
    const auto draw = [](const LoadShape&, const LoadPlace& place) {
        const uint32_t tokens =
            1000 * place.iteration + 100 * place.layer + 10 * place.microbatch + place.group;
        return Repeat({tokens, 1, 2, 3});
    };
    TrainingSpec plan = MakeExpertPlan({4, 4},
                                       MakeTinyModel(6, 4),
                                       {{"Ep", 4}, {"Pp", 2}},
                                       CreateObject<GivenPolicy>());
    plan.model.denseLayers = 1;
    plan.load = GivenLoad::Make(draw);
    plan.microbatches = 3;
    plan.iterations = 2;
    plan.handling.warmUp = 4;
    const Routed routed(plan);
    EXPECT_EQ(routed.router.GetLayers(0), (Row{1, 2}));
    EXPECT_EQ(routed.router.GetLayers(1), (Row{3, 4, 5}));
    uint32_t places = 0;
    ForEachPlace(routed, [&](uint32_t group, const LoadPlace& place) {
        // Groups are numbered through both stages, of which each has two.
        const uint32_t tokens =
            1000 * (4 + place.iteration) + 100 * place.layer + 10 * place.microbatch + group % 2;
        EXPECT_EQ(routed.GetTokens(group, place), (std::vector<Row>(4, {tokens, 1, 2, 3})));
        ++places;
    });
    EXPECT_EQ(places, 2U * 3 * (2 * 2 + 2 * 3));
    EXPECT_EQ(routed.router.GetFigures().plans, places);
}

/// Of four sources expert 0 has 100 tokens each, expert 1 has 60 and expert 2 has 40.
const std::vector<uint32_t> kUneven = Repeat({100, 60, 40, 0});

/// GPU 3 computes its own tokens of expert 0 with a copy; all else is computed at home.
ExpertPlan
CopyToTheIdle(const TokenCounts& counts)
{
    ExpertPlan plan;
    for (uint32_t source = 0; source < 4; ++source)
    {
        for (uint32_t expert = 0; expert < 4; ++expert)
        {
            const bool isCopied = source == 3 && expert == 0;
            plan.routes.push_back(
                {source, expert, isCopied ? 3 : expert, counts.Get(source, expert)});
        }
    }
    plan.weights = SendExpert(0, 0, {3}, 3072);
    plan.gradients = TurnBack(plan.weights, 6144);
    return plan;
}

TEST(PlannedDispatch, FiguresOfALoadMadeByHand)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [](uint32_t, const TokenCounts& counts) { return CopyToTheIdle(counts); };
    const Routed routed(
        MakeFour(policy, [](const LoadShape&, const LoadPlace&) { return kUneven; }));
    EXPECT_EQ(
        routed.GetTokens(0, {}),
        (std::vector<Row>{{100, 60, 40, 0}, {100, 60, 40, 0}, {100, 60, 40, 0}, {0, 60, 40, 100}}));
    EXPECT_EQ(routed.router.Get(0, {})->received, (std::vector<uint64_t>{300, 240, 160, 100}));
    const ExpertFigures figures = routed.router.GetFigures();
    EXPECT_EQ(figures.plans, 1U);
    EXPECT_DOUBLE_EQ(figures.before, 400.0 / 200);
    EXPECT_DOUBLE_EQ(figures.after, 300.0 / 200);
    EXPECT_DOUBLE_EQ(figures.worst, 300.0 / 200);
    EXPECT_DOUBLE_EQ(figures.local, (100 + 60 + 40 + 100) / 800.0);
    EXPECT_DOUBLE_EQ(figures.copies, 1);
    EXPECT_DOUBLE_EQ(figures.dropped, 0);
}

TEST(PlannedDispatch, FiguresAreMeansOverPlansThatAreRun)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->SetAttribute("PlanningTime", TimeValue(MilliSeconds(3)));
    policy->plan = [](uint32_t, const TokenCounts& counts) {
        return counts.GetCounts() == kUneven ? CopyToTheIdle(counts) : ExpertPlan();
    };
    // Two layers in two micro-batches of two iterations: one of eight plans is uneven. So are all
    // of the warm-up, which do not count.
    TrainingSpec plan = MakeFour(
        policy,
        [](const LoadShape&, const LoadPlace& place) {
            const bool isUneven =
                place.iteration < 2 ||
                (place.iteration == 3 && place.microbatch == 1 && place.layer == 0);
            return isUneven ? kUneven : Repeat({50, 50, 50, 50});
        },
        2);
    plan.microbatches = 2;
    plan.iterations = 2;
    plan.handling.warmUp = 2;
    const ExpertFigures figures = Routed(plan).router.GetFigures();
    EXPECT_EQ(figures.plans, 8U);
    EXPECT_DOUBLE_EQ(figures.before, (7 + 2.0) / 8);
    EXPECT_DOUBLE_EQ(figures.after, (7 + 1.5) / 8);
    EXPECT_DOUBLE_EQ(figures.worst, 1.5);
    EXPECT_DOUBLE_EQ(figures.local, (7 * 0.25 + 0.375) / 8);
    EXPECT_DOUBLE_EQ(figures.copies, 1 / 8.0);
    EXPECT_DOUBLE_EQ(figures.planningS, 2 * 2 * 3e-3); // of an iteration
    // Of a stage with two groups each of them plans as long.
    TrainingSpec wide =
        MakeExpertPlan({2, 4}, MakeTinyModel(2, 4), {{"Ep", 4}}, plan.handling.policy);
    wide.load = plan.load;
    wide.microbatches = 2;
    const ExpertFigures ofTwo = Routed(wide).router.GetFigures();
    EXPECT_EQ(ofTwo.plans, 8U);
    EXPECT_DOUBLE_EQ(ofTwo.planningS, 2 * 2 * 3e-3);
    EXPECT_DOUBLE_EQ(ofTwo.after, 1.5);
}

TEST(PlannedDispatch, WhatIsDroppedIsComputedNowhereAndNoPartOfTheMean)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [](uint32_t, const TokenCounts& counts) {
        ExpertPlan plan;
        for (uint32_t source = 0; source < 4; ++source)
        {
            for (uint32_t expert = 0; expert < 4; ++expert)
            {
                plan.routes.push_back(
                    {source, expert, expert, std::min(75U, counts.Get(source, expert))});
            }
        }
        plan.dropped = 4 * 25;
        return plan;
    };
    const Routed routed(
        MakeFour(policy, [](const LoadShape&, const LoadPlace&) { return kUneven; }));
    EXPECT_EQ(routed.router.Get(0, {})->received, (std::vector<uint64_t>{300, 240, 160, 0}));
    const ExpertFigures figures = routed.router.GetFigures();
    EXPECT_DOUBLE_EQ(figures.before, 2);
    EXPECT_DOUBLE_EQ(figures.after, 300.0 / (700 / 4.0));
    EXPECT_DOUBLE_EQ(figures.dropped, 100 / 800.0);
    EXPECT_DOUBLE_EQ(figures.local, (75 + 60 + 40) / 800.0);
}

TEST(PlannedDispatch, WithoutTokensLoadsAreEqual)
{
    const Routed routed(
        MakeFour(CreateObject<GivenPolicy>(), [](const LoadShape&, const LoadPlace&) {
            return Repeat({0, 0, 0, 0});
        }));
    const ExpertFigures figures = routed.router.GetFigures();
    EXPECT_DOUBLE_EQ(figures.before, 1);
    EXPECT_DOUBLE_EQ(figures.after, 1);
    EXPECT_DOUBLE_EQ(figures.local, 0);
}

TEST(PlannedDispatch, BuffersOfAFixedSizeAreFilledInEachGroupOfExpertParallelism)
{
    TrainingSpec plan = MakeExpertPlan({2, 4},
                                       MakeTinyModel(1, 4),
                                       {{"Ep", 4}},
                                       MakePolicy("PlainEp", {{"Padding", "max"}}));
    plan.handling.merged = 2;
    plan.load = GivenLoad::Make([](const LoadShape&, const LoadPlace& place) {
        return place.group == 0 ? Repeat({4, 2, 1, 1}) : Repeat({2, 3, 2, 1});
    });
    const Routed routed(plan);
    const Row first{4, 4, 4, 4, 0, 0, 0, 0};
    const Row second{0, 0, 0, 0, 3, 3, 3, 3};
    EXPECT_EQ(routed.GetTokens(0, {}),
              (std::vector<Row>{first, first, first, first, second, second, second, second}));
    const std::vector<uint64_t> received{16, 16, 16, 16, 12, 12, 12, 12};
    EXPECT_EQ(routed.router.Get(0, {})->received, received);
    EXPECT_EQ(routed.router.Get(0, {})->arrived, received);
    const ExpertFigures figures = routed.router.GetFigures();
    EXPECT_DOUBLE_EQ(figures.before, 4 * 4 / 8.0);
    EXPECT_DOUBLE_EQ(figures.after, 16 / 8.0) << "rows without a token are computed";
    EXPECT_DOUBLE_EQ(figures.dropped, 0);
    EXPECT_DOUBLE_EQ(figures.local, (4 + 2 + 1 + 1 + 2 + 3 + 2 + 1) / 64.0);
}

/// \return experts of four on four GPUs, of which GPU 1 holds those of others too
ExpertPlacement
Crowd(uint32_t others)
{
    ExpertPlacement placement{{{0}, {1}, {2}, {3}}};
    for (uint32_t i = 0; i < others; ++i)
    {
        placement.hosts[i == 0 ? 0 : i + 1].push_back(1);
    }
    return placement;
}

TrainingSpec
MakeStages(const Ptr<ExpertPolicy>& policy, uint32_t layers, uint32_t groups = 1)
{
    TrainingSpec plan =
        MakeExpertPlan({2 * groups, 4}, MakeTinyModel(layers, 4), {{"Ep", 4}, {"Pp", 2}}, policy);
    plan.load = GivenLoad::Make([](const LoadShape&, const LoadPlace&) { return kUneven; });
    return plan;
}

std::vector<uint64_t>
ListHeld(const ExpertFigures& figures)
{
    std::vector<uint64_t> experts;
    for (const ExpertFigures::Held& held : figures.held)
    {
        experts.push_back(held.experts);
    }
    return experts;
}

std::vector<uint64_t>
ListCopies(const ExpertFigures& figures)
{
    std::vector<uint64_t> copies;
    for (const ExpertFigures::Held& held : figures.held)
    {
        copies.push_back(held.copies);
    }
    return copies;
}

using Numbers = std::vector<uint64_t>;

TEST(PlannedDispatch, HoldsExpertsOfTheLayersOfEachStage)
{
    const auto policy = CreateObject<GivenPolicy>();
    EXPECT_EQ(ListHeld(Routed(MakeStages(policy, 4)).router.GetFigures()), (Numbers{2, 2}));
    // What is left over goes to the first stage, and dense layers are first.
    EXPECT_EQ(ListHeld(Routed(MakeStages(policy, 5)).router.GetFigures()), (Numbers{3, 2}));
    TrainingSpec plan = MakeStages(policy, 5);
    plan.model.denseLayers = 2;
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{1, 2}));
    plan.model.denseLayers = 3;
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{0, 2}));
    EXPECT_EQ(ListCopies(Routed(plan).router.GetFigures()), (Numbers{0, 0}));
}

TEST(PlannedDispatch, HoldsWhatHasComeToAGpuInAnyIteration)
{
    // Three layers of two stages: policies count 0 and 1 of the first, 2 of the second.
    const auto policy = GivenPlacement::Make([](uint32_t layer, uint32_t over) {
        std::optional<ExpertPlacement> placement;
        if (over == 1)
        {
            placement = Crowd(layer == 0 ? 1 : layer == 1 ? 2 : 3);
        }
        if (over == 2)
        {
            placement = Crowd(0);
        }
        return placement;
    });
    TrainingSpec plan = MakeStages(policy, 3);
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{2, 1})) << "not yet";
    plan.iterations = 2;
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{2 + 3, 4}));
    plan.iterations = 3;
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{2 + 3, 4})) << "no longer";
    plan.iterations = 1;
    plan.handling.warmUp = 1;
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{2 + 3, 4}));
    plan.handling.warmUp = 2;
    EXPECT_EQ(ListHeld(Routed(plan).router.GetFigures()), (Numbers{2, 1})) << "before it is run";
}

TEST(PlannedDispatch, HoldsTheMostOfTheGroupsOfAStage)
{
    // Groups 0 and 1 are of the first stage, 2 and 3 of the second: the last has a crowd.
    const auto policy = GivenPlacement::Make([](uint32_t layer, uint32_t) {
        return std::optional<ExpertPlacement>(Crowd(layer == 3 ? 2 : 0));
    });
    const Routed routed(MakeStages(policy, 2, 2));
    EXPECT_EQ(ListHeld(routed.router.GetFigures()), (Numbers{1, 3}));
    EXPECT_EQ(routed.router.GetHosts(1, 0, 1),
              (Hosts{{8, 12, 13}, {9, 13}, {10, 14, 13}, {11, 15}}));
}

TEST(PlannedDispatch, AnExpertInTwoSlotsOfAGpuIsHeldOnce)
{
    const auto policy = GivenPlacement::Make([](uint32_t, uint32_t) {
        return std::optional<ExpertPlacement>({{{0, 0}, {1}, {2}, {3}}});
    });
    const Routed routed(
        MakeFour(policy, [](const LoadShape&, const LoadPlace&) { return kUneven; }));
    EXPECT_EQ(ListHeld(routed.router.GetFigures()), (Numbers{1}));
    EXPECT_EQ(routed.router.GetHosts(0, 0, 0), (Hosts{{0}, {1}, {2}, {3}}));
}

/// Copies experts, as a test says by layer as the policy counts, to GPUs; all tokens go home.
Ptr<GivenPolicy>
MakeCopying(const std::function<std::vector<ExpertTransfer>(uint32_t layer)>& copy,
            bool fetchesAgain)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [copy, fetchesAgain](uint32_t layer, const TokenCounts&) {
        ExpertPlan plan;
        plan.weights = copy(layer);
        plan.gradients = TurnBack(plan.weights, 6144);
        plan.fetchesAgain = fetchesAgain;
        return plan;
    };
    return policy;
}

std::vector<ExpertTransfer>
Join(std::vector<ExpertTransfer> one, const std::vector<ExpertTransfer>& other)
{
    one.insert(one.end(), other.begin(), other.end());
    return one;
}

TEST(PlannedDispatch, CopiesOfAllLayersOfAStageAreThereTogetherUnlessFetchedAgain)
{
    // Layers 0 and 1 are of the first stage, 2 and 3 of the second.
    const auto copy = [](uint32_t layer) -> std::vector<ExpertTransfer> {
        switch (layer)
        {
        case 0:
            return Join(SendExpert(0, 0, {1, 2}, 3072), SendExpert(3, 3, {1}, 3072));
        case 1:
            return SendExpert(0, 0, {1, 2, 3}, 3072);
        case 2:
            return SendExpert(0, 0, {3}, 3072);
        default:
            return SendExpert(1, 1, {2}, 3072);
        }
    };
    const ExpertFigures kept = Routed(MakeStages(MakeCopying(copy, false), 4)).router.GetFigures();
    EXPECT_EQ(ListCopies(kept), (Numbers{2 + 1, 1})) << "of one GPU: 1 of stage 0";
    EXPECT_EQ(ListHeld(kept), (Numbers{2, 2}));
    EXPECT_DOUBLE_EQ(kept.copies, (3 + 3 + 1 + 1) / 4.0);
    const ExpertFigures again = Routed(MakeStages(MakeCopying(copy, true), 4)).router.GetFigures();
    EXPECT_EQ(ListCopies(again), (Numbers{2, 1}));
    EXPECT_DOUBLE_EQ(again.copies, kept.copies) << "the second time is the same copy";
}

TEST(PlannedDispatch, CopiesAreThoseOfTheMicrobatchThatHasMost)
{
    // The first and third micro-batch bring expert 0 to GPUs 1 and 2, the second experts 0 and 3 to
    // GPU 2.
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [](uint32_t, const TokenCounts& counts) {
        ExpertPlan plan;
        plan.weights = counts.Get(0, 0) != 2
                           ? SendExpert(0, 0, {1, 2}, 3072)
                           : Join(SendExpert(0, 0, {2}, 3072), SendExpert(3, 3, {2}, 3072));
        plan.gradients = TurnBack(plan.weights, 6144);
        return plan;
    };
    TrainingSpec plan = MakeFour(policy, [](const LoadShape&, const LoadPlace& place) {
        return Repeat({1 + place.microbatch, 1, 1, 1});
    });
    EXPECT_EQ(ListCopies(Routed(plan).router.GetFigures()), (Numbers{1}));
    plan.microbatches = 2;
    EXPECT_EQ(ListCopies(Routed(plan).router.GetFigures()), (Numbers{2}));
    plan.microbatches = 3;
    EXPECT_EQ(ListCopies(Routed(plan).router.GetFigures()), (Numbers{2}));
}

TEST(PlannedDispatch, CopiesAreThoseOfTheGroupThatHasMost)
{
    // Policies count layers 0 and 1 of the groups of the first stage, 2 and 3 of the second.
    const auto copy = [](uint32_t layer) {
        return layer == 1   ? Join(SendExpert(0, 0, {3}, 3072), SendExpert(1, 1, {3}, 3072))
               : layer == 2 ? SendExpert(0, 0, {3}, 3072)
                            : std::vector<ExpertTransfer>();
    };
    const ExpertFigures figures =
        Routed(MakeStages(MakeCopying(copy, false), 2, 2)).router.GetFigures();
    EXPECT_EQ(ListCopies(figures), (Numbers{2, 1}));
}

/// Bytes by sender and receiver.
using Moves = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

/// \return what four GPUs send each other of experts that move
Moves
ListMoves(const PlannedDispatch& router, uint32_t iteration)
{
    Moves moves;
    for (uint32_t from = 0; from < 4; ++from)
    {
        for (const auto& [to, bytes] : router.GetMoves(iteration).GetSends(from))
        {
            moves[{from, to}] = bytes;
        }
    }
    return moves;
}

/// The policy places two layers: one before the second iteration, both before the third.
TrainingSpec
MakeMoving()
{
    const auto policy = GivenPlacement::Make([](uint32_t layer, uint32_t over) {
        std::optional<ExpertPlacement> placement;
        if (over == 1 && layer == 1)
        {
            placement = Crowd(2);
        }
        if (over == 2)
        {
            placement = ExpertPlacement{{{1}, {0}, {2}, {3}}};
        }
        return placement;
    });
    policy->SetAttribute("PlanningTime", TimeValue(MicroSeconds(7)));
    TrainingSpec plan = MakeFour(
        policy,
        [](const LoadShape&, const LoadPlace&) { return kUneven; },
        2);
    plan.iterations = 4;
    plan.microbatches = 2; // which change nothing
    return plan;
}

TEST(PlannedDispatch, InTheMeanEachIterationIsChargedWithItsPartOfThePeriod)
{
    constexpr uint64_t period = 10;
    TrainingSpec plan = MakeMoving();
    const Routed known(plan);
    Moves expected;
    for (uint32_t iteration = 0; iteration < plan.iterations; ++iteration)
    {
        for (const auto& [ends, bytes] : ListMoves(known.router, iteration))
        {
            expected[ends] += bytes;
        }
    }
    ASSERT_FALSE(expected.empty());
    for (auto& [ends, bytes] : expected)
    {
        bytes = (bytes + period - 1) / period;
    }
    plan.handling.meansMoves = true;
    for (const uint32_t iterations : {1U, 4U}) // those behind the run are seen, too
    {
        plan.iterations = iterations;
        const Routed mean(plan);
        for (uint32_t iteration = 0; iteration < iterations; ++iteration)
        {
            EXPECT_EQ(ListMoves(mean.router, iteration), expected);
            EXPECT_NEAR(mean.router.GetDecided(0, iteration).plannedLayers, 3.0 / period, 1e-9);
            EXPECT_EQ(mean.router.GetDecided(0, iteration).planning, 3 * 7'000'000 / period);
        }
    }
    plan.handling.warmUp = 3;
    EXPECT_EQ(ListMoves(Routed(plan).router, 0), Moves()) << "all moves were before";
}

TEST(PlannedDispatch, MovesAreThoseBeforeTheirIteration)
{
    // An expert of 1536 parameters moves with 2 B of each. Of 12 B those that hold it have an even
    // part.
    constexpr uint64_t weights = 1536 * 2;
    constexpr uint64_t states = 1536 * 12;
    const TrainingSpec plan = MakeMoving();
    const Routed routed(plan);
    const PlannedDispatch& router = routed.router;
    EXPECT_EQ(ListMoves(router, 0), Moves());
    EXPECT_EQ(router.GetDecided(0, 0).plannedLayers, 0U);
    EXPECT_FALSE(router.IsMoved(0, 0));
    // One layer: experts 0 and 2 go to GPU 1 as well.
    EXPECT_EQ(ListMoves(router, 1),
              (Moves{{{0, 1}, weights + states / 2}, {{2, 1}, weights + states / 2}}));
    EXPECT_EQ(router.GetDecided(0, 1).plannedLayers, 1U);
    EXPECT_EQ(router.GetDecided(0, 1).planning, 7'000'000);
    EXPECT_FALSE(router.IsMoved(0, 1, 0));
    EXPECT_TRUE(router.IsMoved(0, 1, 1));
    EXPECT_TRUE(router.IsMoved(0, 1));
    EXPECT_EQ(router.GetHosts(0, 1, 0), (Hosts{{0}, {1}, {2}, {3}}));
    EXPECT_EQ(router.GetHosts(0, 1, 1), (Hosts{{0, 1}, {1}, {2, 1}, {3}}));
    // Both layers: 0 and 1 change places; in the second layer GPU 1 has expert 0, but for half of
    // its states, and GPU 2 gets those of expert 2 back.
    EXPECT_EQ(ListMoves(router, 2),
              (Moves{{{0, 1}, weights + states + states / 2},
                     {{1, 0}, 2 * (weights + states)},
                     {{1, 2}, states / 2}}));
    EXPECT_EQ(router.GetDecided(0, 2).plannedLayers, 2U);
    EXPECT_EQ(router.GetDecided(0, 2).planning, 2 * 7'000'000);
    EXPECT_TRUE(router.IsMoved(0, 2, 0));
    EXPECT_EQ(router.GetHosts(0, 2, 1), (Hosts{{1}, {0}, {2}, {3}}));
    // They stay there.
    EXPECT_EQ(ListMoves(router, 3), Moves());
    EXPECT_EQ(router.GetDecided(0, 3).plannedLayers, 0U);
    EXPECT_EQ(router.GetDecided(0, 3).planning, 0);
    // Memory of the fullest GPU: in the second iteration GPU 1 has expert 1 twice, 0 and 2 by half.
    EXPECT_EQ(router.GetFigures().held.front().stateBytes, 2 * states + states);
    EXPECT_TRUE(router.IsMoved(0, 3));
    EXPECT_EQ(router.GetHosts(0, 3, 0), (Hosts{{1}, {0}, {2}, {3}}));
}

TEST(PlannedDispatch, EachGroupHasItsOwnMoves)
{
    // Policies count layers 0 and 1 of the groups of the first stage, 2 and 3 of the second.
    const auto policy = GivenPlacement::Make([](uint32_t layer, uint32_t over) {
        const bool isFirst = over == 1 && layer == 1;
        const bool isSecond = over == 2 && layer == 2;
        return isFirst || isSecond ? std::optional<ExpertPlacement>(Crowd(isFirst ? 1 : 3))
                                   : std::nullopt;
    });
    TrainingSpec plan = MakeStages(policy, 2, 2);
    plan.iterations = 3;
    const Routed routed(plan);
    for (uint32_t group = 0; group < 4; ++group)
    {
        for (uint32_t iteration = 0; iteration < 3; ++iteration)
        {
            SCOPED_TRACE(std::to_string(group) + ", " + std::to_string(iteration));
            const std::size_t hops = group == 1 && iteration == 1   ? 1
                                     : group == 2 && iteration == 2 ? 3
                                                                    : 0;
            // Parameters, and a third of states that two groups had.
            const ExpertMoves& moves = routed.router.GetMoves(iteration);
            EXPECT_EQ(moves.GetReceived(4 * group + 1), hops * 1536 * (2 + 4));
            EXPECT_EQ(moves.GetReceived(4 * group), 0U);
            EXPECT_EQ(routed.router.GetDecided(group, iteration).plannedLayers, hops > 0 ? 1U : 0U);
        }
    }
    // One group that has moved is enough, the first of its stage or the last.
    EXPECT_FALSE(routed.router.IsMoved(0, 0, 0));
    EXPECT_TRUE(routed.router.IsMoved(0, 1, 0));
    EXPECT_FALSE(routed.router.IsMoved(1, 1, 1));
    EXPECT_TRUE(routed.router.IsMoved(1, 2, 1));
}

TEST(PlannedDispatch, WhatMovedInTheWarmUpDoesNotMoveAgain)
{
    const auto policy = GivenPlacement::Make([](uint32_t, uint32_t over) {
        return over == 1 ? std::optional<ExpertPlacement>(Crowd(2)) : std::nullopt;
    });
    TrainingSpec plan =
        MakeFour(policy, [](const LoadShape&, const LoadPlace&) { return kUneven; });
    plan.handling.warmUp = 1;
    const Routed first(plan);
    EXPECT_EQ(ListMoves(first.router, 0).size(), 2U);
    EXPECT_EQ(first.router.GetDecided(0, 0).plannedLayers, 1U);
    plan.handling.warmUp = 2;
    const Routed later(plan);
    EXPECT_EQ(ListMoves(later.router, 0), Moves());
    EXPECT_EQ(later.router.GetDecided(0, 0).plannedLayers, 0U);
    EXPECT_TRUE(later.router.IsMoved(0, 0));
}

TEST(PlannedDispatch, MergedGroupsAreOnlyMovedWhenExpertsLeaveTheirHomes)
{
    TrainingSpec plan =
        MakeExpertPlan({2, 4}, MakeTinyModel(1, 4), {{"Ep", 4}}, CreateObject<GivenPolicy>());
    plan.load = GivenLoad::Make([](const LoadShape&, const LoadPlace&) { return kUneven; });
    plan.handling.merged = 2;
    const Routed routed(plan);
    EXPECT_FALSE(routed.router.IsMoved(0, 0));
    EXPECT_EQ(routed.router.GetHosts(0, 0, 0), (Hosts{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    EXPECT_EQ(ListHeld(routed.router.GetFigures()), (Numbers{1}));
    // All tokens go to the first host: eight sources have 100, 60 and 40 for three of eight GPUs.
    EXPECT_DOUBLE_EQ(routed.router.GetFigures().before, 2) << "in their own groups";
    EXPECT_DOUBLE_EQ(routed.router.GetFigures().after, 4);
}

TEST(PlannedDispatch, CopiesForServersAreTokensWhereEachGoesToOneExpert)
{
    // Two groups on a server each; GPU 7 computes a part of the tokens of its group for expert 0.
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [](uint32_t, const TokenCounts& counts) {
        ExpertPlan plan;
        for (uint32_t source = 0; source < 8; ++source)
        {
            const uint32_t there = source < 4 ? 0 : 30;
            for (uint32_t expert = 0; expert < 4; ++expert)
            {
                const uint32_t own = source / 4 * 4 + expert;
                const uint32_t away = expert == 0 ? there : 0;
                plan.routes.push_back({source, expert, own, counts.Get(source, expert) - away});
            }
            plan.routes.push_back({source, 0, 7, there});
        }
        plan.weights = SendExpert(0, 4, {7}, 3072);
        plan.gradients = TurnBack(plan.weights, 6144);
        return plan;
    };
    TrainingSpec plan = MakeExpertPlan({2, 4}, MakeTinyModel(1, 4), {{"Ep", 4}}, policy);
    plan.model.topK = 1;
    plan.handling.merged = 2;
    plan.deduplicates = true;
    plan.load = GivenLoad::Make([](const LoadShape&, const LoadPlace& place) {
        return place.group == 0 ? Repeat({50, 40, 30, 8}) : Repeat({100, 10, 8, 10});
    });
    const Routed routed(plan);
    const auto routing = routed.router.Get(0, {});
    const Row first{50, 40, 30, 8, 0, 0, 0, 0};
    const Row second{0, 0, 0, 0, 70, 10, 8, 10 + 30};
    EXPECT_EQ(routed.GetTokens(0, {}),
              (std::vector<Row>{first, first, first, first, second, second, second, second}));
    EXPECT_EQ(routing->copies, routing->tokens);
    EXPECT_EQ(routing->serverCopies,
              (Row{128, 0, 128, 0, 128, 0, 128, 0, 0, 128, 0, 128, 0, 128, 0, 128}));
    EXPECT_EQ(routing->arrived, routing->received);
}

TEST(PlannedDispatch, ATokenForTwoExpertsOfAGpuArrivesOnce)
{
    // All of 128 tokens go to experts 0 and 1, which are at home on GPU 0; or to 0 and 2.
    for (const bool areTogether : {true, false})
    {
        TrainingSpec plan =
            MakeExpertPlan({1, 4}, MakeTinyModel(1), {{"Ep", 4}}, CreateObject<GivenPolicy>());
        plan.deduplicates = true;
        plan.load = GivenLoad::Make([areTogether](const LoadShape&, const LoadPlace&) {
            return areTogether ? Repeat({128, 128, 0, 0, 0, 0, 0, 0})
                               : Repeat({128, 0, 128, 0, 0, 0, 0, 0});
        });
        const Routed routed(plan);
        const auto routing = routed.router.Get(0, {});
        EXPECT_EQ(routing->received,
                  (areTogether ? Numbers{4 * 256, 0, 0, 0} : Numbers{4 * 128, 4 * 128, 0, 0}));
        EXPECT_EQ(routing->arrived,
                  (areTogether ? Numbers{4 * 128, 0, 0, 0} : Numbers{4 * 128, 4 * 128, 0, 0}));
        EXPECT_EQ(routing->serverCopies, Row(4, 128)) << "there is one server";
    }
}

/// Remembers for which places it is asked.
class AskedLoad : public TokenLoad
{
  public:
    using Place = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override
    {
        drawn.insert({place.iteration, place.layer, place.microbatch, place.group});
        return Repeat({1, 1, 1, 1}, shape.sources);
    }

    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>&,
                                      const TokenSplit& split) const override
    {
        ++counted[{place.iteration, place.layer, place.microbatch, place.group}];
        return std::vector<uint32_t>(std::size_t{shape.sources} * split.GetSets());
    }

    mutable std::set<Place> drawn;
    mutable std::map<Place, uint32_t> counted;
};

TEST(PlannedDispatch, CopiesAreCountedWhereTokensWereDrawn)
{
    const auto load = CreateObject<AskedLoad>();
    TrainingSpec plan = MakeExpertPlan({8, 4},
                                       MakeTinyModel(2, 4),
                                       {{"Ep", 4}, {"Pp", 2}},
                                       CreateObject<GivenPolicy>());
    plan.load = load;
    plan.handling.merged = 2;
    plan.handling.warmUp = 1;
    plan.iterations = 2;
    plan.microbatches = 2;
    plan.deduplicates = true;
    const Routed routed(plan);
    // Four groups of expert parallelism in each layer, two of them planned together.
    EXPECT_EQ(load->drawn.size(), 3U * 2 * 2 * 4);
    EXPECT_EQ(load->counted.size(), 2U * 2 * 2 * 4);
    for (const AskedLoad::Place& place : load->drawn)
    {
        // For GPUs and for servers; not in the warm-up.
        EXPECT_EQ(load->counted[place], std::get<0>(place) == 0 ? 0U : 2U);
    }
}

TEST(PlannedDispatch, APlanThatLosesTokensIsNotTaken)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->plan = [](uint32_t, const TokenCounts& counts) {
        ExpertPlan plan = CopyToTheIdle(counts);
        plan.routes.front().tokens -= 1;
        return plan;
    };
    const TrainingSpec plan =
        MakeFour(policy, [](const LoadShape&, const LoadPlace&) { return kUneven; });
    EXPECT_THROW(Routed{plan}, std::logic_error);
}

TEST(PlannedDispatch, RefusesMorePlansThanEightGibHold)
{
    const auto expectRefusal = [](const TrainingSpec& plan, const std::string& plans) {
        ExpectConfigurationError([&] { Routed{plan}; },
                                 "experts",
                                 plans + " plans of a layer and micro-batch, which are kept, need "
                                         "more than 8 GiB: run fewer iterations");
    };
    const auto make = [](const ClusterShape& shape, uint32_t iterations) {
        TrainingSpec plan =
            MakeExpertPlan(shape, MakeTinyModel(1, 64), {{"Ep", 64}}, CreateObject<GivenPolicy>());
        plan.load =
            GivenLoad::Make([](const LoadShape&, const LoadPlace&) -> std::vector<uint32_t> {
                throw std::domain_error("draws");
            });
        plan.iterations = iterations;
        return plan;
    };
    // One of 64 GPUs counts 700 + 5 x 64 x 72 = 23740 B.
    EXPECT_THROW(Routed{make({8, 8}, 361'833)}, std::domain_error) << "just as many as fit";
    expectRefusal(make({8, 8}, 361'834), "361834");
    TrainingSpec plan = make({8, 8}, 51'691);
    plan.microbatches = 7;
    expectRefusal(plan, "361837");
    // Copies take as much again.
    plan = make({8, 8}, 183'624);
    plan.deduplicates = true;
    EXPECT_THROW(Routed{plan}, std::domain_error);
    plan.iterations += 1;
    expectRefusal(plan, "183625");
    // Groups have plans of their own.
    expectRefusal(make({16, 8}, 180'917), "361834");
}

} // namespace

} // namespace ns3::rails::test
