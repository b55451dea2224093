// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_SHAPE_H
#define CLUSTER_SHAPE_H

#include <cstdint>

namespace ns3::rails
{

/// Rail of what stays inside a server, or has none yet.
constexpr uint16_t kNoRail = 0xffff;

/// Servers, and the GPUs and NICs of each. GPUs are numbered server by server, and so are NICs; the
/// index of a NIC in its server is its rail.
struct ClusterShape
{
    ClusterShape() = default;

    /**
     * \param servers how many
     * \param gpus of a server
     * \param nics of a server; as many as GPUs unless said otherwise
     */
    ClusterShape(uint32_t servers, uint32_t gpus, uint32_t nics = 0)
        : servers(servers),
          gpusPerServer(gpus),
          nicsPerServer(nics == 0 ? gpus : nics)
    {
    }

    uint32_t servers{0};
    uint32_t gpusPerServer{0};
    uint32_t nicsPerServer{0};

    uint32_t GetGpus() const
    {
        return servers * gpusPerServer;
    }

    /// \return the server of a GPU
    uint32_t GetServer(uint32_t gpu) const
    {
        return gpu / gpusPerServer;
    }

    /// \return the index of a GPU in its server
    uint32_t GetLocal(uint32_t gpu) const
    {
        return gpu % gpusPerServer;
    }

    uint32_t GetNics() const
    {
        return servers * nicsPerServer;
    }

    /// \return the server of a NIC
    uint32_t GetNicServer(uint32_t nic) const
    {
        return nic / nicsPerServer;
    }

    /// \return the rail of a NIC
    uint32_t GetRail(uint32_t nic) const
    {
        return nic % nicsPerServer;
    }

    /// \return the number of the NIC of a server that is on a rail
    uint32_t GetNic(uint32_t server, uint32_t rail) const
    {
        return server * nicsPerServer + rail;
    }
};

/// \return which part of what members of a group on some servers send each other leaves a server,
/// where each sends each other one as much
inline double
GetOutsideOfExchange(double members, double servers)
{
    return members > 1 ? (members - members / servers) / (members - 1) : 0;
}

/// \return the same of a tree that joins all members; a ring crosses servers little more often
inline double
GetOutsideOfTree(double members, double servers)
{
    return members > 1 ? (servers - 1) / (members - 1) : 0;
}

} // namespace ns3::rails

#endif // CLUSTER_SHAPE_H
