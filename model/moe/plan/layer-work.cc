// SPDX-License-Identifier: GPL-2.0-only
#include "layer-work.h"

#include <cmath>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr double kFloatBytes = 4;

/// Vectors of a token that are read and written around a block: its norm, and the sum with what
/// passes by it.
constexpr double kBlockVectors = 5;

// Kernels forward of a layer besides its products, those that communicate included: our count of
// Megatron-LM (d98e8a64, fused kernels; transformer_layer.py, multi_latent_attention.py, router.py,
// token_dispatcher.py).
constexpr double kAttentionKernels = 7;
constexpr double kLatentKernels = 11;
constexpr double kPairKernels = 30;
constexpr double kDeduplicatedKernels = 20;
constexpr double kNetworkKernels = 1;
constexpr double kBlockKernels = 2;

/// An expert's kernels, which are launched together, take a host as long as so many others: 64 of
/// them take one of a GB200 1.2 ms, and on the way back 2.1 (github.com/NVIDIA/TransformerEngine,
/// issue 2897), a linear layer 37.08 us.
constexpr double kExpertKernels = 0.5;

double
GetElement(const TrainingPlan& plan)
{
    return static_cast<double>(plan.elementBytes);
}

Work
MakeWork(const TrainingPlan& plan, Work::Part part, double flops, Pass pass)
{
    Work work;
    work.part = part;
    work.flops = flops;
    work.tokens = plan.GetTokens();
    work.times = GetTimes(pass);
    work.pass = pass;
    work.precision = plan.precision;
    return work;
}

/// \return bytes of norms and sums around a block, of a GPU's own tokens
double
CountBlock(const TrainingPlan& plan)
{
    return kBlockVectors * plan.GetTokens() * plan.model.hidden * GetElement(plan);
}

/// \return bytes that the activation of a network reads and writes for a row
double
CountActivation(const TrainingPlan& plan, double intermediate)
{
    return (plan.model.gated ? 3 : 2) * intermediate * GetElement(plan);
}

/// Two products, and the activation between them. \param rows of each network
void
AddNetwork(const TrainingPlan& plan,
           std::vector<double> rows,
           double outer,
           double intermediate,
           Work& work)
{
    const double inputs = plan.model.gated ? 2 : 1;
    work.products.push_back({rows, outer, inputs * intermediate});
    work.moved += work.products.back().CountRows() * CountActivation(plan, intermediate);
    work.products.push_back({std::move(rows), intermediate, outer});
}

/// \return operations of the projections of attention
double
CountProjections(const TrainingPlan& plan)
{
    return 2 * plan.GetGroupTokens() * plan.model.GetAttentionParameters() / plan.tp;
}

double
CountCore(const TrainingPlan& plan)
{
    return plan.GetGroupTokens() * plan.sequence * plan.model.GetAttentionWidth() / plan.tp;
}

/// \return which part of a layer's attention forward takes as many operations
double
GetAttentionShare(const TrainingPlan& plan, double flops)
{
    return flops / (CountProjections(plan) + CountCore(plan));
}

/// Queries, keys and values of heads, from what is compressed of them.
void
AddLatentHeads(const TrainingPlan& plan, Work& work)
{
    const ModelDimensions& model = plan.model;
    const double group = plan.GetGroupTokens();
    const double heads = double{1} * model.heads / plan.tp;
    if (model.queryRank > 0)
    {
        work.products.push_back(
            {{group}, double{1} * model.queryRank, heads * (model.headWidth + model.ropeWidth)});
    }
    work.products.push_back({{group}, double{1} * model.kvRank, heads * 2 * model.headWidth});
}

void
AddAttentionInputs(const TrainingPlan& plan, Work& work)
{
    const ModelDimensions& model = plan.model;
    const double group = plan.GetGroupTokens();
    const double own = plan.GetTokens();
    const double hidden = model.hidden;
    const double element = GetElement(plan);
    const double queries = double{1} * model.heads * model.headWidth / plan.tp;
    work.moved += CountBlock(plan);
    if (model.kvRank == 0)
    {
        const double values = double{1} * model.kvHeads * model.headWidth / plan.tp;
        work.products.push_back({{group}, hidden, queries + 2 * values});
        // Positions are turned into queries and keys.
        work.moved += 2 * group * (queries + values) * element;
        return;
    }
    const double rotated = double{1} * model.heads * (model.headWidth + model.ropeWidth) / plan.tp;
    if (model.queryRank > 0)
    {
        work.products.push_back({{own}, hidden, double{1} * model.queryRank});
    }
    else
    {
        work.products.push_back({{group}, hidden, rotated});
    }
    work.products.push_back({{own}, hidden, double{1} * model.kvRank + model.ropeWidth});
    AddLatentHeads(plan, work);
    // Norms of what is compressed; queries and keys are put together from their two parts.
    work.moved += 2 * own * (double{1} * model.queryRank + model.kvRank) * element;
    work.moved += 2 * group * 2 * rotated * element;
}

} // namespace

Work
MakeAttentionWork(const TrainingPlan& plan, AttentionPart part, Pass pass)
{
    const bool isWhole = part == AttentionPart::Whole;
    const double all = CountProjections(plan);
    const double core = CountCore(plan);
    double flops = 0;
    if (part != AttentionPart::Core)
    {
        flops += (isWhole ? all : all / 2) * GetTimes(pass);
    }
    // It has no weights, so that all of its way back goes with the gradients of inputs.
    const bool hasCore = (isWhole || part == AttentionPart::Core) && pass != Pass::Weights;
    if (hasCore)
    {
        flops += core * (pass == Pass::Forward ? 1 : 2);
    }
    Work work = MakeWork(plan, Work::Part::Attention, flops, pass);
    work.times = 1;
    work.share = GetAttentionShare(plan, flops);
    work.core = hasCore ? core : 0;
    work.sequence = plan.sequence;
    if (isWhole || part == AttentionPart::Inputs)
    {
        AddAttentionInputs(plan, work);
    }
    if (isWhole || part == AttentionPart::Outputs)
    {
        const double results = double{1} * plan.model.heads * plan.model.headWidth / plan.tp;
        work.products.push_back({{plan.GetGroupTokens()}, results, double{1} * plan.model.hidden});
    }
    return work;
}

Work
MakeProjectionWork(const TrainingPlan& plan)
{
    const double flops = 2 * plan.GetGroupTokens() * plan.model.GetProjectionParameters() / plan.tp;
    Work work = MakeWork(plan, Work::Part::Attention, flops, Pass::Forward);
    work.share = GetAttentionShare(plan, flops);
    if (plan.model.kvRank > 0)
    {
        AddLatentHeads(plan, work);
    }
    return work;
}

Work
MakePredictionWork(const TrainingPlan& plan, Pass pass)
{
    const double hidden = plan.model.hidden;
    const double flops = 2 * plan.GetGroupTokens() * plan.model.GetPredictionParameters() / plan.tp;
    Work work = MakeWork(plan, Work::Part::Attention, flops, pass);
    work.share = GetAttentionShare(plan, flops);
    work.products.push_back({{plan.GetGroupTokens()}, 2 * hidden, hidden / plan.tp});
    return work;
}

Work
MakeGateWork(const TrainingPlan& plan, Pass pass)
{
    const ModelDimensions& model = plan.model;
    const double own = plan.GetTokens();
    Work work = MakeWork(plan, Work::Part::Gate, 2 * own * model.hidden * model.experts, pass);
    Product scores{{own}, double{1} * model.hidden, double{1} * model.experts};
    scores.isHigh = true;
    work.products.push_back(std::move(scores));
    // Scores, and the choice among them, each read and written.
    work.moved = CountBlock(plan) + 4 * own * model.experts * kFloatBytes;
    if (!plan.deduplicates)
    {
        // A copy for each expert, and what comes back is added up.
        work.moved += 2 * own * (1.0 + model.topK) * model.GetExpertHidden() * GetElement(plan);
    }
    return work;
}

Work
MakeNormWork(const TrainingPlan& plan)
{
    Work work = MakeWork(plan, Work::Part::Attention, 0, Pass::Forward);
    work.share = 0;
    // Each reads a vector and writes one.
    work.moved = 2 * 2.0 * plan.GetTokens() * plan.model.hidden * GetElement(plan);
    return work;
}

Work
MakeActivationWork(const TrainingPlan& plan, double rows)
{
    Work work = MakeWork(plan, Work::Part::Experts, 0, Pass::Forward);
    work.share = 0;
    work.moved = rows * CountActivation(plan, double{1} * plan.model.expertFfn / plan.etp);
    return work;
}

Work
MakeSharedWork(const TrainingPlan& plan, Pass pass)
{
    const ModelDimensions& model = plan.model;
    const double own = plan.GetTokens();
    Work work = MakeWork(plan,
                         Work::Part::Shared,
                         2 * own * model.GetFfnParameters(model.hidden, model.sharedFfn),
                         pass);
    AddNetwork(plan, {own}, model.hidden, model.sharedFfn, work);
    return work;
}

Work
MakeDenseWork(const TrainingPlan& plan, Pass pass)
{
    const ModelDimensions& model = plan.model;
    const double group = plan.GetGroupTokens();
    Work work = MakeWork(plan,
                         Work::Part::Dense,
                         2 * group * model.GetFfnParameters(model.hidden, model.ffn) / plan.tp,
                         pass);
    work.moved = CountBlock(plan);
    AddNetwork(plan, {group}, model.hidden, double{1} * model.ffn / plan.tp, work);
    return work;
}

Work
MakeHeadWork(const TrainingPlan& plan, Pass pass)
{
    const double logits = plan.GetGroupTokens() * plan.model.vocabulary / plan.tp;
    Work work =
        MakeWork(plan,
                 Work::Part::Head,
                 2 * plan.GetGroupTokens() * plan.model.hidden * plan.model.vocabulary / plan.tp,
                 pass);
    Product product{{plan.GetGroupTokens()},
                    double{1} * plan.model.hidden,
                    double{1} * plan.model.vocabulary / plan.tp};
    product.isHigh = true;
    work.products.push_back(std::move(product));
    work.moved = 2 * logits * kFloatBytes;
    return work;
}

Work
MakeExpertWork(const TrainingPlan& plan, double tokens, Pass pass, std::vector<double> rows)
{
    const ModelDimensions& model = plan.model;
    Work work = MakeWork(plan, Work::Part::Experts, 2 * tokens * model.GetExpertParameters(), pass);
    work.tokens = tokens;
    if (!plan.compute->ReadsShapes())
    {
        return work;
    }
    if (rows.empty())
    {
        const uint32_t experts = model.experts / plan.ep;
        rows.assign(experts, tokens * plan.etp / experts);
    }
    // Rows are put in the order of experts, and back.
    work.moved = 4 * tokens * plan.etp * model.GetExpertHidden() * GetElement(plan);
    AddNetwork(plan,
               std::move(rows),
               model.GetExpertHidden(),
               double{1} * model.expertFfn / plan.etp,
               work);
    return work;
}

TimePs
GetLaunchTime(const TrainingPlan& plan, uint32_t layer, Pass pass)
{
    const ModelDimensions& model = plan.model;
    double kernels = model.kvRank > 0 ? kLatentKernels : kAttentionKernels;
    const auto add = [&](const Work& work, double others) {
        kernels += static_cast<double>(work.products.size()) + others;
    };
    add(MakeAttentionWork(plan, AttentionPart::Whole, pass), 0);
    if (layer < model.denseLayers)
    {
        add(MakeDenseWork(plan, pass), kNetworkKernels + kBlockKernels);
    }
    else
    {
        add(MakeGateWork(plan, pass), plan.deduplicates ? kDeduplicatedKernels : kPairKernels);
        kernels += kExpertKernels * model.experts / plan.ep;
        if (model.sharedFfn > 0)
        {
            add(MakeSharedWork(plan, pass), kNetworkKernels);
        }
    }
    constexpr double picoseconds = 1e12; // of a second
    return static_cast<TimePs>(
        std::llround(kernels * GetTimes(pass) * plan.compute->GetLaunch() * picoseconds));
}

TimePs
GetOtherTime(const TrainingPlan& plan, Pass pass)
{
    return plan.compute->GetTime(MakeAttentionWork(plan, AttentionPart::Whole, pass)) +
           plan.compute->GetTime(MakeGateWork(plan, pass));
}

double
GetTokenFlops(const TrainingPlan& plan, double dropped)
{
    const ModelDimensions& model = plan.model;
    const double experts = model.layers > model.denseLayers
                               ? double{1} * (model.layers - model.denseLayers) * model.topK
                               : 0;
    return 2 * (model.GetActiveParameters() - dropped * experts * model.GetExpertParameters()) +
           plan.model.layers * static_cast<double>(plan.sequence) * plan.model.GetAttentionWidth();
}

} // namespace ns3::rails
