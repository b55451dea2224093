// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_TIMING_H
#define CIRCUIT_TIMING_H

#include "circuit-prediction.h"
#include "rails-units.h"

#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::rails
{

/// What a workload has to know of circuits that are moved for its exchanges.
struct CircuitTiming
{
    uint32_t servers{0}; //!< of a region, which follow each other; 0: there are no circuits
    TimePs delay{0};     //!< from the time when all GPUs of a region have announced what they will
                         //!< send until they are told that circuits are there
    TimePs backwardDelay{0};                          //!< the same on the way back
    Ptr<const CircuitPrediction> prediction{nullptr}; //!< null: tokens wait behind the gate
    bool takesTurns{false}; //!< circuits of one direction, laid for each exchange, one after the
                            //!< other
    uint32_t joined{0}; //!< servers of all regions together, the first ones of the cluster; those
                        //!< behind them have no circuits
};

} // namespace ns3::rails

#endif // CIRCUIT_TIMING_H
