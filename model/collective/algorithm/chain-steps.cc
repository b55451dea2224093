// SPDX-License-Identifier: GPL-2.0-only
#include "chain-steps.h"

#include <algorithm>
#include <map>
#include <memory>

namespace ns3::rails
{

namespace
{

std::shared_ptr<const TrafficMatrix>
MakeStep(const ClusterShape& shape,
         const std::vector<GpuRing>& chains,
         uint32_t chunks,
         uint64_t step)
{
    const auto matrix = std::make_shared<TrafficMatrix>(shape);
    for (const GpuRing& chain : chains)
    {
        for (uint32_t distance = 0; distance + 1 < chain.gpus.size(); ++distance)
        {
            if (step >= distance && step - distance < chunks)
            {
                const auto chunk = static_cast<uint32_t>(step - distance);
                matrix->Add(chain.gpus[distance],
                            chain.gpus[distance + 1],
                            GetPart(chain.bytes, chunks, chunk));
            }
        }
    }
    return matrix;
}

} // namespace

CollectiveSteps
MakeChainSteps(const ClusterShape& shape, const std::vector<GpuRing>& chains, uint32_t chunks)
{
    const auto length = static_cast<uint32_t>(chains.front().gpus.size());
    const bool isEven = std::all_of(chains.begin(), chains.end(), [chunks](const GpuRing& chain) {
        return chain.bytes % chunks == 0;
    });
    CollectiveSteps steps;
    for (uint64_t step = 0; step < CountChainSteps(length, chunks); ++step)
    {
        // Where all pass on chunks of equal size, the steps are equal.
        const bool isLikeTheLast = isEven && step + 1 >= length && step < chunks;
        steps.push_back(isLikeTheLast ? steps.back() : MakeStep(shape, chains, chunks, step));
    }
    return steps;
}

uint64_t
CountChainSteps(uint32_t length, uint32_t chunks)
{
    return uint64_t{chunks} + length - 2;
}

CollectiveSteps
MirrorSteps(const CollectiveSteps& steps)
{
    std::map<const TrafficMatrix*, std::shared_ptr<const TrafficMatrix>> mirrored;
    CollectiveSteps mirror;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    {
        auto& known = mirrored[step->get()];
        if (!known)
        {
            known = std::make_shared<const TrafficMatrix>((*step)->Transpose());
        }
        mirror.push_back(known);
    }
    return mirror;
}

} // namespace ns3::rails
