// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_PARTITION_H
#define GPU_PARTITION_H

#include "ns3/cluster-shape.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Places of a group's members by server; servers are in the order of their first members.
using MembersByServer = std::vector<std::vector<uint32_t>>;

/// \return members per server, if all servers have equally many; otherwise 0
uint32_t CountPerServer(const MembersByServer& servers);

/**
 * Disjoint groups of GPUs of equal size, such as those of a collective or of expert parallelism.
 * Immutable.
 *
 * Groups are numbered. The members of a group are ordered GPUs, and the place of a GPU is its index
 * among them. The servers of a group are numbered from 0 in the order of the members. Methods with
 * a GPU parameter accept only GPUs of groups, which may be a part of the cluster.
 *
 * Data of a member for several GPUs of another server goes through a relay: the member there at the
 * same place among those of its server, so that it stays on one rail. If a server has fewer
 * members, they serve as relays in turn.
 */
class GpuPartition
{
  public:
    using Groups = std::vector<std::vector<uint32_t>>;

    /// Which GPUs are in a group.
    enum Layout
    {
        CONTIGUOUS, //!< group i has the GPUs from i * size on
        STRIDED     //!< member j of group i is GPU i + j * GPUs / size
    };

    /**
     * All GPUs in one group. Not explicit, since a cluster alone stands for this.
     * \param shape the cluster
     */
    GpuPartition(const ClusterShape& shape);

    /**
     * \param shape the cluster
     * \param size GPUs of a group, a divisor of the cluster's GPUs; anything else throws
     *     std::logic_error
     * \param layout which GPUs are in a group
     */
    GpuPartition(const ClusterShape& shape, uint32_t size, Layout layout);

    /**
     * \param shape the cluster
     * \param groups GPUs of each group, in the order of its members
     */
    GpuPartition(const ClusterShape& shape, Groups groups);

    const ClusterShape& GetShape() const
    {
        return m_shape;
    }

    /// \return number of groups
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_groups.size());
    }

    /// \return number of GPUs per group
    uint32_t GetSize() const
    {
        return m_groups.empty() ? 0 : static_cast<uint32_t>(m_groups.front().size());
    }

    /// \return owner of GetSize() GPUs, for messages: "the topology" or "a group"
    const char* GetOwner() const
    {
        return GetCount() == 1 ? "the topology" : "a group";
    }

    /// \return the GPUs of each group
    const Groups& GetGroups() const
    {
        return m_groups;
    }

    /// \return places of the members of a group, by server
    const MembersByServer& GetServers(uint32_t group) const
    {
        return m_servers[group];
    }

    /// \return number of servers with members of a group
    uint32_t CountServers(uint32_t group) const
    {
        return static_cast<uint32_t>(m_servers[group].size());
    }

    /// \return number of ordered pairs of members of a group on different servers
    uint64_t CountPairsApart(uint32_t group) const;

    /// \return members per server, if equal on all servers and in all groups; otherwise 0
    uint32_t CountPerServer() const;

    /// \return whether CountPerServer() is not 0, and members of a server are consecutive
    bool AreEven() const;

    /// \return number of a GPU's group
    uint32_t GetNumber(uint32_t gpu) const
    {
        return m_places[gpu].group;
    }

    /// \return index of a GPU among the members of its group
    uint32_t GetPlace(uint32_t gpu) const
    {
        return m_places[gpu].place;
    }

    /// \return the members of a GPU's group
    const std::vector<uint32_t>& GetMembers(uint32_t gpu) const
    {
        return m_groups[m_places[gpu].group];
    }

    /// \return index of a GPU's server among the servers of its group
    uint32_t GetServer(uint32_t gpu) const
    {
        return m_places[gpu].server;
    }

    /// \return the relay for data of a GPU to a server of its group
    uint32_t GetRelay(uint32_t gpu, uint32_t server) const;

    /// \return GPUs of other servers whose data a GPU relays
    const std::vector<uint32_t>& GetServed(uint32_t gpu) const;

  private:
    /// Place of a GPU.
    struct Place
    {
        uint32_t group;
        uint32_t place;    //!< in the group
        uint32_t server;   //!< of the group
        uint32_t onServer; //!< place among the members of the server
    };

    ClusterShape m_shape;
    Groups m_groups;
    std::vector<MembersByServer> m_servers; //!< by group
    std::vector<Place> m_places;            //!< by GPU
    mutable Groups m_served;                //!< by GPU; computed on first use
};

} // namespace ns3::rails

#endif // GPU_PARTITION_H
