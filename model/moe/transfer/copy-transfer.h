// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_TRANSFER_H
#define COPY_TRANSFER_H

#include "hop-transfer.h"
#include "operation.h"

#include <cstdint>

namespace ns3::rails
{

/// Sends parameters of temporary replicas to their GPUs for a micro-batch, or gradients back, in
/// chunks that are forwarded hop by hop.
class CopyTransfer : public HopTransfer
{
  public:
    /// Chunks to send.
    enum class Window : uint8_t
    {
        All,
        First,
        Second
    };

    /// Content of a transfer.
    struct What
    {
        bool isGradients{false};
        uint32_t layer{0};
        Window window{Window::All};
        bool isAgain{false};  //!< parameters, fetched again before the backward pass
        bool isBeside{false}; //!< token exchanges do not wait for it
    };

    /// \param context a training with a policy; must outlive this object
    CopyTransfer(const TrainingContext& context, const What& what, const SlotPlace& place);

    /// \return steps of a transfer in a training
    static uint32_t CountSteps(const TrainingSpec& spec);

  protected:
    Hops FindHops(uint32_t gpu) const override;
    uint64_t CountBytes(const CopyHop& hop, const Hops& hops, uint32_t step) const override;

  private:
    What m_what;
    SlotPlace m_place;
};

/// \return the transfer of a layer's replicas. \param stream that it runs on
Operation MakeCopyTransfer(const TrainingContext& context,
                           CopyTransfer::What what,
                           TrainingStream stream);

} // namespace ns3::rails

#endif // COPY_TRANSFER_H
