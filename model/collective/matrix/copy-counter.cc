// SPDX-License-Identifier: GPL-2.0-only
#include "copy-counter.h"

#include <algorithm>
#include <limits>

namespace ns3::rails
{

CopyCounter::CopyCounter(const GpuPartition& groups,
                         uint32_t group,
                         const ExpertDealer& placement,
                         uint32_t experts)
    : m_groups(groups),
      m_gpus(groups.GetGroups()[group]),
      m_placement(placement),
      m_turns(experts, 0),
      m_toGpus(m_gpus.size(), 0),
      m_toServers(groups.CountServers(group), 0)
{
}

void
CopyCounter::Count(const std::vector<uint32_t>& experts)
{
    // GPUs and servers are in the order of experts, so repetitions are adjacent.
    constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
    uint32_t lastGpu = kNone;
    uint32_t lastServer = kNone;
    for (const uint32_t expert : experts)
    {
        const uint32_t gpu = m_placement.GetGpu(expert, m_turns[expert]++);
        const uint32_t server = m_groups.GetServer(m_gpus[gpu]);
        m_toGpus[gpu] += gpu == lastGpu ? 0 : 1;
        m_toServers[server] += server == lastServer ? 0 : 1;
        lastGpu = gpu;
        lastServer = server;
    }
}

void
CopyCounter::Finish(uint32_t source,
                    uint64_t tokenBytes,
                    TrafficMatrix& toServers,
                    MatrixSum& inServers)
{
    const uint32_t from = m_gpus[source];
    uint32_t member = 0;
    for (uint32_t server = 0; server < m_toServers.size(); ++server)
    {
        const uint32_t relay =
            server == m_groups.GetServer(from) ? from : m_groups.GetRelay(from, server);
        toServers.Add(from, relay, m_toServers[server] * tokenBytes);
        std::vector<Demand> row;
        for (; member < m_gpus.size() && m_groups.GetServer(m_gpus[member]) == server; ++member)
        {
            row.push_back({m_gpus[member], m_toGpus[member] * tokenBytes});
        }
        inServers.Add(relay, row);
    }
    std::fill(m_turns.begin(), m_turns.end(), 0);
    std::fill(m_toGpus.begin(), m_toGpus.end(), 0);
    std::fill(m_toServers.begin(), m_toServers.end(), 0);
}

} // namespace ns3::rails
