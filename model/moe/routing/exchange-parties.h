// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXCHANGE_PARTIES_H
#define EXCHANGE_PARTIES_H

#include "ns3/gpu-group-table.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Groups that exchange tokens in the same operation, and share a server, are parties: each has a
 * step of its own in it, so that none waits for another. Groups that share no server may be the
 * same party.
 */
class ExchangeParties
{
  public:
    /// \param plan the training \param groups of GPUs that exchange tokens
    ExchangeParties(const TrainingPlan& plan, const GpuGroupTable& groups);

    /// \return how many there are, in all stages
    uint32_t Count() const
    {
        return m_count;
    }

    /// \return which of them a GPU is in
    uint32_t Get(uint32_t gpu) const
    {
        return m_ofGpu[gpu];
    }

  private:
    std::vector<uint32_t> m_ofGpu;
    uint32_t m_count{1};
};

} // namespace ns3::rails

#endif // EXCHANGE_PARTIES_H
