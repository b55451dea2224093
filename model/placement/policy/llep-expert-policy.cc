// SPDX-License-Identifier: GPL-2.0-only
#include "llep-expert-policy.h"

#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LlepExpertPolicy);

namespace
{

/// LLEP's plan while it comes into being.
class LlepPlan
{
  public:
    /**
     * \param division what there is to divide
     * \param limit load that a GPU should not exceed
     * \param minTokens of a piece, unless it is all that is left
     * \param slots for copies that each GPU has
     */
    LlepPlan(ExpertDivision& division, uint64_t limit, uint64_t minTokens, uint32_t slots)
        : m_division(division),
          m_limit(limit),
          m_minTokens(minTokens),
          m_slots(division.GetLoads().size(), slots)
    {
    }

    void Run()
    {
        std::vector<uint32_t> experts(m_division.GetSetting().experts);
        std::iota(experts.begin(), experts.end(), 0);
        std::stable_sort(experts.begin(), experts.end(), [this](uint32_t one, uint32_t other) {
            return m_division.GetKept(one) > m_division.GetKept(other);
        });
        for (const uint32_t expert : experts)
        {
            Spill(expert);
        }
    }

  private:
    /**
     * Gives away what does not fit at home. The loads of the division are what the source calls
     * assigned and pending: tokens that are settled, and those of smaller experts at their homes.
     */
    void Spill(uint32_t expert)
    {
        const uint32_t home = m_division.GetSetting().GetHome(expert);
        const uint64_t tokens = m_division.GetKept(expert);
        const uint64_t others = m_division.GetLoads()[home] - tokens;
        const uint64_t room = m_limit > others ? m_limit - others : 0;
        m_hosts.clear();
        if (tokens <= room || m_division.GetLoads().size() == 1)
        {
            return;
        }
        if (room > 0)
        {
            SpillRest(expert, home, tokens - room);
        }
        else
        {
            SpillAll(expert, home, tokens);
        }
    }

    /// Looks for the least load anew after each piece; what fits nowhere goes there as a whole.
    void SpillRest(uint32_t expert, uint32_t home, uint64_t left)
    {
        for (std::vector<uint32_t> helpers = ListLeastFirst(home); left > 0 && !helpers.empty();
             helpers = ListLeastFirst(home))
        {
            const auto helper = std::find_if(helpers.begin(), helpers.end(), [&](uint32_t gpu) {
                return Fits(gpu, left);
            });
            const bool found = helper != helpers.end();
            const uint64_t tokens = found ? std::min(left, GetRoom(*helper)) : left;
            Give(expert, found ? *helper : helpers.front(), tokens);
            left -= tokens;
        }
    }

    /// Goes through the GPUs once; what fits nowhere goes to the first of them.
    void SpillAll(uint32_t expert, uint32_t home, uint64_t left)
    {
        const std::vector<uint32_t> helpers = ListLeastFirst(home);
        for (const uint32_t gpu : helpers)
        {
            if (left > 0 && Fits(gpu, left))
            {
                const uint64_t tokens = std::min(left, GetRoom(gpu));
                Give(expert, gpu, tokens);
                left -= tokens;
            }
        }
        if (left > 0 && !helpers.empty())
        {
            Give(expert, helpers.front(), left);
        }
    }

    void Give(uint32_t expert, uint32_t gpu, uint64_t tokens)
    {
        m_slots[gpu] -= m_hosts.insert(gpu).second ? 1 : 0;
        m_division.Give(expert, gpu, tokens);
    }

    uint64_t GetRoom(uint32_t gpu) const
    {
        const uint64_t load = m_division.GetLoads()[gpu];
        return m_limit > load ? m_limit - load : 0;
    }

    bool Fits(uint32_t gpu, uint64_t left) const
    {
        const uint64_t piece = std::min(left, GetRoom(gpu));
        return piece > 0 && (piece >= m_minTokens || piece == left);
    }

    /// \return all GPUs but the home with a slot for the expert
    std::vector<uint32_t> ListLeastFirst(uint32_t home) const
    {
        const std::vector<uint64_t>& loads = m_division.GetLoads();
        std::vector<uint32_t> gpus(loads.size());
        std::iota(gpus.begin(), gpus.end(), 0);
        gpus.erase(std::remove_if(gpus.begin(),
                                  gpus.end(),
                                  [&](uint32_t gpu) {
                                      return gpu == home ||
                                             (m_slots[gpu] == 0 && m_hosts.count(gpu) == 0);
                                  }),
                   gpus.end());
        std::stable_sort(gpus.begin(), gpus.end(), [&loads](uint32_t one, uint32_t other) {
            return loads[one] < loads[other];
        });
        return gpus;
    }

    ExpertDivision& m_division;
    uint64_t m_limit;
    uint64_t m_minTokens;
    std::vector<uint32_t> m_slots; //!< free ones, by GPU
    std::set<uint32_t> m_hosts;    //!< that have got a copy of the expert
};

} // namespace

TypeId
LlepExpertPolicy::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::LlepExpertPolicy").SetParent<CopyingPolicy>(),
                 "What does not fit at home, of the largest experts first, goes to the GPUs with "
                 "the least to do, in pieces that are not too small. (LLEP, arXiv 2601.17111.)")
            .SetGroupName("Rails")
            .AddConstructor<LlepExpertPolicy>()
            .AddAttribute("Ratio",
                          "Largest load over the mean below which nothing is copied; by default "
                          "copies are always considered. (LLEP; 1.3 there.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&LlepExpertPolicy::m_ratio),
                          MakeNumberRange(1, 1e6))
            .AddAttribute("Alpha",
                          "Load over the mean that a GPU should not exceed. (LLEP's code; 1.0 in "
                          "its demonstration.)",
                          DoubleValue(1.1),
                          MakeDoubleAccessor(&LlepExpertPolicy::m_alpha),
                          MakeNumberRange(1, 1e6))
            .AddAttribute("MinTokens",
                          "Tokens of an expert that a GPU gets at least, unless they are all that "
                          "is left. (LLEP.)",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&LlepExpertPolicy::m_minTokens),
                          MakeCountRange<uint32_t>());
    return tid;
}

CopyTiming
LlepExpertPolicy::GetCopyTiming() const
{
    return CopyTiming::Blocking;
}

void
LlepExpertPolicy::Divide(ExpertDivision& division) const
{
    const std::vector<uint64_t>& loads = division.GetLoads();
    const auto largest = static_cast<double>(*std::max_element(loads.begin(), loads.end()));
    const auto gpus = static_cast<double>(loads.size());
    if (m_ratio && largest * gpus < *m_ratio * static_cast<double>(division.GetTotal()))
    {
        return;
    }
    const uint64_t mean = division.GetTotal() / loads.size();
    // With less than a token for each GPU there is no limit.
    const auto limit = mean > 0
                           ? static_cast<uint64_t>(std::floor(m_alpha * static_cast<double>(mean)))
                           : division.GetTotal();
    LlepPlan(division,
             limit,
             m_minTokens,
             GetSlots(GetSetting()).value_or(division.GetSetting().experts))
        .Run();
}

std::vector<TokenRoute>
LlepExpertPolicy::Route(const TokenCounts& counts, ExpertQuota quota) const
{
    return RouteInOrder(counts, quota);
}

bool
LlepExpertPolicy::FetchesAgain() const
{
    return false;
}

} // namespace ns3::rails
