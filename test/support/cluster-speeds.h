// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_SPEEDS_H
#define CLUSTER_SPEEDS_H

#include "interiors.h"

#include "ns3/lower-bound.h"

#include <cstdint>
#include <vector>

namespace ns3::rails::test
{

/// \return a NIC of 400 Gbps for each GPU, all below one leaf, and NVLink of 3600 Gbps
inline ClusterSpeeds
MakeSpeeds(uint32_t gpus)
{
    constexpr uint64_t gbps = 1'000'000'000;
    const PathLink link{400 * gbps, 500'000};
    return {std::vector<uint64_t>(gpus, link.rateBps),
            {},
            MakeNvswitch(gpus, 3600 * gbps),
            {link, link},
            {}};
}

} // namespace ns3::rails::test

#endif // CLUSTER_SPEEDS_H
