// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_AWARE_SEARCH_H
#define RAIL_AWARE_SEARCH_H

#include "expert-division.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// What tokens and copies cost, in seconds.
struct CopyPrices
{
    double token{0};  //!< a GPU computes it, forward
    double inside{0}; //!< a copy crosses NVLink
    double across{0}; //!< a copy crosses a NIC

    /// \return prices with the rates of a cluster
    static CopyPrices From(const ExpertSetting& setting);
};

/// Copies that came of trying to bring all loads below a limit.
struct RailAwareTrial
{
    std::vector<ExpertGift> gifts;
    uint64_t largest{0}; //!< load of a GPU
    double seconds{0};   //!< the largest load computes, behind the transfers of the busiest link
};

/**
 * Looks for the copies of a layer that cost least, where a copy over a NIC costs more than one over
 * NVLink. Our own; the plan of `rail-aware`.
 *
 * For a limit on loads, GPUs above it give tokens away, the largest load first and of it the
 * largest expert: to a GPU of their server if one has room, otherwise over the rail that has
 * carried fewest copies out of their server, there to the server that has most tokens of the expert
 * itself. A copy is made only for at least so many tokens as it takes to compute while it crosses
 * its link. Of evenly spaced limits between the mean and the largest load, the one whose plan costs
 * least wins; the last of them copies nothing, so the plan never costs more than none. For L
 * limits, R GPUs, E experts and C copies it takes O(L (E log E + (E + C) R)): GPUs are looked
 * through for each expert of a GPU above the limit, and once more for each copy.
 */
class RailAwareSearch
{
  public:
    /**
     * \param division what there is to balance
     * \param counts what its loads are the sums of
     * \param slots copies that a GPU has memory for
     * \param worth of what a copy costs, the part that the tokens it takes over must be worth
     */
    RailAwareSearch(const ExpertDivision& division,
                    const TokenCounts& counts,
                    uint32_t slots,
                    double worth);

    /// \return the cheapest plan among those of some limits, at least 2
    RailAwareTrial Search(uint32_t limits) const;

    /// \return what comes of one limit on loads
    RailAwareTrial Try(uint64_t limit) const;

  private:
    class Trial;

    const ExpertDivision& m_division;
    const TokenCounts& m_counts;
    uint32_t m_slots;
    CopyPrices m_prices;
    uint64_t m_leastInside;        //!< tokens of a copy that goes over NVLink
    uint64_t m_leastAcross;        //!< tokens of a copy that goes over a NIC
    std::vector<uint32_t> m_order; //!< GPUs, the largest load first
};

} // namespace ns3::rails

#endif // RAIL_AWARE_SEARCH_H
