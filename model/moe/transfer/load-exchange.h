// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_EXCHANGE_H
#define LOAD_EXCHANGE_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Loads of experts go from each GPU of a group to all others, for a policy.
class LoadExchange : public PairTransfer
{
  public:
    /// Which loads.
    enum class What : uint8_t
    {
        Now,   //!< of the layer and micro-batch
        AtEnd, //!< of the layer in this iteration, with its last micro-batch
        Moves  //!< of all layers that are planned, at the beginning of an iteration
    };

    /// \param context the training, which has a policy; has to live as long
    /// \param isBeside tokens do not wait for it
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

/// \return that of a layer
Operation MakeLoadExchange(const TrainingContext& context,
                           LoadExchange::What what,
                           TrainingStream stream,
                           uint32_t layer);

} // namespace ns3::rails

#endif // LOAD_EXCHANGE_H
