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

/// Rates and delays of a cluster, input of the lower bound.
struct ClusterSpeeds
{
    std::vector<uint64_t> nicRatesBps{}; //!< R2: by rail, each direction
    /// Best rate by NIC over the run, if some NICs were slower or dead (0) throughout; otherwise
    /// empty.
    std::vector<uint64_t> bestRatesBps{};
    std::shared_ptr<const ServerInterior>
        interior;               //!< of each server; R1 is the rate of its NVLink
    std::vector<PathLink> path; //!< links of the shortest path from NIC to NIC, first to last
    FrameFormat frames;
};

/// Fixed times of the shortest path between two GPUs, without the transfer of the bytes, in
/// picoseconds.
struct PathTimes
{
    TimePs afterSending{0};    //!< from the end of a server's sending to the last arrival
    TimePs beforeReceiving{0}; //!< from the first post to the start of a server's receiving
    TimePs ackReturn{0};       //!< from the last arrival to the arrival of its ACK
    TimePs crossing{0};        //!< latency of NVLink or PCIe
};

/// \return the path times of a cluster
PathTimes FindPathTimes(const ClusterSpeeds& speeds);

/**
 * \param bytes any number
 * \param rate times scale, in bit/s
 * \param scale factor of the rate
 * \return transfer time, rounded down
 */
TimePs GetTransferTime(uint64_t bytes,
                       const boost::multiprecision::uint128_t& rate,
                       uint64_t scale = 1);

/// \return best rate of a NIC over the run
uint64_t GetNicRate(const ClusterSpeeds& speeds, const ClusterShape& shape, uint32_t nic);

/// \return speeds of a wiring, without frames and without rate changes by failures
ClusterSpeeds FindSpeeds(const Wiring& wiring, const FabricTraits& traits);

} // namespace ns3::rails

#endif // BOUND_SPEEDS_H
