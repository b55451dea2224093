// SPDX-License-Identifier: GPL-2.0-only
#ifndef ULTRA_EP_DOMAIN_H
#define ULTRA_EP_DOMAIN_H

#include "expert-division.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// What UltraEP's search for a plan is told.
struct UltraEpLimits
{
    uint32_t slots{2};        //!< copies that a GPU has memory for
    double threshold{1};      //!< max/mean that is good enough
    double tolerance{0.01};   //!< by which a load may be above that
    uint64_t minTokens{1024}; //!< of a copy, once the fast tries have failed
    bool zeroMaster{false};   //!< a home may give away all tokens of an expert
};

/// What came of trying to bring all loads of a domain below a limit.
struct UltraEpTrial
{
    bool reached{false};
    uint64_t largest{0}; //!< load of a GPU
    std::vector<ExpertGift> gifts;
};

/// How UltraEP balances the GPUs of one NVLink domain (moe-runtime-2026, section 3.1).
class UltraEpDomain
{
  public:
    /**
     * \param division what there is to balance
     * \param first GPU of the domain
     * \param end the GPU behind its last
     * \param limits what the search is told
     */
    UltraEpDomain(const ExpertDivision& division,
                  uint32_t first,
                  uint32_t end,
                  const UltraEpLimits& limits);

    /**
     * Looks for the lowest limit on loads that can be kept to. As a higher one can fail where a
     * lower one does not, it can miss all, and nothing is given away then.
     */
    UltraEpTrial Search();

    /// \return the trial of the last search with the lowest largest load, whether it kept to its
    /// limit or not
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
    std::vector<uint64_t> m_loads; //!< by GPU of the domain
    std::vector<uint32_t> m_order; //!< GPUs of the domain, the largest load first
    UltraEpTrial m_best;
};

} // namespace ns3::rails

#endif // ULTRA_EP_DOMAIN_H
