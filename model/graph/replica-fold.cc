// SPDX-License-Identifier: GPL-2.0-only
#include "replica-fold.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::rails
{

ReplicaFold::ReplicaFold(const ClusterShape& shape, std::vector<std::vector<uint32_t>> replicas)
    : m_shape(shape),
      m_replicas(std::move(replicas)),
      m_homes(shape.GetGpus())
{
    for (uint32_t replica = 0; replica < m_replicas.size(); ++replica)
    {
        for (uint32_t place = 0; place < m_replicas[replica].size(); ++place)
        {
            m_homes[m_replicas[replica][place]] = {replica, place};
        }
    }
}

bool
ReplicaFold::Fits(const ClusterShape& shape, const std::vector<std::vector<uint32_t>>& replicas)
{
    for (const std::vector<uint32_t>& gpus : replicas)
    {
        if (gpus.size() != replicas.front().size() || gpus.size() % shape.gpusPerServer != 0)
        {
            return false;
        }
        for (uint32_t place = 0; place < gpus.size(); ++place)
        {
            const uint32_t local = place % shape.gpusPerServer;
            if (shape.GetLocal(gpus[place]) != local || gpus[place] != gpus[place - local] + local)
            {
                return false;
            }
        }
    }
    return true;
}

uint32_t
ReplicaFold::FindComputedServer(uint32_t server) const
{
    return m_shape.GetServer(MoveTo(server * m_shape.gpusPerServer, 0));
}

bool
ReplicaFold::AddCrossing(uint16_t channel, uint32_t first, uint32_t from, uint32_t target)
{
    const auto [at, isNew] =
        m_numbers[0].try_emplace(MakeKey(channel, first), m_crossings.size() + 1);
    if (isNew)
    {
        m_crossings.push_back({channel, std::vector<uint32_t>(CountReplicas(), kUnknown)});
        m_crossings.back().targets[0] = first;
    }
    uint32_t& known = m_crossings[at->second - 1].targets[from];
    if (known == kUnknown)
    {
        known = target;
        return from >= kComputed ||
               m_numbers[from].try_emplace(MakeKey(channel, target), at->second).second;
    }
    return known == target;
}

bool
ReplicaFold::IsEven() const
{
    std::set<std::tuple<uint16_t, uint32_t, uint32_t>> sent; // channel, and from where to where
    for (const Crossing& crossing : m_crossings)
    {
        std::vector<bool> gets(CountReplicas(), false);
        for (uint32_t from = 0; from < CountReplicas(); ++from)
        {
            const uint32_t target = crossing.targets[from];
            if (target == kUnknown || gets[target] ||
                !sent.emplace(crossing.channel, from, target).second)
            {
                return false;
            }
            gets[target] = true;
        }
    }
    return true;
}

uint32_t
ReplicaFold::FindCrossing(uint16_t channel, uint32_t from, uint32_t to) const
{
    const uint32_t own = GetReplica(from);
    const uint32_t target = GetReplica(to);
    return own == target ? 0 : m_numbers[own].at(MakeKey(channel, target));
}

bool
ReplicaFold::AddArrival(const LaneStep& at, uint32_t to)
{
    const uint32_t replica = GetReplica(to);
    std::vector<Arrivals>& known = m_arrivals[uint64_t{at.lane} << 32 | GetPlace(to)];
    auto own = std::find_if(known.begin(), known.end(), [replica](const Arrivals& each) {
        return each.replica == replica;
    });
    own = own == known.end() ? known.insert(own, {replica, at.step, at.step}) : own;
    own->first = std::min(own->first, at.step);
    own->last = std::max(own->last, at.step);
    return std::none_of(known.begin(), known.end(), [&own](const Arrivals& each) {
        return each.replica != own->replica && each.first <= own->last && own->first <= each.last;
    });
}

uint32_t
ReplicaFold::FindReceiver(const LaneStep& at, uint32_t gpu) const
{
    const auto known = m_arrivals.find(uint64_t{at.lane} << 32 | GetPlace(gpu));
    if (known == m_arrivals.end())
    {
        return MoveTo(gpu, 0);
    }
    for (const Arrivals& each : known->second)
    {
        if (each.first <= at.step && at.step <= each.last)
        {
            return MoveTo(gpu, each.replica);
        }
    }
    return MoveTo(gpu, 0);
}

uint32_t
ReplicaFold::Fold(uint32_t from, uint32_t to) const
{
    const uint32_t own = GetReplica(from);
    const uint32_t other = kComputed - 1 - own;
    return GetGpu(GetReplica(to) == own ? own : other, GetPlace(to));
}

} // namespace ns3::rails
