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
MakeGroups(const TrainingPlan& plan, const RankMap& map, const std::vector<std::string>& axes)
{
    std::vector<std::vector<uint32_t>> groups = GpuGroupTable(map, axes).GetGroups();
    for (std::vector<uint32_t>& members : groups)
    {
        // By number whatever the order of degrees, so that GPUs of a server follow each other.
        std::sort(members.begin(), members.end());
    }
    return std::make_shared<const CollectiveGroups>(plan.shape, plan.rates, groups);
}

} // namespace

TrainingCollectives::TrainingCollectives(const TrainingPlan& plan)
    : m_asked(plan.collectives),
      m_chooser(plan.chooser),
      m_mostSteps(plan.ringSteps),
      m_groups{MakeGroups(plan, plan.attention, {"tp"}),
               MakeGroups(plan, plan.attention, {"cp"}),
               MakeGroups(plan, plan.attention, {"cp", "dp"}),
               MakeGroups(plan, plan.experts, {"edp"}),
               plan.data.hasNorm ? MakeGroups(plan, plan.attention, {"tp", "cp", "dp", "pp"})
                                 : nullptr}
{
}

const CollectiveGroups&
TrainingCollectives::GetGroups(Group group) const
{
    return *m_groups[static_cast<std::size_t>(group)];
}

const CollectiveTraffic&
TrainingCollectives::Choose(TrainingKind kind,
                            Group group,
                            GroupCollective::Operation operation,
                            uint64_t bytes)
{
    const auto& groups = m_groups[static_cast<std::size_t>(group)];
    const auto [chosen, isNew] = m_chosen.try_emplace({group, operation, bytes});
    if (isNew)
    {
        // Keys and values go from neighbour to neighbour.
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
        known = std::make_unique<const CollectiveTraffic>(groups,
                                                          operation,
                                                          choice,
                                                          isOfReplicas ? m_mostSteps
                                                                       : RingTransfer::kAllSteps);
    }
    const CollectiveRecord record = known->Describe(static_cast<uint16_t>(kind), bytes);
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
