// SPDX-License-Identifier: GPL-2.0-only
#include "collective-groups.h"

#include "ns3/server-layout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the number of a value among those that are different, to which it is added if need be
template <typename T>
std::size_t
Number(std::map<T, std::size_t>& known, std::vector<T>& all, const T& value)
{
    const auto [at, isNew] = known.try_emplace(value, all.size());
    if (isNew)
    {
        all.push_back(value);
    }
    return at->second;
}

uint32_t
FindLongest(const std::vector<std::vector<uint16_t>>& lists)
{
    std::size_t longest = 1;
    for (const std::vector<uint16_t>& list : lists)
    {
        longest = std::max(longest, list.size());
    }
    return static_cast<uint32_t>(longest);
}

} // namespace

CollectiveGroups::CollectiveGroups(GpuPartition groups, const ClusterRates& rates)
    : GpuPartition(std::move(groups)),
      m_rates(rates),
      m_near(rates.nearRails),
      m_railsOf(GetShape().GetGpus())
{
    const ClusterShape& shape = GetShape();
    const ServerLayout dealt(shape.gpusPerServer, shape.nicsPerServer);
    for (uint32_t gpu = 0; rates.nearRails.empty() && gpu < shape.gpusPerServer; ++gpu)
    {
        m_near.push_back(dealt.GetNearNics(gpu));
    }
    m_rates.gpuBps = m_rates.gpuBps == 0 ? 3'600'000'000'000 : m_rates.gpuBps;
    m_rates.packetBps = m_rates.packetBps == 0 ? 400'000'000'000 : m_rates.packetBps;
    std::map<GroupSpread, std::size_t> spreads;
    std::map<std::vector<uint16_t>, std::size_t> lists;
    for (uint32_t number = 0; number < GetCount(); ++number)
    {
        const std::vector<uint32_t>& members = GetGroups()[number];
        GroupSpread spread{GetServers(number)};
        for (const std::vector<uint32_t>& here : spread.servers)
        {
            std::map<uint16_t, std::vector<uint32_t>> near; // members by rail
            for (const uint32_t place : here)
            {
                for (const uint16_t rail : GetOwnRails(members[place]))
                {
                    near[rail].push_back(place);
                }
            }
            std::vector<uint16_t> rails;
            MembersByNic& nics = spread.nics.emplace_back();
            for (const auto& [rail, places] : near)
            {
                rails.push_back(rail);
                nics.push_back(places);
            }
            const std::size_t list = Number(lists, m_rails, rails);
            for (const uint32_t place : here)
            {
                m_railsOf[members[place]] = list;
            }
        }
        m_spreadOf.push_back(Number(spreads, m_spreads, spread));
    }
}

std::size_t
CollectiveGroups::GetSpread(uint32_t gpu) const
{
    return m_spreadOf[GetNumber(gpu)];
}

bool
CollectiveGroups::AreOnOneServer() const
{
    return std::all_of(m_spreads.begin(), m_spreads.end(), [](const GroupSpread& spread) {
        return spread.servers.size() == 1;
    });
}

const std::vector<uint16_t>&
CollectiveGroups::GetRails(uint32_t gpu) const
{
    return m_rails[m_railsOf[gpu]];
}

const std::vector<uint16_t>&
CollectiveGroups::GetOwnRails(uint32_t gpu) const
{
    return m_near[GetShape().GetLocal(gpu)];
}

bool
CollectiveGroups::HaveRails() const
{
    return std::none_of(m_rails.begin(), m_rails.end(), [](const auto& list) {
        return list.empty();
    });
}

uint32_t
CollectiveGroups::CountRails() const
{
    return FindLongest(m_rails);
}

uint32_t
CollectiveGroups::CountOwnRails() const
{
    return FindLongest(m_near);
}

} // namespace ns3::rails
