// SPDX-License-Identifier: GPL-2.0-only
#include "selective-repeat-loss-recovery.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/log.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsSelectiveRepeat");

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeatLossRecovery);

TypeId
SelectiveRepeatLossRecovery::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::SelectiveRepeatLossRecovery").SetParent<LossRecovery>(),
            "The receiver takes frames in any order; the sender sends again only "
            "what is missing. (IRN, SIGCOMM'18, section 3.1)")
            .SetGroupName("Rails")
            .AddConstructor<SelectiveRepeatLossRecovery>()
            .AddAttribute("Timeout",
                          kTimeoutHelp,
                          TimeValue(MilliSeconds(kTimeoutMs)),
                          MakeTimeAccessor(&SelectiveRepeatLossRecovery::m_timeout),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("ReorderWindow",
                          "Frames from the first missing one on that a receiver accepts, and a "
                          "sender sends. (IRN, SIGCOMM'18, section 3.2)",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&SelectiveRepeatLossRecovery::m_reorderWindow),
                          MakeCountRange<uint32_t>(1, 1U << 24))
            .AddAttribute("LossThreshold",
                          "A frame is taken for lost when one this many numbers higher has "
                          "arrived: 1 where frames stay in order, more where they are sprayed. "
                          "(IRN, SIGCOMM'18, section 3.1)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&SelectiveRepeatLossRecovery::m_lossThreshold),
                          MakeCountRange<uint32_t>(1, 1U << 24))
            .AddAttribute("AdaptiveTimeout",
                          "Whether to time out after srtt + 4 mdev of the measured round trips, "
                          "doubled by each time-out in a row; the timeout is then the first one "
                          "and the largest. (RFC 6298; public simulator of arXiv 2507.21372)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SelectiveRepeatLossRecovery::m_adaptiveTimeout),
                          MakeBooleanChecker())
            .AddAttribute("MinimumTimeout",
                          "Smallest adaptive time-out. (public simulator of arXiv 2507.21372)",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&SelectiveRepeatLossRecovery::m_minimumTimeout),
                          MakeTimeRange(kNanosecond));
    return tid;
}

std::unique_ptr<SenderRecovery>
SelectiveRepeatLossRecovery::MakeSender() const
{
    return std::make_unique<Sender>(this);
}

std::unique_ptr<ReceiverRecovery>
SelectiveRepeatLossRecovery::MakeReceiver(uint32_t /* mtu */) const
{
    return std::make_unique<Receiver>(this);
}

SelectiveRepeatLossRecovery::Sender::Holes::Holes(uint32_t window)
    : acknowledged(window),
      lost(window)
{
}

SelectiveRepeatLossRecovery::Sender::Sender(Ptr<const SelectiveRepeatLossRecovery> recovery)
    : m_recovery(recovery)
{
}

bool
SelectiveRepeatLossRecovery::Sender::UsesRoundTrips() const
{
    return m_recovery->m_adaptiveTimeout;
}

void
SelectiveRepeatLossRecovery::Sender::OnRoundTrip(TimePs roundTrip)
{
    if (!m_hasRoundTrip)
    {
        m_roundTrips = RoundTripEstimator(0, m_recovery->m_minimumTimeout.GetTimeStep());
        m_hasRoundTrip = true;
    }
    m_roundTrips.Add(roundTrip);
}

TimePs
SelectiveRepeatLossRecovery::Sender::GetTimeout() const
{
    const TimePs longest = m_recovery->GetTimeout();
    if (!m_hasRoundTrip)
    {
        return longest;
    }
    TimePs timeout = m_roundTrips.GetRto();
    for (uint32_t i = 0; i < m_timeouts && timeout < longest; ++i)
    {
        timeout *= 2;
    }
    return std::min(timeout, longest);
}

uint64_t
SelectiveRepeatLossRecovery::Sender::GetNext(uint64_t end) const
{
    if (m_holes && m_holes->lost.GetSize() > 0)
    {
        return m_holes->firstLost;
    }
    return m_next - m_unacknowledged < m_recovery->m_reorderWindow ? std::min(m_next, end) : end;
}

SenderRecovery::Departure
SelectiveRepeatLossRecovery::Sender::OnSent(uint64_t psn, bool isRepeat)
{
    const bool isOldest = psn == m_unacknowledged;
    if (psn == m_next)
    {
        ++m_next;
        return {psn, isOldest, isRepeat};
    }
    m_holes->lost.Erase(psn);
    if (isOldest)
    {
        m_holes->firstFresh = m_next;
    }
    CloseHoles();
    return {psn, isOldest, isRepeat};
}

uint64_t
SelectiveRepeatLossRecovery::Sender::GetUnacknowledged() const
{
    return m_unacknowledged;
}

uint64_t
SelectiveRepeatLossRecovery::Sender::GetInFlight() const
{
    const uint64_t sent = m_next - m_unacknowledged;
    return m_holes ? sent - m_holes->acknowledged.GetSize() - m_holes->lost.GetSize() : sent;
}

bool
SelectiveRepeatLossRecovery::Sender::OnAck(uint64_t cumulative, uint64_t psn)
{
    const bool progress = Acknowledge(cumulative);
    if (psn <= m_unacknowledged || psn >= m_next)
    {
        return progress;
    }
    Holes& holes = OpenHoles();
    const bool arrived = holes.acknowledged.Insert(psn);
    holes.lost.Erase(psn);
    const bool firstWasSentAgain =
        m_unacknowledged < holes.judged && !holes.lost.Contains(m_unacknowledged);
    for (; holes.judged + m_recovery->m_lossThreshold <= psn; ++holes.judged)
    {
        TakeForLost(holes.judged);
    }
    if (firstWasSentAgain && holes.firstFresh + m_recovery->m_lossThreshold <= psn + 1)
    {
        TakeForLost(m_unacknowledged);
    }
    CloseHoles();
    return progress || (arrived && m_recovery->m_adaptiveTimeout);
}

bool
SelectiveRepeatLossRecovery::Sender::OnNak(uint64_t cumulative, uint64_t /* psn */)
{
    return Acknowledge(cumulative);
}

bool
SelectiveRepeatLossRecovery::Sender::MindsTimeoutWhileSending() const
{
    return true;
}

SenderRecovery::Loss
SelectiveRepeatLossRecovery::Sender::OnTimeout()
{
    if (m_unacknowledged == m_next)
    {
        return Loss::Oldest;
    }
    NS_LOG_INFO("time-out: sends PSN " << m_unacknowledged << " to " << m_next - 1 << " again");
    ++m_timeouts;
    Holes& holes = OpenHoles();
    for (uint64_t psn = m_unacknowledged; psn < m_next; ++psn)
    {
        TakeForLost(psn);
    }
    holes.judged = m_unacknowledged;
    return Loss::Oldest;
}

bool
SelectiveRepeatLossRecovery::Sender::HasHoles() const
{
    return m_holes != nullptr;
}

bool
SelectiveRepeatLossRecovery::Sender::Acknowledge(uint64_t cumulative)
{
    NS_ASSERT_MSG(cumulative <= m_next, "an ACK for a frame that was never sent");
    if (cumulative <= m_unacknowledged)
    {
        return false;
    }
    if (m_holes)
    {
        for (uint64_t psn = m_unacknowledged; psn < cumulative; ++psn)
        {
            m_holes->acknowledged.Erase(psn);
            m_holes->lost.Erase(psn);
        }
        m_holes->judged = std::max(m_holes->judged, cumulative);
        // The last transmission of the new first missing frame is not stored; it was before now.
        m_holes->firstFresh = m_next;
    }
    m_unacknowledged = cumulative;
    m_timeouts = 0;
    CloseHoles();
    return true;
}

void
SelectiveRepeatLossRecovery::Sender::TakeForLost(uint64_t psn)
{
    if (!m_holes->acknowledged.Contains(psn) && m_holes->lost.Insert(psn))
    {
        m_holes->firstLost = std::min(m_holes->firstLost, psn);
    }
}

SelectiveRepeatLossRecovery::Sender::Holes&
SelectiveRepeatLossRecovery::Sender::OpenHoles()
{
    if (!m_holes)
    {
        m_holes = std::make_unique<Holes>(m_recovery->m_reorderWindow);
        m_holes->firstLost = m_next;
        m_holes->judged = m_unacknowledged;
    }
    return *m_holes;
}

void
SelectiveRepeatLossRecovery::Sender::CloseHoles()
{
    if (!m_holes)
    {
        return;
    }
    if (m_holes->lost.GetSize() > 0)
    {
        while (!m_holes->lost.Contains(m_holes->firstLost))
        {
            ++m_holes->firstLost;
        }
    }
    else if (m_holes->acknowledged.GetSize() == 0)
    {
        m_holes.reset();
    }
    else
    {
        m_holes->firstLost = m_next;
    }
}

SelectiveRepeatLossRecovery::Receiver::Receiver(Ptr<const SelectiveRepeatLossRecovery> recovery)
    : m_recovery(recovery)
{
}

ReceiverRecovery::Verdict
SelectiveRepeatLossRecovery::Receiver::OnData(TimePs /* now */, const Arrival& frame)
{
    const uint64_t psn = frame.psn;
    if (psn < m_expected)
    {
        return {0, Reply::Ack, m_expected};
    }
    if (psn > m_expected)
    {
        if (psn - m_expected >= m_recovery->m_reorderWindow)
        {
            return {0, Reply::None, m_expected};
        }
        if (!m_received)
        {
            m_received = std::make_unique<PsnBitmap>(m_recovery->m_reorderWindow);
        }
        return {m_received->Insert(psn) ? frame.payload : 0, Reply::Ack, m_expected};
    }
    ++m_expected;
    if (m_received)
    {
        while (m_received->Erase(m_expected))
        {
            ++m_expected;
        }
        if (m_received->GetSize() == 0)
        {
            m_received.reset();
        }
    }
    return {frame.payload, Reply::Ack, m_expected};
}

bool
SelectiveRepeatLossRecovery::Receiver::HasHoles() const
{
    return m_received != nullptr;
}

} // namespace ns3::rails
