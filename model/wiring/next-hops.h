// SPDX-License-Identifier: GPL-2.0-only
#ifndef NEXT_HOPS_H
#define NEXT_HOPS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Ports of a switch that lead to a destination.
struct NextHops
{
    std::vector<uint16_t> ports; //!< each once, in the order of their numbers
    /// Share of each port (weighted ECMP): bandwidth of its shortest paths, without a common
    /// divisor.
    std::vector<uint32_t> weights;
    uint32_t totalWeight{0}; //!< sum of the weights, as CountWeights() found it
    bool isEven{true};       //!< whether all weights are the same, as CountWeights() found it

    bool operator==(const NextHops& other) const
    {
        return ports == other.ports && weights == other.weights;
    }

    /// Brings `totalWeight` and `isEven` up to date: whoever keeps next hops for choosing among
    /// them calls it. The router has done so for those that it gives.
    void CountWeights();
};

} // namespace ns3::rails

#endif // NEXT_HOPS_H
