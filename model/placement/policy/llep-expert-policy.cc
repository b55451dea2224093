// SPDX-License-Identifier: GPL-2.0-only
#include "copying-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace ns3::rails
{

/**
 * `llep`: takes experts in descending order of tokens. Tokens stay at home while the load of the
 * GPU, including its smaller experts, permits. The rest goes to the least loaded GPUs, in parts of
 * a minimum size (LLEP, arXiv 2601.17111, with llep/gpt_oss_llep.py; moe-runtime-2026, section 6).
 * The number of temporary replicas on a GPU has no limit. The minimum size is absolute: an expert
 * with few tokens goes to one GPU as a whole, whose load can exceed the limit. Replicas are kept
 * for the backward pass (WeightTransferAutograd there).
 *
 * Declared planning time: none is published, so 0.
 */
class LlepExpertPolicy : public CopyingPolicy
{
  public:
    static TypeId GetTypeId();

    LlepExpertPolicy()
    {
        m_traits.fetchesAgain = false;
    }

    /// \return Blocking: plain collectives send the parameters
    CopyTiming GetCopyTiming() const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;

    std::optional<double> m_ratio;
    double m_alpha;
    uint32_t m_minTokens;
};

NS_OBJECT_ENSURE_REGISTERED(LlepExpertPolicy);

namespace
{

/// LLEP's plan under construction.
class LlepPlan
{
  public:
    /**
     * \param limit target of the largest load of a GPU
     * \param minTokens smallest part, except for the last part
     * \param slots for temporary replicas of each GPU
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
     * Gives tokens away that do not fit at home. The loads of the division are "assigned" plus
     * "pending" of the source: settled tokens, and tokens of smaller experts at their homes.
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

    /// Searches the least load again after each part; tokens that fit nowhere go there as a whole.
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

    /// Goes through the GPUs once; tokens that fit nowhere go to the first one.
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
    std::vector<uint32_t> m_slots; //!< free slots by GPU
    std::set<uint32_t> m_hosts;    //!< GPUs with a replica of the present expert
};

} // namespace

TypeId
LlepExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::LlepExpertPolicy").SetParent<CopyingPolicy>(),
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

} // namespace ns3::rails
