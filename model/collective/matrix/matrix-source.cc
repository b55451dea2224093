// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-source.h"

#include <stdexcept>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MatrixSource);

TypeId
MatrixSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::MatrixSource").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
MatrixSource::Check(const GpuPartition&) const
{
}

double
MatrixSource::EstimatePairs(const GpuPartition& groups) const
{
    return double{1} * groups.GetCount() * groups.GetSize() * (groups.GetSize() - 1.0);
}

TokenCopies
MatrixSource::GenerateCopies(const GpuPartition&)
{
    throw std::logic_error("a matrix without tokens has no copies of them");
}

double
MatrixSource::EstimateCopyBytes(const GpuPartition&) const
{
    throw std::logic_error("a matrix without tokens has no copies of them");
}

int64_t
MatrixSource::AssignStreams(int64_t)
{
    return 0;
}

TrafficMatrix
MatrixSource::Repeat(const TrafficMatrix& ofGroup, const GpuPartition& groups)
{
    TrafficMatrix matrix(groups.GetShape());
    for (const std::vector<uint32_t>& gpus : groups.GetGroups())
    {
        for (uint32_t source = 0; source < gpus.size(); ++source)
        {
            for (const Demand& demand : ofGroup.GetRow(source))
            {
                matrix.Add(gpus[source], gpus[demand.destination], demand.bytes);
            }
        }
    }
    return matrix;
}

} // namespace ns3::rails
