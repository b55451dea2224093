// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_AWARE_SEARCH_H
#define RAIL_AWARE_SEARCH_H

#include "expert-division.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Costs of tokens and replicas, in seconds.
struct CopyPrices
{
    double token{0};  //!< computing a token, forward
    double inside{0}; //!< sending a replica over NVLink
    double across{0}; //!< sending a replica over a NIC

    /// \return prices at the rates of a cluster
    static CopyPrices From(const ExpertSetting& setting);
};

/// Plan that tries to bring all loads below a limit.
struct RailAwareTrial
{
    std::vector<ExpertGift> gifts;
    uint64_t largest{0}; //!< largest load of a GPU
    double seconds{0};   //!< transfers of the busiest link, then computing of the largest load
};

/**
 * Searches the cheapest temporary replicas of a layer, where a replica over a NIC costs more than
 * one over NVLink. Our own method; the plan of `rail-aware`.
 *
 * For a limit on loads, GPUs above it move tokens away, the largest load first and on it the
 * largest expert. The target is a GPU of the same server if one has room. Otherwise it is on the
 * rail with the fewest replicas sent out of the server, in the server with most tokens of the
 * expert. A replica needs at least the tokens that a GPU computes during its transfer. Among evenly
 * spaced limits between the mean and the largest load, the cheapest plan wins; the last limit has
 * no replicas, so the plan never costs more than none. For L limits, R GPUs, E experts and C
 * replicas it takes O(L (E log E + (E + C) R)): GPUs are scanned for each expert of a GPU above the
 * limit, and once more for each replica.
 */
class RailAwareSearch
{
  public:
    /**
     * \param division loads to balance
     * \param counts token counts behind the loads
     * \param slots replicas that a GPU has memory for
     * \param worth share of a replica's cost that its tokens must be worth
     */
    RailAwareSearch(const ExpertDivision& division,
                    const TokenCounts& counts,
                    uint32_t slots,
                    double worth);

    /// \return the cheapest plan over some limits. \param limits number of limits, at least 2
    RailAwareTrial Search(uint32_t limits) const;

    /// \return the plan for one limit on loads
    RailAwareTrial Try(uint64_t limit) const;

  private:
    class Trial;

    const ExpertDivision& m_division;
    const TokenCounts& m_counts;
    uint32_t m_slots;
    CopyPrices m_prices;
    uint64_t m_leastInside;        //!< least tokens of a replica over NVLink
    uint64_t m_leastAcross;        //!< least tokens of a replica over a NIC
    std::vector<uint32_t> m_order; //!< GPUs by descending load
};

} // namespace ns3::rails

#endif // RAIL_AWARE_SEARCH_H
