// SPDX-License-Identifier: GPL-2.0-only
#include "graph-transfer.h"

namespace ns3::rails
{

std::vector<uint32_t>
GraphTransfer::GetMembers(const ClusterShape& shape, uint32_t server, uint32_t step) const
{
    std::vector<uint32_t> gpus;
    const uint32_t first = server * shape.gpusPerServer;
    for (uint32_t gpu = first; gpu < first + shape.gpusPerServer; ++gpu)
    {
        if (TakesPart(gpu, step))
        {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

std::vector<Demand>
ListDemands(const std::map<uint32_t, uint64_t>& bytes, uint32_t gpu)
{
    std::vector<Demand> demands;
    for (const auto& [other, many] : bytes)
    {
        if (other != gpu && many > 0)
        {
            demands.push_back({other, many});
        }
    }
    return demands;
}

std::vector<Demand>
PairTransfer::GetSends(uint32_t gpu, uint32_t step) const
{
    std::vector<Demand> sends;
    for (const uint32_t other : GetPartners(gpu, step))
    {
        const uint64_t bytes = other == gpu ? 0 : CountBytes(gpu, other, step);
        if (bytes > 0)
        {
            sends.push_back({other, bytes});
        }
    }
    SortByDestination(sends);
    return sends;
}

uint64_t
PairTransfer::GetReceived(uint32_t gpu, uint32_t step) const
{
    uint64_t bytes = 0;
    for (const uint32_t other : GetPartners(gpu, step))
    {
        bytes += other == gpu ? 0 : CountBytes(other, gpu, step);
    }
    return bytes;
}

} // namespace ns3::rails
