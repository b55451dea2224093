// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_BUNDLES_H
#define PATH_BUNDLES_H

#include "destination-spread.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Partition of the directions of links into bundles. Two directions are in one bundle when they
 * have the same share of the traffic between any two edge switches. So the solver counts a bundle
 * as one constraint, however many links it has.
 */
class PathBundles
{
  public:
    /// Makes one bundle for each direction, with the number of the direction.
    /// \param directions number of directions
    explicit PathBundles(uint32_t directions);

    /**
     * Makes one bundle for each direction of the link of a NIC, with the number of the direction;
     * the other bundles follow in the order of their first directions.
     * \param wiring the fabric
     * \param spread shares of the ports of its switches
     */
    PathBundles(const Wiring& wiring, DestinationSpread& spread);

    /// \return the number of bundles
    uint32_t GetCount() const;

    /// \return the directions of a bundle, in the order of their numbers
    const std::vector<uint32_t>& GetDirections(uint32_t bundle) const;

    /// \return the number of the bundle of a direction
    uint32_t Find(uint32_t direction) const;

  private:
    void Add(uint32_t direction, uint32_t bundle);

    std::vector<std::vector<uint32_t>> m_directions; // by bundle
    std::vector<uint32_t> m_bundles;                 // by direction
};

} // namespace ns3::rails

#endif // PATH_BUNDLES_H
