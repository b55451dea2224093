// SPDX-License-Identifier: GPL-2.0-only
#ifndef SEEDED_BITS_H
#define SEEDED_BITS_H

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace ns3::rails
{

/**
 * A uniform random bit generator (SplitMix64) seeded by several numbers: the same numbers give the
 * same bits, independent of the order of other draws. One of the numbers must come from an ns-3
 * stream, so that the bits depend on the seed of the run.
 */
class SeededBits
{
  public:
    using result_type = uint64_t;

    SeededBits(std::initializer_list<uint64_t> numbers)
    {
        for (const uint64_t number : numbers)
        {
            m_state ^= number;
            m_state = (*this)();
        }
    }

    static constexpr result_type min()
    {
        return 0;
    }

    static constexpr result_type max()
    {
        return std::numeric_limits<result_type>::max();
    }

    result_type operator()()
    {
        uint64_t mixed = m_state += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        return mixed ^ mixed >> 31;
    }

  private:
    uint64_t m_state{0};
};

} // namespace ns3::rails

#endif // SEEDED_BITS_H
