// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-partition.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

GpuPartition::Groups
LayOut(uint32_t gpus, uint32_t size, GpuPartition::Layout layout)
{
    if (gpus == 0 || size == 0 || gpus % size != 0)
    {
        throw std::logic_error("groups of a size that does not divide the GPUs");
    }
    const bool isStrided = layout == GpuPartition::STRIDED;
    const uint32_t count = gpus / size;
    GpuPartition::Groups groups(count);
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        groups[isStrided ? gpu % count : gpu / size].push_back(gpu);
    }
    return groups;
}

} // namespace

uint32_t
CountPerServer(const MembersByServer& servers)
{
    const std::size_t count = servers.front().size();
    return std::all_of(servers.begin(),
                       servers.end(),
                       [count](const auto& members) { return members.size() == count; })
               ? static_cast<uint32_t>(count)
               : 0;
}

GpuPartition::GpuPartition(const ClusterShape& shape)
    : GpuPartition(shape,
                   shape.GetGpus() == 0 ? Groups()
                                        : LayOut(shape.GetGpus(), shape.GetGpus(), CONTIGUOUS))
{
}

GpuPartition::GpuPartition(const ClusterShape& shape, uint32_t size, Layout layout)
    : GpuPartition(shape, LayOut(shape.GetGpus(), size, layout))
{
}

GpuPartition::GpuPartition(const ClusterShape& shape, Groups groups)
    : m_shape(shape),
      m_groups(std::move(groups)),
      m_servers(m_groups.size()),
      m_places(shape.GetGpus())
{
    constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
    std::vector<Place> latest(shape.servers, Place{kNone, 0, 0, 0}); // by server of the cluster
    for (uint32_t number = 0; number < m_groups.size(); ++number)
    {
        MembersByServer& servers = m_servers[number];
        for (uint32_t place = 0; place < m_groups[number].size(); ++place)
        {
            const uint32_t gpu = m_groups[number][place];
            Place& known = latest[shape.GetServer(gpu)];
            if (known.group != number)
            {
                known = {number, 0, static_cast<uint32_t>(servers.size()), 0};
                servers.emplace_back();
            }
            std::vector<uint32_t>& here = servers[known.server];
            m_places[gpu] = {number, place, known.server, static_cast<uint32_t>(here.size())};
            here.push_back(place);
        }
    }
}

uint64_t
GpuPartition::CountPairsApart(uint32_t group) const
{
    uint64_t apart = uint64_t{GetSize()} * GetSize();
    for (const std::vector<uint32_t>& here : m_servers[group])
    {
        apart -= uint64_t{here.size()} * here.size();
    }
    return apart;
}

uint32_t
GpuPartition::CountPerServer() const
{
    const uint32_t count = rails::CountPerServer(m_servers.front());
    return std::all_of(m_servers.begin(),
                       m_servers.end(),
                       [count](const MembersByServer& servers) {
                           return rails::CountPerServer(servers) == count;
                       })
               ? count
               : 0;
}

bool
GpuPartition::AreEven() const
{
    return CountPerServer() > 0 &&
           std::all_of(m_groups.begin(), m_groups.end(), [this](const auto& gpus) {
               return std::is_sorted(gpus.begin(),
                                     gpus.end(),
                                     [this](uint32_t one, uint32_t other) {
                                         return GetServer(one) < GetServer(other);
                                     });
           });
}

uint32_t
GpuPartition::GetRelay(uint32_t gpu, uint32_t server) const
{
    const Place& own = m_places[gpu];
    const std::vector<uint32_t>& there = m_servers[own.group][server];
    return m_groups[own.group][there[own.onServer % there.size()]];
}

const std::vector<uint32_t>&
GpuPartition::GetServed(uint32_t gpu) const
{
    if (m_served.empty())
    {
        m_served.resize(m_places.size());
        for (const std::vector<uint32_t>& members : m_groups)
        {
            for (const uint32_t member : members)
            {
                for (uint32_t server = 0; server < CountServers(GetNumber(member)); ++server)
                {
                    if (server != GetServer(member))
                    {
                        m_served[GetRelay(member, server)].push_back(member);
                    }
                }
            }
        }
    }
    return m_served[gpu];
}

} // namespace ns3::rails
