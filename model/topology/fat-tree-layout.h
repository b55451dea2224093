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
 * The switches and cables of one k-ary fat-tree (Al-Fares et al., SIGCOMM 2008, section 3): k pods
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
     * \param prefix what the names of its switches begin with ("rail0-", or nothing)
     * \param firstRegion number of its first pod among the regions of the fabric
     */
    FatTreeLayout(uint32_t ports, std::string prefix, uint32_t firstRegion);

    /// \return NICs that a tree of switches with k ports takes: k^3/4
    static uint32_t GetNics(uint32_t ports);

    /// Adds the edge switches.
    void AddEdges(FabricSite& site);

    /**
     * Attaches a NIC to the port that is its by number: consecutive NICs to consecutive ports of an
     * edge switch, edge switch after edge switch, pod after pod. Those of an edge switch must come
     * in order.
     * \param site where it is laid
     * \param nic its number in the site
     * \param place its number in this tree
     */
    void Attach(FabricSite& site, uint32_t nic, uint32_t place) const;

    /**
     * Adds the other switches and all cables between switches.
     * \param site where it is laid
     * \param toAggregation cables between edge and aggregation
     * \param toCore cables between aggregation and core
     */
    void Join(FabricSite& site, const CableKind& toAggregation, const CableKind& toCore) const;

    static constexpr const char* kEdgeUp = "edge_up";     //!< class of ports from edge switches up
    static constexpr const char* kAggDown = "agg_down";   //!< class of those at the other end
    static constexpr const char* kAggUp = "agg_up";       //!< from aggregation switches up
    static constexpr const char* kCoreDown = "core_down"; //!< at the other end

    /// \return the numbers of the edge switches, pod by pod
    const std::vector<uint32_t>& GetEdges() const;

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
