// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLOT_PLACE_H
#define SLOT_PLACE_H

#include "ns3/token-load.h"

#include <cstdint>

namespace ns3::rails
{

/// A slot of a stage in an iteration, and the pipeline transfers of the slot.
struct SlotPlace
{
    uint32_t iteration{0};
    uint32_t stage{0};
    uint32_t chunk{0};
    uint32_t microbatch{0};
    uint32_t receivedStep{0}; //!< step of the run in which the input is sent
    uint32_t receivedFrom{0}; //!< stage that sends the input
    uint32_t sentTo{0};       //!< stage that receives the output

    /// \return the place of a layer's load in this slot
    LoadPlace Find(uint32_t layer) const
    {
        return {iteration, layer, microbatch, 0};
    }
};

} // namespace ns3::rails

#endif // SLOT_PLACE_H
