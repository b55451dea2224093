// SPDX-License-Identifier: GPL-2.0-only
#include "frame-run.h"

#include "ns3/component-name.h"
#include "ns3/graph-runner.h"
#include "ns3/loss-recovery.h"
#include "ns3/lower-bound.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-fingerprint.h"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

namespace ns3::rails
{

FrameRun::FrameRun(const EngineParts& parts)
    : RecordedRun(parts.settings,
                  CreateObject<FrameEngine>(parts.wiring, parts.router, parts.settings.parts))
{
    m_engine->SetReplyTime(
        m_settings.parts.FindTravelTime(*parts.wiring,
                                        parts.traits.longestLinks,
                                        m_settings.parts.transport->GetAckBytes()));
}

bool
FrameRun::ReadsMessages() const
{
    return true; // for the fingerprint
}

bool
FrameRun::WantsRhoMax() const
{
    return m_settings.parts.transport->GetCongestionControl()->WantsRhoMax();
}

void
FrameRun::SetRhoMax(double rhoMax)
{
    m_settings.parts.transport->GetCongestionControl()->SetRhoMax(rhoMax);
}

void
FrameRun::Watch(const GraphRunner& runner, const Failures& failures)
{
    RecordedRun::Watch(runner, failures);
    if (m_settings.record->WantsQueues(true))
    {
        m_queues = std::make_unique<QueueRecorder>(m_engine->GetPorts());
    }
    if (m_settings.record->WantsQueueMeans())
    {
        m_queueMeans = std::make_unique<QueueAverager>(m_engine->GetPorts());
    }
    if (m_settings.record->WantsPcap())
    {
        m_pcap = std::make_unique<PcapRecorder>(*m_engine, m_settings.folder);
    }
}

void
FrameRun::OnPhase(bool starts)
{
    RecordedRun::OnPhase(starts);
    if (!starts)
    {
        m_busy.clear();
        for (const Ptr<Port>& port : m_engine->GetPorts())
        {
            m_busy.push_back(port->GetCountersNow().busy);
        }
    }
}

Explanation
FrameRun::Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const
{
    ExplainerWords words;
    words.repeats = "ACKs and retransmissions";
    words.heldBy = DescribeHolder();
    words.missing =
        std::string("bytes over NVLink") + (speeds.interior->HasPcie() ? " or PCIe" : "") +
        (m_settings.parts.nic->GetMessageGap() == 0 ? ""
                                                    : ", or its turn to post (nic.message_gap),");
    words.idles = "had nothing left to send";
    words.idleWhy = "all was sent, and was under way or lost";
    return rails::Explain(
        {*m_runner, bound, speeds, m_engine->GetWiring(), GetWatchedPhases(), std::move(words)});
}

std::string
FrameRun::GetCableName(std::size_t port) const
{
    const Port& sender = *m_engine->GetPorts()[port];
    return m_engine->GetEndName(sender) + " to " + m_engine->GetEndName(sender.GetPeer());
}

std::optional<std::vector<WatchedPhase>>
FrameRun::GetWatchedPhases() const
{
    if (!m_phases)
    {
        return std::nullopt;
    }
    std::vector<WatchedPhase> phases;
    for (const FramePhaseRecorder::Phase& watched : m_phases->GetPhases())
    {
        WatchedPhase& phase = phases.emplace_back();
        phase.first = watched.first.time;
        phase.firstCable = GetCableName(watched.first.port);
        phase.firstOverMean = watched.firstOverMean;
        phase.carried = watched.carried.time;
        phase.carriedAndLost = watched.carriedAndLost.time;
        if (watched.lastNic)
        {
            const Port& port = *m_engine->GetPorts()[*watched.lastNic];
            phase.nic = Explanation::Shares(m_engine->GetEndName(port), watched.nic);
        }
        if (watched.lastCable)
        {
            phase.cable = Explanation::Shares(GetCableName(*watched.lastCable), watched.cable);
        }
    }
    return phases;
}

// Names the mechanisms that can limit a busy queue pair.
std::string
FrameRun::DescribeHolder() const
{
    const std::string control = MakeTypeName(
        m_settings.parts.transport->GetCongestionControl()->GetInstanceTypeId().GetName(),
        CongestionControl::GetTypeId().GetName());
    const bool hasControl = control != "none";
    return !hasControl                                           ? "the windows of its queue pairs"
           : m_settings.parts.transport->GetWindow().IsSpecial() ? control
                                                                 : control + " or transport.window";
}

EngineRecord
FrameRun::Count() const
{
    EngineRecord record;
    record.frameCounters = FrameCounters();
    DescribeNics(record);
    DescribePorts(record);
    return record;
}

EngineRecord
FrameRun::Describe() const
{
    EngineRecord record = Count();
    for (std::size_t port = 0; port < record.ports.size(); ++port)
    {
        std::optional<TimePs>& busy = record.ports[port].busy;
        busy = !m_runner->IsFinished() ? std::nullopt : m_busy.empty() ? busy : m_busy[port];
    }
    if (m_queues)
    {
        record.queueBins = m_queues->Collect();
    }
    record.notes = m_watchdog->GetStorms();
    if (std::optional<std::string> note = ExplainResending(*record.frameCounters))
    {
        record.notes.push_back(std::move(*note));
    }
    record.fingerprint = ComputeFrameFingerprint(m_runner->GetMessages().GetAll(), record.ports);
    return record;
}

/// \return a note on retransmissions where no frame was lost
std::optional<std::string>
FrameRun::ExplainResending(const FrameCounters& counters) const
{
    const FrameSettings& parts = m_settings.parts;
    const uint32_t threshold = parts.transport->GetLossRecovery()->GetLossThreshold();
    const bool isCode = threshold == std::numeric_limits<uint32_t>::max(); // sends a surplus
    if (counters.retransmittedFrames == 0 || isCode ||
        counters.drops + counters.linkLosses + counters.unroutable > 0)
    {
        return std::nullopt;
    }
    std::ostringstream text;
    text << std::setprecision(2) << "engine frames: " << counters.retransmittedFrames << " of "
         << counters.frames << " data frames ("
         << 100 * static_cast<double>(counters.retransmittedFrames) /
                static_cast<double>(counters.frames)
         << " %) were sent again though none was lost: ";
    if (!parts.selector->GetTraits().scattersFrames && !parts.path->GetTraits().scattersFrames)
    {
        text << "their ACKs came after the time-out, or paths changed; a longer "
                "transport.loss_recovery.timeout waits for them";
    }
    else if (threshold < LossRecovery::kSprayThreshold)
    {
        text << "they took several paths, and those that others overtook passed for lost; "
             << LossRecovery::kSprayRemedy;
    }
    else
    {
        text << "they took several paths, and those that others overtook by "
                "transport.loss_recovery.loss_threshold ("
             << threshold << ") passed for lost, or their ACKs came after the time-out; raise it, "
             << "or transport.loss_recovery.timeout";
    }
    return text.str();
}

void
FrameRun::DescribeNics(EngineRecord& record) const
{
    for (const Ptr<GpuServer>& server : m_engine->GetServers())
    {
        std::vector<uint64_t> sent;
        std::vector<uint64_t> received;
        for (uint32_t rail = 0; rail < m_engine->GetConfiguration().shape.nicsPerServer; ++rail)
        {
            const NicCounters& counters = server->GetNic(rail).GetCounters();
            sent.push_back(counters.txBytes);
            received.push_back(counters.rxBytes);
            record.messages += counters.messages;
            record.frameCounters->frames += counters.dataFrames;
            record.frameCounters->retransmittedFrames += counters.retransmitted;
            record.frameCounters->cnps += counters.cnps;
        }
        record.nicTxBytes.push_back(std::move(sent));
        record.nicRxBytes.push_back(std::move(received));
    }
}

// When the last NIC began to send its last new frame.
TimePs
FrameRun::GetEndOfSending() const
{
    TimePs end = 0;
    for (const Ptr<GpuServer>& server : m_engine->GetServers())
    {
        for (uint32_t rail = 0; rail < m_engine->GetConfiguration().shape.nicsPerServer; ++rail)
        {
            end = std::max(end, server->GetNic(rail).GetCounters().sentLast);
        }
    }
    return end;
}

void
FrameRun::DescribePorts(EngineRecord& record) const
{
    FrameCounters& sums = *record.frameCounters;
    for (const Ptr<Switch>& at : m_engine->GetSwitches())
    {
        sums.unroutable += at->GetUnroutable();
    }
    for (const Ptr<OpticalSwitch>& at : m_engine->GetOpticalSwitches())
    {
        sums.unroutable += at->GetLostFrames();
    }
    std::vector<double> queueMeans;
    if (m_queueMeans)
    {
        queueMeans = m_queueMeans->GetMeans(GetEndOfSending());
    }
    for (const Ptr<Port>& port : m_engine->GetPorts())
    {
        const PortCounters counters = port->GetCountersNow();
        const Port::Identity& identity = port->GetIdentity();
        PortRecord sender;
        sender.node = identity.node;
        sender.port = identity.index;
        sender.peer = port->GetPeer().GetIdentity().node;
        sender.peerPort = port->GetPeer().GetIndex();
        sender.portClass = identity.portClass;
        sender.rateBps = identity.rateBps;
        sender.bytes = counters.wireBytes;
        sender.busy = counters.busy;
        PortFrames& frames = sender.frames.emplace();
        frames.queueMaxBytes = counters.queueMaxBytes;
        frames.pauses = counters.pauses;
        frames.pausedPs = counters.paused;
        frames.marks = counters.marks;
        frames.drops = counters.drops;
        frames.linkLosses = port->GetLink().GetLosses();
        frames.dataFrames = counters.dataFrames;
        if (!queueMeans.empty())
        {
            frames.queueMeanBytes = queueMeans[record.ports.size()];
        }
        sums.frameHops += port->GetLink().GetFrames();
        sums.pauseFrames += counters.pauseFrames;
        sums.drops += frames.drops;
        sums.linkLosses += frames.linkLosses;
        sums.ecnMarks += frames.marks;
        sums.pfcPauses += frames.pauses;
        sums.pfcPaused += frames.pausedPs;
        if (!m_engine->IsNicPort(*port))
        {
            sums.queueMaxBytes = std::max(sums.queueMaxBytes, frames.queueMaxBytes);
        }
        record.ports.push_back(std::move(sender));
    }
}

uint64_t
FrameRun::GetDeliveredBytes() const
{
    uint64_t delivered = 0;
    for (const Ptr<GpuServer>& server : m_engine->GetServers())
    {
        delivered += server->GetDeliveredBytes();
        server->GetTransfers().Visit([&](const MessageState& transfer) {
            delivered -= transfer.isAbandoned ? transfer.delivered : 0;
        });
    }
    return delivered;
}

std::vector<std::string>
FrameRun::FindBrokenInvariants() const
{
    std::vector<std::string> broken;
    for (const Ptr<Switch>& at : m_engine->GetSwitches())
    {
        if (at->GetLosslessDrops() > 0)
        {
            broken.push_back(at->GetName() + " dropped " + std::to_string(at->GetLosslessDrops()) +
                             " frames of a lossless class: its headroom is too small");
        }
        if (!at->GetBuffer().IsConsistent())
        {
            broken.push_back("the buffer of " + at->GetName() +
                             " went below zero or over its size");
        }
    }
    for (const Ptr<GpuServer>& server : m_engine->GetServers())
    {
        server->GetTransfers().Visit([&](const MessageState& transfer) {
            if (transfer.received > transfer.bytes || transfer.delivered > transfer.bytes)
            {
                broken.push_back("message " + std::to_string(transfer.id) +
                                 " delivered bytes more than once");
            }
        });
    }
    return broken;
}

} // namespace ns3::rails
