// SPDX-License-Identifier: GPL-2.0-only
#include "flow-run.h"

#include "ns3/graph-runner.h"
#include "ns3/loss-recovery.h"
#include "ns3/rails-fingerprint.h"
#include "ns3/rails-transport.h"
#include "ns3/rails-units.h"
#include "ns3/replica-links.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

FlowSettings::QueuePairPer
GetQueuePairPer(const Transport& transport)
{
    switch (transport.GetQueuePairPer())
    {
    case Transport::MESSAGE:
        return FlowSettings::QueuePairPer::Message;
    case Transport::GPU_PAIR:
        return FlowSettings::QueuePairPer::GpuPair;
    default:
        return FlowSettings::QueuePairPer::NicPair;
    }
}

FlowSettings
GetFlowSettings(const FrameSettings& parts, double tolerance)
{
    const Ptr<const Transport> transport = parts.transport;
    FlowSettings settings;
    settings.frames = transport->GetFrameFormat();
    settings.queuePairPer = GetQueuePairPer(*transport);
    settings.messageGap = parts.nic->GetMessageGap();
    settings.spread = *parts.FindSpread();
    settings.streamsPerSwitch = parts.CountStreamsOfSwitch();
    settings.tolerance = tolerance;
    return settings;
}

uint64_t
RoundBytes(double bytes)
{
    return static_cast<uint64_t>(std::floor(bytes + 0.5));
}

} // namespace

FlowRun::FlowRun(const EngineParts& parts, double tolerance)
    : RecordedRun(parts.settings,
                  CreateObject<FlowEngine>(parts.wiring,
                                           parts.router,
                                           GetFlowSettings(parts.settings.parts, tolerance))),
      m_wiring(*parts.wiring),
      m_traits(parts.traits)
{
    parts.router->AllowDetours();
}

bool
FlowRun::ReadsMessages() const
{
    return m_settings.record->WantsTimeline();
}

bool
FlowRun::WantsRhoMax() const
{
    return false;
}

void
FlowRun::SetRhoMax(double)
{
}

void
FlowRun::Watch(const GraphRunner& runner, const Failures& failures)
{
    RecordedRun::Watch(runner, failures);
    m_fold = runner.GetProgram().GetFold();
    if (BacklogWatch::IsNeeded(m_settings.parts))
    {
        m_backlogs = std::make_unique<BacklogWatch>(m_engine);
    }
}

void
FlowRun::OnPhase(bool starts)
{
    RecordedRun::OnPhase(starts);
    if (m_backlogs)
    {
        starts ? m_backlogs->StartPhase() : m_backlogs->EndPhase();
    }
}

Explanation
FlowRun::Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const
{
    // Waits of queue pairs inside servers are not recorded separately, so heldBy and missing stay
    // empty.
    ExplainerWords words;
    words.repeats = "ACKs";
    words.idles = "left its rate unused";
    words.idleWhy = std::string("other cables") +
                    (speeds.interior->HasPcie() ? ", NVLink or PCIe" : " or NVLink") +
                    " held its flows back, or it had nothing to send";
    std::optional<std::vector<WatchedPhase>> watched;
    if (m_phases)
    {
        watched = m_phases->GetPhases();
    }
    return rails::Explain(
        {*m_runner, bound, speeds, m_wiring, std::move(watched), std::move(words)});
}

EngineRecord
FlowRun::Count() const
{
    EngineRecord record;
    DescribeNics(record);
    record.ports = DescribePorts();
    return record;
}

EngineRecord
FlowRun::Describe() const
{
    EngineRecord record = Count();
    for (PortRecord& port : record.ports)
    {
        port.busy = m_runner->IsFinished() ? port.busy : std::nullopt;
    }
    if (const std::optional<CompletionErrorBound::Shift> shift = m_engine->GetLargestErrorBound())
    {
        record.shift = {shift->part,
                        static_cast<TimePs>(std::ceil(shift->seconds * kPicosecondsPerSecond))};
    }
    record.notes = FindFlowLimits(m_settings.parts, m_traits, *m_engine, m_backlogs.get());
    const LossRecovery& recovery = *m_settings.parts.transport->GetLossRecovery();
    // In a fabric without oversubscription, paths have about equal delays.
    const bool resends = recovery.GetTraits().needsOrder ||
                         (m_traits.oversubscription > 1 &&
                          recovery.GetLossThreshold() < LossRecovery::kSprayThreshold);
    if (const std::string key = FindSprayKey(m_settings, m_traits); !key.empty() && resends)
    {
        record.notes.push_back(
            "engine flow: frames of a message take several paths (" + key +
            ") and overtake each other, and pass for lost with this transport.loss_recovery, so "
            "that they are sent again though nothing is lost; flows do not model that: frames took "
            "1.5 times as long where it was measured (2:1, selective-repeat): " +
            LossRecovery::kSprayRemedy);
    }
    record.fingerprint = ComputeFlowFingerprint(ListQueuePairs(), record.ports);
    return record;
}

// Queues between GPUs of a server have numbers behind those of the NICs.
FlowRecord
FlowRun::Record(const FlowQueue& queue) const
{
    const FlowRoute& route = queue.route;
    const uint32_t first = route.IsPair() ? 0 : m_wiring.GetShape().GetNics();
    return {first + route.from,
            first + route.to,
            route.number,
            queue.bytes,
            queue.firstStart,
            queue.bytes > 0 ? queue.lastEnd : kNever};
}

/// Lists the queue pairs of all replicas: those of the first one, and their counterparts.
std::vector<FlowRecord>
FlowRun::ListQueuePairs() const
{
    std::vector<FlowRecord> records;
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        if (queue.route.IsStage())
        {
            continue;
        }
        const FlowRecord record = Record(queue);
        if (!m_fold)
        {
            records.push_back(record);
            continue;
        }
        const bool answers = m_fold->GetReplica(FindGpu(record.source)) == 0;
        for (uint32_t replica = 0; answers && replica < m_fold->CountReplicas(); ++replica)
        {
            FlowRecord& copy = records.emplace_back(record);
            copy.source = MoveEnd(record.source, replica);
            copy.destination =
                MoveEnd(record.destination, m_fold->GetTarget(queue.route.crossing, replica));
        }
    }
    return records;
}

/// \param end of a queue pair, see Record()
/// \return a GPU of its server
uint32_t
FlowRun::FindGpu(uint32_t end) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    const uint32_t nics = shape.GetNics();
    return end < nics ? shape.GetNicServer(end) * shape.gpusPerServer : end - nics;
}

/// \return the counterpart of an end in a replica
uint32_t
FlowRun::MoveEnd(uint32_t end, uint32_t replica) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    const uint32_t gpu = m_fold->MoveTo(FindGpu(end), replica);
    return end < shape.GetNics() ? shape.GetNic(shape.GetServer(gpu), shape.GetRail(end))
                                 : shape.GetNics() + gpu;
}

/// Compares the two replicas that ran: each must mirror the other.
bool
FlowRun::AreReplicasAlike() const
{
    using Flow = std::tuple<uint32_t, uint32_t, uint64_t, TimePs, TimePs>;
    using Sent = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t, TimePs, TimePs>;
    std::vector<Flow> flows[ReplicaFold::kComputed];
    std::vector<Sent> messages[ReplicaFold::kComputed];
    const auto mirror = [this](uint32_t gpu) { return 1 - m_fold->GetReplica(gpu); };
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        if (queue.route.IsStage())
        {
            continue;
        }
        const FlowRecord flow = Record(queue);
        const uint32_t from = FindGpu(flow.source);
        const uint32_t to = FindGpu(flow.destination);
        const uint32_t own = m_fold->GetReplica(from);
        flows[own].emplace_back(own == 0 ? flow.source : MoveEnd(flow.source, 0),
                                own == 0 ? flow.destination : MoveEnd(flow.destination, mirror(to)),
                                flow.bytes,
                                flow.start,
                                flow.end);
    }
    for (const Message& message : m_runner->GetMessages().GetAll())
    {
        const uint32_t own = m_fold->GetReplica(message.source);
        const uint32_t to = message.destination;
        messages[own].emplace_back(m_fold->MoveTo(message.source, 0),
                                   own == 0 ? to : m_fold->MoveTo(to, mirror(to)),
                                   message.step,
                                   message.bytes,
                                   message.start,
                                   message.end);
    }
    for (uint32_t replica = 0; replica < ReplicaFold::kComputed; ++replica)
    {
        std::sort(flows[replica].begin(), flows[replica].end());
        std::sort(messages[replica].begin(), messages[replica].end());
    }
    const bool knowsAll = m_runner->GetMessages().GetForgotten() == 0;
    return flows[0] == flows[1] && (!knowsAll || messages[0] == messages[1]);
}

/// \return the server that represents a server
uint32_t
FlowRun::FindComputed(uint32_t server) const
{
    return m_fold ? m_fold->FindComputedServer(server) : server;
}

void
FlowRun::DescribeNics(EngineRecord& record) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        std::vector<uint64_t> sent;
        std::vector<uint64_t> received;
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            const FlowEngine::NicCounters& counters =
                m_engine->GetNicCounters(shape.GetNic(FindComputed(server), rail));
            sent.push_back(counters.txBytes);
            received.push_back(counters.rxBytes);
            record.messages += counters.messages;
        }
        record.nicTxBytes.push_back(std::move(sent));
        record.nicRxBytes.push_back(std::move(received));
    }
}

// Nodes and ports have their numbers of the packet-level simulation: servers, then switches.
std::vector<PortRecord>
FlowRun::DescribePorts() const
{
    std::vector<PortRecord> ports;
    const ClusterShape& shape = m_wiring.GetShape();
    const std::vector<FlowNetwork::Carried> carried = m_engine->GetCarried();
    const std::optional<ReplicaLinks> cables =
        m_fold ? ReplicaLinks::Find(m_wiring, *m_fold) : std::nullopt;
    for (uint32_t number = 0; number < m_wiring.GetCables().size(); ++number)
    {
        const Cable& cable = m_wiring.GetCables()[number];
        const CableKind& kind = m_wiring.GetKind(cable);
        PortRecord lower;
        lower.node = cable.isNic ? shape.GetNicServer(cable.lower) : shape.servers + cable.lower;
        lower.port = cable.isNic ? shape.GetRail(cable.lower) : cable.lowerPort;
        lower.portClass = cable.isNic ? "nic_tx" : kind.lowerClass;
        lower.rateBps = kind.rateBps;
        PortRecord upper;
        upper.node = shape.servers + cable.upper;
        upper.port = cable.upperPort;
        upper.portClass = kind.upperClass;
        upper.rateBps = kind.rateBps;
        lower.peer = upper.node;
        lower.peerPort = upper.port;
        upper.peer = lower.node;
        upper.peerPort = lower.port;
        const uint32_t computed = cables ? cables->GetCounterpart(number) : number;
        const double often = cables && cables->IsShared(number) ? m_fold->Multiply(double{1}) : 1;
        const FlowNetwork::Carried& up = carried[2 * computed];
        const FlowNetwork::Carried& down = carried[2 * computed + 1];
        lower.bytes = RoundBytes(often * (up.data + up.acks));
        upper.bytes = RoundBytes(often * (down.data + down.acks));
        for (PortRecord* record : {&lower, &upper})
        {
            record->busy =
                record->bytes == 0 ? 0 : LongSerialisationTime(record->bytes, record->rateBps);
            ports.push_back(std::move(*record));
        }
    }
    std::sort(ports.begin(), ports.end(), [](const PortRecord& one, const PortRecord& other) {
        return std::pair(one.node, one.port) < std::pair(other.node, other.port);
    });
    return ports;
}

uint64_t
FlowRun::GetDeliveredBytes() const
{
    const uint64_t bytes = m_engine->GetDeliveredBytes();
    return m_fold ? m_fold->Multiply(bytes) : bytes;
}

std::vector<std::string>
FlowRun::FindBrokenInvariants() const
{
    return {};
}

} // namespace ns3::rails
