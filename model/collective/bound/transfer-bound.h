// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRANSFER_BOUND_H
#define TRANSFER_BOUND_H

#include "bound-speeds.h"
#include "server-cuts.h"

#include "ns3/cluster-shape.h"
#include "ns3/rails-units.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * The time that single transfers take at the least, as if each had the cluster for itself: bounds
 * for what waits for them. Every time is a true bound for any placement and any splitting, by the
 * terms of LowerBound.
 */
class TransferBound
{
  public:
    /**
     * \param shape the cluster
     * \param speeds how fast it is
     */
    TransferBound(const ClusterShape& shape, const ClusterSpeeds& speeds);

    /// What the two ends of a message have to move together with it.
    struct Volumes
    {
        uint64_t sent{0};      //!< payload of its GPU, for all others
        uint64_t got{0};       //!< payload for its destination, from all others
        uint64_t sentWire{0};  //!< of its server, for other servers, on the wire
        uint64_t gotWire{0};   //!< of its destination's server, from other servers
        bool hasInside{false}; //!< a part of `sent` or `got` stays inside a server
    };

    /// \return from the first post to the delivery of the last byte of what the ends of a message
    /// have to move
    TimePs GetTime(uint32_t source, uint32_t destination, const Volumes& volumes) const;

    /// \return the groups of GPUs that share links
    const ServerCuts& GetCuts() const;

    /**
     * \param group of GPUs
     * \param sends whether bytes leave it, otherwise they reach it
     * \param bytes payload
     * \param hasInside a part of them stays inside a server
     * \return from the first post to the delivery of the last byte
     */
    TimePs GetGroupTime(std::size_t group, bool sends, uint64_t bytes, bool hasInside) const;

    /// \return from the delivery of a message to another server to the end of its ACK's way back
    TimePs GetReplyTime() const;

    /// \return the latency of a crossing of NVLink or PCIe
    TimePs GetCrossingTime() const;

    /// \return from the post of a message to the delivery of its last byte
    TimePs GetMessageTime(uint32_t source, uint32_t destination, uint64_t bytes) const;

    /// \return from the first of some posts to the delivery of the last byte of all of them
    TimePs GetReceivingTime(uint32_t gpu, uint64_t bytes) const;

  private:
    using Wide = boost::multiprecision::uint128_t; // bytes * 8e12 outgrows 64 bits

    TimePs GetCutTime(const Wide& rate, uint64_t bytes) const;
    TimePs GetServerTime(uint32_t server, uint64_t wire) const;

    ClusterShape m_shape;
    FrameFormat m_frames;
    PathTimes m_path;
    ServerCuts m_cuts;
    std::vector<Wide> m_nics; //!< rates of a server's NICs together, by server
};

} // namespace ns3::rails

#endif // TRANSFER_BOUND_H
