// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_LOADS_H
#define RAIL_LOADS_H

#include "ns3/balancer.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * What a balancer puts on every NIC, by load arithmetic alone: no time, no packets. S and R of the
 * RailS model (arXiv 2510.19262, objective).
 */
class RailLoads
{
  public:
    /**
     * Asks the balancer once per server.
     * \param matrix what the servers have to send
     * \param balancer must not choose at sending time (throws std::logic_error)
     */
    RailLoads(const TrafficMatrix& matrix, Balancer& balancer);

    /// \return bytes that a NIC sends
    uint64_t GetSent(uint32_t server, uint32_t rail) const;
    /// \return bytes that a NIC receives
    uint64_t GetReceived(uint32_t server, uint32_t rail) const;

    /// \return the largest load of a NIC in either direction, in bytes
    uint64_t GetWorst() const;

    /// \return what the worst NIC carries at least under any plan, in bytes
    double GetBound() const;

    /// \return worst load over bound; 1 is optimal, and the answer where nothing is sent
    double GetRatio() const;

  private:
    ClusterShape m_shape;
    std::vector<uint64_t> m_sent;
    std::vector<uint64_t> m_received;
};

} // namespace ns3::rails

#endif // RAIL_LOADS_H
