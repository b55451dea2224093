// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-nic.h"

#include "ns3/lazy-traces.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rail-queue.h"
#include "ns3/rails-prefetch.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsNic");

NS_OBJECT_ENSURE_REGISTERED(RdmaNic);

namespace
{

// Approximate size of the receiver's half of a loss recovery, for prefetching.
constexpr std::size_t kReceiverBytes = 64;

template <typename T>
void
PushBack(boost::circular_buffer<T>& ring, T item)
{
    if (ring.full())
    {
        ring.set_capacity(std::max<std::size_t>(8, 2 * ring.capacity()));
    }
    ring.push_back(item);
}

} // namespace

TypeId
RdmaNic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::RdmaNic")
            .SetParent<FrameDevice>()
            .SetGroupName("Rails")
            .AddAttribute("Port",
                          "The port of the NIC.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&RdmaNic::m_port),
                          MakePointerChecker<Port>())
            .AddTraceSource("Waits",
                            "The port asked for a data frame and there is none that may go, or a "
                            "message was posted: see GetWait().",
                            MakeLazyTraceAccessor(&RdmaNic::m_sources, &Sources::waits),
                            "ns3::rails::RdmaNic::WaitsCallback")
            .AddTraceSource("Path",
                            "A queue pair has chosen the path of a data frame: its entropy, or "
                            "its route.",
                            MakeLazyTraceAccessor(&RdmaNic::m_sources, &Sources::path),
                            "ns3::rails::RdmaNic::QueuePairFrameCallback")
            .AddTraceSource("Retransmit",
                            "A queue pair sends a data frame again.",
                            MakeLazyTraceAccessor(&RdmaNic::m_sources, &Sources::retransmit),
                            "ns3::rails::RdmaNic::QueuePairFrameCallback")
            .AddTraceSource("Rate",
                            "Rate in bit/s that congestion control gives a queue pair, before and "
                            "after a change, as of a frame, an answer or a time-out; from 0 at "
                            "first.",
                            MakeLazyTraceAccessor(&RdmaNic::m_sources, &Sources::rate),
                            "ns3::rails::RdmaNic::AllowanceCallback")
            .AddTraceSource("Window",
                            "Payload bytes that a queue pair may have in flight, likewise.",
                            MakeLazyTraceAccessor(&RdmaNic::m_sources, &Sources::window),
                            "ns3::rails::RdmaNic::AllowanceCallback")
            .AddTraceSource("Alpha",
                            "Estimate of congestion of a queue pair's DCQCN, likewise.",
                            MakeLazyTraceAccessor(&RdmaNic::m_sources, &Sources::alpha),
                            "ns3::rails::RdmaNic::AlphaCallback");
    return tid;
}

RdmaNic::RdmaNic(const Place& place,
                 uint32_t node,
                 uint64_t rateBps,
                 Ptr<const Transport> transport,
                 Ptr<PathSelector> path,
                 Ptr<const NicProfile> profile,
                 NicClient& client,
                 Agenda& agenda,
                 FramePool& pool)
    : m_place(place),
      m_transport(transport),
      m_path(path),
      m_random(CreateObject<UniformRandomVariable>()),
      m_profile(profile),
      m_client(client),
      m_agenda(agenda),
      m_pool(pool),
      m_port(CreateObject<Port>(Port::Identity{node, place.rail, "nic_tx", rateBps},
                                *this,
                                agenda,
                                pool)),
      m_usesEcn(transport->GetCongestionControl()->GetTraits().usesEcn),
      m_usesTelemetry(transport->GetCongestionControl()->GetTraits().usesTelemetry),
      m_routesReplies(path->GetTraits().routesReplies),
      m_cnpInterval(transport->GetCongestionControl()->GetCnpInterval()),
      m_pacing{{*this, TaskPhase::Timer, 3 * place.rails + place.rail}},
      m_timeouts{{*this, TaskPhase::Timer, place.rails + place.rail}},
      m_posting(*this, TaskPhase::Timer, 2 * place.rails + place.rail)
{
    if (m_usesTelemetry)
    {
        m_pool.EnableTelemetry();
    }
}

void
RdmaNic::DoDispose()
{
    m_sendQueues.clear();
    m_receiveQueues.clear();
    m_port->Dispose();
    FrameDevice::DoDispose();
}

void
RdmaNic::SetNicAddress(NicAddress address, const Router& router)
{
    m_nicAddress = address;
    m_router = &router;
}

int64_t
RdmaNic::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

Ptr<PathSelector>
RdmaNic::MakePath(uint32_t flow, NicAddress destination)
{
    Ptr<PathSelector> path = m_path->GetTraits().isShared ? m_path : m_path->Fork();
    path->Start(m_agenda.Now(), {flow, m_nicAddress.edge, destination.edge, m_router, m_random});
    return path;
}

SendQueue&
RdmaNic::MakeQueuePair(RdmaNic& peer, std::optional<uint32_t> entropy)
{
    const auto number = static_cast<uint32_t>(m_sendQueues.size());
    const auto peerNumber = static_cast<uint32_t>(peer.m_receiveQueues.size());
    ReceiveQueue receiver;
    receiver.lossRecovery =
        m_transport->GetLossRecovery()->MakeReceiver(static_cast<uint32_t>(m_transport->GetMtu()));
    receiver.peerNic = m_place.number;
    receiver.peerAddress = m_nicAddress;
    receiver.peerQueuePair = number;
    receiver.peerEntropy = entropy.value_or(number);
    peer.m_receiveQueues.push_back(std::move(receiver));
    // The first round of a NIC starts with the next server, so that not all NICs start with the
    // same peer.
    const uint64_t rank = uint64_t{peer.m_place.server + m_place.servers - m_place.server - 1} %
                              m_place.servers * m_place.rails +
                          peer.m_place.rail;
    m_sendQueues.push_back(std::make_unique<SendQueue>(
        *m_transport,
        number,
        entropy.value_or(number),
        QueuePairPeer{peer.m_place.number, peer.m_nicAddress, peerNumber},
        rank,
        m_port->GetRateBps(),
        m_agenda,
        MakePath(number, peer.m_nicAddress),
        CongestionControl::NicState{&m_activeQueuePairs,
                                    m_transport->GetLargestDataFrame() + m_port->GetWireOverhead(),
                                    m_random,
                                    static_cast<uint32_t>(m_transport->GetMtu())}));
    return *m_sendQueues.back();
}

SendQueue&
RdmaNic::FindQueuePair(const MessageState& transfer, RdmaNic& peer)
{
    uint64_t gpus = 0;
    switch (m_transport->GetQueuePairPer())
    {
    case Transport::MESSAGE:
        return MakeQueuePair(peer, transfer.message->entropy);
    case Transport::GPU_PAIR:
        gpus = uint64_t{transfer.from} * m_place.gpus + transfer.to;
        break;
    case Transport::NIC_PAIR:
        break;
    }
    constexpr uint32_t kChannelBits = 28;
    SendQueue*& known = m_queuePairs[uint64_t{peer.m_place.number} << 32 |
                                     uint64_t{transfer.message->channel} << kChannelBits |
                                     (gpus * kMostSubflows + transfer.message->subflow)];
    if (!known)
    {
        known = &MakeQueuePair(peer);
    }
    return *known;
}

void
RdmaNic::Post(MessageState& transfer, RdmaNic& peer)
{
    transfer.queue = &FindQueuePair(transfer, peer);
    m_missingBytes += transfer.bytes - transfer.staged;
    transfer.order = m_counters.messages++;
    NS_LOG_INFO(FormatTime(m_agenda.Now())
                << ": NIC " << m_place.number << " gets " << transfer.bytes << " B for NIC "
                << peer.m_place.number << " on queue pair " << transfer.queue->GetNumber());
    m_counters.unsentBytes += transfer.bytes;
    const TimePs gap = m_profile->GetMessageGap();
    if (gap == 0)
    {
        Start(transfer);
    }
    else
    {
        m_postingFreeAt = std::max(m_postingFreeAt, m_agenda.Now()) + gap;
        PushBack(m_posted, &transfer);
        if (m_posted.size() == 1)
        {
            m_agenda.Schedule(m_postingFreeAt, m_posting);
        }
    }
    FireTrace(m_sources, &Sources::waits, m_agenda);
}

void
RdmaNic::StartPosted()
{
    MessageState& transfer = *m_posted.front();
    m_posted.pop_front();
    if (!m_posted.empty())
    {
        m_agenda.Schedule(m_agenda.Now() + m_profile->GetMessageGap(), m_posting);
    }
    Start(transfer);
}

void
RdmaNic::Start(MessageState& transfer)
{
    if (transfer.queue->IsTornDown())
    {
        m_counters.unsentBytes -= transfer.bytes;
        return;
    }
    m_activeQueuePairs += transfer.queue->GetOldest() ? 0 : 1;
    transfer.queue->Append(transfer);
    Activate(*transfer.queue);
}

void
RdmaNic::TearDown(SendQueue& queue)
{
    if (queue.IsTornDown())
    {
        return;
    }
    NS_LOG_INFO(FormatTime(m_agenda.Now())
                << ": NIC " << m_place.number << " ends queue pair " << queue.GetNumber());
    const bool wasActive = queue.GetOldest();
    m_counters.unsentBytes -= queue.TearDown();
    m_activeQueuePairs -= wasActive && !queue.GetOldest() ? 1 : 0;
    KeepTimer(queue);
    const auto known = std::find_if(m_queuePairs.begin(),
                                    m_queuePairs.end(),
                                    [&](const auto& pair) { return pair.second == &queue; });
    if (known != m_queuePairs.end())
    {
        m_queuePairs.erase(known);
    }
}

void
RdmaNic::AcknowledgeAll(SendQueue& queue)
{
    TearDown(queue);
    m_activeQueuePairs -= queue.GetOldest() ? 1 : 0;
    while (MessageState* transfer = queue.TakeOldest())
    {
        m_client.OnAcknowledged(*transfer);
    }
}

void
RdmaNic::OnStaged(MessageState& transfer, uint64_t bytes)
{
    m_missingBytes -= bytes;
    Activate(*transfer.queue);
    FireTrace(m_sources, &Sources::waits, m_agenda);
}

void
RdmaNic::Activate(SendQueue& queue)
{
    if (queue.state == SendQueue::State::Dormant && queue.CanSend())
    {
        queue.state = SendQueue::State::Eligible;
        m_fresh.push_back(&queue);
        m_port->Wake();
    }
}

void
RdmaNic::EnterRound()
{
    const TimePs now = m_agenda.Now();
    while (!m_paced.empty() && m_paced.front().at <= now)
    {
        SendQueue* queue = m_paced.front().queue;
        std::pop_heap(m_paced.begin(), m_paced.end());
        m_paced.pop_back();
        queue->state = SendQueue::State::Eligible;
        m_fresh.push_back(queue);
    }
    if (m_fresh.size() > 1)
    {
        std::sort(m_fresh.begin(), m_fresh.end(), [](const SendQueue* a, const SendQueue* b) {
            return a->GetRank() != b->GetRank() ? a->GetRank() < b->GetRank()
                                                : a->GetNumber() < b->GetNumber();
        });
    }
    for (SendQueue* queue : m_fresh)
    {
        PushBack(m_round, queue);
    }
    m_fresh.clear();
}

Frame*
RdmaNic::Pull(Port&)
{
    EnterRound();
    const TimePs now = m_agenda.Now();
    while (!m_round.empty())
    {
        SendQueue& queue = *m_round.front();
        m_round.pop_front();
        if (!queue.CanSend())
        {
            queue.state = SendQueue::State::Dormant;
            continue;
        }
        const TimePs readyAt = queue.GetReadyAt();
        if (readyAt > now)
        {
            queue.state = SendQueue::State::Paced;
            m_paced.push_back({readyAt, &queue});
            std::push_heap(m_paced.begin(), m_paced.end());
            continue;
        }
        Frame* frame = m_pool.Allocate();
        frame->sourceNic = m_place.number;
        frame->sourceEdge = m_nicAddress.edge;
        frame->wantsReports = m_usesTelemetry;
        const SendQueue::Sent sent = queue.Send(*frame);
        ++m_counters.dataFrames;
        FireTrace(m_sources, &Sources::path, m_agenda, queue.GetNumber(), *frame);
        if (sent.firstTime)
        {
            m_counters.txBytes += frame->payload;
            m_counters.unsentBytes -= frame->payload;
        }
        else
        {
            ++m_counters.retransmitted;
            NS_LOG_LOGIC(FormatTime(now)
                         << ": NIC " << m_place.number << " queue pair " << queue.GetNumber()
                         << " sends PSN " << frame->psn << " again");
            FireTrace(m_sources, &Sources::retransmit, m_agenda, queue.GetNumber(), *frame);
        }
        Report(queue);
        KeepTimer(queue);
        PrefetchRound();
        // Its next turn checks whether it has more to send.
        PushBack(m_round, &queue);
        if (sent.firstTime && sent.lastOfMessage)
        {
            m_counters.sentLast = now;
            m_client.OnSent(*frame->transfer);
        }
        return frame;
    }
    if (!m_paced.empty())
    {
        m_pacing.Set(m_agenda, m_paced.front().at);
    }
    FireTrace(m_sources, &Sources::waits, m_agenda);
    return nullptr;
}

// Tells sinks what congestion control allows a queue pair, where that has changed.
void
RdmaNic::ReportAllowance(SendQueue& queue) const
{
    if (!queue.GetOldest())
    {
        return;
    }
    const uint32_t number = queue.GetNumber();
    std::vector<SendQueue::Allowance>& reported = m_sources->reported;
    reported.resize(std::max<std::size_t>(reported.size(), number + 1));
    const SendQueue::Allowance after = queue.FindAllowance();
    const SendQueue::Allowance before = std::exchange(reported[number], after);
    if (before.rateBps != after.rateBps)
    {
        FireTrace(m_sources, &Sources::rate, m_agenda, number, before.rateBps, after.rateBps);
    }
    if (before.windowBytes != after.windowBytes)
    {
        FireTrace(m_sources,
                  &Sources::window,
                  m_agenda,
                  number,
                  before.windowBytes,
                  after.windowBytes);
    }
    if (before.alpha != after.alpha)
    {
        FireTrace(m_sources, &Sources::alpha, m_agenda, number, before.alpha, after.alpha);
    }
}

// Prefetches the next queue pairs: first the queue pair itself, a turn later the objects that it
// points to.
void
RdmaNic::PrefetchRound() const
{
    if (m_round.size() > 1)
    {
        m_round[0]->Prefetch();
        Prefetch(m_round[1], sizeof(SendQueue));
    }
}

void
RdmaNic::KeepTimer(SendQueue& queue)
{
    if (queue.timerAt != kNever && !queue.MovesDeadline())
    {
        return;
    }
    const TimePs deadline = queue.GetDeadline();
    if (deadline < queue.timerAt)
    {
        queue.timerAt = deadline;
        m_retransmission.push_back({deadline, &queue});
        std::push_heap(m_retransmission.begin(), m_retransmission.end());
        m_timeouts.Set(m_agenda, m_retransmission.front().at);
    }
}

void
RdmaNic::ServePacing()
{
    if (m_agenda.Now() < m_pacing.at)
    {
        return;
    }
    m_pacing.at = kNever;
    m_port->Wake();
}

void
RdmaNic::ServeTimeouts()
{
    const TimePs now = m_agenda.Now();
    if (now < m_timeouts.at)
    {
        return;
    }
    m_timeouts.at = kNever;
    while (!m_retransmission.empty() && m_retransmission.front().at <= now)
    {
        const Appointment appointment = m_retransmission.front();
        SendQueue& queue = *appointment.queue;
        std::pop_heap(m_retransmission.begin(), m_retransmission.end());
        m_retransmission.pop_back();
        if (appointment.at != queue.timerAt)
        {
            continue; // replaced by an earlier appointment
        }
        if (queue.GetDeadline() <= now)
        {
            ServeTimeout(queue);
        }
        // ACKs since the appointment have moved the deadline.
        queue.timerAt = queue.GetDeadline();
        if (queue.timerAt != kNever)
        {
            m_retransmission.push_back({queue.timerAt, &queue});
            std::push_heap(m_retransmission.begin(), m_retransmission.end());
        }
    }
    if (!m_retransmission.empty())
    {
        m_timeouts.Set(m_agenda, m_retransmission.front().at);
    }
}

void
RdmaNic::ServeTimeout(SendQueue& queue)
{
    NS_LOG_INFO(FormatTime(m_agenda.Now()) << ": NIC " << m_place.number << " queue pair "
                                           << queue.GetNumber() << " waits in vain for an ACK");
    queue.OnTimeout();
    Report(queue);
    Activate(queue);
    m_client.OnTimeout(*this, queue);
}

void
RdmaNic::RateChanged(Port& port)
{
    for (const auto& queue : m_sendQueues)
    {
        queue->SetLineRate(port.GetRateBps());
    }
    // Appointments were made for the old rate.
    for (const Appointment& appointment : m_paced)
    {
        appointment.queue->state = SendQueue::State::Eligible;
        m_fresh.push_back(appointment.queue);
    }
    m_paced.clear();
    port.Wake();
}

void
RdmaNic::Receive(Frame* frame, Port&)
{
    if (frame->kind == FrameKind::Data)
    {
        ReceiveData(frame);
    }
    else
    {
        ReceiveReply(frame);
    }
}

// First the queue pair, then the objects that it points to.
void
RdmaNic::PrefetchFor(const Frame& frame, bool next) const
{
    if (frame.kind == FrameKind::Data)
    {
        const ReceiveQueue& queue = m_receiveQueues[frame.queuePair];
        if (next)
        {
            Prefetch(queue.lossRecovery.get(), kReceiverBytes);
            const MessageState& transfer = *frame.transfer;
            if (transfer.received + frame.payload >= transfer.bytes)
            {
                Prefetch(transfer.message, sizeof(Message)); // its last frame
            }
        }
        else
        {
            Prefetch(&queue, sizeof(ReceiveQueue));
            Prefetch(frame.transfer, MessageState::kBusyBytes);
        }
    }
    else if (frame.kind != FrameKind::Pause)
    {
        const SendQueue* queue = m_sendQueues[frame.queuePair].get();
        if (next)
        {
            queue->Prefetch();
        }
        else
        {
            Prefetch(queue, sizeof(SendQueue));
        }
    }
}

void
RdmaNic::ReceiveData(Frame* frame)
{
    ReceiveQueue& queue = m_receiveQueues[frame->queuePair];
    MessageState& transfer = *frame->transfer;
    if (transfer.isAbandoned)
    {
        m_pool.Release(frame);
        return;
    }
    const TimePs now = m_agenda.Now();
    if (frame->marked && m_usesEcn && now >= queue.nextCnpAt)
    {
        queue.nextCnpAt = now + m_cnpInterval;
        SendCnp(queue);
    }
    const ReceiverRecovery::Verdict verdict = queue.lossRecovery->OnData(
        now,
        {frame->psn, frame->payload, transfer.bytes - transfer.received});
    if (verdict.bytes > 0)
    {
        transfer.received += verdict.bytes;
        m_counters.rxBytes += verdict.bytes;
        m_client.OnArrived(transfer, verdict.bytes);
    }
    if (verdict.reply == ReceiverRecovery::Reply::None)
    {
        m_pool.Release(frame);
        return;
    }
    // The reply reuses the frame: it carries the PSN, send time, mark and telemetry of the data.
    frame->kind = verdict.reply == ReceiverRecovery::Reply::Ack ? FrameKind::Ack : FrameKind::Nak;
    frame->trafficClass =
        m_transport->GetAckClass() == Transport::ACKS_IN_DATA ? kDataClass : kControlClass;
    frame->ecnCapable = m_transport->GetEcho() == Transport::ACK_OWN_MARK;
    frame->marked = frame->marked && !frame->ecnCapable;
    frame->wantsReports = false;
    frame->route.length = 0;
    frame->hop = 0;
    frame->cumulative = verdict.cumulative;
    frame->bytes = static_cast<uint32_t>(m_transport->GetAckBytes());
    frame->payload = 0;
    frame->transfer = nullptr;
    frame->destination = queue.peerAddress;
    frame->destinationNic = queue.peerNic;
    frame->sourceNic = m_place.number;
    frame->sourceEdge = m_nicAddress.edge;
    frame->queuePair = queue.peerQueuePair;
    if (m_routesReplies)
    {
        // Made here, in the order of the first arrivals: an event of the sender may come at any
        // local time of this node, so numbers from there would not be reproducible.
        if (!queue.path)
        {
            queue.path = MakePath(m_replyPaths++, queue.peerAddress);
        }
        queue.path->Choose(now, *frame);
    }
    m_port->Enqueue(frame);
}

void
RdmaNic::SendCnp(const ReceiveQueue& queue)
{
    ++m_counters.cnps;
    Frame* cnp = m_pool.Allocate();
    cnp->kind = FrameKind::Cnp;
    cnp->trafficClass = kControlClass;
    cnp->bytes = static_cast<uint32_t>(m_transport->GetAckBytes());
    cnp->destination = queue.peerAddress;
    cnp->destinationNic = queue.peerNic;
    cnp->sourceNic = m_place.number;
    cnp->sourceEdge = m_nicAddress.edge;
    cnp->queuePair = queue.peerQueuePair;
    cnp->entropy = queue.peerEntropy;
    m_port->Enqueue(cnp);
}

void
RdmaNic::ReceiveReply(Frame* frame)
{
    SendQueue& queue = *m_sendQueues[frame->queuePair];
    if (frame->kind == FrameKind::Cnp)
    {
        queue.OnCnp();
        Report(queue);
    }
    else
    {
        queue.OnReply(*frame);
        while (MessageState* transfer = queue.TakeAcknowledged())
        {
            m_activeQueuePairs -= queue.GetOldest() ? 0 : 1;
            m_client.OnAcknowledged(*transfer);
        }
        Activate(queue);
        if (queue.MovesDeadline())
        {
            KeepTimer(queue);
        }
        Report(queue);
    }
    m_pool.Release(frame);
}

RdmaNic::Wait
RdmaNic::GetWait() const
{
    if (!m_round.empty() || !m_fresh.empty())
    {
        return Wait::Port;
    }
    if (!m_paced.empty())
    {
        return Wait::Rate;
    }
    if (m_counters.unsentBytes == 0)
    {
        return Wait::Messages;
    }
    // Bytes at the NIC that cannot go are blocked by a window, apart from parts of a segment that
    // are no whole frame.
    const uint64_t mtu = m_transport->GetMtu();
    const uint64_t there =
        m_counters.unsentBytes - std::min(m_counters.unsentBytes, m_missingBytes);
    const bool isMissing = m_missingBytes > 0 && there < mtu * std::max(1U, m_activeQueuePairs);
    return isMissing || !m_posted.empty() ? Wait::Bytes : Wait::Rate;
}

Port&
RdmaNic::GetPort() const
{
    return *m_port;
}

} // namespace ns3::rails
