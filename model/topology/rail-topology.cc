// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "fat-tree-layout.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailTopology);

TypeId
RailTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RailTopology").SetParent<FabricTopology>(),
                         "NIC n of every server is attached to a leaf of rail n; spines that "
                         "join the rails are optional. (system model of RailS)")
            .SetGroupName("Rails")
            .AddConstructor<RailTopology>()
            .AddAttribute(
                "Domains",
                "Servers of the cluster. (M of RailS)",
                UintegerValue(8),
                MakeUintegerAccessor(&RailTopology::SetServerCount, &RailTopology::GetServerCount),
                MakeCountRange<uint32_t>(1, 65536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server. (N of RailS, where each has a NIC)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RailTopology::SetGpusPerServer,
                                               &RailTopology::GetGpusPerServer),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("LeafPorts",
                          "Servers that one leaf can take; not used by rails that are fat-trees.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RailTopology::m_leafPorts),
                          MakeCountRange<uint32_t>(1, 4096))
            .AddAttribute("Spines",
                          "Spines that join every leaf of every rail; without them nothing "
                          "changes rail in the fabric.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailTopology::m_spines),
                          MakeCountRange<uint32_t>(0, 4096))
            .AddAttribute("RailSpines",
                          "Spines of each rail, which join its leaves; required when a rail has "
                          "several.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailTopology::m_railSpines),
                          MakeCountRange<uint32_t>(0, 4096))
            .AddAttribute("RailFabric",
                          "What joins the NICs of a rail: a leaf, or leaves and spines of its own; "
                          "or a fat-tree of its own with rail_k ports a switch.",
                          EnumValue(LEAF_SPINE),
                          MakeWordAccessor(&RailTopology::m_railFabric),
                          MakeEnumChecker(LEAF_SPINE, "leaf-spine", FAT_TREE, "fat-tree"))
            .AddAttribute("RailK",
                          "Ports of a switch where each rail is a fat-tree, an even number: rails "
                          "take up to k^3/4 servers; 0 where rails are no fat-trees. (Al-Fares et "
                          "al., SIGCOMM 2008)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RailTopology::m_railPorts),
                          MakeCountRange<uint32_t>(0, 64))
            .AddAttribute("UplinkRate",
                          "Rate of a cable between switches; 0bps stands for the NIC's rate.",
                          DataRateValue(DataRate(uint64_t{0})),
                          MakeDataRateAccessor(&RailTopology::m_uplinkRate),
                          MakeRateRange())
            .AddAttribute("UplinksPerSpine",
                          "Parallel cables between a leaf and a spine.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RailTopology::m_uplinksPerSpine),
                          MakeCountRange<uint32_t>(1, 1024));
    return tid;
}

ClusterShape
RailTopology::GetShape() const
{
    return {GetServerCount(), GetGpusPerServer(), GetNicsPerServer()};
}

uint32_t
RailTopology::CountLeavesPerRail(uint32_t servers) const
{
    return (servers + m_leafPorts - 1) / m_leafPorts;
}

uint64_t
RailTopology::GetUplinkRateBps() const
{
    return m_uplinkRate.GetBitRate() == 0 ? GetNicRateBps() : m_uplinkRate.GetBitRate();
}

void
RailTopology::CheckFatTree(uint32_t servers) const
{
    if (m_railPorts < 4 || m_railPorts % 2 != 0)
    {
        throw ConfigurationError("rail_k",
                                 "rails that are fat-trees have switches with an even number of "
                                 "ports: set rail_k to 4, 6, ..., 64 so that rail_k^3/4 is at "
                                 "least the number of domains");
    }
    const uint32_t most = FatTreeLayout::GetNics(m_railPorts);
    if (servers > most)
    {
        throw ConfigurationError("rail_k",
                                 "a fat-tree with rail_k = " + std::to_string(m_railPorts) +
                                     " takes " + std::to_string(most) + " servers, not " +
                                     std::to_string(servers) + ": enlarge rail_k");
    }
    if (m_railSpines > 0)
    {
        throw ConfigurationError("rail_spines",
                                 "a rail that is a fat-tree has no spines of its own: leave "
                                 "rail_spines out, or set rail_fabric to leaf-spine");
    }
}

void
RailTopology::CheckFor(const ClusterShape& shape) const
{
    if (m_railFabric == FAT_TREE)
    {
        CheckFatTree(shape.servers);
        return;
    }
    if (m_railPorts > 0)
    {
        throw ConfigurationError("rail_k",
                                 "only rails that are fat-trees have it: set rail_fabric to "
                                 "fat-tree, or leave rail_k out");
    }
    if (CountLeavesPerRail(shape.servers) > 1 && m_railSpines == 0)
    {
        throw ConfigurationError("rail_spines",
                                 std::to_string(shape.servers) + " domains do not fit a leaf of " +
                                     std::to_string(m_leafPorts) +
                                     " ports: set rail_spines to join the leaves of a rail, "
                                     "enlarge leaf_ports, or set rail_fabric to fat-tree");
    }
}

void
RailTopology::LayIn(FabricSite& site) const
{
    const bool isFatTree = m_railFabric == FAT_TREE;
    const std::vector<uint32_t> leaves = isFatTree ? LayFatTrees(site) : LayLeafSpines(site);
    // Above the cost of the longest path inside a rail, so that traffic stays in its rail if
    // possible.
    const CableKind acrossRails = MakeKind(isFatTree ? FatTreeLayout::kEdgeUp : "leaf_up",
                                           "spine_down",
                                           GetUplinkRateBps(),
                                           isFatTree ? 3U : 2U);
    for (uint32_t number = 0; number < m_spines; ++number)
    {
        const uint32_t spine = site.AddSwitch("spine" + std::to_string(number));
        for (const uint32_t leaf : leaves)
        {
            site.Join(leaf, spine, acrossRails, m_uplinksPerSpine);
        }
    }
}

// Wires the rails as leaves and spines, and returns the leaves.
std::vector<uint32_t>
RailTopology::LayLeafSpines(FabricSite& site) const
{
    const ClusterShape shape = site.GetShape();
    const uint32_t perRail = CountLeavesPerRail(shape.servers);
    std::vector<uint32_t> leaves;
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        const std::string prefix = "rail" + std::to_string(rail);
        for (uint32_t leaf = 0; leaf < perRail; ++leaf)
        {
            leaves.push_back(site.AddSwitch(prefix + "-leaf" + std::to_string(leaf)));
        }
    }
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            const uint32_t leaf = leaves[rail * perRail + server / m_leafPorts];
            site.Attach(shape.GetNic(server, rail), leaf, leaf);
        }
    }
    const CableKind inRail = MakeKind("leaf_up", "rail_spine_down", GetUplinkRateBps());
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        const std::string prefix = "rail" + std::to_string(rail);
        for (uint32_t number = 0; number < m_railSpines; ++number)
        {
            const uint32_t spine = site.AddSwitch(prefix + "-spine" + std::to_string(number));
            for (uint32_t leaf = 0; leaf < perRail; ++leaf)
            {
                site.Join(leaves[rail * perRail + leaf], spine, inRail, m_uplinksPerSpine);
            }
        }
    }
    return leaves;
}

// Wires the rails as fat-trees, and returns their edge switches.
std::vector<uint32_t>
RailTopology::LayFatTrees(FabricSite& site) const
{
    const ClusterShape shape = site.GetShape();
    std::vector<FatTreeLayout> rails;
    std::vector<uint32_t> edges;
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        rails.emplace_back(m_railPorts, "rail" + std::to_string(rail) + "-", rail * m_railPorts);
        rails.back().AddEdges(site);
        edges.insert(edges.end(), rails.back().GetEdges().begin(), rails.back().GetEdges().end());
    }
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            rails[rail].Attach(site, shape.GetNic(server, rail), server);
        }
    }
    const CableKind toAggregation =
        MakeKind(FatTreeLayout::kEdgeUp, FatTreeLayout::kAggDown, GetUplinkRateBps());
    const CableKind toCore =
        MakeKind(FatTreeLayout::kAggUp, FatTreeLayout::kCoreDown, GetUplinkRateBps());
    for (const FatTreeLayout& rail : rails)
    {
        rail.Join(site, toAggregation, toCore);
    }
    return edges;
}

} // namespace ns3::rails
