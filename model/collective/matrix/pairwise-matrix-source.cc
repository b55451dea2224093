// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-matrix-source.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

TrafficMatrix
PairwiseMatrixSource::Generate(const GpuGroups& groups)
{
    TrafficMatrix matrix(groups.GetShape());
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const GpuGroup group = groups.Get(number);
        Start(group.GetSize());
        for (uint32_t source = 0; source < group.GetSize(); ++source)
        {
            for (uint32_t destination = 0; destination < group.GetSize(); ++destination)
            {
                if (source != destination && (m_intra || !group.ShareServer(source, destination)))
                {
                    matrix.Add(group.GetGpu(source),
                               group.GetGpu(destination),
                               GetBytes(source, destination));
                }
            }
        }
    }
    return matrix;
}

double
PairwiseMatrixSource::EstimateBytes(const GpuGroups& groups) const
{
    // As many sources have something for one destination as for any other, on average over draws.
    return CountPairs(groups) * GetMeanBytes(groups.GetSize());
}

double
PairwiseMatrixSource::EstimatePairs(const GpuGroups& groups) const
{
    return CountPairs(groups) * GetDensity();
}

double
PairwiseMatrixSource::GetDensity() const
{
    return 1;
}

/// \return pairs that may have something for each other
double
PairwiseMatrixSource::CountPairs(const GpuGroups& groups) const
{
    const uint64_t size = groups.GetSize();
    uint64_t pairs = groups.GetCount() * size * (size - 1);
    if (!m_intra)
    {
        pairs = 0;
        for (uint32_t number = 0; number < groups.GetCount(); ++number)
        {
            pairs += groups.Get(number).CountPairsApart();
        }
    }
    return static_cast<double>(pairs);
}

void
PairwiseMatrixSource::Start(uint32_t)
{
}

uint64_t
PairwiseMatrixSource::RoundBytes(double bytes)
{
    return std::max<int64_t>(1, std::llround(bytes));
}

} // namespace ns3::rails
