// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_RATES_H
#define CLUSTER_RATES_H

#include <cstdint>
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

    /// By GPU of a server, rails of those NICs that lead to packet switches and are near it; empty:
    /// not known.
    std::vector<std::vector<uint16_t>> nearRails{};
};

} // namespace ns3::rails

#endif // CLUSTER_RATES_H
