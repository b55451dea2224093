// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-source.h"

#include <stdexcept>

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
MatrixSource::Check(const GpuGroups&) const
{
}

double
MatrixSource::EstimatePairs(const GpuGroups& groups) const
{
    return double{1} * groups.GetCount() * groups.GetSize() * (groups.GetSize() - 1.0);
}

bool
MatrixSource::KnowsTokens() const
{
    return false;
}

TokenCopies
MatrixSource::GenerateCopies(const GpuGroups&)
{
    throw std::logic_error("a matrix without tokens has no copies of them");
}

double
MatrixSource::EstimateCopyBytes(const GpuGroups&) const
{
    throw std::logic_error("a matrix without tokens has no copies of them");
}

int64_t
MatrixSource::AssignStreams(int64_t)
{
    return 0;
}

TrafficMatrix
MatrixSource::Repeat(const TrafficMatrix& ofGroup, const GpuGroups& groups)
{
    TrafficMatrix matrix(groups.GetShape());
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        const GpuGroup group = groups.Get(number);
        for (uint32_t source = 0; source < group.GetSize(); ++source)
        {
            for (const Demand& demand : ofGroup.GetRow(source))
            {
                matrix.Add(group.GetGpu(source), group.GetGpu(demand.destination), demand.bytes);
            }
        }
    }
    return matrix;
}

} // namespace ns3::rails
