// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-topology.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

/**
 * Optical circuit switches: consecutive servers form a region, and their NICs are attached to a
 * switch that joins them only by circuits. A circuit is a link with the usual delay. (MixNet, arXiv
 * 2501.03905, section 4.2)
 */
class OpticalTopology : public FabricTopology
{
  public:
    static TypeId GetTypeId();

    ClusterShape GetShape() const override;
    void CheckFor(const ClusterShape& shape) const override;
    void LayIn(FabricSite& site) const override;
    CableKind MakeNicKind() const override;

  protected:
    void CheckFabric() const override;

  private:
    void LayRegion(FabricSite& site,
                   const std::string& name,
                   uint32_t region,
                   uint32_t first,
                   uint32_t servers) const;

    uint32_t m_region{0};
    uint32_t m_spares{0};
};

NS_OBJECT_ENSURE_REGISTERED(OpticalTopology);

TypeId
OpticalTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::OpticalTopology").SetParent<FabricTopology>(),
            "Optical circuit switches, one for each region of servers that follow each other: "
            "NICs are joined by circuits and by nothing else. It is a fabric of nic-groups. "
            "(MixNet, arXiv 2501.03905, section 4.2)")
            .SetGroupName("Rails")
            .AddConstructor<OpticalTopology>()
            .AddAttribute("Region",
                          "Servers of a region, which share an optical circuit switch: those of a "
                          "group of expert parallelism with its tensor parallelism. (MixNet, "
                          "section 4.2)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&OpticalTopology::m_region),
                          MakeCountRange<uint32_t>(2, 4096))
            .AddAttribute("Spares",
                          "Servers, the last of all, that are in no region and have no circuits: "
                          "the pool that replaces servers which fail (jobs.JOB.spares of a "
                          "workload). (MixNet, section 5.4)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OpticalTopology::m_spares),
                          MakeCountRange<uint32_t>(0, 65536));
    return tid;
}

ClusterShape
OpticalTopology::GetShape() const
{
    return {GetServerCount(), GetGpusPerServer(), GetNicsPerServer()};
}

void
OpticalTopology::CheckFabric() const
{
    throw ConfigurationError("type",
                             "circuits join some servers, and only at times: make it a fabric of "
                             "the topology nic-groups, beside one of switches");
}

void
OpticalTopology::CheckFor(const ClusterShape& shape) const
{
    if (m_spares >= shape.servers)
    {
        throw ConfigurationError("spares",
                                 "expected fewer than the " + std::to_string(shape.servers) +
                                     " servers that there are");
    }
    const uint32_t servers = shape.servers - m_spares;
    if (servers % m_region != 0)
    {
        throw ConfigurationError("region",
                                 std::to_string(servers) + " servers do not make regions of " +
                                     std::to_string(m_region));
    }
}

void
OpticalTopology::LayIn(FabricSite& site) const
{
    const ClusterShape shape = site.GetShape();
    const uint32_t regions = (shape.servers - m_spares) / m_region;
    for (uint32_t region = 0; region < regions; ++region)
    {
        LayRegion(site, "region" + std::to_string(region), region, region * m_region, m_region);
    }
    for (uint32_t spare = 0; spare < m_spares; ++spare)
    {
        const uint32_t server = shape.servers - m_spares + spare;
        LayRegion(site, "spare" + std::to_string(spare), regions + spare, server, 1);
    }
}

/// Attaches the NICs of consecutive servers to an optical switch.
void
OpticalTopology::LayRegion(FabricSite& site,
                           const std::string& name,
                           uint32_t region,
                           uint32_t first,
                           uint32_t servers) const
{
    const uint32_t at = site.AddSwitch(name);
    site.MakeOptical(at);
    const uint32_t nics = site.GetShape().nicsPerServer;
    for (uint32_t nic = first * nics; nic < (first + servers) * nics; ++nic)
    {
        site.Attach(nic, at, region);
    }
}

/// Each of the two NIC links of a circuit has half of its delay.
CableKind
OpticalTopology::MakeNicKind() const
{
    CableKind kind = FabricTopology::MakeNicKind();
    kind.upperClass = "optical_down";
    kind.delay /= 2;
    return kind;
}

} // namespace ns3::rails
