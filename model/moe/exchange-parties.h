// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXCHANGE_PARTIES_H
#define EXCHANGE_PARTIES_H

#include "gpu-group-table.h"
#include "slot-operations.h"
#include "training-plan.h"

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
    /**
     * \param plan the training
     * \param experts groups of GPUs that exchange tokens for each other's experts
     * \param expertTensor groups of GPUs that share experts
     */
    ExchangeParties(const TrainingPlan& plan,
                    const GpuGroupTable& experts,
                    const GpuGroupTable& expertTensor);

    /// \return whether GPUs exchange in an operation what is known when tokens are routed
    static bool Has(Operation::Type type);

    /// \return steps that an operation takes for that, one for each party; 1 if it has none
    uint32_t Count(Operation::Type type) const;

    /// \return which of them a GPU takes part in; 0 if the operation has none
    uint32_t Get(Operation::Type type, uint32_t gpu) const;

  private:
    /// The parties of one kind of groups.
    struct Parties
    {
        std::vector<uint32_t> ofGpu;
        uint32_t count{1};
    };

    static Parties Find(const TrainingPlan& plan, const GpuGroupTable& table);
    const Parties& Of(Operation::Type type) const;

    Parties m_experts;
    Parties m_expertTensor;
};

} // namespace ns3::rails

#endif // EXCHANGE_PARTIES_H
