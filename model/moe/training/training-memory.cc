// SPDX-License-Identifier: GPL-2.0-only
#include "training-memory.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

constexpr double kLogitBytes = 4; // the loss is computed in single precision

/// \return elements that a layer has of a micro-batch, besides its input
/// \param isWhole also those that are not kept, but computed again
double
GetActivations(const TrainingPlan& plan, uint32_t layer, double rows, bool isWhole)
{
    const ModelDimensions& model = plan.model;
    const RecomputedParts again = isWhole ? RecomputedParts() : plan.again;
    const double group = plan.GetGroupTokens();
    const double matrices = model.gated ? 3 : 2;
    const double vectors = double{1} * plan.GetTokens() * model.hidden;
    // Of a layer that predicts a token more also an embedding, and both as they are projected.
    const double embedding = model.IsPrediction(layer) ? vectors : 0;
    if (plan.recomputes && !isWhole)
    {
        return embedding;
    }
    const double attention = 2 * embedding + vectors +
                             group * model.GetKeptAttention(plan.tp, isWhole || !plan.reprojects);
    if (layer < model.denseLayers)
    {
        return attention + (again.dense ? 0 : group * matrices * model.ffn / plan.tp);
    }
    if (again.moe)
    {
        return attention;
    }
    // Behind the activation there is one width in place of one or two.
    const double widths = again.activation ? matrices - 1 : matrices;
    return attention + (again.shared ? 0 : plan.GetTokens() * matrices * model.sharedFfn) +
           rows * (model.GetExpertHidden() + widths * model.expertFfn / plan.etp);
}

TrainingMemory
FindOfStage(const TrainingPlan& plan, uint32_t stage, const ExpertFigures& figures)
{
    const ModelDimensions& model = plan.model;
    const double ends = (plan.HasEmbedding(stage) ? 1 : 0) + (plan.HasHead(stage) ? 1 : 0);
    double dense = ends * model.vocabulary * model.hidden / plan.tp;
    double held = 0;     // experts
    double kept = 0;     // elements of a chunk, the largest
    double again = 0;    // of a layer, what is computed again
    double gathered = 0; // parameters of a layer
    const double ofEnds = dense;
    const double ofExperts =
        model.GetExpertParameters() * (model.experts / plan.ep) / plan.etp; // of a layer
    const double rows =
        double{1} * plan.GetTokens() * model.topK * std::max(1.0, figures.worst) * plan.etp;
    for (uint32_t chunk = 0; chunk < plan.chunks; ++chunk)
    {
        const auto [first, end] = plan.GetLayers(stage, chunk);
        double ofChunk = 0;
        for (uint32_t layer = first; layer < end; ++layer)
        {
            const double whole = GetActivations(plan, layer, rows, true);
            const double more = GetActivations(plan, layer, rows, false);
            const double input = double{1} * plan.GetTokens() * model.hidden;
            dense += model.GetDenseParameters(layer) / plan.tp;
            held += layer < model.denseLayers ? 0 : model.experts / plan.ep;
            ofChunk += input + more;
            gathered = std::max(gathered,
                                model.GetDenseParameters(layer) / plan.tp +
                                    (layer < model.denseLayers ? 0 : ofExperts));
            again = std::max(again, whole - more);
        }
        kept = std::max(kept, ofChunk);
    }
    const double expert = model.GetExpertParameters() / plan.etp;
    const ExpertFigures::Held planned =
        figures.held.empty() ? ExpertFigures::Held() : figures.held[stage];
    const double experts = std::max<double>(held, planned.experts) * expert;
    const auto element = static_cast<double>(plan.elementBytes);
    const auto gradient = static_cast<double>(plan.gradientBytes);
    TrainingMemory memory;
    memory.weights = (dense + experts) * element;
    memory.gradients = (dense + experts) * gradient;
    const double atHome = kOptimizerBytes * held / plan.edp * expert / plan.CountMirrors();
    double states = std::max(atHome, static_cast<double>(planned.stateBytes)); // of experts
    memory.optimizer = kOptimizerBytes * dense / (plan.dp * plan.cp) / plan.CountMirrors() + states;
    memory.experts = experts * (element + gradient);
    if (plan.data.divided == Replication::Divided::Nothing)
    {
        memory.optimizer = kOptimizerBytes * (dense + experts);
        states = kOptimizerBytes * experts;
    }
    else if (plan.data.DividesAll())
    {
        const double shares = dense / (plan.dp * plan.cp) + experts / plan.edp;
        const double whole =
            std::min((1 + plan.data.prefetch) * gathered, dense + experts - ofEnds);
        memory.weights = (shares + whole + ofEnds) * element;
        memory.gradients = (shares + std::max(gathered, ofEnds)) * gradient;
        memory.experts = experts / plan.edp * (element + gradient) +
                         std::min((1 + plan.data.prefetch) * ofExperts, experts) * element +
                         std::min(ofExperts, experts) * gradient;
    }
    memory.activations =
        element * (plan.schedule->CountKept(plan.GetPipeline(), stage) * kept + again);
    if (plan.HasHead(stage))
    {
        memory.logits = kLogitBytes * (1 + model.mtpLayers) * plan.GetGroupTokens() *
                        model.vocabulary / plan.tp;
    }
    memory.copies = static_cast<double>(planned.copies) * expert * (element + gradient);
    memory.experts += states + memory.copies;
    return memory;
}

} // namespace

TrainingMemory
FindMemory(const TrainingPlan& plan, const ExpertFigures& figures)
{
    TrainingMemory most;
    double experts = 0;
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        const TrainingMemory memory = FindOfStage(plan, stage, figures);
        experts = std::max(experts, memory.experts);
        most = memory.GetSum() > most.GetSum() ? memory : most;
    }
    most.experts = experts;
    return most;
}

} // namespace ns3::rails
