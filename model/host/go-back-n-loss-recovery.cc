// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

#include "ns3/component-documentation.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsGoBackN");

/**
 * Go-back-N, as RoCE NICs do it (InfiniBand specification, reliable connection): the receiver
 * accepts frames only in order, acknowledges each frame and answers the first frame behind a gap
 * with a NAK; the sender then retransmits from the missing frame on. Duplicates are acknowledged
 * again.
 */
class GoBackNLossRecovery : public LossRecovery
{
  public:
    static TypeId GetTypeId();

    GoBackNLossRecovery()
    {
        m_traits.needsOrder = true;
    }

    std::unique_ptr<SenderRecovery> MakeSender() const override;
    std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const override;

  private:
    class Sender;
    class Receiver;

    Time m_nakInterval;
};

/// The sender's half.
class GoBackNLossRecovery::Sender : public SenderRecovery
{
  public:
    explicit Sender(Ptr<const GoBackNLossRecovery> recovery)
        : m_recovery(recovery)
    {
    }

    TimePs GetTimeout() const override
    {
        return m_recovery->GetTimeout();
    }

    bool UsesRoundTrips() const override
    {
        return false;
    }

    void OnRoundTrip(TimePs /* roundTrip */) override
    {
    }

    uint64_t GetNext(uint64_t end) const override
    {
        return std::min(m_next, end);
    }

    Departure OnSent(uint64_t psn, bool isRepeat) override
    {
        m_next = psn + 1;
        return {psn, psn == m_unacknowledged, isRepeat};
    }

    uint64_t GetUnacknowledged() const override
    {
        return m_unacknowledged;
    }

    uint64_t GetInFlight() const override
    {
        return m_next - m_unacknowledged;
    }

    bool OnAck(uint64_t cumulative, uint64_t /* psn */) override
    {
        if (cumulative <= m_unacknowledged)
        {
            return false;
        }
        m_unacknowledged = cumulative;
        // After going back, an ACK for the first transmission may still come.
        m_next = std::max(m_next, cumulative);
        return true;
    }

    bool OnNak(uint64_t cumulative, uint64_t psn) override
    {
        const bool progress = OnAck(cumulative, psn);
        if (cumulative == m_unacknowledged)
        {
            NS_LOG_INFO("NAK: goes back from PSN " << m_next << " to " << cumulative);
            m_next = cumulative;
        }
        return progress;
    }

    bool MindsTimeoutWhileSending() const override
    {
        return true;
    }

    Loss OnTimeout() override
    {
        NS_LOG_INFO("time-out: goes back from PSN " << m_next << " to " << m_unacknowledged);
        m_next = m_unacknowledged;
        return Loss::Oldest;
    }

  private:
    uint64_t m_unacknowledged{0};
    uint64_t m_next{0};
    Ptr<const GoBackNLossRecovery> m_recovery;
};

/// The receiver's half.
class GoBackNLossRecovery::Receiver : public ReceiverRecovery
{
  public:
    explicit Receiver(Ptr<const GoBackNLossRecovery> recovery)
        : m_recovery(recovery)
    {
    }

    Verdict OnData(TimePs now, const Arrival& frame) override
    {
        if (frame.psn == m_expected)
        {
            ++m_expected;
            m_nakFrom = 0;
            return {frame.payload, Reply::Ack, m_expected};
        }
        if (frame.psn < m_expected)
        {
            return {0, Reply::Ack, m_expected};
        }
        if (now < m_nakFrom)
        {
            return {0, Reply::None, m_expected};
        }
        m_nakFrom = now + m_recovery->m_nakInterval.GetTimeStep();
        return {0, Reply::Nak, m_expected};
    }

  private:
    uint64_t m_expected{0};
    TimePs m_nakFrom{0}; // earliest time of the next NAK for the expected frame
    Ptr<const GoBackNLossRecovery> m_recovery;
};

NS_OBJECT_ENSURE_REGISTERED(GoBackNLossRecovery);

TypeId
GoBackNLossRecovery::GetTypeId()
{
    // 500 us: longer than a round trip through normal queues, so that frames in flight when the
    // sender goes back cause no second NAK; much shorter than the timeout.
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::GoBackNLossRecovery").SetParent<LossRecovery>(),
                         "The receiver takes frames in order only; after a gap the sender starts "
                         "again from the missing frame. (InfiniBand specification, reliable "
                         "connection)")
            .SetGroupName("Rails")
            .AddConstructor<GoBackNLossRecovery>()
            .AddAttribute("Timeout",
                          kTimeoutHelp,
                          TimeValue(MilliSeconds(kTimeoutMs)),
                          MakeTimeAccessor(&GoBackNLossRecovery::m_timeout),
                          MakeTimeRange(kNanosecond))
            .AddAttribute("NakInterval",
                          "Shortest time between two NAKs for the same missing frame; it should "
                          "exceed the round-trip time.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GoBackNLossRecovery::m_nakInterval),
                          MakeTimeRange());
    return tid;
}

std::unique_ptr<SenderRecovery>
GoBackNLossRecovery::MakeSender() const
{
    return std::make_unique<Sender>(this);
}

std::unique_ptr<ReceiverRecovery>
GoBackNLossRecovery::MakeReceiver(uint32_t /* mtu */) const
{
    return std::make_unique<Receiver>(this);
}

} // namespace ns3::rails
