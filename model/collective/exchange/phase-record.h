// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_RECORD_H
#define PHASE_RECORD_H

#include "ns3/rails-units.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

/// When a phase of a workload took place.
struct PhaseRecord
{
    std::string name;      //!< "dispatch", "combine", "compute" or "gap"
    uint32_t iteration{0}; //!< from 0
    TimePs start{kNever};  //!< first post of the phase, or start of the wait
    TimePs end{kNever};    //!< last byte delivered, or end of the wait
};

} // namespace ns3::rails

#endif // PHASE_RECORD_H
