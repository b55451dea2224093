// SPDX-License-Identifier: GPL-2.0-only
#include "layer-work.h"

#include "ns3/rails-units.h"

#include <cmath>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr double kFloatBytes = 4;

/// Vectors read and written per token around a block: norm and residual sum.
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

/// Kernel launches of an expert, in units of other kernels. 64 experts take a GB200 host 1.2 ms
/// forward and 2.1 ms backward (github.com/NVIDIA/TransformerEngine, issue 2897), a linear layer
/// 37.08 us.
constexpr double kExpertKernels = 0.5;

double
GetElement(const TrainingSpec& spec)
{
    return static_cast<double>(spec.elementBytes);
}

Work
MakeWork(const TrainingSpec& spec, Work::Part part, double flops, Pass pass)
{
    Work work;
    work.part = part;
    work.flops = flops;
    work.tokens = spec.GetTokens();
    work.times = GetTimes(pass);
    work.pass = pass;
    work.precision = spec.precision;
    return work;
}

/// \return memory traffic of norm and residual sum around a block, for a GPU's tokens, in bytes
double
CountBlock(const TrainingSpec& spec)
{
    return kBlockVectors * spec.GetTokens() * spec.model.hidden * GetElement(spec);
}

/// \return bytes that the activation of a network reads and writes for a row
double
CountActivation(const TrainingSpec& spec, double intermediate)
{
    return (spec.model.gated ? 3 : 2) * intermediate * GetElement(spec);
}

/// Two products, and the activation between them. \param rows of each network
void
AddNetwork(const TrainingSpec& spec,
           std::vector<double> rows,
           double outer,
           double intermediate,
           Work& work)
{
    const double inputs = spec.model.gated ? 2 : 1;
    work.products.push_back({rows, outer, inputs * intermediate});
    work.moved += work.products.back().CountRows() * CountActivation(spec, intermediate);
    work.products.push_back({std::move(rows), intermediate, outer});
}

/// \return operations of the projections of attention
double
CountProjections(const TrainingSpec& spec)
{
    return 2 * spec.GetGroupTokens() * spec.model.GetAttentionParameters() / spec.tp;
}

double
CountCore(const TrainingSpec& spec)
{
    return spec.GetGroupTokens() * spec.sequence * spec.model.GetAttentionWidth() / spec.tp;
}

/// \return share of a layer's forward attention with this number of operations
double
GetAttentionShare(const TrainingSpec& spec, double flops)
{
    return flops / (CountProjections(spec) + CountCore(spec));
}

/// Projections of compressed queries, keys and values to those of heads.
void
AddLatentHeads(const TrainingSpec& spec, Work& work)
{
    const ModelDimensions& model = spec.model;
    const double group = spec.GetGroupTokens();
    const double heads = double{1} * model.heads / spec.tp;
    if (model.queryRank > 0)
    {
        work.products.push_back(
            {{group}, double{1} * model.queryRank, heads * (model.headWidth + model.ropeWidth)});
    }
    work.products.push_back({{group}, double{1} * model.kvRank, heads * 2 * model.headWidth});
}

void
AddAttentionInputs(const TrainingSpec& spec, Work& work)
{
    const ModelDimensions& model = spec.model;
    const double group = spec.GetGroupTokens();
    const double own = spec.GetTokens();
    const double hidden = model.hidden;
    const double element = GetElement(spec);
    const double queries = double{1} * model.heads * model.headWidth / spec.tp;
    work.moved += CountBlock(spec);
    if (model.kvRank == 0)
    {
        const double values = double{1} * model.kvHeads * model.headWidth / spec.tp;
        work.products.push_back({{group}, hidden, queries + 2 * values});
        // Rotary embedding of queries and keys.
        work.moved += 2 * group * (queries + values) * element;
        return;
    }
    const double rotated = double{1} * model.heads * (model.headWidth + model.ropeWidth) / spec.tp;
    if (model.queryRank > 0)
    {
        work.products.push_back({{own}, hidden, double{1} * model.queryRank});
    }
    else
    {
        work.products.push_back({{group}, hidden, rotated});
    }
    work.products.push_back({{own}, hidden, double{1} * model.kvRank + model.ropeWidth});
    AddLatentHeads(spec, work);
    // Norms of compressed vectors; queries and keys are concatenated from their two parts.
    work.moved += 2 * own * (double{1} * model.queryRank + model.kvRank) * element;
    work.moved += 2 * group * 2 * rotated * element;
}

} // namespace

Work
MakeAttentionWork(const TrainingSpec& spec, AttentionPart part, Pass pass)
{
    const bool isWhole = part == AttentionPart::Whole;
    const double all = CountProjections(spec);
    const double core = CountCore(spec);
    double flops = 0;
    if (part != AttentionPart::Core)
    {
        flops += (isWhole ? all : all / 2) * GetTimes(pass);
    }
    // Without weights, the whole backward pass belongs to dgrad.
    const bool hasCore = (isWhole || part == AttentionPart::Core) && pass != Pass::Weights;
    if (hasCore)
    {
        flops += core * (pass == Pass::Forward ? 1 : 2);
    }
    Work work = MakeWork(spec, Work::Part::Attention, flops, pass);
    work.times = 1;
    work.share = GetAttentionShare(spec, flops);
    work.core = hasCore ? core : 0;
    work.sequence = spec.sequence;
    if (isWhole || part == AttentionPart::Inputs)
    {
        AddAttentionInputs(spec, work);
    }
    if (isWhole || part == AttentionPart::Outputs)
    {
        const double results = double{1} * spec.model.heads * spec.model.headWidth / spec.tp;
        work.products.push_back({{spec.GetGroupTokens()}, results, double{1} * spec.model.hidden});
    }
    return work;
}

Work
MakeProjectionWork(const TrainingSpec& spec)
{
    const double flops = 2 * spec.GetGroupTokens() * spec.model.GetProjectionParameters() / spec.tp;
    Work work = MakeWork(spec, Work::Part::Attention, flops, Pass::Forward);
    work.share = GetAttentionShare(spec, flops);
    if (spec.model.kvRank > 0)
    {
        AddLatentHeads(spec, work);
    }
    return work;
}

Work
MakePredictionWork(const TrainingSpec& spec, Pass pass)
{
    const double hidden = spec.model.hidden;
    const double flops = 2 * spec.GetGroupTokens() * spec.model.GetPredictionParameters() / spec.tp;
    Work work = MakeWork(spec, Work::Part::Attention, flops, pass);
    work.share = GetAttentionShare(spec, flops);
    work.products.push_back({{spec.GetGroupTokens()}, 2 * hidden, hidden / spec.tp});
    return work;
}

Work
MakeGateWork(const TrainingSpec& spec, Pass pass)
{
    const ModelDimensions& model = spec.model;
    const double own = spec.GetTokens();
    Work work = MakeWork(spec, Work::Part::Gate, 2 * own * model.hidden * model.experts, pass);
    Product scores{{own}, double{1} * model.hidden, double{1} * model.experts};
    scores.isHigh = true;
    work.products.push_back(std::move(scores));
    // Scores and top-k selection, each read and written.
    work.moved = CountBlock(spec) + 4 * own * model.experts * kFloatBytes;
    if (!spec.deduplicates)
    {
        // One copy per expert, and the sum of the results.
        work.moved += 2 * own * (1.0 + model.topK) * model.GetExpertHidden() * GetElement(spec);
    }
    return work;
}

Work
MakeNormWork(const TrainingSpec& spec)
{
    Work work = MakeWork(spec, Work::Part::Attention, 0, Pass::Forward);
    work.share = 0;
    // Each reads a vector and writes one.
    work.moved = 2 * 2.0 * spec.GetTokens() * spec.model.hidden * GetElement(spec);
    return work;
}

Work
MakeActivationWork(const TrainingSpec& spec, double rows)
{
    Work work = MakeWork(spec, Work::Part::Experts, 0, Pass::Forward);
    work.share = 0;
    work.moved = rows * CountActivation(spec, double{1} * spec.model.expertFfn / spec.etp);
    return work;
}

Work
MakeSharedWork(const TrainingSpec& spec, Pass pass)
{
    const ModelDimensions& model = spec.model;
    const double own = spec.GetTokens();
    Work work = MakeWork(spec,
                         Work::Part::Shared,
                         2 * own * model.GetFfnParameters(model.hidden, model.sharedFfn),
                         pass);
    AddNetwork(spec, {own}, model.hidden, model.sharedFfn, work);
    return work;
}

Work
MakeDenseWork(const TrainingSpec& spec, Pass pass)
{
    const ModelDimensions& model = spec.model;
    const double group = spec.GetGroupTokens();
    Work work = MakeWork(spec,
                         Work::Part::Dense,
                         2 * group * model.GetFfnParameters(model.hidden, model.ffn) / spec.tp,
                         pass);
    work.moved = CountBlock(spec);
    AddNetwork(spec, {group}, model.hidden, double{1} * model.ffn / spec.tp, work);
    return work;
}

Work
MakeHeadWork(const TrainingSpec& spec, Pass pass)
{
    const double logits = spec.GetGroupTokens() * spec.model.vocabulary / spec.tp;
    Work work =
        MakeWork(spec,
                 Work::Part::Head,
                 2 * spec.GetGroupTokens() * spec.model.hidden * spec.model.vocabulary / spec.tp,
                 pass);
    Product product{{spec.GetGroupTokens()},
                    double{1} * spec.model.hidden,
                    double{1} * spec.model.vocabulary / spec.tp};
    product.isHigh = true;
    work.products.push_back(std::move(product));
    work.moved = 2 * logits * kFloatBytes;
    return work;
}

Work
MakeExpertWork(const TrainingSpec& spec, double tokens, Pass pass, std::vector<double> rows)
{
    const ModelDimensions& model = spec.model;
    Work work = MakeWork(spec, Work::Part::Experts, 2 * tokens * model.GetExpertParameters(), pass);
    work.tokens = tokens;
    if (!spec.compute->GetTraits().readsShapes)
    {
        return work;
    }
    if (rows.empty())
    {
        const uint32_t experts = model.experts / spec.ep;
        rows.assign(experts, tokens * spec.etp / experts);
    }
    // Rows are permuted to the order of experts, and back.
    work.moved = 4 * tokens * spec.etp * model.GetExpertHidden() * GetElement(spec);
    AddNetwork(spec,
               std::move(rows),
               model.GetExpertHidden(),
               double{1} * model.expertFfn / spec.etp,
               work);
    return work;
}

TimePs
GetLaunchTime(const TrainingSpec& spec, uint32_t layer, Pass pass)
{
    const ModelDimensions& model = spec.model;
    double kernels = model.kvRank > 0 ? kLatentKernels : kAttentionKernels;
    const auto add = [&](const Work& work, double others) {
        kernels += static_cast<double>(work.products.size()) + others;
    };
    add(MakeAttentionWork(spec, AttentionPart::Whole, pass), 0);
    if (layer < model.denseLayers)
    {
        add(MakeDenseWork(spec, pass), kNetworkKernels + kBlockKernels);
    }
    else
    {
        add(MakeGateWork(spec, pass), spec.deduplicates ? kDeduplicatedKernels : kPairKernels);
        kernels += kExpertKernels * model.experts / spec.ep;
        if (model.sharedFfn > 0)
        {
            add(MakeSharedWork(spec, pass), kNetworkKernels);
        }
    }
    return static_cast<TimePs>(
        std::llround(kernels * GetTimes(pass) * spec.compute->GetLaunch() * kPicosecondsPerSecond));
}

TimePs
GetOtherTime(const TrainingSpec& spec, Pass pass)
{
    return spec.compute->GetTime(MakeAttentionWork(spec, AttentionPart::Whole, pass)) +
           spec.compute->GetTime(MakeGateWork(spec, pass));
}

double
GetTokenFlops(const TrainingSpec& spec, double dropped)
{
    const ModelDimensions& model = spec.model;
    const double experts = model.layers > model.denseLayers
                               ? double{1} * (model.layers - model.denseLayers) * model.topK
                               : 0;
    return 2 * (model.GetActiveParameters() - dropped * experts * model.GetExpertParameters()) +
           spec.model.layers * static_cast<double>(spec.sequence) * spec.model.GetAttentionWidth();
}

} // namespace ns3::rails
