// SPDX-License-Identifier: GPL-2.0-only
#ifndef DISTINCT_SAMPLER_H
#define DISTINCT_SAMPLER_H

#include "ns3/random-bits.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Draws distinct members of a population with given shares: each draw by the shares of the
 * remaining members. A draw of k out of n costs O(k (k + log n)).
 */
class DistinctSampler
{
  public:
    /// \param shares one per member, not negative
    explicit DistinctSampler(const std::vector<double>& shares);

    /**
     * \param count members to draw; as many must have a share above 0
     * \param bits source of randomness
     * \return the members drawn, in ascending order; valid until the next call
     */
    const std::vector<uint32_t>& Draw(uint32_t count, RandomBits& bits);

  private:
    /// Where a member's share begins on the line of all shares.
    double GetStart(uint32_t member) const;
    double GetShare(uint32_t member) const;
    uint32_t DrawOne(double left, RandomBits& bits) const;
    bool IsFree(uint32_t member) const;

    std::vector<double> m_ends; //!< where each member's share ends
    std::vector<uint32_t> m_drawn;
};

} // namespace ns3::rails

#endif // DISTINCT_SAMPLER_H
