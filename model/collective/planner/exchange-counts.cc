// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-counts.h"

#include <utility>

namespace ns3::rails
{

ExchangeCounts::ExchangeCounts(TrafficMatrix matrix, const FrameFormat& frames)
    : m_matrix(std::move(matrix))
{
    const ClusterShape& shape = m_matrix.GetShape();
    m_sums.sent.resize(shape.domains);
    m_sums.received.resize(shape.domains);
    for (uint32_t source = 0; source < shape.GetGpus(); ++source)
    {
        const uint32_t from = shape.GetDomain(source);
        for (const Demand& demand : m_matrix.GetRow(source))
        {
            const uint32_t to = shape.GetDomain(demand.destination);
            if (to == from)
            {
                continue;
            }
            for (ServerTraffic* traffic : {&m_sums.sent[from], &m_sums.received[to]})
            {
                traffic->bytes += demand.bytes;
                traffic->frames += frames.CountFrames(demand.bytes);
            }
        }
    }
}

const ServerSums&
ExchangeCounts::GetSums() const
{
    return m_sums;
}

const TrafficMatrix&
ExchangeCounts::GetMatrix() const
{
    return m_matrix;
}

} // namespace ns3::rails
