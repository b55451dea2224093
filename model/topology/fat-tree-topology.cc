// SPDX-License-Identifier: GPL-2.0-only
#include "fat-tree-topology.h"

#include "fat-tree-layout.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FatTreeTopology);

TypeId
FatTreeTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::FatTreeTopology").SetParent<FabricTopology>(),
                         "A fat-tree of three tiers with k^3/4 ports for NICs; the NICs of a "
                         "server take consecutive ones. (Al-Fares et al., SIGCOMM 2008)")
            .SetGroupName("Rails")
            .AddConstructor<FatTreeTopology>()
            .AddAttribute("K",
                          "Ports of a switch, an even number: the tree has k pods and k^3/4 ports "
                          "for NICs. (Al-Fares et al., SIGCOMM 2008)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&FatTreeTopology::m_ports),
                          MakeCountRange<uint32_t>(4, 64))
            .AddAttribute("Domains",
                          "Servers, which fill the tree pod by pod; 0 stands for as many as "
                          "there are ports for.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FatTreeTopology::SetServerCount,
                                               &FatTreeTopology::GetServerCount),
                          MakeCountRange<uint32_t>(0, 65536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server; its NICs take consecutive ports of edge switches.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FatTreeTopology::SetGpusPerServer,
                                               &FatTreeTopology::GetGpusPerServer),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("EdgeOversubscription",
                          "Rate below an edge switch over the rate above it: cables between edge "
                          "and aggregation have the NIC's rate divided by it. 0.25 makes them "
                          "four times as fast.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FatTreeTopology::m_edgeOversubscription),
                          MakeNumberRange(0.001, 1024))
            .AddAttribute("CoreOversubscription",
                          "Rate below an aggregation switch over the rate above it: cables "
                          "between aggregation and core have the rate of those below divided by "
                          "it.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FatTreeTopology::m_coreOversubscription),
                          MakeNumberRange(0.001, 1024));
    return tid;
}

ClusterShape
FatTreeTopology::GetShape() const
{
    const uint32_t nics = GetNicsPerServer();
    const uint32_t all = FatTreeLayout::GetNics(m_ports) / nics;
    return {GetServerCount() == 0 ? all : GetServerCount(), GetGpusPerServer(), nics};
}

double
FatTreeTopology::GetEdgeRate() const
{
    return static_cast<double>(GetNicRateBps()) / m_edgeOversubscription;
}

double
FatTreeTopology::GetCoreRate() const
{
    return GetEdgeRate() / m_coreOversubscription;
}

void
FatTreeTopology::CheckFor(const ClusterShape& shape) const
{
    if (m_ports % 2 != 0)
    {
        throw ConfigurationError("k",
                                 "a fat-tree has switches with an even number of ports: set k to " +
                                     std::to_string(m_ports - 1) + " or " +
                                     std::to_string(m_ports + 1));
    }
    const double slowest = std::min(GetEdgeRate(), GetCoreRate());
    if (std::max(GetEdgeRate(), GetCoreRate()) > 1e18 || slowest < 1)
    {
        throw ConfigurationError("core_oversubscription",
                                 "cables between switches would have less than 1 bps or more than "
                                 "10^18 bps: nic_rate over both oversubscriptions");
    }
    const uint32_t nics = FatTreeLayout::GetNics(m_ports);
    const std::string tree = "a fat-tree with k = " + std::to_string(m_ports) + " takes " +
                             std::to_string(nics) + " NICs";
    if (nics % shape.nicsPerServer != 0)
    {
        const std::string key =
            shape.nicsPerServer == shape.gpusPerServer ? "gpus_per_domain" : "nics_per_domain";
        throw ConfigurationError(key,
                                 tree + ": set " + key +
                                     " to a divisor of that, or k to "
                                     "another size");
    }
    const uint32_t most = nics / shape.nicsPerServer;
    if (shape.servers > most)
    {
        throw ConfigurationError("domains",
                                 tree + ", which is " + std::to_string(most) +
                                     " servers: enlarge k, or set domains to 0 for all of them");
    }
}

void
FatTreeTopology::LayIn(FabricSite& site) const
{
    FatTreeLayout tree(m_ports, "", 0);
    tree.AddEdges(site);
    for (uint32_t nic = 0; nic < site.GetShape().GetNics(); ++nic)
    {
        tree.Attach(site, nic, nic);
    }
    tree.Join(site,
              MakeKind(FatTreeLayout::kEdgeUp,
                       FatTreeLayout::kAggDown,
                       static_cast<uint64_t>(std::llround(GetEdgeRate()))),
              MakeKind(FatTreeLayout::kAggUp,
                       FatTreeLayout::kCoreDown,
                       static_cast<uint64_t>(std::llround(GetCoreRate()))));
}

} // namespace ns3::rails
