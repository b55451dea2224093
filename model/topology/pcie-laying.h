// SPDX-License-Identifier: GPL-2.0-only
#ifndef PCIE_LAYING_H
#define PCIE_LAYING_H

#include "ns3/rails-units.h"
#include "ns3/server-interior.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Parameters of the PCIe tree of a server.
struct PcieTree
{
    uint64_t portBps{0};   //!< port of a GPU or NIC, each direction
    uint64_t uplinkBps{0}; //!< link between a switch and its socket, each direction
    uint64_t socketBps{0}; //!< link between each two sockets, each direction
    uint32_t switches{1};  //!< number of switches; GPUs are assigned in order, evenly
    uint32_t sockets{1};   //!< number of sockets; switches are assigned in order, evenly
    TimePs latency{0};     //!< of a crossing, from port to port
};

/**
 * Lays PCIe: ports of GPUs and NICs below switches, switches below sockets, a link between each two
 * sockets. A NIC is below the switch of the first GPU near it.
 */
class PcieLaying
{
  public:
    PcieLaying(ServerInterior& interior, const PcieTree& tree);

    /// Joins two ends, in one direction. A NIC reads in its own order, so bytes for a NIC queue at
    /// the port into it. \return the number of the hop
    uint32_t Join(uint32_t from, uint32_t to);

    /// \return the switch of an end
    uint32_t GetSwitch(uint32_t end) const;

  private:
    /// Both directions of a port: away from the end, and to it.
    struct Port
    {
        uint32_t out{0};
        uint32_t in{0};
    };

    Port AddPort(const std::string& name, uint64_t rateBps, uint32_t gpu);
    uint32_t GetSocket(uint32_t number) const;

    ServerInterior& m_interior;
    PcieTree m_tree;
    std::vector<uint32_t> m_switchOf;  // by end
    std::vector<Port> m_ports;         // by end
    std::vector<Port> m_uplinks;       // by switch; `out` leads to the socket
    std::vector<uint32_t> m_toSockets; // links, by source and destination socket
};

} // namespace ns3::rails

#endif // PCIE_LAYING_H
