// SPDX-License-Identifier: GPL-2.0-only
#include "training-collectives.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ns3::rails
{

namespace
{

std::shared_ptr<const CollectiveGroups>
MakeGroups(const TrainingSpec& spec, const RankMap& map, const std::vector<std::string>& axes)
{
    GpuPartition::Groups groups = map.ListGroups(axes);
    for (std::vector<uint32_t>& members : groups)
    {
        // Sorted by number for any order of the axes, so that GPUs of a server are consecutive.
        std::sort(members.begin(), members.end());
    }
    return std::make_shared<const CollectiveGroups>(GpuPartition(spec.shape, groups), spec.rates);
}

} // namespace

TrainingCollectives::TrainingCollectives(const TrainingSpec& spec)
    : m_asked(spec.collectives),
      m_chooser(spec.chooser),
      m_mostSteps(spec.ringSteps),
      m_groups{MakeGroups(spec, spec.attention, {"tp"}),
               MakeGroups(spec, spec.attention, {"cp"}),
               MakeGroups(spec, spec.attention, {"cp", "dp"}),
               MakeGroups(spec, spec.experts, {"edp"}),
               spec.data.hasNorm ? MakeGroups(spec, spec.attention, {"tp", "cp", "dp", "pp"})
                                 : nullptr}
{
}

const CollectiveGroups&
TrainingCollectives::GetGroups(Group group) const
{
    return *m_groups[static_cast<std::size_t>(group)];
}

const Collective&
TrainingCollectives::Choose(TrainingKind kind,
                            Group group,
                            CollectiveOperation operation,
                            uint64_t bytes)
{
    const auto& groups = m_groups[static_cast<std::size_t>(group)];
    const auto [chosen, isNew] = m_chosen.try_emplace({group, operation, bytes});
    if (isNew)
    {
        // Keys and values are passed between neighbours.
        const bool isPassedOn = group == Group::Context;
        chosen->second = isPassedOn ? CollectiveChoice{ALGORITHM_RING, 1}
                         : group == Group::All
                             ? CollectiveChoice{ALGORITHM_TREE, 1}
                             : m_chooser->Choose(*groups, operation, bytes, m_asked);
    }
    const CollectiveChoice& choice = chosen->second;
    auto& known = m_known[{group, operation, choice}];
    if (!known)
    {
        const bool isOfReplicas = group == Group::Data || group == Group::ExpertData;
        known = std::make_unique<const Collective>(groups,
                                                   Collective::Task{operation, bytes},
                                                   choice,
                                                   isOfReplicas ? m_mostSteps
                                                                : RingSchedule::kAllSteps);
    }
    CollectiveRecord record = known->Describe(static_cast<uint16_t>(kind));
    record.bytes = bytes;
    const CollectiveChoice how{choice.algorithm, record.rings};
    CollectiveRecord& used = m_used.try_emplace({kind, how}, record).first->second;
    used.bytes = std::min(used.bytes, bytes);
    used.isUneven |= record.isUneven;
    return *known;
}

std::vector<CollectiveRecord>
TrainingCollectives::GetRecords() const
{
    std::vector<CollectiveRecord> records;
    for (const auto& [how, record] : m_used)
    {
        records.push_back(record);
    }
    return records;
}

} // namespace ns3::rails
