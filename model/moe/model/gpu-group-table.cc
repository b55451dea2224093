// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-group-table.h"

#include <utility>

namespace ns3::rails
{

GpuGroupTable::GpuGroupTable(const RankMap& map, const std::vector<std::string>& axes)
    : m_numbers(map.GetSize()),
      m_places(map.GetSize())
{
    std::vector<bool> known(map.GetSize(), false);
    for (uint32_t gpu = 0; gpu < known.size(); ++gpu)
    {
        if (known[gpu])
        {
            continue;
        }
        const std::vector<uint32_t> members = map.GetGroup(gpu, axes);
        for (uint32_t place = 0; place < members.size(); ++place)
        {
            known[members[place]] = true;
            m_numbers[members[place]] = static_cast<uint32_t>(m_groups.size());
            m_places[members[place]] = place;
        }
        m_groups.push_back(members);
    }
}

GpuGroupTable::GpuGroupTable(std::vector<std::vector<uint32_t>> groups)
    : m_groups(std::move(groups)),
      m_numbers(m_groups.size() * GetSize()),
      m_places(m_numbers.size())
{
    for (uint32_t number = 0; number < m_groups.size(); ++number)
    {
        for (uint32_t place = 0; place < GetSize(); ++place)
        {
            m_numbers[m_groups[number][place]] = number;
            m_places[m_groups[number][place]] = place;
        }
    }
}

const std::vector<uint32_t>&
GpuGroupTable::GetMembers(uint32_t gpu) const
{
    return m_groups[m_numbers[gpu]];
}

uint32_t
GpuGroupTable::GetNeighbour(uint32_t gpu, uint32_t distance) const
{
    return GetMembers(gpu)[(m_places[gpu] + distance) % GetSize()];
}

const std::vector<std::vector<uint32_t>>&
GpuGroupTable::GetGroups() const
{
    return m_groups;
}

} // namespace ns3::rails
