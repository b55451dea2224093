// SPDX-License-Identifier: GPL-2.0-only
#ifndef DISTINCT_CHANCE_H
#define DISTINCT_CHANCE_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Of what DistinctSampler draws. Draws without repetition are the first of clocks that ring after
 * exponential times, with shares as rates; that of a set is a clock, too, so
 * P = integral of W exp(-W t) P(at least count of the others have rung by t) over t,
 * W being the shares of the set together. Equal shares need no integral.
 * \param shares one per member of the population, not negative
 * \param count members to draw; as many must have a share above 0
 * \param first of the set: a member
 * \param end of the set: the member behind its last
 * \return how probable it is that none of the set is drawn; to 9 digits
 */
double FindMissChance(const std::vector<double>& shares,
                      uint32_t count,
                      uint32_t first,
                      uint32_t end);

} // namespace ns3::rails

#endif // DISTINCT_CHANCE_H
