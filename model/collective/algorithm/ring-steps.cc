// SPDX-License-Identifier: GPL-2.0-only
#include "ring-steps.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

namespace
{

std::shared_ptr<const TrafficMatrix>
MakeStep(const ClusterShape& shape, const std::vector<GpuRing>& rings, uint32_t step)
{
    const auto matrix = std::make_shared<TrafficMatrix>(shape);
    for (const GpuRing& ring : rings)
    {
        const auto size = static_cast<uint32_t>(ring.gpus.size());
        for (uint32_t member = 0; member < size - (ring.isOpen ? 1 : 0); ++member)
        {
            matrix->Add(ring.gpus[member],
                        ring.gpus[(member + 1) % size],
                        GetRingPart(ring.bytes, size, member, step));
        }
    }
    return matrix;
}

} // namespace

uint64_t
GetRingPart(uint64_t bytes, uint32_t size, uint32_t member, uint32_t step)
{
    return GetPart(bytes, size, (member + size - step % size) % size);
}

uint64_t
SumRingParts(uint64_t bytes, uint32_t size, uint32_t member, uint32_t first, uint32_t end)
{
    // In step s goes part (member - s) mod size; the first bytes % size of the parts have a byte
    // more.
    const uint64_t longer = bytes % size;
    const uint64_t steps = end - first;
    const uint64_t begin = (member + size - (end - 1) % size) % size; // parts upwards from here
    const uint64_t rest = steps % size;
    const auto countLonger = [&](uint64_t from, uint64_t to) {
        return std::min(to, longer) - std::min(from, longer);
    };
    uint64_t sum = steps * (bytes / size) + steps / size * longer;
    sum += countLonger(begin, std::min<uint64_t>(begin + rest, size));
    return sum + countLonger(0, begin + rest > size ? begin + rest - size : 0);
}

std::vector<GpuRing>
MakeRings(const GpuGroups& groups, uint64_t bytes, uint32_t first)
{
    const uint32_t size = groups.GetSize();
    std::vector<GpuRing> rings(groups.GetCount());
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const GpuGroup group = groups.Get(number);
        rings[number].bytes = bytes;
        for (uint32_t member = 0; member < size; ++member)
        {
            rings[number].gpus.push_back(group.GetGpu((first + member) % size));
        }
    }
    return rings;
}

CollectiveSteps
MakeRingSteps(const ClusterShape& shape, const std::vector<GpuRing>& rings, uint32_t rounds)
{
    const auto size = static_cast<uint32_t>(rings.front().gpus.size());
    // Parts of equal size make equal steps.
    const bool isEven = std::all_of(rings.begin(), rings.end(), [size](const GpuRing& ring) {
        return ring.bytes % size == 0;
    });
    const uint32_t different = isEven ? 1 : size;
    CollectiveSteps steps;
    for (uint32_t step = 0; step < rounds * (size - 1); ++step)
    {
        steps.push_back(step < different ? MakeStep(shape, rings, step) : steps[step % different]);
    }
    return steps;
}

} // namespace ns3::rails
