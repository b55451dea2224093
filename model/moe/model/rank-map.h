// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_MAP_H
#define RANK_MAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// GPUs on a grid of parallel dimensions: the first dimension varies fastest with their number.
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

    /// \return how many GPUs there are
    uint32_t GetSize() const;

    /// \return where a GPU is along an axis. \param axis one of the grid, else std::out_of_range
    uint32_t GetCoordinate(uint32_t gpu, const std::string& axis) const;

    /// \return by how much GPUs differ that are neighbours along an axis
    uint32_t GetStride(const std::string& axis) const;

    /**
     * \param gpu one of the grid
     * \param axes names of some of its axes, the fastest first
     * \return the GPUs that differ from it along these alone, the first of the axes fastest; it is
     *     one of them
     */
    std::vector<uint32_t> GetGroup(uint32_t gpu, const std::vector<std::string>& axes) const;

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
