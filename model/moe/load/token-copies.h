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
 * \param topK number of different experts per token
 * \return inclusion probabilities: how probable it is that a token goes to each expert. They are
 *     the shares for topK 1, otherwise 1 - exp(-f * share) with f such that they add up to topK.
 */
std::vector<double> FindInclusion(const std::vector<double>& shares, uint32_t topK);

/**
 * Inclusion probabilities of sets of experts by conditional Poisson sampling. Experts are chosen
 * independently, conditioned on topK chosen experts in at most topGroups groups.
 * \param shape load shape
 * \param inclusion unconditional inclusion probability of each expert; they add up to topK
 * \param setOf set of each expert
 * \param sets number of sets to evaluate, from the first
 * \return for each of these sets, how probable it is that a token goes to at least one of its
 *     experts
 */
std::vector<double> FindSetInclusion(const LoadShape& shape,
                                     const std::vector<double>& inclusion,
                                     const std::vector<uint32_t>& setOf,
                                     uint32_t sets);

/**
 * \param shape load shape
 * \param inclusion unconditional inclusion probability of each expert; they add up to topK
 * \return inclusion probability of each expert under the limit to groups; unchanged without a limit
 */
std::vector<double> LimitInclusion(const LoadShape& shape, const std::vector<double>& inclusion);

/**
 * Estimates token copies after deduplication, where token counts are known and single tokens are
 * not. Each set gets its expected number of token-expert pairs. A token chosen for an expert goes
 * to a set with the source's fraction for that expert and set, independent of its other experts.
 * For these choices the probability that no pair of a token goes to a set is exact, per source. Two
 * inputs are approximate: the expected numbers of pairs (LimitInclusion()), and fractions of an
 * expert for which a source has no tokens: these are averaged over all sources.
 * \param shape load shape
 * \param counts tokens by source and expert
 * \param inclusion unconditional inclusion probability of each expert; they add up to topK
 * \param split destination sets of the tokens
 * \return tokens by source and set that go to at least one expert of the set
 * \throws std::invalid_argument when the split has more tokens than there are
 */
std::vector<uint32_t> EstimateCopies(const LoadShape& shape,
                                     const std::vector<uint32_t>& counts,
                                     const std::vector<double>& inclusion,
                                     const TokenSplit& split);

} // namespace ns3::rails

#endif // TOKEN_COPIES_H
