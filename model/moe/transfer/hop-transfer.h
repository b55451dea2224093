// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOP_TRANSFER_H
#define HOP_TRANSFER_H

#include "ns3/comm-op.h"
#include "ns3/copy-hops.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Parameters or gradients of experts between GPUs of a group, on hops that a policy has planned.
class HopTransfer : public CommOp
{
  public:
    /// \param context must outlive this object
    /// \param stage whose groups take part
    HopTransfer(const CommOpTraits& traits, const TrainingContext& context, uint32_t stage);

    bool TakesPart(uint32_t gpu, uint32_t step) const final;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const final;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const final;

  protected:
    /// Hops of a group.
    struct Hops
    {
        const std::vector<CopyHop>& all; //!< sorted by sending GPU
        double share;                    //!< CopyTraffic::share
    };

    /// \return hops of a GPU's group
    virtual Hops FindHops(uint32_t gpu) const = 0;

    /// \return bytes sent over a hop in a step
    virtual uint64_t CountBytes(const CopyHop& hop, const Hops& hops, uint32_t step) const = 0;

    const TrainingContext& GetContext() const
    {
        return m_context;
    }

  private:
    const TrainingContext& m_context;
    uint32_t m_stage;
};

} // namespace ns3::rails

#endif // HOP_TRANSFER_H
