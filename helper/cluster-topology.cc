// SPDX-License-Identifier: GPL-2.0-only
#include "cluster-topology.h"

#include "route-overrides.h"

#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"

namespace ns3::rails
{

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
                          MakeRateRange())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every cable.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&Topology::m_linkDelay),
                          MakeTimeRange())
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
                          "Unit in which messages cross NVLink and are handed on.",
                          ByteSizeValue(ByteSize(16384)),
                          MakeByteSizeAccessor(&Topology::m_nvlinkSegment),
                          MakeByteRange(64, uint64_t{1} << 20))
            .AddAttribute("LinkLoss",
                          "Probability that a cable loses a frame, pause frames excepted.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Topology::m_linkLoss),
                          MakeNumberRange(0, 0.5))
            .AddAttribute("Routes",
                          "Next hops that replace the shortest paths, as 'SWITCH > EDGE via "
                          "NEIGHBOUR[, NEIGHBOUR]; ...', with the names that the topology "
                          "gives to its switches, such as rail0-leaf1.",
                          StringValue(""),
                          MakeStringAccessor(&Topology::m_routes),
                          MakeStringChecker());
    return tid;
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

std::shared_ptr<Wiring>
Topology::Lay() const
{
    Check();
    auto wiring = std::make_shared<Wiring>(GetShape(),
                                           MakeKind("nic_tx", "leaf_down", m_nicRate.GetBitRate()),
                                           NvlinkKind{m_nvlinkRate.GetBitRate(),
                                                      m_nvlinkLatency.GetPicoSeconds(),
                                                      m_nvlinkSegment.Get()});
    LayFabric(*wiring);
    OverrideRoutes(m_routes, *wiring);
    return wiring;
}

CableKind
Topology::MakeKind(const std::string& lowerClass,
                   const std::string& upperClass,
                   uint64_t rateBps,
                   uint32_t cost) const
{
    return {lowerClass, upperClass, rateBps, m_linkDelay.GetPicoSeconds(), cost, m_linkLoss};
}

uint64_t
Topology::GetNicRateBps() const
{
    return m_nicRate.GetBitRate();
}

} // namespace ns3::rails
