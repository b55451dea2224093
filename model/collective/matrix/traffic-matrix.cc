// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-matrix.h"

#include "ns3/rails-sha256.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::rails
{

void
SortByDestination(std::vector<Demand>& demands)
{
    std::sort(demands.begin(), demands.end(), [](const Demand& one, const Demand& other) {
        return one.destination < other.destination;
    });
}

TrafficMatrix::TrafficMatrix(ClusterShape shape)
    : m_shape(shape),
      m_rows(shape.GetGpus())
{
}

void
TrafficMatrix::Add(uint32_t source, uint32_t destination, uint64_t bytes)
{
    if (source >= m_rows.size() || destination >= m_rows.size())
    {
        throw std::logic_error("traffic matrix: GPU out of range");
    }
    std::vector<Demand>& row = m_rows[source];
    if (!row.empty() && destination <= row.back().destination)
    {
        throw std::logic_error("traffic matrix: destinations out of order");
    }
    if (bytes > 0 && source != destination)
    {
        row.push_back({destination, bytes});
    }
}

const std::vector<Demand>&
TrafficMatrix::GetRow(uint32_t source) const
{
    return m_rows.at(source);
}

TrafficMatrix
TrafficMatrix::Transpose() const
{
    TrafficMatrix transpose(m_shape);
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        for (const Demand& demand : m_rows[source])
        {
            transpose.Add(demand.destination, source, demand.bytes);
        }
    }
    return transpose;
}

std::vector<uint64_t>
TrafficMatrix::GetReceived() const
{
    std::vector<uint64_t> received(m_rows.size(), 0);
    for (const std::vector<Demand>& row : m_rows)
    {
        for (const Demand& demand : row)
        {
            received[demand.destination] += demand.bytes;
        }
    }
    return received;
}

uint64_t
TrafficMatrix::GetTotalBytes() const
{
    uint64_t total = 0;
    for (const std::vector<Demand>& row : m_rows)
    {
        for (const Demand& demand : row)
        {
            total += demand.bytes;
        }
    }
    return total;
}

std::string
TrafficMatrix::GetHash() const
{
    Sha256 digest;
    digest.Add(uint64_t{m_shape.servers});
    digest.Add(uint64_t{m_shape.gpusPerServer});
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        for (const Demand& demand : m_rows[source])
        {
            digest.Add(uint64_t{source});
            digest.Add(uint64_t{demand.destination});
            digest.Add(demand.bytes);
        }
    }
    return digest.Finish();
}

} // namespace ns3::rails
