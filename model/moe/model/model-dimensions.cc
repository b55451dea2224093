// SPDX-License-Identifier: GPL-2.0-only
#include "model-dimensions.h"

#include <algorithm>

namespace ns3::rails
{

uint32_t
ModelDimensions::GetExpertHidden() const
{
    return expertHidden == 0 ? hidden : expertHidden;
}

double
ModelDimensions::GetAttentionParameters() const
{
    const double width = hidden;
    const double queries = double{1} * heads * headWidth;
    if (kvRank == 0)
    {
        return width * (2 * queries + 2.0 * kvHeads * headWidth);
    }
    const double rotated = double{1} * heads * (headWidth + ropeWidth);
    const double query = queryRank == 0 ? width * rotated : queryRank * (width + rotated);
    return query + width * (kvRank + ropeWidth) + kvRank * 2.0 * queries + queries * width;
}

double
ModelDimensions::GetAttentionWidth() const
{
    return double{1} * heads * (2.0 * headWidth + ropeWidth);
}

double
ModelDimensions::GetKvElements(uint32_t tp) const
{
    // Latent keys and values are sent compressed, and whole, since all heads need them.
    return kvRank == 0 ? std::max(1.0, double{1} * kvHeads / tp) * 2 * headWidth
                       : double{1} * kvRank + ropeWidth;
}

double
ModelDimensions::GetKeptAttention(uint32_t tp, bool isProjected) const
{
    const double results = double{1} * heads * headWidth / tp;
    const double rotated = double{1} * heads * (headWidth + ropeWidth) / tp; // queries, or keys
    if (kvRank == 0)
    {
        return rotated + results + GetKvElements(tp);
    }
    if (!isProjected)
    {
        return (queryRank == 0 ? rotated : queryRank) + GetKvElements(tp) + results;
    }
    // Queries and keys; values and results; and their compressed inputs.
    return 2 * rotated + 2 * results + queryRank + kvRank;
}

double
ModelDimensions::GetProjectionParameters() const
{
    if (kvRank == 0)
    {
        return 0;
    }
    const double queries = double{1} * queryRank * heads * (headWidth + ropeWidth);
    return queries + kvRank * 2.0 * heads * headWidth;
}

double
ModelDimensions::GetFfnParameters(uint32_t width, uint32_t intermediate) const
{
    return (gated ? 3.0 : 2.0) * width * intermediate;
}

double
ModelDimensions::GetPredictionParameters() const
{
    return 2.0 * hidden * hidden;
}

double
ModelDimensions::GetDenseParameters(uint32_t layer) const
{
    const double attention =
        GetAttentionParameters() + (IsPrediction(layer) ? GetPredictionParameters() : 0);
    return attention + (layer < denseLayers
                            ? GetFfnParameters(hidden, ffn)
                            : GetFfnParameters(hidden, sharedFfn) + double{1} * hidden * experts);
}

double
ModelDimensions::GetExpertParameters() const
{
    return GetFfnParameters(GetExpertHidden(), expertFfn);
}

double
ModelDimensions::GetActiveParameters() const
{
    double sum = (1.0 + mtpLayers) * vocabulary * hidden; // logits of each prediction
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        sum += GetDenseParameters(layer);
        sum += layer < denseLayers ? 0 : topK * GetExpertParameters();
    }
    return sum;
}

double
ModelDimensions::GetParameters() const
{
    const double others = double{1} * (layers - denseLayers) * (experts - topK);
    const double ends = (1.0 - mtpLayers) * vocabulary * hidden; // all predictions have one head
    return GetActiveParameters() + others * GetExpertParameters() + ends;
}

} // namespace ns3::rails
