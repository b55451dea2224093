// SPDX-License-Identifier: GPL-2.0-only
#include "frame-phase-recorder.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ns3::rails
{

FramePhaseRecorder::FramePhaseRecorder(Ptr<FrameEngine> cluster)
    : m_cluster(cluster)
{
    const uint32_t rails = cluster->GetConfiguration().shape.nicsPerServer;
    const std::vector<Ptr<Port>>& ports = cluster->GetPorts();
    const std::size_t nics = cluster->GetServers().size() * rails;
    for (std::size_t number = 0; number < ports.size(); ++number)
    {
        RdmaNic* nic = number < nics
                           ? &cluster->GetServers()[number / rails]->GetNic(number % rails)
                           : nullptr;
        Probe& probe = m_probes.emplace_back();
        probe.port = PeekPointer(ports[number]);
        probe.nic = nic;
        probe.port->TraceConnectWithoutContext("Transmit",
                                               MakeCallback(&Probe::OnTransmit, &probe));
        probe.port->TraceConnectWithoutContext("QueueBytes", MakeCallback(&Probe::OnQueue, &probe));
        probe.port->TraceConnectWithoutContext("Paused", MakeCallback(&Probe::OnPaused, &probe));
        if (nic)
        {
            nic->TraceConnectWithoutContext("Waits", MakeCallback(&Probe::Note, &probe));
        }
    }
}

FramePhaseRecorder::~FramePhaseRecorder()
{
    const uint32_t rails = m_cluster->GetConfiguration().shape.nicsPerServer;
    for (std::size_t number = 0; number < m_probes.size(); ++number)
    {
        Probe& probe = m_probes[number];
        probe.port->TraceDisconnectWithoutContext("Transmit",
                                                  MakeCallback(&Probe::OnTransmit, &probe));
        probe.port->TraceDisconnectWithoutContext("QueueBytes",
                                                  MakeCallback(&Probe::OnQueue, &probe));
        probe.port->TraceDisconnectWithoutContext("Paused", MakeCallback(&Probe::OnPaused, &probe));
        if (probe.nic)
        {
            m_cluster->GetServers()[number / rails]
                ->GetNic(number % rails)
                .TraceDisconnectWithoutContext("Waits", MakeCallback(&Probe::Note, &probe));
        }
    }
}

void
FramePhaseRecorder::StartPhase()
{
    m_start = NowPs();
    for (Probe& probe : m_probes)
    {
        probe.Start(m_start);
    }
}

void
FramePhaseRecorder::NoteCables()
{
    for (Probe& probe : m_probes)
    {
        if (probe.port->GetRateBps() != probe.rateBps || probe.port->GetLink().IsUp() != probe.isUp)
        {
            probe.CloseRate(NowPs());
            probe.Note(Simulator::Now());
        }
    }
}

void
FramePhaseRecorder::EndPhase()
{
    const TimePs now = NowPs();
    Phase& phase = m_phases.emplace_back();
    TimePs lastNic = 0;
    TimePs lastCable = 0;
    std::map<std::string, std::pair<TimePs, uint32_t>> classes; // sum, and number of ports
    for (std::size_t number = 0; number < m_probes.size(); ++number)
    {
        Probe& probe = m_probes[number];
        probe.CloseRate(now);
        probe.Account(now);
        Compare(probe, number, phase);
        auto& [sum, count] = classes[probe.port->GetIdentity().portClass];
        sum += probe.GetAtBestRate(probe.firstBefore);
        ++count;
        if (probe.lastData > (probe.nic ? lastNic : lastCable))
        {
            (probe.nic ? lastNic : lastCable) = probe.lastData;
            (probe.nic ? phase.lastNic : phase.lastCable) = number;
            (probe.nic ? phase.nic : phase.cable) = probe.times;
        }
    }
    if (phase.first.time > 0)
    {
        const auto& [sum, count] =
            classes.at(m_probes[phase.first.port].port->GetIdentity().portClass);
        phase.firstOverMean =
            static_cast<double>(phase.first.time) * count / static_cast<double>(sum);
    }
}

void
FramePhaseRecorder::Compare(const Probe& probe, std::size_t number, Phase& phase) const
{
    const auto raise = [number](Largest& largest, TimePs time) {
        if (time > largest.time)
        {
            largest = {time, number};
        }
    };
    const TimePs carried = probe.GetAtBestRate(probe.carriedBefore);
    raise(phase.first, probe.GetAtBestRate(probe.firstBefore));
    raise(phase.carried, carried);
    if (carried > 0)
    {
        const TimePs before = probe.offeredUntil - m_start;
        raise(phase.carriedAndLost, carried + before - probe.GetAtBestRate(probe.offeredUntilThen));
    }
}

TimePs
FramePhaseRecorder::Probe::GetAtBestRate(const Volume& volume) const
{
    return (volume / bestRateBps).convert_to<TimePs>();
}

void
FramePhaseRecorder::Probe::Start(TimePs now)
{
    Account(now);
    times = {};
    since = now;
    lastData = 0;
    rateBps = port->GetRateBps();
    bestRateBps = std::max(bestRateBps, rateBps);
    isUp = port->GetLink().IsUp();
    rateSince = now;
    firstBefore = 0;
    carriedBefore = 0;
    offered = 0;
    offeredUntil = now;
    offeredUntilThen = 0;
    // The rest of a frame that began before.
    const TimePs left = std::max<TimePs>(0, sendsUntil - now);
    lastCarried = getsThrough && left > 0 ? sendsUntil : 0;
    carried = getsThrough ? left : 0;
    first = getsThrough && isFirst ? left : 0;
    state = FindState(now);
}

// Moves times at the present rate to the volumes before it, and splits the frame being sent. That
// frame gets through whatever happens to its link meanwhile, so its time is no loss.
void
FramePhaseRecorder::Probe::CloseRate(TimePs now)
{
    const TimePs left = getsThrough ? std::max<TimePs>(0, sendsUntil - now) : 0;
    const TimePs leftOfFirst = isFirst ? left : 0;
    firstBefore += Volume(first - leftOfFirst) * rateBps;
    carriedBefore += Volume(carried - left) * rateBps;
    if (isUp)
    {
        if (lastCarried > rateSince)
        {
            offeredUntil = std::min(lastCarried, now);
            offeredUntilThen = offered + Volume(offeredUntil - rateSince) * rateBps;
        }
        offered += Volume(std::max<TimePs>(0, now - rateSince)) * rateBps;
    }
    const uint64_t frameRateBps = rateBps;
    rateBps = port->GetRateBps();
    bestRateBps = std::max(bestRateBps, rateBps);
    isUp = port->GetLink().IsUp();
    rateSince = std::max(rateSince, now);
    first = leftOfFirst;
    carried = left;
    if (left > 0 && (!isUp || rateBps != frameRateBps))
    {
        // This frame continues to its end at its first rate.
        carriedBefore += Volume(left) * frameRateBps;
        firstBefore += Volume(leftOfFirst) * frameRateBps;
        offered += Volume(left) * frameRateBps;
        offeredUntil = now + left;
        offeredUntilThen = offered;
        first = 0;
        carried = 0;
        getsThrough = false; // accounted
        rateSince = now + left;
    }
}

void
FramePhaseRecorder::Probe::OnTransmit(Time at, const Frame& frame)
{
    const TimePs now = at.GetTimeStep();
    Account(now);
    const TimePs time = port->GetByteTime(frame.bytes + port->GetWireOverhead());
    const bool isData = frame.kind == FrameKind::Data;
    sendsUntil = now + time;
    getsThrough = port->GetLink().IsUp();
    isFirst = isData && !frame.isRepeat;
    lastData = isData ? sendsUntil : lastData;
    lastCarried = getsThrough ? sendsUntil : lastCarried;
    carried += getsThrough ? time : 0;
    first += getsThrough && isFirst ? time : 0;
    state = getsThrough ? PortState::Busy : PortState::Down;
}

void
FramePhaseRecorder::Probe::OnQueue(Time now, uint64_t, uint64_t)
{
    Note(now);
}

void
FramePhaseRecorder::Probe::OnPaused(Time now, uint8_t, bool)
{
    Note(now);
}

void
FramePhaseRecorder::Probe::Note(Time at)
{
    const TimePs now = at.GetTimeStep();
    if (now < sendsUntil)
    {
        return; // it stays busy until the frame is sent
    }
    Account(now);
    state = FindState(now);
}

void
FramePhaseRecorder::Probe::Account(TimePs now)
{
    if (state == PortState::Busy && now > sendsUntil)
    {
        times[static_cast<std::size_t>(PortState::Busy)] += std::max<TimePs>(0, sendsUntil - since);
        since = std::max(since, sendsUntil);
        state = FindState(now);
    }
    times[static_cast<std::size_t>(state)] += now - since;
    since = now;
}

PortState
FramePhaseRecorder::Probe::FindState(TimePs now) const
{
    if (now < sendsUntil)
    {
        return state;
    }
    if (!port->GetLink().IsUp() || port->IsHeld())
    {
        return PortState::Down;
    }
    const bool isPaused = port->IsPaused(kDataClass);
    if (!nic)
    {
        const bool hasData = port->GetQueueBytes(kDataClass) > 0;
        return isPaused && hasData ? PortState::Paused
               : lastData == 0     ? PortState::NotThereYet
                                   : PortState::Idle;
    }
    switch (nic->GetWait())
    {
    case RdmaNic::Wait::Bytes:
        return PortState::NotThereYet;
    case RdmaNic::Wait::Rate:
        return isPaused ? PortState::Paused : PortState::Rate;
    case RdmaNic::Wait::Port:
        return isPaused ? PortState::Paused : PortState::Idle;
    case RdmaNic::Wait::Messages:
        break;
    }
    return PortState::Idle;
}

} // namespace ns3::rails
