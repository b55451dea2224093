// SPDX-License-Identifier: GPL-2.0-only
#include "training-report.h"

#include "equal-microbatches.h"
#include "training-memory.h"

#include "ns3/expert-budget.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/layer-work.h"
#include "ns3/load-history.h"

#include <algorithm>
#include <limits>

namespace ns3::rails
{

namespace
{

bool
HasAllLayers(const TrainingPlan& plan)
{
    return plan.model.layers - plan.layout.predictions >= plan.modelLayers;
}

bool
HasAllMicrobatches(const TrainingPlan& plan)
{
    return plan.microbatches >= plan.batchMicrobatches;
}

} // namespace

std::vector<std::pair<std::string, double>>
ListTrainingFigures(const TrainingPlan& plan, const ExpertFigures& experts, double seconds)
{
    // Of a part of an iteration they are not what the model has.
    const auto ofWhole = [](bool isWhole, double figure) {
        return isWhole ? figure : std::numeric_limits<double>::quiet_NaN();
    };
    const bool isWhole = HasAllLayers(plan) && HasAllMicrobatches(plan);
    const double tokens = double{1} * plan.dp * plan.microbatches * plan.sequences * plan.sequence;
    std::vector<std::pair<std::string, double>> figures{
        {"tokens_per_s", ofWhole(isWhole, tokens / seconds)}};
    // Forward once and backward twice; what is computed again does not count, nor what is dropped.
    const double flops = 3 * tokens * GetTokenFlops(plan, experts.dropped);
    const auto addUtilization = [&](const char* key, Precision precision) {
        if (const double peak = plan.compute->GetPeak(precision); peak > 0)
        {
            figures.emplace_back(key,
                                 ofWhole(isWhole, flops / (seconds * plan.shape.GetGpus() * peak)));
        }
    };
    addUtilization("mfu", BF16);
    if (plan.precision != BF16)
    {
        addUtilization("mfu_fp8", plan.precision);
    }
    TrainingPlan all = plan; // more micro-batches are under way in it
    all.microbatches = std::max(plan.microbatches, plan.batchMicrobatches);
    const TrainingMemory memory = FindMemory(all, experts);
    const bool hasLayers = HasAllLayers(plan);
    // Where no tokens went to experts nothing is even, nor uneven.
    const auto ofTokens = [&](double figure) { return ofWhole(experts.plans > 0, figure); };
    figures.insert(figures.end(),
                   {{"memory_bytes", ofWhole(hasLayers, memory.GetSum())},
                    {"copies_memory_bytes", ofWhole(hasLayers, memory.copies)},
                    {"expert_max_over_mean_before", ofTokens(experts.before)},
                    {"expert_max_over_mean", ofTokens(experts.after)},
                    {"expert_max_over_mean_worst", ofTokens(experts.worst)},
                    {"expert_copies", experts.copies},
                    {"expert_local_share", ofTokens(experts.local)},
                    {"expert_pair_skew", ofTokens(experts.skew)},
                    {"expert_dropped_share", experts.dropped},
                    {"expert_planning_s", experts.planningS},
                    {"expert_slots_per_layer", static_cast<double>(experts.slots.perLayer)},
                    {"expert_slots_shared", static_cast<double>(experts.slots.shared)},
                    {"expert_memory_bytes", memory.experts}});
    if (const std::optional<uint32_t> first = plan.load->GetFirstIteration())
    {
        figures.emplace_back("load_first_iteration", ofTokens(*first));
    }
    return figures;
}

std::vector<std::string>
ListTrainingNotes(const TrainingPlan& plan, const ExpertFigures& experts)
{
    const Ptr<ExpertPolicy> policy = plan.handling.policy;
    std::vector<std::string> notes;
    if (const std::string device = plan.compute->Describe(plan.precision); !device.empty())
    {
        notes.push_back(device);
    }
    const uint32_t layers = plan.modelLayers;
    const uint32_t predictions = plan.layout.predictions;
    if (predictions > 0)
    {
        notes.push_back(
            std::to_string(predictions) +
            " of the layers are of multi-token prediction: the gradient of the "
            "embedding's copy, on a stage that is not the first, does not travel there");
    }
    if (!HasAllLayers(plan))
    {
        notes.push_back("shortened: the first " + std::to_string(plan.model.layers - predictions) +
                        " of " + std::to_string(layers) + " layers");
    }
    const uint32_t microbatches = plan.batchMicrobatches;
    if (!HasAllMicrobatches(plan))
    {
        notes.push_back("shortened: " + std::to_string(plan.microbatches) + " of " +
                        std::to_string(microbatches) + " micro-batches");
    }
    if (!HasAllLayers(plan) || !HasAllMicrobatches(plan))
    {
        notes.push_back("a part of an iteration has no tokens_per_s and mfu" +
                        std::string(HasAllLayers(plan) ? "" : ", and some layers no memory_bytes") +
                        ": gradients, optimizer and the filling of the pipeline come once in it, "
                        "as in the whole");
        if (plan.data.DividesAll())
        {
            notes.emplace_back(
                "whole_iteration_s was up to 11 % off with data: fsdp, where NICs are "
                "slower than computing and gradients fall behind");
        }
    }
    if (plan.forwards && !FindWhyUnlike(plan).empty())
    {
        notes.push_back("fast_forward does nothing: " + FindWhyUnlike(plan));
    }
    uint64_t replicas = std::max(plan.dp * plan.cp, plan.edp);
    for (const ExpertFigures::Held& held : experts.held)
    {
        replicas = std::max(replicas, held.hosts);
    }
    if (const uint64_t ring = replicas - 1; plan.ringSteps < ring)
    {
        notes.push_back("rings of replicas: " + std::to_string(plan.ringSteps) +
                        " steps in place of " + std::to_string(ring) +
                        ", with the latency of so many");
    }
    if (plan.model.layers <= plan.model.denseLayers)
    {
        notes.emplace_back("none of the layers that are run has experts");
    }
    if (plan.handling.IsPlain() && plan.handling.copyTiming)
    {
        notes.emplace_back("expert_transfers does nothing: without a policy no expert is copied");
    }
    if (!plan.handling.IsPlain() && plan.handling.GetCopyTiming() == CopyTiming::Interleaved &&
        !plan.Interleaves())
    {
        notes.emplace_back("copies of experts block: they are not interleaved where tokens are "
                           "de-duplicated, passes merged or circuits moved");
    }
    if (plan.handling.givesPieces && (plan.handling.IsPlain() || plan.handling.CountPieces() == 1))
    {
        notes.emplace_back(plan.handling.IsPlain()
                               ? "copy_pieces does nothing: without a policy no expert is copied"
                               : "copy_pieces does nothing: this policy sends each copy straight");
    }
    if (plan.deduplicates && DynamicCast<ImbalanceTokenLoad>(plan.load))
    {
        notes.emplace_back(
            "the experts of a token of imbalance follow each other, on one server or "
            "two: deduplicated sends fewer copies than for a router that draws them");
    }
    if (policy && policy->IsOracle())
    {
        notes.emplace_back(
            "the policy of experts, perfect-balance (oracle in earlier versions), balances "
            "computing "
            "as no real system can; its copies and exchanges take time, so that other policies can "
            "have a shorter iteration");
    }
    if (policy)
    {
        for (const std::string& note : {policy->DescribePlanning(), policy->DescribeOrigin()})
        {
            notes.insert(notes.end(), note.empty() ? 0 : 1, note);
        }
    }
    if (const std::string overrun = DescribeOverrun("expert_budget",
                                                    plan.handling.budget,
                                                    FindMemory(plan, experts).experts);
        !overrun.empty())
    {
        notes.push_back(overrun);
    }
    if (experts.dropped > 0)
    {
        notes.emplace_back(
            "tokens are dropped (expert_dropped_share): less to do is not better balance, and "
            "tokens_per_s counts them");
    }
    if (plan.handling.warmUp == 0 && policy && policy->LearnsFromIterations())
    {
        notes.emplace_back("the policy of experts knows no loads before the first iteration, in "
                           "which it does nothing: set warm_up");
    }
    const std::vector<std::string> history = ListHistoryNotes(experts.lookBack,
                                                              plan.handling.warmUp,
                                                              plan.iterations,
                                                              plan.load->CountIterations());
    notes.insert(notes.end(), history.begin(), history.end());
    return notes;
}

} // namespace ns3::rails
