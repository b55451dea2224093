// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_RATES_H
#define CLUSTER_RATES_H

#include "fabric-ways.h"
#include "rails-units.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// What a workload may know of the servers of a cluster, which are alike: how quickly GPUs and NICs
/// send, in bit/s and each direction (0: not known), and which of them are near each other.
struct ClusterRates
{
    uint64_t gpuBps{0}; //!< of a GPU to others of its server: NVLink, or PCIe without it
    uint64_t nicBps{0}; //!< of a NIC, in the mean of a server's

    uint32_t packetNics{0}; //!< NICs of a server that do not lead to an optical switch
    uint64_t packetBps{0};  //!< of one of these, in the mean

    TimePs insideLatency{25'000}; //!< of a message from GPU to GPU of a server
    /// Of one from a GPU near a NIC to one of another server, what lies in both servers.
    TimePs endsLatency{0};
    uint64_t stagedBytes{16'384}; //!< of a message, stored at a time inside a server
    uint64_t stagedBps{0};        //!< on PCIe between a GPU and its NIC; 0: they are one
    /// By GPU of a server, rails of those NICs that lead to packet switches and are near it; empty:
    /// not known.
    std::vector<std::vector<uint16_t>> nearRails{};

    std::shared_ptr<const FabricWays> ways{}; //!< between its servers; null: not known
};

} // namespace ns3::rails

#endif // CLUSTER_RATES_H
