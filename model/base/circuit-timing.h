// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_TIMING_H
#define CIRCUIT_TIMING_H

#include "rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// When circuits are moved for what goes forward to experts. (MixNet, arXiv 2501.03905, appendix
/// B.2)
enum CircuitForesight
{
    FORESIGHT_NONE,     //!< behind the gate, which tokens wait for
    FORESIGHT_PREVIOUS, //!< not before tokens go, which take the circuits of what was before; then,
                        //!< beside experts, for what comes back
    FORESIGHT_COPILOT   //!< to where they are foreseen to go, beside attention; then the same
};

/// What a workload has to know of circuits that are moved for its exchanges.
struct CircuitTiming
{
    uint32_t servers{0}; //!< of a region, which follow each other; 0: there are no circuits
    TimePs delay{0};     //!< from the time when all GPUs of a region have announced what they will
                         //!< send until they are told that circuits are there
    TimePs backwardDelay{0}; //!< the same on the way back
    CircuitForesight foresight{FORESIGHT_NONE};
    bool takesTurns{false}; //!< circuits of one direction, laid for each exchange, one after the
                            //!< other
    uint32_t joined{0}; //!< servers of all regions together, the first ones of the cluster; those
                        //!< behind them have no circuits
};

} // namespace ns3::rails

#endif // CIRCUIT_TIMING_H
