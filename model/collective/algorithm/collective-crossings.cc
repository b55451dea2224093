// SPDX-License-Identifier: GPL-2.0-only
#include "collective-crossings.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

constexpr double kBits = 8;
constexpr double kPs = 1e-12;
constexpr double kFrame = 4096; // payload of a frame

/// Of what a NIC sends, frames and an ACK for each that it gets taken off.
constexpr double kPayload = kFrame / (4178 + 84);

} // namespace

CollectiveCrossings::CollectiveCrossings(const CollectiveGroups& groups)
    : m_groups(groups),
      m_isOfFirst(groups.GetShape().GetGpus()),
      m_queues(groups.GetShape().GetNics()),
      m_loads(2 * m_queues.size())
{
    for (const uint32_t gpu : groups.GetGroups().front())
    {
        m_isOfFirst[gpu] = true;
    }
}

uint32_t
CollectiveCrossings::Add(uint32_t from, uint32_t to, const RailQueue& on, double bytes)
{
    const ClusterShape& shape = m_groups.GetShape();
    const ClusterRates& rates = m_groups.GetRates();
    const std::vector<uint16_t>& near = m_groups.GetOwnRails(from);
    const uint16_t rail = on.rail != kNoRail ? on.rail : near.empty() ? 0 : near.front();
    const uint32_t nic = shape.GetNic(shape.GetServer(from), rail);
    const uint32_t other = shape.GetNic(shape.GetServer(to), rail);
    const auto [known, isNew] =
        m_numbers.try_emplace({nic, other, on.queue}, static_cast<uint32_t>(m_crossings.size()));
    if (isNew)
    {
        constexpr double usual = 1e-6;
        FabricWays::Way way =
            rates.ways ? rates.ways->Find(nic, other, m_queues[nic]++)
                       : FabricWays::Way{{}, usual, kBits / static_cast<double>(rates.packetBps)};
        const auto nics = static_cast<uint32_t>(2 * m_queues.size());
        for (FabricWays::Part& part : way.parts)
        {
            part.link += nics;
            m_loads.resize(std::max<std::size_t>(m_loads.size(), part.link + 1));
        }
        way.parts.insert(way.parts.begin(), {2 * nic, 1});
        way.parts.push_back({2 * other + 1, 1});
        m_crossings.push_back({std::move(way), m_isOfFirst[from], 0});
    }
    m_crossings[known->second].bytes += bytes;
    for (const FabricWays::Part& part : m_crossings[known->second].way.parts)
    {
        Load& load = m_loads[part.link];
        load.all += bytes * part.share;
        load.first += m_isOfFirst[from] ? bytes * part.share : 0;
    }
    return known->second;
}

void
CollectiveCrossings::Clear()
{
    m_loads.assign(m_loads.size(), {});
    for (Crossing& crossing : m_crossings)
    {
        crossing.bytes = 0;
    }
}

const CollectiveCrossings::Crossing&
CollectiveCrossings::Get(uint32_t number) const
{
    return m_crossings[number];
}

uint32_t
CollectiveCrossings::CountLinks() const
{
    return static_cast<uint32_t>(m_loads.size());
}

/// \return bytes of payload per second
double
CollectiveCrossings::GetRate(uint32_t link) const
{
    const auto nics = static_cast<uint32_t>(2 * m_queues.size());
    const ClusterRates& rates = m_groups.GetRates();
    return kPayload / kBits *
           (link < nics ? static_cast<double>(rates.packetBps) : rates.ways->GetRate(link - nics));
}

double
CollectiveCrossings::GetTimePerByte(uint32_t link) const
{
    const Load& load = m_loads[link];
    return load.first > 0 ? load.all / load.first / GetRate(link) : 0;
}

double
CollectiveCrossings::FindLatency(const Crossing& crossing, double bytes) const
{
    constexpr double ends = 2;
    const ClusterRates& rates = m_groups.GetRates();
    const double staged = std::min(bytes, static_cast<double>(rates.stagedBytes));
    return static_cast<double>(rates.endsLatency) * kPs + crossing.way.delay +
           std::min(bytes, kFrame) * crossing.way.storing +
           (rates.stagedBps > 0 ? ends * kBits * staged / static_cast<double>(rates.stagedBps) : 0);
}

CollectiveCrossings::Times
CollectiveCrossings::FindTimes(double bytes) const
{
    Times times;
    uint32_t count = 0;
    for (const Crossing& crossing : m_crossings)
    {
        if (!crossing.isOfFirst || crossing.bytes == 0)
        {
            continue;
        }
        double busiest = 0;
        for (const FabricWays::Part& part : crossing.way.parts)
        {
            busiest = std::max(busiest, m_loads[part.link].all / GetRate(part.link));
        }
        ++count;
        times.mean += busiest;
        times.longest = std::max(times.longest, busiest);
        times.latency += FindLatency(crossing, bytes);
    }
    times.mean /= std::max(1U, count);
    times.latency /= std::max(1U, count);
    return times;
}

} // namespace ns3::rails
