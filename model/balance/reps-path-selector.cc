// SPDX-License-Identifier: GPL-2.0-only
#include "reps-path-selector.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RepsPathSelector);

TypeId
RepsPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RepsPathSelector").SetParent<PathSelector>(),
                         "REPS: paths whose frames came back without a mark are used again, "
                         "otherwise random ones. (REPS, arXiv 2407.21625; Host AR of arXiv "
                         "2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<RepsPathSelector>()
            .AddAttribute("Ring",
                          "Entropies that a queue pair keeps for use again. (REPS, arXiv "
                          "2407.21625)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RepsPathSelector::m_ringSize),
                          MakeCountRange<uint32_t>(1, 4096))
            .AddAttribute("Pool",
                          "Entropies that random ones are drawn from. (public simulator of arXiv "
                          "2507.21372)",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&RepsPathSelector::m_pool),
                          MakeCountRange<uint32_t>(1, 65536))
            .AddAttribute("Lifetime",
                          "Times that an entropy is used again after it came back. (public "
                          "simulator of arXiv 2507.21372)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RepsPathSelector::m_lifetime),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("Freezing",
                          "Whether a queue pair keeps to the entropies it knows when one that it "
                          "is about to use has not come back for a time-out. (REPS, arXiv "
                          "2407.21625)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RepsPathSelector::m_freezes),
                          MakeBooleanChecker())
            .AddAttribute("FreezeTime",
                          "How long it does. (public simulator of arXiv 2507.21372)",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&RepsPathSelector::m_freezeTime),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("Explorations",
                          "Frames with random entropies after that, in which it does not freeze "
                          "again. (public simulator of arXiv 2507.21372)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RepsPathSelector::m_explorations),
                          MakeCountRange<uint32_t>(0, 65536))
            .AddAttribute("InitialRto",
                          "That time-out before a round trip was measured. (public simulator of "
                          "arXiv 2507.21372)",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RepsPathSelector::m_initialRto),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("MinimumRto",
                          "Least value of the time-out afterwards, when it is the smoothed round "
                          "trip and four times its deviation. (public simulator of arXiv "
                          "2507.21372)",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&RepsPathSelector::m_minimumRto),
                          MakeTimeRange(kNanosecond));
    return tid;
}

void
RepsPathSelector::Start(TimePs /* now */, const PathContext& context)
{
    m_random = context.random;
    m_roundTrip = RoundTripEstimator(m_initialRto.GetTimeStep(), m_minimumRto.GetTimeStep());
    m_ring = EntropyRing(m_ringSize, m_lifetime);
}

void
RepsPathSelector::Choose(TimePs now, Frame& frame)
{
    if (!m_freezes)
    {
        frame.entropy = GetNext();
        return;
    }
    ThawIfDue(now);
    uint16_t entropy = GetNext();
    while (m_timers.GetAge(entropy, now) > m_roundTrip.GetRto())
    {
        m_timers.Stop(entropy);
        Freeze(now);
        entropy = GetNext();
    }
    m_timers.Start(entropy, now);
    frame.entropy = entropy;
}

uint16_t
RepsPathSelector::GetNext()
{
    if (m_toExplore > 0)
    {
        --m_toExplore;
    }
    else if (IsFrozen() && !m_ring.IsEmpty())
    {
        return m_ring.Reuse();
    }
    else if (m_ring.HasFresh())
    {
        return m_ring.Take();
    }
    return static_cast<uint16_t>(m_random->GetInteger(0, m_pool - 1));
}

void
RepsPathSelector::OnFeedback(TimePs now, const PathFeedback& feedback)
{
    if (feedback.kind != PathFeedback::Kind::Ack)
    {
        return;
    }
    const auto entropy = static_cast<uint16_t>(feedback.entropy);
    if (m_freezes)
    {
        m_roundTrip.Add(feedback.roundTrip);
        m_timers.Stop(entropy);
        ThawIfDue(now);
    }
    if (!feedback.marked)
    {
        m_ring.Push(entropy);
    }
}

bool
RepsPathSelector::IsFrozen() const
{
    return m_thawAt != kNever;
}

void
RepsPathSelector::Freeze(TimePs now)
{
    if (!IsFrozen() && m_toExplore == 0)
    {
        m_thawAt = now + m_freezeTime.GetTimeStep();
    }
}

void
RepsPathSelector::ThawIfDue(TimePs now)
{
    // kNever never comes.
    if (now >= m_thawAt)
    {
        m_thawAt = kNever;
        m_ring.Clear();
        m_toExplore = m_explorations;
    }
}

} // namespace ns3::rails
