// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAT_TREE_WIRING_H
#define FAT_TREE_WIRING_H

#include "fabric-builder.h"

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
class FatTreeWiring
{
  public:
    /**
     * \param ports k, the ports of a switch, even
     * \param prefix what the names of its switches begin with ("rail0-", or nothing)
     * \param firstRegion number of its first pod among the regions of the fabric
     */
    FatTreeWiring(uint32_t ports, std::string prefix, uint32_t firstRegion);

    /// \return NICs that a tree of switches with k ports takes: k^3/4
    static uint32_t GetNics(uint32_t ports);

    /**
     * \param ports k
     * \param nic number of a NIC in the tree
     * \return cables on a shortest path between it and the first NIC: 2 at the same edge switch, 4
     * in the same pod, otherwise 6
     */
    static uint32_t CountLinks(uint32_t ports, uint32_t nic);

    /// Adds the edge switches.
    void AddEdges(FabricBuilder& builder);

    /**
     * Attaches a NIC to the port that is its by number: consecutive NICs to consecutive ports of an
     * edge switch, edge switch after edge switch, pod after pod. Those of an edge switch must come
     * in order.
     * \param builder the builder
     * \param domain server
     * \param rail NIC of that server
     * \param nic its number in this tree
     */
    void Attach(FabricBuilder& builder, uint32_t domain, uint32_t rail, uint32_t nic) const;

    /**
     * Adds the other switches and all cables between switches.
     * \param builder the builder
     * \param edgeRateBps rate of a cable between edge and aggregation
     * \param coreRateBps rate of a cable between aggregation and core
     */
    void Join(FabricBuilder& builder, uint64_t edgeRateBps, uint64_t coreRateBps) const;

    /// \return the edge switches, pod by pod
    const std::vector<Switch*>& GetEdges() const;

  private:
    std::string GetPodName(uint32_t pod) const;

    uint32_t m_ports;
    uint32_t m_half; // k/2
    std::string m_prefix;
    uint32_t m_firstRegion;
    std::vector<Switch*> m_edges;
};

} // namespace ns3::rails

#endif // FAT_TREE_WIRING_H
