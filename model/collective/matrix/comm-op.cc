// SPDX-License-Identifier: GPL-2.0-only
#include "comm-op.h"

namespace ns3::rails
{

std::vector<uint32_t>
CommOp::GetMembers(const ClusterShape& shape, uint32_t server, uint32_t step) const
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

void
AddSends(uint32_t gpu, const CommOp& transfer, uint64_t often, MatrixSum& total)
{
    const uint32_t inLane = transfer.CountLaneSteps();
    const uint32_t different = transfer.CountDifferentSteps();
    for (uint32_t lane = 0; lane < transfer.GetTraits().lanes; ++lane)
    {
        for (uint32_t step = 0; step < different; ++step)
        {
            const uint64_t times = (inLane - step + different - 1) / different * often;
            total.Add(gpu, transfer.GetSends(gpu, lane * inLane + step), times);
        }
    }
}

TrafficMatrix
AddUp(const ClusterShape& shape,
      const std::vector<std::shared_ptr<const CommOp>>& transfers,
      uint64_t often)
{
    MatrixSum total(shape);
    for (const auto& transfer : transfers)
    {
        for (uint32_t gpu = 0; transfer && gpu < shape.GetGpus(); ++gpu)
        {
            AddSends(gpu, *transfer, often, total);
        }
    }
    return total.Get();
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
