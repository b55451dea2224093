// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAW_PERMUTATION_H
#define DRAW_PERMUTATION_H

#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Not std::shuffle: its result differs from one standard library to another.
 * \param bits a generator of random bits, as Boost wants them
 * \return the numbers 0 to count - 1 in random order
 */
template <typename Bits>
std::vector<uint32_t>
DrawPermutation(uint32_t count, Bits& bits)
{
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

#endif // DRAW_PERMUTATION_H
