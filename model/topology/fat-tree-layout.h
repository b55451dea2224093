// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAT_TREE_LAYOUT_H
#define FAT_TREE_LAYOUT_H

#include "fabric-site.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * The switches and links of one k-ary fat-tree (Al-Fares et al., SIGCOMM 2008, section 3): k pods
 * of k/2 edge and k/2 aggregation switches, and (k/2)^2 cores in k/2 groups. Aggregation switch j
 * of every pod joins group j: its uplink l leads to core j*(k/2)+l. Port p of a core leads to pod
 * p.
 *
 * Use: AddEdges(), attach NICs, then Join().
 */
class FatTreeLayout
{
  public:
    /**
     * \param ports k, the ports of a switch, even
     * \param prefix of the names of its switches ("rail0-", or empty)
     * \param firstRegion number of its first pod among the regions of the fabric
     */
    FatTreeLayout(uint32_t ports, std::string prefix, uint32_t firstRegion);

    /// \return NICs of a fat-tree of switches with k ports: k^3/4
    static uint32_t GetNics(uint32_t ports);

    /// Adds the edge switches.
    void AddEdges(FabricSite& site);

    /**
     * Attaches a NIC to the port given by its number: consecutive NICs to consecutive ports of an
     * edge switch, edge switch after edge switch, pod after pod. NICs of an edge switch must come
     * in order.
     * \param site of the fabric
     * \param nic number of the NIC in the site
     * \param place number of the NIC in this tree
     */
    void Attach(FabricSite& site, uint32_t nic, uint32_t place) const;

    /**
     * Adds the other switches and all links between switches.
     * \param site of the fabric
     * \param toAggregation kind of the links between edge and aggregation
     * \param toCore kind of the links between aggregation and core
     */
    void Join(FabricSite& site, const CableKind& toAggregation, const CableKind& toCore) const;

    static constexpr const char* kEdgeUp = "edge_up";     //!< port class: from edge switches up
    static constexpr const char* kAggDown = "agg_down";   //!< port class: aggregation to edge
    static constexpr const char* kAggUp = "agg_up";       //!< port class: aggregation to core
    static constexpr const char* kCoreDown = "core_down"; //!< port class: core to aggregation

    /// \return the numbers of the edge switches, pod by pod
    const std::vector<uint32_t>& GetEdges() const
    {
        return m_edges;
    }

  private:
    std::string GetPodName(uint32_t pod) const;

    uint32_t m_ports;
    uint32_t m_half; // k/2
    std::string m_prefix;
    uint32_t m_firstRegion;
    std::vector<uint32_t> m_edges;
};

} // namespace ns3::rails

#endif // FAT_TREE_LAYOUT_H
