// SPDX-License-Identifier: GPL-2.0-only
#ifndef PCIE_INTRA_TOPOLOGY_H
#define PCIE_INTRA_TOPOLOGY_H

#include "intra-topology.h"
#include "pcie-laying.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::rails
{

/// GPUs and NICs below PCIe switches, without NVLink: all traffic inside a server crosses PCIe.
class PcieIntraTopology : public IntraTopology
{
  public:
    static TypeId GetTypeId();

    void Check(const ServerLayout& layout) const override;
    std::shared_ptr<const ServerInterior> Lay(const ServerLayout& layout,
                                              const NvlinkPorts& nvlink) const override;

  protected:
    PcieTree GetTree() const;

    /// Adds hops between each GPU and every NIC.
    static void JoinNics(ServerInterior& interior, PcieLaying& pcie);

  private:
    DataRate m_pcieRate;
    DataRate m_uplinkRate;
    DataRate m_socketRate;
    uint32_t m_switches{0};
    uint32_t m_sockets{0};
};

} // namespace ns3::rails

#endif // PCIE_INTRA_TOPOLOGY_H
