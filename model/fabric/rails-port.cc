// SPDX-License-Identifier: GPL-2.0-only
#include "rails-port.h"

#include "ecn-marker.h"

#include "ns3/boolean.h"
#include "ns3/lazy-traces.h"
#include "ns3/log.h"
#include "ns3/rails-quantity.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsPort");

NS_OBJECT_ENSURE_REGISTERED(Port);

void
PortOwner::PrefetchFor(const Frame&, bool) const
{
}

void
PortOwner::Departed(Port&, uint32_t, uint8_t, uint32_t)
{
}

Frame*
PortOwner::Pull(Port&)
{
    return nullptr;
}

void
PortOwner::RateChanged(Port&)
{
}

uint32_t
PortOwner::GetPauseInForce(const Port&, uint8_t) const
{
    return 0;
}

TypeId
Port::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::Port")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("Rate",
                          "Rate of frames that begin to leave from now on. Neither routing nor "
                          "bounds know of a change by this attribute.",
                          TypeId::ATTR_GET | TypeId::ATTR_SET,
                          DataRateValue(),
                          MakeDataRateAccessor(&Port::SetRate, &Port::GetRate),
                          MakeRateRange())
            .AddAttribute("Held",
                          "Whether the port stops sending, after the present frame.",
                          TypeId::ATTR_GET | TypeId::ATTR_SET,
                          BooleanValue(false),
                          MakeBooleanAccessor(&Port::SetHeld, &Port::IsHeld),
                          MakeBooleanChecker())
            .AddTraceSource("QueueBytes",
                            "Bytes that wait or are being sent: before and after a change.",
                            MakeLazyTraceAccessor(&Port::m_sources, &Sources::queueBytes),
                            "ns3::rails::Port::QueueBytesCallback")
            .AddTraceSource("Transmit",
                            "A frame begins to leave.",
                            MakeLazyTraceAccessor(&Port::m_sources, &Sources::transmit),
                            "ns3::rails::Port::FrameCallback")
            .AddTraceSource("Arrive",
                            "The last bit of a frame has come in.",
                            MakeLazyTraceAccessor(&Port::m_sources, &Sources::arrive),
                            "ns3::rails::Port::FrameCallback")
            .AddTraceSource("Mark",
                            "A data frame that leaves gets a congestion mark.",
                            MakeLazyTraceAccessor(&Port::m_sources, &Sources::mark),
                            "ns3::rails::Port::FrameCallback")
            .AddTraceSource("Drop",
                            "A frame for this port is dropped for lack of buffer.",
                            MakeLazyTraceAccessor(&Port::m_sources, &Sources::drop),
                            "ns3::rails::Port::FrameCallback")
            .AddTraceSource("Paused",
                            "A class was paused or resumed by the far end.",
                            MakeLazyTraceAccessor(&Port::m_sources, &Sources::paused),
                            "ns3::rails::Port::PausedCallback");
    return tid;
}

Port::Port(Identity identity, PortOwner& owner, Agenda& agenda, FramePool& pool)
    : m_identity(std::move(identity)),
      m_owner(owner),
      m_agenda(agenda),
      m_pool(pool),
      m_departure(*this, TaskPhase::Departure, m_identity.index),
      m_decision(*this, TaskPhase::Decision, m_identity.index),
      m_pauseTimer(*this, TaskPhase::Timer, m_identity.index)
{
}

Port::~Port() = default;

void
Port::DoDispose()
{
    m_link.reset();
    Object::DoDispose();
}

void
Port::Connect(Port& peer, TimePs delay)
{
    m_agenda.LimitSlack(delay);
    m_link = std::make_unique<Link>(peer, peer.GetIndex(), peer.m_agenda, m_pool, delay);
    m_peer = &peer;
}

void
Port::SetEcnMarker(EcnMarker* marker)
{
    m_marker = marker;
}

void
Port::SetPauseResponse(TimePs response)
{
    m_pauseResponse = response;
}

void
Port::Enqueue(Frame* frame)
{
    m_queues[frame->trafficClass].Push(frame);
    SetQueueBytes(m_queueBytes + frame->bytes);
    Wake();
}

void
Port::Wake()
{
    if (!m_busy)
    {
        m_agenda.Decide(m_decision);
    }
}

void
Port::SendPause(uint8_t trafficClass, uint32_t quanta)
{
    m_pauseQuanta[trafficClass] = quanta;
    m_pausesToSend |= 1U << trafficClass;
    Wake();
}

void
Port::Receive(Frame* frame)
{
    FireTrace(m_sources, &Sources::arrive, m_agenda, *frame);
    if (frame->kind != FrameKind::Pause)
    {
        m_owner.Receive(frame, *this);
        return;
    }
    if (m_pauseResponse == 0)
    {
        ApplyPause(frame->trafficClass, frame->quanta);
    }
    else
    {
        const TimePs at = m_agenda.Now() + m_pauseResponse;
        m_pauseOrders.push_back({at, frame->trafficClass, frame->quanta});
        m_agenda.Schedule(at, m_pauseTimer);
    }
    m_pool.Release(frame);
}

void
Port::PrefetchFor(const Frame& frame, bool next) const
{
    m_owner.PrefetchFor(frame, next);
}

void
Port::RenewPauses()
{
    const Port& peer = GetPeer();
    m_pauseOrders.clear();
    for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
    {
        const uint32_t quanta = peer.m_owner.GetPauseInForce(peer, trafficClass);
        ApplyPause(trafficClass, quanta);
        if (quanta > 0)
        {
            // This pause starts at once; the pause frame that prolongs it arrives with a delay.
            PauseState& state = m_pauses[trafficClass];
            state.until += m_link->GetDelay() + m_pauseResponse;
            m_agenda.Schedule(state.until, m_pauseTimer);
        }
    }
}

void
Port::ApplyPause(uint8_t trafficClass, uint32_t quanta)
{
    PauseState& state = m_pauses[trafficClass];
    if (quanta == 0)
    {
        EndPause(trafficClass);
        return;
    }
    const TimePs now = m_agenda.Now();
    state.until = now + LongSerialisationTime(uint64_t{quanta} * 64, m_identity.rateBps);
    m_agenda.Schedule(state.until, m_pauseTimer);
    if (!state.paused)
    {
        state.paused = true;
        state.since = now;
        ++m_counters.pauses;
        FireTrace(m_sources, &Sources::paused, m_agenda, trafficClass, true);
        NS_LOG_INFO(FormatTime(now) << ": node " << m_identity.node << " port " << m_identity.index
                                    << " is paused in class " << uint32_t{trafficClass});
    }
}

void
Port::EndPause(uint8_t trafficClass)
{
    PauseState& state = m_pauses[trafficClass];
    if (state.paused)
    {
        state.paused = false;
        m_counters.paused += m_agenda.Now() - state.since;
        FireTrace(m_sources, &Sources::paused, m_agenda, trafficClass, false);
        NS_LOG_INFO(FormatTime(m_agenda.Now())
                    << ": node " << m_identity.node << " port " << m_identity.index
                    << " resumes class " << uint32_t{trafficClass});
        Wake();
    }
}

void
Port::ServePauseTimers()
{
    const TimePs now = m_agenda.Now();
    while (!m_pauseOrders.empty() && m_pauseOrders.front().at <= now)
    {
        ApplyPause(m_pauseOrders.front().trafficClass, m_pauseOrders.front().quanta);
        m_pauseOrders.pop_front();
    }
    for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
    {
        const PauseState& state = m_pauses[trafficClass];
        if (state.paused && state.until <= now)
        {
            EndPause(trafficClass);
        }
    }
}

Frame*
Port::NextFrame()
{
    if (m_pausesToSend != 0)
    {
        uint8_t trafficClass = 0;
        while (!(m_pausesToSend & 1U << trafficClass))
        {
            ++trafficClass;
        }
        m_pausesToSend &= ~(1U << trafficClass);
        Frame* pause = m_pool.Allocate();
        pause->kind = FrameKind::Pause;
        pause->bytes = kPauseFrameBytes;
        pause->trafficClass = trafficClass;
        pause->quanta = m_pauseQuanta[trafficClass];
        return pause;
    }
    for (uint8_t trafficClass = 0; trafficClass < kTrafficClasses; ++trafficClass)
    {
        FrameQueue& queue = m_queues[trafficClass];
        if (queue.IsEmpty() || m_pauses[trafficClass].paused)
        {
            continue;
        }
        const uint64_t waiting = queue.GetBytes();
        Frame* frame = queue.Pop();
        if (m_marker && frame->ecnCapable && !frame->marked &&
            m_marker->ShouldMark(waiting, m_identity.rateBps))
        {
            frame->marked = true;
            ++m_counters.marks;
            FireTrace(m_sources, &Sources::mark, m_agenda, *frame);
        }
        if (frame->wantsReports)
        {
            Report(*frame);
        }
        return frame;
    }
    if (m_pauses[kDataClass].paused)
    {
        return nullptr;
    }
    Frame* pulled = m_owner.Pull(*this);
    if (pulled)
    {
        SetQueueBytes(m_queueBytes + pulled->bytes);
    }
    return pulled;
}

// Only switch ports report: frames of a NIC are pulled and never queued.
void
Port::Report(Frame& frame) const
{
    frame.telemetry->Add({m_identity.node,
                          m_identity.index,
                          m_queueBytes - frame.bytes,
                          m_counters.wireBytes,
                          m_agenda.Now(),
                          m_identity.rateBps});
}

void
Port::Decide()
{
    if (!m_busy && !m_held)
    {
        if (Frame* frame = NextFrame())
        {
            Transmit(frame);
        }
    }
}

void
Port::Transmit(Frame* frame)
{
    m_busy = true;
    m_sendingPause = frame->kind == FrameKind::Pause;
    m_sendingIngress = frame->ingress;
    m_sendingBytes = frame->bytes;
    m_sendingClass = frame->trafficClass;
    m_counters.wireBytes += frame->bytes + m_wireOverhead;
    ++(m_sendingPause ? m_counters.pauseFrames : m_counters.frames);
    m_counters.dataFrames += frame->kind == FrameKind::Data ? 1 : 0;
    FireTrace(m_sources, &Sources::transmit, m_agenda, *frame);
    NS_LOG_LOGIC(FormatTime(m_agenda.Now())
                 << ": node " << m_identity.node << " port " << m_identity.index << " sends "
                 << frame->bytes << " B of NIC " << frame->sourceNic << " to NIC "
                 << frame->destinationNic << ", PSN " << frame->psn);
    const TimePs lastBit = m_agenda.Now() + GetByteTime(frame->bytes + m_wireOverhead);
    m_counters.busy += lastBit - m_agenda.Now();
    m_sendingUntil = lastBit;
    m_agenda.Schedule(lastBit, m_departure);
    m_link->Send(frame, lastBit);
}

void
Port::Departed()
{
    m_busy = false;
    if (!m_sendingPause)
    {
        SetQueueBytes(m_queueBytes - m_sendingBytes);
        m_owner.Departed(*this, m_sendingIngress, m_sendingClass, m_sendingBytes);
    }
    m_agenda.Decide(m_decision);
}

void
Port::SetQueueBytes(uint64_t bytes)
{
    const uint64_t before = m_queueBytes;
    m_queueBytes = bytes;
    m_counters.queueMaxBytes = std::max(m_counters.queueMaxBytes, bytes);
    if (m_queueListener)
    {
        m_queueListener->OnQueueBytes(m_agenda.Now(), bytes);
    }
    FireTrace(m_sources, &Sources::queueBytes, m_agenda, before, bytes);
}

void
Port::SetWireOverhead(uint32_t bytes)
{
    m_wireOverhead = bytes;
}

void
Port::SetRateBps(uint64_t rateBps)
{
    if (rateBps == m_identity.rateBps)
    {
        return;
    }
    m_identity.rateBps = rateBps;
    m_lastBytes = 0;
    m_owner.RateChanged(*this);
}

void
Port::SetHeld(bool held)
{
    m_held = held;
    Wake();
}

uint32_t
Port::GetIndex() const
{
    return m_identity.index;
}

uint64_t
Port::GetRateBps() const
{
    return m_identity.rateBps;
}

TimePs
Port::GetByteTime(uint32_t bytes) const
{
    if (bytes != m_lastBytes)
    {
        m_lastBytes = bytes;
        m_lastByteTime = SerialisationTime(bytes, m_identity.rateBps);
    }
    return m_lastByteTime;
}

Link&
Port::GetLink() const
{
    return *m_link;
}

Port&
Port::GetPeer() const
{
    return *m_peer;
}

uint64_t
Port::GetQueueBytes(uint8_t trafficClass) const
{
    return m_queues[trafficClass].GetBytes();
}

const Frame*
Port::PeekQueue(uint8_t trafficClass) const
{
    return m_queues[trafficClass].Peek();
}

bool
Port::IsPaused(uint8_t trafficClass) const
{
    return m_pauses[trafficClass].paused;
}

TimePs
Port::GetPausedSince(uint8_t trafficClass) const
{
    return m_pauses[trafficClass].since;
}

PortCounters
Port::GetCountersNow() const
{
    PortCounters counters = m_counters;
    for (const PauseState& state : m_pauses)
    {
        counters.paused += state.paused ? m_agenda.Now() - state.since : 0;
    }
    counters.busy -= std::max<TimePs>(0, m_sendingUntil - m_agenda.Now());
    return counters;
}

PortCounters&
Port::GetCounters()
{
    return m_counters;
}

void
Port::CountDrop(const Frame& frame)
{
    ++m_counters.drops;
    FireTrace(m_sources, &Sources::drop, m_agenda, frame);
}

DataRate
Port::GetRate() const
{
    return DataRate(m_identity.rateBps);
}

void
Port::SetRate(const DataRate& rate)
{
    SetRateBps(rate.GetBitRate());
}

} // namespace ns3::rails
