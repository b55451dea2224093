// SPDX-License-Identifier: GPL-2.0-only
#include "rails-transport.h"

#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Transport);

TypeId
Transport::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using QueuePairPerValue = decltype(EnumValue(NIC_PAIR));

    static TypeId tid =
        TypeId("ns3::rails::Transport")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddConstructor<Transport>()
            .AddAttribute("Mtu",
                          "Payload of a full data frame.",
                          ByteSizeValue(ByteSize(4096)),
                          MakeByteSizeAccessor(&Transport::m_mtu),
                          MakeByteSizeChecker(64, 65536))
            .AddAttribute("DataHeader",
                          "Headers and checksums of a data frame: Ethernet 14, IPv4 20, UDP 8, "
                          "BTH 12, ICRC 4, FCS 4. (InfiniBand specification, annex A17)",
                          ByteSizeValue(ByteSize(62)),
                          MakeByteSizeAccessor(&Transport::m_dataHeader),
                          MakeByteSizeChecker(0, 1024))
            .AddAttribute("AckBytes",
                          "Length of an ACK, NAK or CNP frame.",
                          ByteSizeValue(ByteSize(64)),
                          MakeByteSizeAccessor(&Transport::m_ackBytes),
                          MakeByteSizeChecker(1, 1024))
            .AddAttribute(
                "QpPer",
                "Which messages share a queue pair, and so go in order.",
                EnumValue(NIC_PAIR),
                MakeAccessorHelper<QueuePairPerValue>(&Transport::m_queuePairPer),
                MakeEnumChecker(NIC_PAIR, "nic-pair", GPU_PAIR, "gpu-pair", MESSAGE, "message"))
            .AddAttribute("Window",
                          "Bytes that a queue pair may have in flight, besides what its "
                          "congestion control allows.",
                          ByteSizeValue(ByteSize::Special()),
                          MakeByteSizeAccessor(&Transport::m_window),
                          MakeByteSizeChecker(1, uint64_t{1} << 62, "unlimited"))
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

uint32_t
Transport::GetLargestFrame() const
{
    return static_cast<uint32_t>(m_mtu.Get() + m_dataHeader.Get());
}

uint64_t
Transport::GetFrames(uint64_t messageBytes) const
{
    return (messageBytes + m_mtu.Get() - 1) / m_mtu.Get();
}

} // namespace ns3::rails
