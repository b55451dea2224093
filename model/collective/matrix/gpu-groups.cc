// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-groups.h"

#include <stdexcept>

namespace ns3::rails
{

std::vector<uint32_t>
GpuGroup::GetGpus() const
{
    std::vector<uint32_t> gpus;
    for (uint32_t member = 0; member < m_size; ++member)
    {
        gpus.push_back(GetGpu(member));
    }
    return gpus;
}

uint32_t
GpuGroup::CountServers() const
{
    uint32_t servers = 0;
    for (uint32_t member = 0; member < m_size; ++member)
    {
        servers += member > 0 && ShareServer(member - 1, member) ? 0 : 1;
    }
    return servers;
}

uint64_t
GpuGroup::CountPairsApart() const
{
    uint64_t apart = uint64_t{m_size} * m_size;
    uint64_t together = 0; // members so far of the server of the latest one
    for (uint32_t member = 0; member < m_size; ++member)
    {
        // Members of one server follow each other.
        together = member > 0 && ShareServer(member - 1, member) ? together + 1 : 1;
        apart -= 2 * together - 1; // pairs with those before, both ways, and with itself
    }
    return apart;
}

GpuGroups::GpuGroups(const ClusterShape& shape)
    : m_shape(shape),
      m_size(shape.GetGpus()),
      m_layout(CONTIGUOUS)
{
}

GpuGroups::GpuGroups(const ClusterShape& shape, uint32_t size, Layout layout)
    : m_shape(shape),
      m_size(size),
      m_layout(layout)
{
    if (size == 0 || shape.GetGpus() % size != 0)
    {
        throw std::logic_error("groups of a size that does not divide the GPUs");
    }
}

const ClusterShape&
GpuGroups::GetShape() const
{
    return m_shape;
}

uint32_t
GpuGroups::GetCount() const
{
    return m_size == 0 ? 0 : m_shape.GetGpus() / m_size;
}

uint32_t
GpuGroups::GetSize() const
{
    return m_size;
}

GpuGroup
GpuGroups::Get(uint32_t number) const
{
    const bool isStrided = m_layout == STRIDED;
    return {m_shape, isStrided ? number : number * m_size, isStrided ? GetCount() : 1, m_size};
}

const char*
GpuGroups::GetOwner() const
{
    return GetCount() == 1 ? "the topology" : "a group";
}

} // namespace ns3::rails
