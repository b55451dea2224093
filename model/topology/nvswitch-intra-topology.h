// SPDX-License-Identifier: GPL-2.0-only
#ifndef NVSWITCH_INTRA_TOPOLOGY_H
#define NVSWITCH_INTRA_TOPOLOGY_H

#include "intra-topology.h"

#include "ns3/data-rate.h"

namespace ns3::rails
{

/**
 * Every GPU reaches every other over NVLink. Bytes for a NIC that is not local cross NVLink to a
 * GPU near that NIC (PXN, NCCL 2.12); among several near GPUs, the index of the sending GPU chooses
 * (modulo). Received bytes take the reverse path.
 */
class NvswitchIntraTopology : public IntraTopology
{
  public:
    static TypeId GetTypeId();

    void Check(const ServerLayout& layout) const override;
    std::shared_ptr<const ServerInterior> Lay(const ServerLayout& layout,
                                              const NvlinkPorts& nvlink) const override;

  private:
    DataRate m_pcieRate;
    bool m_poolsNics{false};
};

} // namespace ns3::rails

#endif // NVSWITCH_INTRA_TOPOLOGY_H
