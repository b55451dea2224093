// SPDX-License-Identifier: GPL-2.0-only

// Whole trainings under every policy of experts: what moves, and that they end.

#include "../expert-fixtures.h"

#include "ns3/compute-time.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using BytesOfKinds = std::map<std::string, uint64_t>;

/// How a training is run besides its policy.
struct Variant
{
    bool deduplicates{false};
    bool recomputes{false};
    std::optional<CopyTiming> timing{}; //!< none: as published
    uint32_t stages{1};
    uint32_t chunks{1};
    uint32_t replicas{1}; //!< edp
    uint32_t experts{4};  //!< ep
    uint32_t servers{1};  //!< that a group of expert parallelism is on

    std::string Describe() const
    {
        return std::string(deduplicates ? "deduplicated" : "pairs") + ", " +
               (recomputes ? "full" : "none") + ", " +
               (!timing                             ? "published"
                : *timing == CopyTiming::Overlapped ? "overlapped"
                                                    : "blocking") +
               ", pp " + std::to_string(stages) + ", vpp " + std::to_string(chunks) + ", edp " +
               std::to_string(replicas) + ", ep " + std::to_string(experts) + " on " +
               std::to_string(servers) + " servers";
    }
};

const std::vector<std::optional<CopyTiming>> kTimings{{},
                                                      CopyTiming::Blocking,
                                                      CopyTiming::Overlapped};

TrainingSpec
MakeVariant(const std::string& type, const Variant& variant)
{
    TrainingSpec plan = MakeExpertPlan(
        {variant.stages * variant.replicas * variant.servers, variant.experts / variant.servers},
        MakeTinyModel(variant.stages * variant.chunks),
        {{"Pp", variant.stages}, {"Vpp", variant.chunks}, {"Ep", variant.experts}},
        MakeBusyPolicy(type, variant.experts));
    plan.microbatches = 2;
    plan.iterations = variant.stages == 1 ? 2 : 1;
    plan.handling.warmUp = variant.stages == 1 ? 0 : 1;
    plan.deduplicates = variant.deduplicates;
    plan.recomputes = variant.recomputes;
    plan.handling.copyTiming = variant.timing;
    plan.handling.pieces = 2;
    return plan;
}

/// Adds what a training moves for the plans of a policy.
class Expectation
{
  public:
    Expectation(const TrainingSpec& plan, const ToldRun& run)
        : m_spec(plan),
          m_run(run)
    {
        m_bytes["expert-moves"] += Sum(run.moves) + run.stateMoves;
        for (const ToldPlan& told : run.plans)
        {
            AddCopies(told.plan);
            AddCounts(told);
            AddReplicas(told);
            AddTokens(told);
        }
        const uint64_t each = run.setting.gradientBytes + run.setting.weightBytes;
        for (const auto& [place, hosts] : m_hosts)
        {
            m_bytes["expert-data"] += (hosts - 1) * each;
        }
    }

    uint64_t Get(const std::string& kind) const
    {
        const auto found = m_bytes.find(kind);
        return found == m_bytes.end() ? 0 : found->second;
    }

  private:
    static uint64_t Sum(const std::vector<ExpertTransfer>& transfers)
    {
        uint64_t bytes = 0;
        for (const ExpertTransfer& transfer : transfers)
        {
            bytes += transfer.bytes;
        }
        return bytes;
    }

    void AddCopies(const ExpertPlan& plan)
    {
        m_bytes["expert-weights"] += Sum(plan.weights) * (plan.fetchesAgain ? 2 : 1);
        m_bytes["expert-gradients"] += Sum(plan.gradients);
    }

    /// Loads of all experts, 8 B each, go from every GPU of a group to every other.
    void AddCounts(const ToldPlan& told)
    {
        const uint64_t all = uint64_t{8} * m_spec.model.experts * m_run.setting.cluster.gpus *
                             (m_run.setting.cluster.gpus - 1);
        const bool isFirst = told.microbatch == 0 && told.plan.isPlanned;
        const uint32_t last = m_spec.iterations - 1;
        switch (m_spec.handling.policy->GetKnowledge())
        {
        case ExpertKnowledge::Counts:
            m_bytes["expert-counts"] += all;
            break;
        case ExpertKnowledge::Past:
            m_bytes["expert-counts"] += isFirst ? all : 0;
            break;
        case ExpertKnowledge::Forecast:
            // At the end of the iteration before; that of the last one stands for one behind it.
            m_bytes["expert-counts"] += isFirst && told.iteration > 0 ? all : 0;
            m_bytes["expert-counts"] += isFirst && told.iteration == last ? all : 0;
            break;
        default:
            break;
        }
    }

    void AddReplicas(const ToldPlan& told)
    {
        for (uint32_t expert = 0; told.microbatch == 0 && expert < m_spec.model.experts; ++expert)
        {
            m_hosts[{told.iteration, told.layer, expert}] +=
                told.plan.placement->ListHosts(expert).size();
        }
    }

    void AddTokens(const ToldPlan& told)
    {
        uint64_t away = told.plan.paddedTokens;
        uint64_t local = 0;
        for (const TokenRoute& route : told.plan.routes)
        {
            (route.source == route.host ? local : away) += route.tokens;
        }
        EXPECT_EQ(away - told.plan.paddedTokens + local + told.plan.dropped,
                  told.counts.GetTotal());
        const uint64_t passes = m_spec.recomputes ? 2 : 1;
        m_bytes["dispatch"] += passes * away * m_run.setting.tokenBytes;
        m_bytes["combine"] += passes * away * m_run.setting.tokenBytes;
        m_bytes["combine-backward"] += away * m_run.setting.tokenBytes;
        m_bytes["dispatch-backward"] += away * m_run.setting.tokenBytes;
    }

    const TrainingSpec& m_spec;
    const ToldRun& m_run;
    BytesOfKinds m_bytes;
    /// GPUs that hold an expert for good, by iteration, layer and expert.
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> m_hosts;
};

/// \return a training, or null and the key that its policy refuses it for
std::pair<std::unique_ptr<TrainingProgram>, std::string>
TryProgram(const TrainingSpec& plan)
{
    try
    {
        plan.handling.policy->Check(MakeExpertSetting(plan, MakeExpertGroups(plan)));
        return {MakeProgram(plan), ""};
    }
    catch (const ConfigurationError& error)
    {
        return {nullptr, error.GetKey()};
    }
    catch (const std::invalid_argument&)
    {
        return {nullptr, "padding"};
    }
}

class TrainingExpertsTest : public ::testing::TestWithParam<std::string>
{
  protected:
    /// \return what is expected to be refused
    static std::string ExpectRefusal(const Variant& variant)
    {
        if (GetParam() == "MoonEp" && variant.servers > 1)
        {
            return "across_servers";
        }
        return GetParam() == "DeepspeedMoe" && variant.deduplicates ? "padding" : "";
    }

    /// \return true when a policy does anything
    static bool Acts(const ToldRun& run)
    {
        return !run.moves.empty() ||
               std::any_of(run.plans.begin(), run.plans.end(), [](const ToldPlan& told) {
                   return !told.plan.weights.empty() || told.plan.dropped > 0;
               });
    }

    /// \param run what the policy does, whatever is recomputed and whenever copies travel
    static void Run(const Variant& variant, const ToldRun& run)
    {
        SCOPED_TRACE(variant.Describe());
        const TrainingSpec plan = MakeVariant(GetParam(), variant);
        const auto [program, refusal] = TryProgram(plan);
        ASSERT_EQ(refusal, ExpectRefusal(variant));
        if (!program)
        {
            return;
        }
        BytesOfKinds bytes = CheckSteps(*program);
        const Expectation expected(plan, run);
        for (const std::string kind :
             {"expert-weights", "expert-gradients", "expert-moves", "expert-counts", "expert-data"})
        {
            EXPECT_EQ(bytes[kind], expected.Get(kind)) << kind;
        }
        for (const std::string kind :
             {"dispatch", "combine", "combine-backward", "dispatch-backward"})
        {
            if (!variant.deduplicates)
            {
                EXPECT_EQ(bytes[kind], expected.Get(kind)) << kind;
            }
        }
        EXPECT_GT(FindComputeTime(*program), 0);
    }
};

TEST_P(TrainingExpertsTest, MovesWhatItsPlansSayAndEnds)
{
    Variant variant;
    bool acts = false;
    for (const auto& [stages, chunks] : {std::pair(1U, 1U), {2U, 1U}, {2U, 2U}})
    {
        for (const uint32_t replicas : {1U, 2U})
        {
            for (const bool deduplicates : {false, true})
            {
                variant.stages = stages;
                variant.chunks = chunks;
                variant.replicas = replicas;
                variant.deduplicates = deduplicates;
                variant.experts = chunks == 1 ? 4 : 2; // that is enough
                variant.servers = deduplicates ? 2 : 1;
                const ToldRun run = Tell(MakeVariant(GetParam(), variant));
                acts = acts || Acts(run);
                for (const bool recomputes : {false, true})
                {
                    for (const auto& timing : kTimings)
                    {
                        variant.recomputes = recomputes;
                        variant.timing = timing;
                        Run(variant, run);
                    }
                }
            }
        }
    }
    EXPECT_EQ(acts, GetParam() != "PlainEp");
}

INSTANTIATE_TEST_SUITE_P(Registered,
                         TrainingExpertsTest,
                         testing::ValuesIn(FindPolicies()),
                         [](const testing::TestParamInfo<std::string>& policy) {
                             return policy.param;
                         });

/// Reads exact counts, and says that it knows nothing.
class ModestPolicy : public GivenPolicy
{
  public:
    // NOLINTNEXTLINE: a user might write this
    ExpertKnowledge GetKnowledge() const
    {
        return ExpertKnowledge::Nothing;
    }
};

TEST(TrainingExperts, WhoReadsExactCountsPaysForTheirExchangeWhateverItSays)
{
    TrainingSpec plan =
        MakeExpertPlan({1, 4}, MakeTinyModel(2), {{"Ep", 4}}, CreateObject<ModestPolicy>());
    plan.microbatches = 2;
    // Eight loads of 8 B go from each of four GPUs to three, in two layers of two micro-batches.
    EXPECT_EQ(CheckSteps(*MakeProgram(plan))["expert-counts"], 8U * 8 * 4 * 3 * 2 * 2);
}

TEST(TrainingExperts, CopiesOfPoliciesOfOneDomainStayInTheirServer)
{
    // Groups of eight GPUs on two servers, or on one.
    for (const auto& [type, experts] : {std::pair("UltraEp", 8U), {"Epic", 8U}, {"MoonEp", 4U}})
    {
        TrainingSpec plan =
            MakeExpertPlan({4, 4}, MakeTinyModel(2, 16), {{"Ep", experts}}, MakeBusyPolicy(type));
        plan.handling.policy->SetAttributeFailSafe("Period", StringValue("1000")); // of EPLB
        uint64_t bytes = 0;
        ForEachSend(*MakeProgram(plan),
                    [&](const std::string& kind, uint32_t gpu, const Demand& demand) {
                        if (kind == "expert-weights" || kind == "expert-gradients")
                        {
                            EXPECT_EQ(gpu / 4, demand.destination / 4) << type;
                            bytes += demand.bytes;
                        }
                    });
        EXPECT_GT(bytes, 0U) << type;
    }
}

/// By kind and GPU, what is sent in each transfer, in their order.
using Sends = std::map<std::pair<std::string, uint32_t>, std::vector<std::vector<uint64_t>>>;

/// \return all that is sent but for what only policies send
Sends
ListSends(const GraphProgram& program)
{
    Sends sends;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        const std::string& kind = program.GetKinds()[node.kind];
        const bool isOfPolicy = kind == "expert-counts" || kind == "expert-moves" ||
                                kind == "expert-weights" || kind == "expert-gradients";
        for (uint32_t i = 0; i < CountSteps(node); ++i)
        {
            std::vector<uint64_t> row;
            for (const Demand& demand : node.transfer->GetSends(gpu, i))
            {
                EXPECT_NE(kind, "expert-moves");
                EXPECT_NE(kind, "expert-weights");
                EXPECT_NE(kind, "expert-gradients");
                row.insert(row.end(), {demand.destination, demand.bytes});
            }
            if (!isOfPolicy)
            {
                sends[{kind, gpu}].push_back(row);
            }
        }
    });
    return sends;
}

/// The last two experts have no tokens.
std::vector<uint32_t>
DrawSome(const LoadShape& shape, const LoadPlace& place)
{
    std::vector<uint32_t> counts(std::size_t{shape.sources} * shape.experts);
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        for (uint32_t token = 0; token < 2 * shape.tokens; ++token)
        {
            const uint32_t drawn = token * (7 + source + 3 * place.group) + place.layer;
            ++counts[source * shape.experts + drawn % 31 % (shape.experts - 2)];
        }
    }
    return counts;
}

TEST(TrainingExperts, APolicyThatMovesNothingSendsWhatPlainEpSendsInTheSameTime)
{
    const std::vector<std::pair<std::string, PolicyKeys>> idle{
        {"SmartMoe", {{"Period", "1000"}}},
        {"FlexMoe", {{"Threshold", "1000000"}}},
        {"Llep", {{"Ratio", "1000000"}}},
        {"Echo", {{"Threshold", "1000000"}}},
        {"UltraEp", {{"Threshold", "1000000"}}},
        {"Epic", {{"MinGain", "4000000000"}, {"Period", "1000"}}},
        {"RailAware", {{"Worth", "1000000"}}},
        {"ProProphet", {{"BalanceTolerance", "1000000"}}}};
    for (const bool deduplicates : {false, true})
    {
        for (const bool isFull : {true, false})
        {
            for (const bool recomputes : {false, true})
            {
                TrainingSpec plan = MakeExpertPlan({4, 2},
                                                   MakeTinyModel(2),
                                                   {{"Ep", 4}, {"Pp", 1}},
                                                   MakePolicy("PlainEp"));
                plan.load = isFull ? plan.load : GivenLoad::Make(DrawSome);
                plan.microbatches = 2;
                plan.deduplicates = deduplicates;
                plan.recomputes = recomputes;
                const std::unique_ptr<TrainingProgram> plain = MakeProgram(plan);
                const Sends expected = ListSends(*plain);
                const TimePs time = FindComputeTime(*plain);
                for (const auto& [type, keys] : idle)
                {
                    SCOPED_TRACE(type + (deduplicates ? ", deduplicated" : ", pairs") +
                                 (recomputes ? ", full" : ", none") + (isFull ? "" : ", some"));
                    plan.handling.policy = MakePolicy(type, keys);
                    plan.handling.policy->SetAttribute("PlanningTime", StringValue("0s"));
                    const std::unique_ptr<TrainingProgram> program = MakeProgram(plan);
                    EXPECT_TRUE(ListSends(*program) == expected);
                    EXPECT_EQ(FindComputeTime(*program), time);
                }
            }
        }
    }
}

} // namespace

} // namespace ns3::rails::test
