// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_RATES_H
#define CLUSTER_RATES_H

#include "fabric-paths.h"
#include "rails-units.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Rates and latencies of the servers of a cluster, which are alike, for workloads. Rates are in
/// bit/s per direction (0: not known).
struct ClusterRates
{
    uint64_t gpuBps{0}; //!< from a GPU to other GPUs of its server: NVLink, or PCIe without NVLink
    uint64_t nicBps{0}; //!< mean of the NICs of a server

    uint32_t packetNics{0}; //!< NICs of a server that are not attached to an optical switch
    uint64_t packetBps{0};  //!< mean of these NICs

    TimePs insideLatency{25'000}; //!< of a message between two GPUs of a server
    /// Of a message between servers, the latencies from GPU to local NIC and from NIC to GPU.
    TimePs endsLatency{0};
    uint64_t stagedBytes{16'384}; //!< segment in which a server stores and forwards a message
    uint64_t stagedBps{0};        //!< of PCIe between a GPU and its local NIC; 0: not modelled
    /// By GPU of a server, rails of its local NICs on packet switches; empty: not known.
    std::vector<std::vector<uint16_t>> nearRails{};

    std::shared_ptr<const FabricPaths> ways{}; //!< paths between servers; null: not known
};

} // namespace ns3::rails

#endif // CLUSTER_RATES_H
