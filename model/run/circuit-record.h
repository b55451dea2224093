// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_RECORD_H
#define CIRCUIT_RECORD_H

#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// Circuits between two servers that came and went together: a line of circuits.csv.
struct CircuitRecord
{
    TimePs start{0};
    TimePs end{0};
    uint32_t region{0};
    uint32_t from{0}; //!< server
    uint32_t to{0};   //!< server
    uint32_t circuits{0};
    uint64_t bytes{0}; //!< payload
    TimePs dark{0};    //!< duration of the reconfiguration that set them up
};

} // namespace ns3::rails

#endif // CIRCUIT_RECORD_H
