// SPDX-License-Identifier: GPL-2.0-only
#include "rails-transport.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-port.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/word-accessor.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Transport);

TypeId
Transport::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::Transport").SetParent<Object>(),
                         "What the queue pairs of all NICs have in common: frames, congestion "
                         "control, loss recovery.")
            .SetGroupName("Rails")
            .AddConstructor<Transport>()
            .AddAttribute("Mtu",
                          "Payload of a full data frame.",
                          ByteSizeValue(ByteSize(4096)),
                          MakeByteSizeAccessor(&Transport::m_mtu),
                          MakeByteRange(64, 65536))
            .AddAttribute("DataHeader",
                          "Headers and checksums of a data frame: Ethernet 14, IPv4 20, UDP 8, "
                          "BTH 12, ICRC 4, FCS 4. (InfiniBand specification, annex A17)",
                          ByteSizeValue(ByteSize(62)),
                          MakeByteSizeAccessor(&Transport::m_dataHeader),
                          MakeByteRange(0, 1024))
            .AddAttribute("AckBytes",
                          "Length of an ACK, NAK or CNP frame.",
                          ByteSizeValue(ByteSize(64)),
                          MakeByteSizeAccessor(&Transport::m_ackBytes),
                          MakeByteRange(1, 1024))
            .AddAttribute(
                "WireOverhead",
                "Preamble and gap of every frame: on the wire, in no buffer. (IEEE 802.3: "
                "8 and 12 bytes)",
                ByteSizeValue(ByteSize(Port::kWireOverhead)),
                MakeByteSizeAccessor(&Transport::m_wireOverhead),
                MakeByteRange(0, 1024))
            .AddAttribute(
                "QpPer",
                "Which messages share a queue pair, and so go in order: those of a pair of NICs, "
                "those of a pair of GPUs on a pair of NICs, as NCCL's connections do, or none.",
                EnumValue(NIC_PAIR),
                MakeWordAccessor(&Transport::m_queuePairPer),
                MakeEnumChecker(NIC_PAIR, "nic-pair", GPU_PAIR, "gpu-pair", MESSAGE, "message"))
            .AddAttribute("AckClass",
                          "Class that ACKs and NAKs travel in: control goes ahead of data and is "
                          "never paused, in data they queue with it. (data: arXiv 2507.21372)",
                          EnumValue(ACKS_IN_CONTROL),
                          MakeWordAccessor(&Transport::m_ackClass),
                          MakeEnumChecker(ACKS_IN_CONTROL, "control", ACKS_IN_DATA, "data"))
            .AddAttribute("Echo",
                          "Whose congestion mark an ACK brings to the sender: that of the data "
                          "frame, or the one it was given on its own way, which needs ACKs in the "
                          "data class. (ack-own-mark: public simulator of arXiv 2507.21372)",
                          EnumValue(DATA_MARK),
                          MakeWordAccessor(&Transport::m_echo),
                          MakeEnumChecker(DATA_MARK, "data-mark", ACK_OWN_MARK, "ack-own-mark"))
            .AddAttribute("Window",
                          "Bytes that a queue pair may have in flight, besides what its "
                          "congestion control allows.",
                          ByteSizeValue(ByteSize::Special()),
                          MakeByteSizeAccessor(&Transport::m_window),
                          MakeByteRange(1, uint64_t{1} << 62, {"unlimited"}))
            .AddAttribute("CongestionControl",
                          "Sending rate of a queue pair.",
                          StringValue("ns3::rails::DcqcnCongestionControl"),
                          MakePointerAccessor(&Transport::m_congestionControl),
                          MakePointerChecker<CongestionControl>())
            .AddAttribute("LossRecovery",
                          "What a queue pair does about lost frames.",
                          StringValue("ns3::rails::GoBackNLossRecovery"),
                          MakePointerAccessor(&Transport::m_lossRecovery),
                          MakePointerChecker<LossRecovery>());
    return tid;
}

void
Transport::Check() const
{
    if (m_echo == ACK_OWN_MARK && m_ackClass == ACKS_IN_CONTROL)
    {
        throw ConfigurationError("echo",
                                 "ACKs of the control class are never marked: set ack_class to "
                                 "data, or echo to data-mark");
    }
    CheckNested("congestion_control", [this] { m_congestionControl->Check(); });
    CheckNested("loss_recovery", [this] { m_lossRecovery->Check(*this); });
}

uint32_t
Transport::GetLargestDataFrame() const
{
    return static_cast<uint32_t>(m_mtu.Get() + m_dataHeader.Get());
}

uint32_t
Transport::GetLargestFrame() const
{
    return std::max(GetLargestDataFrame(), static_cast<uint32_t>(m_ackBytes.Get()));
}

uint64_t
Transport::GetFrames(uint64_t messageBytes) const
{
    return GetFrameFormat().CountFrames(messageBytes);
}

} // namespace ns3::rails
