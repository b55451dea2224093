// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_TRANSFER_H
#define MATRIX_TRANSFER_H

#include "ns3/comm-op.h"
#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Bytes received by GPU, ascending, without zeros: there may be thousands of small steps.
using ColumnSums = std::vector<Demand>;

/// Column sums of matrices, computed once for each matrix.
class ColumnSumCache
{
  public:
    std::shared_ptr<const ColumnSums> Get(const std::shared_ptr<const TrafficMatrix>& matrix);

  private:
    std::map<std::shared_ptr<const TrafficMatrix>, std::shared_ptr<const ColumnSums>> m_known;
};

/// A transfer whose steps are matrices of all GPUs.
class MatrixTransfer : public CommOp
{
  public:
    struct Step
    {
        std::shared_ptr<const TrafficMatrix> sent;
        std::shared_ptr<const ColumnSums> received;
        TimePs start{0}; //!< of a timed transfer
    };

    /**
     * \param traits without its number of steps
     * \param steps at least one
     */
    MatrixTransfer(CommOpTraits traits, std::vector<Step> steps);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    TimePs GetStart(uint32_t step) const override;

  private:
    std::vector<Step> m_steps;
};

} // namespace ns3::rails

#endif // MATRIX_TRANSFER_H
