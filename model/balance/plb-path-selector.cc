// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-draw.h"
#include "path-selector.h"
#include "round-trip-estimator.h"

#include "ns3/component-documentation.h"
#include "ns3/nstime.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <bitset>
#include <cstdint>
#include <limits>

namespace ns3::rails
{

/**
 * One path until it looks congested, then another: `balance.host: plb`. A queue pair takes a new
 * path when many of its last ACKs were marked and the time of some frames has passed since they
 * were not, or when no ACK came for a time-out. (PLB, SIGCOMM'22, as simplified for arXiv
 * 2507.21372)
 */
class PlbPathSelector : public Forkable<PlbPathSelector, PathSelector>
{
  public:
    static TypeId GetTypeId();

    PlbPathSelector()
    {
        m_traits.usesFeedback = true;
        m_traits.usesEcn = true;
    }

    void Check() const override;
    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;

  private:
    void Relabel(TimePs now);

    uint32_t m_ackWindow{0};
    uint32_t m_markedAcks{0};
    uint32_t m_minimumWait{0};
    uint32_t m_maximumWait{0};
    Time m_initialRto;
    Time m_minimumRto;

    Ptr<UniformRandomVariable> m_random;
    RoundTripEstimator m_roundTrip;
    uint64_t m_marks{0};         // of the last ACKs, newest in the lowest bit
    TimePs m_waitsSince{kNever}; // first frame since the last ACK was sent; kNever: none was
    TimePs m_sentAt{kNever};     // the last frame; kNever: none was
    TimePs m_gap{kNever};        // between the last two frames
    TimePs m_fineSince{0};       // last good state or new path
    double m_wait{0};            // gaps in a bad state before the path changes
    uint32_t m_label{0};
    bool m_isGood{true};
};

NS_OBJECT_ENSURE_REGISTERED(PlbPathSelector);

TypeId
PlbPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::PlbPathSelector").SetParent<PathSelector>(),
                         "PLB: one path until many of its frames come back marked or none comes "
                         "back, then another. (PLB, SIGCOMM'22, as simplified for arXiv "
                         "2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<PlbPathSelector>()
            .AddAttribute("AckWindow",
                          "Last ACKs whose marks count. (public simulator of arXiv 2507.21372)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&PlbPathSelector::m_ackWindow),
                          MakeCountRange<uint32_t>(1, 64))
            .AddAttribute("MarkedAcks",
                          "With at least so many of them marked the path is congested. (40 % in "
                          "arXiv 2507.21372, Table 2)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&PlbPathSelector::m_markedAcks),
                          MakeCountRange<uint32_t>(1, 64))
            .AddAttribute("MinimumWait",
                          "A congested path is left when more time has passed since it was last "
                          "fine, or taken, than a number of gaps between frames, drawn from "
                          "minimum_wait to maximum_wait; the gap is that of the last two. (public "
                          "simulator of arXiv 2507.21372)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&PlbPathSelector::m_minimumWait),
                          MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute("MaximumWait",
                          "See minimum_wait. (public simulator of arXiv 2507.21372)",
                          UintegerValue(12),
                          MakeUintegerAccessor(&PlbPathSelector::m_maximumWait),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("InitialRto",
                          "Time without an ACK after which a path is left, before a round trip "
                          "was measured. (public simulator of arXiv 2507.21372)",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&PlbPathSelector::m_initialRto),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("MinimumRto",
                          "Least value of that time afterwards, when it is the smoothed round trip "
                          "and four times its deviation. (public simulator of arXiv 2507.21372)",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&PlbPathSelector::m_minimumRto),
                          MakeTimeRange(kNanosecond));
    return tid;
}

void
PlbPathSelector::Check() const
{
    if (m_markedAcks > m_ackWindow)
    {
        throw ConfigurationError("marked_acks",
                                 std::to_string(m_markedAcks) + " of the last " +
                                     std::to_string(m_ackWindow) +
                                     " ACKs can never be marked: lower it, or raise ack_window");
    }
    if (m_maximumWait <= m_minimumWait)
    {
        throw ConfigurationError("maximum_wait",
                                 "must be larger than minimum_wait, which is " +
                                     std::to_string(m_minimumWait));
    }
}

void
PlbPathSelector::Start(TimePs now, const PathContext& context)
{
    m_fineSince = now;
    m_random = context.random;
    m_roundTrip = RoundTripEstimator(m_initialRto.GetTimeStep(), m_minimumRto.GetTimeStep());
    // Not the queue pair's number: the next label is then that of the next queue pair.
    m_label = DrawEntropy(*m_random);
}

void
PlbPathSelector::Choose(TimePs now, Frame& frame)
{
    if (m_waitsSince == kNever)
    {
        m_waitsSince = now;
    }
    else if (now - m_waitsSince > m_roundTrip.GetRto())
    {
        Relabel(now);
        m_waitsSince = now;
    }
    if (m_sentAt != kNever)
    {
        m_gap = now - m_sentAt;
    }
    m_sentAt = now;
    frame.entropy = m_label;
}

void
PlbPathSelector::OnFeedback(TimePs now, const PathFeedback& feedback)
{
    if (feedback.kind != PathFeedback::Kind::Ack)
    {
        return;
    }
    m_roundTrip.Add(feedback.roundTrip);
    m_waitsSince = kNever;
    constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
    m_marks = (m_marks << 1 | (feedback.marked ? 1 : 0)) & (kAll >> (64 - m_ackWindow));
    const bool wasGood = m_isGood;
    m_isGood = std::bitset<64>(m_marks).count() < m_markedAcks;
    if (m_isGood)
    {
        m_fineSince = now;
        return;
    }
    if (wasGood)
    {
        m_wait = m_random->GetValue(m_minimumWait, m_maximumWait);
    }
    // Time, not frames: a sender that has sent all is answered still.
    if (static_cast<double>(now - m_fineSince) > m_wait * static_cast<double>(m_gap))
    {
        Relabel(now);
    }
}

void
PlbPathSelector::Relabel(TimePs now)
{
    ++m_label;
    // The marks stay: a new path has as long as an old one to show better.
    m_fineSince = now;
}

} // namespace ns3::rails
