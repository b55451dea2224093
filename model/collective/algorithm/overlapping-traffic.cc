// SPDX-License-Identifier: GPL-2.0-only
#include "overlapping-traffic.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Who has been given something already, of all GPUs.
class TakenGpus
{
  public:
    explicit TakenGpus(const ClusterShape& shape)
        : m_isTaken(shape.GetGpus())
    {
    }

    /// \return false when one of them is taken; otherwise they are now
    bool Take(const std::vector<uint32_t>& gpus)
    {
        if (std::any_of(gpus.begin(), gpus.end(), [this](uint32_t gpu) { return m_isTaken[gpu]; }))
        {
            return false;
        }
        for (const uint32_t gpu : gpus)
        {
            m_isTaken[gpu] = true;
        }
        return true;
    }

  private:
    std::vector<bool> m_isTaken;
};

/// Groups that share no GPU.
struct Round
{
    std::vector<std::vector<uint32_t>> groups;
    TakenGpus taken;
};

/// Lanes of some rounds that share no GPU.
struct Lanes
{
    uint32_t count;
    bool isPinned; //!< to rails; of others a balancer decides, which does so for all on a lane
    TakenGpus taken;
    std::vector<std::size_t> rounds;
};

} // namespace

OverlappingTraffic::OverlappingTraffic(const Setting& setting,
                                       CollectiveOperation operation,
                                       const Buffers& buffers,
                                       CollectiveChooser& chooser)
{
    // What is alike is chosen together, as it is done at the same time.
    std::map<std::pair<GroupSpread, uint64_t>, std::vector<Round>> alike;
    for (const auto& [group, bytes] : buffers)
    {
        const CollectiveGroups alone({setting.shape, {group}}, setting.rates);
        std::vector<Round>& rounds = alike[{alone.GetSpreads().front(), bytes}];
        const auto free = std::find_if(rounds.begin(), rounds.end(), [&own = group](Round& round) {
            return round.taken.Take(own);
        });
        if (free != rounds.end())
        {
            free->groups.push_back(group);
            continue;
        }
        rounds.push_back({{group}, TakenGpus(setting.shape)});
        rounds.back().taken.Take(group);
    }
    std::vector<Lanes> lanes;
    for (const auto& [how, rounds] : alike)
    {
        for (const Round& round : rounds)
        {
            const uint64_t bytes = how.second;
            const auto groups =
                std::make_shared<const CollectiveGroups>(GpuPartition(setting.shape, round.groups),
                                                         setting.rates);
            // Of many groups at once trees would be millions of chunks; NCCL has none for gradients
            // that are reduced and scattered, nor for parameters.
            constexpr bool hasTrees = false;
            const CollectiveChoice choice =
                chooser.Choose(*groups, operation, bytes, setting.asked, hasTrees);
            auto made = std::make_unique<const Collective>(groups,
                                                           Collective::Task{operation, bytes},
                                                           choice,
                                                           setting.mostSteps);
            const uint32_t count = made->GetTraits().lanes;
            const bool isPinned = made->GetRail(round.groups.front().front(), 0).rail != kNoRail;
            const uint32_t steps = made->CountLaneSteps();
            m_laneSteps = std::max(m_laneSteps, steps);
            std::vector<uint32_t> gpus;
            for (const std::vector<uint32_t>& group : round.groups)
            {
                gpus.insert(gpus.end(), group.begin(), group.end());
            }
            auto free = std::find_if(lanes.begin(), lanes.end(), [&](Lanes& some) {
                return some.count == count && some.isPinned == isPinned && some.taken.Take(gpus);
            });
            if (free == lanes.end())
            {
                lanes.push_back({count, isPinned, TakenGpus(setting.shape), {}});
                free = std::prev(lanes.end());
                free->taken.Take(gpus);
            }
            free->rounds.push_back(m_collectives.size());
            m_collectives.push_back({std::move(made), steps});
        }
    }
    uint32_t first = 0;
    for (const Lanes& some : lanes)
    {
        for (const std::size_t round : some.rounds)
        {
            m_collectives[round].firstLane = first;
            for (const std::vector<uint32_t>& group :
                 m_collectives[round].collective->GetGroups().GetGroups())
            {
                for (const uint32_t gpu : group)
                {
                    m_ofGpu[gpu].push_back(round);
                }
            }
        }
        first += some.count;
    }
    m_lanes = std::max(1U, first);
}

uint32_t
OverlappingTraffic::CountSteps() const
{
    return m_lanes * m_laneSteps;
}

OverlappingTraffic::Part
OverlappingTraffic::Find(uint32_t gpu, uint32_t step) const
{
    const auto found = m_ofGpu.find(gpu);
    if (found == m_ofGpu.end())
    {
        return {};
    }
    const uint32_t lane = step / m_laneSteps;
    const uint32_t inLane = step % m_laneSteps;
    // The last that begins at the lane or before: they are in the order of lanes.
    const auto after = std::upper_bound(
        found->second.begin(),
        found->second.end(),
        lane,
        [this](uint32_t at, std::size_t number) { return at < m_collectives[number].firstLane; });
    if (after == found->second.begin())
    {
        return {};
    }
    const Alike& own = m_collectives[*std::prev(after)];
    if (lane - own.firstLane >= own.collective->GetTraits().lanes || inLane >= own.steps)
    {
        return {};
    }
    return {own.collective.get(), (lane - own.firstLane) * own.steps + inLane};
}

std::vector<Demand>
OverlappingTraffic::GetSends(uint32_t gpu, uint32_t step) const
{
    const Part part = Find(gpu, step);
    return part.collective ? part.collective->GetSends(gpu, part.step) : std::vector<Demand>();
}

uint64_t
OverlappingTraffic::GetReceived(uint32_t gpu, uint32_t step) const
{
    const Part part = Find(gpu, step);
    return part.collective ? part.collective->GetReceived(gpu, part.step) : 0;
}

RailQueue
OverlappingTraffic::GetRail(uint32_t gpu, uint32_t step) const
{
    const Part part = Find(gpu, step);
    return part.collective ? part.collective->GetRail(gpu, part.step) : RailQueue();
}

std::vector<CollectiveRecord>
OverlappingTraffic::Describe(uint16_t kind) const
{
    std::map<CollectiveChoice, CollectiveRecord> known;
    for (const Alike& some : m_collectives)
    {
        const CollectiveRecord record = some.collective->Describe(kind);
        CollectiveRecord& same =
            known.try_emplace(some.collective->GetChoice(), record).first->second;
        same.bytes = std::min(same.bytes, record.bytes);
        same.isUneven |= record.isUneven;
    }
    std::vector<CollectiveRecord> records;
    for (const auto& [choice, record] : known)
    {
        records.push_back(record);
    }
    return records;
}

} // namespace ns3::rails
