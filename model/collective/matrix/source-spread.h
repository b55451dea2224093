// SPDX-License-Identifier: GPL-2.0-only
#ifndef SOURCE_SPREAD_H
#define SOURCE_SPREAD_H

#include "ns3/seeded-bits.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * How much the popularity of experts differs from source to source: each source has its own, about
 * a common one. What an expert gets varies by a multiple, which does not depend on its share, of
 * what sampling alone makes it vary.
 */
struct SourceSpread
{
    double ofMean{0};   //!< deviation of the share of a mean expert, relative to it; 0: none
    double ofSpread{0}; //!< deviation of the logarithm of that from expert to expert

    /**
     * \param share of an expert with the tokens of all sources
     * \param inclusion how probable it is that a token goes to the expert
     * \param experts how many there are
     * \param bits of the expert, the same for all sources
     * \return deviation of the logarithm of its share from source to source
     */
    double FindDeviation(double share, double inclusion, uint32_t experts, SeededBits& bits) const;
};

/**
 * \param inclusion how probable it is that a token of any source goes to an expert, or anything in
 *     proportion
 * \param deviations of the logarithms, by expert
 * \param bits of the source
 * \return how many times as often as in the mean the tokens of a source go to each expert; together
 *     as often
 */
std::vector<double> DrawFavours(const std::vector<double>& inclusion,
                                const std::vector<double>& deviations,
                                SeededBits& bits);

/**
 * \param counts tokens by source and expert, those of a source side by side
 * \param sources how many there are; each has equally many experts, in order
 * \return part of the tokens between sources that goes elsewhere than a common popularity puts it:
 *     half the difference, in absolute terms, from the product of what a source sends and what its
 *     destination gets
 */
double FindPairSkew(const std::vector<uint32_t>& counts, uint32_t sources);

} // namespace ns3::rails

#endif // SOURCE_SPREAD_H
