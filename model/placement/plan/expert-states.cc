// SPDX-License-Identifier: GPL-2.0-only
#include "expert-states.h"

#include "ns3/even-parts.h"

#include <algorithm>

namespace ns3::rails
{

std::map<uint32_t, uint64_t>
DivideStates(uint64_t bytes, const std::vector<uint32_t>& hosts)
{
    std::vector<uint32_t> sorted = hosts;
    std::sort(sorted.begin(), sorted.end());
    std::map<uint32_t, uint64_t> parts;
    for (const uint32_t gpu : sorted)
    {
        const auto part = static_cast<uint32_t>(parts.size());
        parts[gpu] = GetPart(bytes, static_cast<uint32_t>(sorted.size()), part);
    }
    return parts;
}

std::vector<ExpertTransfer>
MoveStates(const ClusterView& cluster,
           uint32_t expert,
           uint64_t bytes,
           const std::vector<uint32_t>& before,
           const std::vector<uint32_t>& after)
{
    std::map<uint32_t, uint64_t> had = DivideStates(bytes, before);
    std::map<uint32_t, uint64_t> has = DivideStates(bytes, after);
    // Parts that stay in place.
    for (auto& [gpu, part] : has)
    {
        if (const auto own = had.find(gpu); own != had.end())
        {
            const uint64_t both = std::min(part, own->second);
            part -= both;
            own->second -= both;
        }
    }
    std::vector<ExpertTransfer> transfers;
    for (const bool isInside : {true, false})
    {
        for (auto& [to, wanted] : has)
        {
            for (auto& [from, left] : had)
            {
                const uint64_t part = std::min(wanted, left);
                if (part > 0 && (!isInside || cluster.AreTogether(from, to)))
                {
                    transfers.push_back({expert, from, to, part});
                    wanted -= part;
                    left -= part;
                }
            }
        }
    }
    return transfers;
}

} // namespace ns3::rails
