// SPDX-License-Identifier: GPL-2.0-only
#include "ultra-ep-domain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kFastTries = 3;
constexpr uint64_t kProbes = 4; // at a time

/// \return distance of a load below a limit, and above it
std::pair<uint64_t, uint64_t>
Compare(uint64_t load, uint64_t limit)
{
    return {limit > load ? limit - load : 0, load > limit ? load - limit : 0};
}

/// One try to bring the loads of a domain below a limit.
class Trial
{
  public:
    Trial(const ExpertDivision& division,
          uint32_t first,
          const std::vector<uint64_t>& loads,
          uint64_t limit,
          const UltraEpLimits& limits,
          std::optional<uint64_t> minTokens)
        : m_division(division),
          m_first(first),
          m_limits(limits),
          m_minTokens(minTokens),
          m_loads(loads),
          m_slots(loads.size(), limits.slots)
    {
        for (const uint64_t load : loads)
        {
            m_slack.push_back(Compare(load, limit).first);
            m_need.push_back(Compare(load, limit).second);
        }
    }

    UltraEpTrial Run(const std::vector<uint32_t>& order)
    {
        UltraEpTrial result;
        result.reached = true;
        for (const uint32_t source : order)
        {
            for (const uint32_t expert : m_division.ListHeaviestFirst(m_first + source))
            {
                Export(source, expert);
            }
            result.reached = result.reached && m_need[source] == 0;
        }
        result.largest = *std::max_element(m_loads.begin(), m_loads.end());
        result.gifts = std::move(m_gifts);
        return result;
    }

  private:
    void Export(uint32_t source, uint32_t expert)
    {
        const uint64_t all = m_division.GetKept(expert);
        uint64_t available = m_limits.zeroMaster || all == 0 ? all : all - 1;
        std::vector<bool> holds(m_loads.size());
        holds[source] = true;
        while (m_need[source] > 0 && available > 0)
        {
            const std::optional<uint32_t> target = FindTarget(holds, m_need[source], available);
            if (!target)
            {
                return;
            }
            const uint64_t tokens = std::min({m_need[source], m_slack[*target], available});
            m_gifts.push_back({expert, m_first + *target, tokens});
            holds[*target] = true;
            --m_slots[*target];
            m_need[source] -= tokens;
            m_slack[*target] -= tokens;
            m_loads[source] -= tokens;
            m_loads[*target] += tokens;
            available -= tokens;
        }
    }

    bool IsCandidate(uint32_t gpu, const std::vector<bool>& holds) const
    {
        return m_slack[gpu] > 0 && m_slots[gpu] > 0 && !holds[gpu];
    }

    /// \return the candidate with most slack, if it can take enough tokens
    std::optional<uint32_t> FindTarget(const std::vector<bool>& holds,
                                       uint64_t need,
                                       uint64_t available) const
    {
        const auto gpus = static_cast<uint32_t>(m_loads.size());
        uint64_t candidates = 0;
        std::optional<uint32_t> most;
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            if (IsCandidate(gpu, holds))
            {
                ++candidates;
                most = !most || m_slack[gpu] > m_slack[*most] ? gpu : *most;
            }
        }
        if (!most)
        {
            return std::nullopt;
        }
        const uint64_t least = m_minTokens.value_or((need + candidates - 1) / candidates);
        return std::min({need, m_slack[*most], available}) >= least ? most : std::nullopt;
    }

    const ExpertDivision& m_division;
    uint32_t m_first;
    const UltraEpLimits& m_limits;
    std::optional<uint64_t> m_minTokens; //!< none: adaptive
    std::vector<uint64_t> m_loads;       //!< loads by GPU of the domain
    std::vector<uint32_t> m_slots;       //!< free slots by GPU of the domain
    std::vector<uint64_t> m_slack;
    std::vector<uint64_t> m_need;
    std::vector<ExpertGift> m_gifts;
};

} // namespace

UltraEpDomain::UltraEpDomain(const ExpertDivision& division,
                             uint32_t first,
                             uint32_t end,
                             const UltraEpLimits& limits)
    : m_division(division),
      m_first(first),
      m_limits(limits),
      m_loads(division.GetLoads().begin() + first, division.GetLoads().begin() + end),
      m_order(m_loads.size())
{
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [this](uint32_t one, uint32_t other) {
        return m_loads[one] > m_loads[other];
    });
}

UltraEpTrial
UltraEpDomain::Try(uint64_t limit, std::optional<uint64_t> minTokens)
{
    UltraEpTrial trial =
        Trial(m_division, m_first, m_loads, limit, m_limits, minTokens).Run(m_order);
    if (trial.largest < m_best.largest)
    {
        m_best = trial;
    }
    return trial;
}

UltraEpTrial
UltraEpDomain::Search()
{
    const uint64_t total = std::accumulate(m_loads.begin(), m_loads.end(), uint64_t{0});
    const double mean = static_cast<double>(total) / static_cast<double>(m_loads.size());
    const auto low = static_cast<uint64_t>(std::ceil(mean * m_limits.threshold));
    const uint64_t largest = m_loads[m_order.front()];
    m_best = {true, largest, {}};
    const uint64_t high = std::max(largest, low);
    std::optional<UltraEpTrial> fast = SearchFast(low, high);
    if (fast)
    {
        return *fast;
    }
    const uint64_t lowest = FindLowestWithRoom(low, high);
    UltraEpTrial first = Try(lowest, m_limits.minTokens);
    return first.reached ? first : Probe(lowest + 1, high);
}

/// \return what came of the first of few limits that could be kept to, with a floor on the tokens
/// of a copy that adapts
std::optional<UltraEpTrial>
UltraEpDomain::SearchFast(uint64_t low, uint64_t high)
{
    auto limit =
        static_cast<uint64_t>(std::ceil(static_cast<double>(low) * (1 + m_limits.tolerance)));
    for (uint32_t i = 0; i < kFastTries; ++i)
    {
        UltraEpTrial trial = Try(limit, std::nullopt);
        if (trial.reached)
        {
            return trial;
        }
        limit = std::min(high, limit + (high + 99) / 100);
    }
    return std::nullopt;
}

/// \return the lowest limit at which what is above it is not more than what is below it
uint64_t
UltraEpDomain::FindLowestWithRoom(uint64_t low, uint64_t high) const
{
    while (low < high)
    {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t slack = 0;
        uint64_t excess = 0;
        for (const uint64_t load : m_loads)
        {
            const auto [below, above] = Compare(load, middle);
            slack += below;
            excess += above;
        }
        (excess <= slack ? high : low) = excess <= slack ? middle : middle + 1;
    }
    return low;
}

/// Narrows a range of limits, whose highest keeps everything where it is, by some probes at a time.
UltraEpTrial
UltraEpDomain::Probe(uint64_t low, uint64_t high)
{
    while (low < high)
    {
        const uint64_t range = high - low;
        const uint64_t probes = std::min(range, kProbes);
        const uint64_t begin = low;
        for (uint64_t i = 0; i < probes; ++i)
        {
            const uint64_t limit =
                range <= kProbes ? begin + i : begin + (i + 1) * range / (kProbes + 1);
            if (Try(limit, m_limits.minTokens).reached)
            {
                high = limit;
                break;
            }
            low = limit + 1;
        }
    }
    return Try(high, m_limits.minTokens);
}

} // namespace ns3::rails
