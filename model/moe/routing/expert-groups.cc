// SPDX-License-Identifier: GPL-2.0-only
#include "expert-groups.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>

namespace ns3::rails
{

GpuPartition
MakeExpertGroups(const TrainingSpec& spec)
{
    std::vector<GpuPartition::Groups> byStage(spec.pp);
    for (const std::vector<uint32_t>& members : spec.experts.ListGroups({"ep"}))
    {
        byStage[spec.attention.GetCoordinate(members.front(), "pp")].push_back(members);
    }
    GpuPartition::Groups merged;
    for (const GpuPartition::Groups& groups : byStage)
    {
        for (std::size_t number = 0; number < groups.size(); ++number)
        {
            if (number % spec.handling.merged == 0)
            {
                merged.emplace_back();
            }
            merged.back().insert(merged.back().end(), groups[number].begin(), groups[number].end());
        }
    }
    return {spec.shape, merged};
}

ClusterView
Narrow(const GpuPartition& groups, ClusterView cluster)
{
    const uint32_t perServer = groups.AreEven() ? groups.CountPerServer() : 1;
    cluster.gpus = groups.GetSize();
    cluster.nicsPerServer = std::max(1U, cluster.nicsPerServer * perServer / cluster.gpusPerServer);
    cluster.gpusPerServer = perServer;
    return cluster;
}

/// Gives each group the first party that no earlier group on its servers has.
std::vector<uint32_t>
FindParties(const TrainingSpec& spec, const GpuPartition& groups)
{
    std::vector<uint32_t> parties(spec.shape.GetGpus());
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> taken; // stage, server and party
    for (const std::vector<uint32_t>& members : groups.GetGroups())
    {
        const uint32_t stage = spec.attention.GetCoordinate(members.front(), "pp");
        uint32_t party = 0;
        while (std::any_of(members.begin(), members.end(), [&](uint32_t gpu) {
            return taken.count({stage, spec.shape.GetServer(gpu), party}) > 0;
        }))
        {
            ++party;
        }
        for (const uint32_t gpu : members)
        {
            taken.emplace(stage, spec.shape.GetServer(gpu), party);
            parties[gpu] = party;
        }
    }
    return parties;
}

} // namespace ns3::rails
