// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_RATES_H
#define CLUSTER_RATES_H

#include <cstdint>

namespace ns3::rails
{

/// How quickly the GPUs and NICs of a cluster send, in bit/s and each direction; 0: not known.
struct ClusterRates
{
    uint64_t gpuBps{0}; //!< of a GPU to others of its server: NVLink, or PCIe without it
    uint64_t nicBps{0}; //!< of a NIC, in the mean of a server's

    uint32_t packetNics{0}; //!< NICs of a server that do not lead to an optical switch
    uint64_t packetBps{0};  //!< of one of these, in the mean
};

} // namespace ns3::rails

#endif // CLUSTER_RATES_H
