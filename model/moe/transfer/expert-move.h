// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_MOVE_H
#define EXPERT_MOVE_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Experts go to other GPUs for good, between two iterations, and what GPUs that hold them have of
/// their optimizer is divided anew.
class ExpertMove : public GraphTransfer
{
  public:
    /// \param context the training, which has a policy; has to live as long
    ExpertMove(const TrainingContext& context, const SlotPlace& place);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    SlotPlace m_place;
};

/// \return all moves of an iteration
Operation MakeExpertMove(const TrainingContext& context);

} // namespace ns3::rails

#endif // EXPERT_MOVE_H
