// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATRIX_TRANSFER_H
#define MATRIX_TRANSFER_H

#include "graph-transfer.h"

#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// What GPUs get, those that get nothing left out, ascending: there may be thousands of small
/// steps.
using ColumnSums = std::vector<Demand>;

/// Sums of the columns of matrices, each matrix once.
class ColumnSumCache
{
  public:
    std::shared_ptr<const ColumnSums> Get(const std::shared_ptr<const TrafficMatrix>& matrix);

  private:
    std::map<std::shared_ptr<const TrafficMatrix>, std::shared_ptr<const ColumnSums>> m_known;
};

/// A transfer of which each step is a matrix of all GPUs.
class MatrixTransfer : public GraphTransfer
{
  public:
    struct Step
    {
        std::shared_ptr<const TrafficMatrix> sent;
        std::shared_ptr<const ColumnSums> received;
        TimePs start{0}; //!< of a timed transfer
    };

    /// The rail of what a GPU sends in a step, see GraphTransfer::GetRail().
    using RailOf = std::function<RailQueue(uint32_t gpu, uint32_t step)>;

    /**
     * \param traits all but its number of steps
     * \param steps at least one
     * \param getRail none: planners decide
     */
    MatrixTransfer(TransferTraits traits, std::vector<Step> steps, RailOf getRail = {});

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;
    TimePs GetStart(uint32_t step) const override;

    const std::vector<Step>& GetSteps() const
    {
        return m_steps;
    }

  private:
    std::vector<Step> m_steps;
    RailOf m_getRail;
};

/// \return all that transfers move. \param transfers those that are null are none
/// \param often how often all of them happen
TrafficMatrix AddUp(const ClusterShape& shape,
                    const std::vector<std::shared_ptr<const MatrixTransfer>>& transfers,
                    uint64_t often = 1);

} // namespace ns3::rails

#endif // MATRIX_TRANSFER_H
