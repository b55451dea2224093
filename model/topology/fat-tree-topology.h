// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAT_TREE_TOPOLOGY_H
#define FAT_TREE_TOPOLOGY_H

#include "fabric-topology.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * A k-ary fat-tree of three tiers with k^3/4 ports for NICs (Al-Fares et al., SIGCOMM 2008; the
 * fabric of arXiv 2507.21372). The NICs of a server take consecutive ports.
 */
class FatTreeTopology : public FabricTopology
{
  public:
    static TypeId GetTypeId();

    ClusterShape GetShape() const override;
    void CheckFor(const ClusterShape& shape) const override;
    void LayIn(FabricSite& site) const override;

  private:
    double GetEdgeRate() const; //!< of links between edge and aggregation, in bit/s
    double GetCoreRate() const; //!< of links between aggregation and core, in bit/s

    uint32_t m_ports{0};
    double m_edgeOversubscription{1};
    double m_coreOversubscription{1};
};

} // namespace ns3::rails

#endif // FAT_TREE_TOPOLOGY_H
