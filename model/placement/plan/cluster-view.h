// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_VIEW_H
#define CLUSTER_VIEW_H

#include <cstdint>

namespace ns3::rails
{

/// What policies of experts know of a cluster: plain numbers.
struct ClusterView
{
    uint32_t gpus{1};          //!< of the group that experts are spread over
    uint32_t gpusPerServer{1}; //!< GPUs of a server: they reach each other over NVLink
    uint32_t nicsPerServer{1}; //!< NICs of a server: its rails
    double nvlinkRate{0};      //!< bytes per second of a GPU in each direction
    double nicRate{0};         //!< bytes per second of a NIC in each direction
    double flops{0};           //!< floating-point operations that a GPU achieves in a second

    /// NICs of a server that copies of experts may take, where others are for tokens alone, and
    /// bytes per second of each of these; 0: all of them
    uint32_t copyNics{0};
    double copyRate{0};

    /// \return the same with the NICs that copies may take, and no others
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

    /// \return true when they reach each other over NVLink
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
