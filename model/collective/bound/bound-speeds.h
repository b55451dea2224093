// SPDX-License-Identifier: GPL-2.0-only
#ifndef BOUND_SPEEDS_H
#define BOUND_SPEEDS_H

#include "ns3/cluster-shape.h"
#include "ns3/fabric-traits.h"
#include "ns3/frame-format.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// One link of a path.
struct PathLink
{
    uint64_t rateBps{0};
    TimePs delay{0}; //!< propagation
};

/// What the lower bound has to know about a cluster.
struct ClusterSpeeds
{
    std::vector<uint64_t> nicRatesBps{}; //!< R2: by rail, each direction
    /// The same by NIC, where some were slower, or dead (0), all the time; otherwise empty.
    std::vector<uint64_t> bestRatesBps{};
    std::shared_ptr<const ServerInterior>
        interior;               //!< of each server; R1 is the rate of its NVLink
    std::vector<PathLink> path; //!< links of the shortest path from NIC to NIC, first to last
    FrameFormat frames;
};

/// What the shortest way between two GPUs takes besides the bytes themselves, in picoseconds.
struct PathTimes
{
    TimePs afterSending{0};    //!< from the end of a server's sending to the last arrival
    TimePs beforeReceiving{0}; //!< from the first post to the start of a server's receiving
    TimePs ackReturn{0};       //!< from the last arrival to its ACK's
    TimePs crossing{0};        //!< of NVLink or PCIe
};

/// \return the same of a cluster
PathTimes FindPathTimes(const ClusterSpeeds& speeds);

/**
 * \param bytes any number
 * \param rate times scale, in bit/s
 * \param scale what the rate is multiplied by
 * \return their time, rounded down
 */
TimePs GetTransferTime(uint64_t bytes,
                       const boost::multiprecision::uint128_t& rate,
                       uint64_t scale = 1);

/// \return the rate of a NIC as it was at best
uint64_t GetNicRate(const ClusterSpeeds& speeds, const ClusterShape& shape, uint32_t nic);

/// \return what a wiring says of that: all but the frames, and rates of NICs that failures change
ClusterSpeeds FindSpeeds(const Wiring& wiring, const FabricTraits& traits);

} // namespace ns3::rails

#endif // BOUND_SPEEDS_H
