// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_DEMAND_H
#define CIRCUIT_DEMAND_H

#include "ns3/cluster-shape.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Bytes that the servers of a region have for each other: what their GPUs have, folded. A region is
 * a block of servers with consecutive numbers that circuits may join; here they are numbered from
 * 0. What stays inside a server is left out.
 */
class CircuitDemand
{
  public:
    /// \param servers of the region, each with one GPU
    explicit CircuitDemand(uint32_t servers);

    /**
     * \param shape the whole cluster
     * \param first server of the region
     * \param servers how many the region has
     */
    CircuitDemand(const ClusterShape& shape, uint32_t first, uint32_t servers);

    /**
     * Adds what a GPU has for another, by their numbers in the cluster.
     * \throws std::logic_error when one of them is outside of the region
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    uint32_t GetServers() const;

    /// \return what a server of the region has for another one
    uint64_t GetBytes(uint32_t from, uint32_t to) const;

    /// \return what two servers have for each other, both ways together: a circuit is full-duplex
    uint64_t GetPairBytes(uint32_t one, uint32_t other) const;

    /// \return what all servers have for others
    uint64_t GetTotalBytes() const;

  private:
    uint32_t FindServer(uint32_t gpu) const;

    ClusterShape m_shape;
    uint32_t m_first;
    uint32_t m_servers;
    std::vector<uint64_t> m_bytes; //!< by from * servers + to
};

} // namespace ns3::rails

#endif // CIRCUIT_DEMAND_H
