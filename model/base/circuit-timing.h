// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_TIMING_H
#define CIRCUIT_TIMING_H

#include "rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// What a workload has to know of circuits that are moved for its exchanges.
struct CircuitTiming
{
    uint32_t servers{0}; //!< of a region, which follow each other; 0: there are no circuits
    TimePs delay{0};     //!< from the time when all GPUs of a region have announced what they will
                         //!< send until they are told that circuits are there
};

} // namespace ns3::rails

#endif // CIRCUIT_TIMING_H
