// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3::rails
{

std::vector<Piece>
CutDemands(const ServerView& view, const std::function<uint64_t(uint32_t)>& findChunk)
{
    std::vector<Piece> pieces;
    pieces.reserve(view.demands.size());
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        const uint64_t chunk = findChunk(demand);
        uint64_t left = view.demands[demand].bytes;
        while (left > 0)
        {
            const uint64_t bytes = std::min(left, chunk);
            pieces.push_back({demand, bytes, 0, 0});
            left -= bytes;
        }
    }
    return pieces;
}

std::vector<Piece>
CutDemands(const ServerView& view, ByteSize chunk)
{
    return CutDemands(view, [&](uint32_t) { return chunk.Get(); });
}

DestinationServers::DestinationServers(const ServerView& view)
{
    for (const LocalDemand& demand : view.demands)
    {
        m_servers.push_back(view.shape.GetServer(demand.destination));
    }
    m_numbers = m_servers;
    std::sort(m_servers.begin(), m_servers.end());
    m_servers.erase(std::unique(m_servers.begin(), m_servers.end()), m_servers.end());
    for (uint32_t& number : m_numbers)
    {
        const auto server = std::lower_bound(m_servers.begin(), m_servers.end(), number);
        number = static_cast<uint32_t>(server - m_servers.begin());
    }
}

uint32_t
DestinationServers::GetCount() const
{
    return static_cast<uint32_t>(m_servers.size());
}

uint32_t
DestinationServers::GetServer(uint32_t number) const
{
    return m_servers[number];
}

uint32_t
DestinationServers::GetNumber(uint32_t demand) const
{
    return m_numbers[demand];
}

std::vector<uint64_t>
DivideByShares(uint64_t amount, std::vector<double> shares, uint32_t& turn)
{
    double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (all <= 0)
    {
        shares.assign(shares.size(), 1);
        all = static_cast<double>(shares.size());
    }
    std::vector<uint64_t> parts;
    uint64_t left = amount;
    for (const double share : shares)
    {
        const double part = static_cast<double>(amount) * share / all;
        parts.push_back(std::min(left, static_cast<uint64_t>(part)));
        left -= parts.back();
    }
    while (left > 0)
    {
        const std::size_t place = turn % shares.size();
        const bool hasShare = shares[place] > 0;
        parts[place] += hasShare ? 1 : 0;
        left -= hasShare ? 1 : 0;
        turn = static_cast<uint32_t>(place + 1);
    }
    return parts;
}

std::vector<uint64_t>
SplitOverRails(uint64_t bytes,
               const std::vector<uint16_t>& rails,
               const ServerLayout& layout,
               uint32_t& turn)
{
    std::vector<double> speeds;
    for (const uint16_t rail : rails)
    {
        speeds.push_back(layout.GetSpeed(rail));
    }
    return DivideByShares(bytes, std::move(speeds), turn);
}

std::vector<Piece>
SplitOverWays(const ServerView& view, const std::function<NicWays(uint32_t to)>& findWays)
{
    struct Target // another server
    {
        NicWays ways;
        std::vector<double> speeds;
        uint32_t turn; // whose turn it is to get a byte that is left over
    };

    const DestinationServers servers(view);
    const ServerLayout& layout = view.GetLayout();
    std::vector<Target> targets;
    for (uint32_t number = 0; number < servers.GetCount(); ++number)
    {
        const uint32_t server = servers.GetServer(number);
        Target target{findWays(server), {}, view.server + server};
        for (const NicWay& way : target.ways)
        {
            target.speeds.push_back(layout.GetSpeed(way.tx) * way.speed);
        }
        targets.push_back(std::move(target));
    }
    std::vector<Piece> pieces;
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        Target& target = targets[servers.GetNumber(demand)];
        const NicWays& ways = target.ways;
        const uint32_t first = target.turn;
        const std::vector<uint64_t> parts =
            DivideByShares(view.demands[demand].bytes, target.speeds, target.turn);
        for (uint32_t step = 0; step < ways.size(); ++step)
        {
            const std::size_t place = (first + step) % ways.size();
            if (parts[place] > 0)
            {
                pieces.push_back({demand, parts[place], ways[place].tx, ways[place].rx});
            }
        }
    }
    return pieces;
}

} // namespace ns3::rails
