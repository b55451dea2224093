// SPDX-License-Identifier: GPL-2.0-only
#ifndef ENTROPY_DRAW_H
#define ENTROPY_DRAW_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <limits>

namespace ns3::rails
{

/// \return a random entropy of 32 bits (all but the largest)
inline uint32_t
DrawEntropy(UniformRandomVariable& random)
{
    return random.GetInteger(0, std::numeric_limits<uint32_t>::max() - 1);
}

} // namespace ns3::rails

#endif // ENTROPY_DRAW_H
