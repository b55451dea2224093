// SPDX-License-Identifier: GPL-2.0-only
#include "collective-traffic.h"

#include "hierarchical-transfer.h"
#include "tree-transfer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

using Operation = GroupCollective::Operation;

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
    default:
        return "automatic";
    }
}

CollectiveChoice
ChooseCollective(const CollectiveGroups& groups,
                 Operation operation,
                 uint64_t bytes,
                 const CollectiveChoice& asked)
{
    const bool isAutomatic = asked.rings == kAutomaticRings;
    const uint32_t perServer = groups.CountPerServer();
    const bool hasLevels = !groups.AreOnOneServer() && perServer > 1;
    const uint32_t rings = !isAutomatic                                     ? asked.rings
                           : groups.AreOnOneServer() || !groups.HaveRails() ? 1
                                                                            : groups.CountRails();
    CollectiveAlgorithm algorithm = asked.algorithm;
    if (algorithm == ALGORITHM_AUTOMATIC)
    {
        const bool isLarge = bytes >= kSmallestRingPart * groups.GetSize() * rings;
        const bool isTree = operation == Operation::AllReduce && !groups.AreOnOneServer();
        algorithm = isLarge     ? ALGORITHM_RING
                    : hasLevels ? ALGORITHM_HIERARCHICAL
                    : isTree    ? ALGORITHM_TREE
                                : ALGORITHM_RING;
    }
    if (algorithm == ALGORITHM_HIERARCHICAL && hasLevels)
    {
        const bool isPinned = isAutomatic && groups.HaveRails();
        return {algorithm, isPinned ? perServer * groups.CountOwnRails() : 1};
    }
    return {algorithm == ALGORITHM_HIERARCHICAL ? ALGORITHM_RING : algorithm, rings};
}

CollectiveTraffic::CollectiveTraffic(std::shared_ptr<const CollectiveGroups> groups,
                                     Operation operation,
                                     const CollectiveChoice& choice,
                                     uint32_t mostSteps)
    : m_groups(std::move(groups)),
      m_choice(choice)
{
    const uint32_t rounds = operation == Operation::AllReduce ? 2 : 1;
    const auto make = [&](const MembersByServer& servers) -> std::unique_ptr<GroupTransfer> {
        switch (choice.algorithm)
        {
        case ALGORITHM_HIERARCHICAL: {
            const uint32_t lanes = std::max(1U, choice.rings / m_groups->CountPerServer());
            return std::make_unique<HierarchicalTransfer>(servers, lanes, operation, mostSteps);
        }
        case ALGORITHM_TREE:
            return std::make_unique<TreeTransfer>(servers, choice.rings, operation);
        default:
            return std::make_unique<RingTransfer>(servers, choice.rings, rounds, mostSteps);
        }
    };
    for (const MembersByServer& servers : m_groups->GetSpreads())
    {
        m_transfers.push_back(make(servers));
    }
}

const CollectiveGroups&
CollectiveTraffic::GetGroups() const
{
    return *m_groups;
}

const CollectiveChoice&
CollectiveTraffic::GetChoice() const
{
    return m_choice;
}

uint32_t
CollectiveTraffic::CountLanes() const
{
    return m_transfers.front()->CountLanes();
}

uint32_t
CollectiveTraffic::CountSteps(uint64_t bytes) const
{
    // Trees of groups on different numbers of servers have different heights.
    uint32_t steps = 0;
    for (const auto& transfer : m_transfers)
    {
        steps = std::max(steps, transfer->CountSteps(bytes));
    }
    return steps * CountLanes();
}

const GroupTransfer&
CollectiveTraffic::GetTransfer(uint32_t gpu) const
{
    return *m_transfers[m_groups->GetSpread(gpu)];
}

GroupTransfer::Place
CollectiveTraffic::FindPlace(uint32_t gpu, uint32_t step, uint64_t bytes) const
{
    const uint32_t steps = CountSteps(bytes) / CountLanes();
    return {m_groups->GetPlace(gpu), step / steps, step % steps};
}

std::vector<Demand>
CollectiveTraffic::GetSends(uint32_t gpu, uint32_t step, uint64_t bytes) const
{
    const GroupTransfer::Place place = FindPlace(gpu, step, bytes);
    const GroupTransfer& transfer = GetTransfer(gpu);
    std::vector<Demand> sends;
    if (place.step >= transfer.CountSteps(bytes))
    {
        return sends;
    }
    const std::vector<uint32_t>& members = m_groups->GetMembers(gpu);
    for (const GroupTransfer::Share& share : transfer.GetSends(place, bytes))
    {
        sends.push_back({members[share.member], share.bytes});
    }
    SortByDestination(sends);
    return sends;
}

uint64_t
CollectiveTraffic::GetReceived(uint32_t gpu, uint32_t step, uint64_t bytes) const
{
    const GroupTransfer::Place place = FindPlace(gpu, step, bytes);
    const GroupTransfer& transfer = GetTransfer(gpu);
    uint64_t sum = 0;
    if (place.step < transfer.CountSteps(bytes))
    {
        for (const GroupTransfer::Share& share : transfer.GetReceipts(place, bytes))
        {
            sum += share.bytes;
        }
    }
    return sum;
}

uint16_t
CollectiveTraffic::GetRail(uint32_t gpu, uint32_t step, uint64_t bytes) const
{
    if (m_choice.rings < 2 || !m_groups->HaveRails())
    {
        return kNoRail;
    }
    const uint32_t lane = FindPlace(gpu, step, bytes).lane;
    const uint32_t ring = m_choice.algorithm == ALGORITHM_TREE ? lane / 2 : lane;
    const bool isOwn =
        m_choice.algorithm == ALGORITHM_HIERARCHICAL && !m_groups->GetOwnRails(gpu).empty();
    const std::vector<uint16_t>& rails =
        isOwn ? m_groups->GetOwnRails(gpu) : m_groups->GetRails(gpu);
    return rails[ring % rails.size()];
}

double
CollectiveTraffic::CountBytes(double bytes) const
{
    return m_transfers.front()->CountBytes(bytes);
}

uint32_t
CollectiveTraffic::CountDifferentSteps(uint64_t bytes) const
{
    uint32_t different = 1;
    for (const auto& transfer : m_transfers)
    {
        different = std::max(different, transfer->CountDifferentSteps(bytes));
    }
    return different;
}

uint64_t
CollectiveTraffic::CountDemands(uint64_t bytes) const
{
    const uint32_t perLane = CountSteps(bytes) / CountLanes();
    return uint64_t{CountLanes()} * std::min(perLane, CountDifferentSteps(bytes)) *
           m_groups->GetShape().GetGpus();
}

std::vector<std::shared_ptr<const TrafficMatrix>>
CollectiveTraffic::MakeSteps(const ClusterShape& shape, uint64_t bytes) const
{
    const uint32_t different = CountDifferentSteps(bytes);
    const uint32_t perLane = CountSteps(bytes) / CountLanes();
    std::vector<std::shared_ptr<const TrafficMatrix>> steps;
    for (uint32_t step = 0; step < perLane * CountLanes(); ++step)
    {
        const uint32_t inLane = step % perLane;
        if (inLane >= different)
        {
            steps.push_back(steps[step - inLane + inLane % different]);
            continue;
        }
        TrafficMatrix matrix(shape);
        for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
        {
            for (const Demand& send : GetSends(gpu, step, bytes))
            {
                matrix.Add(gpu, send.destination, send.bytes);
            }
        }
        steps.push_back(std::make_shared<const TrafficMatrix>(std::move(matrix)));
    }
    return steps;
}

} // namespace ns3::rails
