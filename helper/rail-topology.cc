// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/rails-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RailTopology);

TypeId
RailTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::RailTopology")
            .SetParent<Topology>()
            .SetGroupName("Rails")
            .AddConstructor<RailTopology>()
            .AddAttribute("Domains",
                          "Servers. (M of RailS)",
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
                          "Servers that one leaf can take.",
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
            .AddAttribute("UplinkRate",
                          "Rate of a cable between leaf and spine; 0bps stands for the NIC's rate.",
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

void
RailTopology::DescribeFabric(TopologyTraits& traits) const
{
    traits.connectsRails = m_spines > 0 || m_gpusPerDomain == 1;
    const uint32_t uplinks = (m_spines + m_railSpines) * m_uplinksPerSpine;
    if (uplinks > 0)
    {
        const double below =
            static_cast<double>(GetNicRateBps()) * std::min(m_domains, m_leafPorts);
        traits.oversubscription = below / (static_cast<double>(GetUplinkRateBps()) * uplinks);
        traits.fabric.tiers = 2;
        traits.longestLinks = 4;
    }
}

void
RailTopology::CheckFabric() const
{
    if (GetLeavesPerRail() > 1 && m_railSpines == 0)
    {
        throw ConfigurationError("rail_spines",
                                 std::to_string(m_domains) + " domains do not fit a leaf of " +
                                     std::to_string(m_leafPorts) +
                                     " ports: set rail_spines to join the leaves of a rail, or "
                                     "enlarge leaf_ports");
    }
}

void
RailTopology::Wire(FabricBuilder& builder) const
{
    std::vector<std::vector<Switch*>> leaves(m_gpusPerDomain);
    for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
    {
        const std::string prefix = "rail" + std::to_string(rail);
        for (uint32_t leaf = 0; leaf < GetLeavesPerRail(); ++leaf)
        {
            leaves[rail].push_back(&builder.AddSwitch(prefix + "-leaf" + std::to_string(leaf)));
        }
    }
    for (uint32_t domain = 0; domain < m_domains; ++domain)
    {
        for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
        {
            Switch& leaf = *leaves[rail][domain / m_leafPorts];
            builder.Attach(domain, rail, leaf, leaf.GetNumber());
        }
    }
    const FabricBuilder::CableKind inRail{"leaf_up",
                                          "rail_spine_down",
                                          GetUplinkRateBps(),
                                          m_uplinksPerSpine,
                                          1};
    // Longer than those of the rail's own spines, so that traffic stays in its rail if it can.
    const FabricBuilder::CableKind acrossRails{"leaf_up",
                                               "spine_down",
                                               GetUplinkRateBps(),
                                               m_uplinksPerSpine,
                                               2};
    for (uint32_t rail = 0; rail < m_gpusPerDomain; ++rail)
    {
        const std::string prefix = "rail" + std::to_string(rail);
        for (uint32_t number = 0; number < m_railSpines; ++number)
        {
            Switch& spine = builder.AddSwitch(prefix + "-spine" + std::to_string(number));
            for (Switch* leaf : leaves[rail])
            {
                builder.Join(*leaf, spine, inRail);
            }
        }
    }
    for (uint32_t number = 0; number < m_spines; ++number)
    {
        Switch& spine = builder.AddSwitch("spine" + std::to_string(number));
        for (const std::vector<Switch*>& rail : leaves)
        {
            for (Switch* leaf : rail)
            {
                builder.Join(*leaf, spine, acrossRails);
            }
        }
    }
}

} // namespace ns3::rails
