// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-parties.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3::rails
{

/// Each group becomes the first party that no group before it is in any of its servers.
ExchangeParties::ExchangeParties(const TrainingPlan& plan, const GpuGroupTable& groups)
    : m_ofGpu(plan.shape.GetGpus())
{
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> taken; // stage, server and party
    for (const std::vector<uint32_t>& members : groups.GetGroups())
    {
        const uint32_t stage = plan.attention.GetCoordinate(members.front(), "pp");
        uint32_t party = 0;
        while (std::any_of(members.begin(), members.end(), [&](uint32_t gpu) {
            return taken.count({stage, plan.shape.GetServer(gpu), party}) > 0;
        }))
        {
            ++party;
        }
        for (const uint32_t gpu : members)
        {
            taken.emplace(stage, plan.shape.GetServer(gpu), party);
            m_ofGpu[gpu] = party;
        }
        m_count = std::max(m_count, party + 1);
    }
}

} // namespace ns3::rails
