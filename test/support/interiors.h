// SPDX-License-Identifier: GPL-2.0-only
#ifndef INTERIORS_H
#define INTERIORS_H

#include "ns3/nvswitch-intra-topology.h"
#include "ns3/rails-units.h"
#include "ns3/server-interior.h"

#include <cstdint>
#include <memory>

namespace ns3::rails::test
{

/// \return a server with NVLink between its GPUs, and a NIC for each GPU
inline std::shared_ptr<const ServerInterior>
MakeNvswitch(uint32_t gpus,
             uint64_t rateBps = 3'600'000'000'000,
             TimePs latency = 25'000,
             uint64_t segmentBytes = 16384)
{
    return CreateObject<NvswitchIntraTopology>()->Lay({gpus, gpus},
                                                      {rateBps, latency, segmentBytes});
}

} // namespace ns3::rails::test

#endif // INTERIORS_H
