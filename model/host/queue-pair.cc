// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair.h"

#include "ns3/log.h"
#include "ns3/rails-port.h"
#include "ns3/rails-prefetch.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsQueuePair");

namespace
{

// Approximate sizes of the objects with their most used state, for prefetching.
constexpr std::size_t kRecoveryBytes = 64;
constexpr std::size_t kRateBytes = 128;

/// Largest number of back-to-back frames of a paced message after a wait.
constexpr uint64_t kMostInArrears = 64;

} // namespace

SendQueue::SendQueue(const Transport& transport,
                     uint32_t number,
                     uint32_t entropy,
                     QueuePairPeer peer,
                     uint64_t rank,
                     uint64_t lineRateBps,
                     const Agenda& agenda,
                     Ptr<PathSelector> path,
                     const CongestionControl::NicState& nic)
    : m_transport(transport),
      m_agenda(agenda),
      m_congestionControl(transport.GetCongestionControl()->Fork()),
      m_lossRecovery(transport.GetLossRecovery()->MakeSender()),
      m_path(path),
      m_usesAcks(m_congestionControl->GetTraits().usesAcks),
      m_usesFeedback(path->GetTraits().usesFeedback),
      m_usesRoundTrips(m_lossRecovery->UsesRoundTrips()),
      m_peer(peer),
      m_number(number),
      m_entropy(entropy),
      m_rank(rank)
{
    m_burst = uint64_t{m_congestionControl->GetBurstBytes()} * 8 * kSecond;
    m_congestionControl->Join(nic);
    m_congestionControl->Start(m_agenda.Now(), lineRateBps);
    m_debt = uint64_t{m_congestionControl->GetStartBytes()} * 8 * kSecond;
    m_debtAt = m_agenda.Now();
}

void
SendQueue::Append(MessageState& transfer)
{
    transfer.firstPsn = m_end;
    transfer.next = nullptr;
    m_end += m_transport.GetFrames(transfer.bytes);
    if (m_newest)
    {
        m_newest->next = &transfer;
    }
    else
    {
        m_oldest = &transfer;
        m_current = &transfer;
    }
    m_newest = &transfer;
}

MessageState*
SendQueue::Find(uint64_t psn) const
{
    if (!m_current || psn < m_current->firstPsn)
    {
        m_current = m_oldest;
    }
    while (m_current->next && m_current->next->firstPsn <= psn)
    {
        m_current = m_current->next;
    }
    return m_current;
}

bool
SendQueue::CanSend() const
{
    const uint64_t psn = m_lossRecovery->GetNext(m_end);
    return psn < m_end && FitsWindow() && IsStaged(psn);
}

bool
SendQueue::FitsWindow() const
{
    if (!m_usesAcks && m_transport.GetWindow().IsSpecial())
    {
        return true;
    }
    const uint64_t window =
        std::min(m_transport.GetWindow().Get(), m_congestionControl->GetWindowBytes());
    const uint64_t inFlight = m_lossRecovery->GetInFlight();
    // A window smaller than a frame allows one frame at a time.
    return inFlight == 0 || (inFlight + 1) * m_transport.GetMtu() <= window;
}

bool
SendQueue::IsStaged(uint64_t psn) const
{
    const MessageState& transfer = *Find(psn);
    const uint64_t through = (psn - transfer.firstPsn + 1) * m_transport.GetMtu();
    return transfer.staged >= std::min(through, transfer.bytes);
}

SendQueue::Sent
SendQueue::Send(Frame& frame)
{
    const TimePs now = m_agenda.Now();
    const uint64_t psn = m_lossRecovery->GetNext(m_end);
    MessageState& transfer = *Find(psn);
    const uint64_t offset = (psn - transfer.firstPsn) * m_transport.GetMtu();
    frame.kind = FrameKind::Data;
    frame.trafficClass = kDataClass;
    frame.ecnCapable = true;
    frame.transfer = &transfer;
    frame.payload = static_cast<uint32_t>(std::min(m_transport.GetMtu(), transfer.bytes - offset));
    frame.bytes = frame.payload + static_cast<uint32_t>(m_transport.GetDataHeader());
    frame.sentAt = now;
    frame.destination = m_peer.address;
    frame.destinationNic = m_peer.nic;
    frame.queuePair = m_peer.queuePair;
    frame.entropy = m_entropy;

    const bool firstTime = psn >= m_firstUnsent;
    const SenderRecovery::Departure departure = m_lossRecovery->OnSent(psn, !firstTime);
    if (departure.startsTimeout)
    {
        m_progressAt = now;
    }
    frame.psn = departure.number;
    frame.isRepeat = !firstTime;
    PayDebt(now);
    const uint32_t wireBytes = frame.bytes + static_cast<uint32_t>(m_transport.GetWireOverhead());
    OweFrame(transfer.message, uint64_t{wireBytes} * 8);
    m_congestionControl->OnSent(now, wireBytes);

    transfer.isRepeated = transfer.isRepeated || frame.isRepeat;
    if (offset == 0 && firstTime)
    {
        transfer.message->sent = now;
    }
    NS_LOG_LOGIC(FormatTime(now) << ": queue pair " << m_number << " to NIC " << m_peer.nic
                                 << " sends PSN " << psn << " of " << m_end);
    if (departure.tellsOfLoss)
    {
        NS_LOG_INFO(FormatTime(now) << ": queue pair " << m_number << " to NIC " << m_peer.nic
                                    << " knows of a loss");
        m_congestionControl->OnLoss(now);
        if (m_usesFeedback)
        {
            m_path->OnFeedback(now, {PathFeedback::Kind::Loss, psn});
        }
    }
    m_path->Choose(now, frame);
    m_firstUnsent = std::max(m_firstUnsent, psn + 1);
    const bool lastOfMessage = offset + frame.payload == transfer.bytes;
    if (lastOfMessage && transfer.next)
    {
        m_current = transfer.next;
    }
    return {firstTime, lastOfMessage};
}

/// \return the rate that pays the debt: of the congestion control, or the lower pace of a message
uint64_t
SendQueue::GetRate(TimePs at) const
{
    const uint64_t rate = m_congestionControl->GetRateBps(at);
    return m_pace == 0 ? rate : std::min(rate, m_pace);
}

/// Adds a frame to the debt. A paced message that had to wait for its NIC or its bytes owes less:
/// its pace counts from its post.
void
SendQueue::OweFrame(const Message* message, uint64_t wireBits)
{
    const TimePs now = m_agenda.Now();
    const uint64_t owed = wireBits * kSecond;
    m_pace = message ? message->paceBps : 0;
    if (m_pace == 0)
    {
        m_credit = 0;
    }
    else if (m_debt == 0)
    {
        const uint64_t most = kMostInArrears * owed;
        const auto waited = static_cast<uint64_t>(now - std::max(m_freeAt, message->start));
        const bool isLong = waited >= most / m_pace;
        m_credit = isLong ? most : std::min(most, m_credit + waited * m_pace);
    }
    m_debt += owed;
    const uint64_t madeUp = std::min(m_debt, m_credit);
    m_debt -= madeUp;
    m_credit -= madeUp;
    m_freeAt = now; // or later, see PayDebt()
}

void
SendQueue::PayDebt(TimePs now)
{
    while (m_debt > 0 && m_debtAt < now)
    {
        const uint64_t rate = GetRate(m_debtAt);
        const TimePs until = std::min(now, m_congestionControl->GetNextChange(m_debtAt));
        const auto paidOff = static_cast<TimePs>((m_debt + rate - 1) / rate);
        const bool isPaid = until - m_debtAt >= paidOff;
        m_debt = isPaid ? 0 : m_debt - rate * (until - m_debtAt);
        m_freeAt = m_debtAt + paidOff;
        m_debtAt = isPaid && m_burst > 0 ? m_debtAt + paidOff : until;
    }
    const TimePs credit = m_burst > 0 ? static_cast<TimePs>(m_burst / GetRate(now)) : 0;
    m_debtAt = std::max(m_debtAt, now - credit);
}

TimePs
SendQueue::GetReadyAt()
{
    const TimePs now = m_agenda.Now();
    PayDebt(now);
    if (m_debt == 0)
    {
        return now;
    }
    const uint64_t rate = GetRate(now);
    const auto paidOff = static_cast<TimePs>((m_debt + rate - 1) / rate);
    return std::min(now + paidOff, m_congestionControl->GetNextChange(now));
}

void
SendQueue::OnReply(const Frame& reply)
{
    const TimePs now = m_agenda.Now();
    if (m_usesRoundTrips)
    {
        m_lossRecovery->OnRoundTrip(now - reply.sentAt);
    }
    const bool progress = reply.kind == FrameKind::Nak
                              ? m_lossRecovery->OnNak(reply.cumulative, reply.psn)
                              : m_lossRecovery->OnAck(reply.cumulative, reply.psn);
    if (progress)
    {
        m_progressAt = now;
    }
    if (m_isTornDown)
    {
        return;
    }
    if (m_usesAcks)
    {
        PayDebt(now);
        m_congestionControl->OnAck(now, {reply.marked, now - reply.sentAt, reply.telemetry});
    }
    if (m_usesFeedback)
    {
        m_path->OnFeedback(
            now,
            {PathFeedback::Kind::Ack, reply.psn, reply.entropy, reply.marked, now - reply.sentAt});
    }
}

void
SendQueue::OnCnp()
{
    const TimePs now = m_agenda.Now();
    PayDebt(now);
    m_congestionControl->OnCnp(now);
    NS_LOG_INFO(FormatTime(now) << ": queue pair " << m_number << " to NIC " << m_peer.nic
                                << " gets a CNP");
}

void
SendQueue::SetLineRate(uint64_t lineRateBps)
{
    const TimePs now = m_agenda.Now();
    if (m_oldest)
    {
        PayDebt(now); // without messages the rate may not be defined yet
    }
    m_congestionControl->SetLineRate(now, lineRateBps);
}

uint64_t
SendQueue::TearDown()
{
    uint64_t unsent = 0;
    MessageState* transfer = m_oldest;
    m_oldest = nullptr;
    m_newest = nullptr;
    while (transfer)
    {
        MessageState* const next = transfer->next;
        const uint64_t frames =
            m_firstUnsent > transfer->firstPsn ? m_firstUnsent - transfer->firstPsn : 0;
        unsent += transfer->bytes - std::min(transfer->bytes, frames * m_transport.GetMtu());
        if (transfer->received == transfer->bytes)
        {
            transfer->next = nullptr;
            (m_newest ? m_newest->next : m_oldest) = transfer;
            m_newest = transfer;
        }
        transfer = next;
    }
    m_isTornDown = true;
    m_current = nullptr;
    m_end = 0;
    m_firstUnsent = 0;
    m_progressAt = m_agenda.Now();
    return unsent;
}

void
SendQueue::OnTimeout()
{
    m_progressAt = m_agenda.Now();
    if (m_isTornDown)
    {
        return;
    }
    if (!m_lossRecovery->MindsTimeoutWhileSending() && CanSend())
    {
        return;
    }
    PayDebt(m_progressAt);
    const SenderRecovery::Loss loss = m_lossRecovery->OnTimeout();
    if (loss != SenderRecovery::Loss::None)
    {
        m_congestionControl->OnLoss(m_progressAt);
    }
    if (loss == SenderRecovery::Loss::Oldest && m_usesFeedback)
    {
        m_path->OnFeedback(m_progressAt,
                           {PathFeedback::Kind::Timeout, m_lossRecovery->GetUnacknowledged()});
    }
}

MessageState*
SendQueue::TakeAcknowledged()
{
    if (!m_oldest || m_lossRecovery->GetUnacknowledged() <
                         m_oldest->firstPsn + m_transport.GetFrames(m_oldest->bytes))
    {
        return nullptr;
    }
    return TakeOldest();
}

MessageState*
SendQueue::TakeOldest()
{
    if (!m_oldest)
    {
        return nullptr;
    }
    MessageState* transfer = m_oldest;
    m_oldest = transfer->next;
    if (!m_oldest)
    {
        m_newest = nullptr;
    }
    if (m_current == transfer)
    {
        m_current = m_oldest;
    }
    return transfer;
}

bool
SendQueue::WasDeliveredBy(TimePs time) const
{
    for (const MessageState* transfer = m_oldest; transfer; transfer = transfer->next)
    {
        if (transfer->message->end == kNever || transfer->message->end > time)
        {
            return false;
        }
    }
    return true;
}

TimePs
SendQueue::GetDeadline() const
{
    const bool waits =
        m_isTornDown ? m_oldest != nullptr : m_lossRecovery->GetUnacknowledged() < m_firstUnsent;
    return waits ? m_progressAt + m_lossRecovery->GetTimeout() : kNever;
}

SendQueue::Allowance
SendQueue::FindAllowance()
{
    const TimePs now = m_agenda.Now();
    PayDebt(now); // at the rates up to now, before it is asked for the present one
    return {m_congestionControl->GetRateBps(now),
            std::min(m_transport.GetWindow().Get(), m_congestionControl->GetWindowBytes()),
            m_congestionControl->GetAlpha(now)};
}

void
SendQueue::Prefetch() const
{
    rails::Prefetch(m_lossRecovery.get(), kRecoveryBytes);
    rails::Prefetch(PeekPointer(m_congestionControl), kRateBytes);
    rails::Prefetch(m_current, MessageState::kBusyBytes);
}

} // namespace ns3::rails
