// SPDX-License-Identifier: GPL-2.0-only
#include "history-fixture.h"

#include "ns3/component-maker.h"
#include "ns3/eplb-expert-policy.h"
#include "ns3/expert-policy.h"
#include "ns3/expert-swap.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Loads = std::vector<uint64_t>;
using Hosts = std::vector<std::vector<uint32_t>>;
/// Experts that change places, that of the heavier GPU first, and what it gains.
using Swaps = std::vector<std::tuple<uint32_t, uint32_t, uint64_t>>;

/// \return swaps with experts in order. \param loads of the experts
Swaps
Find(const ExpertSetting& setting, const Loads& loads, double leastGain = 0)
{
    const auto slots =
        ListSlots(DealLoads(loads, setting.cluster.gpus), ExpertPlacement::InOrder(setting));
    Swaps swaps;
    for (const SlotSwap& swap : FindSwaps(slots, setting.cluster, leastGain))
    {
        swaps.emplace_back(slots[swap.heavy].expert, slots[swap.light].expert, swap.gain);
    }
    return swaps;
}

/// \return a policy that swaps for a single token, without replicas unless there are slots
Ptr<ExpertPolicy>
MakeEpic(const ExpertSetting& setting, uint32_t slots = 0)
{
    const auto policy = MakeComponent<ExpertPolicy>("EpicExpertPolicy");
    policy->SetAttribute("MinGain", UintegerValue(1));
    policy->SetAttribute("Slots", UintegerValue(slots));
    policy->SetAttribute("Period", UintegerValue(1));
    policy->Check(setting);
    policy->Start(setting);
    return policy;
}

/// \return by GPU what it computes of tokens that all GPUs have alike
Loads
PlanLoads(ExpertPolicy& policy, const ExpertSetting& setting, const Loads& loads)
{
    return PlanFirstLayer(policy, setting, DealLoads(loads, setting.cluster.gpus)).loads;
}

TEST(ExpertSwap, HeaviestIsPairedWithLightestAndTheNextWithTheNext)
{
    // GPUs have 20, 50, 10 and 40. Of 1 and 2, 40 apart: 30 for 7 moves 23, and 50 becomes 33 (27
    // and 33). The other two experts for each other, 20 for 3, would do the same: the first is
    // taken. Of 3 and 0, 20 apart: 22 for 12 moves 10, and both have 30.
    const ExpertSetting setting = MakeOneGroup(4, 4, 8);
    const Loads loads{12, 8, 30, 20, 7, 3, 22, 18};
    EXPECT_EQ(Find(setting, loads), (Swaps{{2, 4, 17}, {6, 0, 10}}));
    EXPECT_EQ(PlanLoads(*MakeEpic(setting), setting, loads), (Loads{30, 27, 33, 30}));
}

TEST(ExpertSwap, OneInTheMiddleStaysAlone)
{
    // GPUs have 30, 90 and 16: 1 and 2, 74 apart, swap 60 for 10, and 90 becomes 66.
    const ExpertSetting setting = MakeOneGroup(3, 3, 6);
    EXPECT_EQ(Find(setting, {20, 10, 60, 30, 10, 6}), (Swaps{{2, 4, 24}}));
}

TEST(ExpertSwap, TheSwapThatLowersTheLargerLoadMostIsTaken)
{
    // GPUs have 130 and 30, 100 apart. What moves, and what the larger load falls by:
    //        15       12       3
    //   90   75: 25   78: 22   87: 13
    //   30   15: 15   18: 18   27: 27
    //   10   -        -         7: 7
    const ExpertSetting setting = MakeOneGroup(2, 2, 6);
    EXPECT_EQ(Find(setting, {90, 30, 10, 15, 12, 3}), (Swaps{{1, 5, 27}}));
}

TEST(ExpertSwap, NoneIsMadeThatGainsLessThanItMust)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 6);
    const Loads loads{90, 30, 10, 15, 12, 3}; // 27, as above
    EXPECT_EQ(Find(setting, loads, 27).size(), 1U);
    EXPECT_EQ(Find(setting, loads, 27.01).size(), 0U);
}

TEST(ExpertSwap, NoneIsMadeThatGainsNothing)
{
    // One expert that is too large for either GPU: 100 and 60. 90 for 30 moves 60, which makes the
    // other as heavy; 6 and 4 are less than anything that could come back.
    EXPECT_TRUE(Find(MakeOneGroup(2, 2, 6), {90, 6, 4, 30, 20, 10}).empty());
    // With one expert each, GPUs would trade their loads: 9 and 1.
    EXPECT_TRUE(Find(MakeOneGroup(2, 2, 2), {9, 1}).empty());
    EXPECT_TRUE(Find(MakeOneGroup(2, 2, 4), {5, 3, 4, 4}).empty()); // as heavy
    EXPECT_TRUE(Find(MakeOneGroup(2, 2, 4), {0, 0, 0, 0}).empty());
}

TEST(ExpertSwap, GpusOfDifferentServersAreNoPair)
{
    // GPUs have 40, 20, 4 and 2, in servers of two. 30 for 15 moves 15 of 20 apart; 3 for 2 moves 1
    // of 2.
    const ExpertSetting setting = MakeOneGroup(4, 2, 8);
    EXPECT_EQ(Find(setting, {30, 10, 15, 5, 3, 1, 2, 0}), (Swaps{{0, 2, 5}, {4, 6, 1}}));
    EXPECT_TRUE(Find(MakeOneGroup(4, 1, 8), {30, 10, 15, 5, 3, 1, 2, 0}).empty());
    // The last server has fewer: GPU 2 has nobody.
    EXPECT_EQ(Find(MakeOneGroup(3, 2, 6), {30, 10, 15, 5, 99, 1}), (Swaps{{0, 2, 5}}));
}

TEST(ExpertSwap, SlotsHaveTheSharesOfAnEvenDeal)
{
    ExpertPlacement placement;
    placement.hosts = {{0, 0, 1}, {1}};
    TokenCounts counts(2, 2);
    counts.Set(0, 0, 7); // 3, 2, 2 from the first slot on
    counts.Set(1, 0, 4); // 1, 2, 1: the second has the odd one
    counts.Set(1, 1, 5);
    const std::vector<ExpertSlot> slots = ListSlots(counts, placement);
    Loads tokens;
    for (const ExpertSlot& slot : slots)
    {
        tokens.push_back(slot.tokens);
    }
    EXPECT_EQ(tokens, (Loads{4, 4, 3, 5}));
    EXPECT_EQ(slots[2].replica, 2U);
    EXPECT_EQ(slots[2].gpu, 1U);
}

TEST(EpicExpertPolicy, BothExpertsTravelAndTheirGradientsReturn)
{
    // As above: 130 and 30 become 103 and 57, as experts 1 and 5 change places.
    const ExpertSetting setting = MakeOneGroup(2, 2, 6);
    const Loads loads{90, 30, 10, 15, 12, 3};
    const TokenCounts counts = DealLoads(loads, 2);
    const auto policy = MakeEpic(setting);
    const ExpertPlan plan = policy->Plan(0, counts);
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    EXPECT_EQ(plan.placement->hosts, ExpertPlacement::InOrder(setting).hosts);
    ASSERT_EQ(plan.weights.size(), 2U);
    ASSERT_EQ(plan.gradients.size(), 2U);
    for (std::size_t i : {0U, 1U})
    {
        const ExpertTransfer& weight = plan.weights[i];
        const ExpertTransfer& gradient = plan.gradients[i];
        EXPECT_EQ(weight.expert, i == 0 ? 1U : 5U);
        EXPECT_EQ(weight.from, i);
        EXPECT_EQ(weight.to, 1 - i);
        EXPECT_EQ(weight.bytes, 100U);
        EXPECT_EQ(gradient.expert, weight.expert);
        EXPECT_EQ(gradient.from, weight.to);
        EXPECT_EQ(gradient.to, weight.from);
        EXPECT_EQ(gradient.bytes, 200U);
    }
    const PlanFigures figures = FindFigures(setting, counts, plan);
    EXPECT_EQ(figures.loads, (Loads{103, 57}));
    EXPECT_EQ(figures.weights.inside, 400U); // forward, and again before the way back
    EXPECT_EQ(figures.gradients.inside, 400U);
    EXPECT_EQ(plan.planningSeconds, 0);
}

TEST(EpicExpertPolicy, SwapsLastForOneMicroBatch)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 6);
    const auto policy = MakeEpic(setting);
    const Loads loads{90, 30, 10, 15, 12, 3};
    EXPECT_EQ(PlanLoads(*policy, setting, loads), (Loads{103, 57}));
    EXPECT_EQ(PlanLoads(*policy, setting, loads), (Loads{103, 57})); // and not the next swap
    EXPECT_EQ(PlanLoads(*policy, setting, {5, 3, 1, 4, 4, 1}), (Loads{9, 9}));
}

// The gain is in tokens: 100 bytes take 10 s over NVLink, a token takes 0.5 s, so delta is 20.
TEST(EpicExpertPolicy, SwapGainsAsMuchAsAGpuComputesWhileExpertsTravel)
{
    ExpertSetting setting = MakeOneGroup(2, 2, 4);
    setting.cluster.nvlinkRate = 10;
    setting.cluster.flops = 4;
    setting.tokenFlops = 2;
    const auto policy = MakeComponent<ExpertPolicy>("EpicExpertPolicy");
    policy->Check(setting);
    policy->Start(setting);
    // 50 and 10, 40 apart: 30 for 10 moves 20, and both have 30.
    EXPECT_EQ(PlanLoads(*policy, setting, {30, 20, 10, 0}), (Loads{30, 30}));
    // 49 and 10, 39 apart: 30 for 10 moves 20, 19 for 0 moves 19, and 49 becomes 30: 19.
    EXPECT_EQ(PlanLoads(*policy, setting, {30, 19, 10, 0}), (Loads{49, 10}));
    policy->SetAttribute("MinGain", UintegerValue(19));
    EXPECT_EQ(PlanLoads(*policy, setting, {30, 19, 10, 0}), (Loads{29, 30}));
}

// An expert of DeepSeek-R1 of 42 MB takes 92 us on H20 and 210 us on H800, as EPIC says. Their
// NVLink has 450 and 200 GB/s in each direction, which makes 93 and 210 us. A token takes 1 us
// here.
TEST(EpicExpertPolicy, SwapsTakeAsLongAsEpicSays)
{
    for (const auto& [rate, delta] : {std::pair(450e9, 94U), std::pair(200e9, 210U)})
    {
        ExpertSetting setting = MakeOneGroup(2, 2, 4);
        setting.weightBytes = 42'000'000;
        setting.cluster.nvlinkRate = rate;
        setting.cluster.flops = 1e12;
        setting.tokenFlops = 1e6;
        const auto policy = MakeComponent<ExpertPolicy>("EpicExpertPolicy");
        policy->Check(setting);
        policy->Start(setting);
        // The other GPU has nothing: whichever of the two goes, 1000 remains, or comes to be.
        EXPECT_EQ(PlanLoads(*policy, setting, {delta, 1000, 0, 0}), (Loads{1000, delta}));
        EXPECT_EQ(PlanLoads(*policy, setting, {delta - 1, 1000, 0, 0}), (Loads{999 + delta, 0}));
    }
}

TEST(EpicExpertPolicy, PlacesAsEplbDoesAndSwapsByWhatThereIs)
{
    // EPLB: 10 to GPU 0; 3 and 2 to GPU 1; 1 to GPU 0.
    const ExpertSetting setting = MakeOneGroup(2, 2, 4);
    const auto eplb = CreateObject<EplbExpertPolicy>();
    eplb->SetAttribute("Slots", UintegerValue(0));
    eplb->Check(setting);
    eplb->Start(setting);
    const auto epic = MakeEpic(setting);
    const LoadHistory history = MakeHistory({10, 2, 3, 1});
    EXPECT_EQ(epic->BeginIteration(0, history).size(), eplb->BeginIteration(0, history).size());
    EXPECT_EQ(GetFirstPlacement(*epic, setting).hosts, (Hosts{{0}, {1}, {1}, {0}}));
    EXPECT_EQ(GetFirstPlacement(*eplb, setting).hosts, (Hosts{{0}, {1}, {1}, {0}}));
    // Now 6 and 18, 12 apart: 10 for 4 moves 6.
    const Loads loads{2, 10, 8, 4};
    EXPECT_EQ(PlanLoads(*eplb, setting, loads), (Loads{6, 18}));
    EXPECT_EQ(PlanLoads(*epic, setting, loads), (Loads{12, 12}));
}

TEST(EpicExpertPolicy, ServersAreAsUnevenAsOldLoadsHaveThem)
{
    // EPLB: 8 7 6 5 to GPUs 0 1 2 3, then 4 3 2 1 to GPUs 3 2 1 0: 9 each.
    const ExpertSetting setting = MakeOneGroup(4, 2, 8);
    const auto policy = MakeEpic(setting);
    policy->BeginIteration(0, MakeHistory({8, 7, 6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts,
              (Hosts{{0}, {1}, {2}, {3}, {3}, {2}, {1}, {0}}));
    // GPUs have 60 10 10 10. Of the first two, 50 apart, 40 for 10 moves 30, and 60 becomes 40. The
    // other server cannot help.
    const Loads loads{40, 10, 6, 10, 0, 4, 0, 20};
    EXPECT_EQ(PlanLoads(*policy, setting, loads), (Loads{30, 40, 10, 10}));
    // The next placement knows: 40 20 10 10 to GPUs 0 1 2 3, 6 and 4 to 2 and 3, and the others,
    // without tokens, to 1 and 0. No swap helps now.
    policy->BeginIteration(0, MakeHistory(loads));
    EXPECT_EQ(PlanLoads(*policy, setting, loads), (Loads{40, 20, 16, 14}));
}

TEST(EpicExpertPolicy, WaitsForAPeriodAndGoesByAWindow)
{
    const ExpertSetting setting = MakeOneGroup(2, 2, 4);
    const auto policy = MakeEpic(setting);
    policy->SetAttribute("Period", UintegerValue(2));
    policy->SetAttribute("Window", UintegerValue(1));
    policy->Start(setting);
    const LoadHistory one = MakeHistory({10, 2, 3, 1});
    LoadHistory other = one;
    other.Add(DealLoads({1, 10, 2, 3}, 1));
    other.EndIteration();
    EXPECT_TRUE(policy->BeginIteration(0, LoadHistory(4, 1)).empty());
    EXPECT_FALSE(policy->BeginIteration(0, one).empty());
    EXPECT_TRUE(policy->BeginIteration(0, other).empty());
    EXPECT_FALSE(policy->BeginIteration(0, other).empty());
    // 10 to GPU 0; 3 and 2 to GPU 1; 1 to GPU 0. The mean of both, 5.5 6 2.5 2, has 6 and 2 there.
    EXPECT_EQ(GetFirstPlacement(*policy, setting).hosts, (Hosts{{0}, {0}, {1}, {1}}));
}

TEST(EpicExpertPolicy, ReplicasMoveOneSlotWithItsShareAndNeverMeet)
{
    // EPLB: 4 for each replica of 0 0 0 1 2 3, dealt to GPUs as 0 2 0 and 1 3 0.
    const ExpertSetting setting = MakeOneGroup(2, 2, 4);
    const auto policy = MakeEpic(setting, 1);
    policy->BeginIteration(0, MakeHistory({12, 4, 4, 4}));
    ASSERT_EQ(GetFirstPlacement(*policy, setting).hosts, (Hosts{{0, 0, 1}, {1}, {0}, {1}}));
    // Slots have 20 20 20, 1, 34, 1. GPUs have 74 and 22, 52 apart. 34 for 1 moves 33, and 74
    // becomes 55. A slot of expert 0 for 1 would gain as much, and stands before it, but GPU 1 has
    // that expert.
    const TokenCounts counts = DealLoads({60, 1, 34, 1}, 2);
    const ExpertPlan plan = policy->Plan(0, counts);
    EXPECT_EQ(FindFigures(setting, counts, plan).loads, (Loads{41, 55}));
    ASSERT_EQ(plan.weights.size(), 2U);
    EXPECT_EQ(plan.weights[0].expert, 2U);
    EXPECT_EQ(plan.weights[1].expert, 1U);
}

TEST(EpicExpertPolicy, OneOfTwoSlotsOnAGpuMayGo)
{
    // As under `eplb`: the first GPU has two slots of expert 0, the second experts 1 and 2.
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    const auto policy = MakeEpic(setting, 1);
    policy->BeginIteration(0, MakeHistory({12, 5, 3, 2}));
    ASSERT_EQ(GetFirstPlacement(*policy, setting).hosts, (Hosts{{0, 0, 2, 3}, {1, 2}, {1}, {3}}));
    // Slots of expert 0 have 16, of expert 1 have 2. GPUs have 32 and 6, 26 apart: 16 for 2 moves
    // 14, and 32 becomes 20. The other server has 18 and 18.
    const TokenCounts counts = DealLoads({64, 4, 4, 2}, 4);
    const ExpertPlan plan = policy->Plan(0, counts);
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    EXPECT_EQ(FindFigures(setting, counts, plan).loads, (Loads{18, 20, 18, 18}));
    ASSERT_EQ(plan.weights.size(), 2U);
    EXPECT_EQ(plan.weights[0].expert, 0U);
    EXPECT_EQ(plan.weights[1].expert, 1U);
}

TEST(EpicExpertPolicy, NothingIsLostAndNothingCrossesServersWhateverTheLoads)
{
    std::mt19937 random(1);
    for (uint32_t draw = 0; draw < 200; ++draw)
    {
        const uint32_t slots = draw % 3;
        const uint32_t perServer = 2 + draw % 4; // not always a divisor
        const ExpertSetting setting = MakeOneGroup(12, perServer, 36);
        const auto drawLoads = [&] {
            Loads loads;
            for (uint32_t expert = 0; expert < setting.experts; ++expert)
            {
                loads.push_back(random() % 4 == 0 ? random() % 2000 : random() % 100);
            }
            return loads;
        };
        const auto epic = MakeEpic(setting, slots);
        const auto eplb = CreateObject<EplbExpertPolicy>();
        eplb->SetAttribute("Slots", UintegerValue(slots));
        eplb->Start(setting);
        const LoadHistory history = MakeHistory(drawLoads());
        epic->BeginIteration(0, history);
        eplb->BeginIteration(0, history);
        const TokenCounts counts = DealLoads(drawLoads(), 12);
        const ExpertPlan plan = epic->Plan(0, counts);
        ASSERT_EQ(FindDefect(setting, counts, plan), "");
        const PlanFigures swapped = FindFigures(setting, counts, plan);
        const PlanFigures placed = PlanFirstLayer(*eplb, setting, counts);
        EXPECT_EQ(swapped.weights.across + swapped.gradients.across, 0U);
        EXPECT_LE(swapped.maxOverMean, placed.maxOverMean);
        Loads before(setting.cluster.GetServerCount());
        Loads after(before.size());
        std::vector<uint32_t> came(12);
        for (uint32_t gpu = 0; gpu < 12; ++gpu)
        {
            before[setting.cluster.GetServer(gpu)] += placed.loads[gpu];
            after[setting.cluster.GetServer(gpu)] += swapped.loads[gpu];
        }
        EXPECT_EQ(after, before);
        for (const ExpertTransfer& transfer : plan.weights)
        {
            EXPECT_EQ(++came[transfer.to], 1U); // one swap for each pair
            EXPECT_TRUE(plan.placement->Holds(transfer.expert, transfer.from));
            EXPECT_FALSE(plan.placement->Holds(transfer.expert, transfer.to));
        }
    }
}

TEST(EpicExpertPolicy, SaysWhatItCannotDo)
{
    const auto policy = MakeComponent<ExpertPolicy>("EpicExpertPolicy");
    EXPECT_THROW(policy->Check(MakeOneGroup(4, 2, 8)), ConfigurationError); // rates are not known
    EXPECT_NO_THROW(policy->Check(MakeOneGroup(4, 1, 8)));                  // and not needed
    policy->SetAttribute("MinGain", UintegerValue(0));
    EXPECT_NO_THROW(policy->Check(MakeOneGroup(4, 2, 8)));
    ExpertSetting groups = MakeOneGroup(4, 2, 8);
    groups.expertParallel = 2;
    EXPECT_THROW(policy->Check(groups), ConfigurationError);
    policy->SetAttribute("Mode", StringValue("hierarchical"));
    EXPECT_THROW(policy->Check(MakeOneGroup(4, 2, 8)), ConfigurationError); // 1 group, 2 servers
}

} // namespace

} // namespace ns3::rails::test
