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
 * Bytes between the servers of a region, summed over their GPUs. A region is a block of consecutive
 * servers that circuits may join; their numbers start at 0 here. Bytes inside a server do not
 * count.
 */
class CircuitDemand
{
  public:
    /// \param servers of the region, each with one GPU
    explicit CircuitDemand(uint32_t servers);

    /**
     * \param shape the whole cluster
     * \param first server of the region
     * \param servers number of servers of the region
     */
    CircuitDemand(const ClusterShape& shape, uint32_t first, uint32_t servers);

    /**
     * Adds bytes from a GPU to another, by their numbers in the cluster.
     * \throws std::logic_error when a GPU is outside of the region
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    uint32_t GetServers() const
    {
        return m_servers;
    }

    /// \return bytes from a server of the region to another
    uint64_t GetBytes(uint32_t from, uint32_t to) const;

    /// \return bytes between two servers, sum of both directions: a circuit is full-duplex
    uint64_t GetPairBytes(uint32_t one, uint32_t other) const;

    /// \return bytes between all servers
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
