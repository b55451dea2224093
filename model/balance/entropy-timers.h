// SPDX-License-Identifier: GPL-2.0-only
#ifndef ENTROPY_TIMERS_H
#define ENTROPY_TIMERS_H

#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Since when entropies have been out without an answer: a hash table in one array, so that a queue
 * pair needs memory for the most entropies that it ever had out (16 to 32 B each) and not for all
 * that exist. Entropies are drawn at random, so their low bits serve as hash.
 */
class EntropyTimers
{
  public:
    /// Starts the timer of an entropy unless that timer runs.
    void Start(uint16_t entropy, TimePs now);

    /// An answer with an entropy came: stops its timer, if that timer runs.
    void Stop(uint16_t entropy);

    /// \return how long the timer has been running in ps (modulo 140 s), 0 when it does not
    TimePs GetAge(uint16_t entropy, TimePs now) const;

    /// \return number of timers that run
    std::size_t GetSize() const
    {
        return m_used;
    }

  private:
    std::size_t Find(uint16_t entropy) const;
    void Grow();

    std::vector<uint64_t> m_slots; // entropy plus 1 above, start below; 0: free
    std::size_t m_used{0};
};

} // namespace ns3::rails

#endif // ENTROPY_TIMERS_H
