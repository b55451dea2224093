// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-matrix-source.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

TrafficMatrix
PairwiseMatrixSource::Generate(const ClusterShape& shape)
{
    Start(shape);
    TrafficMatrix matrix(shape);
    for (uint32_t source = 0; source < shape.GetGpus(); ++source)
    {
        for (uint32_t destination = 0; destination < shape.GetGpus(); ++destination)
        {
            const bool inside = shape.GetDomain(source) == shape.GetDomain(destination);
            if (source != destination && (m_intra || !inside))
            {
                matrix.Add(source, destination, GetBytes(source, destination));
            }
        }
    }
    return matrix;
}

double
PairwiseMatrixSource::EstimateBytes(const ClusterShape& shape) const
{
    // As many sources have something for one destination as for any other.
    const uint32_t gpus = shape.GetGpus();
    const double sources = gpus - (m_intra ? 1 : shape.gpusPerDomain);
    return sources * gpus * GetMeanBytes(gpus);
}

void
PairwiseMatrixSource::Start(const ClusterShape&)
{
}

uint64_t
PairwiseMatrixSource::RoundBytes(double bytes)
{
    return std::max<int64_t>(1, std::llround(bytes));
}

} // namespace ns3::rails
