// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEAF_SPINE_TOPOLOGY_H
#define LEAF_SPINE_TOPOLOGY_H

#include "fabric-topology.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * A leaf-spine fabric (folded Clos network of two tiers), with one or several links between each
 * leaf and each spine. The NICs of a server take consecutive ports of the leaves.
 */
class LeafSpineTopology : public FabricTopology
{
  public:
    static TypeId GetTypeId();

    ClusterShape GetShape() const override;
    void CheckFor(const ClusterShape& shape) const override;
    void LayIn(FabricSite& site) const override;

  private:
    uint32_t CountLeaves(const ClusterShape& shape) const;
    uint64_t GetUplinkRateBps() const;

    uint32_t m_leafPorts{0};
    uint32_t m_spines{0};
    DataRate m_uplinkRate;
    uint32_t m_uplinksPerSpine{0};
};

} // namespace ns3::rails

#endif // LEAF_SPINE_TOPOLOGY_H
