// SPDX-License-Identifier: GPL-2.0-only
#include "rail-loads.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3::rails
{

RailLoads::RailLoads(const TrafficMatrix& matrix, Balancer& balancer)
    : m_shape(matrix.GetShape()),
      m_sent(m_shape.GetNics(), 0),
      m_received(m_shape.GetNics(), 0)
{
    if (balancer.GetTraits().choosesAtSending)
    {
        throw std::logic_error("loads of a planner that chooses rails at sending time");
    }
    const ExchangeCounts counts(matrix, FrameFormat());
    for (uint32_t server = 0; server < m_shape.servers; ++server)
    {
        const ServerView view = MakeServerView(matrix, server);
        for (const Piece& piece : balancer.MakePieces(view, &counts))
        {
            const uint32_t to = m_shape.GetServer(view.demands[piece.demand].destination);
            m_sent[server * m_shape.nicsPerServer + piece.txRail] += piece.bytes;
            m_received[to * m_shape.nicsPerServer + piece.rxRail] += piece.bytes;
        }
    }
}

uint64_t
RailLoads::GetSent(uint32_t server, uint32_t rail) const
{
    return m_sent.at(server * m_shape.nicsPerServer + rail);
}

uint64_t
RailLoads::GetReceived(uint32_t server, uint32_t rail) const
{
    return m_received.at(server * m_shape.nicsPerServer + rail);
}

uint64_t
RailLoads::GetWorst() const
{
    return std::max(*std::max_element(m_sent.begin(), m_sent.end()),
                    *std::max_element(m_received.begin(), m_received.end()));
}

double
RailLoads::GetBound() const
{
    uint64_t busiest = 0;
    for (const std::vector<uint64_t>* loads : {&m_sent, &m_received})
    {
        for (auto first = loads->begin(); first != loads->end(); first += m_shape.nicsPerServer)
        {
            busiest = std::max(busiest,
                               std::accumulate(first, first + m_shape.nicsPerServer, uint64_t{0}));
        }
    }
    return static_cast<double>(busiest) / m_shape.nicsPerServer;
}

double
RailLoads::GetRatio() const
{
    const uint64_t worst = GetWorst();
    return worst == 0 ? 1 : static_cast<double>(worst) / GetBound();
}

} // namespace ns3::rails
