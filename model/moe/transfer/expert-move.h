// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_MOVE_H
#define EXPERT_MOVE_H

#include "operation.h"

#include "ns3/comm-op.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Applies a new placement between two iterations: sends parameters of moved experts, and
/// redistributes optimizer states over their hosts.
class ExpertMove : public CommOp
{
  public:
    /// \param context a training with a policy; must outlive this object
    ExpertMove(const TrainingContext& context, const SlotPlace& place);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    SlotPlace m_place;
};

/// \return all moves before an iteration
Operation MakeExpertMove(const TrainingContext& context);

} // namespace ns3::rails

#endif // EXPERT_MOVE_H
