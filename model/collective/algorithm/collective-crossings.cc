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
      m_queues(groups.GetShape().GetNics()),
      m_loads(2 * m_queues.size())
{
}

uint32_t
CollectiveCrossings::Number(uint32_t from, uint32_t to, const RailQueue& on)
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
        FabricPaths::Way way =
            rates.ways ? rates.ways->Find(nic, other, m_queues[nic]++)
                       : FabricPaths::Way{{}, usual, kBits / static_cast<double>(rates.packetBps)};
        const auto nics = static_cast<uint32_t>(2 * m_queues.size());
        for (FabricPaths::Part& part : way.parts)
        {
            part.link += nics;
            m_loads.resize(std::max<std::size_t>(m_loads.size(), part.link + 1));
        }
        way.parts.insert(way.parts.begin(), {2 * nic, 1});
        way.parts.push_back({2 * other + 1, 1});
        m_crossings.push_back({std::move(way)});
    }
    return known->second;
}

void
CollectiveCrossings::Add(uint32_t from, uint32_t to, const RailQueue& on, double bytes)
{
    Crossing& crossing = m_crossings[Number(from, to, on)];
    const uint32_t group = m_groups.GetNumber(from);
    auto use = std::find_if(crossing.uses.begin(), crossing.uses.end(), [group](const auto& its) {
        return its.group == group;
    });
    if (use == crossing.uses.end())
    {
        use = crossing.uses.insert(use, {group});
    }
    ++use->messages;
    use->bytes += bytes;
    for (const FabricPaths::Part& part : crossing.way.parts)
    {
        m_loads[part.link] += bytes * part.share;
    }
}

void
CollectiveCrossings::Clear()
{
    m_loads.assign(m_loads.size(), 0);
    for (Crossing& crossing : m_crossings)
    {
        crossing.uses.clear();
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

std::vector<double>
CollectiveCrossings::FindTimesPerByte(uint32_t group) const
{
    std::vector<double> times(m_loads.size(), 0); // of the group's bytes first
    for (const Crossing& crossing : m_crossings)
    {
        for (const Crossing::Use& use : crossing.uses)
        {
            for (const FabricPaths::Part& part : crossing.way.parts)
            {
                times[part.link] += use.group == group ? use.bytes * part.share : 0;
            }
        }
    }
    for (uint32_t link = 0; link < times.size(); ++link)
    {
        times[link] = times[link] > 0 ? m_loads[link] / times[link] / GetRate(link) : 0;
    }
    return times;
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

std::vector<CollectiveCrossings::Times>
CollectiveCrossings::FindTimes() const
{
    std::vector<Times> all(m_groups.GetGroups().size());
    std::vector<uint32_t> counts(all.size());
    std::vector<double> busy(m_loads.size(), 0); // by link
    for (uint32_t link = 0; link < busy.size(); ++link)
    {
        busy[link] = m_loads[link] > 0 ? m_loads[link] / GetRate(link) : 0;
    }
    for (const Crossing& crossing : m_crossings)
    {
        double busiest = 0;
        for (const FabricPaths::Part& part : crossing.way.parts)
        {
            busiest = std::max(busiest, busy[part.link]);
        }
        for (const Crossing::Use& use : crossing.uses)
        {
            Times& times = all[use.group];
            ++counts[use.group];
            times.mean += busiest;
            times.longest = std::max(times.longest, busiest);
            times.latency += FindLatency(crossing, use.bytes / use.messages);
        }
    }
    for (std::size_t group = 0; group < all.size(); ++group)
    {
        all[group].mean /= std::max(1U, counts[group]);
        all[group].latency /= std::max(1U, counts[group]);
    }
    return all;
}

} // namespace ns3::rails
