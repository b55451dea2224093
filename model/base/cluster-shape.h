// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_SHAPE_H
#define CLUSTER_SHAPE_H

#include <cstdint>

namespace ns3::rails
{

/// Servers and the GPUs (and NICs, and rails) of each.
struct ClusterShape
{
    uint32_t domains{0};
    uint32_t gpusPerDomain{0};

    uint32_t GetGpus() const
    {
        return domains * gpusPerDomain;
    }

    /// \return the server of a GPU
    uint32_t GetDomain(uint32_t gpu) const
    {
        return gpu / gpusPerDomain;
    }

    /// \return the index of a GPU inside its server, which is its own NIC's rail
    uint32_t GetLocal(uint32_t gpu) const
    {
        return gpu % gpusPerDomain;
    }
};

} // namespace ns3::rails

#endif // CLUSTER_SHAPE_H
