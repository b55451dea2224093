// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_TIMING_H
#define CIRCUIT_TIMING_H

#include "circuit-prediction.h"
#include "rails-units.h"

#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::rails
{

/// Reconfiguration of circuits for the exchanges of a workload.
struct CircuitTiming
{
    uint32_t servers{0}; //!< consecutive servers of one region; 0: there are no circuits
    TimePs delay{0}; //!< from the last announcement of bytes by a GPU of a region until its GPUs
                     //!< are told of the new circuits
    TimePs backwardDelay{0};                          //!< `delay` in the backward pass
    Ptr<const CircuitPrediction> prediction{nullptr}; //!< null: tokens wait after the gate
    bool takesTurns{false}; //!< time-slotted: one-way circuits, one after the other, laid for each
                            //!< exchange
    uint32_t joined{0}; //!< servers of all regions; these are the first of the cluster, and later
                        //!< servers have no circuits
};

} // namespace ns3::rails

#endif // CIRCUIT_TIMING_H
