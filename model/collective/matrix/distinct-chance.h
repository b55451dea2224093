// SPDX-License-Identifier: GPL-2.0-only
#ifndef DISTINCT_CHANCE_H
#define DISTINCT_CHANCE_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Probability that DistinctSampler draws none of a set. Draws without repetition are the first of
 * exponential clocks whose rates are the shares. The minimum over a set is an exponential clock,
 * too, so P = integral of W exp(-W t) P(at least count of the others have rung by t) over t, with W
 * the sum of shares of the set. Equal shares need no integral.
 * \param shares one per member of the population, not negative
 * \param count members to draw; as many must have a share above 0
 * \param first first member of the set
 * \param end one past the last member of the set
 * \return probability that no member of the set is drawn; to 9 digits
 */
double FindMissChance(const std::vector<double>& shares,
                      uint32_t count,
                      uint32_t first,
                      uint32_t end);

} // namespace ns3::rails

#endif // DISTINCT_CHANCE_H
