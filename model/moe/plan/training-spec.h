// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_SPEC_H
#define TRAINING_SPEC_H

#include "data-parallelism.h"
#include "pipeline-schedule.h"

#include "ns3/circuit-timing.h"
#include "ns3/cluster-rates.h"
#include "ns3/cluster-shape.h"
#include "ns3/collective-chooser.h"
#include "ns3/collective.h"
#include "ns3/compute-model.h"
#include "ns3/element-bytes.h"
#include "ns3/expert-policy.h"
#include "ns3/layer-layout.h"
#include "ns3/moe-model.h"
#include "ns3/planning-times.h"
#include "ns3/rank-map.h"
#include "ns3/run-iterations.h"
#include "ns3/token-load.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Bytes of optimizer states per parameter: Adam's master weight and both moments.
constexpr uint64_t kOptimizerBytes = 12;

/// Placement and replication of experts in a training.
struct ExpertHandling
{
    Ptr<ExpertPolicy> policy{};
    uint32_t merged{1};                     //!< number of expert-parallel groups planned as one
    std::optional<CopyTiming> copyTiming{}; //!< overrides the policy's copy timing
    uint32_t pieces{1};                     //!< chunks of a temporary replica, forwarded hop by hop
    bool givesPieces{false};                //!< `pieces` was set by a key
    uint32_t partGpus{1}; //!< with interleaved copies: destination GPUs of one part of an exchange
    uint32_t warmUp{0};   //!< iterations whose loads the policy sees before the first simulated one
    PlanningRule planning{};          //!< planning time that policies are charged with
    std::optional<uint64_t> budget{}; //!< memory of a GPU for experts, bytes
    bool meansMoves{true};            //!< charges each iteration with mean moves
    bool movesBeside{false};          //!< placement changes overlap with computing
    bool keepsCopies{false};          //!< token counts of replicas are kept for results

    /// \return true when all tokens go to the homes of their experts, and no expert is copied or
    ///     moved
    bool IsPlain() const
    {
        return !policy || policy->IsPlain();
    }

    /// \return true when experts stay at their homes, wherever tokens go
    bool KeepsExperts() const
    {
        return IsPlain() || policy->GetKnowledge() == ExpertKnowledge::Nothing;
    }

    CopyTiming GetCopyTiming() const
    {
        return copyTiming.value_or(policy->GetCopyTiming());
    }

    /// \return chunks of a temporary replica; 1 where no GPU forwards it
    uint32_t CountPieces() const
    {
        return policy->GetTraits().copyWay == CopyWay::Direct ? 1 : pieces;
    }
};

/// Parts of a layer that are recomputed before their backward pass; only their inputs are kept.
struct RecomputedParts
{
    bool core{false};       //!< core attention: each token with the tokens before it
    bool activation{false}; //!< activation of experts only
    bool dense{false};      //!< feed-forward networks of dense layers
    bool moe{false};        //!< gate, dispatch, combine, experts and shared experts
    bool shared{false};     //!< shared experts only
    bool norms{false};      //!< norms of attention and of the feed-forward network

    bool HasAny() const
    {
        return core || activation || dense || moe || shared || norms;
    }
};

/// Specification of a training in plain numbers: model, parallelism, batch and options.
struct TrainingSpec
{
    ClusterShape shape{};
    ModelDimensions model{}; //!< its layers are the simulated ones
    RankMap attention{{}};   //!< axes tp, cp, dp, pp
    RankMap experts{{}};     //!< axes etp, ep, edp, pp
    uint32_t tp{1};
    uint32_t cp{1};
    uint32_t dp{1};
    uint32_t pp{1};
    uint32_t ep{1};
    uint32_t etp{1};
    uint32_t edp{1};
    uint32_t chunks{1};                          //!< chunks of layers on a GPU
    uint32_t modelLayers{0};                     //!< layers of the whole model, simulated or not
    uint32_t modelDenseLayers{0};                //!< dense layers of the whole model
    uint32_t batchMicrobatches{0};               //!< micro-batches of the whole batch
    uint32_t microbatches{1};                    //!< simulated micro-batches of an iteration
    std::string microbatchesKey{"microbatches"}; //!< key that sets `microbatches`, for messages
    bool forwards{false};                        //!< fast-forward over equal micro-batches
    uint32_t sequences{1};                       //!< sequences of a micro-batch
    uint32_t sequence{1};                        //!< tokens of a sequence
    uint64_t elementBytes{2};  //!< bytes per element of activations and parameters in memory
    uint64_t gradientBytes{4}; //!< bytes per element of gradients in memory
    Precision precision{BF16};
    ElementBytes bytes{};      //!< bytes per element of communicated tensors
    bool deduplicates{false};  //!< token deduplication: one copy per server, and one per GPU
    uint64_t exchangePiece{0}; //!< bytes per chunk of relays with deduplication; 0: no chunks
    uint32_t exchangeSms{0};   //!< multiprocessors that dispatch and combine kernels occupy
    bool recomputes{false};    //!< full recomputation: each layer, before its backward pass
    /// Latent queries, keys and values are projected again before the backward pass.
    bool reprojects{false};
    RecomputedParts again{}; //!< selective recomputation, unless `recomputes` is set
    uint32_t iterations{1};
    uint32_t ringSteps{std::numeric_limits<uint32_t>::max()}; //!< of a ring of replicas, at most
    CollectiveChoice collectives{ALGORITHM_AUTOMATIC, kAutomaticRings};
    bool sharesQueues{false}; //!< all traffic except temporary replicas shares queue pairs
    ClusterRates rates{};
    std::shared_ptr<CollectiveChooser> chooser{std::make_shared<CollectiveChooser>()};
    CircuitTiming circuits{};
    ExpertHandling handling{};
    Replication data{};
    LayerLayout layout{};
    Ptr<PipelineSchedule> schedule{};
    Ptr<ComputeModel> compute{};
    Ptr<TokenLoad> load{};

    /// \return tokens of a micro-batch on a tensor-parallel group
    double GetGroupTokens() const
    {
        return static_cast<double>(sequences) * sequence / cp;
    }

    /// \return tokens of a micro-batch on one GPU
    uint32_t GetTokens() const
    {
        return sequences * sequence / (cp * tp);
    }

    /// \return true when any part is recomputed before its backward pass
    bool ComputesAgain() const
    {
        return recomputes || reprojects || again.HasAny();
    }

    /// \return true when experts of a layer are recomputed, with gate, dispatch and combine
    bool RepeatsExperts() const
    {
        return recomputes || again.moe;
    }

    /// \return true when experts compute the tokens of one part of an exchange while others arrive
    bool Interleaves() const
    {
        return !handling.IsPlain() && handling.GetCopyTiming() == CopyTiming::Interleaved &&
               !deduplicates && !schedule->Overlaps() && circuits.servers == 0;
    }

    /// \return parts of a dispatch or combine. Each part pairs blocks of GPUs at one cyclic
    ///     distance in their group.
    uint32_t CountExchangeParts() const
    {
        return Interleaves() ? (ep * handling.merged + handling.partGpus - 1) / handling.partGpus
                             : 1;
    }

    /// \return the simulated iterations among all iterations of loads and policies
    RunIterations GetRun() const
    {
        return {handling.warmUp, iterations};
    }

    PipelineShape GetPipeline() const
    {
        return {pp, chunks, microbatches};
    }

    /// \return parts of the model, one or two chunks each
    uint32_t CountParts() const
    {
        return schedule->CountParts(GetPipeline());
    }

    /// \return number of stages that hold each part of the model
    uint32_t CountMirrors() const
    {
        return pp * chunks / CountParts();
    }

    /// \return number of groups of a stage whose experts are planned together
    uint32_t CountExpertGroups() const
    {
        return shape.GetGpus() / (pp * ep * handling.merged);
    }

    /// \return the stage of a group of GPUs planned together
    /// \param group number, counted through all stages
    uint32_t GetGroupStage(uint32_t group) const
    {
        return group / CountExpertGroups();
    }

    /// \return the first expert-parallel group of a group planned together, numbered within its
    ///     stage
    uint32_t GetFirstPart(uint32_t group) const
    {
        return group % CountExpertGroups() * handling.merged;
    }

    /// \return the stage that holds the same parts of the model, where two stages do
    uint32_t GetMirror(uint32_t stage) const
    {
        return pp - 1 - stage;
    }

    /// \return true when the gradients of a chunk for an iteration are complete after a pass
    bool CompletesGradients(const PipelineSlot& pass) const
    {
        const bool isEnd =
            pass.part == SlotPart::Backward || pass.part == SlotPart::BackwardWeights;
        return isEnd && pass.microbatch + CountMirrors() >= microbatches;
    }

    /// \return the part of the model in a chunk of a stage
    uint32_t GetPart(uint32_t stage, uint32_t chunk) const
    {
        return schedule->GetPart(GetPipeline(), stage, chunk);
    }

    /// \return whether a stage holds a part of the model; the last part has the head
    bool HasPart(uint32_t stage, uint32_t part) const
    {
        uint32_t chunk = 0;
        while (chunk < chunks && GetPart(stage, chunk) != part)
        {
            ++chunk;
        }
        return chunk < chunks;
    }

    /// \return whether a chunk holds the embedding: with the first part of the model, and as a copy
    ///     with multi-token prediction layers on other stages
    bool HasEmbedding(uint32_t stage, uint32_t chunk) const
    {
        if (HasPart(stage, 0))
        {
            return GetPart(stage, chunk) == 0;
        }
        const auto predicts = [&](uint32_t number) {
            const auto [first, end] = GetLayers(stage, number);
            return first < end && model.IsPrediction(end - 1);
        };
        uint32_t first = 0;
        while (first < chunk && !predicts(first))
        {
            ++first;
        }
        return first == chunk && predicts(chunk);
    }

    bool HasEmbedding(uint32_t stage) const
    {
        uint32_t chunk = 0;
        while (chunk < chunks && !HasEmbedding(stage, chunk))
        {
            ++chunk;
        }
        return chunk < chunks;
    }

    bool HasHead(uint32_t stage) const
    {
        return HasPart(stage, CountParts() - 1);
    }

    /// \return layers of a chunk: the first, and one past the last
    std::pair<uint32_t, uint32_t> GetLayers(uint32_t stage, uint32_t chunk) const
    {
        return layout.GetLayers(GetPart(stage, chunk), CountParts(), model.layers);
    }

    /// \return this training with a single micro-batch and iteration, without averaged moves
    TrainingSpec MakeMicrobatch() const
    {
        TrainingSpec one = *this;
        one.iterations = 1;
        one.microbatches = 1;
        one.handling.meansMoves = false;
        one.handling.keepsCopies = false;
        return one;
    }

    /// \return layers of a stage that have experts, ascending
    std::vector<uint32_t> ListExpertLayers(uint32_t stage) const
    {
        std::vector<uint32_t> layers;
        for (uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            const auto [first, end] = GetLayers(stage, chunk);
            for (uint32_t layer = std::max(first, model.denseLayers); layer < end; ++layer)
            {
                layers.push_back(layer);
            }
        }
        return layers;
    }

    /// \return vectors per token from a part of the model to the next; as many gradients go back.
    ///     Each multi-token prediction layer up to there adds one: its input is passed on as well.
    uint32_t CountVectors(uint32_t part) const
    {
        const uint32_t end = layout.GetLayers(part, CountParts(), model.layers).second;
        return 1 + model.mtpLayers - std::min(model.mtpLayers, model.layers - end);
    }

    /// \return the routing problem of an expert-parallel group
    LoadShape GetLoadShape() const
    {
        LoadShape load{ep, model.experts, model.topK, GetTokens()};
        load.groups = model.GetLimitingGroups();
        load.topGroups = std::min(model.topGroups, load.groups);
        load.firstLayer = model.denseLayers;
        load.balancing = model.balancing;
        load.iterations = GetRun().GetEnd();
        load.layers = model.layers - model.denseLayers;
        load.microbatches = microbatches;
        return load;
    }
};

} // namespace ns3::rails

#endif // TRAINING_SPEC_H
