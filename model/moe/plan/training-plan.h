// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_PLAN_H
#define TRAINING_PLAN_H

#include "data-parallelism.h"
#include "pipeline-schedule.h"

#include "ns3/circuit-timing.h"
#include "ns3/cluster-rates.h"
#include "ns3/cluster-shape.h"
#include "ns3/collective-chooser.h"
#include "ns3/collective-traffic.h"
#include "ns3/compute-model.h"
#include "ns3/element-bytes.h"
#include "ns3/expert-policy.h"
#include "ns3/layer-layout.h"
#include "ns3/moe-model.h"
#include "ns3/rank-map.h"
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

/// Bytes that the optimizer keeps for a parameter: Adam's master weight and both moments.
constexpr uint64_t kOptimizerBytes = 12;

/// How experts are part of a training.
struct ExpertHandling
{
    Ptr<ExpertPolicy> policy{};
    uint32_t merged{1};                     //!< groups of expert parallelism planned together
    std::optional<CopyTiming> copyTiming{}; //!< in place of the policy's own
    uint32_t pieces{1};                     //!< that a copy is passed on in
    bool givesPieces{false};                //!< they were asked for
    uint32_t partGpus{1};                   //!< GPUs that interleaved tokens go to at a time
    uint32_t warmUp{0};                     //!< iterations that a policy has seen before the first
    std::optional<double> planning{};       //!< seconds of a layer, whoever plans
    std::optional<uint64_t> budget{};       //!< bytes of experts on a GPU
    bool meansMoves{true};                  //!< moves are charged as their mean over periods
    bool keepsCopies{false};                //!< what copies of experts compute is kept

    /// \return true when all tokens go to the homes of their experts, and nothing else is moved
    bool IsPlain() const
    {
        return !policy || policy->IsPlain();
    }

    /// \return true when experts stay at their homes, whatever becomes of their tokens
    bool KeepsExperts() const
    {
        return IsPlain() || policy->GetKnowledge() == ExpertKnowledge::Nothing;
    }

    CopyTiming GetCopyTiming() const
    {
        return copyTiming.value_or(policy->GetCopyTiming());
    }

    /// \return pieces of a copy: what nobody passes on goes in one
    uint32_t CountPieces() const
    {
        return policy->GetCopyWay() == CopyWay::Direct ? 1 : pieces;
    }
};

/// Parts of a layer that go forward again before their way back, the input of each alone being
/// kept.
struct RecomputedParts
{
    bool core{false};       //!< of attention: of each token with those before it
    bool activation{false}; //!< of experts, alone
    bool dense{false};      //!< networks of layers without experts
    bool moe{false};        //!< gate, exchanges, experts and shared experts
    bool shared{false};     //!< experts
    bool norms{false};      //!< of attention and of the network

    bool HasAny() const
    {
        return core || activation || dense || moe || shared || norms;
    }
};

/// All that says what a training does, in plain numbers.
struct TrainingPlan
{
    ClusterShape shape{};
    ModelDimensions model{}; //!< with as many layers as are run
    RankMap attention{{}};   //!< axes tp, cp, dp, pp
    RankMap experts{{}};     //!< axes etp, ep, edp, pp
    uint32_t tp{1};
    uint32_t cp{1};
    uint32_t dp{1};
    uint32_t pp{1};
    uint32_t ep{1};
    uint32_t etp{1};
    uint32_t edp{1};
    uint32_t chunks{1};                          //!< of layers on a GPU
    uint32_t modelLayers{0};                     //!< of the whole model
    uint32_t modelDenseLayers{0};                //!< likewise, those without experts
    uint32_t batchMicrobatches{0};               //!< of the whole batch
    uint32_t microbatches{1};                    //!< of an iteration, those that are run
    std::string microbatchesKey{"microbatches"}; //!< that says how many
    bool forwards{false};      //!< equal micro-batches are told from a part of them
    uint32_t sequences{1};     //!< of a micro-batch
    uint32_t sequence{1};      //!< tokens
    uint64_t elementBytes{2};  //!< of activations and parameters that a GPU keeps
    uint64_t gradientBytes{4}; //!< of an element of a gradient that it keeps
    Precision precision{BF16};
    ElementBytes bytes{};      //!< of what is sent
    bool deduplicates{false};  //!< a token travels once to each server, and once to each GPU
    uint64_t exchangePiece{0}; //!< bytes after which de-duplicated tokens are passed on; 0: all
    uint32_t exchangeSms{0};   //!< multiprocessors that kernels of an exchange of tokens hold
    bool recomputes{false};    //!< a layer goes forward again before it goes back
    /// Of latent attention, queries, keys and values are projected again before the way back.
    bool reprojects{false};
    RecomputedParts again{}; //!< where a layer as a whole does not
    uint32_t iterations{1};
    uint32_t ringSteps{std::numeric_limits<uint32_t>::max()}; //!< of a ring of replicas, at most
    CollectiveChoice collectives{ALGORITHM_AUTOMATIC, kAutomaticRings};
    bool sharesQueues{false}; //!< all but copies of experts have the same queue pairs
    ClusterRates rates{};
    std::shared_ptr<CollectiveChooser> chooser{std::make_shared<CollectiveChooser>()};
    CircuitTiming circuits{};
    ExpertHandling handling{};
    Replication data{};
    LayerLayout layout{};
    Ptr<PipelineSchedule> schedule{};
    Ptr<ComputeModel> compute{};
    Ptr<TokenLoad> load{};

    /// \return tokens of a micro-batch on the GPUs of a tensor-parallel group together
    double GetGroupTokens() const
    {
        return static_cast<double>(sequences) * sequence / cp;
    }

    /// \return tokens of a micro-batch that a GPU has by itself
    uint32_t GetTokens() const
    {
        return sequences * sequence / (cp * tp);
    }

    /// \return true when something goes forward again before it goes back
    bool ComputesAgain() const
    {
        return recomputes || reprojects || again.HasAny();
    }

    /// \return true when experts of a layer, and all around them, do
    bool RepeatsExperts() const
    {
        return recomputes || again.moe;
    }

    /// \return true when experts compute some tokens while others come
    bool Interleaves() const
    {
        return !handling.IsPlain() && handling.GetCopyTiming() == CopyTiming::Interleaved &&
               !deduplicates && !schedule->Overlaps() && circuits.servers == 0;
    }

    /// \return parts of an exchange of tokens, each with the GPUs as far behind in their group
    uint32_t CountExchangeParts() const
    {
        return Interleaves() ? (ep * handling.merged + handling.partGpus - 1) / handling.partGpus
                             : 1;
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

    /// \return on how many stages each part of the model is
    uint32_t CountMirrors() const
    {
        return pp * chunks / CountParts();
    }

    /// \return the stage that has the same parts as another, where there are two of them
    uint32_t GetMirror(uint32_t stage) const
    {
        return pp - 1 - stage;
    }

    /// \return true when all gradients of a chunk are there behind a pass, those of an iteration
    bool CompletesGradients(const PipelineSlot& pass) const
    {
        const bool isEnd =
            pass.part == SlotPart::Backward || pass.part == SlotPart::BackwardWeights;
        return isEnd && pass.microbatch + CountMirrors() >= microbatches;
    }

    /// \return which part of the model a chunk of a stage is
    uint32_t GetPart(uint32_t stage, uint32_t chunk) const
    {
        return schedule->GetPart(GetPipeline(), stage, chunk);
    }

    /// \return whether a stage has a part of the model: the last has the head
    bool HasPart(uint32_t stage, uint32_t part) const
    {
        uint32_t chunk = 0;
        while (chunk < chunks && GetPart(stage, chunk) != part)
        {
            ++chunk;
        }
        return chunk < chunks;
    }

    /// \return whether the embedding of a stage is in a chunk: in the first part of the model, and
    /// a copy where layers predict more tokens on other stages
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

    /// \return layers of a chunk, from the first up to before the second number
    std::pair<uint32_t, uint32_t> GetLayers(uint32_t stage, uint32_t chunk) const
    {
        return layout.GetLayers(GetPart(stage, chunk), CountParts(), model.layers);
    }

    /// \return the same training with one micro-batch alone, without what a policy does between
    /// iterations that follow
    TrainingPlan MakeMicrobatch() const
    {
        TrainingPlan one = *this;
        one.iterations = 1;
        one.microbatches = 1;
        one.handling.meansMoves = false;
        one.handling.keepsCopies = false;
        return one;
    }

    /// \return layers with experts of a stage, ascending
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

    /// \return vectors of a token that go from a part of the model to the next, and their gradients
    /// back: of what predicts more tokens the one in front of it goes on as well
    uint32_t CountVectors(uint32_t part) const
    {
        const uint32_t end = layout.GetLayers(part, CountParts(), model.layers).second;
        return 1 + model.mtpLayers - std::min(model.mtpLayers, model.layers - end);
    }

    /// \return what a group of expert parallelism has to route
    LoadShape GetLoadShape() const
    {
        LoadShape load{ep, model.experts, model.topK, GetTokens()};
        load.groups = model.GetLimitingGroups();
        load.topGroups = std::min(model.topGroups, load.groups);
        load.firstLayer = model.denseLayers;
        load.balancing = model.balancing;
        load.iterations = handling.warmUp + iterations;
        load.layers = model.layers - model.denseLayers;
        load.microbatches = microbatches;
        return load;
    }
};

} // namespace ns3::rails

#endif // TRAINING_PLAN_H
