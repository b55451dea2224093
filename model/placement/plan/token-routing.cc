// SPDX-License-Identifier: GPL-2.0-only
#include "token-routing.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Assigns tokens of one expert to its hosts.
class ExpertDeal
{
  public:
    ExpertDeal(uint32_t expert, const TokenCounts& counts, const std::vector<HostShare>& shares)
        : m_expert(expert),
          m_shares(shares)
    {
        m_left.reserve(counts.GetSources());
        for (uint32_t source = 0; source < counts.GetSources(); ++source)
        {
            m_left.push_back(counts.Get(source, expert));
        }
    }

    /// Assigns remaining tokens of sources to hosts with remaining quota, in order.
    template <typename MayGo>
    void Deal(const MayGo& mayGo, std::vector<TokenRoute>& routes)
    {
        for (uint32_t source = 0; source < m_left.size(); ++source)
        {
            for (std::size_t i = 0; i < m_shares.size() && m_left[source] > 0; ++i)
            {
                HostShare& share = m_shares[i];
                if (share.tokens == 0 || !mayGo(source, share.host))
                {
                    continue;
                }
                const auto tokens =
                    static_cast<uint32_t>(std::min<uint64_t>(m_left[source], share.tokens));
                m_left[source] -= tokens;
                share.tokens -= tokens;
                routes.push_back({source, m_expert, share.host, tokens});
            }
        }
    }

  private:
    uint32_t m_expert;
    std::vector<HostShare> m_shares;
    std::vector<uint32_t> m_left; //!< remaining tokens by source
};

/// Merges routes with the same source and host, which come from several steps.
void
Join(std::vector<TokenRoute>& routes, std::size_t first)
{
    const auto begin = routes.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, routes.end(), [](const TokenRoute& left, const TokenRoute& right) {
        return std::pair(left.source, left.host) < std::pair(right.source, right.host);
    });
    auto last = begin;
    for (auto route = begin; route != routes.end(); ++route)
    {
        if (route != begin && route->source == last->source && route->host == last->host)
        {
            last->tokens += route->tokens;
        }
        else if (route != begin)
        {
            *++last = *route;
        }
    }
    routes.erase(begin == routes.end() ? begin : last + 1, routes.end());
}

/// \return true when an expert has two slots on a GPU
bool
HasTwins(const std::vector<uint32_t>& hosts)
{
    for (auto host = hosts.begin(); host != hosts.end(); ++host)
    {
        if (std::find(hosts.begin(), host, *host) != host)
        {
            return true;
        }
    }
    return false;
}

/// Splits tokens of a source for an expert evenly over slots; the first slot rotates with the
/// source.
void
DealEvenly(const SourceCounts& own,
           uint32_t expert,
           const std::vector<uint32_t>& hosts,
           bool hasTwins,
           std::vector<TokenRoute>& routes)
{
    const uint32_t tokens = own.Get(expert);
    const auto many = static_cast<uint32_t>(hosts.size());
    const std::size_t first = routes.size();
    for (uint32_t i = 0; i < many; ++i)
    {
        const uint32_t dealt = tokens / many + (i < tokens % many ? 1 : 0);
        if (dealt > 0)
        {
            routes.push_back({own.GetSource(), expert, hosts[(own.GetSource() + i) % many], dealt});
        }
    }
    if (hasTwins)
    {
        Join(routes, first);
    }
}

} // namespace

std::vector<TokenRoute>
RouteNearFirst(const TokenCounts& counts,
               const ExpertQuota& quota,
               const ClusterView& cluster,
               RoutingLocality locality)
{
    std::vector<TokenRoute> routes;
    routes.reserve(counts.GetCounts().size());
    for (uint32_t expert = 0; expert < quota.size(); ++expert)
    {
        const std::size_t first = routes.size();
        ExpertDeal deal(expert, counts, quota[expert]);
        deal.Deal([](uint32_t source, uint32_t host) { return source == host; }, routes);
        if (locality == RoutingLocality::Server)
        {
            deal.Deal(
                [&](uint32_t source, uint32_t host) { return cluster.AreTogether(source, host); },
                routes);
        }
        deal.Deal([](uint32_t, uint32_t) { return true; }, routes);
        Join(routes, first);
    }
    return routes;
}

std::vector<TokenRoute>
RouteInOrder(const TokenCounts& counts, const ExpertQuota& quota)
{
    std::vector<TokenRoute> routes;
    routes.reserve(counts.GetCounts().size());
    for (uint32_t expert = 0; expert < quota.size(); ++expert)
    {
        ExpertDeal(expert, counts, quota[expert])
            .Deal([](uint32_t, uint32_t) { return true; }, routes);
    }
    return routes;
}

void
RouteEvenly(const SourceCounts& own,
            const ExpertPlacement& placement,
            std::vector<TokenRoute>& routes)
{
    for (uint32_t expert = 0; expert < placement.hosts.size(); ++expert)
    {
        const std::vector<uint32_t> hosts = placement.ListShares(expert);
        DealEvenly(own, expert, hosts, HasTwins(hosts), routes);
    }
}

void
RouteToNearest(const SourceCounts& own,
               const ExpertPlacement& placement,
               const ClusterView& cluster,
               std::vector<TokenRoute>& routes)
{
    const uint32_t source = own.GetSource();
    const auto isOwn = [&](uint32_t host) { return host == source; };
    const auto isInServer = [&](uint32_t host) { return cluster.AreTogether(host, source); };
    for (uint32_t expert = 0; expert < placement.hosts.size(); ++expert)
    {
        if (own.Get(expert) == 0)
        {
            continue;
        }
        const std::vector<uint32_t> all = placement.ListShares(expert);
        std::vector<uint32_t> nearest;
        std::copy_if(all.begin(), all.end(), std::back_inserter(nearest), isOwn);
        if (nearest.empty())
        {
            std::copy_if(all.begin(), all.end(), std::back_inserter(nearest), isInServer);
        }
        const std::vector<uint32_t>& hosts = nearest.empty() ? all : nearest;
        DealEvenly(own, expert, hosts, HasTwins(hosts), routes);
    }
}

std::vector<TokenRoute>
RouteEvenly(const TokenCounts& counts, const ExpertPlacement& placement)
{
    std::vector<TokenRoute> routes;
    routes.reserve(counts.GetCounts().size());
    for (uint32_t expert = 0; expert < placement.hosts.size(); ++expert)
    {
        const std::vector<uint32_t> hosts = placement.ListShares(expert);
        const bool hasTwins = HasTwins(hosts);
        for (uint32_t source = 0; source < counts.GetSources(); ++source)
        {
            DealEvenly({counts, source}, expert, hosts, hasTwins, routes);
        }
    }
    return routes;
}

std::vector<TokenRoute>
RouteInGroups(const TokenCounts& counts, const ExpertSetting& setting)
{
    std::vector<TokenRoute> routes;
    routes.reserve(counts.GetCounts().size());
    for (uint32_t source = 0; source < counts.GetSources(); ++source)
    {
        const uint32_t first = source / setting.expertParallel * setting.expertParallel;
        for (uint32_t expert = 0; expert < counts.GetExperts(); ++expert)
        {
            const uint32_t tokens = counts.Get(source, expert);
            if (tokens > 0)
            {
                routes.push_back({source, expert, first + setting.GetHome(expert), tokens});
            }
        }
    }
    return routes;
}

void
AddCopies(const ExpertSetting& setting, ExpertPlan& plan)
{
    std::vector<std::pair<uint32_t, uint32_t>> copies; // expert and GPU
    for (const TokenRoute& route : plan.routes)
    {
        if (!plan.placement->Holds(route.expert, route.host))
        {
            copies.emplace_back(route.expert, route.host);
        }
    }
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
    for (const auto& [expert, gpu] : copies)
    {
        const uint32_t home = plan.placement->hosts[expert].front();
        plan.weights.push_back({expert, home, gpu, setting.weightBytes});
        plan.gradients.push_back({expert, gpu, home, setting.gradientBytes});
    }
}

} // namespace ns3::rails
