// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_VIEW_H
#define CLUSTER_VIEW_H

#include <cstdint>

namespace ns3::rails
{

/// Cluster as seen by expert policies, in plain numbers.
struct ClusterView
{
    uint32_t gpus{1};          //!< GPUs of the group that experts are spread over
    uint32_t gpusPerServer{1}; //!< GPUs of a server, connected by NVLink
    uint32_t nicsPerServer{1}; //!< NICs of a server, one per rail
    double nvlinkRate{0};      //!< bytes per second of a GPU in each direction
    double nicRate{0};         //!< bytes per second of a NIC in each direction
    double flops{0};           //!< achieved floating-point operations per second of a GPU

    /// NICs of a server for temporary replicas of experts, where the other NICs carry only tokens,
    /// and their rate in bytes per second; 0: all NICs carry both
    uint32_t copyNics{0};
    double copyRate{0};

    /// \return this view with only the NICs for temporary replicas
    ClusterView ForCopies() const
    {
        ClusterView view = *this;
        if (copyNics > 0)
        {
            view.nicsPerServer = copyNics;
            view.nicRate = copyRate;
        }
        return view;
    }

    /// \return number of the server that a GPU is in
    uint32_t GetServer(uint32_t gpu) const
    {
        return gpu / gpusPerServer;
    }

    /// \return true when two GPUs are in the same server
    bool AreTogether(uint32_t one, uint32_t other) const
    {
        return GetServer(one) == GetServer(other);
    }

    /// \return number of servers
    uint32_t GetServerCount() const
    {
        return (gpus + gpusPerServer - 1) / gpusPerServer;
    }
};

} // namespace ns3::rails

#endif // CLUSTER_VIEW_H
