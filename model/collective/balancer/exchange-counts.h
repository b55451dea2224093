// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXCHANGE_COUNTS_H
#define EXCHANGE_COUNTS_H

#include "ns3/frame-format.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// What goes from servers to servers in an exchange; GPU pairs left whole.
struct ServerTraffic
{
    uint64_t bytes{0};  //!< payload
    uint64_t frames{0}; //!< that it takes
};

/**
 * Calls a function for each two GPUs of which one has something for the other in another server.
 * \param matrix what all have to send
 * \param frames how bytes become frames
 * \param visit takes the two servers and what goes from the first to the second
 */
template <typename Function>
void
VisitServerTraffic(const TrafficMatrix& matrix, const FrameFormat& frames, const Function& visit)
{
    const ClusterShape& shape = matrix.GetShape();
    for (uint32_t source = 0; source < shape.GetGpus(); ++source)
    {
        const uint32_t from = shape.GetServer(source);
        for (const Demand& demand : matrix.GetRow(source))
        {
            if (const uint32_t to = shape.GetServer(demand.destination); to != from)
            {
                visit(from, to, ServerTraffic{demand.bytes, frames.CountFrames(demand.bytes)});
            }
        }
    }
}

/// What all servers of an exchange send to other servers and receive from them: the row and column
/// sums of its matrix.
struct ServerSums
{
    std::vector<ServerTraffic> sent;     //!< by server
    std::vector<ServerTraffic> received; //!< by server
};

/// What servers tell each other of an exchange before they plan. It hands out as much as somebody
/// is meant to know.
class ExchangeCounts
{
  public:
    /**
     * \param matrix what all have to send
     * \param frames how bytes become frames
     */
    ExchangeCounts(TrafficMatrix matrix, const FrameFormat& frames);

    const ServerSums& GetSums() const
    {
        return m_sums;
    }

    const TrafficMatrix& GetMatrix() const
    {
        return m_matrix;
    }

  private:
    TrafficMatrix m_matrix;
    ServerSums m_sums;
};

} // namespace ns3::rails

#endif // EXCHANGE_COUNTS_H
