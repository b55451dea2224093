// SPDX-License-Identifier: GPL-2.0-only
#include "training-report.h"

#include "equal-microbatches.h"
#include "training-memory.h"

#include "ns3/expert-budget.h"
#include "ns3/imbalance-token-load.h"
#include "ns3/layer-work.h"
#include "ns3/load-history.h"
#include "ns3/training-kinds.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

namespace ns3::rails
{

namespace
{

bool
HasAllLayers(const TrainingSpec& spec)
{
    return spec.model.layers - spec.layout.predictions >= spec.modelLayers;
}

bool
HasAllMicrobatches(const TrainingSpec& spec)
{
    return spec.microbatches >= spec.batchMicrobatches;
}

/**
 * \param seconds of an iteration charged with mean moves
 * \return seconds of an iteration with a new placement: the critical time of moves is scaled from
 *     the mean to a whole move; nothing if no move is on the critical path, or it is unknown
 */
std::optional<double>
EstimateMovingIteration(const TrainingSpec& spec,
                        const ExpertFigures& experts,
                        double seconds,
                        const GraphRecord* record)
{
    if (!record || !spec.handling.meansMoves || spec.handling.movesBeside || experts.moving <= 0)
    {
        return std::nullopt;
    }
    const auto getCritical = [&](TrainingKind kind) {
        return static_cast<double>(record->kinds[static_cast<std::size_t>(kind)].critical) * 1e-12 /
               record->iterations;
    };
    double waited = getCritical(TrainingKind::ExpertMoves);
    if (spec.handling.policy->GetKnowledge() == ExpertKnowledge::Past)
    {
        waited += getCritical(TrainingKind::ExpertPlanning) +
                  getCritical(TrainingKind::ExpertCounts); // placement policies plan only for moves
    }
    return seconds + waited * (1 / experts.moving - 1);
}

} // namespace

std::vector<std::pair<std::string, double>>
ListTrainingFigures(const TrainingSpec& spec,
                    const ExpertFigures& experts,
                    double seconds,
                    const GraphRecord* record)
{
    // A part of an iteration does not give the figures of the model.
    const auto ofWhole = [](bool isWhole, double figure) {
        return isWhole ? figure : std::numeric_limits<double>::quiet_NaN();
    };
    const bool isWhole = HasAllLayers(spec) && HasAllMicrobatches(spec);
    const double tokens = double{1} * spec.dp * spec.microbatches * spec.sequences * spec.sequence;
    std::vector<std::pair<std::string, double>> figures{
        {"tokens_per_s", ofWhole(isWhole, tokens / seconds)}};
    // Forward once and backward twice; neither recomputation nor dropped tokens count.
    const double flops = 3 * tokens * GetTokenFlops(spec, experts.dropped);
    const auto addUtilization = [&](const char* key, Precision precision) {
        if (const double peak = spec.compute->GetPeak(precision); peak > 0)
        {
            figures.emplace_back(key,
                                 ofWhole(isWhole, flops / (seconds * spec.shape.GetGpus() * peak)));
        }
    };
    addUtilization("mfu", BF16);
    if (spec.precision != BF16)
    {
        addUtilization("mfu_fp8", spec.precision);
    }
    TrainingSpec all = spec; // the whole batch has more micro-batches in flight
    all.microbatches = std::max(spec.microbatches, spec.batchMicrobatches);
    const TrainingMemory memory = FindMemory(all, experts);
    const bool hasLayers = HasAllLayers(spec);
    // Without tokens at experts there is no balance.
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
    if (const std::optional<uint32_t> first = spec.load->GetFirstIteration())
    {
        figures.emplace_back("load_first_iteration", ofTokens(*first));
    }
    if (experts.moving > 0)
    {
        figures.emplace_back("expert_moving_share", experts.moving);
    }
    if (const auto moving = EstimateMovingIteration(spec, experts, seconds, record))
    {
        figures.emplace_back("iteration_with_moves_s", *moving);
    }
    return figures;
}

std::vector<std::string>
ListTrainingNotes(const TrainingSpec& spec, const ExpertFigures& experts)
{
    const Ptr<ExpertPolicy> policy = spec.handling.policy;
    std::vector<std::string> notes;
    if (const std::string device = spec.compute->Describe(spec.precision); !device.empty())
    {
        notes.push_back(device);
    }
    const uint32_t layers = spec.modelLayers;
    const uint32_t predictions = spec.layout.predictions;
    if (predictions > 0)
    {
        notes.push_back(
            std::to_string(predictions) +
            " of the layers are of multi-token prediction: the gradient of the "
            "embedding's copy, on a stage that is not the first, does not travel there");
    }
    if (!HasAllLayers(spec))
    {
        notes.push_back("shortened: the first " + std::to_string(spec.model.layers - predictions) +
                        " of " + std::to_string(layers) + " layers");
    }
    const uint32_t microbatches = spec.batchMicrobatches;
    if (!HasAllMicrobatches(spec))
    {
        notes.push_back("shortened: " + std::to_string(spec.microbatches) + " of " +
                        std::to_string(microbatches) + " micro-batches");
    }
    if (!HasAllLayers(spec) || !HasAllMicrobatches(spec))
    {
        notes.push_back("a part of an iteration has no tokens_per_s and mfu" +
                        std::string(HasAllLayers(spec) ? "" : ", and some layers no memory_bytes") +
                        ": gradients, optimizer and the filling of the pipeline come once in it, "
                        "as in the whole");
        if (spec.data.DividesAll())
        {
            notes.emplace_back(
                "whole_iteration_s was up to 11 % off with data: fsdp, where NICs are "
                "slower than computing and gradients fall behind");
        }
    }
    if (spec.forwards && !FindWhyUnlike(spec).empty())
    {
        notes.push_back("fast_forward does nothing: " + FindWhyUnlike(spec));
    }
    uint64_t replicas = std::max(spec.dp * spec.cp, spec.edp);
    for (const ExpertFigures::Held& held : experts.held)
    {
        replicas = std::max(replicas, held.hosts);
    }
    if (const uint64_t ring = replicas - 1; spec.ringSteps < ring)
    {
        notes.push_back("rings of replicas: " + std::to_string(spec.ringSteps) +
                        " steps in place of " + std::to_string(ring) +
                        ", with the latency of so many");
    }
    if (spec.model.layers <= spec.model.denseLayers)
    {
        notes.emplace_back("none of the layers that are run has experts");
    }
    if (spec.handling.movesBeside && experts.moving == 0)
    {
        notes.emplace_back("expert_moves_overlap does nothing: no expert moves");
    }
    if (spec.handling.IsPlain() && spec.handling.copyTiming)
    {
        notes.emplace_back("expert_transfers does nothing: without a policy no expert is copied");
    }
    if (!spec.handling.IsPlain() && spec.handling.GetCopyTiming() == CopyTiming::Interleaved &&
        !spec.Interleaves())
    {
        notes.emplace_back("copies of experts block: they are not interleaved where tokens are "
                           "de-duplicated, passes merged or circuits moved");
    }
    if (spec.handling.givesPieces && (spec.handling.IsPlain() || spec.handling.CountPieces() == 1))
    {
        notes.emplace_back(spec.handling.IsPlain()
                               ? "copy_pieces does nothing: without a policy no expert is copied"
                               : "copy_pieces does nothing: this policy sends each copy straight");
    }
    if (spec.deduplicates && DynamicCast<ImbalanceTokenLoad>(spec.load))
    {
        notes.emplace_back(
            "the experts of a token of imbalance follow each other, on one server or "
            "two: deduplicated sends fewer copies than for a router that draws them");
    }
    if (policy && policy->GetTraits().isOracle)
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
                                                    spec.handling.budget,
                                                    FindMemory(spec, experts).experts);
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
    if (spec.handling.warmUp == 0 && policy && policy->LearnsFromIterations())
    {
        notes.emplace_back("the policy of experts knows no loads before the first iteration, in "
                           "which it does nothing: set warm_up");
    }
    const std::vector<std::string> history = ListHistoryNotes(experts.lookBack,
                                                              spec.handling.warmUp,
                                                              spec.iterations,
                                                              spec.load->CountIterations());
    notes.insert(notes.end(), history.begin(), history.end());
    return notes;
}

} // namespace ns3::rails
