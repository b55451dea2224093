// SPDX-License-Identifier: GPL-2.0-only
#include "rail-loads.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3::rails
{

RailLoads::RailLoads(const TrafficMatrix& matrix, Planner& planner)
    : m_shape(matrix.GetShape()),
      m_sent(m_shape.GetNics(), 0),
      m_received(m_shape.GetNics(), 0)
{
    if (planner.ChoosesAtSending())
    {
        throw std::logic_error("loads of a planner that chooses rails at sending time");
    }
    const ExchangeCounts counts(matrix, FrameFormat());
    for (uint32_t domain = 0; domain < m_shape.domains; ++domain)
    {
        const ServerView view = MakeServerView(matrix, domain);
        for (const Piece& piece : planner.MakePieces(view, &counts))
        {
            const uint32_t to = m_shape.GetDomain(view.demands[piece.demand].destination);
            m_sent[domain * m_shape.nicsPerDomain + piece.txRail] += piece.bytes;
            m_received[to * m_shape.nicsPerDomain + piece.rxRail] += piece.bytes;
        }
    }
}

uint64_t
RailLoads::GetSent(uint32_t domain, uint32_t rail) const
{
    return m_sent.at(domain * m_shape.nicsPerDomain + rail);
}

uint64_t
RailLoads::GetReceived(uint32_t domain, uint32_t rail) const
{
    return m_received.at(domain * m_shape.nicsPerDomain + rail);
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
        for (auto first = loads->begin(); first != loads->end(); first += m_shape.nicsPerDomain)
        {
            busiest = std::max(busiest,
                               std::accumulate(first, first + m_shape.nicsPerDomain, uint64_t{0}));
        }
    }
    return static_cast<double>(busiest) / m_shape.nicsPerDomain;
}

double
RailLoads::GetRatio() const
{
    const uint64_t worst = GetWorst();
    return worst == 0 ? 1 : static_cast<double>(worst) / GetBound();
}

} // namespace ns3::rails
