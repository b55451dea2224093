// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-demand.h"

#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

CircuitDemand::CircuitDemand(uint32_t servers)
    : CircuitDemand(ClusterShape(servers, 1), 0, servers)
{
}

CircuitDemand::CircuitDemand(const ClusterShape& shape, uint32_t first, uint32_t servers)
    : m_shape(shape),
      m_first(first),
      m_servers(servers),
      m_bytes(std::size_t{servers} * servers)
{
}

uint32_t
CircuitDemand::FindServer(uint32_t gpu) const
{
    const uint32_t server = m_shape.GetServer(gpu);
    if (server < m_first || server - m_first >= m_servers)
    {
        throw std::logic_error("demand for circuits: GPU " + std::to_string(gpu) +
                               " is outside of the region");
    }
    return server - m_first;
}

void
CircuitDemand::Add(uint32_t source, uint32_t destination, uint64_t bytes)
{
    const uint32_t from = FindServer(source);
    const uint32_t to = FindServer(destination);
    if (from != to)
    {
        m_bytes[std::size_t{from} * m_servers + to] += bytes;
    }
}

uint64_t
CircuitDemand::GetBytes(uint32_t from, uint32_t to) const
{
    return m_bytes[std::size_t{from} * m_servers + to];
}

uint64_t
CircuitDemand::GetPairBytes(uint32_t one, uint32_t other) const
{
    return GetBytes(one, other) + GetBytes(other, one);
}

uint64_t
CircuitDemand::GetTotalBytes() const
{
    return std::accumulate(m_bytes.begin(), m_bytes.end(), uint64_t{0});
}

} // namespace ns3::rails
