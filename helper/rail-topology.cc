// SPDX-License-Identifier: GPL-2.0-only
#include "rail-topology.h"

#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <map>

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
            .AddAttribute("NicRate",
                          "Rate of a NIC and of its cable. (R2 of RailS)",
                          DataRateValue(DataRate(400'000'000'000)),
                          MakeDataRateAccessor(&RailTopology::m_nicRate),
                          MakeDataRateChecker())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every cable.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&RailTopology::m_linkDelay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("NvlinkRate",
                          "Rate of a GPU into and out of the NVLink domain of its server. (R1 of "
                          "RailS)",
                          DataRateValue(DataRate(3'600'000'000'000)),
                          MakeDataRateAccessor(&RailTopology::m_nvlinkRate),
                          MakeDataRateChecker())
            .AddAttribute("NvlinkLatency",
                          "Latency of NVLink from GPU to GPU.",
                          TimeValue(NanoSeconds(25)),
                          MakeTimeAccessor(&RailTopology::m_nvlinkLatency),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("NvlinkSegment",
                          "Unit in which messages cross NVLink and are handed on.",
                          ByteSizeValue(ByteSize(16384)),
                          MakeByteSizeAccessor(&RailTopology::m_nvlinkSegment),
                          MakeByteSizeChecker(64, uint64_t{1} << 20))
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
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("LinkLoss",
                          "Probability that a cable loses a frame, pause frames excepted.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RailTopology::m_linkLoss),
                          MakeDoubleChecker<double>(0, 0.5))
            .AddAttribute("Routes",
                          "Next hops that replace the shortest paths, as 'SWITCH > EDGE via "
                          "NEIGHBOUR[, NEIGHBOUR]; ...', with switches named rail0-leaf1, "
                          "rail0-spine2 and spine3.",
                          StringValue(""),
                          MakeStringAccessor(&RailTopology::m_routes),
                          MakeStringChecker());
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
    return m_uplinkRate.GetBitRate() == 0 ? m_nicRate.GetBitRate() : m_uplinkRate.GetBitRate();
}

TopologyTraits
RailTopology::GetTraits() const
{
    TopologyTraits traits;
    traits.nicRateBps = m_nicRate.GetBitRate();
    traits.nvlinkRateBps = m_nvlinkRate.GetBitRate();
    traits.nvlinkLatency = m_nvlinkLatency.GetPicoSeconds();
    traits.linkDelay = m_linkDelay.GetPicoSeconds();
    traits.shortestLinks = 2;
    traits.connectsRails = m_spines > 0 || m_gpusPerDomain == 1;
    const uint32_t uplinks = (m_spines + m_railSpines) * m_uplinksPerSpine;
    if (uplinks > 0)
    {
        const double below =
            static_cast<double>(m_nicRate.GetBitRate()) * std::min(m_domains, m_leafPorts);
        traits.oversubscription = below / (static_cast<double>(GetUplinkRateBps()) * uplinks);
    }
    return traits;
}

void
RailTopology::Check() const
{
    if (m_nicRate.GetBitRate() == 0)
    {
        throw ConfigurationError("nic_rate", "a NIC needs a rate above zero");
    }
    if (m_nvlinkRate.GetBitRate() == 0)
    {
        throw ConfigurationError("nvlink_rate", "NVLink needs a rate above zero");
    }
    if (m_domains * m_gpusPerDomain < 2)
    {
        throw ConfigurationError("domains", "a cluster needs two GPUs at least");
    }
    constexpr uint64_t kMostGpus = 65536; // pairs of GPUs have 32-bit numbers
    if (uint64_t{m_domains} * m_gpusPerDomain > kMostGpus)
    {
        throw ConfigurationError("domains",
                                 "a cluster has at most " + std::to_string(kMostGpus) + " GPUs");
    }
    if (GetLeavesPerRail() > 1 && m_railSpines == 0)
    {
        throw ConfigurationError("rail_spines",
                                 std::to_string(m_domains) + " domains do not fit a leaf of " +
                                     std::to_string(m_leafPorts) +
                                     " ports: set rail_spines to join the leaves of a rail, or "
                                     "enlarge leaf_ports");
    }
}

/// Wires one cluster.
class RailTopology::Builder
{
  public:
    Builder(const RailTopology& topology,
            Ptr<const SwitchProfile> profile,
            Ptr<const PortSelector> selector,
            Ptr<const Transport> transport,
            Ptr<const NicProfile> nic)
        : m_topology(topology),
          m_profile(profile),
          m_selector(selector)
    {
        GpuServer::Configuration configuration;
        configuration.domains = topology.m_domains;
        configuration.gpusPerDomain = topology.m_gpusPerDomain;
        configuration.nicRateBps = topology.m_nicRate.GetBitRate();
        configuration.nvlinkRateBps = topology.m_nvlinkRate.GetBitRate();
        configuration.nvlinkLatency = topology.m_nvlinkLatency.GetPicoSeconds();
        configuration.nvlinkSegmentBytes = topology.m_nvlinkSegment.Get();
        configuration.transport = transport;
        configuration.nic = nic;
        m_cluster = CreateObject<GpuCluster>(configuration);
    }

    Ptr<GpuCluster> Build()
    {
        AddSwitches();
        AttachNics();
        for (uint32_t rail = 0; rail < m_topology.m_gpusPerDomain; ++rail)
        {
            JoinRail(rail);
        }
        JoinRails();
        OverrideRoutes();
        m_cluster->SetLinkLoss(m_topology.m_linkLoss);
        return m_cluster;
    }

  private:
    // By neighbour: the ports that lead to it.
    using Ports = std::map<const Switch*, std::vector<uint16_t>>;

    Switch* AddSwitch(const std::string& name)
    {
        Switch& added = m_cluster->AddSwitch(name, m_profile, m_selector);
        m_byName[name] = &added;
        return &added;
    }

    // Leaves come first, so that the numbers of edges are dense.
    void AddSwitches()
    {
        const uint32_t rails = m_topology.m_gpusPerDomain;
        m_leaves.resize(rails);
        m_railSpines.resize(rails);
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const std::string prefix = "rail" + std::to_string(rail);
            for (uint32_t leaf = 0; leaf < m_topology.GetLeavesPerRail(); ++leaf)
            {
                m_leaves[rail].push_back(AddSwitch(prefix + "-leaf" + std::to_string(leaf)));
            }
        }
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const std::string prefix = "rail" + std::to_string(rail);
            for (uint32_t spine = 0; spine < m_topology.m_railSpines; ++spine)
            {
                m_railSpines[rail].push_back(AddSwitch(prefix + "-spine" + std::to_string(spine)));
            }
        }
        for (uint32_t spine = 0; spine < m_topology.m_spines; ++spine)
        {
            m_spines.push_back(AddSwitch("spine" + std::to_string(spine)));
        }
    }

    void AttachNics()
    {
        for (uint32_t domain = 0; domain < m_topology.m_domains; ++domain)
        {
            for (uint32_t rail = 0; rail < m_topology.m_gpusPerDomain; ++rail)
            {
                m_cluster->Attach(domain,
                                  rail,
                                  *m_leaves[rail][domain / m_topology.m_leafPorts],
                                  m_topology.m_linkDelay.GetPicoSeconds());
            }
        }
    }

    // \return the ports of the leaf that lead to the spines
    std::vector<uint16_t> JoinToSpines(Switch* leaf,
                                       const std::vector<Switch*>& spines,
                                       const std::string& spineClass)
    {
        std::vector<uint16_t> up;
        for (Switch* spine : spines)
        {
            std::vector<uint16_t> down;
            for (uint32_t cable = 0; cable < m_topology.m_uplinksPerSpine; ++cable)
            {
                const auto [lower, upper] =
                    m_cluster->Join(*leaf,
                                    "leaf_up",
                                    *spine,
                                    spineClass,
                                    m_topology.GetUplinkRateBps(),
                                    m_topology.m_linkDelay.GetPicoSeconds());
                up.push_back(lower);
                down.push_back(upper);
                m_neighbours[leaf][spine].push_back(lower);
                m_neighbours[spine][leaf].push_back(upper);
            }
            spine->SetNextHops(leaf->GetNumber(), down);
        }
        return up;
    }

    void JoinRail(uint32_t rail)
    {
        for (Switch* leaf : m_leaves[rail])
        {
            const std::vector<uint16_t> up =
                JoinToSpines(leaf, m_railSpines[rail], "rail_spine_down");
            for (const Switch* other : m_leaves[rail])
            {
                if (other != leaf)
                {
                    leaf->SetNextHops(other->GetNumber(), up);
                }
            }
        }
    }

    void JoinRails()
    {
        if (m_spines.empty())
        {
            return;
        }
        for (uint32_t rail = 0; rail < m_leaves.size(); ++rail)
        {
            for (Switch* leaf : m_leaves[rail])
            {
                const std::vector<uint16_t> up = JoinToSpines(leaf, m_spines, "spine_down");
                for (uint32_t otherRail = 0; otherRail < m_leaves.size(); ++otherRail)
                {
                    for (const Switch* other : m_leaves[otherRail])
                    {
                        if (otherRail != rail)
                        {
                            leaf->SetNextHops(other->GetNumber(), up);
                        }
                    }
                }
            }
        }
    }

    Switch* FindSwitch(std::string name) const
    {
        boost::trim(name);
        const auto found = m_byName.find(name);
        if (found == m_byName.end())
        {
            throw ConfigurationError("topology.routes",
                                     "there is no switch '" + name +
                                         "'; switches are named rail0-leaf0, rail0-spine0, spine0");
        }
        return found->second;
    }

    void OverrideRoutes()
    {
        std::vector<std::string> routes;
        boost::split(routes, m_topology.m_routes, boost::is_any_of(";"));
        for (const std::string& route : routes)
        {
            if (boost::trim_copy(route).empty())
            {
                continue;
            }
            const auto arrow = route.find('>');
            const auto via = route.find(" via ");
            if (arrow == std::string::npos || via == std::string::npos || via < arrow)
            {
                throw ConfigurationError("topology.routes",
                                         "expected 'SWITCH > EDGE via NEIGHBOUR', found '" +
                                             boost::trim_copy(route) + "'");
            }
            Switch* at = FindSwitch(route.substr(0, arrow));
            const Switch* edge = FindSwitch(route.substr(arrow + 1, via - arrow - 1));
            std::vector<std::string> names;
            const std::string list = route.substr(via + 5);
            boost::split(names, list, boost::is_any_of(","));
            std::vector<uint16_t> ports;
            for (const std::string& name : names)
            {
                const std::vector<uint16_t>& towards = m_neighbours[at][FindSwitch(name)];
                if (towards.empty())
                {
                    throw ConfigurationError("topology.routes",
                                             at->GetName() + " has no cable to " +
                                                 boost::trim_copy(name));
                }
                ports.insert(ports.end(), towards.begin(), towards.end());
            }
            at->SetNextHops(edge->GetNumber(), ports);
        }
    }

    const RailTopology& m_topology;
    Ptr<const SwitchProfile> m_profile;
    Ptr<const PortSelector> m_selector;
    Ptr<GpuCluster> m_cluster;
    std::vector<std::vector<Switch*>> m_leaves;     // by rail
    std::vector<std::vector<Switch*>> m_railSpines; // by rail
    std::vector<Switch*> m_spines;
    std::map<std::string, Switch*> m_byName;
    std::map<const Switch*, Ports> m_neighbours;
};

Ptr<GpuCluster>
RailTopology::Build(Ptr<const SwitchProfile> profile,
                    Ptr<const PortSelector> selector,
                    Ptr<const Transport> transport,
                    Ptr<const NicProfile> nic) const
{
    Check();
    Ptr<GpuCluster> cluster = Builder(*this, profile, selector, transport, nic).Build();
    if (transport->m_congestionControl->UsesEcn())
    {
        for (const Ptr<Switch>& at : cluster->GetSwitches())
        {
            at->EnableEcn();
        }
    }
    return cluster;
}

} // namespace ns3::rails
