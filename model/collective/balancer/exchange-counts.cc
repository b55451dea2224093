// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-counts.h"

#include <utility>

namespace ns3::rails
{

ExchangeCounts::ExchangeCounts(TrafficMatrix matrix, const FrameFormat& frames)
    : m_matrix(std::move(matrix))
{
    const uint32_t servers = m_matrix.GetShape().servers;
    m_sums.sent.resize(servers);
    m_sums.received.resize(servers);
    VisitServerTraffic(m_matrix,
                       frames,
                       [this](uint32_t from, uint32_t to, const ServerTraffic& traffic) {
                           for (ServerTraffic* sum : {&m_sums.sent[from], &m_sums.received[to]})
                           {
                               sum->bytes += traffic.bytes;
                               sum->frames += traffic.frames;
                           }
                       });
}

} // namespace ns3::rails
