// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_GROUP_TABLE_H
#define GPU_GROUP_TABLE_H

#include "rank-map.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The groups of GPUs that some axes of a rank map make: who is in one with whom.
class GpuGroupTable
{
  public:
    /**
     * \param map all GPUs
     * \param axes along which members of a group differ, the fastest first
     */
    GpuGroupTable(const RankMap& map, const std::vector<std::string>& axes);

    /// \param groups of equal size, which have every GPU once
    explicit GpuGroupTable(std::vector<std::vector<uint32_t>> groups);

    /// \return GPUs of a group
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_groups.front().size());
    }

    /// \return the members of a GPU's group, in their order
    const std::vector<uint32_t>& GetMembers(uint32_t gpu) const;

    /// \return which of its group's members a GPU is
    uint32_t GetPlace(uint32_t gpu) const
    {
        return m_places[gpu];
    }

    /// \return the member that is so many behind a GPU, from the first again behind the last
    uint32_t GetNeighbour(uint32_t gpu, uint32_t distance) const;

    /// \return the members of all groups, by number
    const std::vector<std::vector<uint32_t>>& GetGroups() const;

    /// \return number of a GPU's group
    uint32_t GetNumber(uint32_t gpu) const
    {
        return m_numbers[gpu];
    }

  private:
    std::vector<std::vector<uint32_t>> m_groups;
    std::vector<uint32_t> m_numbers; //!< by GPU
    std::vector<uint32_t> m_places;  //!< by GPU
};

} // namespace ns3::rails

#endif // GPU_GROUP_TABLE_H
