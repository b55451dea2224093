// SPDX-License-Identifier: GPL-2.0-only
#include "flow-run.h"

#include "ns3/graph-runner.h"
#include "ns3/nic-profile.h"
#include "ns3/path-selector.h"
#include "ns3/planner.h"
#include "ns3/port-selector.h"
#include "ns3/rails-chrome-trace.h"
#include "ns3/rails-fingerprint.h"
#include "ns3/rails-record-options.h"
#include "ns3/rails-transport.h"
#include "ns3/routing-scheme.h"
#include "ns3/switch-profile.h"

#include <algorithm>
#include <cmath>
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
GetFlowSettings(const Experiment& experiment, double tolerance)
{
    const Ptr<Transport> transport = experiment.Get<Transport>("transport");
    const Ptr<RoutingScheme> scheme = experiment.Get<RoutingScheme>("balance");
    const auto host = scheme->GetHost();
    const auto atSwitch = scheme->GetSwitch();
    FlowSettings settings;
    settings.frames = transport->GetFrameFormat();
    settings.queuePairPer = GetQueuePairPer(*transport);
    settings.messageGap = experiment.Get<NicProfile>("nic")->GetMessageGap();
    settings.spread = *Combine(host->GetSpread(), atSwitch->GetSpread());
    // With frames each switch has a stream for its hash, and one for its marks where it sets any.
    settings.streamsPerSwitch =
        transport->GetCongestionControl()->UsesEcn() || host->UsesEcn() ? 2 : 1;
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
    : m_experiment(parts.experiment),
      m_tolerance(tolerance),
      m_wiring(*parts.wiring),
      m_traits(parts.traits),
      m_subflows(parts.experiment.Get<RoutingScheme>("balance")->GetHost()->GetSubflows()),
      m_engine(CreateObject<FlowEngine>(parts.wiring,
                                        parts.router,
                                        GetFlowSettings(parts.experiment, tolerance)))
{
    parts.router->AllowDetours();
}

Ptr<Engine>
FlowRun::GetEngine() const
{
    return m_engine;
}

uint32_t
FlowRun::GetSubflows() const
{
    return m_subflows;
}

std::optional<PathSpread>
FlowRun::GetSpread() const
{
    return GetFlowSettings(m_experiment, m_tolerance).spread;
}

bool
FlowRun::ReadsMessages() const
{
    return m_experiment.Get<RecordOptions>("record")->WantsTimeline();
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
    m_runner = &runner;
    m_failures = &failures;
    m_progress = std::make_unique<FlowProgress>(m_engine,
                                                m_experiment.Get<WatchdogOptions>("watchdog"),
                                                runner,
                                                failures);
    const Ptr<RecordOptions> record = m_experiment.Get<RecordOptions>("record");
    if (record->WantsExplanation())
    {
        m_watch = std::make_unique<FlowWatch>(m_engine);
    }
    if (record->WantsTimeline())
    {
        m_timeline = std::make_unique<TimelineRecorder>(m_wiring);
    }
    if (BacklogWatch::IsNeeded(m_experiment))
    {
        m_backlogs = std::make_unique<BacklogWatch>(m_engine);
    }
}

LegRecorder&
FlowRun::WatchLegs(const ClusterSpeeds& speeds)
{
    m_watch.reset();
    m_legs = std::make_unique<FlowLegRecorder>(m_engine, speeds);
    return *m_legs;
}

void
FlowRun::OnPhase(bool starts)
{
    if (m_watch)
    {
        starts ? m_watch->StartPhase() : m_watch->EndPhase();
    }
    if (m_backlogs)
    {
        starts ? m_backlogs->StartPhase() : m_backlogs->EndPhase();
    }
}

void
FlowRun::OnFailures(bool converged)
{
    if (m_watch)
    {
        m_watch->NoteCables();
    }
    if (m_legs)
    {
        m_legs->NoteCables();
    }
    if (converged && m_timeline)
    {
        m_timeline->NoteAbandoned(*m_runner);
    }
}

Explanation
FlowRun::Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const
{
    // Nothing is said of what queue pairs wait for inside servers, which is not known apart.
    ExplainerWords words;
    words.repeats = "ACKs";
    words.idles = "left its rate unused";
    words.idleWhy = std::string("other cables") +
                    (speeds.interior->HasPcie() ? ", NVLink or PCIe" : " or NVLink") +
                    " held its flows back, or it had nothing to send";
    std::optional<std::vector<WatchedPhase>> watched;
    if (m_watch)
    {
        watched = m_watch->GetPhases();
    }
    return rails::Explain(
        {*m_runner, bound, speeds, m_wiring, std::move(watched), std::move(words)});
}

void
FlowRun::Describe(Result& result)
{
    DescribeNics(result);
    DescribePorts(result);
    if (m_timeline)
    {
        result.timeline =
            std::make_shared<ChromeTrace>(m_timeline->Collect(*m_runner, *m_failures));
    }
    const bool isLoose = m_tolerance > 0 && m_runner->GetPhases().empty();
    for (const std::string& note :
         FindFlowLimits(m_experiment, m_traits, *m_engine, m_backlogs.get(), isLoose))
    {
        result.notes.push_back(note);
    }
    result.fingerprint = ComputeFlowFingerprint(ListQueuePairs(), result.portRecords);
}

// What goes from GPU to GPU inside a server has numbers behind those of the NICs.
std::vector<FlowRecord>
FlowRun::ListQueuePairs() const
{
    const uint32_t nics = m_wiring.GetShape().GetNics();
    std::vector<FlowRecord> records;
    for (const FlowQueue& queue : m_engine->GetQueues())
    {
        if (queue.route.IsStage())
        {
            continue;
        }
        const FlowRoute& route = queue.route;
        const uint32_t first = route.IsPair() ? 0 : nics;
        records.push_back({first + route.from,
                           first + route.to,
                           route.number,
                           queue.bytes,
                           queue.firstStart,
                           queue.bytes > 0 ? queue.lastEnd : kNever});
    }
    return records;
}

void
FlowRun::DescribeNics(Result& result) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    for (uint32_t domain = 0; domain < shape.domains; ++domain)
    {
        std::vector<uint64_t> sent;
        std::vector<uint64_t> received;
        for (uint32_t rail = 0; rail < shape.nicsPerDomain; ++rail)
        {
            const FlowEngine::NicCounters& counters =
                m_engine->GetNicCounters(shape.GetNic(domain, rail));
            sent.push_back(counters.txBytes);
            received.push_back(counters.rxBytes);
            result.messages += counters.messages;
        }
        result.nicTxBytes.push_back(std::move(sent));
        result.nicRxBytes.push_back(std::move(received));
    }
}

// Nodes and ports have the numbers that they have among frames: servers, then switches.
void
FlowRun::DescribePorts(Result& result) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    const std::vector<FlowNetwork::Carried> carried = m_engine->GetCarried();
    for (uint32_t number = 0; number < m_wiring.GetCables().size(); ++number)
    {
        const Cable& cable = m_wiring.GetCables()[number];
        const CableKind& kind = m_wiring.GetKind(cable);
        PortRecord lower;
        lower.node = cable.isNic ? shape.GetNicDomain(cable.lower) : shape.domains + cable.lower;
        lower.port = cable.isNic ? shape.GetRail(cable.lower) : cable.lowerPort;
        lower.portClass = cable.isNic ? "nic_tx" : kind.lowerClass;
        lower.rateBps = kind.rateBps;
        PortRecord upper;
        upper.node = shape.domains + cable.upper;
        upper.port = cable.upperPort;
        upper.portClass = kind.upperClass;
        upper.rateBps = kind.rateBps;
        lower.peer = upper.node;
        lower.peerPort = upper.port;
        upper.peer = lower.node;
        upper.peerPort = lower.port;
        const FlowNetwork::Carried& up = carried[2 * number];
        const FlowNetwork::Carried& down = carried[2 * number + 1];
        lower.bytes = RoundBytes(up.data + up.acks);
        upper.bytes = RoundBytes(down.data + down.acks);
        for (PortRecord* record : {&lower, &upper})
        {
            if (m_runner->IsFinished())
            {
                record->busy =
                    record->bytes == 0 ? 0 : LongSerialisationTime(record->bytes, record->rateBps);
            }
            result.portRecords.push_back(std::move(*record));
        }
    }
    std::sort(result.portRecords.begin(),
              result.portRecords.end(),
              [](const PortRecord& one, const PortRecord& other) {
                  return std::pair(one.node, one.port) < std::pair(other.node, other.port);
              });
}

uint64_t
FlowRun::GetDeliveredBytes() const
{
    return m_engine->GetDeliveredBytes();
}

std::vector<std::string>
FlowRun::FindBrokenInvariants() const
{
    return {};
}

std::string
FlowRun::DescribeStuck() const
{
    const std::string& verdict = m_progress->GetVerdict();
    return (verdict.empty() ? "the simulation ran out of events" : verdict) + "\n" +
           m_progress->DescribeStuck();
}

} // namespace ns3::rails
