// SPDX-License-Identifier: GPL-2.0-only
#include "min-max-load-flow.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::rails
{

namespace
{

/// Distance without a path to room.
constexpr uint32_t kNoWay = std::numeric_limits<uint32_t>::max();

} // namespace

MinMaxLoadFlow::MinMaxLoadFlow(const std::vector<std::vector<uint32_t>>& hosts, uint32_t gpus)
    : m_firstOfExpert{0},
      m_firstOfGpu(gpus + std::size_t{1}),
      m_waiting(hosts.size()),
      m_loads(gpus),
      m_expertDistances(hosts.size()),
      m_gpuDistances(gpus)
{
    m_firstOfExpert.reserve(hosts.size() + 1);
    for (uint32_t expert = 0; expert < hosts.size(); ++expert)
    {
        if (hosts[expert].size() > 1)
        {
            for (const uint32_t gpu : hosts[expert])
            {
                m_replicas.push_back({expert, gpu, 0});
                ++m_firstOfGpu[gpu + 1];
            }
        }
        m_firstOfExpert.push_back(m_replicas.size());
    }
    std::partial_sum(m_firstOfGpu.begin(), m_firstOfGpu.end(), m_firstOfGpu.begin());
    m_ofGpus.resize(m_replicas.size());
    std::vector<std::size_t> next(m_firstOfGpu.begin(), m_firstOfGpu.end() - 1);
    for (std::size_t replica = 0; replica < m_replicas.size(); ++replica)
    {
        m_ofGpus[next[m_replicas[replica].gpu]++] = replica;
    }
}

std::optional<uint64_t>
MinMaxLoadFlow::Find(const std::vector<uint64_t>& loads,
                     const std::vector<uint64_t>& fixedLoads,
                     uint64_t from,
                     uint64_t limit)
{
    m_loads = fixedLoads;
    uint64_t largest = from;
    PlaceFirst(loads, largest);
    while (largest < limit)
    {
        if (std::all_of(m_waiting.begin(), m_waiting.end(), [](uint64_t w) { return w == 0; }))
        {
            return largest;
        }
        FindDistances(largest);
        const uint64_t rise = FindRise();
        largest += rise;
        if (rise == 0)
        {
            MoveNearer(largest);
        }
    }
    return std::nullopt;
}

/// Splits tokens evenly where there is room, so that few need augmenting paths.
void
MinMaxLoadFlow::PlaceFirst(const std::vector<uint64_t>& loads, uint64_t largest)
{
    for (uint32_t expert = 0; expert < m_waiting.size(); ++expert)
    {
        const std::size_t end = m_firstOfExpert[expert + 1];
        uint64_t waiting = m_firstOfExpert[expert] < end ? loads[expert] : 0;
        for (std::size_t i = m_firstOfExpert[expert]; i < end; ++i)
        {
            Replica& replica = m_replicas[i];
            const uint64_t share = (waiting + (end - i) - 1) / (end - i);
            replica.tokens = std::min(share, largest - m_loads[replica.gpu]);
            m_loads[replica.gpu] += replica.tokens;
            waiting -= replica.tokens;
        }
        m_waiting[expert] = waiting;
    }
}

void
MinMaxLoadFlow::FindDistances(uint64_t largest)
{
    std::fill(m_expertDistances.begin(), m_expertDistances.end(), kNoWay);
    std::fill(m_gpuDistances.begin(), m_gpuDistances.end(), kNoWay);
    m_nearFirst.clear();
    m_reached.clear();
    for (uint32_t gpu = 0; gpu < m_loads.size(); ++gpu)
    {
        if (m_loads[gpu] < largest)
        {
            m_gpuDistances[gpu] = 0;
            m_reached.push_back(gpu);
        }
    }
    for (std::size_t reached = 0; reached < m_reached.size(); ++reached)
    {
        const uint32_t gpu = m_reached[reached];
        const uint32_t distance = m_gpuDistances[gpu] + 1;
        for (std::size_t i = m_firstOfGpu[gpu]; i < m_firstOfGpu[gpu + 1]; ++i)
        {
            const uint32_t expert = m_replicas[m_ofGpus[i]].expert;
            if (m_expertDistances[expert] != kNoWay)
            {
                continue;
            }
            m_expertDistances[expert] = distance;
            m_nearFirst.push_back(expert);
            for (std::size_t j = m_firstOfExpert[expert]; j < m_firstOfExpert[expert + 1]; ++j)
            {
                const Replica& other = m_replicas[j];
                if (other.tokens > 0 && m_gpuDistances[other.gpu] == kNoWay)
                {
                    m_gpuDistances[other.gpu] = distance + 1;
                    m_reached.push_back(other.gpu);
                }
            }
        }
    }
}

/// \return least rise of the largest load
uint64_t
MinMaxLoadFlow::FindRise() const
{
    uint64_t waiting = 0;
    for (std::size_t expert = 0; expert < m_waiting.size(); ++expert)
    {
        waiting += m_expertDistances[expert] == kNoWay ? m_waiting[expert] : 0;
    }
    const auto gpus =
        static_cast<uint64_t>(std::count(m_gpuDistances.begin(), m_gpuDistances.end(), kNoWay));
    return waiting > 0 ? (waiting + gpus - 1) / gpus : 0;
}

/// Moves waiting tokens towards room; displaced tokens wait at nearer experts.
void
MinMaxLoadFlow::MoveNearer(uint64_t largest)
{
    for (auto expert = m_nearFirst.rbegin(); expert != m_nearFirst.rend(); ++expert)
    {
        const std::size_t end = m_firstOfExpert[*expert + 1];
        for (std::size_t i = m_firstOfExpert[*expert]; i < end && m_waiting[*expert] > 0; ++i)
        {
            if (m_gpuDistances[m_replicas[i].gpu] + 1 == m_expertDistances[*expert])
            {
                MoveNearer(*expert, m_replicas[i], largest);
            }
        }
    }
}

/// Moves waiting tokens through one replica of an expert.
void
MinMaxLoadFlow::MoveNearer(uint32_t expert, Replica& replica, uint64_t largest)
{
    const uint32_t gpu = replica.gpu;
    if (m_gpuDistances[gpu] == 0)
    {
        const uint64_t tokens = std::min(m_waiting[expert], largest - m_loads[gpu]);
        m_loads[gpu] += tokens;
        replica.tokens += tokens;
        m_waiting[expert] -= tokens;
        return;
    }
    for (std::size_t i = m_firstOfGpu[gpu]; i < m_firstOfGpu[gpu + 1] && m_waiting[expert] > 0; ++i)
    {
        Replica& other = m_replicas[m_ofGpus[i]];
        if (m_expertDistances[other.expert] + 1 == m_gpuDistances[gpu])
        {
            const uint64_t tokens = std::min(m_waiting[expert], other.tokens);
            other.tokens -= tokens;
            m_waiting[other.expert] += tokens;
            replica.tokens += tokens;
            m_waiting[expert] -= tokens;
        }
    }
}

} // namespace ns3::rails
