// SPDX-License-Identifier: GPL-2.0-only
#include "collective-groups.h"

#include "ns3/server-layout.h"

#include <algorithm>
#include <map>

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

std::vector<std::vector<uint32_t>>
List(const GpuGroups& groups)
{
    std::vector<std::vector<uint32_t>> lists;
    for (uint32_t number = 0; number < groups.GetCount(); ++number)
    {
        lists.push_back(groups.Get(number).GetGpus());
    }
    return lists;
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

CollectiveGroups::CollectiveGroups(const ClusterShape& shape,
                                   const ClusterRates& rates,
                                   const std::vector<std::vector<uint32_t>>& groups)
    : m_shape(shape),
      m_rates(rates),
      m_groups(groups),
      m_numbers(shape.GetGpus()),
      m_places(shape.GetGpus()),
      m_near(rates.nearRails),
      m_railsOf(shape.GetGpus())
{
    const ServerLayout dealt(shape.gpusPerServer, shape.nicsPerServer);
    for (uint32_t gpu = 0; rates.nearRails.empty() && gpu < shape.gpusPerServer; ++gpu)
    {
        m_near.push_back(dealt.GetNearNics(gpu));
    }
    m_rates.gpuBps = m_rates.gpuBps == 0 ? 3'600'000'000'000 : m_rates.gpuBps;
    m_rates.packetBps = m_rates.packetBps == 0 ? 400'000'000'000 : m_rates.packetBps;
    std::map<GroupSpread, std::size_t> spreads;
    std::map<std::vector<uint16_t>, std::size_t> lists;
    for (uint32_t number = 0; number < groups.size(); ++number)
    {
        const std::vector<uint32_t>& members = groups[number];
        GroupSpread spread{DivideByServer(shape, members)};
        for (uint32_t place = 0; place < members.size(); ++place)
        {
            m_numbers[members[place]] = number;
            m_places[members[place]] = place;
        }
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

CollectiveGroups::CollectiveGroups(const GpuGroups& groups, const ClusterRates& rates)
    : CollectiveGroups(groups.GetShape(), rates, List(groups))
{
}

const ClusterShape&
CollectiveGroups::GetShape() const
{
    return m_shape;
}

const ClusterRates&
CollectiveGroups::GetRates() const
{
    return m_rates;
}

const std::vector<std::vector<uint32_t>>&
CollectiveGroups::GetGroups() const
{
    return m_groups;
}

uint32_t
CollectiveGroups::GetSize() const
{
    return static_cast<uint32_t>(m_groups.front().size());
}

const std::vector<uint32_t>&
CollectiveGroups::GetMembers(uint32_t gpu) const
{
    return m_groups[m_numbers[gpu]];
}

uint32_t
CollectiveGroups::GetNumber(uint32_t gpu) const
{
    return m_numbers[gpu];
}

uint32_t
CollectiveGroups::GetPlace(uint32_t gpu) const
{
    return m_places[gpu];
}

const std::vector<GroupSpread>&
CollectiveGroups::GetSpreads() const
{
    return m_spreads;
}

std::size_t
CollectiveGroups::GetSpread(uint32_t gpu) const
{
    return m_spreadOf[m_numbers[gpu]];
}

bool
CollectiveGroups::AreOnOneServer() const
{
    return std::all_of(m_spreads.begin(), m_spreads.end(), [](const GroupSpread& spread) {
        return spread.servers.size() == 1;
    });
}

uint32_t
CollectiveGroups::CountPerServer() const
{
    const uint32_t count = rails::CountPerServer(m_spreads.front().servers);
    return std::all_of(m_spreads.begin(),
                       m_spreads.end(),
                       [count](const GroupSpread& spread) {
                           return rails::CountPerServer(spread.servers) == count;
                       })
               ? count
               : 0;
}

const std::vector<uint16_t>&
CollectiveGroups::GetRails(uint32_t gpu) const
{
    return m_rails[m_railsOf[gpu]];
}

const std::vector<uint16_t>&
CollectiveGroups::GetOwnRails(uint32_t gpu) const
{
    return m_near[m_shape.GetLocal(gpu)];
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
