// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_COPIES_H
#define TOKEN_COPIES_H

#include "token-load.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * \param shares of experts, which add up to 1
 * \param topK how many different experts a token goes to
 * \return how probable it is that a token goes to each: 1 - exp(-f * share), f such that they add
 *     up to topK
 */
std::vector<double> FindInclusion(const std::vector<double>& shares, uint32_t topK);

/**
 * \param inclusion how probable it is that a token goes to each expert; they add up to topK
 * \param topK how many different experts a token goes to
 * \param setOf which set an expert is in
 * \param sets how many there are
 * \return for each set how probable it is that a token goes to at least one of its experts, if
 *     choices depend on each other by their number alone (conditional Poisson sampling)
 */
std::vector<double> FindSetInclusion(const std::vector<double>& inclusion,
                                     uint32_t topK,
                                     const std::vector<uint32_t>& setOf,
                                     uint32_t sets);

/**
 * Tokens of which a copy serves several experts, where counts are known and tokens are not: as many
 * for a pair of a token and an expert as in the mean.
 * \param shape what is routed
 * \param counts tokens by source and expert
 * \param inclusion how probable it is that a token goes to each expert
 * \param setOf which set an expert is in
 * \param sets how many there are
 * \return tokens by source and set that go to at least one expert of the set
 */
std::vector<uint32_t> EstimateCopies(const LoadShape& shape,
                                     const std::vector<uint32_t>& counts,
                                     const std::vector<double>& inclusion,
                                     const std::vector<uint32_t>& setOf,
                                     uint32_t sets);

} // namespace ns3::rails

#endif // TOKEN_COPIES_H
