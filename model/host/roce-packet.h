// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROCE_PACKET_H
#define ROCE_PACKET_H

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/rails-frame.h"

#include <cstdint>

namespace ns3::rails
{

/// Properties of a frame for a packet capture.
struct RoceFrameInfo
{
    FrameKind kind{FrameKind::Data};
    uint32_t bytes{0};          //!< length on the link with headers and FCS
    uint32_t sourceNic{0};      //!< number of the sending NIC
    uint32_t destinationNic{0}; //!< number of the receiving NIC
    uint32_t queuePair{0};      //!< number of the queue pair at the destination; lower 24 bits used
    uint64_t psn{0};        //!< data: its number; ACK: the last one covered; NAK: the missing one
    uint32_t payload{0};    //!< data: message bytes carried, at most 65,491
    bool first{true};       //!< data: first of its message
    bool last{true};        //!< data: last of its message
    uint32_t entropy{0};    //!< of the path; the lower 14 bits go into the UDP source port
    bool marked{false};     //!< congestion experienced (CE)
    uint8_t dscp{0};        //!< differentiated services code point, 0 to 63
    uint8_t pausedClass{0}; //!< pause: priority to pause, 0 to 7
    uint16_t quanta{0};     //!< pause: time in units of 512 bit times
};

/// \param frame on the link of a NIC
/// \param mtu payload of a full data frame
RoceFrameInfo DescribeForCapture(const Frame& frame, uint64_t mtu);

/// \return the locally administered MAC address of a NIC
Mac48Address GetNicMacAddress(uint32_t nic);

/// \return the IPv4 address of a NIC, in 10.0.0.0/8
Ipv4Address GetNicIpv4Address(uint32_t nic);

/**
 * Builds the bytes of a frame for a capture (InfiniBand specification, annex A17; IEEE 802.1Q for
 * pause frames): Ethernet, IPv4, UDP port 4791, BTH, then AETH or payload, ICRC. Captures have no
 * FCS, so a packet is 4 bytes shorter than the frame.
 *
 * Messages are RDMA SENDs, as their frames have no further header: a data frame of the default
 * length is exact. Payload is zeros and not padded to 4 bytes. A frame longer than its content gets
 * trailing zeros. A frame too short for its content is extended: an ACK takes 66 bytes with FCS and
 * a CNP 78, whatever the simulated length. The PSN is the lower 24 bits of the simulated PSN.
 * Wireshark tries RPC-over-RDMA on the payload of SENDs and calls payloads of fewer than 16 bytes
 * malformed, unless that protocol is disabled.
 */
Ptr<Packet> CreateRocePacket(const RoceFrameInfo& info);

} // namespace ns3::rails

#endif // ROCE_PACKET_H
