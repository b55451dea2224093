// SPDX-License-Identifier: GPL-2.0-only
#include "eplb-replacement.h"

#include "eplb-packing.h"

#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <vector>

namespace ns3::rails
{

TypeId
EplbReplacement::AddEplbAttributes(TypeId id, const std::string& slots)
{
    return id
        .AddAttribute("Mode",
                      "hierarchical: groups of experts are dealt to servers, and replicas stay "
                      "in the server of their expert; global: anywhere; auto: hierarchical "
                      "when the groups are a multiple of the servers, else global. (EPLB.)",
                      EnumValue(AUTO),
                      MakeWordAccessor(&EplbReplacement::m_mode),
                      MakeEnumChecker(AUTO, "auto", HIERARCHICAL, "hierarchical", GLOBAL, "global"))
        .AddAttribute("Slots",
                      "Replicas that each GPU holds besides as many experts as are at home "
                      "there. " +
                          slots,
                      EmptyAttributeValue(),
                      MakeOptionalAccessor<UintegerValue>(&EplbReplacement::m_slots),
                      MakeCountRange<uint32_t>(0, 1024))
        .AddAttribute("ExpertGroups",
                      "Groups of experts, of which a token chooses some before it chooses "
                      "experts. By default those of the model. (DeepSeek-V3 has 8, and places by "
                      "them; 1 where the gate knows none.)",
                      EmptyAttributeValue(),
                      MakeOptionalAccessor<UintegerValue>(&EplbReplacement::m_expertGroups),
                      MakeCountRange<uint32_t>(1, 65'536))
        .AddAttribute("Period",
                      "Iterations from one placement to the next; the first comes after the "
                      "first iteration. (Our choice: EPLB leaves it to its user.)",
                      UintegerValue(10),
                      MakeUintegerAccessor(&EplbReplacement::m_period),
                      MakeCountRange<uint32_t>(1, 1'000'000))
        .AddAttribute("Window",
                      "Iterations whose mean is the forecast. (A moving average is EPLB's "
                      "example; its length is our choice.)",
                      UintegerValue(10),
                      MakeUintegerAccessor(&EplbReplacement::m_window),
                      MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow));
}

SlotRule
EplbReplacement::GetEplbRule(const ExpertSetting& setting) const
{
    SlotRule rule{SlotUse::Replica, m_slots, m_defaultSlots};
    rule.least = setting.AreEven() ? 0 : 1;
    return rule;
}

uint32_t
EplbReplacement::GetEplbSlots(const ExpertSetting& setting) const
{
    return setting.slots.value_or(m_slots.value_or(m_defaultSlots));
}

void
EplbReplacement::CheckEplb(const ExpertSetting& setting) const
{
    const uint32_t slots = GetEplbSlots(setting);
    const uint64_t room = uint64_t{setting.expertParallel} * (setting.GetHomes() + slots);
    if (room < setting.experts)
    {
        throw ConfigurationError("slots",
                                 std::to_string(setting.expertParallel) + " GPUs of " +
                                     std::to_string(setting.GetHomes() + slots) +
                                     " experts each do not hold the " +
                                     std::to_string(setting.experts) + " experts: set slots to " +
                                     std::to_string(slots + 1));
    }
    const uint32_t servers = setting.cluster.GetServerCount();
    const uint32_t groups = GetExpertGroups(setting);
    if (m_mode == HIERARCHICAL && groups % servers != 0)
    {
        throw ConfigurationError("expert_groups",
                                 std::to_string(groups) + " groups of experts cannot be dealt to " +
                                     std::to_string(servers) +
                                     " servers: take a multiple of these, or another mode");
    }
    if (!IsHierarchical(setting))
    {
        return;
    }
    if (setting.experts % groups != 0)
    {
        throw ConfigurationError("expert_groups",
                                 std::to_string(setting.experts) + " experts cannot be dealt to " +
                                     std::to_string(groups) +
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
EplbReplacement::StartEplb(const ExpertSetting& setting)
{
    m_clock.Start(setting.layers, m_period);
}

uint32_t
EplbReplacement::GetExpertGroups(const ExpertSetting& setting) const
{
    return m_expertGroups.value_or(setting.expertGroups);
}

bool
EplbReplacement::IsHierarchical(const ExpertSetting& setting) const
{
    const uint32_t groups = GetExpertGroups(setting);
    const uint32_t servers = setting.cluster.GetServerCount();
    if (m_mode == GLOBAL || groups % servers != 0)
    {
        return false;
    }
    return m_mode == HIERARCHICAL || m_expertGroups ||
           (setting.experts % groups == 0 && setting.cluster.gpus % servers == 0);
}

std::optional<ExpertPlacement>
EplbReplacement::PlaceWhenDue(const ExpertSetting& setting,
                              uint32_t layer,
                              const LoadHistory& history)
{
    if (!m_clock.IsDue(layer, history))
    {
        return std::nullopt;
    }
    const uint32_t slotsOfGpu = setting.GetHomes() + GetEplbSlots(setting);
    EplbShape shape;
    shape.gpus = setting.cluster.gpus;
    shape.replicas = shape.gpus * slotsOfGpu;
    if (IsHierarchical(setting))
    {
        shape.groups = GetExpertGroups(setting);
        shape.nodes = setting.cluster.GetServerCount();
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
