// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAIRS_INTRA_TOPOLOGY_H
#define PAIRS_INTRA_TOPOLOGY_H

#include "pcie-intra-topology.h"

namespace ns3::rails
{

/// NVLink joins GPUs 0 and 1, 2 and 3, and so on; all other traffic crosses PCIe.
class PairsIntraTopology : public PcieIntraTopology
{
  public:
    static TypeId GetTypeId();

    void Check(const ServerLayout& layout) const override;
    std::shared_ptr<const ServerInterior> Lay(const ServerLayout& layout,
                                              const NvlinkPorts& nvlink) const override;
};

} // namespace ns3::rails

#endif // PAIRS_INTRA_TOPOLOGY_H
