// SPDX-License-Identifier: GPL-2.0-only

// When copies of experts travel in a training: what waits for what.

#include "../expert-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/compute-time.h"
#include "ns3/nstime.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/rails-error.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Place = NodeOrder::Place;

constexpr auto kCompute = static_cast<uint32_t>(TrainingStream::Compute);
constexpr auto kCommunication = static_cast<uint32_t>(TrainingStream::Communication);

/// All tokens of four GPUs go to expert 0, and to one of the others in turn.
std::vector<uint32_t>
DrawOneHot(const LoadShape& shape, const LoadPlace&)
{
    std::vector<uint32_t> counts(std::size_t{shape.sources} * shape.experts);
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        counts[source * shape.experts] = shape.tokens;
        for (uint32_t token = 0; token < shape.tokens; ++token)
        {
            ++counts[source * shape.experts + 1 + token % (shape.experts - 1)];
        }
    }
    return counts;
}

/// Four GPUs of a server under a policy that copies expert 0 of four. NVLink carries an expert's
/// parameters in 4 us, and its gradient in 8.
TrainingSpec
MakeHot(const std::string& type, uint32_t layers, Time attention = MicroSeconds(1))
{
    const auto compute = MakeComponent<ComputeModel>("GivenComputeModel");
    compute->SetAttribute("Attention", TimeValue(attention));
    compute->SetAttribute("Gate", TimeValue(Time(0)));
    compute->SetAttribute("Shared", TimeValue(MicroSeconds(1)));
    compute->SetAttribute("ExpertToken", TimeValue(NanoSeconds(100)));
    const Ptr<ExpertPolicy> policy = MakeBusyPolicy(type);
    policy->SetAttributeFailSafe("BalanceTolerance", StringValue("1"));
    TrainingSpec spec = MakeExpertPlan({1, 4}, MakeTinyModel(layers, 4), {{"Ep", 4}}, policy);
    spec.compute = compute;
    spec.load = GivenLoad::Make(DrawOneHot);
    constexpr uint64_t rate = uint64_t{3072} * 8 * 250'000;
    spec.rates = {rate, rate};
    spec.handling.warmUp = 1;
    return spec;
}

std::vector<std::string>
Split(const std::string& words)
{
    std::vector<std::string> kinds;
    const std::map<char, std::string> names{{'W', "expert-weights"},
                                            {'G', "expert-gradients"},
                                            {'D', "dispatch"},
                                            {'C', "combine"},
                                            {'c', "combine-backward"},
                                            {'d', "dispatch-backward"},
                                            {'N', "expert-counts"},
                                            {'M', "expert-moves"}};
    for (const char word : words)
    {
        kinds.push_back(names.at(word));
    }
    return kinds;
}

/// \return GPU 0 of a training
NodeOrder
MakeOrder(const TrainingSpec& spec)
{
    return NodeOrder(*MakeProgram(spec), 0);
}

TEST(TrainingCopies, TravelAsTheirSourcesHaveIt)
{
    const std::set<std::string> overlapped{"Echo", "Epic", "MoonEp", "RailAware", "UltraEp"};
    const std::set<std::string> chained{"FasterMoe", "ProProphet"};
    for (const std::string& type : FindPolicies())
    {
        const Ptr<ExpertPolicy> policy = MakePolicy(type);
        EXPECT_EQ(policy->GetCopyTiming(),
                  type == "ProProphet"          ? CopyTiming::Scheduled
                  : type == "FasterMoe"         ? CopyTiming::Interleaved
                  : overlapped.count(type) == 1 ? CopyTiming::Overlapped
                                                : CopyTiming::Blocking)
            << type;
        EXPECT_EQ(policy->GetTraits().copyWay,
                  type == "UltraEp"          ? CopyWay::Relays
                  : chained.count(type) == 1 ? CopyWay::Chain
                                             : CopyWay::Direct)
            << type;
    }
}

/// A training of a layer whose tokens go to two GPUs at a time
TrainingSpec
MakeInterleaved(CopyTiming timing = CopyTiming::Interleaved)
{
    TrainingSpec spec = MakeHot("FasterMoe", 1);
    spec.handling.copyTiming = timing;
    spec.handling.partGpus = 2;
    return spec;
}

TEST(TrainingCopies, InterleavedOnesAreBetweenTokensThatGoAndThoseThatComeBack)
{
    const NodeOrder order = MakeOrder(MakeInterleaved());
    EXPECT_EQ(order.ListKinds(kCommunication), Split("NMNDDWCCWccGdd"));
    const std::vector<Place> experts = order.List("experts"); // 0, 1, own; own, 0, 1
    ASSERT_EQ(experts.size(), 6U);
    const std::vector<Place> go = order.List("dispatch");
    const std::vector<Place> come = order.List("combine");
    const Place weights = order.List("expert-weights").front();
    EXPECT_TRUE(order.IsBefore(go[0], experts[0]));
    EXPECT_FALSE(order.IsBefore(go[1], experts[0])) << "those of others are under way";
    EXPECT_TRUE(order.IsBefore(go[1], experts[1]));
    EXPECT_FALSE(order.IsBefore(weights, experts[1]));
    EXPECT_TRUE(order.IsBefore(weights, experts[2]));
    EXPECT_TRUE(order.IsBefore(experts[0], come[0]));
    EXPECT_FALSE(order.IsBefore(experts[1], come[0]));
    EXPECT_TRUE(order.IsBefore(experts[1], come[1]));
    const std::vector<Place> goBack = order.List("combine-backward");
    const std::vector<Place> comeBack = order.List("dispatch-backward");
    const Place gradients = order.List("expert-gradients").front();
    EXPECT_FALSE(order.IsBefore(goBack[0], experts[3])) << "it has its own";
    EXPECT_TRUE(order.IsBefore(goBack[0], experts[4]));
    EXPECT_FALSE(order.IsBefore(goBack[1], experts[4]));
    EXPECT_TRUE(order.IsBefore(experts[3], gradients));
    EXPECT_FALSE(order.IsBefore(experts[4], gradients));
    EXPECT_TRUE(order.IsBefore(experts[4], comeBack[0]));
    EXPECT_FALSE(order.IsBefore(experts[5], comeBack[0]));
    EXPECT_TRUE(order.IsBefore(experts[5], order.List("optimizer").front()));
}

/// Two stages of a server each.
TrainingSpec
MakeZeroBubble(const std::string& type)
{
    TrainingSpec spec =
        MakeExpertPlan({2, 4}, MakeTinyModel(4), {{"Ep", 4}, {"Pp", 2}}, MakeBusyPolicy(type));
    spec.microbatches = 4;
    spec.handling.warmUp = 1;
    if (spec.handling.policy->GetCopyTiming() == CopyTiming::Scheduled || spec.Interleaves())
    {
        spec.handling.copyTiming = CopyTiming::Blocking;
    }
    return spec;
}

TEST(TrainingCopies, ZeroBubbleMovesWhatOneForwardOneBackwardDoesUnderEachPolicy)
{
    for (const std::string& type : FindPolicies())
    {
        SCOPED_TRACE(type);
        TrainingSpec spec = MakeZeroBubble(type);
        const auto usual = MakeProgram(spec);
        spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
        spec.schedule->Check(spec);
        const auto program = MakeProgram(spec);
        EXPECT_EQ(CheckSteps(*program), CheckSteps(*usual));
        EXPECT_EQ(program->GetTotal().GetTotalBytes(), usual->GetTotal().GetTotalBytes());
        for (uint32_t gpu = 0; gpu < 8; ++gpu)
        {
            for (const std::string kind : {"expert-gradients", "expert-weights", "expert-data"})
            {
                EXPECT_EQ(NodeOrder(*program, gpu).List(kind).size(),
                          NodeOrder(*usual, gpu).List(kind).size())
                    << kind;
            }
        }
    }
}

TEST(TrainingCopies, WithZeroBubbleTheirGradientsGoWhenThoseOfParametersAreComputed)
{
    for (const std::string type : {"FasterMoe", "UltraEp"}) // blocking, and beside all else
    {
        SCOPED_TRACE(type);
        TrainingSpec spec = MakeZeroBubble(type);
        spec.model.layers = 2;
        spec.microbatches = 1;
        spec.schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
        const NodeOrder order(*MakeProgram(spec), 0);
        const std::vector<Place> experts = order.List("experts"); // forward, inputs, parameters
        ASSERT_EQ(experts.size(), 3U);
        const Place gradients = order.List("expert-gradients").front();
        EXPECT_TRUE(order.IsBefore(experts[2], gradients));
        EXPECT_FALSE(order.IsBefore(gradients, experts[2]));
        EXPECT_TRUE(order.IsBefore(gradients, order.List("optimizer").front()));
    }
}

TEST(TrainingCopies, ZeroBubbleHasNoExchangesThatGradientsCouldGoUnder)
{
    for (const std::string type : {"FasterMoe", "ProProphet"})
    {
        TrainingSpec spec = MakeZeroBubble(type);
        spec.handling.copyTiming = std::nullopt;
        const auto schedule = MakeComponent<PipelineSchedule>("ZeroBubblePipelineSchedule");
        EXPECT_THROW(schedule->Check(spec), ConfigurationError) << type;
    }
}

TEST(TrainingCopies, InterleavedTokensAreAsManyAndExpertsComputeAsLong)
{
    const auto parts = MakeProgram(MakeInterleaved());
    const auto whole = MakeProgram(MakeInterleaved(CopyTiming::Blocking));
    EXPECT_EQ(CheckSteps(*parts), CheckSteps(*whole));
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        const auto sum = [gpu](const TrainingProgram& program) {
            const NodeOrder order(program, gpu);
            TimePs all = 0;
            for (const Place& place : order.List("experts"))
            {
                all += order.Get(place).duration;
            }
            return all;
        };
        EXPECT_NEAR(sum(*parts), sum(*whole), 6) << "rounded to picoseconds";
        EXPECT_GT(sum(*whole), 0);
    }
}

// Trans of the next layer is behind this layer's dispatch, and the rest behind its combine; the
// way back mirrors that.
TEST(TrainingCopies, ScheduledOnesLieUnderTheLayerBefore)
{
    EXPECT_EQ(MakeOrder(MakeHot("ProProphet", 3)).ListKinds(kCommunication),
              Split("WDWCWDWCWDCcdGcGdGcGdG"));
    EXPECT_EQ(MakeOrder(MakeHot("ProProphet", 1)).ListKinds(kCommunication), Split("WDCcdG"));
    TrainingSpec spec = MakeHot("ProProphet", 4);
    spec.model.denseLayers = 2;
    EXPECT_EQ(MakeOrder(spec).ListKinds(kCommunication), Split("WDWCWDCcdGcGdG"));
    spec.recomputes = true;
    EXPECT_EQ(MakeOrder(spec).ListKinds(kCommunication), Split("WDWCWDCDCcdGDCcGdG"));
}

TEST(TrainingCopies, TokensWaitForThePlanWhateverTheCopiesDo)
{
    for (const CopyTiming timing : {CopyTiming::Blocking, CopyTiming::Overlapped})
    {
        TrainingSpec spec = MakeHot("ProProphet", 3); // decides before the layer
        spec.handling.copyTiming = timing;
        const NodeOrder order = MakeOrder(spec);
        const std::vector<Place> plans = order.List("expert-planning");
        const std::vector<Place> dispatches = order.List("dispatch");
        ASSERT_EQ(plans.size(), dispatches.size());
        for (std::size_t layer = 0; layer < plans.size(); ++layer)
        {
            EXPECT_TRUE(order.IsBefore(plans[layer], dispatches[layer]));
            EXPECT_EQ(order.IsBefore(plans[layer], order.List("attention")[layer]),
                      timing == CopyTiming::Blocking);
        }
    }
}

TEST(TrainingCopies, ScheduledOnesAreWaitedForWhereTheyAreNeededAlone)
{
    const NodeOrder order = MakeOrder(MakeHot("ProProphet", 3));
    const std::vector<Place> weights = order.List("expert-weights");     // 0, 1 a, 1 b, 2 a, 2 b
    const std::vector<Place> gradients = order.List("expert-gradients"); // 2 a, 2 b, 1 a, 1 b, 0
    const std::vector<Place> experts = order.List("experts");            // 0, 1, 2, back 2, 1, 0
    const std::vector<Place> attention = order.List("attention");        // the same
    const std::vector<Place> gate = order.List("gate");                  // the same
    const std::vector<Place> combine = order.List("combine");
    ASSERT_EQ(weights.size(), 5U);
    ASSERT_EQ(gradients.size(), 5U);
    ASSERT_EQ(experts.size(), 6U);
    EXPECT_TRUE(order.IsBefore(weights[0], attention[0])) << "nothing to go under";
    for (uint32_t layer = 0; layer < 2; ++layer)
    {
        const Place& under = weights[1 + 2 * layer];
        const Place& behind = weights[2 + 2 * layer];
        EXPECT_TRUE(order.IsBefore(gate[layer], under));
        EXPECT_FALSE(order.IsBefore(experts[layer], under));
        EXPECT_FALSE(order.IsBefore(under, experts[layer]));
        EXPECT_TRUE(order.IsBefore(experts[layer], behind));
        EXPECT_TRUE(order.IsBefore(combine[layer], behind));
        EXPECT_FALSE(order.IsBefore(attention[layer + 1], behind));
        EXPECT_FALSE(order.IsBefore(behind, attention[layer + 1]));
        EXPECT_TRUE(order.IsBefore(under, experts[layer + 1]));
        EXPECT_TRUE(order.IsBefore(behind, experts[layer + 1]));
    }
    for (uint32_t i = 0; i < 2; ++i) // of layers 2 and 1
    {
        const Place& underOther = gradients[2 * i];
        const Place& underExperts = gradients[2 * i + 1];
        const Place& before = experts[4 + i]; // back, of the layer before
        EXPECT_TRUE(order.IsBefore(experts[3 + i], underOther));
        EXPECT_FALSE(order.IsBefore(underOther, gate[3 + i]));
        EXPECT_FALSE(order.IsBefore(underOther, attention[3 + i]));
        EXPECT_FALSE(order.IsBefore(before, underExperts));
        EXPECT_FALSE(order.IsBefore(underExperts, before));
        EXPECT_TRUE(order.IsBefore(order.List("combine-backward")[1 + i], underExperts));
    }
    EXPECT_TRUE(order.IsBefore(gradients[4], attention[5])) << "nothing to go under";
    for (const Place& gradient : gradients)
    {
        EXPECT_TRUE(order.IsBefore(gradient, order.List("optimizer").front()));
    }
}

/// \return bytes that all GPUs send in each copy of a kind, in the order of GPU 0
std::vector<uint64_t>
ListBytes(const TrainingSpec& spec, const std::string& kind)
{
    const std::unique_ptr<TrainingProgram> program = MakeProgram(spec);
    const NodeOrder order(*program, 0);
    std::vector<uint64_t> bytes;
    for (const Place& place : order.List(kind))
    {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < CountSteps(order.Get(place)); ++i)
        {
            for (uint32_t gpu = 0; gpu < 4; ++gpu)
            {
                for (const Demand& demand : order.Get(place).transfer->GetSends(gpu, i))
                {
                    sum += demand.bytes;
                }
            }
        }
        bytes.push_back(sum);
    }
    return bytes;
}

// An expert of 3072 B goes to three GPUs in 4 us, in four pieces; attention takes 1 us and covers
// one of them. Its gradient takes 8 us, attention backward 2.
TEST(TrainingCopies, TheCutFillsTheWindowOfAttentionFirst)
{
    using List = std::vector<uint64_t>;
    const uint64_t all = 3 * 3072;
    const TrainingSpec spec = MakeHot("ProProphet", 2);
    ASSERT_EQ(Tell(spec).plans.front().plan.weights.size(), 3U);
    EXPECT_EQ(ListBytes(spec, "expert-weights"), (List{all, all / 4 * 3, all / 4}));
    EXPECT_EQ(ListBytes(spec, "expert-gradients"), (List{2 * all / 4, 2 * all / 4 * 3, 2 * all}));
    const TrainingSpec none = MakeHot("ProProphet", 2, Time(0));
    EXPECT_EQ(ListBytes(none, "expert-weights"), (List{all, all, 0}));
    EXPECT_EQ(ListBytes(none, "expert-gradients"), (List{0, 2 * all, 2 * all}));
    const TrainingSpec wide = MakeHot("ProProphet", 2, MicroSeconds(4));
    EXPECT_EQ(ListBytes(wide, "expert-weights"), (List{all, 0, all}));
    EXPECT_EQ(ListBytes(wide, "expert-gradients"), (List{2 * all, 0, 2 * all}));
}

// The policy believes that an expert takes 1 us, its gradient 2: attention covers all.
TEST(TrainingCopies, TheCutReckonsWithTheRatesOfThePolicy)
{
    using List = std::vector<uint64_t>;
    const uint64_t all = 3 * 3072;
    const TrainingSpec spec = MakeHot("ProProphet", 2);
    spec.handling.policy->SetAttribute("Bandwidth", StringValue("24576Mbps"));
    EXPECT_EQ(ListBytes(spec, "expert-weights"), (List{all, 0, all}));
    EXPECT_EQ(ListBytes(spec, "expert-gradients"), (List{2 * all, 0, 2 * all}));
}

TEST(TrainingCopies, EveryCutSendsAllPieces)
{
    for (const uint32_t pieces : {1U, 3U, 5U})
    {
        for (const int64_t attention : {0, 500, 1900, 2000, 2100, 3999, 5000})
        {
            TrainingSpec spec = MakeHot("ProProphet", 3, NanoSeconds(attention));
            spec.handling.pieces = pieces;
            const std::unique_ptr<TrainingProgram> program = MakeProgram(spec);
            std::map<std::string, uint64_t> bytes = CheckSteps(*program);
            EXPECT_EQ(bytes["expert-weights"], 3 * 3 * 3072U) << attention << ", " << pieces;
            EXPECT_EQ(bytes["expert-gradients"], 3 * 3 * 6144U) << attention << ", " << pieces;
            EXPECT_GT(FindComputeTime(*program), 0);
        }
    }
}

/// \return by how much planning delays a training of two layers and three micro-batches in which
/// nothing takes time on the network
TimePs
FindDelay(Time planning, TrainingSpec spec)
{
    spec.microbatches = 3;
    spec.handling.policy->SetAttribute("PlanningTime", TimeValue(Time(0)));
    const TimePs without = FindComputeTime(*MakeProgram(spec));
    spec.handling.policy->SetAttribute("PlanningTime", TimeValue(planning));
    return FindComputeTime(*MakeProgram(spec)) - without;
}

TimePs
FindDelay(const std::string& type, Time planning)
{
    return FindDelay(planning, MakeHot(type, 2));
}

TEST(TrainingPlanning, BeforeTokensItDelaysEveryLayerOfEveryMicrobatch)
{
    for (const std::string type : {"Llep", "Lplb", "MicroMoe"})
    {
        EXPECT_EQ(FindDelay(type, NanoSeconds(10)), 2 * 3 * 10'000) << type;
        EXPECT_EQ(FindDelay(type, MilliSeconds(1)), 2 * 3 * 1'000'000'000LL) << type;
        TrainingSpec spec = MakeHot(type, 2);
        spec.model.sharedFfn = 32;
        EXPECT_EQ(FindDelay(MicroSeconds(5), spec), 2 * 3 * 5'000'000) << type;
        spec.iterations = 2;
        spec.recomputes = true;
        EXPECT_EQ(FindDelay(MicroSeconds(5), spec), 2 * 2 * 3 * 5'000'000) << type;
    }
}

// Shared experts take 1 us.
TEST(TrainingPlanning, WhereCopiesOverlapItGoesUnderSharedExperts)
{
    for (const std::string type : {"Echo", "UltraEp", "MoonEp", "RailAware", "Epic", "FasterMoe"})
    {
        EXPECT_EQ(FindDelay(type, MicroSeconds(5)), 2 * 3 * 5'000'000) << type;
        TrainingSpec spec = MakeHot(type, 2);
        spec.model.sharedFfn = 32;
        EXPECT_EQ(FindDelay(MicroSeconds(1), spec), 0) << type;
        EXPECT_EQ(FindDelay(MicroSeconds(5), spec), 2 * 3 * 4'000'000) << type;
    }
}

TEST(TrainingPlanning, BetweenIterationsItDelaysTheNextByTheTimeOfAllLayers)
{
    for (const std::string type : {"SmartMoe", "Eplb"})
    {
        EXPECT_EQ(FindDelay(type, MicroSeconds(5)), 2 * 5'000'000) << type;
        TrainingSpec spec = MakeHot(type, 2);
        spec.handling.warmUp = 0;
        spec.iterations = 3;
        EXPECT_EQ(FindDelay(MicroSeconds(5), spec), 2 * 2 * 5'000'000)
            << type << ": before the first nothing is known";
    }
}

TEST(TrainingPlanning, OfAForecastItDelaysTheFirstMicrobatchUnlessScheduled)
{
    TrainingSpec spec = MakeHot("ProProphet", 2);
    spec.handling.copyTiming = CopyTiming::Blocking;
    EXPECT_EQ(FindDelay(MicroSeconds(5), spec), 2 * 5'000'000);
    spec.handling.copyTiming = CopyTiming::Scheduled;
    EXPECT_EQ(FindDelay(MicroSeconds(1), spec), 0);
    // Layers are planned one after the other, from the gates of the last micro-batch on: what that
    // takes longer than the rest of the iteration is left over.
    spec.iterations = 2;
    EXPECT_EQ(FindDelay(MicroSeconds(1), spec), 0);
    EXPECT_GT(FindDelay(MilliSeconds(1), spec), 2 * 2 * 900'000'000LL);
    EXPECT_LT(FindDelay(MilliSeconds(1), spec), 2 * 2 * 1'000'000'000LL);
}

TEST(TrainingPlanning, ARuleForAGpusOwnTokensTakesNone)
{
    for (const std::string type : {"PlainEp", "DeepspeedMoe"})
    {
        EXPECT_EQ(FindDelay(type, MilliSeconds(5)), 0) << type;
    }
}

/// Policies that copy experts.
class TrainingCopiesTest : public ::testing::TestWithParam<std::string>
{
  protected:
    /// Calls back with the order of nodes of several GPUs in several trainings that copy something.
    template <typename Body>
    static void ForEachOrder(CopyTiming timing, Body&& body)
    {
        for (const auto& [stages, chunks] : {std::pair(1U, 1U), {2U, 1U}, {2U, 2U}})
        {
            for (const bool recomputes : {false, true})
            {
                TrainingSpec spec = MakeExpertPlan({2 * stages, 4},
                                                   MakeTinyModel(2 * stages * chunks),
                                                   {{"Ep", 4}, {"Pp", stages}, {"Vpp", chunks}},
                                                   MakeBusyPolicy(GetParam()));
                spec.model.sharedFfn = 32;
                spec.model.denseLayers = recomputes ? 1 : 0;
                spec.microbatches = 2;
                spec.iterations = 2;
                spec.recomputes = recomputes;
                spec.handling.copyTiming = timing;
                const std::unique_ptr<TrainingProgram> program = MakeProgram(spec);
                for (uint32_t gpu = 0; gpu < 8 * stages; gpu += 7)
                {
                    SCOPED_TRACE("pp " + std::to_string(stages) + ", vpp " +
                                 std::to_string(chunks) + (recomputes ? ", full" : "") + ", GPU " +
                                 std::to_string(gpu));
                    body(NodeOrder(*program, gpu));
                }
            }
        }
    }
};

TEST_P(TrainingCopiesTest, NothingIsComputedBesideOnesThatBlock)
{
    ForEachOrder(CopyTiming::Blocking, [](const NodeOrder& order) {
        for (const std::string kind : {"expert-weights", "expert-gradients"})
        {
            const std::vector<Place> copies = order.List(kind);
            ASSERT_FALSE(copies.empty());
            for (const Place& copy : copies)
            {
                for (const Place& other : order.List())
                {
                    EXPECT_TRUE(other.stream != kCompute || order.IsBefore(copy, other) ||
                                order.IsBefore(other, copy))
                        << kind << " " << copy.index << " beside " << order.GetKind(other) << " "
                        << other.index;
                }
            }
        }
    });
}

TEST_P(TrainingCopiesTest, OverlappedGradientsAreJoinedWhereTheWayBackOfTheLayerEnds)
{
    ForEachOrder(CopyTiming::Overlapped, [](const NodeOrder& order) {
        const std::vector<Place> gradients = order.List("expert-gradients");
        const std::vector<Place> tokens = order.List("dispatch-backward");
        ASSERT_FALSE(gradients.empty());
        ASSERT_EQ(gradients.size(), tokens.size());
        for (std::size_t i = 0; i < gradients.size(); ++i)
        {
            EXPECT_FALSE(order.IsBefore(gradients[i], tokens[i])) << "tokens wait for gradients";
            // Gate and attention are the rest of the way back; what is computed or sent on next is
            // behind the gradients.
            uint32_t rest = 0;
            for (uint64_t index = 0; index < order.ListKinds(kCompute).size(); ++index)
            {
                const Place compute{kCompute, index};
                if (order.IsBefore(tokens[i], compute) && ++rest > 2)
                {
                    EXPECT_TRUE(order.IsBefore(gradients[i], compute))
                        << order.GetKind(compute) << " " << index;
                    break;
                }
                EXPECT_FALSE(order.IsBefore(tokens[i], compute) &&
                             order.IsBefore(gradients[i], compute))
                    << "gate or attention waits for gradients";
            }
        }
    });
}

TEST_P(TrainingCopiesTest, OverlappedParametersAreWaitedForByExpertsAlone)
{
    ForEachOrder(CopyTiming::Overlapped, [](const NodeOrder& order) {
        const std::vector<Place> weights = order.List("expert-weights");
        ASSERT_FALSE(weights.empty());
        // Of each layer those that go forward, again where that is done again, and back.
        std::vector<Place> experts = order.List("experts");
        std::vector<Place> tokens = order.List("dispatch");
        const std::vector<Place> back = order.List("combine-backward");
        tokens.insert(tokens.end(), back.begin(), back.end());
        for (const Place& weight : weights)
        {
            const auto waits = std::find_if(experts.begin(), experts.end(), [&](const Place& each) {
                return order.IsBefore(weight, each);
            });
            ASSERT_NE(waits, experts.end());
            for (const Place& each : tokens)
            {
                // Tokens of these experts, and of none before, do not wait.
                EXPECT_FALSE(order.IsBefore(each, *waits) && order.IsBefore(weight, each));
            }
        }
    });
}

TEST_P(TrainingCopiesTest, GradientsComeHomeBeforeReplicasAddThemUpAndTheOptimizerWaitsForAll)
{
    std::vector<CopyTiming> timings{CopyTiming::Blocking, CopyTiming::Overlapped};
    if (GetParam() != "ProProphet")
    {
        timings.push_back(CopyTiming::Interleaved); // of what is decided behind the gate
    }
    for (const CopyTiming timing : timings)
    {
        ForEachOrder(timing, [](const NodeOrder& order) {
            const std::vector<Place> optimizers = order.List("optimizer");
            ASSERT_EQ(optimizers.size(), 2U);
            const std::vector<Place> gradients = order.List("expert-gradients");
            const std::vector<Place> replicas = order.List("expert-data");
            // Of both iterations: of each layer its gradients, then all parameters.
            const std::size_t layers = replicas.size() / 2 - 1;
            const std::size_t each = gradients.size() / 2;
            for (uint32_t iteration = 0; iteration < 2; ++iteration)
            {
                for (std::size_t i = 0; i < each; ++i)
                {
                    EXPECT_TRUE(
                        order.IsBefore(gradients[iteration * each + i], optimizers[iteration]));
                }
                for (std::size_t i = 0; i < layers; ++i)
                {
                    const Place& reduce = replicas[iteration * (layers + 1) + i];
                    EXPECT_TRUE(order.IsBefore(reduce, optimizers[iteration]));
                    // Each layer's own, of its last micro-batch.
                    EXPECT_EQ(std::count_if(gradients.begin(),
                                            gradients.end(),
                                            [&](const Place& gradient) {
                                                return order.IsBefore(gradient, reduce) &&
                                                       gradient.index >=
                                                           gradients[iteration * each].index;
                                            }) >= static_cast<int64_t>(i + 1),
                              true);
                }
                EXPECT_TRUE(order.IsBefore(optimizers[iteration],
                                           replicas[iteration * (layers + 1) + layers]));
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Copying,
                         TrainingCopiesTest,
                         testing::Values("Echo", "FasterMoe", "Llep", "ProProphet"),
                         [](const testing::TestParamInfo<std::string>& policy) {
                             return policy.param;
                         });

} // namespace

} // namespace ns3::rails::test
