// SPDX-License-Identifier: GPL-2.0-only
#ifndef MIRROR_EXCHANGE_H
#define MIRROR_EXCHANGE_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Two stages that have the same parts of the model exchange what each of their GPUs has for its
/// peer: half of its gradients, or of its parameters.
class MirrorExchange : public GraphTransfer
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
    uint32_t m_stage; //!< one of them
    uint64_t m_bytes; //!< of a GPU
};

/// \return such an exchange, of slots that both stages have alike. \param bytes of a GPU
Operation MakeMirrorExchange(const TrainingContext& context, TrainingKind kind, uint64_t bytes);

} // namespace ns3::rails

#endif // MIRROR_EXCHANGE_H
