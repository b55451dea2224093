// SPDX-License-Identifier: GPL-2.0-only
#ifndef STAGE_SEND_H
#define STAGE_SEND_H

#include "operation.h"

#include "ns3/comm-op.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Activations, or their gradients, from each GPU of a stage to its peer in another stage.
class StageSend : public CommOp
{
  public:
    /// \param context must outlive this object
    /// \param vectors per token
    StageSend(const TrainingContext& context, uint32_t from, uint32_t to, uint32_t vectors);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    uint32_t m_from;
    uint32_t m_to;
    uint64_t m_bytes;
};

/// \return the transfer to the next stage in a slot. \param vectors per token
Operation MakeStageSend(const TrainingContext& context, uint32_t vectors);

/// \return the same transfer at the receiving stage, which waits for it. \param vectors per token
Operation MakeStageReceipt(const TrainingContext& context, uint32_t vectors);

} // namespace ns3::rails

#endif // STAGE_SEND_H
