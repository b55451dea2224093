// SPDX-License-Identifier: GPL-2.0-only
#include "collective.h"

#include "chain-schedule.h"
#include "direct-schedule.h"
#include "hierarchical-schedule.h"
#include "tree-schedule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

using Operation = CollectiveOperation;

const char*
GetName(CollectiveAlgorithm algorithm)
{
    switch (algorithm)
    {
    case ALGORITHM_RING:
        return "ring";
    case ALGORITHM_HIERARCHICAL:
        return "hierarchical";
    case ALGORITHM_TREE:
        return "tree";
    case ALGORITHM_DIRECT:
        return "direct";
    default:
        return "automatic";
    }
}

std::shared_ptr<const Collective::Schedules>
Collective::MakeSchedules(const CollectiveGroups& groups,
                          const Task& task,
                          const CollectiveChoice& choice,
                          uint32_t mostSteps)
{
    const Operation operation = task.operation;
    const uint32_t perServer = groups.CountPerServer();
    const auto make = [&](const GroupSpread& spread) -> std::unique_ptr<CollectiveSchedule> {
        const uint32_t members = CountMembers(spread.servers);
        if (task.IsRooted())
        {
            const bool hasLevels =
                choice.algorithm == ALGORITHM_HIERARCHICAL && perServer < members;
            return std::make_unique<ChainSchedule>(members,
                                                   hasLevels ? perServer : 1,
                                                   operation,
                                                   task.root,
                                                   task.chunks);
        }
        switch (choice.algorithm)
        {
        case ALGORITHM_HIERARCHICAL: {
            const uint32_t lanes = std::max(1U, choice.rings / perServer);
            return std::make_unique<HierarchicalSchedule>(spread.servers,
                                                          lanes,
                                                          operation,
                                                          mostSteps);
        }
        case ALGORITHM_TREE:
            return std::make_unique<TreeSchedule>(spread, choice.rings, operation);
        case ALGORITHM_DIRECT:
            return std::make_unique<DirectSchedule>(members, operation);
        default:
            return std::make_unique<RingSchedule>(spread,
                                                  choice.rings,
                                                  operation == Operation::AllReduce ? 2 : 1,
                                                  mostSteps);
        }
    };
    Schedules schedules;
    for (const GroupSpread& spread : groups.GetSpreads())
    {
        schedules.push_back(make(spread));
    }
    return std::make_shared<const Schedules>(std::move(schedules));
}

CommOpTraits
Collective::MakeTraits()
{
    CommOpTraits traits;
    traits.isExchange = false;
    return traits;
}

CommOpTraits
Collective::SetSteps(CommOpTraits traits, const Schedules& schedules, uint64_t bytes)
{
    // Trees of groups on different numbers of servers have different heights.
    uint32_t steps = 0;
    for (const auto& schedule : schedules)
    {
        steps = std::max(steps, schedule->CountSteps(bytes));
    }
    traits.lanes = schedules.front()->CountLanes();
    traits.steps = steps * traits.lanes;
    return traits;
}

Collective::Collective(std::shared_ptr<const CollectiveGroups> groups,
                       const Task& task,
                       const CollectiveChoice& choice,
                       uint32_t mostSteps)
    : Collective(groups,
                 task,
                 choice,
                 MakeSchedules(*groups, task, choice, mostSteps),
                 MakeTraits(),
                 {})
{
}

Collective::Collective(const Collective& alike,
                       uint64_t bytes,
                       const CommOpTraits& traits,
                       IsMember isMember)
    : Collective(alike.m_groups,
                 {alike.m_task.operation, bytes, alike.m_task.root, alike.m_task.chunks},
                 alike.m_choice,
                 alike.m_schedules,
                 traits,
                 std::move(isMember))
{
}

Collective::Collective(std::shared_ptr<const CollectiveGroups> groups,
                       const Task& task,
                       const CollectiveChoice& choice,
                       std::shared_ptr<const Schedules> schedules,
                       const CommOpTraits& traits,
                       IsMember isMember)
    : CommOp(SetSteps(traits, *schedules, task.bytes)),
      m_groups(std::move(groups)),
      m_task(task),
      m_choice(choice),
      m_schedules(std::move(schedules)),
      m_isMember(std::move(isMember))
{
}

const CollectiveGroups&
Collective::GetGroups() const
{
    return *m_groups;
}

uint64_t
Collective::GetBytes() const
{
    return m_task.bytes;
}

const CollectiveSchedule&
Collective::GetSchedule(uint32_t gpu) const
{
    return *(*m_schedules)[m_groups->GetSpread(gpu)];
}

CollectiveSchedule::Place
Collective::FindPlace(uint32_t gpu, uint32_t step) const
{
    const uint32_t steps = CountLaneSteps();
    return {m_groups->GetPlace(gpu), step / steps, step % steps};
}

std::vector<Demand>
Collective::GetSends(uint32_t gpu, uint32_t step) const
{
    const CollectiveSchedule::Place place = FindPlace(gpu, step);
    const CollectiveSchedule& schedule = GetSchedule(gpu);
    std::vector<Demand> sends;
    if (place.step >= schedule.CountSteps(m_task.bytes))
    {
        return sends;
    }
    const std::vector<uint32_t>& members = m_groups->GetMembers(gpu);
    for (const CollectiveSchedule::Share& share : schedule.GetSends(place, m_task.bytes))
    {
        sends.push_back({members[share.member], share.bytes});
    }
    SortByDestination(sends);
    return sends;
}

uint64_t
Collective::GetReceived(uint32_t gpu, uint32_t step) const
{
    const CollectiveSchedule::Place place = FindPlace(gpu, step);
    const CollectiveSchedule& schedule = GetSchedule(gpu);
    uint64_t sum = 0;
    if (place.step < schedule.CountSteps(m_task.bytes))
    {
        for (const CollectiveSchedule::Share& share : schedule.GetReceipts(place, m_task.bytes))
        {
            sum += share.bytes;
        }
    }
    return sum;
}

RailQueue
Collective::GetRail(uint32_t gpu, uint32_t step) const
{
    if (m_choice.rings < 2 || !m_groups->HaveRails())
    {
        return {};
    }
    const bool isTree = m_choice.algorithm == ALGORITHM_TREE;
    const uint32_t lane = FindPlace(gpu, step).lane / (isTree ? TreeSchedule::kWindow : 1);
    const uint32_t ring = isTree ? lane / 2 : lane;
    const bool hasLevels = m_choice.algorithm == ALGORITHM_HIERARCHICAL;
    const bool isOwn = hasLevels && !m_groups->GetOwnRails(gpu).empty();
    const std::vector<uint16_t>& rails =
        isOwn ? m_groups->GetOwnRails(gpu) : m_groups->GetRails(gpu);
    // In two levels each GPU of a server is on rings of its own; those near no NIC take turns.
    const uint32_t own =
        hasLevels ? lane * m_groups->GetShape().gpusPerServer + m_groups->GetShape().GetLocal(gpu)
                  : lane;
    return {rails[(hasLevels && !isOwn ? own : ring) % rails.size()],
            static_cast<uint16_t>(own % kMostSubflows)};
}

CollectiveRecord
Collective::Describe(uint16_t kind) const
{
    const char* const name = rails::GetName(m_choice.algorithm);
    if (m_task.IsRooted())
    {
        return {kind, name, m_choice.rings};
    }
    const std::vector<GroupSpread>& spreads = m_groups->GetSpreads();
    return {kind,
            name,
            m_choice.rings,
            m_task.bytes,
            std::any_of(spreads.begin(), spreads.end(), [](const GroupSpread& spread) {
                return spread.IsUneven();
            })};
}

double
Collective::CountBytes() const
{
    return m_schedules->front()->CountBytes(static_cast<double>(m_task.bytes));
}

uint32_t
Collective::CountDifferentSteps() const
{
    uint32_t different = 1;
    for (const auto& schedule : *m_schedules)
    {
        different = std::max(different, schedule->CountDifferentSteps(m_task.bytes));
    }
    return std::min(CountLaneSteps(), different);
}

bool
Collective::TakesPart(uint32_t gpu, uint32_t) const
{
    return !m_isMember || m_isMember(gpu);
}

} // namespace ns3::rails
