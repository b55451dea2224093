// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_MOVE_H
#define EXPERT_MOVE_H

#include "hop-transfer.h"
#include "operation.h"

#include <cstdint>

namespace ns3::rails
{

/// Experts go to other GPUs for good, between two iterations.
class ExpertMove : public HopTransfer
{
  public:
    /// \param context the training, which has a policy; has to live as long
    ExpertMove(const TrainingContext& context, const SlotPlace& place);

  protected:
    Hops FindHops(uint32_t gpu) const override;
    uint64_t CountBytes(const CopyHop& hop, const Hops& hops, uint32_t step) const override;

  private:
    uint32_t m_iteration;
};

/// \return all moves of an iteration
Operation MakeExpertMove(const TrainingContext& context);

} // namespace ns3::rails

#endif // EXPERT_MOVE_H
