// SPDX-License-Identifier: GPL-2.0-only
#include "load-foresight.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ns3::rails
{

LoadForesight::LoadForesight(const TrainingContext& context)
    : m_context(context)
{
}

const std::vector<double>&
LoadForesight::GetShares(uint32_t gpu, const SlotPlace& place, uint32_t layer)
{
    const auto rank = [](const LoadPlace& where) {
        return std::tuple(where.iteration, where.layer, where.microbatch);
    };
    const LoadPlace now = place.Find(layer);
    Latest& latest = m_latest[m_context.GetExperts().GetNumber(gpu)];
    if (latest.shares.empty() || rank(latest.place) != rank(now))
    {
        latest = {now, Foresee(gpu, place, layer)};
    }
    return latest.shares;
}

/// \return shares of the tokens that went to each member in a layer
std::vector<double>
LoadForesight::FindShares(uint32_t gpu, LoadPlace place, uint32_t layer) const
{
    place.layer = layer;
    const std::vector<uint64_t>& received = m_context.GetRouting(gpu, place)->received;
    const uint64_t sum = std::accumulate(received.begin(), received.end(), uint64_t{0});
    std::vector<double> shares;
    for (const uint64_t tokens : received)
    {
        shares.push_back(static_cast<double>(tokens) /
                         static_cast<double>(std::max<uint64_t>(1, sum)));
    }
    return shares;
}

std::vector<double>
LoadForesight::Foresee(uint32_t gpu, const SlotPlace& at, uint32_t layer) const
{
    constexpr uint32_t kSeen = 8;
    const TrainingSpec& spec = m_context.GetSpec();
    // If another stage has the layer before, its GPUs differ, and it is not used.
    const uint32_t first = spec.GetLayers(at.stage, at.chunk).first;
    const bool hasBefore = layer > std::max<uint32_t>(first, spec.model.denseLayers);
    const uint32_t before = hasBefore ? layer - 1 : layer;
    std::vector<SeenLoads> seen;
    LoadPlace place = at.Find(layer);
    while (seen.size() < kSeen && (place.microbatch > 0 || place.iteration > 0))
    {
        place.iteration -= place.microbatch == 0 ? 1 : 0;
        place.microbatch = (place.microbatch == 0 ? spec.microbatches : place.microbatch) - 1;
        seen.push_back({FindShares(gpu, place, before), FindShares(gpu, place, layer)});
    }
    if (hasBefore)
    {
        return spec.circuits.prediction->Predict(seen, FindShares(gpu, at.Find(layer), before));
    }
    const std::size_t members = m_context.GetExperts().GetSize();
    return seen.empty() ? std::vector<double>(members, 1.0 / static_cast<double>(members))
                        : spec.circuits.prediction->Predict(seen, seen.front().here);
}

} // namespace ns3::rails
