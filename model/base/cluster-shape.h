// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_SHAPE_H
#define CLUSTER_SHAPE_H

#include <cstdint>

namespace ns3::rails
{

/// Rail of a message that stays inside its server, or has no rail yet.
constexpr uint16_t kNoRail = 0xffff;

/// Servers, and the GPUs and NICs of each. GPUs are numbered server by server, and so are NICs; the
/// index of a NIC in its server is its rail.
struct ClusterShape
{
    ClusterShape() = default;

    /**
     * \param servers number of servers
     * \param gpus GPUs of a server
     * \param nics NICs of a server; 0: as many as GPUs
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

/// \return share of the bytes of a uniform all-to-all that crosses servers, with the members spread
/// evenly over them
inline double
GetOutsideOfExchange(double members, double servers)
{
    return members > 1 ? (members - members / servers) / (members - 1) : 0;
}

/// \return share of the bytes of a tree over all members that crosses servers; that of a ring is
/// little larger
inline double
GetOutsideOfTree(double members, double servers)
{
    return members > 1 ? (servers - 1) / (members - 1) : 0;
}

} // namespace ns3::rails

#endif // CLUSTER_SHAPE_H
