// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_BUNDLES_H
#define PATH_BUNDLES_H

#include "destination-spread.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Directions of cables in bundles: those of a bundle have the same share of whatever goes from any
 * edge switch to any other, and those of different bundles have not. So a bundle counts as one
 * resource, however many cables it has.
 */
class PathBundles
{
  public:
    /// Every direction is a bundle by itself, of its own number.
    /// \param directions how many there are
    explicit PathBundles(uint32_t directions);

    /**
     * Both directions of the cable of a NIC are bundles by themselves, of their own numbers; the
     * others follow in the order of their first directions.
     * \param wiring the fabric
     * \param spread how its switches spread what they send on
     */
    PathBundles(const Wiring& wiring, DestinationSpread& spread);

    /// \return how many bundles there are
    uint32_t GetCount() const;

    /// \return the directions of a bundle, in the order of their numbers
    const std::vector<uint32_t>& GetDirections(uint32_t bundle) const;

    /// \return the number of the bundle that a direction is in
    uint32_t Find(uint32_t direction) const;

  private:
    void Add(uint32_t direction, uint32_t bundle);

    std::vector<std::vector<uint32_t>> m_directions; // by bundle
    std::vector<uint32_t> m_bundles;                 // by direction
};

} // namespace ns3::rails

#endif // PATH_BUNDLES_H
