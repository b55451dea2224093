// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-matrix-source.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3::rails
{

TrafficMatrix
PairwiseMatrixSource::Generate(const GpuPartition& groups)
{
    TrafficMatrix matrix(groups.GetShape());
    const uint32_t size = groups.GetSize();
    for (const std::vector<uint32_t>& gpus : groups.GetGroups())
    {
        Start(size);
        for (uint32_t source = 0; source < size; ++source)
        {
            const uint32_t server = groups.GetServer(gpus[source]);
            for (uint32_t destination = 0; destination < size; ++destination)
            {
                if (source != destination &&
                    (m_intra || server != groups.GetServer(gpus[destination])))
                {
                    matrix.Add(gpus[source], gpus[destination], GetBytes(source, destination));
                }
            }
        }
    }
    return matrix;
}

double
PairwiseMatrixSource::EstimateBytes(const GpuPartition& groups) const
{
    // On average over draws, all destinations have equally many sources.
    return CountPairs(groups) * GetMeanBytes(groups.GetSize());
}

double
PairwiseMatrixSource::EstimatePairs(const GpuPartition& groups) const
{
    return CountPairs(groups) * GetDensity();
}

double
PairwiseMatrixSource::GetDensity() const
{
    return 1;
}

/// \return number of pairs that may have traffic
double
PairwiseMatrixSource::CountPairs(const GpuPartition& groups) const
{
    const uint64_t size = groups.GetSize();
    uint64_t pairs = groups.GetCount() * size * (size - 1);
    if (!m_intra)
    {
        pairs = 0;
        for (uint32_t number = 0; number < groups.GetCount(); ++number)
        {
            pairs += groups.CountPairsApart(number);
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
