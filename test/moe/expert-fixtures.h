// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_FIXTURES_H
#define EXPERT_FIXTURES_H

#include "../placement/policy/policy-fixtures.h"
#include "training-fixtures.h"

#include "ns3/double.h"
#include "ns3/expert-groups.h"
#include "ns3/operation.h"
#include "ns3/placement-policy.h"
#include "ns3/planned-dispatch.h"
#include "ns3/runtime-policy.h"
#include "ns3/token-copies.h"
#include "ns3/training-program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

/// Draws as the synthetic load does, each place once.
class RememberedLoad : public SyntheticTokenLoad
{
  public:
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override
    {
        const auto [known, isNew] = m_known.insert({{shape.sources,
                                                     shape.experts,
                                                     shape.tokens,
                                                     shape.firstLayer,
                                                     place.iteration,
                                                     place.layer,
                                                     place.microbatch,
                                                     place.group},
                                                    {}});
        if (isNew)
        {
            known->second = SyntheticTokenLoad::Draw(shape, place);
        }
        return known->second;
    }

    /// \return the one of all tests
    static Ptr<TokenLoad> Get()
    {
        static const Ptr<RememberedLoad> load = [] {
            const auto made = CreateObject<RememberedLoad>();
            made->AssignStreams(1);
            made->Start();
            return made;
        }();
        return load;
    }

  private:
    mutable std::map<std::array<uint32_t, 8>, std::vector<uint32_t>> m_known;
};

/// What a function says.
class GivenLoad : public TokenLoad
{
  public:
    using Function = std::function<std::vector<uint32_t>(const LoadShape&, const LoadPlace&)>;

    static Ptr<TokenLoad> Make(Function function)
    {
        const auto load = CreateObject<GivenLoad>();
        load->m_function = std::move(function);
        return load;
    }

    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override
    {
        return m_function(shape, place);
    }

    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace&,
                                      const std::vector<uint32_t>& counts,
                                      const TokenSplit& split) const override
    {
        const std::vector<double> inclusion(shape.experts, double{1} * shape.topK / shape.experts);
        return EstimateCopies(shape, counts, inclusion, split);
    }

  private:
    Function m_function;
};

/// Does what a test says.
class GivenPolicy : public RuntimePolicy
{
  public:
    using Function = std::function<ExpertPlan(uint32_t layer, const TokenCounts& counts)>;

    using ExpertPolicy::m_traits; //!< for a test to set
    Function plan;
    /// Experts go there before the second iteration, if anywhere.
    std::optional<ExpertPlacement> after;

  private:
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override
    {
        if (!after || history.GetIterations() != 1)
        {
            return {};
        }
        return Move(layer, *after);
    }

    /// Where nothing is said, tokens go to the first host of their expert.
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override
    {
        ExpertPlan made = plan ? plan(layer, counts) : ExpertPlan();
        const bool isGiven = !made.routes.empty();
        for (uint32_t source = 0; !isGiven && source < counts.GetSources(); ++source)
        {
            for (uint32_t expert = 0; expert < counts.GetExperts(); ++expert)
            {
                made.routes.push_back({source,
                                       expert,
                                       GetPlacement(layer)->hosts[expert].front(),
                                       counts.Get(source, expert)});
            }
        }
        return made;
    }
};

/// Places experts before iterations as a test says.
class GivenPlacement : public PlacementPolicy
{
  public:
    /// Called with the layer as the policy counts, and how many iterations are over.
    using Function = std::function<std::optional<ExpertPlacement>(uint32_t, uint32_t)>;

    static Ptr<GivenPlacement> Make(Function function)
    {
        const auto policy = CreateObject<GivenPlacement>();
        policy->m_function = std::move(function);
        return policy;
    }

  private:
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override
    {
        return m_function(layer, history.GetIterations());
    }

    Function m_function;
};

/// \return a load in which each of some sources has the same
inline std::vector<uint32_t>
Repeat(const std::vector<uint32_t>& experts, uint32_t sources = 4)
{
    std::vector<uint32_t> counts;
    for (uint32_t source = 0; source < sources; ++source)
    {
        counts.insert(counts.end(), experts.begin(), experts.end());
    }
    return counts;
}

/// \return an expert of some bytes on its way from a GPU to others
inline std::vector<ExpertTransfer>
SendExpert(uint32_t expert, uint32_t from, const std::vector<uint32_t>& to, uint64_t bytes)
{
    std::vector<ExpertTransfer> transfers;
    for (const uint32_t gpu : to)
    {
        transfers.push_back({expert, from, gpu, bytes});
    }
    return transfers;
}

/// \return the same transfers the other way
inline std::vector<ExpertTransfer>
TurnBack(std::vector<ExpertTransfer> transfers, uint64_t bytes)
{
    for (ExpertTransfer& transfer : transfers)
    {
        std::swap(transfer.from, transfer.to);
        transfer.bytes = bytes;
    }
    return transfers;
}

/// \return a model whose numbers can be worked out by hand: an expert has 1536 parameters
inline ModelDimensions
MakeTinyModel(uint32_t layers, uint32_t experts = 8)
{
    ModelDimensions model;
    model.layers = layers;
    model.hidden = 16;
    model.headWidth = 16;
    model.ffn = 64;
    model.experts = experts;
    model.topK = 2;
    model.expertFfn = 32;
    model.vocabulary = 10;
    return model;
}

/// \return a training of it in which a policy decides
inline TrainingSpec
MakeExpertPlan(const ClusterShape& shape,
               const ModelDimensions& model,
               const std::map<std::string, uint32_t>& degrees,
               Ptr<ExpertPolicy> policy)
{
    const auto compute = CreateObject<FlopsComputeModel>();
    compute->SetAttribute("Peak", DoubleValue(1e12)); // so that copies of so small experts pay
    TrainingSpec plan = MakeSpec(shape, model, degrees, compute);
    plan.load = RememberedLoad::Get();
    plan.sequence = 128;
    plan.rates = {400'000'000'000, 100'000'000'000};
    plan.handling.policy = policy;
    plan.handling.meansMoves = false; // what each iteration does is looked at
    plan.handling.pieces = 4;
    return plan;
}

/// A program with its policy's decisions.
inline std::unique_ptr<TrainingProgram>
MakeProgram(const TrainingSpec& plan)
{
    auto program = std::make_unique<TrainingProgram>(plan);
    program->Prepare();
    return program;
}

/// \return a policy of its own random streams, which acts as often as it can, on few tokens
inline Ptr<ExpertPolicy>
MakeBusyPolicy(const std::string& type, uint32_t gpus = 4)
{
    static const std::map<std::string, PolicyKeys> keys{
        {"DeepspeedMoe", {{"CapacityFactor", "1.5"}}},
        {"Epic", {{"MinGain", "1"}}},
        {"Llep", {{"MinTokens", "1"}}},
        {"Lplb", {{"Topology", "ring"}}},
        {"MicroMoe", {{"Slots", "1"}, {"Draws", "4"}}},
        {"ProProphet", {{"BalanceTolerance", "0"}, {"Excluded", "0"}, {"Fused", "false"}}},
        {"UltraEp", {{"MinTokens", "1"}}},
    };
    const auto found = keys.find(type);
    const Ptr<ExpertPolicy> policy =
        MakePolicy(type, found == keys.end() ? PolicyKeys() : found->second);
    policy->SetAttributeFailSafe("Period", StringValue("1"));
    policy->SetAttributeFailSafe("RingGpus", StringValue(std::to_string(gpus)));
    policy->AssignStreams(1);
    return policy;
}

/// What a policy does when it is called by itself.
struct ToldPlan
{
    uint32_t iteration{0}; //!< of those that are run
    uint32_t microbatch{0};
    uint32_t layer{0};
    uint32_t group{0};
    TokenCounts counts{0, 0};
    ExpertPlan plan;
};

struct ToldRun
{
    ExpertSetting setting;
    std::vector<ToldPlan> plans;
    std::vector<ExpertTransfer> moves; //!< in all iterations that are run
    uint64_t stateMoves{0};            //!< bytes of the optimizer that go with these
};

/// \return bytes of the states of an expert that GPUs have and did not have before, where those
/// that hold it have an even part each
inline uint64_t
CountNewStates(uint64_t bytes, const std::set<uint32_t>& before, const std::set<uint32_t>& after)
{
    const auto divide = [bytes](const std::set<uint32_t>& hosts) {
        std::map<uint32_t, uint64_t> parts;
        for (const uint32_t gpu : hosts)
        {
            const bool hasMore = parts.size() < bytes % hosts.size();
            parts.emplace(gpu, bytes / hosts.size() + (hasMore ? 1 : 0));
        }
        return parts;
    };
    std::map<uint32_t, uint64_t> had = divide(before);
    uint64_t sum = 0;
    for (const auto& [gpu, part] : divide(after))
    {
        sum += part - std::min(part, had[gpu]);
    }
    return sum;
}

/// \return tokens by source and expert of all parts of a group
inline TokenCounts
DrawCounts(const TrainingSpec& plan, uint32_t group, LoadPlace place)
{
    std::vector<uint32_t> counts;
    for (uint32_t part = 0; part < plan.handling.merged; ++part)
    {
        place.group = plan.GetFirstPart(group) + part;
        const std::vector<uint32_t> more = plan.load->Draw(plan.GetLoadShape(), place);
        counts.insert(counts.end(), more.begin(), more.end());
    }
    return {plan.ep * plan.handling.merged, plan.model.experts, counts};
}

/// Calls the policy of a training by itself, as its interface says that it is to be called.
inline ToldRun
Tell(const TrainingSpec& plan)
{
    const GpuPartition groups = MakeExpertGroups(plan);
    const uint32_t many = groups.GetCount();
    ToldRun run;
    run.setting = MakeExpertSetting(plan, groups);
    std::size_t most = 1;
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        most = std::max(most, plan.ListExpertLayers(stage).size());
    }
    run.setting.layers = static_cast<uint32_t>(most) * many;
    std::vector<LoadHistory> histories(
        run.setting.layers,
        LoadHistory(run.setting.experts, LoadHistory::kLongestWindow));
    const auto forEach = [&](const auto& function) {
        for (uint32_t group = 0; group < many; ++group)
        {
            auto number = static_cast<uint32_t>(group * most);
            for (const uint32_t layer : plan.ListExpertLayers(plan.GetGroupStage(group)))
            {
                function(group, layer, number++);
            }
        }
    };
    ExpertPolicy& policy = *plan.handling.policy;
    policy.Start(run.setting);
    /// GPUs that hold an expert, by stage, layer and expert.
    std::map<std::array<uint32_t, 3>, std::set<uint32_t>> placed;
    const auto place = [&] {
        std::map<std::array<uint32_t, 3>, std::set<uint32_t>> hosts;
        forEach([&](uint32_t group, uint32_t layer, uint32_t number) {
            for (uint32_t expert = 0; expert < run.setting.experts; ++expert)
            {
                for (const uint32_t at : policy.GetPlacement(number)->hosts[expert])
                {
                    hosts[{plan.GetGroupStage(group), layer, expert}].insert(
                        groups.GetGroups()[group][at]);
                }
            }
        });
        return hosts;
    };
    placed = place();
    for (uint32_t now = 0; now < plan.handling.warmUp + plan.iterations; ++now)
    {
        const bool isRun = now >= plan.handling.warmUp;
        forEach([&](uint32_t, uint32_t, uint32_t number) {
            const auto moves = policy.BeginIteration(number, histories[number]);
            run.moves.insert(run.moves.end(), moves.begin(), isRun ? moves.end() : moves.begin());
        });
        for (auto& [what, hosts] : place())
        {
            run.stateMoves +=
                isRun ? CountNewStates(run.setting.stateBytes, placed.at(what), hosts) : 0;
            placed.at(what) = hosts;
        }
        for (uint32_t microbatch = 0; microbatch < plan.microbatches; ++microbatch)
        {
            forEach([&](uint32_t group, uint32_t layer, uint32_t number) {
                const TokenCounts counts = DrawCounts(plan, group, {now, layer, microbatch, 0});
                const ExpertPlan made = policy.Plan(number, counts);
                histories[number].Add(counts);
                if (isRun)
                {
                    run.plans.push_back(
                        {now - plan.handling.warmUp, microbatch, layer, group, counts, made});
                }
            });
        }
        for (LoadHistory& history : histories)
        {
            history.EndIteration();
        }
    }
    return run;
}

} // namespace ns3::rails::test

#endif // EXPERT_FIXTURES_H
