// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_BUILDER_H
#define FABRIC_BUILDER_H

#include "ns3/gpu-cluster.h"
#include "ns3/rails-switch.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * What a topology wires its switches with: it knows them by name, and which ports lead from one to
 * the other.
 */
class FabricBuilder
{
  public:
    /**
     * \param cluster the servers, to which switches are added
     * \param profile what all switches share
     * \param selector prototype of their port selectors
     * \param delay propagation delay of every cable
     */
    FabricBuilder(Ptr<GpuCluster> cluster,
                  Ptr<const SwitchProfile> profile,
                  Ptr<const PortSelector> selector,
                  TimePs delay);

    /**
     * Adds a switch. Those with NICs come first, so that their numbers are dense.
     * \param name its name in messages and descriptors
     */
    Switch& AddSwitch(const std::string& name);

    /**
     * Attaches a NIC to an edge switch.
     * \param domain server
     * \param rail NIC of that server
     * \param edge the switch
     * \param region the part of the fabric (pod) that the switch belongs to
     */
    void Attach(uint32_t domain, uint32_t rail, Switch& edge, uint32_t region);

    /// One kind of cable between two kinds of switches.
    struct CableKind
    {
        std::string lowerClass; //!< class of the ports nearer to the NICs
        std::string upperClass; //!< class of the others
        uint64_t rateBps{0};
        uint32_t parallel{1}; //!< cables between the same two switches
        uint32_t cost{1};     //!< what one counts on a path
    };

    /**
     * Joins two switches.
     * \param lower the one nearer to the NICs
     * \param upper the other
     * \param kind by what
     */
    void Join(Switch& lower, Switch& upper, const CableKind& kind);

    /**
     * Replaces next hops by those of the `topology.routes` key.
     * \param routes its text
     * \throws ConfigurationError when it cannot be understood or names what does not exist
     */
    void OverrideRoutes(const std::string& routes);

  private:
    Switch& FindSwitch(std::string name) const;

    Ptr<GpuCluster> m_cluster;
    Ptr<const SwitchProfile> m_profile;
    Ptr<const PortSelector> m_selector;
    TimePs m_delay;
    std::map<std::string, Switch*> m_byName;
    // By switch and neighbour: the ports that lead there.
    std::map<std::pair<const Switch*, const Switch*>, std::vector<uint16_t>> m_ports;
};

} // namespace ns3::rails

#endif // FABRIC_BUILDER_H
