// SPDX-License-Identifier: GPL-2.0-only
#include "leaf-spine-topology.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(LeafSpineTopology);

TypeId
LeafSpineTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::LeafSpineTopology").SetParent<FabricTopology>(),
                         "Leaves, each joined to every spine; the NICs of a server take "
                         "consecutive ports of the leaves.")
            .SetGroupName("Rails")
            .AddConstructor<LeafSpineTopology>()
            .AddAttribute("Domains",
                          "Servers of the cluster.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&LeafSpineTopology::SetServerCount,
                                               &LeafSpineTopology::GetServerCount),
                          MakeCountRange<uint32_t>(1, 65536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server; its NICs take consecutive ports of leaves.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LeafSpineTopology::SetGpusPerServer,
                                               &LeafSpineTopology::GetGpusPerServer),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("LeafPorts",
                          "NICs that one leaf can take.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&LeafSpineTopology::m_leafPorts),
                          MakeCountRange<uint32_t>(1, 4096))
            .AddAttribute("Spines",
                          "Spines, each joined to every leaf; required when there are several "
                          "leaves.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&LeafSpineTopology::m_spines),
                          MakeCountRange<uint32_t>(0, 4096))
            .AddAttribute("UplinkRate",
                          "Rate of a cable between leaf and spine; 0bps stands for the NIC's rate.",
                          DataRateValue(DataRate(uint64_t{0})),
                          MakeDataRateAccessor(&LeafSpineTopology::m_uplinkRate),
                          MakeRateRange())
            .AddAttribute("UplinksPerSpine",
                          "Parallel cables between a leaf and a spine.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LeafSpineTopology::m_uplinksPerSpine),
                          MakeCountRange<uint32_t>(1, 1024));
    return tid;
}

ClusterShape
LeafSpineTopology::GetShape() const
{
    return {GetServerCount(), GetGpusPerServer(), GetNicsPerServer()};
}

uint32_t
LeafSpineTopology::CountLeaves(const ClusterShape& shape) const
{
    return (shape.GetNics() + m_leafPorts - 1) / m_leafPorts;
}

uint64_t
LeafSpineTopology::GetUplinkRateBps() const
{
    return m_uplinkRate.GetBitRate() == 0 ? GetNicRateBps() : m_uplinkRate.GetBitRate();
}

void
LeafSpineTopology::CheckFor(const ClusterShape& shape) const
{
    const uint32_t leaves = CountLeaves(shape);
    if (leaves > 1 && m_spines == 0)
    {
        throw ConfigurationError("spines",
                                 std::to_string(shape.GetNics()) + " NICs do not fit a leaf of " +
                                     std::to_string(m_leafPorts) +
                                     " ports: set spines to join the leaves, or enlarge "
                                     "leaf_ports");
    }
    constexpr uint64_t kMostPorts = 65535; // ports of a switch have 16-bit numbers
    const uint64_t leaf = uint64_t{m_spines} * m_uplinksPerSpine + m_leafPorts;
    const uint64_t spine = uint64_t{leaves} * m_uplinksPerSpine;
    if (m_spines > 0 && std::max(leaf, spine) > kMostPorts)
    {
        throw ConfigurationError("uplinks_per_spine",
                                 "a leaf would have " + std::to_string(leaf) +
                                     " ports and a spine " + std::to_string(spine) +
                                     ", of at most " + std::to_string(kMostPorts) +
                                     ": fewer spines, fewer parallel cables or larger leaves");
    }
}

void
LeafSpineTopology::LayIn(FabricSite& site) const
{
    const ClusterShape shape = site.GetShape();
    std::vector<uint32_t> leaves;
    for (uint32_t number = 0; number < CountLeaves(shape); ++number)
    {
        leaves.push_back(site.AddSwitch("leaf" + std::to_string(number)));
    }
    for (uint32_t nic = 0; nic < shape.GetNics(); ++nic)
    {
        const uint32_t leaf = leaves[nic / m_leafPorts];
        site.Attach(nic, leaf, leaf);
    }
    const CableKind uplink = MakeKind("leaf_up", "spine_down", GetUplinkRateBps());
    for (uint32_t number = 0; number < m_spines; ++number)
    {
        const uint32_t spine = site.AddSwitch("spine" + std::to_string(number));
        for (const uint32_t leaf : leaves)
        {
            site.Join(leaf, spine, uplink, m_uplinksPerSpine);
        }
    }
}

} // namespace ns3::rails
