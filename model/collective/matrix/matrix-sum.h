// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_SUM_H
#define MATRIX_SUM_H

#include "traffic-matrix.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rails
{

/// Sums traffic that is added in any order.
class MatrixSum
{
  public:
    /// \param shape the cluster
    explicit MatrixSum(const ClusterShape& shape);

    /**
     * \param source a GPU
     * \param row traffic that it sends
     * \param often repetitions of the row
     */
    void Add(uint32_t source, const std::vector<Demand>& row, uint64_t often = 1);

    /// Adds a whole matrix of the same cluster.
    void Add(const TrafficMatrix& matrix, uint64_t often = 1);

    /// \return the sum
    TrafficMatrix Get() const;

  private:
    ClusterShape m_shape;
    std::vector<std::map<uint32_t, uint64_t>> m_rows; //!< bytes by source and destination
};

} // namespace ns3::rails

#endif // MATRIX_SUM_H
