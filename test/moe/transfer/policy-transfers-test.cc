// SPDX-License-Identifier: GPL-2.0-only

// What GPUs send and plan for a policy of experts, against sums worked out by hand.

#include "../expert-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/copy-transfer.h"
#include "ns3/expert-move.h"
#include "ns3/load-exchange.h"
#include "ns3/nstime.h"
#include "ns3/replica-sync.h"
#include "ns3/training-computing.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Window = CopyTransfer::Window;
using Counts = LoadExchange::What;

/// Bytes by sender and receiver.
using Bytes = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

// An expert of the tiny model has 1536 parameters, of 2 B and with gradients of 4 B.
constexpr uint64_t kWeights = 3072;
constexpr uint64_t kGradients = 6144;

/// A training with a policy, which has planned.
class Traffic
{
  public:
    explicit Traffic(TrainingSpec plan)
        : m_spec(std::move(plan)),
          m_context(m_spec),
          m_replicas(m_context)
    {
        m_context.Prepare();
    }

    const PlannedDispatch& GetDispatch() const
    {
        return m_context.GetPlanned();
    }

    Operation Copy(const CopyTransfer::What& what,
                   TrainingStream stream = TrainingStream::Communication) const
    {
        return MakeCopyTransfer(m_context, what, stream);
    }

    /// \return whether an operation has queue pairs of its own
    static bool IsApart(const Operation& operation, uint32_t iteration = 0)
    {
        GraphNode node;
        operation.makeNode(0, {iteration}, node);
        return node.transfer->GetTraits().channel == static_cast<uint16_t>(Communicator::Copies);
    }

    Operation Count(Counts what, uint32_t layer = 0) const
    {
        return MakeLoadExchange(m_context, what, TrainingStream::Communication, layer);
    }

    Operation Move() const
    {
        return MakeExpertMove(m_context);
    }

    Operation Sync(const ReplicaSync::What& what, uint32_t stage = 0) const
    {
        return MakeReplicaSync(m_context, m_replicas, stage, what);
    }

    /// \return ways of those that were asked for
    std::vector<std::string> ListWays() const
    {
        std::vector<std::string> ways;
        for (const CollectiveRecord& record : m_replicas.GetRecords())
        {
            ways.push_back(record.algorithm + " " + std::to_string(record.rings));
        }
        return ways;
    }

    /// \return how long a GPU's server plans
    TimePs GetPlanningTime(uint32_t gpu,
                           PlanningOf what,
                           uint32_t layer,
                           const SlotPlace& place) const
    {
        GraphNode node;
        MakePlanning(m_context, what, layer).makeNode(gpu, place, node);
        EXPECT_TRUE(node.isOnHost);
        return node.duration;
    }

    /// \return what GPUs of the place's stage send in a step; what they get must agree
    Bytes Send(const Operation& operation, const SlotPlace& place = {}, uint32_t step = 0) const
    {
        Bytes bytes;
        std::map<uint32_t, uint64_t> got;
        const std::vector<uint32_t> gpus = m_context.ListGpus(place.stage);
        const auto make = [&](uint32_t gpu) {
            GraphNode node;
            operation.makeNode(gpu, place, node);
            EXPECT_GE(operation.steps, node.transfer->GetTraits().steps);
            return node.transfer;
        };
        for (const uint32_t gpu : gpus)
        {
            for (const Demand& demand : make(gpu)->GetSends(gpu, step))
            {
                EXPECT_NE(demand.destination, gpu);
                EXPECT_GT(demand.bytes, 0U);
                EXPECT_TRUE(bytes.insert({{gpu, demand.destination}, demand.bytes}).second)
                    << "twice to GPU " << demand.destination;
                got[demand.destination] += demand.bytes;
            }
        }
        for (const uint32_t gpu : gpus)
        {
            EXPECT_EQ(make(gpu)->GetReceived(gpu, step), got[gpu]) << "GPU " << gpu;
            got.erase(gpu);
        }
        EXPECT_TRUE(got.empty()) << "to GPUs of other stages";
        return bytes;
    }

    /// \return the same of some steps together
    Bytes SendAll(const Operation& operation, uint32_t steps, const SlotPlace& place = {}) const
    {
        Bytes all;
        for (uint32_t step = 0; step < steps; ++step)
        {
            for (const auto& [pair, bytes] : Send(operation, place, step))
            {
                all[pair] += bytes;
            }
        }
        return all;
    }

  private:
    const TrainingSpec m_spec;
    TrainingContext m_context;
    ReplicaCollectives m_replicas;
};

uint64_t
Sum(const Bytes& bytes)
{
    uint64_t sum = 0;
    for (const auto& [pair, each] : bytes)
    {
        sum += each;
    }
    return sum;
}

/// Experts of which each of four GPUs has one, and loads that are all alike.
TrainingSpec
MakeFour(const ClusterShape& shape,
         const Ptr<ExpertPolicy>& policy,
         uint32_t layers = 1,
         uint32_t stages = 1)
{
    TrainingSpec plan =
        MakeExpertPlan(shape, MakeTinyModel(layers, 4), {{"Ep", 4}, {"Pp", stages}}, policy);
    plan.load = GivenLoad::Make([](const LoadShape& load, const LoadPlace&) {
        return Repeat({8, 8, 8, 8}, load.sources);
    });
    return plan;
}

/// \return a policy that sends experts as a test says by layer as the policy counts
Ptr<GivenPolicy>
MakeCopying(CopyWay way,
            const std::function<std::vector<ExpertTransfer>(uint32_t layer)>& copy,
            bool fetchesAgain = false)
{
    const auto policy = CreateObject<GivenPolicy>();
    policy->m_traits.copyWay = way;
    policy->plan = [copy, fetchesAgain](uint32_t layer, const TokenCounts&) {
        ExpertPlan plan;
        plan.weights = copy(layer);
        plan.gradients = TurnBack(plan.weights, kGradients);
        plan.fetchesAgain = fetchesAgain;
        return plan;
    };
    return policy;
}

TEST(PolicyTransfers, CopiesGoStraightInOnePieceWhereNobodyPassesThemOn)
{
    // Two experts to one GPU, and one of them to another; the second layer has none.
    const auto policy = MakeCopying(CopyWay::Direct, [](uint32_t layer) {
        std::vector<ExpertTransfer> copies;
        if (layer == 0)
        {
            copies = {{0, 0, 1, kWeights}, {2, 2, 1, kWeights}, {0, 0, 3, kWeights}};
        }
        return copies;
    });
    TrainingSpec plan = MakeFour({1, 4}, policy, 2);
    plan.handling.pieces = 4;
    const Traffic traffic(plan);
    const Operation weights = traffic.Copy({false});
    const Operation gradients = traffic.Copy({true});
    EXPECT_EQ(traffic.Send(weights),
              (Bytes{{{0, 1}, kWeights}, {{2, 1}, kWeights}, {{0, 3}, kWeights}}));
    EXPECT_EQ(traffic.Send(gradients),
              (Bytes{{{1, 0}, kGradients}, {{1, 2}, kGradients}, {{3, 0}, kGradients}}));
    EXPECT_EQ(traffic.Send(weights, {}, 1), Bytes());
    const Operation next = traffic.Copy({false, 1});
    EXPECT_EQ(traffic.Send(next), Bytes());
}

TEST(PolicyTransfers, TwoExpertsForOneGpuAreOneMessage)
{
    const auto policy = MakeCopying(CopyWay::Direct, [](uint32_t) {
        return std::vector<ExpertTransfer>{{0, 0, 2, kWeights}, {1, 0, 2, kWeights}};
    });
    TrainingSpec plan = MakeFour({1, 4}, policy);
    plan.model = MakeTinyModel(1, 8);
    plan.load = GivenLoad::Make([](const LoadShape&, const LoadPlace&) {
        return Repeat({1, 1, 1, 1, 1, 1, 1, 1});
    });
    const Traffic traffic(plan);
    const Operation weights = traffic.Copy({false});
    EXPECT_EQ(traffic.Send(weights), (Bytes{{{0, 2}, 2 * kWeights}}));
}

TEST(PolicyTransfers, PiecesOfAChainArePassedOnAStepLater)
{
    // From GPU 1 by 2 and 3 round to 0. Of 3074 B the first two of four pieces have a byte more.
    const auto policy = MakeCopying(CopyWay::Chain, [](uint32_t) {
        return SendExpert(1, 1, {0, 2, 3}, 3074);
    });
    TrainingSpec plan = MakeFour({1, 4}, policy);
    plan.handling.pieces = 4;
    const Traffic traffic(plan);
    const Operation weights = traffic.Copy({false});
    const std::vector<Bytes> steps{{{{1, 2}, 769}},
                                   {{{1, 2}, 769}, {{2, 3}, 769}},
                                   {{{1, 2}, 768}, {{2, 3}, 769}, {{3, 0}, 769}},
                                   {{{1, 2}, 768}, {{2, 3}, 768}, {{3, 0}, 769}},
                                   {{{2, 3}, 768}, {{3, 0}, 768}},
                                   {{{3, 0}, 768}},
                                   {}};
    for (uint32_t step = 0; step < steps.size(); ++step)
    {
        EXPECT_EQ(traffic.Send(weights, {}, step), steps[step]) << step;
    }
    // Gradients come back, from the last to the first, added up on the way.
    const Operation gradients = traffic.Copy({true});
    EXPECT_EQ(traffic.Send(gradients, {}), (Bytes{{{0, 3}, kGradients / 4}}));
    EXPECT_EQ(traffic.Send(gradients, {}, 5), (Bytes{{{2, 1}, kGradients / 4}}));
    EXPECT_EQ(traffic.SendAll(gradients, 6),
              (Bytes{{{0, 3}, kGradients}, {{3, 2}, kGradients}, {{2, 1}, kGradients}}));
}

TEST(PolicyTransfers, RelaysPassOnWhatTheyHaveGot)
{
    // To seven of sixteen GPUs by two relays, which have five others.
    const auto policy = MakeCopying(CopyWay::Relays, [](uint32_t) {
        return SendExpert(0, 0, {1, 2, 3, 4, 5, 6, 7}, kWeights);
    });
    TrainingSpec plan = MakeExpertPlan({2, 8}, MakeTinyModel(1, 16), {{"Ep", 16}}, policy);
    plan.load = GivenLoad::Make([](const LoadShape& load, const LoadPlace&) {
        return Repeat(std::vector<uint32_t>(16, 1), load.sources);
    });
    plan.handling.pieces = 2;
    const Traffic traffic(plan);
    const Operation weights = traffic.Copy({false});
    EXPECT_EQ(traffic.Send(weights), (Bytes{{{0, 1}, kWeights / 2}, {{0, 2}, kWeights / 2}}));
    EXPECT_EQ(traffic.SendAll(weights, 3),
              (Bytes{{{0, 1}, kWeights},
                     {{0, 2}, kWeights},
                     {{1, 3}, kWeights},
                     {{2, 4}, kWeights},
                     {{1, 5}, kWeights},
                     {{2, 6}, kWeights},
                     {{1, 7}, kWeights}}));
    EXPECT_EQ(traffic.Send(weights, {}, 3), Bytes());
    const Operation gradients = traffic.Copy({true});
    EXPECT_EQ(Sum(traffic.SendAll(gradients, 3)), 7 * kGradients);
    EXPECT_EQ(traffic.Send(gradients).count({1, 0}), 0U) << "before the others have come";
}

TEST(PolicyTransfers, ParametersAreFetchedAgainWhereThePlanSaysSo)
{
    for (const bool fetchesAgain : {false, true})
    {
        const Traffic traffic(MakeFour({1, 4},
                                       MakeCopying(
                                           CopyWay::Direct,
                                           [](uint32_t) { return SendExpert(0, 0, {1}, kWeights); },
                                           fetchesAgain)));
        EXPECT_EQ(Sum(traffic.Send(traffic.Copy({false, 0, Window::All, true}))),
                  fetchesAgain ? kWeights : 0);
        EXPECT_EQ(Sum(traffic.Send(traffic.Copy({true, 0, Window::All, true}))), kGradients)
            << "of these there is one time alone";
    }
}

/// \return a fraction of all bytes, without those of which nothing is left
Bytes
Divide(Bytes all, uint64_t numerator, uint64_t denominator)
{
    for (auto pair = all.begin(); pair != all.end();)
    {
        pair->second = pair->second * numerator / denominator;
        pair = pair->second == 0 ? all.erase(pair) : std::next(pair);
    }
    return all;
}

// NVLink carries the parameters of an expert in 4 us and its gradients in 8, attention takes 1 us
// forward and 2 us backward: a quarter goes under it, which is the second window of the one and the
// first of the other.
TEST(PolicyTransfers, WindowsDivideThePiecesOfEveryHop)
{
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(MicroSeconds(1)));
    compute->SetAttribute("Gate", TimeValue(Time(0)));
    compute->SetAttribute("ExpertToken", TimeValue(NanoSeconds(100)));
    constexpr uint64_t rate = kWeights * 8 * 250'000;
    for (const auto& [pieces, ofWeights, ofGradients] :
         {std::tuple{4U, 3U, 1U}, {16U, 12U, 4U}, {3U, 2U, 1U}, {1U, 1U, 0U}})
    {
        SCOPED_TRACE(pieces);
        TrainingSpec plan = MakeFour({1, 4}, MakeCopying(CopyWay::Chain, [](uint32_t) {
                                         return SendExpert(0, 0, {1, 2, 3}, kWeights);
                                     }));
        plan.compute = compute;
        plan.rates = {rate, rate};
        plan.handling.pieces = pieces;
        plan.handling.copyTiming = CopyTiming::Scheduled;
        const Traffic traffic(plan);
        for (const auto& [isGradients, cut] : {std::pair(false, ofWeights), {true, ofGradients}})
        {
            const auto send = [&, isGradients = isGradients](Window window) {
                return traffic.SendAll(traffic.Copy({isGradients, 0, window}), pieces + 2);
            };
            const Bytes all = send(Window::All);
            EXPECT_EQ(Sum(all), 3 * (isGradients ? kGradients : kWeights));
            EXPECT_EQ(send(Window::First), Divide(all, cut, pieces));
            EXPECT_EQ(send(Window::Second), Divide(all, pieces - cut, pieces));
        }
    }
}

TEST(PolicyTransfers, GroupsAndStagesHaveCopiesOfTheirOwn)
{
    // Two groups in each of two stages: policies count layers 0 and 1, then 2 and 3.
    const auto policy = MakeCopying(CopyWay::Direct, [](uint32_t layer) {
        return SendExpert(layer, layer, {(layer + 1) % 4}, kWeights * (layer + 1));
    });
    const Traffic traffic(MakeFour({4, 4}, policy, 2, 2));
    const Operation first = traffic.Copy({false, 0});
    const Operation second = traffic.Copy({false, 1});
    EXPECT_EQ(traffic.Send(first, {}), (Bytes{{{0, 1}, kWeights}, {{4 + 1, 4 + 2}, 2 * kWeights}}));
    EXPECT_EQ(traffic.Send(second, {0, 1}),
              (Bytes{{{8 + 2, 8 + 3}, 3 * kWeights}, {{12 + 3, 12 + 0}, 4 * kWeights}}));
}

/// \return bytes that go from each GPU to each other of its group of four
Bytes
SendAround(uint32_t gpus, uint64_t bytes)
{
    Bytes all;
    for (uint32_t from = 0; from < gpus; ++from)
    {
        for (uint32_t to = from / 4 * 4; to < from / 4 * 4 + 4; ++to)
        {
            if (from != to)
            {
                all[{from, to}] = bytes;
            }
        }
    }
    return all;
}

TEST(PolicyTransfers, CountsOfALayerGoToAllOfTheGroup)
{
    const Traffic traffic(MakeFour({2, 4}, CreateObject<GivenPolicy>()));
    const Operation now = traffic.Count(Counts::Now);
    EXPECT_EQ(traffic.Send(now), SendAround(8, 4 * 8));
}

/// Places experts of every layer anew in the second of four iterations, that of the second layer
/// in the last as well.
Ptr<GivenPlacement>
MakePlacing()
{
    const auto policy = GivenPlacement::Make([](uint32_t layer, uint32_t over) {
        std::optional<ExpertPlacement> placement;
        if (over == 1)
        {
            placement = ExpertPlacement{{{0, 1}, {1}, {2, 3, 0}, {3}}};
        }
        if (over == 3 && layer == 1)
        {
            placement = ExpertPlacement{{{0}, {1}, {2}, {3}}};
        }
        return placement;
    });
    policy->SetAttribute("PlanningTime", TimeValue(MicroSeconds(7)));
    return policy;
}

TrainingSpec
MakePlaced()
{
    TrainingSpec plan = MakeFour({1, 4}, MakePlacing(), 2);
    plan.microbatches = 2;
    plan.iterations = 4;
    return plan;
}

TEST(PolicyTransfers, CountsOfMovesAreOfLayersThatArePlanned)
{
    const Traffic traffic(MakePlaced());
    const Operation counts = traffic.Count(Counts::Moves);
    EXPECT_EQ(traffic.Send(counts, {}), Bytes());
    EXPECT_EQ(traffic.Send(counts, {1}), SendAround(4, 2 * 4 * 8));
    EXPECT_EQ(traffic.Send(counts, {2}), Bytes());
    EXPECT_EQ(traffic.Send(counts, {3}), SendAround(4, 4 * 8));
}

TEST(PolicyTransfers, CountsAtTheEndAreForALayerThatThenIsPlanned)
{
    const Traffic traffic(MakePlaced());
    const auto send = [&](uint32_t layer, uint32_t iteration, uint32_t microbatch) {
        const Operation counts = traffic.Count(Counts::AtEnd, layer);
        return traffic.Send(counts, {iteration, 0, 0, microbatch});
    };
    const Bytes all = SendAround(4, 4 * 8);
    EXPECT_EQ(send(0, 0, 0), Bytes()) << "not the last micro-batch";
    EXPECT_EQ(send(0, 0, 1), all);
    EXPECT_EQ(send(1, 0, 1), all);
    EXPECT_EQ(send(0, 1, 1), Bytes());
    EXPECT_EQ(send(0, 2, 1), Bytes());
    EXPECT_EQ(send(1, 2, 1), all);
    // What follows the last is as the last.
    EXPECT_EQ(send(0, 3, 1), Bytes());
    EXPECT_EQ(send(1, 3, 1), all);
}

TEST(PolicyTransfers, PlanningTakesTheTimeOfWhatIsPlanned)
{
    const auto runtime = CreateObject<GivenPolicy>();
    runtime->SetAttribute("PlanningTime", TimeValue(MicroSeconds(5)));
    const Traffic every(MakeFour({1, 4}, runtime));
    EXPECT_EQ(every.GetPlanningTime(2, PlanningOf::Now, 0, {}), 5'000'000);

    const Traffic placed(MakePlaced());
    const auto get = [&](PlanningOf what, uint32_t layer, uint32_t iteration, uint32_t microbatch) {
        return placed.GetPlanningTime(2, what, layer, {iteration, 0, 0, microbatch});
    };
    EXPECT_FALSE(get(PlanningOf::Moves, 0, 0, 0));
    EXPECT_EQ(get(PlanningOf::Moves, 0, 1, 0), 2 * 7'000'000);
    EXPECT_EQ(get(PlanningOf::Moves, 0, 3, 0), 7'000'000);
    EXPECT_EQ(get(PlanningOf::Next, 0, 0, 0), 0) << "not the last micro-batch";
    EXPECT_EQ(get(PlanningOf::Next, 0, 0, 1), 7'000'000);
    EXPECT_FALSE(get(PlanningOf::Next, 0, 2, 1));
    EXPECT_EQ(get(PlanningOf::Next, 1, 2, 1), 7'000'000);
}

TEST(PolicyTransfers, MovesOfAllLayersGoWithTheStatesOfTheOptimizer)
{
    const Traffic traffic(MakePlaced());
    const Operation move = traffic.Move();
    EXPECT_EQ(traffic.Send(move, {}), Bytes());
    // Of two layers parameters, and of 12 B for each of them what a GPU has to update: half where
    // two hold an expert, a third where three do.
    constexpr uint64_t half = 1536 * (2 + 6);
    constexpr uint64_t third = 1536 * (2 + 4);
    EXPECT_EQ(traffic.Send(move, {1}),
              (Bytes{{{0, 1}, 2 * half}, {{2, 3}, 2 * third}, {{2, 0}, 2 * third}}));
    EXPECT_EQ(traffic.Send(move, {2}), Bytes());
    // Who holds the experts of the second layer alone again gets back what others updated.
    EXPECT_EQ(traffic.Send(move, {3}),
              (Bytes{{{1, 0}, 1536 * 6}, {{3, 2}, 1536 * 4}, {{0, 2}, 1536 * 4}}));
}

TEST(PolicyTransfers, MovesCarryWhatMemorySaysThatAGpuDidNotHave)
{
    // An expert of one GPU on all four: three get 2 B of parameters and a quarter of 12 B of states
    // each, 15 B for a parameter together. With two groups that do the same six do, of which each
    // has an eighth: 21 B.
    for (const auto& [groups, bytes] : {std::pair(1U, 15U), {2U, 21U}})
    {
        TrainingSpec plan = MakeFour({groups, 4}, GivenPlacement::Make([](uint32_t, uint32_t over) {
                                         return over == 1 ? std::optional<ExpertPlacement>(
                                                                {{{0, 1, 2, 3}, {1}, {2}, {3}}})
                                                          : std::nullopt;
                                     }));
        plan.iterations = 2;
        const Traffic traffic(plan);
        const Operation move = traffic.Move();
        EXPECT_EQ(traffic.Send(move, {}), Bytes());
        EXPECT_EQ(Sum(traffic.Send(move, {1})), 1536 * bytes);
        for (const auto& [pair, each] : traffic.Send(move, {1}))
        {
            EXPECT_EQ(each, 1536 * bytes / (4 * groups - groups));
            EXPECT_EQ(pair.first / 4, pair.second / 4) << "from its own server";
        }
        // Memory of the fullest GPU: of GPU 1, which has an expert of its own besides.
        const uint64_t states = traffic.GetDispatch().GetFigures().held.front().stateBytes;
        EXPECT_EQ(states, 1536 * (12 + 12 / 4) / groups);
    }
}

TEST(PolicyTransfers, StatesGoFromOneGroupToAnotherWhereOneAloneHasReplicas)
{
    // Policies see groups one by one. Before, expert 0 is on GPUs 0 and 4, with half of its states
    // each; then on 5 as well, with a third each.
    TrainingSpec plan = MakeFour({2, 4}, GivenPlacement::Make([](uint32_t layer, uint32_t over) {
                                     ExpertPlacement placement{{{0}, {1}, {2}, {3}}};
                                     if (over == 1 && layer == 1)
                                     {
                                         placement.hosts[0] = {0, 1};
                                     }
                                     return std::optional<ExpertPlacement>(placement);
                                 }));
    plan.iterations = 3;
    const Traffic traffic(plan);
    const Operation move = traffic.Move();
    EXPECT_EQ(traffic.Send(move, {1}), (Bytes{{{4, 5}, 1536 * (2 + 2)}, {{0, 5}, 1536 * 2}}));
    EXPECT_EQ(traffic.Send(move, {2}), (Bytes{{{5, 4}, 1536 * 2}, {{5, 0}, 1536 * 2}}));
}

/// Groups of four GPUs, each a replica of the others; an expert of ffn x 32 parameters.
TrainingSpec
MakeReplicas(uint32_t replicas, uint32_t layers, uint32_t stages = 1)
{
    TrainingSpec plan =
        MakeFour({replicas * stages, 4}, CreateObject<GivenPolicy>(), layers, stages);
    plan.model = MakeTinyModel(layers, 8);
    plan.model.gated = false; // 1024 parameters, which do not divide by three
    plan.load = GivenLoad::Make([](const LoadShape& load, const LoadPlace&) {
        return Repeat({1, 1, 1, 1, 1, 1, 1, 1}, load.sources);
    });
    return plan;
}

TEST(PolicyTransfers, GradientsOfReplicasGoRoundTheirRingInParts)
{
    // Two experts of 1024 gradients are 8192 B, of which parts have 2731, 2731 and 2730.
    const Traffic traffic(MakeReplicas(3, 2));
    const Operation reduce = traffic.Sync({true, 1});
    const std::vector<uint64_t> parts{2731, 2731, 2730};
    for (uint32_t step = 0; step < 2; ++step)
    {
        Bytes expected;
        for (uint32_t gpu = 0; gpu < 12; ++gpu)
        {
            expected[{gpu, (gpu + 4) % 12}] = parts[(gpu / 4 + 3 - step) % 3];
        }
        EXPECT_EQ(traffic.Send(reduce, {}, step), expected) << step;
    }
    EXPECT_EQ(Sum(traffic.SendAll(reduce, 2)), 4 * (3 - 1) * 8192U);
}

TEST(PolicyTransfers, RingsOfReplicasMoveAllButTheirOwnPartsOnce)
{
    for (const auto& [replicas, layers] : {std::tuple{1U, 2U}, {2U, 2U}, {3U, 1U}, {5U, 3U}})
    {
        SCOPED_TRACE(replicas);
        TrainingSpec plan = MakeReplicas(replicas, layers + 1);
        plan.model.denseLayers = 1;
        const Traffic traffic(plan);
        const Operation reduce = traffic.Sync({true, 1});
        const Operation gather = traffic.Sync({});
        const uint32_t steps = std::max(2U, replicas) - 1;
        const uint64_t parameters = 4 * 2 * 1024; // of all GPUs of a replica, in a layer
        EXPECT_EQ(Sum(traffic.SendAll(reduce, steps)), (replicas - 1) * parameters * 4);
        EXPECT_EQ(Sum(traffic.SendAll(gather, steps)), (replicas - 1) * parameters * 2 * layers);
    }
}

TEST(PolicyTransfers, ParametersOfReplicasAreThoseOfTheirStage)
{
    // Of three layers the first stage has two.
    const Traffic traffic(MakeReplicas(2, 3, 2));
    const Operation gather = traffic.Sync({});
    EXPECT_EQ(Sum(traffic.Send(gather, {})), 4 * 2 * 1024 * 2 * 2U);
    EXPECT_EQ(Sum(traffic.Send(gather, {0, 1})), 4 * 2 * 1024 * 2U);
    for (const auto& [pair, bytes] : traffic.Send(gather, {0, 1}))
    {
        EXPECT_EQ(pair.second, pair.first < 12 ? pair.first + 4 : pair.first - 4);
    }
}

/// \return bytes that each GPU sends to the next of a ring
Bytes
SendRound(const std::vector<uint32_t>& gpus, uint64_t bytes)
{
    Bytes all;
    for (uint32_t place = 0; place < gpus.size(); ++place)
    {
        all[{gpus[place], gpus[(place + 1) % gpus.size()]}] = bytes;
    }
    return all;
}

/// \return both
Bytes
Join(Bytes one, const Bytes& other)
{
    for (const auto& [pair, bytes] : other)
    {
        one[pair] += bytes;
    }
    return one;
}

TEST(PolicyTransfers, ReplicasElsewhereGoRoundARingOfTheGpusThatHoldThem)
{
    // From the second iteration on expert 0 is on GPUs 0 and 1, expert 2 on 2, 3 and 0. GPU 0 has
    // both, which do not wait for each other.
    const Traffic traffic(MakePlaced());
    const Operation reduce = traffic.Sync({true});
    const Operation gather = traffic.Sync({});
    EXPECT_EQ(traffic.Send(reduce, {}), Bytes()) << "each has one home";
    EXPECT_EQ(traffic.Send(gather, {}), Bytes());
    const auto expect = [](uint64_t bytes) {
        return Join(SendRound({0, 1}, bytes / 2), SendRound({0, 2, 3}, bytes / 3 * 2));
    };
    EXPECT_EQ(reduce.steps, 2 * 2U) << "two lanes, of which one has a step";
    EXPECT_EQ(traffic.SendAll(reduce, reduce.steps, {1}), expect(kGradients));
    EXPECT_EQ(traffic.SendAll(gather, gather.steps, {1}), expect(2 * kWeights)) << "of two layers";
    EXPECT_EQ(traffic.Send(reduce, {1}, 0), SendRound({0, 1}, kGradients / 2));
    EXPECT_EQ(traffic.Send(reduce, {1}, 2), SendRound({0, 2, 3}, kGradients / 3));
    EXPECT_EQ(traffic.Send(reduce, {1}, 3), SendRound({0, 2, 3}, kGradients / 3));
    // In the last iteration the second layer is at home again, the first is not.
    const Operation second = traffic.Sync({true, 1});
    EXPECT_EQ(traffic.SendAll(second, second.steps, {2}), expect(kGradients));
    EXPECT_EQ(traffic.Send(second, {3}), Bytes());
    EXPECT_EQ(traffic.SendAll(reduce, reduce.steps, {3}), expect(kGradients));
    EXPECT_EQ(traffic.SendAll(gather, gather.steps, {3}), expect(kWeights));
    EXPECT_EQ(traffic.ListWays(), (std::vector<std::string>{"ring 1"}));
}

/// \return bytes between servers of two GPUs
uint64_t
SumAcross(const Bytes& bytes)
{
    uint64_t sum = 0;
    for (const auto& [pair, each] : bytes)
    {
        sum += pair.first / 2 == pair.second / 2 ? 0 : each;
    }
    return sum;
}

TEST(PolicyTransfers, ReplicasGoByTheAlgorithmThatCollectivesNames)
{
    // An expert on all GPUs of two servers with two each. Of its bytes a ring takes 3/4 over twice,
    // two levels 1/4 from each GPU, and direct a part from each GPU to two others.
    const std::vector<std::tuple<CollectiveChoice, std::string, uint64_t>> cases{
        {{ALGORITHM_RING, 1}, "ring 1", 6},
        {{ALGORITHM_RING, 2}, "ring 2", 6},
        {{ALGORITHM_HIERARCHICAL, kAutomaticRings}, "hierarchical 2", 4},
        {{ALGORITHM_HIERARCHICAL, 1}, "hierarchical 1", 4},
        {{ALGORITHM_DIRECT, kAutomaticRings}, "direct 1", 8},
        {{ALGORITHM_AUTOMATIC, kAutomaticRings}, "hierarchical 2", 4},
    };
    for (const auto& [asked, way, quarters] : cases)
    {
        SCOPED_TRACE(way);
        TrainingSpec plan =
            MakeFour({2, 2}, GivenPlacement::Make([](uint32_t, uint32_t) {
                         return std::optional<ExpertPlacement>({{{2, 0, 3, 1}, {1}, {2}, {3}}});
                     }));
        plan.collectives = asked;
        const Traffic traffic(plan);
        const Operation reduce = traffic.Sync({true});
        const Operation gather = traffic.Sync({});
        const Bytes gradients = traffic.SendAll(reduce, reduce.steps);
        const Bytes weights = traffic.SendAll(gather, gather.steps);
        EXPECT_EQ(Sum(gradients), 3 * kGradients);
        EXPECT_EQ(Sum(weights), 3 * kWeights);
        EXPECT_EQ(SumAcross(gradients), quarters * kGradients / 4);
        EXPECT_EQ(SumAcross(weights), quarters * kWeights / 4);
        EXPECT_EQ(traffic.ListWays(), (std::vector<std::string>{way}));
    }
}

TEST(PolicyTransfers, TwoLevelsBecomeARingWhereServersHoldUnequallyMany)
{
    TrainingSpec plan =
        MakeFour({2, 2}, GivenPlacement::Make([](uint32_t, uint32_t) {
                     return std::optional<ExpertPlacement>({{{0, 1, 2}, {1}, {2}, {3}}});
                 }));
    plan.collectives = {ALGORITHM_HIERARCHICAL, 1};
    const Traffic traffic(plan);
    const Operation reduce = traffic.Sync({true});
    EXPECT_EQ(traffic.SendAll(reduce, reduce.steps), SendRound({0, 1, 2}, kGradients / 3 * 2));
    EXPECT_EQ(traffic.ListWays(), (std::vector<std::string>{"ring 1"}));
}

TEST(PolicyTransfers, OneLayerThatHasMovedIsEnoughForQueuePairsOfTheirOwn)
{
    for (const uint32_t moved : {0U, 1U})
    {
        SCOPED_TRACE(moved);
        const auto policy = GivenPlacement::Make([moved = moved](uint32_t layer, uint32_t) {
            return layer == moved ? std::optional<ExpertPlacement>({{{0, 1}, {1}, {2}, {3}}})
                                  : std::nullopt;
        });
        const Traffic traffic(MakeFour({1, 4}, policy, 2));
        const Operation gather = traffic.Sync({});
        EXPECT_EQ(traffic.Send(gather), (Bytes{{{0, 1}, kWeights / 2}, {{1, 0}, kWeights / 2}}));
        EXPECT_TRUE(traffic.IsApart(gather));
        const Operation reduce = traffic.Sync({true, moved});
        EXPECT_EQ(traffic.Send(reduce),
                  (Bytes{{{0, 1}, kGradients / 2}, {{1, 0}, kGradients / 2}}));
        const Operation other = traffic.Sync({true, 1 - moved});
        EXPECT_EQ(traffic.Send(other), Bytes());
        EXPECT_FALSE(traffic.IsApart(other));
    }
}

TEST(PolicyTransfers, PartsOfReplicasThatAreUnevenGoRoundAsThoseOfOtherGradients)
{
    // Of 4096 B of gradients parts have 1366, 1365 and 1365; of 2048 B of parameters 683, 683 and
    // 682. GPU 0 begins with the first, 2 and 3 with the others.
    const auto policy = GivenPlacement::Make([](uint32_t, uint32_t) {
        return std::optional<ExpertPlacement>({{{0}, {1}, {2, 3, 0}, {3}}});
    });
    TrainingSpec plan = MakeFour({1, 4}, policy);
    plan.model.gated = false;
    const Traffic traffic(plan);
    const Operation reduce = traffic.Sync({true});
    EXPECT_EQ(traffic.Send(reduce, {}, 0), (Bytes{{{0, 2}, 1366}, {{2, 3}, 1365}, {{3, 0}, 1365}}));
    EXPECT_EQ(traffic.Send(reduce, {}, 1), (Bytes{{{0, 2}, 1365}, {{2, 3}, 1366}, {{3, 0}, 1365}}));
    const Operation gather = traffic.Sync({});
    EXPECT_EQ(traffic.Send(gather, {}, 0), (Bytes{{{0, 2}, 683}, {{2, 3}, 683}, {{3, 0}, 682}}));
    plan.collectives = {ALGORITHM_DIRECT, 1};
    const Traffic direct(plan);
    EXPECT_EQ(direct.Send(direct.Sync({true})),
              (Bytes{{{2, 3}, 1365},
                     {{2, 0}, 1366},
                     {{3, 2}, 1365},
                     {{3, 0}, 1366},
                     {{0, 2}, 1365},
                     {{0, 3}, 1365}}));
}

TEST(PolicyTransfers, ReplicasOfGroupsOfWhichOneHasMovedGoRoundTogether)
{
    // Two groups: in the second expert 0 is with GPU 5 besides GPU 4.
    const auto policy = GivenPlacement::Make([](uint32_t layer, uint32_t) {
        ExpertPlacement placement{{{0}, {1}, {2}, {3}}};
        if (layer == 1)
        {
            placement.hosts[0] = {0, 1};
        }
        return std::optional<ExpertPlacement>(placement);
    });
    TrainingSpec plan = MakeFour({2, 4}, policy);
    plan.collectives = {ALGORITHM_RING, 1};
    const Traffic traffic(plan);
    const Operation reduce = traffic.Sync({true});
    Bytes expected = SendRound({0, 4, 5}, kGradients / 3 * 2);
    for (const uint32_t gpu : {1U, 2U, 3U})
    {
        expected = Join(expected, SendRound({gpu, gpu + 4}, kGradients / 2));
    }
    EXPECT_EQ(traffic.SendAll(reduce, reduce.steps), expected);
}

TEST(PolicyTransfers, TokensDoNotWaitForWhatIsBesideThem)
{
    const Traffic traffic(MakePlaced());
    EXPECT_FALSE(traffic.IsApart(traffic.Copy({false})));
    EXPECT_TRUE(traffic.IsApart(traffic.Copy({false}, TrainingStream::Copies)));
    EXPECT_TRUE(traffic.IsApart(traffic.Copy({true}, TrainingStream::Copies)));
    EXPECT_FALSE(traffic.IsApart(traffic.Count(Counts::Now), 1));
    EXPECT_FALSE(traffic.IsApart(traffic.Move(), 1));
    // Rings are as without a policy; shares go between GPUs that exchange tokens.
    EXPECT_FALSE(traffic.IsApart(traffic.Sync({true, 1})));
    EXPECT_FALSE(traffic.IsApart(traffic.Sync({})));
    EXPECT_TRUE(traffic.IsApart(traffic.Sync({true, 1}), 2));
    EXPECT_TRUE(traffic.IsApart(traffic.Sync({}), 2));
    EXPECT_TRUE(traffic.IsApart(traffic.Sync({true, 0}), 3));
    EXPECT_FALSE(traffic.IsApart(traffic.Sync({true, 1}), 3));
    EXPECT_TRUE(traffic.IsApart(traffic.Sync({}), 3));
}

} // namespace

} // namespace ns3::rails::test
