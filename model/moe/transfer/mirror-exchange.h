// SPDX-License-Identifier: GPL-2.0-only
#ifndef MIRROR_EXCHANGE_H
#define MIRROR_EXCHANGE_H

#include "operation.h"

#include "ns3/comm-op.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Exchange between two stages that hold the same parts of the model: each GPU and its peer swap
/// half of their gradients, or of their parameters.
class MirrorExchange : public CommOp
{
  public:
    MirrorExchange(const TrainingContext& context,
                   TrainingKind kind,
                   uint32_t stage,
                   uint64_t bytes);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    uint32_t m_stage; //!< one of the two stages
    uint64_t m_bytes; //!< bytes that each GPU sends
};

/// \return the exchange, for slots that both stages have. \param bytes that each GPU sends
Operation MakeMirrorExchange(const TrainingContext& context, TrainingKind kind, uint64_t bytes);

} // namespace ns3::rails

#endif // MIRROR_EXCHANGE_H
