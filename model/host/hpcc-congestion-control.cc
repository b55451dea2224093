// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-congestion-control.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsHpcc");

NS_OBJECT_ENSURE_REGISTERED(HpccCongestionControl);

TypeId
HpccCongestionControl::GetTypeId()
{
    using Self = HpccCongestionControl;
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::HpccCongestionControl").SetParent<CongestionControl>(),
            "HPCC: a window that follows what each port on the way says of its queue and its "
            "load. The preset of that name is dcqcn's, another control. (HPCC, SIGCOMM'19)")
            .SetGroupName("Rails")
            .AddConstructor<HpccCongestionControl>()
            .AddAttribute("BaseRoundTrip",
                          "Time in which queues are measured, and in which a window is sent: a "
                          "little more than the longest round trip of the idle fabric. (T of HPCC, "
                          "SIGCOMM'19, section 3.2; 13 us: its simulations, at 100 Gbps)",
                          TimeValue(MicroSeconds(13)),
                          MakeTimeAccessor(&Self::m_baseRoundTrip),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("Target",
                          "Part of the rate of the most used port that is aimed at, above 0. (eta "
                          "of HPCC, SIGCOMM'19, section 3.3)",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Self::m_target),
                          MakeNumberRange(0, 1))
            .AddAttribute(
                "MaxStage",
                "Round trips below the target in which a window grows by a constant only; "
                "after them it grows in proportion to what is free. (maxStage of HPCC, "
                "SIGCOMM'19, section 3.3; its simulations have 0, say its authors)",
                UintegerValue(5),
                MakeUintegerAccessor(&Self::m_maxStage),
                MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute("AdditiveIncrease",
                          "Bytes on the wire that each round trip adds to a window, for fairness: "
                          "at most line rate * base_round_trip * (1 - target) / queue pairs that "
                          "share a port, or its queue grows. (W_AI of HPCC, SIGCOMM'19, section "
                          "3.3; 80 B are for 100 queue pairs at 100 Gbps in 13 us)",
                          ByteSizeValue(ByteSize(80)),
                          MakeByteSizeAccessor(&Self::m_additiveIncrease),
                          MakeByteRange(1, uint64_t{1} << 40));
    return tid;
}

void
HpccCongestionControl::Check() const
{
    if (m_target == 0)
    {
        throw ConfigurationError("target",
                                 "the target must not be zero: a queue pair would stop; 0.95 is "
                                 "that of the paper");
    }
}

void
HpccCongestionControl::Join(const NicState& nic)
{
    m_nic = nic;
}

void
HpccCongestionControl::Start(TimePs now, uint64_t lineRateBps)
{
    m_lineRateBps = lineRateBps;
    SetWindow(GetLargestWindow());
    m_reference = m_window;
    m_stage = 0;
    m_use = 1;
    m_referenceAt = now;
    m_ports = 0;
}

void
HpccCongestionControl::SetLineRate(TimePs /* now */, uint64_t lineRateBps)
{
    const bool isLargest = m_reference >= GetLargestWindow();
    m_lineRateBps = lineRateBps;
    m_reference = isLargest ? GetLargestWindow() : std::min(m_reference, GetLargestWindow());
    SetWindow(isLargest ? m_reference : m_window);
}

uint64_t
HpccCongestionControl::GetRateBps(TimePs /* now */)
{
    const double rate = m_window * 8e12 / static_cast<double>(m_baseRoundTrip.GetTimeStep());
    return std::clamp<uint64_t>(static_cast<uint64_t>(rate), 1, m_lineRateBps);
}

// MeasureInflight() of the paper; false when no port has reported twice. Keeps the reports.
bool
HpccCongestionControl::Measure(const Telemetry& telemetry)
{
    const auto base = static_cast<double>(m_baseRoundTrip.GetTimeStep());
    double most = -1;
    double time = 0;
    for (uint8_t i = 0; i < telemetry.ports; ++i)
    {
        const PortReport& report = telemetry.reports[i];
        PortReport& last = m_reports[i];
        if (i >= m_ports || report.node != last.node || report.port != last.port)
        {
            last = report;
            continue;
        }
        if (report.at <= last.at)
        {
            continue; // the frame was overtaken
        }
        const auto elapsed = static_cast<double>(report.at - last.at);
        const auto sent = static_cast<double>(report.wireBytes - last.wireBytes);
        // The shorter of two queues: a transient queue is no congestion.
        const auto queue = static_cast<double>(std::min(report.queueBytes, last.queueBytes));
        const double bytesPerPs = static_cast<double>(report.rateBps) / 8e12;
        const double use = (queue / base + sent / elapsed) / bytesPerPs;
        if (use > most)
        {
            most = use;
            time = elapsed;
        }
        last = report;
    }
    m_ports = telemetry.ports;
    if (most < 0)
    {
        return false;
    }
    const double weight = std::min(time, base) / base;
    m_use = (1 - weight) * m_use + weight * most;
    return true;
}

// NewAck() and ComputeWind() of the paper.
void
HpccCongestionControl::OnAck(TimePs now, const AckReport& report)
{
    if (!report.telemetry || report.telemetry->ports == 0)
    {
        return; // no switch on the path
    }
    const bool isFirst = m_ports == 0;
    const bool isMeasured = Measure(*report.telemetry);
    if (isFirst)
    {
        m_referenceAt = now;
    }
    if (!isMeasured)
    {
        return;
    }
    const auto increase = static_cast<double>(m_additiveIncrease.Get());
    const bool divides = m_use >= m_target || m_stage >= m_maxStage;
    SetWindow(divides ? m_reference * m_target / m_use + increase : m_reference + increase);
    if (now - report.roundTrip >= m_referenceAt)
    {
        m_stage = divides ? 0 : m_stage + 1;
        m_reference = m_window;
        NS_LOG_INFO(FormatTime(now) << ": use " << m_use << ", window " << m_window << " B");
        m_referenceAt = now;
    }
}

// A window that ends within a frame also lets that frame go: the rate delays it.
uint64_t
HpccCongestionControl::GetWindowBytes() const
{
    return static_cast<uint64_t>(std::ceil(m_window / m_nic.largestWireFrame)) * m_nic.mtu;
}

std::optional<CongestionControl::RoundTripParameter>
HpccCongestionControl::GetRoundTripParameter() const
{
    return RoundTripParameter{"base_round_trip",
                              m_baseRoundTrip.GetTimeStep(),
                              "the largest window does not fill the line"};
}

// Bytes at line rate in the base round trip.
double
HpccCongestionControl::GetLargestWindow() const
{
    return static_cast<double>(m_lineRateBps) * static_cast<double>(m_baseRoundTrip.GetTimeStep()) /
           8e12;
}

void
HpccCongestionControl::SetWindow(double bytes)
{
    m_window = std::min(bytes, GetLargestWindow());
}

} // namespace ns3::rails
