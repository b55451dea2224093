// SPDX-License-Identifier: GPL-2.0-only
#include "cluster-topology.h"

#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// \throws ConfigurationError when a switch cannot hold a single frame besides its headroom
void
CheckPools(const GpuCluster& cluster, const SwitchProfile& profile, const Transport& transport)
{
    const uint64_t pool =
        profile.GetSmallestPool(transport.GetLargestDataFrame(),
                                static_cast<uint32_t>(transport.m_ackBytes.Get()));
    const auto& switches = cluster.GetSwitches();
    const auto tightest =
        std::min_element(switches.begin(),
                         switches.end(),
                         [](const Ptr<Switch>& a, const Ptr<Switch>& b) {
                             return a->GetBuffer().GetSharedSize() < b->GetBuffer().GetSharedSize();
                         });
    const uint64_t left = (*tightest)->GetBuffer().GetSharedSize();
    if (left < pool)
    {
        const uint64_t size = (*tightest)->GetBuffer().GetSize();
        throw ConfigurationError("switch.buffer",
                                 "besides the headroom of its ports " + (*tightest)->GetName() +
                                     " has " + std::to_string(left) +
                                     " B, which lets no frame in that has no headroom: set "
                                     "switch.buffer to " +
                                     std::to_string(size - left + pool) + "B or more");
    }
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Topology);

TypeId
Topology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::Topology")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("NicRate",
                          "Rate of a NIC and of its cable. (R2 of RailS)",
                          DataRateValue(DataRate(400'000'000'000)),
                          MakeDataRateAccessor(&Topology::m_nicRate),
                          MakeDataRateChecker())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every cable.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&Topology::m_linkDelay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("NvlinkRate",
                          "Rate of a GPU into and out of the NVLink domain of its server. (R1 of "
                          "RailS)",
                          DataRateValue(DataRate(3'600'000'000'000)),
                          MakeDataRateAccessor(&Topology::m_nvlinkRate),
                          MakeDataRateChecker())
            .AddAttribute("NvlinkLatency",
                          "Latency of NVLink from GPU to GPU.",
                          TimeValue(NanoSeconds(25)),
                          MakeTimeAccessor(&Topology::m_nvlinkLatency),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("NvlinkSegment",
                          "Unit in which messages cross NVLink and are handed on.",
                          ByteSizeValue(ByteSize(16384)),
                          MakeByteSizeAccessor(&Topology::m_nvlinkSegment),
                          MakeByteSizeChecker(64, uint64_t{1} << 20))
            .AddAttribute("LinkLoss",
                          "Probability that a cable loses a frame, pause frames excepted.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Topology::m_linkLoss),
                          MakeDoubleChecker<double>(0, 0.5))
            .AddAttribute("Routes",
                          "Next hops that replace the shortest paths, as 'SWITCH > EDGE via "
                          "NEIGHBOUR[, NEIGHBOUR]; ...', with the names that the topology "
                          "gives to its switches, such as rail0-leaf1.",
                          StringValue(""),
                          MakeStringAccessor(&Topology::m_routes),
                          MakeStringChecker());
    return tid;
}

TopologyTraits
Topology::GetTraits() const
{
    TopologyTraits traits;
    traits.nicRateBps = m_nicRate.GetBitRate();
    traits.nvlinkRateBps = m_nvlinkRate.GetBitRate();
    traits.nvlinkLatency = m_nvlinkLatency.GetPicoSeconds();
    traits.linkDelay = m_linkDelay.GetPicoSeconds();
    DescribeFabric(traits);
    return traits;
}

void
Topology::Check() const
{
    if (m_nicRate.GetBitRate() == 0)
    {
        throw ConfigurationError("nic_rate", "a NIC needs a rate above zero");
    }
    if (m_nvlinkRate.GetBitRate() == 0)
    {
        throw ConfigurationError("nvlink_rate", "NVLink needs a rate above zero");
    }
    CheckFabric();
    const ClusterShape shape = GetShape();
    if (uint64_t{shape.domains} * shape.gpusPerDomain < 2)
    {
        throw ConfigurationError("domains", "a cluster needs two GPUs at least");
    }
    constexpr uint64_t kMostGpus = 65536; // pairs of GPUs have 32-bit numbers
    if (uint64_t{shape.domains} * shape.gpusPerDomain > kMostGpus)
    {
        throw ConfigurationError("domains",
                                 "a cluster has at most " + std::to_string(kMostGpus) + " GPUs");
    }
}

Ptr<GpuCluster>
Topology::Build(Ptr<const SwitchProfile> profile,
                Ptr<const Transport> transport,
                Ptr<const NicProfile> nic,
                Ptr<PathSelector> path,
                Ptr<const PortSelector> selector) const
{
    Check();
    CheckNested("switch", [&] {
        profile->CheckPauses(
            static_cast<uint32_t>(transport->GetLargestFrame() + transport->m_wireOverhead.Get()));
    });
    const ClusterShape shape = GetShape();
    GpuServer::Configuration configuration;
    configuration.domains = shape.domains;
    configuration.gpusPerDomain = shape.gpusPerDomain;
    configuration.nicRateBps = m_nicRate.GetBitRate();
    configuration.nvlinkRateBps = m_nvlinkRate.GetBitRate();
    configuration.nvlinkLatency = m_nvlinkLatency.GetPicoSeconds();
    configuration.nvlinkSegmentBytes = m_nvlinkSegment.Get();
    configuration.transport = transport;
    configuration.path = path;
    configuration.nic = nic;
    Ptr<GpuCluster> cluster = CreateObject<GpuCluster>(configuration);
    FabricBuilder builder(cluster, profile, selector, m_linkDelay.GetPicoSeconds());
    Wire(builder);
    CheckPools(*cluster, *profile, *transport);
    builder.OverrideRoutes(m_routes);
    cluster->GetRouter().Converge();
    cluster->SetLinkLoss(m_linkLoss);
    if (transport->m_congestionControl->UsesEcn() || path->UsesEcn())
    {
        for (const Ptr<Switch>& at : cluster->GetSwitches())
        {
            at->EnableEcn();
        }
    }
    return cluster;
}

uint64_t
Topology::GetNicRateBps() const
{
    return m_nicRate.GetBitRate();
}

} // namespace ns3::rails
