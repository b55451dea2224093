// SPDX-License-Identifier: GPL-2.0-only
#include "collective-traffic.h"

#include "direct-transfer.h"
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
    case ALGORITHM_DIRECT:
        return "direct";
    default:
        return "automatic";
    }
}

namespace
{

bool
AreEqual(const TrafficMatrix& one, const TrafficMatrix& other)
{
    for (uint32_t gpu = 0; gpu < one.GetShape().GetGpus(); ++gpu)
    {
        const std::vector<Demand>& row = one.GetRow(gpu);
        const std::vector<Demand>& its = other.GetRow(gpu);
        if (!std::equal(row.begin(), row.end(), its.begin(), its.end(), [](auto& a, auto& b) {
                return a.destination == b.destination && a.bytes == b.bytes;
            }))
        {
            return false;
        }
    }
    return true;
}

} // namespace

CollectiveTraffic::CollectiveTraffic(std::shared_ptr<const CollectiveGroups> groups,
                                     Operation operation,
                                     const CollectiveChoice& choice,
                                     uint32_t mostSteps)
    : m_groups(std::move(groups)),
      m_choice(choice)
{
    const uint32_t rounds = operation == Operation::AllReduce ? 2 : 1;
    const auto make = [&](const GroupSpread& spread) -> std::unique_ptr<GroupTransfer> {
        switch (choice.algorithm)
        {
        case ALGORITHM_HIERARCHICAL: {
            const uint32_t lanes = std::max(1U, choice.rings / m_groups->CountPerServer());
            return std::make_unique<HierarchicalTransfer>(spread.servers,
                                                          lanes,
                                                          operation,
                                                          mostSteps);
        }
        case ALGORITHM_TREE:
            return std::make_unique<TreeTransfer>(spread, choice.rings, operation);
        case ALGORITHM_DIRECT:
            return std::make_unique<DirectTransfer>(CountMembers(spread.servers), operation);
        default:
            return std::make_unique<RingTransfer>(spread, choice.rings, rounds, mostSteps);
        }
    };
    for (const GroupSpread& spread : m_groups->GetSpreads())
    {
        m_transfers.push_back(make(spread));
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

RailQueue
CollectiveTraffic::GetRail(uint32_t gpu, uint32_t step, uint64_t bytes) const
{
    if (m_choice.rings < 2 || !m_groups->HaveRails())
    {
        return {};
    }
    const bool isTree = m_choice.algorithm == ALGORITHM_TREE;
    const uint32_t lane = FindPlace(gpu, step, bytes).lane / (isTree ? TreeTransfer::kWindow : 1);
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
CollectiveTraffic::Describe(uint16_t kind, uint64_t bytes) const
{
    const std::vector<GroupSpread>& spreads = m_groups->GetSpreads();
    return {kind,
            rails::GetName(m_choice.algorithm),
            m_choice.rings,
            bytes,
            std::any_of(spreads.begin(), spreads.end(), [](const GroupSpread& spread) {
                return spread.IsUneven();
            })};
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
        // Chunks in the midst of a pipeline move alike.
        const bool isLikeTheLast = inLane > 0 && AreEqual(*steps.back(), matrix);
        steps.push_back(isLikeTheLast ? steps.back()
                                      : std::make_shared<const TrafficMatrix>(std::move(matrix)));
    }
    return steps;
}

} // namespace ns3::rails
