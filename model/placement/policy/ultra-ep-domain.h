// SPDX-License-Identifier: GPL-2.0-only
#ifndef ULTRA_EP_DOMAIN_H
#define ULTRA_EP_DOMAIN_H

#include "expert-division.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Parameters of UltraEP's search for a plan.
struct UltraEpLimits
{
    uint32_t slots{2};        //!< temporary replicas that a GPU has memory for
    double threshold{1};      //!< target max/mean load
    double tolerance{0.01};   //!< tolerated excess over the target
    uint64_t minTokens{1024}; //!< least tokens of a replica, after the fast tries have failed
    bool zeroMaster{false};   //!< a home may move all tokens of an expert away
};

/// Plan that tries to bring all loads of a domain below a limit.
struct UltraEpTrial
{
    bool reached{false};
    uint64_t largest{0}; //!< largest load of a GPU
    std::vector<ExpertGift> gifts;
};

/// How UltraEP balances the GPUs of one NVLink domain (moe-runtime-2026, section 3.1).
class UltraEpDomain
{
  public:
    /**
     * \param division loads to balance
     * \param first first GPU of the domain
     * \param end one past the last GPU of the domain
     * \param limits parameters of the search
     */
    UltraEpDomain(const ExpertDivision& division,
                  uint32_t first,
                  uint32_t end,
                  const UltraEpLimits& limits);

    /**
     * Searches the lowest feasible limit on loads. Feasibility is not monotonic in the limit, so
     * the search can miss all limits; then no tokens are moved.
     */
    UltraEpTrial Search();

    /// \return the plan of the last search with the lowest largest load, within its limit or not
    const UltraEpTrial& GetBest() const
    {
        return m_best;
    }

  private:
    UltraEpTrial Try(uint64_t limit, std::optional<uint64_t> minTokens);
    std::optional<UltraEpTrial> SearchFast(uint64_t low, uint64_t high);
    uint64_t FindLowestWithRoom(uint64_t low, uint64_t high) const;
    UltraEpTrial Probe(uint64_t low, uint64_t high);

    const ExpertDivision& m_division;
    uint32_t m_first;
    UltraEpLimits m_limits;
    std::vector<uint64_t> m_loads; //!< loads by GPU of the domain
    std::vector<uint32_t> m_order; //!< GPUs of the domain by descending load
    UltraEpTrial m_best;
};

} // namespace ns3::rails

#endif // ULTRA_EP_DOMAIN_H
