// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLOT_PLACE_H
#define SLOT_PLACE_H

#include "ns3/token-load.h"

#include <cstdint>

namespace ns3::rails
{

/// Which slot of the schedule of a stage, and where what goes from stage to stage in it comes from.
struct SlotPlace
{
    uint32_t iteration{0};
    uint32_t stage{0};
    uint32_t chunk{0};
    uint32_t microbatch{0};
    uint32_t receivedStep{0}; //!< in which another stage sends it on; a step of the run
    uint32_t receivedFrom{0}; //!< that stage
    uint32_t sentTo{0};       //!< the stage that it is sent on to

    /// \return where that is for the load of a layer
    LoadPlace Find(uint32_t layer) const
    {
        return {iteration, layer, microbatch, 0};
    }
};

} // namespace ns3::rails

#endif // SLOT_PLACE_H
