// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-topology.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <numeric>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FabricTopology);

TypeId
FabricTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::FabricTopology")
            .SetParent<Topology>()
            .SetGroupName("Rails")
            .AddAttribute("NicRate",
                          "Rate of a NIC and of its cable. (R2 of RailS)",
                          DataRateValue(DataRate(400'000'000'000)),
                          MakeDataRateAccessor(&FabricTopology::m_nicRate),
                          MakeRateRange())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every cable.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&FabricTopology::m_linkDelay),
                          MakeTimeRange())
            .AddAttribute("LinkLoss",
                          "Probability that a cable loses a frame, pause frames excepted.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FabricTopology::m_linkLoss),
                          MakeNumberRange(0, 0.5));
    return tid;
}

void
FabricTopology::CheckFabric() const
{
    CheckNicRate();
    CheckFor(GetShape());
}

void
FabricTopology::CheckNicRate() const
{
    if (m_nicRate.GetBitRate() == 0)
    {
        throw ConfigurationError("nic_rate", "a NIC needs a rate above zero");
    }
}

void
FabricTopology::CheckAsPart(const ClusterShape& shape) const
{
    ObjectFactory factory(GetInstanceTypeId().GetName());
    const Ptr<FabricTopology> untouched = factory.Create<FabricTopology>();
    if (!DescribesServersAs(*untouched))
    {
        throw ConfigurationError("",
                                 "a fabric of a group of NICs has no servers of its own: domains, "
                                 "gpus_per_domain, nics_per_domain, server, affinity, nvlink_*, "
                                 "intra, nic_latency, switch_latency, routes and cables belong to "
                                 "the topology around it");
    }
    CheckNicRate();
    CheckFor(shape);
}

void
FabricTopology::LayFabric(Wiring& wiring) const
{
    std::vector<uint32_t> rails(GetNicsPerServer());
    std::iota(rails.begin(), rails.end(), 0);
    FabricSite site(wiring, std::move(rails), MakeNicKind(), "");
    LayIn(site);
}

std::vector<uint64_t>
FabricTopology::GetNicRates() const
{
    return std::vector<uint64_t>(GetNicsPerServer(), m_nicRate.GetBitRate());
}

void
FabricTopology::SetNicRate(DataRate rate)
{
    m_nicRate = rate;
}

CableKind
FabricTopology::MakeNicKind() const
{
    return MakeKind("nic_tx", "leaf_down", m_nicRate.GetBitRate());
}

CableKind
FabricTopology::MakeKind(const std::string& lowerClass,
                         const std::string& upperClass,
                         uint64_t rateBps,
                         uint32_t cost) const
{
    return {lowerClass, upperClass, rateBps, m_linkDelay.GetPicoSeconds(), cost, m_linkLoss};
}

uint64_t
FabricTopology::GetNicRateBps() const
{
    return m_nicRate.GetBitRate();
}

} // namespace ns3::rails
