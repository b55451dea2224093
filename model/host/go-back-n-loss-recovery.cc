// SPDX-License-Identifier: GPL-2.0-only
#include "go-back-n-loss-recovery.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GoBackNLossRecovery);

TypeId
GoBackNLossRecovery::GetTypeId()
{
    // 500 us: longer than a round trip through normal queues, so that frames which were on their
    // way before the sender went back cause no second NAK; much shorter than the timeout.
    static TypeId tid =
        TypeId("ns3::rails::GoBackNLossRecovery")
            .SetParent<LossRecovery>()
            .SetGroupName("Rails")
            .AddConstructor<GoBackNLossRecovery>()
            .AddAttribute("About",
                          "The receiver takes frames in order only; after a gap the sender starts "
                          "again from the missing frame. (InfiniBand specification, reliable "
                          "connection)",
                          0,
                          EmptyAttributeValue(),
                          MakeEmptyAttributeAccessor(),
                          MakeEmptyAttributeChecker())
            .AddAttribute("Timeout",
                          kTimeoutHelp,
                          TimeValue(MilliSeconds(kTimeoutMs)),
                          MakeTimeAccessor(&GoBackNLossRecovery::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("NakInterval",
                          "Shortest time between two NAKs for the same missing frame; it should "
                          "exceed the round-trip time.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GoBackNLossRecovery::m_nakInterval),
                          MakeTimeChecker(NanoSeconds(0)));
    return tid;
}

GoBackNLossRecovery::GoBackNLossRecovery(const GoBackNLossRecovery& other)
    : LossRecovery(other),
      m_nakInterval(other.m_nakInterval)
{
}

Ptr<LossRecovery>
GoBackNLossRecovery::Fork() const
{
    return CopyObject<GoBackNLossRecovery>(this);
}

bool
GoBackNLossRecovery::NeedsOrder() const
{
    return true;
}

uint64_t
GoBackNLossRecovery::GetNext(uint64_t end) const
{
    return std::min(m_next, end);
}

uint64_t
GoBackNLossRecovery::OnSent(uint64_t psn)
{
    m_next = psn + 1;
    return psn;
}

uint64_t
GoBackNLossRecovery::GetUnacknowledged() const
{
    return m_unacknowledged;
}

uint64_t
GoBackNLossRecovery::GetInFlight() const
{
    return m_next - m_unacknowledged;
}

bool
GoBackNLossRecovery::OnAck(uint64_t cumulative, uint64_t /* psn */)
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

bool
GoBackNLossRecovery::OnNak(uint64_t cumulative, uint64_t psn)
{
    const bool progress = OnAck(cumulative, psn);
    if (cumulative == m_unacknowledged)
    {
        m_next = cumulative;
    }
    return progress;
}

void
GoBackNLossRecovery::OnTimeout()
{
    m_next = m_unacknowledged;
}

LossRecovery::Verdict
GoBackNLossRecovery::OnData(TimePs now, uint64_t psn)
{
    if (psn == m_expected)
    {
        ++m_expected;
        m_nakFrom = 0;
        return {true, Reply::Ack, m_expected};
    }
    if (psn < m_expected)
    {
        return {false, Reply::Ack, m_expected};
    }
    if (now < m_nakFrom)
    {
        return {false, Reply::None, m_expected};
    }
    m_nakFrom = now + m_nakInterval.GetTimeStep();
    return {false, Reply::Nak, m_expected};
}

} // namespace ns3::rails
