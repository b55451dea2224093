// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-sum.h"

namespace ns3::rails
{

MatrixSum::MatrixSum(const ClusterShape& shape)
    : m_shape(shape),
      m_rows(shape.GetGpus())
{
}

void
MatrixSum::Add(uint32_t source, const std::vector<Demand>& row, uint64_t often)
{
    for (const Demand& demand : row)
    {
        m_rows[source][demand.destination] += often * demand.bytes;
    }
}

void
MatrixSum::Add(const TrafficMatrix& matrix, uint64_t often)
{
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        Add(source, matrix.GetRow(source), often);
    }
}

TrafficMatrix
MatrixSum::Get() const
{
    TrafficMatrix sum(m_shape);
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        for (const auto& [destination, bytes] : m_rows[source])
        {
            sum.Add(source, destination, bytes);
        }
    }
    return sum;
}

} // namespace ns3::rails
