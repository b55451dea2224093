// SPDX-License-Identifier: GPL-2.0-only
#include "swift-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::rails
{

namespace
{

// Half of a port's 800 KB at 800 Gbps take 4 us to drain. With all of FlowScalingRange, 7.75 us,
// such a port still holds the queue.
constexpr TimePs kUsualQueueing = 3750 * kNanosecond;

} // namespace

NS_LOG_COMPONENT_DEFINE("RailsSwift");

NS_OBJECT_ENSURE_REGISTERED(SwiftCongestionControl);

TypeId
SwiftCongestionControl::GetTypeId()
{
    using Self = SwiftCongestionControl;
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::SwiftCongestionControl").SetParent<CongestionControl>(),
            "A window that follows the round-trip time: it grows below a target "
            "delay and shrinks above it. (Swift, SIGCOMM'20, section 3.1)")
            .SetGroupName("Rails")
            .AddConstructor<SwiftCongestionControl>()
            .AddAttribute("BaseTarget",
                          "Round-trip time that a large window aims at: that of an idle path and "
                          "the queueing that is to be allowed. automatic: the longest idle round "
                          "trip of the fabric and 3.75 us. (our choice)",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&Self::m_baseTarget),
                          MakeTimeRange(kNanosecond, kNever, {"automatic"}))
            .AddAttribute("FlowScalingRange",
                          "How much more the smallest windows aim at; 0s for none. (Swift, "
                          "SIGCOMM'20, section 3.5; the value is our choice)",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&Self::m_flowScalingRange),
                          MakeTimeRange())
            .AddAttribute("FlowScalingMinimum",
                          "Window in frames at and below which all of the range counts. (Swift, "
                          "SIGCOMM'20, section 3.5)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Self::m_flowScalingMinimum),
                          MakeNumberRange(1e-6, 1e6))
            .AddAttribute("FlowScalingMaximum",
                          "Window in frames at and above which nothing of it counts. (Swift, "
                          "SIGCOMM'20, section 3.5)",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Self::m_flowScalingMaximum),
                          MakeNumberRange(1e-6, 1e6))
            .AddAttribute("AdditiveIncrease",
                          "Frames by which the window grows in a round trip. (Swift, SIGCOMM'20, "
                          "section 3.1; 1 in the public simulator of arXiv 2507.21372)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_additiveIncrease),
                          MakeNumberRange(0, 1e6))
            .AddAttribute("MultiplicativeDecrease",
                          "Weight of the part of the delay that exceeds the target. (beta of "
                          "Swift, SIGCOMM'20, section 3.1; 0.8 in the public simulator of arXiv "
                          "2507.21372)",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Self::m_multiplicativeDecrease),
                          MakeNumberRange(0, 1))
            .AddAttribute("LargestDecrease",
                          "Largest part of the window that one decrease takes, and what a loss "
                          "takes. (max_mdf of Swift, SIGCOMM'20, section 3.1; 0.5 in the public "
                          "simulator of arXiv 2507.21372)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::m_largestDecrease),
                          MakeNumberRange(0, 1))
            .AddAttribute("StartWindow",
                          "Window of a new queue pair in payload; bdp: what line rate sends in the "
                          "base target. (our choice)",
                          ByteSizeValue(ByteSize::Special()),
                          MakeByteSizeAccessor(&Self::m_startWindow),
                          MakeByteRange(1, uint64_t{1} << 40, {"bdp"}))
            .AddAttribute("MinimumWindow",
                          "Smallest window, in frames. (Swift, SIGCOMM'20, section 3.1)",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Self::m_minimumWindow),
                          MakeNumberRange(1e-6, 1e6))
            .AddAttribute("MaximumWindow",
                          "Largest window, in payload.",
                          ByteSizeValue(ByteSize::Special()),
                          MakeByteSizeAccessor(&Self::m_maximumWindow),
                          MakeByteRange(1, uint64_t{1} << 40, {"unlimited"}))
            .AddAttribute("MedianOf",
                          "Samples whose median is the delay: 1 is Swift; where frames are "
                          "sprayed, about as many as there are paths. (after MSwift, arXiv "
                          "2509.07907)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Self::m_samples),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("ReactToLoss",
                          "Whether a loss or time-out shrinks the window too; where frames are "
                          "sprayed, what looks like a loss is often none.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_reactToLoss),
                          MakeBooleanChecker());
    return tid;
}

void
SwiftCongestionControl::Check() const
{
    if (m_flowScalingMinimum >= m_flowScalingMaximum)
    {
        throw ConfigurationError("flow_scaling_minimum",
                                 "flow_scaling_minimum must be below flow_scaling_maximum");
    }
    if (m_largestDecrease == 1)
    {
        throw ConfigurationError("largest_decrease",
                                 "a decrease by the whole window would stop a queue pair: set less "
                                 "than 1");
    }
}

void
SwiftCongestionControl::Join(const NicState& nic)
{
    m_nic = nic;
}

void
SwiftCongestionControl::Start(TimePs now, uint64_t lineRateBps)
{
    m_lineRateBps = lineRateBps;
    const double mtu = m_nic.mtu;
    const double bdp =
        static_cast<double>(GetBaseTarget()) * static_cast<double>(lineRateBps) / 8e12;
    const double start = m_startWindow.IsSpecial() ? bdp : static_cast<double>(m_startWindow.Get());
    m_largest = m_maximumWindow.IsSpecial() ? std::numeric_limits<uint32_t>::max()
                                            : static_cast<double>(m_maximumWindow.Get()) / mtu;
    m_roundTrip = 0;
    m_decreasedAt = now;
    m_recent.clear();
    m_sorted.clear();
    m_oldest = 0;
    SetWindow(start / mtu);
}

void
SwiftCongestionControl::SetLineRate(TimePs /* now */, uint64_t lineRateBps)
{
    m_lineRateBps = lineRateBps;
}

uint64_t
SwiftCongestionControl::GetRateBps(TimePs /* now */)
{
    if (m_window >= 1 || m_roundTrip == 0)
    {
        return m_lineRateBps;
    }
    const double bitsPerPs = m_window * m_nic.largestWireFrame * 8 / m_roundTrip;
    const auto rate = static_cast<uint64_t>(std::llround(bitsPerPs * kPicosecondsPerSecond));
    return std::clamp<uint64_t>(rate, 1, m_lineRateBps);
}

void
SwiftCongestionControl::OnAck(TimePs now, const AckReport& report)
{
    AddSample(report.roundTrip);
    const TimePs delay = GetDelay();
    const TimePs target = GetTarget();
    if (delay < target)
    {
        SetWindow(m_window + m_additiveIncrease / std::max(m_window, 1.0));
    }
    else if (now - m_decreasedAt >= report.roundTrip)
    {
        const double excess = static_cast<double>(delay - target) / static_cast<double>(delay);
        const double part = std::min(m_multiplicativeDecrease * excess, m_largestDecrease);
        SetWindow(m_window * (1 - part));
        m_decreasedAt = now;
        NS_LOG_INFO(FormatTime(now) << ": delay " << FormatTime(delay) << " over the target "
                                    << FormatTime(target) << ": window " << m_window);
    }
}

void
SwiftCongestionControl::OnLoss(TimePs now)
{
    if (m_reactToLoss && now - m_decreasedAt >= m_roundTrip)
    {
        SetWindow(m_window * (1 - m_largestDecrease));
        m_decreasedAt = now;
    }
}

uint64_t
SwiftCongestionControl::GetWindowBytes() const
{
    return static_cast<uint64_t>(std::llround(m_window * m_nic.mtu));
}

bool
SwiftCongestionControl::WantsIdleRoundTrip() const
{
    return m_baseTarget == Time::Max();
}

void
SwiftCongestionControl::SetIdleRoundTrip(TimePs time)
{
    m_idleRoundTrip = time;
}

std::optional<CongestionControl::RoundTripParameter>
SwiftCongestionControl::GetRoundTripParameter() const
{
    if (WantsIdleRoundTrip())
    {
        return std::nullopt;
    }
    return RoundTripParameter{"base_target",
                              m_baseTarget.GetTimeStep(),
                              "no window reaches it, and all shrink to minimum_window"};
}

TimePs
SwiftCongestionControl::GetBaseTarget() const
{
    return WantsIdleRoundTrip() ? m_idleRoundTrip + kUsualQueueing : m_baseTarget.GetTimeStep();
}

// Between the two windows the addition is proportional to the inverse square root of the window, as
// the queues of N unsynchronized flows grow with the square root of N.
TimePs
SwiftCongestionControl::GetTarget() const
{
    const TimePs base = GetBaseTarget();
    const TimePs range = m_flowScalingRange.GetTimeStep();
    if (range == 0 || m_window >= m_flowScalingMaximum)
    {
        return base;
    }
    const double none = 1 / std::sqrt(m_flowScalingMaximum);
    const double all = 1 / std::sqrt(m_flowScalingMinimum);
    const double here = 1 / std::sqrt(std::max(m_window, m_flowScalingMinimum));
    return base + static_cast<TimePs>(static_cast<double>(range) * (here - none) / (all - none));
}

TimePs
SwiftCongestionControl::GetDelay() const
{
    if (m_samples == 1)
    {
        return m_roundTrip;
    }
    return m_sorted.empty() ? 0 : m_sorted[(m_sorted.size() - 1) / 2];
}

void
SwiftCongestionControl::AddSample(TimePs roundTrip)
{
    m_roundTrip = roundTrip;
    if (m_samples == 1)
    {
        return;
    }
    if (m_recent.size() < m_samples)
    {
        m_recent.push_back(roundTrip);
    }
    else
    {
        m_sorted.erase(std::lower_bound(m_sorted.begin(), m_sorted.end(), m_recent[m_oldest]));
        m_recent[m_oldest] = roundTrip;
        m_oldest = (m_oldest + 1) % m_samples;
    }
    m_sorted.insert(std::upper_bound(m_sorted.begin(), m_sorted.end(), roundTrip), roundTrip);
}

void
SwiftCongestionControl::SetWindow(double frames)
{
    m_window = std::min(std::max(frames, m_minimumWindow), m_largest);
}

} // namespace ns3::rails
