// SPDX-License-Identifier: GPL-2.0-only
#ifndef NVLINK_LAYING_H
#define NVLINK_LAYING_H

#include "intra-topology.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Lays the NVLink ports of GPUs and the hops between them.
class NvlinkLaying
{
  public:
    /**
     * Adds an outgoing and an incoming port to every GPU.
     * \param interior the server
     * \param nvlink rate and latency of the ports
     */
    NvlinkLaying(ServerInterior& interior, const NvlinkPorts& nvlink);

    /// Joins two GPUs, in one direction. \return the number of the hop
    uint32_t Join(uint32_t from, uint32_t to);

  private:
    ServerInterior& m_interior;
    TimePs m_latency;
    std::vector<uint32_t> m_out; // by GPU: outgoing link
    std::vector<uint32_t> m_in;
};

} // namespace ns3::rails

#endif // NVLINK_LAYING_H
