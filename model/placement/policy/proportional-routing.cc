// SPDX-License-Identifier: GPL-2.0-only
#include "proportional-routing.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Tokens of one expert on their way from sources to hosts.
class ExpertTable
{
  public:
    ExpertTable(uint32_t expert, const TokenCounts& counts, const std::vector<HostShare>& shares)
        : m_expert(expert),
          m_shares(shares),
          m_given(counts.GetSources() * shares.size())
    {
        for (uint32_t source = 0; source < counts.GetSources(); ++source)
        {
            m_left.push_back(counts.Get(source, expert));
        }
        for (const HostShare& share : shares)
        {
            m_room.push_back(share.tokens);
        }
    }

    void GiveOwn()
    {
        for (std::size_t i = 0; i < m_shares.size(); ++i)
        {
            const uint32_t own = m_shares[i].host;
            Give(own, i, std::min(m_left[own], m_room[i]));
        }
    }

    /// Splits tokens of a source in proportion to remaining room; later sources get the rest.
    void GiveInProportion(uint32_t source)
    {
        const uint64_t room = std::accumulate(m_room.begin(), m_room.end(), uint64_t{0});
        if (m_left[source] == 0)
        {
            return;
        }
        const std::vector<uint64_t> rooms = m_room;
        const uint64_t tokens = m_left[source];
        std::vector<std::size_t> byRemainder(rooms.size());
        std::iota(byRemainder.begin(), byRemainder.end(), 0);
        std::stable_sort(byRemainder.begin(),
                         byRemainder.end(),
                         [&](std::size_t one, std::size_t other) {
                             return rooms[one] * tokens % room > rooms[other] * tokens % room;
                         });
        for (std::size_t i = 0; i < rooms.size(); ++i)
        {
            Give(source, i, rooms[i] * tokens / room);
        }
        // Fewer tokens than remainders, so that no host exceeds its room.
        for (std::size_t i = 0; m_left[source] > 0; ++i)
        {
            Give(source, byRemainder[i], 1);
        }
    }

    /// Splits tokens in proportion to quotas of replicas, rounded down; none to the home.
    void GiveFloors(uint32_t home)
    {
        const uint64_t all = std::accumulate(m_room.begin(), m_room.end(), uint64_t{0});
        for (uint32_t source = 0; source < m_left.size(); ++source)
        {
            const uint64_t tokens = m_left[source];
            for (std::size_t i = 0; i < m_shares.size() && tokens > 0; ++i)
            {
                Give(source, i, m_shares[i].host == home ? 0 : m_shares[i].tokens * tokens / all);
            }
        }
    }

    void GiveInOrder()
    {
        for (uint32_t source = 0; source < m_left.size(); ++source)
        {
            for (std::size_t i = 0; i < m_room.size() && m_left[source] > 0; ++i)
            {
                Give(source, i, std::min(m_left[source], m_room[i]));
            }
        }
    }

    void AddRoutes(std::vector<TokenRoute>& routes) const
    {
        for (std::size_t at = 0; at < m_given.size(); ++at)
        {
            if (m_given[at] > 0)
            {
                routes.push_back({static_cast<uint32_t>(at / m_shares.size()),
                                  m_expert,
                                  m_shares[at % m_shares.size()].host,
                                  static_cast<uint32_t>(m_given[at])});
            }
        }
    }

  private:
    void Give(uint32_t source, std::size_t share, uint64_t tokens)
    {
        m_left[source] -= tokens;
        m_room[share] -= tokens;
        m_given[source * m_shares.size() + share] += tokens;
    }

    uint32_t m_expert;
    const std::vector<HostShare>& m_shares;
    std::vector<uint64_t> m_left;  //!< by source
    std::vector<uint64_t> m_room;  //!< by share
    std::vector<uint64_t> m_given; //!< by source and share
};

} // namespace

std::vector<TokenRoute>
RouteInProportion(const TokenCounts& counts, const ExpertQuota& quota, bool ownFirst)
{
    std::vector<TokenRoute> routes;
    routes.reserve(counts.GetCounts().size());
    for (uint32_t expert = 0; expert < quota.size(); ++expert)
    {
        ExpertTable table(expert, counts, quota[expert]);
        if (ownFirst)
        {
            table.GiveOwn();
        }
        for (uint32_t source = 0; source < counts.GetSources(); ++source)
        {
            table.GiveInProportion(source);
        }
        table.AddRoutes(routes);
    }
    return routes;
}

std::vector<TokenRoute>
RouteByFloors(const TokenCounts& counts, ExpertQuota quota, const ExpertSetting& setting)
{
    std::vector<TokenRoute> routes;
    routes.reserve(counts.GetCounts().size());
    for (uint32_t expert = 0; expert < quota.size(); ++expert)
    {
        const uint32_t home = setting.GetHome(expert);
        std::vector<HostShare>& shares = quota[expert];
        std::sort(shares.begin(),
                  shares.end(),
                  [home](const HostShare& one, const HostShare& other) {
                      return std::pair(one.host == home, one.host) <
                             std::pair(other.host == home, other.host);
                  });
        ExpertTable table(expert, counts, shares);
        table.GiveFloors(home);
        table.GiveInOrder();
        table.AddRoutes(routes);
    }
    return routes;
}

} // namespace ns3::rails
