// SPDX-License-Identifier: GPL-2.0-only
#include "training-memory.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

constexpr double kLogitBytes = 4; // the loss is computed in single precision

/// \return activations of a layer for a micro-batch, without its input, in elements
/// \param isWhole includes recomputed activations
double
GetActivations(const TrainingSpec& spec, uint32_t layer, double rows, bool isWhole)
{
    const ModelDimensions& model = spec.model;
    const RecomputedParts again = isWhole ? RecomputedParts() : spec.again;
    const double group = spec.GetGroupTokens();
    const double matrices = model.gated ? 3 : 2;
    const double vectors = double{1} * spec.GetTokens() * model.hidden;
    // A multi-token prediction layer also has an embedding, and the projection of both.
    const double embedding = model.IsPrediction(layer) ? vectors : 0;
    if (spec.recomputes && !isWhole)
    {
        return embedding;
    }
    const double attention = 2 * embedding + vectors +
                             group * model.GetKeptAttention(spec.tp, isWhole || !spec.reprojects);
    if (layer < model.denseLayers)
    {
        return attention + (again.dense ? 0 : group * matrices * model.ffn / spec.tp);
    }
    if (again.moe)
    {
        return attention;
    }
    // The recomputed activation drops its output: one width less.
    const double widths = again.activation ? matrices - 1 : matrices;
    return attention + (again.shared ? 0 : spec.GetTokens() * matrices * model.sharedFfn) +
           rows * (model.GetExpertHidden() + widths * model.expertFfn / spec.etp);
}

TrainingMemory
FindOfStage(const TrainingSpec& spec, uint32_t stage, const ExpertFigures& figures)
{
    const ModelDimensions& model = spec.model;
    const double ends = (spec.HasEmbedding(stage) ? 1 : 0) + (spec.HasHead(stage) ? 1 : 0);
    double dense = ends * model.vocabulary * model.hidden / spec.tp;
    double held = 0;     // number of experts
    double kept = 0;     // elements of a chunk, the largest
    double again = 0;    // recomputed elements of a layer, largest
    double gathered = 0; // parameters of a layer, largest
    const double ofEnds = dense;
    const double ofExperts =
        model.GetExpertParameters() * (model.experts / spec.ep) / spec.etp; // of a layer
    const double rows =
        double{1} * spec.GetTokens() * model.topK * std::max(1.0, figures.worst) * spec.etp;
    for (uint32_t chunk = 0; chunk < spec.chunks; ++chunk)
    {
        const auto [first, end] = spec.GetLayers(stage, chunk);
        double ofChunk = 0;
        for (uint32_t layer = first; layer < end; ++layer)
        {
            const double whole = GetActivations(spec, layer, rows, true);
            const double more = GetActivations(spec, layer, rows, false);
            const double input = double{1} * spec.GetTokens() * model.hidden;
            dense += model.GetDenseParameters(layer) / spec.tp;
            held += layer < model.denseLayers ? 0 : model.experts / spec.ep;
            ofChunk += input + more;
            gathered = std::max(gathered,
                                model.GetDenseParameters(layer) / spec.tp +
                                    (layer < model.denseLayers ? 0 : ofExperts));
            again = std::max(again, whole - more);
        }
        kept = std::max(kept, ofChunk);
    }
    const double expert = model.GetExpertParameters() / spec.etp;
    const ExpertFigures::Held planned =
        figures.held.empty() ? ExpertFigures::Held() : figures.held[stage];
    const double experts = std::max<double>(held, planned.experts) * expert;
    const auto element = static_cast<double>(spec.elementBytes);
    const auto gradient = static_cast<double>(spec.gradientBytes);
    TrainingMemory memory;
    memory.weights = (dense + experts) * element;
    memory.gradients = (dense + experts) * gradient;
    const double atHome = kOptimizerBytes * held / spec.edp * expert / spec.CountMirrors();
    double states = std::max(atHome, static_cast<double>(planned.stateBytes)); // of experts
    memory.optimizer = kOptimizerBytes * dense / (spec.dp * spec.cp) / spec.CountMirrors() + states;
    memory.experts = experts * (element + gradient);
    if (spec.data.divided == Replication::Divided::Nothing)
    {
        memory.optimizer = kOptimizerBytes * (dense + experts);
        states = kOptimizerBytes * experts;
    }
    else if (spec.data.DividesAll())
    {
        const double shares = dense / (spec.dp * spec.cp) + experts / spec.edp;
        const double whole =
            std::min((1 + spec.data.prefetch) * gathered, dense + experts - ofEnds);
        memory.weights = (shares + whole + ofEnds) * element;
        memory.gradients = (shares + std::max(gathered, ofEnds)) * gradient;
        memory.experts = experts / spec.edp * (element + gradient) +
                         std::min((1 + spec.data.prefetch) * ofExperts, experts) * element +
                         std::min(ofExperts, experts) * gradient;
    }
    memory.activations =
        element * (spec.schedule->CountKept(spec.GetPipeline(), stage) * kept + again);
    if (spec.HasHead(stage))
    {
        memory.logits = kLogitBytes * (1 + model.mtpLayers) * spec.GetGroupTokens() *
                        model.vocabulary / spec.tp;
    }
    memory.copies = static_cast<double>(planned.copies) * expert * (element + gradient);
    memory.experts += states + memory.copies;
    return memory;
}

} // namespace

TrainingMemory
FindMemory(const TrainingSpec& spec, const ExpertFigures& figures)
{
    TrainingMemory most;
    double experts = 0;
    for (uint32_t stage = 0; stage < spec.pp; ++stage)
    {
        const TrainingMemory memory = FindOfStage(spec, stage, figures);
        experts = std::max(experts, memory.experts);
        most = memory.GetSum() > most.GetSum() ? memory : most;
    }
    most.experts = experts;
    return most;
}

} // namespace ns3::rails
