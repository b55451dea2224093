// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_GROUPS_H
#define GPU_GROUPS_H

#include "ns3/cluster-shape.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Some GPUs of a cluster, numbered among themselves as its members.
class GpuGroup
{
  public:
    /**
     * \param shape the cluster
     * \param first GPU that is member 0
     * \param stride how far one member's GPU is from the next one's
     * \param size how many members
     */
    GpuGroup(const ClusterShape& shape, uint32_t first, uint32_t stride, uint32_t size)
        : m_shape(shape),
          m_first(first),
          m_stride(stride),
          m_size(size)
    {
    }

    uint32_t GetSize() const
    {
        return m_size;
    }

    /// \return the number of a member's GPU in the cluster; it grows with the member's
    uint32_t GetGpu(uint32_t member) const
    {
        return m_first + member * m_stride;
    }

    /// \return the GPUs of all members
    std::vector<uint32_t> GetGpus() const;

    /// \return true when the GPUs of two members are in the same server
    bool ShareServer(uint32_t one, uint32_t other) const
    {
        return m_shape.GetServer(GetGpu(one)) == m_shape.GetServer(GetGpu(other));
    }

    /// \return how many servers it has members in
    uint32_t CountServers() const;

    /// \return how many ordered pairs of members are in different servers
    uint64_t CountPairsApart() const;

  private:
    ClusterShape m_shape;
    uint32_t m_first;
    uint32_t m_stride;
    uint32_t m_size;
};

/**
 * All GPUs of a cluster, in groups of one size: each GPU has something for GPUs of its own group
 * only, as in expert parallelism.
 */
class GpuGroups
{
  public:
    /// Which GPUs are in a group.
    enum Layout
    {
        CONTIGUOUS, //!< group i has those from i * size on
        STRIDED     //!< member j of group i is GPU i + j * GPUs / size
    };

    /**
     * All of them in one group. Converts, as whoever speaks of a cluster alone means this.
     * \param shape the cluster
     */
    GpuGroups(const ClusterShape& shape);

    /**
     * \param shape the cluster
     * \param size GPUs of a group, a divisor of those of the cluster; anything else throws
     * std::logic_error
     * \param layout which GPUs are in a group
     */
    GpuGroups(const ClusterShape& shape, uint32_t size, Layout layout);

    const ClusterShape& GetShape() const;

    /// \return how many groups there are
    uint32_t GetCount() const;

    /// \return how many GPUs are in a group
    uint32_t GetSize() const;

    /// \param number from 0
    GpuGroup Get(uint32_t number) const;

    /// \return whose GPUs are as many as GetSize(), for messages: "the topology" or "a group"
    const char* GetOwner() const;

  private:
    ClusterShape m_shape;
    uint32_t m_size;
    Layout m_layout;
};

} // namespace ns3::rails

#endif // GPU_GROUPS_H
