// SPDX-License-Identifier: GPL-2.0-only
#ifndef SOURCE_SPREAD_H
#define SOURCE_SPREAD_H

#include "ns3/seeded-bits.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Spread of the popularity of experts over sources: each source has its own popularity around a
 * common one. The variance of an expert's tokens is a multiple of the variance by sampling alone;
 * the multiple does not depend on its share.
 */
struct SourceSpread
{
    double ofMean{0};   //!< relative standard deviation of the share of a mean expert; 0: no spread
    double ofSpread{0}; //!< standard deviation, over experts, of the logarithm of that deviation

    /**
     * \param share of an expert in the tokens of all sources
     * \param inclusion probability that a token goes to the expert
     * \param experts number of experts
     * \param bits of the expert, equal for all sources
     * \return standard deviation of the logarithm of its share over sources
     */
    double FindDeviation(double share, double inclusion, uint32_t experts, SeededBits& bits) const;
};

/**
 * \param inclusion probability that a token of any source goes to an expert, up to a common factor
 * \param deviations standard deviations of the logarithms, by expert
 * \param bits of the source
 * \return factors on the mean frequency of each expert for the source; they keep the total
 */
std::vector<double> DrawFavours(const std::vector<double>& inclusion,
                                const std::vector<double>& deviations,
                                SeededBits& bits);

/**
 * \param counts tokens by source and expert, rows of sources contiguous
 * \param sources number of sources; each holds equally many experts, in order
 * \return share of tokens between sources that deviates from a common popularity: half the absolute
 *     difference from the product of a source's sent and a destination's received tokens
 */
double FindPairSkew(const std::vector<uint32_t>& counts, uint32_t sources);

} // namespace ns3::rails

#endif // SOURCE_SPREAD_H
