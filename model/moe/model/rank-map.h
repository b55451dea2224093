// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_MAP_H
#define RANK_MAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// GPUs on a grid of parallel dimensions: GPU numbers count along the first dimension first.
class RankMap
{
  public:
    /// A dimension of the grid.
    struct Axis
    {
        std::string name; //!< "tp"
        uint32_t size;
    };

    /// \param axes the fastest first
    explicit RankMap(const std::vector<Axis>& axes);

    /// \return number of GPUs
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// \param axis one of the grid
    /// \return coordinate of a GPU along an axis
    /// \throws std::out_of_range for another axis
    uint32_t GetCoordinate(uint32_t gpu, const std::string& axis) const;

    /// \return difference between the numbers of neighbours along an axis
    uint32_t GetStride(const std::string& axis) const;

    /**
     * \param axes names of axes of the grid, the fastest first
     * \return groups of GPUs that differ only along these axes, the first axis fastest; groups are
     *     ordered by their first GPUs
     */
    std::vector<std::vector<uint32_t>> ListGroups(const std::vector<std::string>& axes) const;

  private:
    struct Place
    {
        Axis axis;
        uint32_t stride;
    };

    const Place& Find(const std::string& axis) const;

    std::vector<Place> m_places;
    uint32_t m_size{1};
};

} // namespace ns3::rails

#endif // RANK_MAP_H
