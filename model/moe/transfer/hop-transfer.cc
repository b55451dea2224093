// SPDX-License-Identifier: GPL-2.0-only
#include "hop-transfer.h"

#include <algorithm>
#include <map>

namespace ns3::rails
{

HopTransfer::HopTransfer(const CommOpTraits& traits, const TrainingContext& context, uint32_t stage)
    : CommOp(traits),
      m_context(context),
      m_stage(stage)
{
}

bool
HopTransfer::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_stage;
}

std::vector<Demand>
HopTransfer::GetSends(uint32_t gpu, uint32_t step) const
{
    const std::vector<uint32_t>& members = m_context.GetExperts().GetMembers(gpu);
    const Hops hops = FindHops(gpu);
    const CopyHop own{m_context.GetExperts().GetPlace(gpu), 0, 0, 0};
    const auto [first, end] = std::equal_range(
        hops.all.begin(),
        hops.all.end(),
        own,
        [](const CopyHop& one, const CopyHop& other) { return one.from < other.from; });
    std::map<uint32_t, uint64_t> bytes; // by GPU
    std::for_each(first, end, [&](const CopyHop& hop) {
        bytes[members[hop.to]] += CountBytes(hop, hops, step);
    });
    return ListDemands(bytes, gpu);
}

uint64_t
HopTransfer::GetReceived(uint32_t gpu, uint32_t step) const
{
    const uint32_t own = m_context.GetExperts().GetPlace(gpu);
    const Hops hops = FindHops(gpu);
    uint64_t bytes = 0;
    for (const CopyHop& hop : hops.all)
    {
        bytes += hop.to == own ? CountBytes(hop, hops, step) : 0;
    }
    return bytes;
}

} // namespace ns3::rails
