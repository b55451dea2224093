// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_EXCHANGE_H
#define LOAD_EXCHANGE_H

#include "operation.h"

#include "ns3/comm-op.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// All-gather of token counts in a group, for a policy.
class LoadExchange : public PairTransfer
{
  public:
    /// Scope of the token counts.
    enum class What : uint8_t
    {
        Now,   //!< one layer and micro-batch
        AtEnd, //!< one layer, all micro-batches of the iteration; sent in the last one
        Moves  //!< all planned layers, at the beginning of an iteration
    };

    /// \param context a training with a policy; must outlive this object
    /// \param isBeside token exchanges do not wait for it
    LoadExchange(const TrainingContext& context,
                 What what,
                 uint32_t layer,
                 const SlotPlace& place,
                 bool isBeside);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;

  protected:
    const std::vector<uint32_t>& GetPartners(uint32_t gpu, uint32_t step) const override;
    uint64_t CountBytes(uint32_t from, uint32_t to, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    What m_what;
    uint32_t m_layer;
    SlotPlace m_place;
};

/// \return the load exchange of a layer
Operation MakeLoadExchange(const TrainingContext& context,
                           LoadExchange::What what,
                           TrainingStream stream,
                           uint32_t layer);

} // namespace ns3::rails

#endif // LOAD_EXCHANGE_H
