// SPDX-License-Identifier: GPL-2.0-only
#include "ring-steps.h"

#include <utility>

namespace ns3::rails
{

namespace
{

TrafficMatrix
MakeStep(const GpuGroups& groups, uint64_t bytes, uint32_t step)
{
    const uint32_t size = groups.GetSize();
    std::vector<Demand> demands(groups.GetShape().GetGpus()); // by source: groups may be strided
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const GpuGroup group = groups.Get(number);
        for (uint32_t member = 0; member < size; ++member)
        {
            demands[group.GetGpu(member)] = {group.GetGpu((member + 1) % size),
                                             GetRingPart(bytes, size, member, step)};
        }
    }
    TrafficMatrix matrix(groups.GetShape());
    for (uint32_t gpu = 0; gpu < demands.size(); ++gpu)
    {
        matrix.Add(gpu, demands[gpu].destination, demands[gpu].bytes);
    }
    return matrix;
}

} // namespace

uint64_t
GetRingPart(uint64_t bytes, uint32_t size, uint32_t member, uint32_t step)
{
    const uint32_t part = (member + size - step % size) % size;
    return bytes / size + (part < bytes % size ? 1 : 0);
}

std::vector<std::shared_ptr<const TrafficMatrix>>
MakeRingSteps(const GpuGroups& groups, uint64_t bytes, uint32_t rounds)
{
    const uint32_t size = groups.GetSize();
    // Parts of equal size make equal steps.
    const uint32_t different = bytes % size == 0 ? 1 : size;
    std::vector<std::shared_ptr<const TrafficMatrix>> steps;
    for (uint32_t step = 0; step < rounds * (size - 1); ++step)
    {
        steps.push_back(step < different
                            ? std::make_shared<const TrafficMatrix>(MakeStep(groups, bytes, step))
                            : steps[step % different]);
    }
    return steps;
}

} // namespace ns3::rails
