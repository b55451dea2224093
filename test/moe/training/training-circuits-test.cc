// SPDX-License-Identifier: GPL-2.0-only
#include "../expert-fixtures.h"
#include "../training-fixtures.h"

#include "ns3/circuit-demand.h"
#include "ns3/circuit-prediction.h"
#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/training-program.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

constexpr TimePs kDelay = 1'000'000;
constexpr TimePs kBackward = 300'000; //!< on the way back

using Place = NodeOrder::Place;

/// Four servers of two GPUs, whose regions are two servers each.
TrainingSpec
MakeRegions(const std::map<std::string, uint32_t>& degrees)
{
    TrainingSpec spec = MakeSpec({4, 2},
                                 MakeTinyModel(2),
                                 degrees,
                                 MakeComponent<ComputeModel>("GivenComputeModel"));
    spec.microbatches = 2;
    spec.sequence = 64;
    spec.circuits = {2, kDelay, kBackward};
    return spec;
}

TEST(TrainingCircuits, AllGpusOfARegionMeetBeforeItsCircuitsMove)
{
    const TrainingProgram program(MakeRegions({{"Ep", 4}, {"Pp", 2}}));
    CheckSteps(program);
    std::map<uint32_t, std::set<uint32_t>> comers; // by barrier
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        if (node.barrier)
        {
            EXPECT_EQ(node.type, GraphNode::Type::Barrier);
            EXPECT_EQ(node.duration, node.barrier->GetPurpose()->isOnWayBack ? kBackward : kDelay);
            EXPECT_EQ(program.GetKinds()[node.kind], "reconfiguration");
            EXPECT_EQ(node.barrier->CountMembers(), 4U);
            comers[node.step].insert(gpu);
        }
    });
    // One layer a stage, two micro-batches: forward and backward in the first stage; in the last
    // one circuits stay for the way back.
    EXPECT_EQ(comers.size(), 6U);
    for (const auto& [barrier, gpus] : comers)
    {
        const uint32_t first = *gpus.begin();
        EXPECT_EQ(gpus, (std::set<uint32_t>{first, first + 1, first + 2, first + 3}));
        EXPECT_EQ(first % 4, 0U);
    }
}

TEST(TrainingCircuits, ForwardTokensWaitForThemAndTheyForTheGate)
{
    const NodeOrder order(TrainingProgram(MakeRegions({{"Ep", 4}})), 0);
    const std::vector<Place> moves = order.List("reconfiguration");
    const std::vector<Place> gates = order.List("gate");
    const std::vector<Place> dispatches = order.List("dispatch");
    ASSERT_EQ(moves.size(), 8U); // two layers there and back, two micro-batches
    for (uint32_t layer = 0; layer < 2; ++layer)
    {
        EXPECT_TRUE(order.IsBefore(gates[layer], moves[layer]));
        EXPECT_TRUE(order.IsBefore(moves[layer], dispatches[layer]));
    }
}

TEST(TrainingCircuits, OnTheWayBackTheyMoveBesideAttentionOfTheLayerBehind)
{
    const NodeOrder order(TrainingProgram(MakeRegions({{"Ep", 4}})), 0);
    const std::vector<Place> moves = order.List("reconfiguration");
    const std::vector<Place> attention = order.List("attention");
    const std::vector<Place> back = order.List("combine-backward");
    const std::vector<Place> over = order.List("dispatch-backward");
    ASSERT_EQ(back.size(), 4U);
    const Place& last = moves.back(); // of layer 0 of the last micro-batch
    EXPECT_TRUE(order.IsBefore(over[2], last)) << "tokens of layer 1 are over";
    EXPECT_TRUE(order.IsBefore(last, back[3]));
    EXPECT_FALSE(order.IsBefore(attention[attention.size() - 2], last));
    EXPECT_FALSE(order.IsBefore(last, attention[attention.size() - 2]));
}

TEST(TrainingCircuits, AreToldAllTokensThatWillGoToExperts)
{
    const TrainingProgram program(MakeRegions({{"Ep", 4}}));
    std::map<uint32_t, GraphNode> moves; // the first of each GPU
    std::map<uint32_t, GraphNode> dispatches;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        const std::string& kind = program.GetKinds()[node.kind];
        if (kind == "reconfiguration")
        {
            moves.emplace(gpu, node);
        }
        if (kind == "dispatch")
        {
            dispatches.emplace(gpu, node);
        }
    });
    for (uint32_t gpu = 0; gpu < 8; ++gpu)
    {
        const std::vector<Demand> announced = moves.at(gpu).barrier->GetAnnounced(gpu);
        const std::vector<Demand> sent = dispatches.at(gpu).transfer->GetSends(gpu, 0);
        ASSERT_FALSE(sent.empty());
        ASSERT_EQ(announced.size(), sent.size());
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            EXPECT_EQ(announced[i].destination, sent[i].destination);
            EXPECT_EQ(announced[i].bytes, sent[i].bytes);
        }
    }
}

/// Four servers of two GPUs, one region: a group whose experts a policy copies.
TrainingSpec
MakePlannedRegion(const std::string& policy)
{
    TrainingSpec spec =
        MakeExpertPlan({4, 2}, MakeTinyModel(2, 16), {{"Ep", 8}}, MakeBusyPolicy(policy, 8));
    spec.microbatches = 2;
    spec.circuits = {4, kDelay, kBackward};
    return spec;
}

TEST(TrainingCircuits, AreAskedForWhenThePlanOfExpertsIsThereWithTheTokensOfThatPlan)
{
    TrainingSpec plain = MakePlannedRegion("MicroMoe");
    plain.handling = {};
    const auto before = MakeProgram(plain);
    const auto program = MakeProgram(MakePlannedRegion("MicroMoe"));
    bool differs = false;
    for (uint32_t gpu = 0; gpu < 8; ++gpu)
    {
        const NodeOrder order(*program, gpu);
        const std::vector<Place> moves = order.List("reconfiguration");
        const std::vector<Place> plans = order.List("expert-planning");
        const std::vector<Place> dispatches = order.List("dispatch");
        ASSERT_EQ(moves.size(), 8U); // two layers there and back, two micro-batches
        const auto countPlans = [&](const Place& move) {
            return std::count_if(plans.begin(), plans.end(), [&](const Place& spec) {
                return order.IsBefore(spec, move);
            });
        };
        EXPECT_EQ(countPlans(moves[0]), 2) << "that between iterations, and that of the layer";
        EXPECT_EQ(countPlans(moves[1]), 3) << "each layer has its own";
        for (uint32_t layer = 0; layer < 2; ++layer)
        {
            EXPECT_TRUE(order.IsBefore(moves[layer], dispatches[layer]));
            const std::vector<Demand> announced =
                order.Get(moves[layer]).barrier->GetAnnounced(gpu);
            const std::vector<Demand> sent =
                order.Get(dispatches[layer]).transfer->GetSends(gpu, 0);
            ASSERT_FALSE(sent.empty());
            ASSERT_EQ(announced.size(), sent.size());
            for (std::size_t i = 0; i < sent.size(); ++i)
            {
                EXPECT_EQ(announced[i].destination, sent[i].destination);
                EXPECT_EQ(announced[i].bytes, sent[i].bytes);
            }
            const NodeOrder plainOrder(*before, gpu);
            const GraphNode& unplanned = plainOrder.Get(plainOrder.List("dispatch")[layer]);
            const std::vector<Demand> would = unplanned.transfer->GetSends(gpu, 0);
            differs |= !std::equal(sent.begin(),
                                   sent.end(),
                                   would.begin(),
                                   would.end(),
                                   [](const Demand& one, const Demand& other) {
                                       return one.destination == other.destination &&
                                              one.bytes == other.bytes;
                                   });
        }
    }
    EXPECT_TRUE(differs) << "the plan changes where tokens go";
}

TEST(TrainingCircuits, CopiesOfExpertsLeaveThemToTokens)
{
    const std::set<std::string> ofPolicies{"expert-counts",
                                           "expert-gradients",
                                           "expert-moves",
                                           "expert-weights"};
    for (const std::string policy : {"Llep", "ProProphet", "UltraEp"})
    {
        TrainingSpec spec = MakePlannedRegion(policy);
        const auto checkKinds = [&](bool isLikeTokens) {
            const auto program = MakeProgram(spec);
            std::set<std::string> kinds;
            ForEachNode(*program, [&](uint32_t, uint32_t, uint64_t, const GraphNode& node) {
                const std::string& kind = program->GetKinds()[node.kind];
                if (node.type == GraphNode::Type::Transfer && ofPolicies.count(kind) > 0)
                {
                    kinds.insert(kind);
                    EXPECT_EQ(node.transfer->GetTraits().isExchange, isLikeTokens)
                        << policy << ": " << kind;
                }
                if (kind == "dispatch" || kind == "combine")
                {
                    EXPECT_TRUE(node.transfer->GetTraits().isExchange);
                }
            });
            EXPECT_TRUE(kinds.count("expert-weights")) << policy;
        };
        checkKinds(false);
        spec.circuits = {};
        checkKinds(true);
    }
}

TEST(TrainingCircuits, MoveOnceForALayerThatIsComputedAgain)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.recomputes = true;
    const NodeOrder order(TrainingProgram(spec), 0);
    EXPECT_EQ(order.List("reconfiguration").size(), 8U);
    EXPECT_EQ(order.List("dispatch").size(), 8U) << "there, and again on the way back";
}

TEST(TrainingCircuits, WithoutRegionsNothingMoves)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits = {};
    EXPECT_TRUE(NodeOrder(TrainingProgram(spec), 0).List("reconfiguration").empty());
}

/// \return whether circuits are moved for what is only expected
bool
IsForeseen(const GraphNode& move)
{
    return move.barrier && move.barrier->GetPurpose()->isForeseen;
}

/// \return flags of the moves of a GPU's circuits, in their order
std::vector<bool>
ListMoving(const NodeOrder& order)
{
    std::vector<bool> moving;
    for (const Place& place : order.List("reconfiguration"))
    {
        const GraphNode& node = order.Get(place);
        moving.push_back(node.barrier != nullptr);
        EXPECT_EQ(node.type, node.barrier ? GraphNode::Type::Barrier : GraphNode::Type::Compute);
        const bool isOnWayBack = node.barrier && node.barrier->GetPurpose()->isOnWayBack;
        const TimePs delay = isOnWayBack ? kBackward : kDelay;
        EXPECT_EQ(node.duration, node.barrier ? delay : 0);
    }
    return moving;
}

TEST(TrainingCircuits, StayWhereTheyServeTheLayerAndMicrobatchAlready)
{
    // The last stage goes back at once: forward, back, forward, back.
    const TrainingProgram program(MakeRegions({{"Ep", 4}, {"Pp", 2}}));
    EXPECT_EQ(ListMoving(NodeOrder(program, 0)), std::vector<bool>(4, true));
    const NodeOrder last(program, 7);
    EXPECT_EQ(ListMoving(last), (std::vector<bool>{true, false, true, false}));
    EXPECT_TRUE(last.IsBefore(last.List("reconfiguration")[1], last.List("combine-backward")[0]))
        << "what waits for them does so still";
    // Layers 0 and 1, and back again: the circuits of layer 1 are there.
    const std::vector<bool> there{true, true, false, true, true, true, false, true};
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    EXPECT_EQ(ListMoving(NodeOrder(TrainingProgram(spec), 0)), there);
    spec.recomputes = true;
    EXPECT_EQ(ListMoving(NodeOrder(TrainingProgram(spec), 0)), there);
}

TEST(TrainingCircuits, MoveAnewInEveryIteration)
{
    // One layer and micro-batch: those of the iteration before were for other tokens.
    TrainingSpec spec = MakeSpec({2, 2},
                                 MakeTinyModel(1),
                                 {{"Ep", 4}},
                                 MakeComponent<ComputeModel>("GivenComputeModel"));
    spec.sequence = 64;
    spec.iterations = 2;
    spec.circuits = {2, kDelay, kBackward};
    EXPECT_EQ(ListMoving(NodeOrder(TrainingProgram(spec), 0)),
              (std::vector<bool>{true, false, true, false}));
}

TEST(TrainingCircuits, WithCircuitsOfWhatWasBeforeTokensDoNotWait)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits.prediction = MakeComponent<CircuitPrediction>("PreviousCircuitPrediction");
    const NodeOrder order(TrainingProgram(spec), 0);
    const std::vector<Place> moves = order.List("reconfiguration");
    const std::vector<Place> dispatches = order.List("dispatch");
    const std::vector<Place> combines = order.List("combine");
    const std::vector<Place> experts = order.List("experts");
    EXPECT_EQ(ListMoving(order),
              (std::vector<bool>{true, true, false, true, true, true, false, true}));
    for (uint32_t layer = 0; layer < 2; ++layer)
    {
        EXPECT_FALSE(order.IsBefore(moves[layer], dispatches[layer]));
        EXPECT_TRUE(order.IsBefore(dispatches[layer], moves[layer])) << "their tokens are over";
        EXPECT_FALSE(order.IsBefore(moves[layer], experts[layer])) << "beside experts";
        EXPECT_FALSE(order.IsBefore(experts[layer], moves[layer]));
        EXPECT_TRUE(order.IsBefore(moves[layer], combines[layer]));
        EXPECT_FALSE(IsForeseen(order.Get(moves[layer])));
    }
}

TEST(TrainingCircuits, WithForesightTheyMoveBesideAttentionAndAreCorrectedBesideExperts)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits.prediction = MakeComponent<CircuitPrediction>("CopilotCircuitPrediction");
    const NodeOrder order(TrainingProgram(spec), 0);
    const std::vector<Place> moves = order.List("reconfiguration");
    const std::vector<Place> attention = order.List("attention");
    const std::vector<Place> dispatches = order.List("dispatch");
    const std::vector<Place> combines = order.List("combine");
    const std::vector<Place> experts = order.List("experts");
    ASSERT_EQ(moves.size(), 12U); // two a layer there, one back, two micro-batches
    EXPECT_EQ(ListMoving(order),
              (std::vector<
                  bool>{true, true, true, true, false, true, true, true, true, true, false, true}));
    for (uint32_t layer = 0; layer < 2; ++layer)
    {
        const Place& foreseen = moves[2 * layer];
        const Place& corrected = moves[2 * layer + 1];
        EXPECT_TRUE(IsForeseen(order.Get(foreseen)));
        EXPECT_FALSE(order.IsBefore(attention[layer], foreseen));
        EXPECT_FALSE(order.IsBefore(foreseen, attention[layer]));
        EXPECT_TRUE(order.IsBefore(foreseen, dispatches[layer]));
        EXPECT_FALSE(IsForeseen(order.Get(corrected)));
        EXPECT_TRUE(order.IsBefore(dispatches[layer], corrected));
        EXPECT_FALSE(order.IsBefore(corrected, experts[layer]));
        EXPECT_FALSE(order.IsBefore(experts[layer], corrected));
        EXPECT_TRUE(order.IsBefore(corrected, combines[layer]));
    }
    EXPECT_TRUE(order.IsBefore(combines[0], moves[2])) << "nothing is under way";
    EXPECT_FALSE(IsForeseen(order.Get(moves[5]))) << "on the way back all is known";
    EXPECT_TRUE(order.IsBefore(order.List("dispatch-backward")[1], moves[6]))
        << "nor from the micro-batch before";
}

/// \return moves of the circuits of GPU 0, in their order
std::vector<GraphNode>
ListMoves(const TrainingProgram& program)
{
    std::vector<GraphNode> moves;
    const NodeOrder order(program, 0);
    for (const Place& place : order.List("reconfiguration"))
    {
        moves.push_back(order.Get(place));
    }
    return moves;
}

/// \return bytes that a GPU announces, by destination
std::map<uint32_t, uint64_t>
ListAnnounced(const GraphNode& move, uint32_t gpu)
{
    std::map<uint32_t, uint64_t> bytes;
    for (const Demand& demand : move.barrier->GetAnnounced(gpu))
    {
        EXPECT_TRUE(bytes.empty() || bytes.rbegin()->first < demand.destination);
        bytes[demand.destination] = demand.bytes;
    }
    return bytes;
}

TEST(TrainingCircuits, EqualSharesAreForeseenBeforeAnythingWasSeen)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits.prediction = MakeComponent<CircuitPrediction>("CopilotCircuitPrediction");
    const TrainingProgram program(spec);
    const std::vector<GraphNode> moves = ListMoves(program);
    const uint64_t each = uint64_t{spec.GetTokens()} * spec.model.topK *
                          spec.model.GetExpertHidden() * spec.elementBytes / 4;
    EXPECT_EQ(ListAnnounced(moves[0], 1),
              (std::map<uint32_t, uint64_t>{{0, each}, {2, each}, {3, each}}));
    EXPECT_EQ(ListAnnounced(moves[0], 6),
              (std::map<uint32_t, uint64_t>{{4, each}, {5, each}, {7, each}}));
}

/// Expects all tokens at the second GPU of a group.
class SecondGpuPrediction : public CircuitPrediction
{
  public:
    SecondGpuPrediction()
    {
        m_traits.foresees = true;
    }

    std::vector<double> Predict(const std::vector<SeenLoads>&,
                                const std::vector<double>& before) const override
    {
        std::vector<double> shares(before.size());
        shares.at(1) = 1;
        return shares;
    }
};

TEST(TrainingCircuits, CircuitsMoveToWhereAPredictionOfOnesOwnExpectsTokens)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits.prediction = CreateObject<SecondGpuPrediction>();
    const TrainingProgram program(spec);
    const std::vector<GraphNode> moves = ListMoves(program);
    const uint64_t all = uint64_t{spec.GetTokens()} * spec.model.topK *
                         spec.model.GetExpertHidden() * spec.elementBytes;
    ASSERT_TRUE(IsForeseen(moves[6])); // of the second micro-batch
    EXPECT_EQ(ListAnnounced(moves[6], 0), (std::map<uint32_t, uint64_t>{{1, all}}));
    EXPECT_EQ(ListAnnounced(moves[6], 1), (std::map<uint32_t, uint64_t>()));
    EXPECT_EQ(ListAnnounced(moves[6], 7), (std::map<uint32_t, uint64_t>{{5, all}}));
}

TEST(TrainingCircuits, WhatIsForeseenDependsNotOnWhoAsksWhen)
{
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits.prediction = MakeComponent<CircuitPrediction>("CopilotCircuitPrediction");
    const TrainingProgram one(spec);
    const TrainingProgram other(spec);
    const std::vector<GraphNode> moves = ListMoves(one);
    const std::vector<GraphNode> others = ListMoves(other);
    // Of the second micro-batch, layers 0 and 1.
    ASSERT_TRUE(IsForeseen(moves[6]) && IsForeseen(moves[8]));
    const auto seen = ListAnnounced(moves[6], 0);
    const auto then = ListAnnounced(moves[8], 0);
    EXPECT_NE(seen, then);
    EXPECT_EQ(ListAnnounced(others[8], 0), then);
    EXPECT_EQ(ListAnnounced(others[6], 5), ListAnnounced(moves[6], 5)) << "another group";
    EXPECT_EQ(ListAnnounced(others[6], 0), seen);
    EXPECT_EQ(ListAnnounced(others[8], 0), then);
}

TEST(TrainingCircuits, TheFirstLayerOfAStageIsForeseenAsItWasInTheLatestMicrobatch)
{
    // One micro-batch was seen, and only with itself before it: the same is expected again.
    TrainingSpec spec = MakeRegions({{"Ep", 4}});
    spec.circuits.prediction = MakeComponent<CircuitPrediction>("CopilotCircuitPrediction");
    const TrainingProgram program(spec);
    const std::vector<GraphNode> moves = ListMoves(program);
    std::map<uint32_t, uint64_t> received; // by GPU: of what all announced, theirs not included
    const auto foreseen = ListAnnounced(moves[6], 0);
    const double all = double{1} * spec.GetTokens() * spec.model.topK *
                       spec.model.GetExpertHidden() * spec.elementBytes;
    // What goes from GPU to GPU as it was sent in the first micro-batch.
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        uint64_t sent = 0;
        for (const auto& [to, bytes] : ListAnnounced(moves[1], gpu))
        {
            received[to] += bytes;
            sent += bytes;
        }
        received[gpu] += static_cast<uint64_t>(all) - sent; // its own
    }
    for (const auto& [to, bytes] : foreseen)
    {
        EXPECT_NEAR(static_cast<double>(bytes), static_cast<double>(received[to]) / 4, all * 1e-3)
            << "to GPU " << to;
    }
}

} // namespace

} // namespace ns3::rails::test
