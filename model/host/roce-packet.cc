// SPDX-License-Identifier: GPL-2.0-only
#include "roce-packet.h"

#include "message-state.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <boost/endian/buffers.hpp>
#include <type_traits>
#include <vector>

namespace ns3::rails
{

namespace
{

using boost::endian::big_uint16_buf_t;
using boost::endian::big_uint24_buf_t;
using boost::endian::big_uint32_buf_t;
using boost::endian::big_uint8_buf_t;
using boost::endian::little_uint32_buf_t;

using Bytes = std::vector<uint8_t>;

// Queue pairs 0 and 1 are for management (InfiniBand specification, section 3.5.3).
constexpr uint32_t kFirstQueuePair = 2;

constexpr uint32_t kFcsBytes = 4;
constexpr uint16_t kRocePort = 4791;
constexpr uint16_t kFirstDynamicPort = 49152;

constexpr uint8_t kEct0 = 2;
constexpr uint8_t kCongestionExperienced = 3;

// Opcodes of the reliable connection.
constexpr uint8_t kSendFirst = 0x00;
constexpr uint8_t kSendMiddle = 0x01;
constexpr uint8_t kSendLast = 0x02;
constexpr uint8_t kSendOnly = 0x04;
constexpr uint8_t kAcknowledge = 0x11;
constexpr uint8_t kCnp = 0x81;

constexpr uint8_t kAckWithoutCredits = 0x1f;
constexpr uint8_t kNakSequenceError = 0x60;
constexpr uint8_t kBecn = 0x40;
constexpr uint8_t kMigrated = 0x40;
constexpr uint8_t kAckRequest = 0x80;
constexpr uint32_t kCnpReservedBytes = 16;

struct EthernetFields
{
    uint8_t destination[6];
    uint8_t source[6];
    big_uint16_buf_t type;
};

struct Ipv4Fields
{
    big_uint8_buf_t versionAndLength;
    big_uint8_buf_t trafficClass;
    big_uint16_buf_t length;
    big_uint16_buf_t identification;
    big_uint16_buf_t fragment;
    big_uint8_buf_t timeToLive;
    big_uint8_buf_t protocol;
    big_uint16_buf_t checksum;
    big_uint32_buf_t source;
    big_uint32_buf_t destination;
};

struct UdpFields
{
    big_uint16_buf_t sourcePort;
    big_uint16_buf_t destinationPort;
    big_uint16_buf_t length;
    big_uint16_buf_t checksum;
};

/// Base transport header.
struct BthFields
{
    big_uint8_buf_t opcode;
    big_uint8_buf_t flags;
    big_uint16_buf_t partition;
    big_uint8_buf_t congestion;
    big_uint24_buf_t queuePair;
    big_uint8_buf_t ackRequest;
    big_uint24_buf_t psn;
};

/// ACK extended transport header.
struct AethFields
{
    big_uint8_buf_t syndrome;
    big_uint24_buf_t messages;
};

struct PauseFields
{
    big_uint16_buf_t opcode;
    big_uint16_buf_t classes;
    big_uint16_buf_t quanta[8];
};

static_assert(sizeof(EthernetFields) == 14 && sizeof(Ipv4Fields) == 20 && sizeof(UdpFields) == 8 &&
              sizeof(BthFields) == 12 && sizeof(AethFields) == 4 && sizeof(PauseFields) == 20);

template <typename T>
void
Append(Bytes& bytes, const T& fields)
{
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) == 1);
    const auto* from = reinterpret_cast<const uint8_t*>(&fields);
    bytes.insert(bytes.end(), from, from + sizeof(T));
}

EthernetFields
MakeEthernet(Mac48Address source, Mac48Address destination, uint16_t type)
{
    EthernetFields ethernet{};
    source.CopyTo(ethernet.source);
    destination.CopyTo(ethernet.destination);
    ethernet.type = type;
    return ethernet;
}

/// \return the Internet checksum of an IPv4 header whose checksum field is zero
uint16_t
GetChecksum(const Ipv4Fields& ip)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(&ip);
    uint32_t sum = 0;
    for (std::size_t i = 0; i < sizeof(ip); i += 2)
    {
        sum += bytes[i] * 256U + bytes[i + 1];
    }
    while (sum > 0xffff)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<uint16_t>(~sum);
}

Ipv4Fields
MakeIpv4(const RoceFrameInfo& info, std::size_t length)
{
    const uint8_t unmarked = info.kind == FrameKind::Data ? kEct0 : 0;
    const uint8_t ecn = info.marked ? kCongestionExperienced : unmarked;
    Ipv4Fields ip{};
    ip.versionAndLength = 0x45;
    ip.trafficClass = static_cast<uint8_t>(info.dscp << 2 | ecn);
    ip.length = static_cast<uint16_t>(length);
    ip.fragment = 0x4000; // do not fragment
    ip.timeToLive = 64;
    ip.protocol = 17;
    ip.source = GetNicIpv4Address(info.sourceNic).Get();
    ip.destination = GetNicIpv4Address(info.destinationNic).Get();
    ip.checksum = GetChecksum(ip);
    return ip;
}

UdpFields
MakeUdp(const RoceFrameInfo& info, std::size_t length)
{
    UdpFields udp{};
    udp.sourcePort = static_cast<uint16_t>(kFirstDynamicPort | (info.entropy & 0x3fff));
    udp.destinationPort = kRocePort;
    udp.length = static_cast<uint16_t>(length);
    return udp;
}

uint8_t
GetOpcode(const RoceFrameInfo& info)
{
    switch (info.kind)
    {
    case FrameKind::Ack:
    case FrameKind::Nak:
        return kAcknowledge;
    case FrameKind::Cnp:
        return kCnp;
    default:
        break;
    }
    if (info.first)
    {
        return info.last ? kSendOnly : kSendFirst;
    }
    return info.last ? kSendLast : kSendMiddle;
}

BthFields
MakeBth(const RoceFrameInfo& info)
{
    BthFields bth{};
    bth.opcode = GetOpcode(info);
    bth.flags = kMigrated;
    bth.partition = 0xffff;
    bth.congestion = info.kind == FrameKind::Cnp ? kBecn : 0;
    bth.queuePair = info.queuePair & 0xffffff;
    bth.ackRequest = info.kind == FrameKind::Data ? kAckRequest : 0;
    bth.psn = info.kind == FrameKind::Cnp ? 0 : info.psn & 0xffffff;
    return bth;
}

/// \return the bytes after the BTH, without ICRC
Bytes
MakeContent(const RoceFrameInfo& info)
{
    switch (info.kind)
    {
    case FrameKind::Ack:
    case FrameKind::Nak: {
        AethFields aeth{};
        aeth.syndrome = info.kind == FrameKind::Ack ? kAckWithoutCredits : kNakSequenceError;
        Bytes content;
        Append(content, aeth);
        return content;
    }
    case FrameKind::Cnp:
        return Bytes(kCnpReservedBytes);
    default:
        return Bytes(info.payload);
    }
}

/// \return the invariant CRC: over the frame from IP on, with all fields that switches may change
/// set to ones
uint32_t
GetInvariantCrc(Ipv4Fields ip, UdpFields udp, BthFields bth, const Bytes& content)
{
    ip.trafficClass = 0xff;
    ip.timeToLive = 0xff;
    ip.checksum = 0xffff;
    udp.checksum = 0xffff;
    bth.congestion = 0xff;
    Bytes covered(8, 0xff); // in place of InfiniBand's local route header
    Append(covered, ip);
    Append(covered, udp);
    Append(covered, bth);
    boost::crc_32_type crc;
    crc.process_bytes(covered.data(), covered.size());
    crc.process_bytes(content.data(), content.size());
    return crc.checksum();
}

Bytes
MakePauseBytes(const RoceFrameInfo& info)
{
    PauseFields pause{};
    pause.opcode = 0x0101;
    pause.classes = static_cast<uint16_t>(1U << (info.pausedClass & 7));
    pause.quanta[info.pausedClass & 7] = info.quanta;
    Bytes bytes;
    Append(
        bytes,
        MakeEthernet(GetNicMacAddress(info.sourceNic), Mac48Address("01:80:c2:00:00:01"), 0x8808));
    Append(bytes, pause);
    return bytes;
}

Bytes
MakeRoceBytes(const RoceFrameInfo& info)
{
    const Bytes content = MakeContent(info);
    const BthFields bth = MakeBth(info);
    const std::size_t udpLength =
        sizeof(UdpFields) + sizeof(BthFields) + content.size() + sizeof(little_uint32_buf_t);
    const UdpFields udp = MakeUdp(info, udpLength);
    const Ipv4Fields ip = MakeIpv4(info, sizeof(Ipv4Fields) + udpLength);
    Bytes bytes;
    Append(bytes,
           MakeEthernet(GetNicMacAddress(info.sourceNic),
                        GetNicMacAddress(info.destinationNic),
                        0x0800));
    Append(bytes, ip);
    Append(bytes, udp);
    Append(bytes, bth);
    bytes.insert(bytes.end(), content.begin(), content.end());
    Append(bytes, little_uint32_buf_t(GetInvariantCrc(ip, udp, bth, content)));
    return bytes;
}

} // namespace

RoceFrameInfo
DescribeForCapture(const Frame& frame, uint64_t mtu)
{
    RoceFrameInfo info;
    info.kind = frame.kind;
    info.bytes = frame.bytes;
    info.sourceNic = frame.sourceNic;
    info.destinationNic = frame.destinationNic;
    info.queuePair = frame.queuePair + kFirstQueuePair;
    info.entropy = frame.entropy;
    info.marked = frame.marked;
    info.payload = frame.payload;
    info.psn = frame.psn;
    if (frame.kind == FrameKind::Data)
    {
        const uint64_t offset = (frame.psn - frame.transfer->firstPsn) * mtu;
        info.first = offset == 0;
        info.last = offset + frame.payload == frame.transfer->bytes;
    }
    else if (frame.kind == FrameKind::Ack)
    {
        // An ACK names the last PSN that it covers.
        info.psn = frame.cumulative - 1;
    }
    else if (frame.kind == FrameKind::Nak)
    {
        info.psn = frame.cumulative;
    }
    else if (frame.kind == FrameKind::Pause)
    {
        info.pausedClass = frame.trafficClass;
        info.quanta = static_cast<uint16_t>(frame.quanta);
    }
    return info;
}

Mac48Address
GetNicMacAddress(uint32_t nic)
{
    const big_uint32_buf_t number(nic);
    uint8_t bytes[6] = {0x02, 0x00};
    std::copy_n(number.data(), 4, bytes + 2);
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

Ipv4Address
GetNicIpv4Address(uint32_t nic)
{
    return Ipv4Address(0x0a000000U | ((nic + 1) & 0xffffff));
}

Ptr<Packet>
CreateRocePacket(const RoceFrameInfo& info)
{
    Bytes bytes = info.kind == FrameKind::Pause ? MakePauseBytes(info) : MakeRoceBytes(info);
    const std::size_t captured = info.bytes > kFcsBytes ? info.bytes - kFcsBytes : 0;
    bytes.resize(std::max(bytes.size(), captured));
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

} // namespace ns3::rails
