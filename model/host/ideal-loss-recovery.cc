// SPDX-License-Identifier: GPL-2.0-only
#include "ideal-loss-recovery.h"

#include "rails-transport.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(IdealLossRecovery);

TypeId
IdealLossRecovery::GetTypeId()
{
    // 100 us: five switch ports with 200 frames of 4 KiB each, there and back, take 84 us at 800
    // Gbps, and the round trip of an idle fat-tree 6.3 us.
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::IdealLossRecovery").SetParent<LossRecovery>(),
                         "A code without overhead: as many frames as a message has complete it, "
                         "whichever arrive. (arXiv 2507.21372 and its public simulator)")
            .SetGroupName("Rails")
            .AddConstructor<IdealLossRecovery>()
            .AddAttribute("Timeout",
                          "Time after the last frame that a sender waits for the message to be "
                          "complete, before it sends more, as long as it has measured no round "
                          "trip; afterwards it waits for srtt + 4 mdev, at most this long.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&IdealLossRecovery::m_timeout),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("MinimumTimeout",
                          "The same at the least. (public simulator of arXiv 2507.21372)",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&IdealLossRecovery::m_minimumTimeout),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("Persistent",
                          "Whether a sender goes on a smoothed round trip after it stopped for the "
                          "first time, and does not stop again before all has arrived, as in the "
                          "public simulator of arXiv 2507.21372; otherwise it sends as many frames "
                          "as are missing and waits again.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IdealLossRecovery::m_persistent),
                          MakeBooleanChecker());
    return tid;
}

void
IdealLossRecovery::Check(const Transport& transport) const
{
    if (transport.GetQueuePairPer() != Transport::MESSAGE)
    {
        throw ConfigurationError("",
                                 "ideal recovery codes over the frames of one message: set qp_per "
                                 "to message, so that each has a queue pair of its own");
    }
}

std::unique_ptr<SenderRecovery>
IdealLossRecovery::MakeSender() const
{
    return std::make_unique<Sender>(this);
}

std::unique_ptr<ReceiverRecovery>
IdealLossRecovery::MakeReceiver(uint32_t mtu) const
{
    return std::make_unique<Receiver>(mtu);
}

IdealLossRecovery::Sender::Sender(Ptr<const IdealLossRecovery> recovery)
    : m_recovery(recovery)
{
}

bool
IdealLossRecovery::Sender::UsesRoundTrips() const
{
    return true;
}

void
IdealLossRecovery::Sender::OnRoundTrip(TimePs roundTrip)
{
    if (!m_hasRoundTrip)
    {
        m_roundTrips = RoundTripEstimator(0, m_recovery->m_minimumTimeout.GetTimeStep());
        m_hasRoundTrip = true;
    }
    m_roundTrips.Add(roundTrip);
}

TimePs
IdealLossRecovery::Sender::GetTimeout() const
{
    const TimePs longest = m_recovery->GetTimeout();
    if (!m_hasRoundTrip)
    {
        return longest;
    }
    return std::min(m_recovery->m_persistent ? m_roundTrips.GetSmoothed() : m_roundTrips.GetRto(),
                    longest);
}

uint64_t
IdealLossRecovery::Sender::GetNext(uint64_t end) const
{
    const bool hasSentAll = m_sent - GetLost() >= end;
    m_stopped = m_stopped || hasSentAll;
    if (m_arrived >= end || (hasSentAll && !m_resumed))
    {
        return end;
    }
    return m_sent < end ? m_sent : 0;
}

SenderRecovery::Departure
IdealLossRecovery::Sender::OnSent(uint64_t /* psn */, bool /* isRepeat */)
{
    // With a code it is unknown which frames were lost.
    return {m_sent++, !MindsTimeoutWhileSending(), false};
}

uint64_t
IdealLossRecovery::Sender::GetUnacknowledged() const
{
    return m_arrived;
}

uint64_t
IdealLossRecovery::Sender::GetInFlight() const
{
    return m_sent - m_judged;
}

bool
IdealLossRecovery::Sender::OnAck(uint64_t cumulative, uint64_t psn)
{
    NS_ASSERT_MSG(psn < m_sent && cumulative <= m_sent, "an ACK for a frame that was never sent");
    m_arrived = std::max(m_arrived, cumulative);
    // At least this many frames were sent before, also when the answer to the last is missing.
    m_judged = std::max({m_judged, psn + 1, m_arrived});
    return false;
}

bool
IdealLossRecovery::Sender::OnNak(uint64_t cumulative, uint64_t psn)
{
    return OnAck(cumulative, psn);
}

// A sender that has stopped waits for answers; a sender with more frames to send does not, and
// answers show that its paths work.
bool
IdealLossRecovery::Sender::MindsTimeoutWhileSending() const
{
    return m_recovery->m_persistent && m_stopped;
}

SenderRecovery::Loss
IdealLossRecovery::Sender::OnTimeout()
{
    m_judged = m_sent;
    m_resumed = m_recovery->m_persistent;
    // A persistent sender that has stopped resumes with or without losses.
    return MindsTimeoutWhileSending() ? Loss::None : Loss::Some;
}

uint64_t
IdealLossRecovery::Sender::GetLost() const
{
    return m_judged - m_arrived;
}

IdealLossRecovery::Receiver::Receiver(uint32_t mtu)
    : m_mtu(mtu)
{
}

ReceiverRecovery::Verdict
IdealLossRecovery::Receiver::OnData(TimePs /* now */, const Arrival& frame)
{
    ++m_arrived;
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(m_mtu, frame.missing));
    return {bytes, Reply::Ack, m_arrived};
}

} // namespace ns3::rails
