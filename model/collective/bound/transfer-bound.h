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
 * Lower bounds for single transfers, as if each had the cluster to itself, for chains of dependent
 * transfers. Every bound holds for any placement and splitting, by the terms of LowerBound.
 */
class TransferBound
{
  public:
    /**
     * \param shape the cluster
     * \param speeds rates and delays of the cluster
     */
    TransferBound(const ClusterShape& shape, const ClusterSpeeds& speeds);

    /// Traffic of the two ends of a message, the message included.
    struct Volumes
    {
        uint64_t sent{0};      //!< payload from its source GPU to all others
        uint64_t got{0};       //!< payload to its destination GPU from all others
        uint64_t sentWire{0};  //!< wire bytes from its source server to other servers
        uint64_t gotWire{0};   //!< wire bytes to its destination server from other servers
        bool hasInside{false}; //!< part of `sent` or `got` stays inside a server
    };

    /// \return time from the first post to the delivery of all traffic of the two ends
    TimePs GetTime(uint32_t source, uint32_t destination, const Volumes& volumes) const;

    /// \return groups of GPUs that share links
    const ServerCuts& GetCuts() const
    {
        return m_cuts;
    }

    /**
     * \param group of GPUs
     * \param sends whether bytes leave the group, otherwise they enter it
     * \param bytes payload
     * \param hasInside part of the bytes stays inside a server
     * \return time from the first post to the delivery of the last byte
     */
    TimePs GetGroupTime(std::size_t group, bool sends, uint64_t bytes, bool hasInside) const;

    /// \return time from the delivery of a message at another server to the arrival of its ACK
    TimePs GetReplyTime() const;

    /// \return latency of NVLink or PCIe
    TimePs GetCrossingTime() const;

    /// \return time from the post of a message to the delivery of its last byte
    TimePs GetMessageTime(uint32_t source, uint32_t destination, uint64_t bytes) const;

    /// \return time from the first post to the delivery of all bytes for a GPU
    TimePs GetReceivingTime(uint32_t gpu, uint64_t bytes) const;

  private:
    using Wide = boost::multiprecision::uint128_t; // bytes * 8e12 outgrows 64 bits

    TimePs GetCutTime(const Wide& rate, uint64_t bytes) const;
    TimePs GetServerTime(uint32_t server, uint64_t wire) const;

    ClusterShape m_shape;
    FrameFormat m_frames;
    PathTimes m_path;
    ServerCuts m_cuts;
    std::vector<Wide> m_nics; //!< sum of NIC rates by server
};

} // namespace ns3::rails

#endif // TRANSFER_BOUND_H
