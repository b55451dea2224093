// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TOPOLOGY_HELPER_H
#define RAILS_TOPOLOGY_HELPER_H

#include "component-maker.h"

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
 * Lays a cluster: servers with GPUs and several NICs each, switches and links.
 * \tparam Kind class of the topology, whose attributes determine its size
 */
template <typename Kind>
class TopologyHelper
{
  public:
    /// \param name of an attribute of the topology, such as "GpusPerDomain"
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        SetComponentAttribute(*m_topology, name, value);
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

/// One switch, or leaves and spines, for each rail; spines can connect the rails.
using RailTopologyHelper = TopologyHelper<RailTopology>;

/// A fat-tree of two or three tiers over all NICs.
using FatTreeTopologyHelper = TopologyHelper<FatTreeTopology>;

/// A leaf-spine fabric over all NICs.
using LeafSpineTopologyHelper = TopologyHelper<LeafSpineTopology>;

/// Groups of NICs, each with a fabric of its own.
using NicGroupsTopologyHelper = TopologyHelper<NicGroupsTopology>;

/// Servers connected by a patch panel, which forward traffic of other servers; flow-level engine
/// only.
using PatchPanelTopologyHelper = TopologyHelper<PatchPanelTopology>;

} // namespace ns3::rails

#endif // RAILS_TOPOLOGY_HELPER_H
