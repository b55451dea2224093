// SPDX-License-Identifier: GPL-2.0-only
#include "rails-port-draw.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/port-selector.h"
#include "ns3/rails-error.h"
#include "ns3/rails-switch.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Adaptive routing in the style of Spectrum-X (Switch Pkt AR of arXiv 2507.21372): the queue of a
 * port is graded into four buckets, and each frame takes any of the valid ports of the lowest
 * bucket, each as likely as the others and weights ignored.
 *
 * The grade of a port is old by design: it is taken anew when a frame is to be sent and the grade
 * is at least Refresh old. Grades are those of ports, not of destinations, so a change of routes
 * leaves them valid.
 */
class AdaptivePortSelector : public PortSelector
{
  public:
    static TypeId GetTypeId();

    AdaptivePortSelector()
    {
        m_traits.scattersFrames = true;
    }

    void Check(const FabricTraits& fabric) const override;
    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    struct Grade
    {
        TimePs until{std::numeric_limits<TimePs>::min()}; // when the grade may be taken anew
        uint8_t bucket{0};
    };

    uint8_t GetBucket(const Switch& at, uint16_t port, TimePs now);

    double m_low;
    double m_middle;
    double m_high;
    ByteSize m_buffer;
    Time m_refresh;

    PortDraw m_draw;
    std::vector<Grade> m_grades; // by port
    TimePs m_lifetime{0};
    std::array<double, 3> m_limits{}; // bytes from which on a queue is in the next bucket
};

NS_OBJECT_ENSURE_REGISTERED(AdaptivePortSelector);

TypeId
AdaptivePortSelector::GetTypeId()
{
    using Self = AdaptivePortSelector;
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::AdaptivePortSelector").SetParent<PortSelector>(),
                         "Adaptive routing by coarse and slightly old lengths of queues: each "
                         "frame takes one of the ports whose queue is in the lowest of four "
                         "classes. (Switch Pkt AR of arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<AdaptivePortSelector>()
            .AddAttribute("LowThreshold",
                          "Fraction of the buffer below which a queue is in the lowest bucket. "
                          "(arXiv 2507.21372, table 2)",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&Self::m_low),
                          MakeNumberRange(0, 1))
            .AddAttribute("MiddleThreshold",
                          "Fraction of the buffer below which a queue is in the second bucket. "
                          "(arXiv 2507.21372, table 2)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Self::m_middle),
                          MakeNumberRange(0, 1))
            .AddAttribute("HighThreshold",
                          "Fraction of the buffer below which a queue is in the third bucket; "
                          "longer ones are in the last. (arXiv 2507.21372, table 2)",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&Self::m_high),
                          MakeNumberRange(0, 1))
            .AddAttribute("Buffer",
                          "Buffer of a port that the thresholds are fractions of, whatever the "
                          "switch really has: with a port buffer usually that, with a shared "
                          "buffer what a port may be expected to get. (arXiv 2507.21372)",
                          ByteSizeValue(ByteSize(800'000)),
                          MakeByteSizeAccessor(&Self::m_buffer),
                          MakeByteRange(1))
            .AddAttribute("Refresh",
                          "Time for which the bucket of a port is used before its queue is looked "
                          "at again; 0 looks at every frame. (public simulator of arXiv "
                          "2507.21372)",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&Self::m_refresh),
                          MakeTimeRange());
    return tid;
}

void
AdaptivePortSelector::Check(const FabricTraits& /* fabric */) const
{
    if (m_middle < m_low)
    {
        throw ConfigurationError("middle_threshold",
                                 "thresholds must rise: set it to low_threshold at least");
    }
    if (m_high < m_middle)
    {
        throw ConfigurationError("high_threshold",
                                 "thresholds must rise: set it to middle_threshold at least");
    }
}

Ptr<PortSelector>
AdaptivePortSelector::Fork() const
{
    Ptr<AdaptivePortSelector> fork =
        CopyObject<AdaptivePortSelector>(Ptr<const AdaptivePortSelector>(this));
    const auto buffer = static_cast<double>(m_buffer.Get());
    fork->m_limits = {m_low * buffer, m_middle * buffer, m_high * buffer};
    fork->m_lifetime = m_refresh.GetPicoSeconds();
    return fork;
}

uint8_t
AdaptivePortSelector::GetBucket(const Switch& at, uint16_t port, TimePs now)
{
    Grade& grade = m_grades[port];
    if (now >= grade.until)
    {
        const auto bytes = static_cast<double>(at.GetPort(port).GetQueueBytes());
        grade.bucket = 0;
        for (const double limit : m_limits)
        {
            grade.bucket += bytes < limit ? 0 : 1;
        }
        grade.until = now + m_lifetime;
    }
    return grade.bucket;
}

uint16_t
AdaptivePortSelector::Select(const Switch& at, Frame& /* frame */, const NextHops& hops)
{
    if (m_grades.empty())
    {
        m_grades.resize(at.GetPorts().size());
    }
    const TimePs now = at.Now();
    uint8_t lowest = m_limits.size() + 1;
    uint32_t ties = 0;
    for (const uint16_t port : hops.ports)
    {
        const uint8_t bucket = GetBucket(at, port, now);
        if (bucket < lowest)
        {
            lowest = bucket;
            ties = 0;
        }
        ties += bucket == lowest ? 1 : 0;
    }
    if (ties == hops.ports.size())
    {
        return m_draw.Any(hops.ports);
    }
    uint32_t left = ties == 1 ? 0 : m_draw.Below(ties);
    auto port = hops.ports.begin();
    while (m_grades[*port].bucket != lowest || left-- > 0)
    {
        ++port;
    }
    return *port;
}

int64_t
AdaptivePortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
