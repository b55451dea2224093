// SPDX-License-Identifier: GPL-2.0-only
#include "random-bits.h"

#include "draw-permutation.h"

namespace ns3::rails
{

std::vector<uint32_t>
RandomPermutation(uint32_t count, RandomBits& bits)
{
    return DrawPermutation(count, bits);
}

} // namespace ns3::rails
