// SPDX-License-Identifier: GPL-2.0-only
#include "replica-fold.h"

#include <algorithm>
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

uint32_t
ReplicaFold::GetDistance(uint32_t from, uint32_t to) const
{
    return (GetReplica(to) + CountReplicas() - GetReplica(from)) % CountReplicas();
}

uint64_t
ReplicaFold::MakeKey(uint32_t from, uint32_t to) const
{
    const uint32_t own = GetPlace(from) / m_shape.gpusPerServer;
    const uint32_t other = GetPlace(to) / m_shape.gpusPerServer;
    return uint64_t{own} << 32 | other;
}

bool
ReplicaFold::AddPair(uint32_t from, uint32_t to)
{
    const uint32_t distance = GetDistance(from, to);
    return distance == 0 ||
           m_distances.try_emplace(MakeKey(from, to), distance).first->second == distance;
}

bool
ReplicaFold::AddArrival(const LaneStep& at, uint32_t from, uint32_t to)
{
    const uint32_t distance = GetDistance(from, to);
    std::vector<Arrivals>& known = m_arrivals[uint64_t{at.lane} << 32 | GetPlace(to)];
    auto own = std::find_if(known.begin(), known.end(), [distance](const Arrivals& each) {
        return each.distance == distance;
    });
    own = own == known.end() ? known.insert(own, {distance, at.step, at.step}) : own;
    own->first = std::min(own->first, at.step);
    own->last = std::max(own->last, at.step);
    return std::none_of(known.begin(), known.end(), [&own](const Arrivals& each) {
        return each.distance != own->distance && each.first <= own->last && own->first <= each.last;
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
            return MoveTo(gpu, each.distance);
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

uint32_t
ReplicaFold::GetRealDistance(uint32_t from, uint32_t to) const
{
    return GetReplica(from) == GetReplica(to) ? 0 : m_distances.at(MakeKey(from, to));
}

} // namespace ns3::rails
