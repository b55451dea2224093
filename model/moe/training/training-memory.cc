// SPDX-License-Identifier: GPL-2.0-only
#include "training-memory.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

constexpr double kLogitBytes = 4; // the loss is computed in single precision

/// \return elements that a layer keeps of a micro-batch, besides its input
double
GetKept(const TrainingPlan& plan, uint32_t layer, double rows)
{
    const ModelDimensions& model = plan.model;
    const double group = plan.GetGroupTokens();
    const double matrices = model.gated ? 3 : 2;
    const double attention = group * model.GetKeptAttention(plan.tp, !plan.reprojects);
    if (layer < model.denseLayers)
    {
        return attention + plan.GetTokens() * model.hidden + group * matrices * model.ffn / plan.tp;
    }
    return attention + plan.GetTokens() * (model.hidden + matrices * model.sharedFfn) +
           rows * (model.GetExpertHidden() + matrices * model.expertFfn / plan.etp);
}

TrainingMemory
FindOfStage(const TrainingPlan& plan, uint32_t stage, const ExpertFigures& figures)
{
    const ModelDimensions& model = plan.model;
    const double ends = (plan.HasEmbedding(stage) ? 1 : 0) + (plan.HasHead(stage) ? 1 : 0);
    double dense = ends * model.vocabulary * model.hidden / plan.tp;
    double held = 0;  // experts
    double kept = 0;  // elements of a chunk, the largest
    double again = 0; // of a layer
    const double rows =
        double{1} * plan.GetTokens() * model.topK * std::max(1.0, figures.worst) * plan.etp;
    for (uint32_t chunk = 0; chunk < plan.chunks; ++chunk)
    {
        const auto [first, end] = plan.GetLayers(stage, chunk);
        double ofChunk = 0;
        for (uint32_t layer = first; layer < end; ++layer)
        {
            const double more = GetKept(plan, layer, rows);
            const double input = double{1} * plan.GetTokens() * model.hidden;
            dense += model.GetDenseParameters(layer) / plan.tp;
            held += layer < model.denseLayers ? 0 : model.experts / plan.ep;
            ofChunk += input + (plan.recomputes ? 0 : more);
            const double projected =
                plan.GetGroupTokens() * (model.GetKeptAttention(plan.tp, true) -
                                         model.GetKeptAttention(plan.tp, !plan.reprojects));
            // What is computed again of a layer: all of it, or what is projected.
            again = std::max(again, (plan.recomputes ? more : 0) + projected);
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
    const double states = std::max(held / plan.edp, planned.states);
    memory.optimizer = kOptimizerBytes * (dense / (plan.dp * plan.cp) + states * expert);
    memory.activations =
        element * (plan.schedule->CountKept(plan.GetPipeline(), stage) * kept + again);
    if (plan.HasHead(stage))
    {
        memory.logits = kLogitBytes * plan.GetGroupTokens() * model.vocabulary / plan.tp;
    }
    memory.copies = static_cast<double>(planned.copies) * expert * (element + gradient);
    return memory;
}

} // namespace

TrainingMemory
FindMemory(const TrainingPlan& plan, const ExpertFigures& figures)
{
    TrainingMemory most;
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        const TrainingMemory memory = FindOfStage(plan, stage, figures);
        most = memory.GetSum() > most.GetSum() ? memory : most;
    }
    return most;
}

} // namespace ns3::rails
