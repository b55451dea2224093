// SPDX-License-Identifier: GPL-2.0-only
#include "random-bits.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>

namespace ns3::rails
{

std::vector<uint32_t>
RandomPermutation(uint32_t count, RandomBits& bits)
{
    // Not std::shuffle: its result differs from one standard library to another.
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t left = count; left > 1; --left)
    {
        const uint32_t chosen =
            boost::random::uniform_int_distribution<uint32_t>(0, left - 1)(bits);
        std::swap(order[left - 1], order[chosen]);
    }
    return order;
}

} // namespace ns3::rails
