// SPDX-License-Identifier: GPL-2.0-only
#include "eplb-expert-policy.h"

#include "eplb-packing.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EplbExpertPolicy);

TypeId
EplbExpertPolicy::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using ModeValue = decltype(EnumValue(AUTO));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::EplbExpertPolicy").SetParent<PlacementPolicy>(),
                 "Replicates and packs experts by what they had to do, once in a period. "
                 "(DeepSeek's EPLB.)")
            .SetGroupName("Rails")
            .AddConstructor<EplbExpertPolicy>()
            .AddAttribute(
                "Mode",
                "hierarchical: groups of experts are dealt to servers, and replicas stay "
                "in the server of their expert; global: anywhere; auto: hierarchical "
                "when the groups are a multiple of the servers, else global. (EPLB.)",
                ModeValue(AUTO),
                MakeAccessorHelper<ModeValue>(&EplbExpertPolicy::m_mode),
                MakeEnumChecker(AUTO, "auto", HIERARCHICAL, "hierarchical", GLOBAL, "global"))
            .AddAttribute("Slots",
                          "Replicas that each GPU holds besides as many experts as are at home "
                          "there. (1: DeepSeek-V3 report, prefill.)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&EplbExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>(0, 1024))
            .AddAttribute("ExpertGroups",
                          "Groups of experts, of which a token chooses some before it chooses "
                          "experts. (DeepSeek-V3 has 8; 1 where the gate knows none.)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&EplbExpertPolicy::m_expertGroups),
                          MakeCountRange<uint32_t>(1, 65'536))
            .AddAttribute("Period",
                          "Iterations from one placement to the next; the first comes after the "
                          "first iteration. (Our choice: EPLB leaves it to its user.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&EplbExpertPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Window",
                          "Iterations whose mean is the forecast. (A moving average is EPLB's "
                          "example; its length is our choice.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&EplbExpertPolicy::m_window),
                          MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow));
    return tid;
}

void
EplbExpertPolicy::Check(const ExpertSetting& setting) const
{
    CheckOneGroup(setting);
    const uint32_t servers = setting.cluster.GetDomains();
    if (m_mode == HIERARCHICAL && m_expertGroups % servers != 0)
    {
        throw ConfigurationError(
            "expert_groups",
            std::to_string(m_expertGroups) + " groups of experts cannot be dealt to " +
                std::to_string(servers) + " servers: take a multiple of these, or another mode");
    }
    if (!IsHierarchical(setting))
    {
        return;
    }
    if (setting.experts % m_expertGroups != 0)
    {
        throw ConfigurationError("expert_groups",
                                 std::to_string(setting.experts) + " experts cannot be dealt to " +
                                     std::to_string(m_expertGroups) +
                                     " groups: take a divisor of their number");
    }
    if (setting.cluster.gpus % servers != 0)
    {
        throw ConfigurationError(
            "mode",
            "hierarchical needs as many GPUs in each server, and the last of " +
                std::to_string(servers) + " has fewer of the group: choose global");
    }
}

void
EplbExpertPolicy::DoStart()
{
    m_clock.Start(GetSetting().layers, m_period);
}

bool
EplbExpertPolicy::IsHierarchical(const ExpertSetting& setting) const
{
    return m_mode != GLOBAL && m_expertGroups % setting.cluster.GetDomains() == 0;
}

std::optional<ExpertPlacement>
EplbExpertPolicy::Place(uint32_t layer, const LoadHistory& history)
{
    if (!m_clock.IsDue(layer, history))
    {
        return std::nullopt;
    }
    const ExpertSetting& setting = GetSetting();
    const uint32_t slotsOfGpu = setting.GetHomes() + m_slots;
    EplbShape shape;
    shape.gpus = setting.cluster.gpus;
    shape.replicas = shape.gpus * slotsOfGpu;
    if (IsHierarchical(setting))
    {
        shape.groups = m_expertGroups;
        shape.nodes = setting.cluster.GetDomains();
    }
    const std::vector<uint32_t> slots = PlaceByEplb(history.GetMeanLoads(m_window), shape);
    ExpertPlacement placement;
    placement.hosts.resize(setting.experts);
    for (uint32_t slot = 0; slot < slots.size(); ++slot)
    {
        placement.hosts[slots[slot]].push_back(slot / slotsOfGpu);
    }
    return placement;
}

} // namespace ns3::rails
