// SPDX-License-Identifier: GPL-2.0-only
#include "rail-aware-search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// \return the least number of tokens that are worth a price
uint64_t
FindLeast(double price, double token)
{
    // More tokens than there can be.
    constexpr double most = 1e15;
    return token > 0 ? static_cast<uint64_t>(std::clamp(std::ceil(price / token), 1.0, most)) : 1;
}

uint32_t
GetRail(const ClusterView& cluster, uint32_t gpu)
{
    return gpu % cluster.gpusPerServer % cluster.nicsPerServer;
}

} // namespace

CopyPrices
CopyPrices::From(const ExpertSetting& setting)
{
    const ClusterView cluster = setting.cluster.ForCopies();
    const auto divide = [](double amount, double rate) { return rate > 0 ? amount / rate : 0; };
    const auto bytes = static_cast<double>(setting.weightBytes);
    return {divide(setting.tokenFlops, cluster.flops),
            divide(bytes, cluster.nvlinkRate),
            divide(bytes, cluster.nicRate)};
}

/// One try to bring all loads below a limit.
class RailAwareSearch::Trial
{
  public:
    Trial(const RailAwareSearch& search, uint64_t limit)
        : m_search(search),
          m_cluster(search.m_division.GetSetting().cluster.ForCopies()),
          m_limit(limit),
          m_loads(search.m_division.GetLoads()),
          m_slots(m_loads.size(), search.m_slots),
          m_nvlinkOut(m_loads.size()),
          m_nvlinkIn(m_loads.size()),
          m_nicOut(std::size_t{m_cluster.GetServerCount()} * m_cluster.nicsPerServer),
          m_nicIn(m_nicOut.size())
    {
    }

    RailAwareTrial Run()
    {
        for (const uint32_t home : m_search.m_order)
        {
            if (m_loads[home] <= m_limit)
            {
                break; // loads are descending
            }
            for (const uint32_t expert : m_search.m_division.ListHeaviestFirst(home))
            {
                GiveAway(home, expert);
            }
        }
        m_result.largest = *std::max_element(m_loads.begin(), m_loads.end());
        const CopyPrices& prices = m_search.m_prices;
        const double transfers =
            std::max(prices.inside * std::max(GetMost(m_nvlinkOut), GetMost(m_nvlinkIn)),
                     prices.across * std::max(GetMost(m_nicOut), GetMost(m_nicIn)));
        m_result.seconds = prices.token * static_cast<double>(m_result.largest) + transfers;
        return m_result;
    }

  private:
    static uint32_t GetMost(const std::vector<uint32_t>& copies)
    {
        return *std::max_element(copies.begin(), copies.end());
    }

    std::size_t GetNic(uint32_t server, uint32_t rail) const
    {
        return std::size_t{server} * m_cluster.nicsPerServer + rail;
    }

    /// \return tokens that a new replica on a GPU may take, of so many; 0: none
    uint64_t GetRoom(uint32_t gpu, uint64_t tokens, uint64_t least) const
    {
        const uint64_t room =
            m_slots[gpu] > 0 && m_loads[gpu] < m_limit ? m_limit - m_loads[gpu] : 0;
        const uint64_t taken = std::min(room, tokens);
        return taken >= least ? taken : 0;
    }

    void GiveAway(uint32_t home, uint32_t expert)
    {
        uint64_t kept = m_search.m_division.GetKept(expert);
        std::vector<bool> holds(m_loads.size());
        holds[home] = true;
        while (m_loads[home] > m_limit && kept > 0)
        {
            const uint64_t tokens = std::min(m_loads[home] - m_limit, kept);
            std::optional<uint32_t> target = FindInside(home, tokens, holds);
            target = target ? target : FindAcross(home, expert, tokens, holds);
            if (!target)
            {
                return;
            }
            const uint64_t taken = GetRoom(*target, tokens, 1);
            Copy(home, expert, *target, taken);
            holds[*target] = true;
            kept -= taken;
        }
    }

    /// \return the GPU of the home's server with most room
    std::optional<uint32_t> FindInside(uint32_t home,
                                       uint64_t tokens,
                                       const std::vector<bool>& holds) const
    {
        const uint32_t first = m_cluster.GetServer(home) * m_cluster.gpusPerServer;
        const uint32_t end = std::min(m_cluster.gpus, first + m_cluster.gpusPerServer);
        std::optional<uint32_t> best;
        for (uint32_t gpu = first; gpu < end; ++gpu)
        {
            const bool fits = !holds[gpu] && GetRoom(gpu, tokens, m_search.m_leastInside) > 0;
            best = fits && (!best || m_loads[gpu] < m_loads[*best]) ? gpu : best;
        }
        return best;
    }

    /// \return the GPU of another server on the rail with fewest replicas sent out of the home's
    ///     server; ties: in the server with most of the tokens; then the GPU with most room
    std::optional<uint32_t> FindAcross(uint32_t home,
                                       uint32_t expert,
                                       uint64_t tokens,
                                       const std::vector<bool>& holds) const
    {
        const std::vector<uint64_t> own = CountByServer(expert);
        const uint32_t server = m_cluster.GetServer(home);
        std::optional<uint32_t> best;
        std::tuple<uint32_t, uint64_t, uint64_t> lowest;
        for (uint32_t gpu = 0; gpu < m_cluster.gpus; ++gpu)
        {
            const uint64_t taken = holds[gpu] || m_cluster.AreTogether(home, gpu)
                                       ? 0
                                       : GetRoom(gpu, tokens, m_search.m_leastAcross);
            if (taken == 0)
            {
                continue;
            }
            const uint64_t local = std::min(taken, own[m_cluster.GetServer(gpu)]);
            const std::tuple<uint32_t, uint64_t, uint64_t> rank{
                m_nicOut[GetNic(server, GetRail(m_cluster, gpu))],
                std::numeric_limits<uint64_t>::max() - local,
                m_loads[gpu]};
            if (!best || rank < lowest)
            {
                best = gpu;
                lowest = rank;
            }
        }
        return best;
    }

    /// \return tokens of an expert by source server
    std::vector<uint64_t> CountByServer(uint32_t expert) const
    {
        std::vector<uint64_t> tokens(m_cluster.GetServerCount());
        for (uint32_t source = 0; source < m_search.m_counts.GetSources(); ++source)
        {
            tokens[m_cluster.GetServer(source)] += m_search.m_counts.Get(source, expert);
        }
        return tokens;
    }

    void Copy(uint32_t home, uint32_t expert, uint32_t gpu, uint64_t tokens)
    {
        m_result.gifts.push_back({expert, gpu, tokens});
        m_loads[home] -= tokens;
        m_loads[gpu] += tokens;
        --m_slots[gpu];
        if (m_cluster.AreTogether(home, gpu))
        {
            ++m_nvlinkOut[home];
            ++m_nvlinkIn[gpu];
            return;
        }
        const uint32_t rail = GetRail(m_cluster, gpu);
        ++m_nicOut[GetNic(m_cluster.GetServer(home), rail)];
        ++m_nicIn[GetNic(m_cluster.GetServer(gpu), rail)];
    }

    const RailAwareSearch& m_search;
    const ClusterView m_cluster;
    uint64_t m_limit;
    std::vector<uint64_t> m_loads; //!< loads by GPU
    std::vector<uint32_t> m_slots; //!< free slots by GPU
    // Replicas sent over each link.
    std::vector<uint32_t> m_nvlinkOut;
    std::vector<uint32_t> m_nvlinkIn;
    std::vector<uint32_t> m_nicOut; //!< by server and rail
    std::vector<uint32_t> m_nicIn;
    RailAwareTrial m_result;
};

RailAwareSearch::RailAwareSearch(const ExpertDivision& division,
                                 const TokenCounts& counts,
                                 uint32_t slots,
                                 double worth)
    : m_division(division),
      m_counts(counts),
      m_slots(slots),
      m_prices(CopyPrices::From(division.GetSetting())),
      m_leastInside(FindLeast(worth * m_prices.inside, m_prices.token)),
      m_leastAcross(FindLeast(worth * m_prices.across, m_prices.token)),
      m_order(division.GetLoads().size())
{
    const std::vector<uint64_t>& loads = division.GetLoads();
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [&](uint32_t one, uint32_t other) {
        return loads[one] > loads[other];
    });
}

RailAwareTrial
RailAwareSearch::Try(uint64_t limit) const
{
    return Trial(*this, limit).Run();
}

RailAwareTrial
RailAwareSearch::Search(uint32_t limits) const
{
    const uint64_t gpus = m_order.size();
    const uint64_t low = (m_division.GetTotal() + gpus - 1) / gpus;
    const uint64_t high = m_division.GetLoads()[m_order.front()];
    RailAwareTrial best = Try(high);
    for (uint32_t i = 0; i + 1 < limits && low < high; ++i)
    {
        RailAwareTrial trial = Try(low + (high - low) * i / (limits - 1));
        if (std::tie(trial.seconds, trial.largest) < std::tie(best.seconds, best.largest))
        {
            best = std::move(trial);
        }
    }
    return best;
}

} // namespace ns3::rails
