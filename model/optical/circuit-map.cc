// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-map.h"

#include <numeric>
#include <stdexcept>

namespace ns3::rails
{

CircuitMap::CircuitMap(uint32_t servers)
    : m_servers(servers),
      m_circuits(std::size_t{servers} * servers),
      m_leaving(servers),
      m_arriving(servers)
{
}

void
CircuitMap::Join(uint32_t one, uint32_t other, uint32_t circuits)
{
    Lead(one, other, circuits);
    Lead(other, one, circuits);
}

void
CircuitMap::Lead(uint32_t from, uint32_t to, uint32_t circuits)
{
    if (from >= m_servers || to >= m_servers || from == to)
    {
        throw std::logic_error("circuits: they join two different servers of the region");
    }
    m_circuits[std::size_t{from} * m_servers + to] += circuits;
    m_leaving[from] += circuits;
    m_arriving[to] += circuits;
}

uint32_t
CircuitMap::Count(uint32_t from, uint32_t to) const
{
    return m_circuits[std::size_t{from} * m_servers + to];
}

uint32_t
CircuitMap::CountLeaving(uint32_t server) const
{
    return m_leaving[server];
}

uint32_t
CircuitMap::CountArriving(uint32_t server) const
{
    return m_arriving[server];
}

uint32_t
CircuitMap::GetTotal() const
{
    return std::accumulate(m_leaving.begin(), m_leaving.end(), 0U);
}

bool
CircuitMap::operator==(const CircuitMap& other) const
{
    return m_servers == other.m_servers && m_circuits == other.m_circuits;
}

} // namespace ns3::rails
