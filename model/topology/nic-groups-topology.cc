// SPDX-License-Identifier: GPL-2.0-only
#include "nic-groups-topology.h"

#include "leaf-spine-topology.h"

#include "ns3/component-documentation.h"
#include "ns3/component-list.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NicGroupsTopology);

TypeId
NicGroupsTopology::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::NicGroupsTopology").SetParent<Topology>(),
            "Groups of NICs that lead to different fabrics, each with a topology, rates and "
            "delays of its own.")
            .SetGroupName("Rails")
            .AddConstructor<NicGroupsTopology>()
            .AddAttribute("Domains",
                          "Servers of the cluster.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&NicGroupsTopology::SetServerCount,
                                               &NicGroupsTopology::GetServerCount),
                          MakeCountRange<uint32_t>(1, 65536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&NicGroupsTopology::SetGpusPerServer,
                                               &NicGroupsTopology::GetGpusPerServer),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("Fabrics",
                          "The fabrics by name, each a topology with the keys of its fabric alone. "
                          "Empty: one, named fabric, of type leaf-spine.",
                          ComponentListValue(),
                          MakeComponentListAccessor(&NicGroupsTopology::m_fabrics),
                          MakeComponentListChecker<Topology>("fabric", true))
            .AddAttribute("NicGroups",
                          "Which NICs of every server lead to which fabric; every NIC is in one "
                          "group. Empty: all lead to the only fabric.",
                          ComponentListValue(),
                          MakeComponentListAccessor(&NicGroupsTopology::m_groups),
                          MakeComponentListChecker<NicGroup>("NIC group"));
    return tid;
}

NicGroupsTopology::NicGroupsTopology()
    : m_usual(CreateObject<LeafSpineTopology>())
{
}

ClusterShape
NicGroupsTopology::GetShape() const
{
    return {GetServerCount(), GetGpusPerServer(), GetNicsPerServer()};
}

std::string
NicGroupsTopology::DescribeRailsApart() const
{
    return "nothing joins the fabrics of different groups of NICs: use a scheme that stays in its "
           "rail, or one fabric for all NICs";
}

std::vector<NicGroupsTopology::Part>
NicGroupsTopology::MakeParts() const
{
    std::vector<Part> parts;
    std::vector<std::string> names;
    const std::vector<std::pair<std::string, Ptr<Topology>>> usual{{"fabric", m_usual}};
    for (const auto& [name, fabric] : m_fabrics.empty() ? usual : m_fabrics)
    {
        const auto* laid = dynamic_cast<const FabricTopology*>(PeekPointer(fabric));
        if (!laid)
        {
            throw ConfigurationError("fabrics",
                                     "fabric '" + name +
                                         "' has groups of NICs itself; a fabric is one of the "
                                         "other topologies");
        }
        parts.push_back({name, laid, {}});
        names.push_back(name);
    }
    std::vector<bool> isIn(GetNicsPerServer());
    if (m_groups.empty() && parts.size() == 1)
    {
        parts.front().rails.resize(isIn.size());
        std::iota(parts.front().rails.begin(), parts.front().rails.end(), 0);
        return parts;
    }
    for (const Ptr<NicGroup>& group : m_groups)
    {
        const auto part = std::find_if(parts.begin(), parts.end(), [&group](const Part& each) {
            return each.name == group->GetFabric();
        });
        if (part == parts.end())
        {
            throw ConfigurationError("nic_groups",
                                     "there is no fabric '" + group->GetFabric() + "'" +
                                         SuggestName(group->GetFabric(), names));
        }
        for (const uint32_t nic : group->GetNics())
        {
            const std::string name = "NIC " + std::to_string(nic);
            if (nic >= isIn.size())
            {
                throw ConfigurationError("nic_groups",
                                         name + " does not exist: a server has NICs 0 to " +
                                             std::to_string(isIn.size() - 1) +
                                             " (nics_per_domain)");
            }
            if (isIn[nic])
            {
                throw ConfigurationError("nic_groups", name + " is in two groups");
            }
            isIn[nic] = true;
            part->rails.push_back(nic);
        }
    }
    const auto lonely = std::find(isIn.begin(), isIn.end(), false);
    if (lonely != isIn.end())
    {
        throw ConfigurationError("nic_groups",
                                 "NIC " + std::to_string(lonely - isIn.begin()) +
                                     " is in no group, so it would lead nowhere");
    }
    return parts;
}

void
NicGroupsTopology::CheckFabric() const
{
    for (const Part& part : MakeParts())
    {
        CheckNested("fabrics." + part.name, [&] {
            if (part.rails.empty())
            {
                throw ConfigurationError("",
                                         "no group of NICs leads to fabric '" + part.name + "'");
            }
            part.fabric->CheckAsPart(
                {GetServerCount(), GetGpusPerServer(), static_cast<uint32_t>(part.rails.size())});
        });
    }
}

void
NicGroupsTopology::LayFabric(Wiring& wiring) const
{
    for (const Part& part : MakeParts())
    {
        FabricSite site(wiring, part.rails, part.fabric->MakeNicKind(), part.name + "-");
        part.fabric->LayIn(site);
    }
}

std::vector<uint64_t>
NicGroupsTopology::GetNicRates() const
{
    std::vector<uint64_t> rates(GetNicsPerServer());
    for (const Part& part : MakeParts())
    {
        for (const uint32_t rail : part.rails)
        {
            rates[rail] = part.fabric->GetNicRateBps();
        }
    }
    return rates;
}

// Fabrics set the rates of NICs.
void
NicGroupsTopology::SetNicRate(DataRate)
{
}

} // namespace ns3::rails
