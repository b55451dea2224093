// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_SCHEDULE_H
#define RING_SCHEDULE_H

#include "collective-schedule.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * A member of a ring begins with the part of its own number and passes on the one it got last.
 * \param bytes of the buffer, in as many parts as there are members
 * \param size members of the ring
 * \param member which of them
 * \param first of some steps that follow each other, from 0
 * \param end of these
 * \return bytes that it sends to the next member in all of them
 */
uint64_t SumRingParts(uint64_t bytes, uint32_t size, uint32_t member, uint32_t first, uint32_t end);

/**
 * Steps of a ring of which some are taken together: each moves the bytes of those that it stands
 * for.
 */
class MergedSteps
{
  public:
    /**
     * \param own steps of the ring
     * \param most how many may be left
     */
    MergedSteps(uint32_t own, uint32_t most);

    uint32_t Count() const
    {
        return m_count;
    }

    /// \return the first of the ring's own steps that a step stands for
    uint32_t GetFirst(uint32_t step) const;

  private:
    uint32_t m_own;
    uint32_t m_count;
};

/**
 * Rings of all members, each a lane with its share of the buffer. Several go through a server as
 * GroupSpread::Order() says.
 */
class RingSchedule : public CollectiveSchedule
{
  public:
    static constexpr uint32_t kAllSteps = std::numeric_limits<uint32_t>::max();

    /**
     * \param spread of the members, at least two of these
     * \param rings how many; a single one has the members in their order
     * \param rounds how often each part goes round: 2 of all-reduce
     * \param mostSteps of a ring in a round; of more, several are taken together
     */
    RingSchedule(const GroupSpread& spread,
                 uint32_t rings,
                 uint32_t rounds,
                 uint32_t mostSteps = kAllSteps);

    uint32_t CountLanes() const override
    {
        return m_rings;
    }

    uint32_t CountSteps(uint64_t bytes) const override;
    uint32_t CountDifferentSteps(uint64_t bytes) const override;
    double CountBytes(double bytes) const override;

  private:
    Shares Find(const Place& place, uint64_t bytes, bool isSent) const override;

    uint32_t m_size;
    uint32_t m_rings;
    uint32_t m_rounds;
    MergedSteps m_steps;
    std::vector<uint32_t> m_order; //!< members, by ring and place on it
    std::vector<uint32_t> m_at;    //!< places, by ring and member
};

} // namespace ns3::rails

#endif // RING_SCHEDULE_H
