// SPDX-License-Identifier: GPL-2.0-only
#include "rank-map.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

RankMap::RankMap(const std::vector<Axis>& axes)
{
    for (const Axis& axis : axes)
    {
        m_places.push_back({axis, m_size});
        m_size *= axis.size;
    }
}

const RankMap::Place&
RankMap::Find(const std::string& axis) const
{
    const auto found = std::find_if(m_places.begin(), m_places.end(), [&axis](const Place& place) {
        return place.axis.name == axis;
    });
    if (found == m_places.end())
    {
        throw std::out_of_range("no axis " + axis);
    }
    return *found;
}

uint32_t
RankMap::GetCoordinate(uint32_t gpu, const std::string& axis) const
{
    const Place& place = Find(axis);
    return gpu / place.stride % place.axis.size;
}

uint32_t
RankMap::GetStride(const std::string& axis) const
{
    return Find(axis).stride;
}

std::vector<std::vector<uint32_t>>
RankMap::ListGroups(const std::vector<std::string>& axes) const
{
    std::vector<uint32_t> offsets{0}; // from the first member of a group
    for (const std::string& axis : axes)
    {
        const Place& place = Find(axis);
        const std::vector<uint32_t> slice = offsets;
        for (uint32_t number = 1; number < place.axis.size; ++number)
        {
            for (const uint32_t offset : slice)
            {
                offsets.push_back(offset + number * place.stride);
            }
        }
    }
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t gpu = 0; gpu < m_size; ++gpu)
    {
        if (std::all_of(axes.begin(), axes.end(), [&](const std::string& axis) {
                return GetCoordinate(gpu, axis) == 0;
            }))
        {
            groups.emplace_back(offsets);
            for (uint32_t& member : groups.back())
            {
                member += gpu;
            }
        }
    }
    return groups;
}

} // namespace ns3::rails
