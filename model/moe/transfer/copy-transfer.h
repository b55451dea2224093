// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_TRANSFER_H
#define COPY_TRANSFER_H

#include "hop-transfer.h"
#include "operation.h"

#include <cstdint>

namespace ns3::rails
{

/// Parameters of copies of experts go to the GPUs that compute with them for a micro-batch, or
/// gradients come back: in pieces, which are passed on hop by hop.
class CopyTransfer : public HopTransfer
{
  public:
    /// Which pieces go.
    enum class Window : uint8_t
    {
        All,
        First,
        Second
    };

    /// What goes.
    struct What
    {
        bool isGradients{false};
        uint32_t layer{0};
        Window window{Window::All};
        bool isAgain{false};  //!< parameters, fetched once more before the way back
        bool isBeside{false}; //!< tokens do not wait for it
    };

    /// \param context the training, which has a policy; has to live as long
    CopyTransfer(const TrainingContext& context, const What& what, const SlotPlace& place);

    /// \return how many steps copies take in a training
    static uint32_t CountSteps(const TrainingPlan& plan);

  protected:
    Hops FindHops(uint32_t gpu) const override;
    uint64_t CountBytes(const CopyHop& hop, const Hops& hops, uint32_t step) const override;

  private:
    What m_what;
    SlotPlace m_place;
};

/// \return copies of a layer \param stream on which they go
Operation MakeCopyTransfer(const TrainingContext& context,
                           CopyTransfer::What what,
                           TrainingStream stream);

} // namespace ns3::rails

#endif // COPY_TRANSFER_H
