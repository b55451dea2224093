// SPDX-License-Identifier: GPL-2.0-only
#ifndef STAGE_SEND_H
#define STAGE_SEND_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Activations, or gradients of these, go from each GPU of a stage to the GPU in the same place of
/// another.
class StageSend : public GraphTransfer
{
  public:
    /// \param context the training; has to live as long
    /// \param vectors of each token
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

/// \return what a stage sends in a slot. \param vectors of each token
Operation MakeStageSend(const TrainingContext& context, uint32_t vectors);

/// \return the same where it comes to: it waits for that
Operation MakeStageReceipt(const TrainingContext& context, uint32_t vectors);

} // namespace ns3::rails

#endif // STAGE_SEND_H
