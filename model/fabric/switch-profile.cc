// SPDX-License-Identifier: GPL-2.0-only
#include "switch-profile.h"

#include "rails-port.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(SwitchProfile);

TypeId
SwitchProfile::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::SwitchProfile").SetParent<Object>(),
                         "What all switches have in common: buffer, priority flow control, "
                         "congestion marking.")
            .SetGroupName("Rails")
            .AddConstructor<SwitchProfile>()
            .AddAttribute("Buffer",
                          "Packet buffer of a switch, shared by its ports.",
                          ByteSizeValue(ByteSize(uint64_t{64} << 20)),
                          MakeByteSizeAccessor(&SwitchProfile::m_buffer),
                          MakeByteRange(1))
            .AddAttribute("PortBuffer",
                          "Buffer of each port for itself, instead of the shared one; without "
                          "priority flow control only.",
                          ByteSizeValue(ByteSize::Special()),
                          MakeByteSizeAccessor(&SwitchProfile::m_portBuffer),
                          MakeByteRange(1, uint64_t{1} << 62, {"shared"}))
            .AddAttribute("Alpha",
                          "Share of the free buffer that one queue may hold (dynamic threshold). "
                          "(Choudhury and Hahne, 1998)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SwitchProfile::m_alpha),
                          MakeNumberRange(1e-6, 1024))
            .AddAttribute("Pfc",
                          "Whether data is lossless by priority flow control. (IEEE 802.1Qbb)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SwitchProfile::m_pfc),
                          MakeBooleanChecker())
            .AddAttribute("Headroom",
                          "Buffer kept per port for what arrives after a pause frame was sent.",
                          ByteSizeValue(ByteSize::Special()),
                          MakeByteSizeAccessor(&SwitchProfile::m_headroom),
                          MakeByteRange(0, uint64_t{1} << 62, {"formula"}))
            .AddAttribute("PauseResponse",
                          "Time from the arrival of a pause frame until it is obeyed.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&SwitchProfile::m_pauseResponse),
                          MakeTimeRange())
            .AddAttribute("XonOffset",
                          "How far below its threshold a queue must fall before it resumes.",
                          ByteSizeValue(ByteSize(8192)),
                          MakeByteSizeAccessor(&SwitchProfile::m_xonOffset),
                          MakeByteRange())
            .AddAttribute("PauseQuanta",
                          "Pause time in a pause frame, in units of 512 bit times; refreshed at "
                          "half of it. (IEEE 802.1Qbb)",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&SwitchProfile::m_pauseQuanta),
                          MakeCountRange<uint32_t>(1, 65535))
            .AddAttribute("Ecn",
                          "Congestion marking, at work when the congestion control uses it.",
                          StringValue("ns3::rails::EcnMarker"),
                          MakePointerAccessor(&SwitchProfile::m_ecn),
                          MakePointerChecker<EcnMarker>());
    return tid;
}

void
SwitchProfile::Check() const
{
    if (m_pfc && !m_portBuffer.IsSpecial())
    {
        throw ConfigurationError("port_buffer",
                                 "priority flow control works on the shared buffer: set pfc to "
                                 "false, or leave port_buffer out");
    }
    CheckNested("ecn", [this] { m_ecn->Check(); });
}

void
SwitchProfile::CheckPauses(uint32_t largestWireFrame) const
{
    const uint32_t smallest = largestWireFrame / 32 + 1;
    if (m_pfc && m_pauseQuanta < smallest)
    {
        throw ConfigurationError("pause_quanta",
                                 "a pause would end before it is repeated, which a frame of " +
                                     std::to_string(largestWireFrame) +
                                     " B on the wire may delay: set it to " +
                                     std::to_string(smallest) + " or more");
    }
}

void
SwitchProfile::CheckHeadroom(uint32_t largestLossless) const
{
    if (m_pfc && !m_headroom.IsSpecial() && m_headroom.Get() < largestLossless)
    {
        throw ConfigurationError("headroom",
                                 "a port asks for a pause with the first frame that takes "
                                 "headroom, and " +
                                     std::to_string(largestLossless) +
                                     " B with headers do not fit: frames would be dropped and "
                                     "none ever paused; leave it out, or set pfc to false");
    }
}

uint64_t
SwitchProfile::GetSmallestPool(uint32_t largestData, uint32_t largestControl) const
{
    if (!m_portBuffer.IsSpecial())
    {
        return 0;
    }
    const uint64_t largest = m_pfc ? largestControl : std::max(largestData, largestControl);
    auto pool = static_cast<uint64_t>(static_cast<double>(largest) / std::min(m_alpha, 1.0));
    // The threshold of the empty pool, computed as the buffer computes it.
    while (static_cast<uint64_t>(m_alpha * static_cast<double>(pool)) < largest)
    {
        ++pool;
    }
    return pool;
}

uint64_t
SwitchProfile::GetHeadroom(uint64_t rateBps, TimePs delay, uint32_t largestFrame) const
{
    if (!m_pfc)
    {
        return 0;
    }
    return m_headroom.IsSpecial() ? FindSafeHeadroom(rateBps, delay, largestFrame)
                                  : m_headroom.Get();
}

void
SwitchProfile::RefuseHeadroom(const std::string& name, std::size_t ports, uint64_t buffer)
{
    throw ConfigurationError("switch.buffer",
                             "the headroom of " + std::to_string(ports) + " ports of " + name +
                                 " does not fit a buffer of " + std::to_string(buffer) +
                                 " B: enlarge switch.buffer, or set switch.headroom");
}

uint64_t
SwitchProfile::FindSafeHeadroom(uint64_t rateBps, TimePs delay, uint32_t largestFrame) const
{
    const double bytesPerPs = static_cast<double>(rateBps) / 8e12;
    const uint64_t wireFrame = largestFrame + Port::kWireOverhead;
    const double bytes = bytesPerPs * (2.0 * delay + m_pauseResponse.GetPicoSeconds()) +
                         2.0 * wireFrame + Port::kPauseFrameBytes + Port::kWireOverhead;
    const auto frames = static_cast<uint64_t>(std::ceil(bytes / wireFrame));
    return (frames + 1) * wireFrame;
}

} // namespace ns3::rails
