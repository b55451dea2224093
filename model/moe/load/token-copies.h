// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_COPIES_H
#define TOKEN_COPIES_H

#include "token-load.h"
#include "token-split.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * \param shares of experts, which add up to 1
 * \param topK how many different experts a token goes to
 * \return how probable it is that a token goes to each: of one expert its share, of more
 *     1 - exp(-f * share), f such that they add up to topK
 */
std::vector<double> FindInclusion(const std::vector<double>& shares, uint32_t topK);

/**
 * Choices of experts depend on each other by their number and by that of their groups alone: each
 * expert is chosen or not by itself, and of all that can come out those count that have topK
 * experts in at most topGroups groups (conditional Poisson sampling).
 * \param shape what is routed
 * \param inclusion how probable it is that an expert is chosen by itself; they add up to topK
 * \param setOf which set an expert is in
 * \param sets how many of them are asked for, the first
 * \return for each of these how probable it is that a token goes to at least one of its experts
 */
std::vector<double> FindSetInclusion(const LoadShape& shape,
                                     const std::vector<double>& inclusion,
                                     const std::vector<uint32_t>& setOf,
                                     uint32_t sets);

/**
 * \param shape what is routed
 * \param inclusion how probable it is that an expert is chosen by itself; they add up to topK
 * \return how probable it is that a token goes to it, given the limit to groups: without one, the
 *     same
 */
std::vector<double> LimitInclusion(const LoadShape& shape, const std::vector<double>& inclusion);

/**
 * Tokens of which a copy serves several experts, where counts are known and tokens are not: of the
 * pairs of a token and an expert that go to a set as many as in the mean of all tokens. A token
 * chosen for an expert goes to a set by the part that the source sends there of its tokens for the
 * expert, whatever becomes of its other experts. How probable it is that none goes there is exact
 * for these choices, for each source with its own parts. Approximate are how many pairs go there in
 * the mean, which are taken from LimitInclusion(), and parts of an expert that a source has no
 * tokens for: those of all sources together.
 * \param shape what is routed
 * \param counts tokens by source and expert
 * \param inclusion how probable it is that an expert is chosen by itself; they add up to topK
 * \param split where they go
 * \return tokens by source and set that go to the set for at least one of their experts
 * \throws std::invalid_argument when more of them go somewhere than there are
 */
std::vector<uint32_t> EstimateCopies(const LoadShape& shape,
                                     const std::vector<uint32_t>& counts,
                                     const std::vector<double>& inclusion,
                                     const TokenSplit& split);

} // namespace ns3::rails

#endif // TOKEN_COPIES_H
