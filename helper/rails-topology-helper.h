// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TOPOLOGY_HELPER_H
#define RAILS_TOPOLOGY_HELPER_H

#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/nic-groups-topology.h"
#include "ns3/patch-panel-topology.h"
#include "ns3/rail-topology.h"
#include "ns3/rails-wiring.h"

#include <memory>
#include <string>

namespace ns3::rails
{

/**
 * Lays a cluster: servers with GPUs and several NICs each, switches and cables.
 * \tparam Kind class of the topology, whose attributes say how large it is
 */
template <typename Kind>
class TopologyHelper
{
  public:
    /// \param name of an attribute of the topology, such as "GpusPerDomain"
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_topology->SetAttribute(name, value);
    }

    /**
     * \return a new cluster
     * \throws ConfigurationError when the attributes contradict each other
     */
    std::shared_ptr<Wiring> Lay() const
    {
        return m_topology->Lay();
    }

  private:
    Ptr<Kind> m_topology{CreateObject<Kind>()};
};

/// A switch for each rail, or leaves and spines of each rail; spines that join the rails.
using RailTopologyHelper = TopologyHelper<RailTopology>;

/// A fat-tree of two or three tiers that joins all NICs.
using FatTreeTopologyHelper = TopologyHelper<FatTreeTopology>;

/// Leaves and spines that join all NICs.
using LeafSpineTopologyHelper = TopologyHelper<LeafSpineTopology>;

/// Groups of NICs, each with a fabric of its own.
using NicGroupsTopologyHelper = TopologyHelper<NicGroupsTopology>;

/// Servers that a patch panel joins, and that pass on what is for others: flows only.
using PatchPanelTopologyHelper = TopologyHelper<PatchPanelTopology>;

} // namespace ns3::rails

#endif // RAILS_TOPOLOGY_HELPER_H
