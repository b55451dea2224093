// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "fat-tree-wiring.h"

#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailTopology);

TypeId
RailTopology::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using RailFabricValue = decltype(EnumValue(LEAF_SPINE));

    static TypeId tid =
        TypeId("ns3::rails::RailTopology")
            .SetParent<Topology>()
            .SetGroupName("Rails")
            .AddConstructor<RailTopology>()
            .AddAttribute("About",
                          "NIC n of every server is attached to a leaf of rail n; spines that "
                          "join the rails are optional. (system model of RailS)",
                          0,
                          EmptyAttributeValue(),
                          MakeEmptyAttributeAccessor(),
                          MakeEmptyAttributeChecker())
            .AddAttribute("Domains",
                          "Servers of the cluster. (M of RailS)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailTopology::m_domains),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server, which is also its NICs and the number of rails. (N of "
                          "RailS)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailTopology::m_gpusPerDomain),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("LeafPorts",
                          "Servers that one leaf can take; not used by rails that are fat-trees.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RailTopology::m_leafPorts),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("Spines",
                          "Spines that join every leaf of every rail; without them nothing "
                          "changes rail in the fabric.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailTopology::m_spines),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("RailSpines",
                          "Spines of each rail, which join its leaves; required when a rail has "
                          "several.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailTopology::m_railSpines),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("RailFabric",
                          "What joins the NICs of a rail: a leaf, or leaves and spines of its own; "
                          "or a fat-tree of its own with rail_k ports a switch.",
                          EnumValue(LEAF_SPINE),
                          MakeAccessorHelper<RailFabricValue>(&RailTopology::m_railFabric),
                          MakeEnumChecker(LEAF_SPINE, "leaf-spine", FAT_TREE, "fat-tree"))
            .AddAttribute("RailK",
                          "Ports of a switch where each rail is a fat-tree, an even number: rails "
                          "take up to k^3/4 servers; 0 where rails are no fat-trees. (Al-Fares et "
                          "al., SIGCOMM 2008)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailTopology::m_railPorts),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("UplinkRate",
                          "Rate of a cable between switches; 0bps stands for the NIC's rate.",
                          DataRateValue(DataRate(uint64_t{0})),
                          MakeDataRateAccessor(&RailTopology::m_uplinkRate),
                          MakeDataRateChecker())
            .AddAttribute("UplinksPerSpine",
                          "Parallel cables between a leaf and a spine.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RailTopology::m_uplinksPerSpine),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

ClusterShape
RailTopology::GetShape() const
{
    return {m_domains, m_gpusPerDomain};
}

uint32_t
RailTopology::GetLeavesPerRail() const
{
    return (m_domains + m_leafPorts - 1) / m_leafPorts;
}

uint64_t
RailTopology::GetUplinkRateBps() const
{
    return m_uplinkRate.GetBitRate() == 0 ? GetNicRateBps() : m_uplinkRate.GetBitRate();
}

uint32_t
RailTopology::GetPortsBelowLeaf() const
{
    return m_railFabric == FAT_TREE ? m_railPorts / 2 : m_leafPorts;
}

void
RailTopology::DescribeFabric(TopologyTraits& traits) const
{
    traits.connectsRails = m_spines > 0 || m_gpusPerDomain == 1;
    const bool isFatTree = m_railFabric == FAT_TREE;
    const uint32_t toRail = isFatTree ? m_railPorts / 2 : m_railSpines * m_uplinksPerSpine;
    const uint32_t acrossRails = m_spines * m_uplinksPerSpine;
    const uint32_t uplinks = toRail + acrossRails;
    traits.forksAcross = acrossRails > 1;
    traits.forksInRail = toRail > 1 && m_domains > GetPortsBelowLeaf();
    if (uplinks > 0)
    {
        const double below =
            static_cast<double>(GetNicRateBps()) * std::min(m_domains, GetPortsBelowLeaf());
        traits.oversubscription = below / (static_cast<double>(GetUplinkRateBps()) * uplinks);
        traits.fabric.tiers = isFatTree ? 3 : 2;
        traits.longestLinks = 4;
    }
    if (isFatTree)
    {
        traits.longestLinks =
            std::max<uint32_t>(m_spines > 0 ? 4 : 2,
                               FatTreeWiring::CountLinks(m_railPorts, m_domains - 1));
    }
}

void
RailTopology::CheckFatTree() const
{
    if (m_railPorts < 4 || m_railPorts % 2 != 0)
    {
        throw ConfigurationError("rail_k",
                                 "rails that are fat-trees have switches with an even number of "
                                 "ports: set rail_k to 4, 6, ..., 64 so that rail_k^3/4 is at "
                                 "least the number of domains");
    }
    const uint32_t most = FatTreeWiring::GetNics(m_railPorts);
    if (m_domains > most)
    {
        throw ConfigurationError("rail_k",
                                 "a fat-tree with rail_k = " + std::to_string(m_railPorts) +
                                     " takes " + std::to_string(most) + " servers, not " +
                                     std::to_string(m_domains) + ": enlarge rail_k");
    }
    if (m_railSpines > 0)
    {
        throw ConfigurationError("rail_spines",
                                 "a rail that is a fat-tree has no spines of its own: leave "
                                 "rail_spines out, or set rail_fabric to leaf-spine");
    }
}

void
RailTopology::CheckFabric() const
{
    if (m_railFabric == FAT_TREE)
    {
        CheckFatTree();
        return;
    }
    if (m_railPorts > 0)
    {
        throw ConfigurationError("rail_k",
                                 "only rails that are fat-trees have it: set rail_fabric to "
                                 "fat-tree, or leave rail_k out");
    }
    if (GetLeavesPerRail() > 1 && m_railSpines == 0)
    {
        throw ConfigurationError("rail_spines",
                                 std::to_string(m_domains) + " domains do not fit a leaf of " +
                                     std::to_string(m_leafPorts) +
                                     " ports: set rail_spines to join the leaves of a rail, "
                                     "enlarge leaf_ports, or set rail_fabric to fat-tree");
    }
}

void
RailTopology::Wire(FabricBuilder& builder) const
{
    const bool isFatTree = m_railFabric == FAT_TREE;
    const std::vector<Switch*> leaves = isFatTree ? WireFatTrees(builder) : WireLeafSpines(builder);
    // Longer than the longest way inside a rail, so that traffic stays in its rail if it can.
    const FabricBuilder::CableKind acrossRails{isFatTree ? "edge_up" : "leaf_up",
                                               "spine_down",
                                               GetUplinkRateBps(),
                                               m_uplinksPerSpine,
                                               isFatTree ? 3U : 2U};
    for (uint32_t number = 0; number < m_spines; ++number)
    {
        Switch& spine = builder.AddSwitch("spine" + std::to_string(number));
        for (Switch* leaf : leaves)
        {
            builder.Join(*leaf, spine, acrossRails);
        }
    }
}

// Wires the rails as leaves and spines, and returns the leaves.
std::vector<Switch*>
RailTopology::WireLeafSpines(FabricBuilder& builder) const
{
    const uint32_t perRail = GetLeavesPerRail();
    std::vector<Switch*> leaves;
    for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
    {
        const std::string prefix = "rail" + std::to_string(rail);
        for (uint32_t leaf = 0; leaf < perRail; ++leaf)
        {
            leaves.push_back(&builder.AddSwitch(prefix + "-leaf" + std::to_string(leaf)));
        }
    }
    for (uint32_t domain = 0; domain < m_domains; ++domain)
    {
        for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
        {
            Switch& leaf = *leaves[rail * perRail + domain / m_leafPorts];
            builder.Attach(domain, rail, leaf, leaf.GetNumber());
        }
    }
    const FabricBuilder::CableKind inRail{"leaf_up",
                                          "rail_spine_down",
                                          GetUplinkRateBps(),
                                          m_uplinksPerSpine};
    for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
    {
        const std::string prefix = "rail" + std::to_string(rail);
        for (uint32_t number = 0; number < m_railSpines; ++number)
        {
            Switch& spine = builder.AddSwitch(prefix + "-spine" + std::to_string(number));
            for (uint32_t leaf = 0; leaf < perRail; ++leaf)
            {
                builder.Join(*leaves[rail * perRail + leaf], spine, inRail);
            }
        }
    }
    return leaves;
}

// Wires the rails as fat-trees, and returns their edge switches.
std::vector<Switch*>
RailTopology::WireFatTrees(FabricBuilder& builder) const
{
    std::vector<FatTreeWiring> rails;
    std::vector<Switch*> edges;
    for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
    {
        rails.emplace_back(m_railPorts, "rail" + std::to_string(rail) + "-", rail * m_railPorts);
        rails.back().AddEdges(builder);
        edges.insert(edges.end(), rails.back().GetEdges().begin(), rails.back().GetEdges().end());
    }
    for (uint32_t domain = 0; domain < m_domains; ++domain)
    {
        for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
        {
            rails[rail].Attach(builder, domain, rail, domain);
        }
    }
    for (const FatTreeWiring& rail : rails)
    {
        rail.Join(builder, GetUplinkRateBps(), GetUplinkRateBps());
    }
    return edges;
}

} // namespace ns3::rails
