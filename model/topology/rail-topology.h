// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_TOPOLOGY_H
#define RAIL_TOPOLOGY_H

#include "fabric-topology.h"

#include "ns3/data-rate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * A rail-optimized cluster: NIC n of every server is attached to a leaf of rail n. A rail with more
 * servers than leaf ports has several leaves joined by spines of the rail, or is a fat-tree; spines
 * that join all leaves of all rails are optional. (system model of RailS)
 */
class RailTopology : public FabricTopology
{
  public:
    /// Fabric of each rail.
    enum RailFabric
    {
        LEAF_SPINE,
        FAT_TREE
    };

    static TypeId GetTypeId();

    ClusterShape GetShape() const override;
    void CheckFor(const ClusterShape& shape) const override;
    void LayIn(FabricSite& site) const override;

  private:
    uint32_t CountLeavesPerRail(uint32_t servers) const;
    uint64_t GetUplinkRateBps() const;
    void CheckFatTree(uint32_t servers) const;
    std::vector<uint32_t> LayLeafSpines(FabricSite& site) const;
    std::vector<uint32_t> LayFatTrees(FabricSite& site) const;

    uint32_t m_leafPorts{0};
    uint32_t m_spines{0};
    uint32_t m_railSpines{0};
    RailFabric m_railFabric{LEAF_SPINE};
    uint32_t m_railPorts{0};
    DataRate m_uplinkRate;
    uint32_t m_uplinksPerSpine{0};
};

} // namespace ns3::rails

#endif // RAIL_TOPOLOGY_H
