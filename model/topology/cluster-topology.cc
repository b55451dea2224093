// SPDX-License-Identifier: GPL-2.0-only
#include "cluster-topology.h"

#include "nvswitch-intra-topology.h"
#include "route-overrides.h"

#include "ns3/component-documentation.h"
#include "ns3/component-list.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <stdexcept>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsTopology");

NS_OBJECT_ENSURE_REGISTERED(Topology);

TypeId
Topology::GetTypeId()
{
    static TypeId tid =
        AddAliases(TypeId("ns3::rails::Topology").SetParent<Object>(),
                   {{"Servers", "Domains"},
                    {"GpusPerServer", "GpusPerDomain"},
                    {"NicsPerServer", "NicsPerDomain"}})
            .SetGroupName("Rails")
            // Not at construction: there the other attributes' initial values would undo it.
            .AddAttribute(
                "Server",
                "A server that can be bought: sets gpus_per_domain, nics_per_domain, "
                "nic_rate, nvlink_rate and intra, so set it before them on an existing "
                "object. dgx-a100, dgx-h100, dgx-b200, gb200-nvl72: NVIDIA's data "
                "sheets, with the payload of links; h800-deepep: the README of DeepEP; h20-4nic: 8 "
                "H20 with 4 NICs; "
                "pro-prophet-*: arXiv 2411.10003; micro-moe: arXiv 2511.16947.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                EnumValue(NO_SERVER),
                MakeWordAccessor(&Topology::SetServer, &Topology::GetServer),
                MakeServerNameChecker())
            .AddAttribute("NicsPerDomain",
                          "NICs of a server, which are the rails; 0 stands for as many as GPUs.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Topology::m_nicsPerServer),
                          MakeCountRange<uint32_t>(0, 1024))
            .AddAttribute("Affinity",
                          "Which NIC is near which GPU: for each GPU its NIC where a server has no "
                          "more NICs than GPUs, otherwise for each NIC its GPU. Empty: dealt in "
                          "order, as [0, 0, 1, 1] for four GPUs and two NICs.",
                          CountListValue(CountList()),
                          MakeCountListAccessor(&Topology::m_affinity),
                          MakeCountListChecker())
            .AddAttribute("NvlinkRate",
                          "Rate of a GPU into and out of the NVLink domain of its server. (R1 of "
                          "RailS)",
                          DataRateValue(DataRate(3'600'000'000'000)),
                          MakeDataRateAccessor(&Topology::m_nvlinkRate),
                          MakeRateRange())
            .AddAttribute("NvlinkLatency",
                          "Latency of NVLink from GPU to GPU.",
                          TimeValue(NanoSeconds(25)),
                          MakeTimeAccessor(&Topology::m_nvlinkLatency),
                          MakeTimeRange())
            .AddAttribute("NvlinkSegment",
                          "Unit in which messages cross NVLink and PCIe and are handed on.",
                          ByteSizeValue(ByteSize(16384)),
                          MakeByteSizeAccessor(&Topology::m_nvlinkSegment),
                          MakeByteRange(64, uint64_t{1} << 20))
            .AddAttribute("Intra",
                          "What joins the GPUs and NICs inside a server.",
                          PointerValue(),
                          MakePointerAccessor(&Topology::m_intra),
                          MakePointerChecker<IntraTopology>())
            .AddAttribute("NicLatency",
                          "What a NIC adds to the way of every frame that it sends or gets, ACKs "
                          "included; a part of the delay of its cable, which headrooms of PFC "
                          "count.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&Topology::m_nicLatency),
                          MakeTimeRange())
            .AddAttribute("SwitchLatency",
                          "What a switch adds to the way of every frame that it forwards, in "
                          "halves to the delays of both cables; optical switches add nothing.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&Topology::m_switchLatency),
                          MakeTimeRange())
            .AddAttribute("Routes",
                          "Next hops that replace the shortest paths, as 'SWITCH > EDGE via "
                          "NEIGHBOUR[, NEIGHBOUR]; ...', with the names that the topology "
                          "gives to its switches, such as rail0-leaf1.",
                          StringValue(""),
                          MakeStringAccessor(&Topology::m_routes),
                          MakeStringChecker())
            .AddAttribute("Cables",
                          "Cables with a rate or a delay of their own.",
                          ComponentListValue(),
                          MakeComponentListAccessor(&Topology::m_cables),
                          MakeComponentListChecker<CableOverride>("cable"));
    return tid;
}

Topology::Topology()
    : m_intra(CreateObject<NvswitchIntraTopology>())
{
}

std::string
Topology::DescribeRailsApart() const
{
    return "the topology has no spine that joins the rails: set topology.spines above 0";
}

void
Topology::SetServer(ServerName name)
{
    m_server = name;
    const ServerPreset preset = MakeServerPreset(name);
    if (!preset.intra)
    {
        return;
    }
    m_gpusPerServer = preset.gpus;
    m_nicsPerServer = preset.nics;
    m_nvlinkRate =
        DataRate(preset.nvlinkRateBps == 0 ? m_nvlinkRate.GetBitRate() : preset.nvlinkRateBps);
    m_intra = preset.intra;
    SetNicRate(DataRate(preset.nicRateBps));
}

void
Topology::SetServerCount(uint32_t servers)
{
    m_servers = servers;
}

void
Topology::SetGpusPerServer(uint32_t gpus)
{
    m_gpusPerServer = gpus;
}

uint32_t
Topology::GetNicsPerServer() const
{
    return m_nicsPerServer == 0 ? m_gpusPerServer : m_nicsPerServer;
}

bool
Topology::DescribesServersAs(const Topology& other) const
{
    return m_server == other.m_server && m_servers == other.m_servers &&
           m_gpusPerServer == other.m_gpusPerServer && m_nicsPerServer == other.m_nicsPerServer &&
           m_affinity.Get() == other.m_affinity.Get() && m_nvlinkRate == other.m_nvlinkRate &&
           m_nvlinkLatency == other.m_nvlinkLatency &&
           m_nvlinkSegment.Get() == other.m_nvlinkSegment.Get() &&
           m_intra->IsLike(*other.m_intra) && m_nicLatency == other.m_nicLatency &&
           m_switchLatency == other.m_switchLatency && m_routes == other.m_routes &&
           m_cables.size() == other.m_cables.size();
}

ServerLayout
Topology::MakeLayout() const
{
    const std::vector<uint32_t>& near = m_affinity.Get();
    if (near.empty())
    {
        return {m_gpusPerServer, GetNicsPerServer()};
    }
    try
    {
        return {m_gpusPerServer, GetNicsPerServer(), near};
    }
    catch (const std::invalid_argument& error)
    {
        throw ConfigurationError("affinity", error.what());
    }
}

void
Topology::Check() const
{
    if (m_nvlinkRate.GetBitRate() == 0)
    {
        throw ConfigurationError("nvlink_rate", "NVLink needs a rate above zero");
    }
    CheckFabric();
    const ClusterShape shape = GetShape();
    if (uint64_t{shape.servers} * shape.gpusPerServer < 2)
    {
        throw ConfigurationError("domains", "a cluster needs two GPUs at least");
    }
    constexpr uint64_t kMostGpus = 65536; // pairs of GPUs have 32-bit numbers
    if (uint64_t{shape.servers} * shape.gpusPerServer > kMostGpus)
    {
        throw ConfigurationError("domains",
                                 "a cluster has at most " + std::to_string(kMostGpus) + " GPUs");
    }
    if (uint64_t{shape.servers} * shape.nicsPerServer > kMostGpus)
    {
        throw ConfigurationError("nics_per_domain",
                                 "a cluster has at most " + std::to_string(kMostGpus) + " NICs");
    }
    const ServerLayout layout = MakeLayout();
    CheckNested("intra", [&] { m_intra->Check(layout); });
}

std::shared_ptr<Wiring>
Topology::Lay() const
{
    Check();
    ServerLayout layout = MakeLayout();
    layout.SetNicRates(GetNicRates());
    auto wiring = std::make_shared<Wiring>(
        GetShape(),
        m_intra->Lay(
            layout,
            {m_nvlinkRate.GetBitRate(), m_nvlinkLatency.GetPicoSeconds(), m_nvlinkSegment.Get()}));
    LayFabric(*wiring);
    for (const Ptr<CableOverride>& cables : m_cables)
    {
        cables->Apply(*wiring);
    }
    if (!m_nicLatency.IsZero() || !m_switchLatency.IsZero())
    {
        wiring->AddLatencies(m_nicLatency.GetPicoSeconds(), m_switchLatency.GetPicoSeconds());
    }
    OverrideRoutes(m_routes, *wiring);
    NS_LOG_INFO(GetInstanceTypeId().GetName()
                << ": laid " << wiring->GetShape().servers << " servers, "
                << wiring->GetSwitches().size() << " switches and " << wiring->GetCables().size()
                << " cables");
    return wiring;
}

} // namespace ns3::rails
