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
    /// Weight of each port (weighted ECMP): bandwidth of its shortest paths over a common divisor.
    std::vector<uint32_t> weights;
    uint32_t totalWeight{0}; //!< sum of the weights, set by CountWeights()
    bool isEven{true};       //!< whether all weights are equal, set by CountWeights()

    bool operator==(const NextHops& other) const
    {
        return ports == other.ports && weights == other.weights;
    }

    /// Updates `totalWeight` and `isEven`. Next hops of Router::GetNextHops() are up to date.
    void CountWeights();
};

} // namespace ns3::rails

#endif // NEXT_HOPS_H
