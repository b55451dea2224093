// SPDX-License-Identifier: GPL-2.0-only
#include "rails-scenario.h"

#include "rails-explainer.h"
#include "rails-fabric-cache.h"
#include "rails-failure-plan.h"
#include "rails-monitor.h"
#include "rails-port-watch.h"
#include "rails-queue-averager.h"
#include "rails-queue-recorder.h"
#include "rails-record-options.h"
#include "rails-schema.h"
#include "rails-timeline.h"
#include "rails-version.h"
#include "rails-watchdog-options.h"

#include "ns3/cluster-topology.h"
#include "ns3/collective-runner.h"
#include "ns3/fabric-traits.h"
#include "ns3/fixed-rate-congestion-control.h"
#include "ns3/lower-bound.h"
#include "ns3/published-bound.h"
#include "ns3/rails-error.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-pcap.h"
#include "ns3/rails-planner.h"
#include "ns3/rails-workload.h"
#include "ns3/rho-max.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <utility>

namespace ns3::rails
{

namespace
{

// Streams of random numbers: what is drawn for the workload does not depend on the scheme.
constexpr int64_t kWorkloadStreams = 1'000;
constexpr int64_t kPlannerStreams = 1'000'000;
constexpr int64_t kClusterStreams = 2'000'000;
constexpr int64_t kFailureStreams = 9'000'000;

FrameSettings
GetFrameSettings(const Experiment& experiment)
{
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    return {experiment.Get<SwitchProfile>("switch"),
            experiment.Get<Transport>("transport"),
            experiment.Get<NicProfile>("nic"),
            planner->GetPathSelector(),
            planner->GetPortSelector()};
}

/// One run, from its parts to its result.
class Run
{
  public:
    Run(const Experiment& experiment, const ProgressCallback& onProgress)
        : m_experiment(experiment),
          m_onProgress(onProgress),
          m_topology(experiment.Get<Topology>("topology")),
          m_profile(experiment.Get<SwitchProfile>("switch")),
          m_transport(experiment.Get<Transport>("transport")),
          m_workload(experiment.Get<Workload>("workload")),
          m_planner(experiment.Get<Planner>("balance")),
          m_record(experiment.Get<RecordOptions>("record"))
    {
    }

    Result Execute(const std::string& scheduler)
    {
        const auto wallStart = std::chrono::steady_clock::now();
        Prepare(scheduler);
        if (m_onProgress)
        {
            ReportProgress();
        }
        Simulator::ScheduleNow(&CollectiveRunner::Start, m_runner.get());
        Simulator::Run();
        m_progressEvent.Cancel();
        m_cluster->Finish();

        Result result = Describe();
        Judge(result);
        result.wallSeconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - wallStart).count();
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        result.peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
        return result;
    }

  private:
    void Prepare(const std::string& scheduler)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(m_experiment.seed);
        Simulator::SetScheduler(ObjectFactory(scheduler));

        m_workload->AssignStreams(kWorkloadStreams);
        m_planner->AssignStreams(kPlannerStreams);
        m_wiring = m_topology->Lay();
        m_traits = FindTraits(*m_wiring);
        m_router = std::make_shared<Router>(*m_wiring);
        m_cluster = CreateObject<GpuCluster>(m_wiring, m_router, GetFrameSettings(m_experiment));
        m_cluster->AssignStreams(kClusterStreams);
        const FrameFormat frames = GetFrameFormat();
        m_cluster->SetReplyTime(
            m_traits.longestLinks *
            (m_wiring->GetNicKind().delay +
             SerialisationTime(frames.ack + frames.wireOverhead, m_wiring->GetNicKind().rateBps)));
        if (m_record->m_punctual)
        {
            m_cluster->SetPunctual();
        }

        WorkloadSchedule schedule = m_workload->MakeSchedule(m_topology->GetShape());
        m_totalBytes = schedule.GetTotalBytes();
        StartFailures(schedule);
        FindRhoMax(schedule);
        m_runner = std::make_unique<CollectiveRunner>(std::move(schedule), m_cluster, m_planner);
        m_runner->SetSubflows(m_planner->GetPathSelector()->GetSubflows());
        m_runner->SetRouter(m_router);
        m_runner->SetFinishedCallback(MakeCallback(&Run::OnFinished, this));
        m_monitor = std::make_unique<Monitor>(m_cluster,
                                              m_experiment.Get<WatchdogOptions>("watchdog"),
                                              *m_runner,
                                              *m_failures);
        m_runner->SetPhaseCallback([this](bool starts) { OnPhase(starts); });
        if (m_record->m_explain)
        {
            m_watch = std::make_unique<PortWatch>(m_cluster);
        }
        if (m_record->m_queues)
        {
            m_queues = std::make_unique<QueueRecorder>(m_cluster->GetPorts());
        }
        if (m_record->m_queueMeans)
        {
            m_queueMeans = std::make_unique<QueueAverager>(m_cluster->GetPorts());
        }
        if (m_record->m_pcap)
        {
            m_pcap = std::make_unique<PcapRecorder>(*m_cluster, m_experiment.workFolder);
        }
        if (m_record->m_timeline)
        {
            const Time resolution = m_record->m_timelineResolution;
            m_timeline = std::make_unique<TimelineRecorder>(m_cluster,
                                                            resolution == Time::Max()
                                                                ? TimelineRecorder::kAutomatic
                                                                : resolution.GetTimeStep());
        }
    }

    // What fails at the start has failed, and the routing knows when it converges at once, before
    // anything else looks at the fabric.
    void StartFailures(const WorkloadSchedule& schedule)
    {
        const Ptr<FailurePlan> plan = m_experiment.Get<FailurePlan>("failures");
        m_failures = std::make_unique<Failures>(plan->MakeSchedule(), *m_wiring, *m_router);
        if (plan->IsEmpty())
        {
            return;
        }
        m_cluster->SetCutOffCallback(
            [this](uint32_t from, uint32_t to) { return m_failures->IsCutOff(from, to); });
        m_failures->AssignStreams(kFailureStreams);
        std::set<Failures::ServerPair> pairs;
        for (const ScheduledPhase& phase : schedule.phases)
        {
            for (uint32_t gpu = 0; phase.traffic && gpu < schedule.shape.GetGpus(); ++gpu)
            {
                const uint32_t domain = schedule.shape.GetDomain(gpu);
                for (const Demand& demand : phase.traffic->GetRow(gpu))
                {
                    const uint32_t to = schedule.shape.GetDomain(demand.destination);
                    if (domain != to)
                    {
                        pairs.emplace(domain, to);
                    }
                }
            }
        }
        m_failures->Draw({pairs.begin(), pairs.end()}, m_planner->CrossesRails());
        m_failures->SetChangedCallback([this](bool converged) {
            if (converged && m_runner)
            {
                m_runner->Replan();
            }
            if (m_watch)
            {
                m_watch->NoteCables();
            }
            if (converged && m_timeline)
            {
                m_timeline->NoteAbandoned(*m_runner);
            }
        });
        m_failures->Start();
    }

    // The rate at which hosts can send over what is left at the start, which bounds refer to also
    // when the hosts send as they like.
    void FindRhoMax(const WorkloadSchedule& schedule)
    {
        const auto control =
            DynamicCast<FixedRateCongestionControl>(m_transport->m_congestionControl);
        const bool isWanted = control && control->WantsRhoMax();
        const bool isIntact = m_experiment.Get<FailurePlan>("failures")->IsEmpty();
        if (!isWanted && (isIntact || !ComputePublishedBound(schedule, GetPublishedBoundFabric())))
        {
            return;
        }
        const bool isConverged = isIntact || !m_failures->GetConvergences().empty();
        // Nobody in the run learns what a router knows that has converged by itself.
        m_rhoMax = isConverged ? ComputeRhoMax(*schedule.matrix, *m_router)
                               : ComputeRhoMax(*schedule.matrix, Router(*m_wiring));
        if (isWanted)
        {
            control->SetRhoMax(*m_rhoMax);
        }
    }

    void OnPhase(bool starts)
    {
        if (m_watch)
        {
            starts ? m_watch->StartPhase() : m_watch->EndPhase();
        }
        if (!starts)
        {
            m_busy.clear();
            for (const Ptr<Port>& port : m_cluster->GetPorts())
            {
                m_busy.push_back(port->GetCountersNow().busy);
            }
        }
    }

    // The last ACK is told in its instant: all that servers wait for has come, so none of them runs
    // behind. What else happens in this instant still does: the last instant is not cut anywhere.
    void OnFinished()
    {
        Simulator::ScheduleNow([] { Simulator::Stop(); });
    }

    // Simulated time says little about wall time: the interval follows the clock.
    void ReportProgress()
    {
        const auto now = std::chrono::steady_clock::now();
        const double wall = std::chrono::duration<double>(now - m_reportedAt).count();
        if (wall < 0.05)
        {
            m_progressInterval = m_progressInterval * 2;
        }
        else if (wall > 0.2 && m_progressInterval > NanoSeconds(100))
        {
            m_progressInterval = TimeStep(m_progressInterval.GetTimeStep() / 2);
        }
        m_reportedAt = now;
        RunProgress progress;
        progress.now = NowPs();
        progress.messagesTotal = m_runner->GetMessages().size();
        progress.messagesDone = m_runner->GetDeliveredMessages();
        progress.bytesDone = m_runner->GetDeliveredBytes();
        progress.bytesTotal = m_totalBytes;
        m_onProgress(progress);
        m_progressEvent = Simulator::Schedule(m_progressInterval, &Run::ReportProgress, this);
    }

    Result Describe()
    {
        Result result;
        result.name = m_experiment.name;
        result.seed = m_experiment.seed;
        result.axes = m_experiment.axes;
        result.version = GetVersionInfo();
        result.effective = m_experiment.effective;
        result.gpus = m_topology->GetShape().GetGpus();
        result.writesMessages = m_record->m_messages;
        result.writesQueues = m_record->m_queues;
        result.writesLinks = m_record->m_links;
        result.events = Simulator::GetEventCount();
        result.simulated = NowPs();
        DescribeCollective(result);
        DescribeNics(result);
        DescribePorts(result);
        DescribeFailures(result);
        if (m_queues)
        {
            result.queueBins = m_queues->Collect();
        }
        if (m_timeline)
        {
            result.timeline =
                std::make_shared<ChromeTrace>(m_timeline->Collect(*m_runner, *m_failures));
        }
        std::ostringstream ratio;
        ratio << "largest oversubscription of a switch: " << m_traits.oversubscription;
        result.notes.push_back(ratio.str());
        for (const ExperimentWarning& warning : FindWarnings(m_experiment, m_traits))
        {
            result.notes.push_back("warning: " + warning.key + ": " + warning.message);
        }
        for (const std::string& storm : m_monitor->GetStorms())
        {
            result.notes.push_back(storm);
        }
        return result;
    }

    void DescribeCollective(Result& result)
    {
        const WorkloadSchedule& schedule = m_runner->GetSchedule();
        result.matrixHash = schedule.matrix->GetHash();
        result.busiestSourceBytes = schedule.GetAlgorithmBytes();
        result.busFactor = schedule.busFactor;
        result.bytes = schedule.GetTotalBytes();
        for (const Message& message : m_runner->GetMessages())
        {
            result.messageRecords.emplace_back(message);
            if (message.sent != kNever && message.acknowledged != kNever)
            {
                result.slowestFlow =
                    std::max(result.slowestFlow, message.acknowledged - message.sent);
            }
        }
        if (m_runner->GetFirstPost() != kNever && m_runner->GetLastDelivery() != kNever)
        {
            result.cct = m_runner->GetLastDelivery() - m_runner->GetFirstPost();
        }
        if (m_runner->GetFirstPost() != kNever && m_runner->GetLastAcknowledgement() != kNever)
        {
            result.cctSender = m_runner->GetLastAcknowledgement() - m_runner->GetFirstPost();
        }
        for (const CollectiveRunner::PhaseRecord& phase : m_runner->GetPhases())
        {
            result.phases.push_back({phase.name, phase.iteration, phase.start, phase.end});
        }
        if (schedule.iterations > 1 && m_runner->IsFinished())
        {
            const TimePs time = result.phases.back().end - result.phases.front().start;
            result.iteration = time / schedule.iterations;
        }

        const ClusterSpeeds speeds = GetSpeeds();
        const LowerBound bound(schedule, speeds);
        result.lowerBound = bound.GetTime();
        result.lowerBoundSender = bound.GetSenderTime();
        result.lowerBoundParts = bound.GetParts();
        result.lowerBoundBinding = bound.GetBinding();
        result.publishedBound = ComputePublishedBound(schedule, GetPublishedBoundFabric());
        result.rhoMax = m_rhoMax;
        if (m_runner->IsFinished() && m_runner->GetFirstPost() != kNever)
        {
            result.explanation =
                Explain({*m_runner,
                         bound,
                         speeds,
                         *m_cluster,
                         m_watch.get(),
                         DescribeHolder(),
                         m_experiment.Get<NicProfile>("nic")->m_messageGap.IsZero()
                             ? "bytes over NVLink"
                             : "bytes over NVLink, or its turn to post (nic.message_gap),"});
        }
    }

    // What can hold back a queue pair that has something to send.
    std::string DescribeHolder() const
    {
        const std::string control =
            GetComponentTypeName(m_transport->m_congestionControl->GetInstanceTypeId(),
                                 CongestionControl::GetTypeId());
        const bool hasControl = control != "none";
        return !hasControl                         ? "the windows of its queue pairs"
               : m_transport->m_window.IsSpecial() ? control
                                                   : control + " or transport.window";
    }

    PublishedBoundFabric GetPublishedBoundFabric() const
    {
        return {m_traits.longestLinks,
                m_wiring->GetNicKind().delay,
                m_wiring->GetNicKind().rateBps,
                // The paper's frames, whatever part of them travels here.
                {m_transport->m_mtu.Get(), 62, 64, Port::kWireOverhead},
                m_rhoMax.value_or(1)};
    }

    FrameFormat GetFrameFormat() const
    {
        return {m_transport->m_mtu.Get(),
                m_transport->m_dataHeader.Get(),
                m_transport->m_ackBytes.Get(),
                m_transport->m_wireOverhead.Get()};
    }

    ClusterSpeeds GetSpeeds() const
    {
        ClusterSpeeds speeds = FindSpeeds(*m_wiring, m_traits);
        speeds.nicRatesBps = m_failures->GetBestNicRates();
        speeds.frames = GetFrameFormat();
        return speeds;
    }

    void DescribeNics(Result& result)
    {
        for (const Ptr<GpuServer>& server : m_cluster->GetServers())
        {
            std::vector<uint64_t> sent;
            std::vector<uint64_t> received;
            for (uint32_t rail = 0; rail < m_topology->GetShape().gpusPerDomain; ++rail)
            {
                const NicCounters& counters = server->GetNic(rail).GetCounters();
                sent.push_back(counters.txBytes);
                received.push_back(counters.rxBytes);
                result.messages += counters.messages;
                result.frames += counters.dataFrames;
                result.retransmittedFrames += counters.retransmitted;
                result.cnps += counters.cnps;
            }
            result.nicTxBytes.push_back(std::move(sent));
            result.nicRxBytes.push_back(std::move(received));
        }
    }

    // When the last NIC had begun to send its last new frame.
    TimePs GetEndOfSending() const
    {
        TimePs end = 0;
        for (const Ptr<GpuServer>& server : m_cluster->GetServers())
        {
            for (uint32_t rail = 0; rail < m_topology->GetShape().gpusPerDomain; ++rail)
            {
                end = std::max(end, server->GetNic(rail).GetCounters().sentLast);
            }
        }
        return end;
    }

    void DescribePorts(Result& result)
    {
        for (const Ptr<Switch>& at : m_cluster->GetSwitches())
        {
            result.unroutable += at->GetUnroutable();
        }
        std::vector<double> queueMeans;
        if (m_queueMeans)
        {
            queueMeans = m_queueMeans->GetMeans(GetEndOfSending());
        }
        for (const Ptr<Port>& port : m_cluster->GetPorts())
        {
            const PortCounters counters = port->GetCountersNow();
            const Port::Identity& identity = port->GetIdentity();
            PortRecord record;
            record.node = identity.node;
            record.port = identity.index;
            record.peer = port->GetPeer().GetIdentity().node;
            record.peerPort = port->GetPeer().GetIndex();
            record.portClass = identity.portClass;
            record.rateBps = identity.rateBps;
            record.bytes = counters.wireBytes;
            if (m_runner->IsFinished())
            {
                record.busy = m_busy.empty() ? 0 : m_busy[result.portRecords.size()];
            }
            record.queueMaxBytes = counters.queueMaxBytes;
            record.pauses = counters.pauses;
            record.pausedPs = counters.paused;
            record.marks = counters.marks;
            record.drops = counters.drops;
            record.dataFrames = counters.dataFrames;
            if (!queueMeans.empty())
            {
                record.queueMeanBytes = queueMeans[result.portRecords.size()];
            }
            record.linkLosses = port->GetLink().GetLosses();
            result.frameHops += port->GetLink().GetFrames();
            result.pauseFrames += counters.pauseFrames;
            result.drops += record.drops;
            result.linkLosses += record.linkLosses;
            result.ecnMarks += record.marks;
            result.pfcPauses += record.pauses;
            result.pfcPaused += record.pausedPs;
            if (identity.portClass != "nic_tx")
            {
                result.queueMaxBytes = std::max(result.queueMaxBytes, record.queueMaxBytes);
            }
            result.portRecords.push_back(std::move(record));
        }
    }

    void DescribeFailures(Result& result)
    {
        for (const Failures::Event& event : m_failures->GetEvents())
        {
            result.failures.push_back({event.at, event.what, event.state, event.cables});
        }
        result.convergences = m_failures->GetConvergences();
        result.failedCables = m_failures->GetFailedCables();
        result.abandonedMessages = m_runner->GetAbandonedMessages();
    }

    void Judge(Result& result)
    {
        for (const Ptr<Switch>& at : m_cluster->GetSwitches())
        {
            if (at->GetLosslessDrops() > 0)
            {
                Break(result,
                      at->GetName() + " dropped " + std::to_string(at->GetLosslessDrops()) +
                          " frames of a lossless class: its headroom is too small");
            }
            if (!at->GetBuffer().IsConsistent())
            {
                Break(result,
                      "the buffer of " + at->GetName() + " went below zero or over its size");
            }
        }
        uint64_t delivered = 0;
        uint64_t abandoned = 0;
        for (const Ptr<GpuServer>& server : m_cluster->GetServers())
        {
            delivered += server->GetDeliveredBytes();
            server->GetTransfers().Visit([&](const Transfer& transfer) {
                abandoned += transfer.isAbandoned ? transfer.delivered : 0;
                if (transfer.received > transfer.bytes || transfer.delivered > transfer.bytes)
                {
                    Break(result,
                          "message " + std::to_string(transfer.id) +
                              " delivered bytes more than once");
                }
            });
        }
        if (!m_runner->IsFinished())
        {
            if (result.status == RunStatus::Done)
            {
                result.status = RunStatus::NotFinished;
            }
            const std::string& verdict = m_monitor->GetVerdict();
            result.report += (verdict.empty() ? "the simulation ran out of events" : verdict) +
                             "\n" + m_monitor->DescribeStuck();
            const Ptr<FailurePlan> plan = m_experiment.Get<FailurePlan>("failures");
            if (!plan->IsEmpty() && !plan->Converges())
            {
                result.report += "failures.convergence is never, so switches go on sending into "
                                 "what is down: set it to a time, such as 20us\n";
            }
            return;
        }
        // What came of messages before they were given up came again with others.
        if (delivered - abandoned != result.bytes)
        {
            Break(result,
                  std::to_string(delivered - abandoned) + " bytes were delivered instead of " +
                      std::to_string(result.bytes));
        }
        if (result.cct < result.lowerBound)
        {
            Break(result, "the completion time is below its lower bound");
        }
        if (result.cctSender < result.lowerBoundSender)
        {
            Break(result, "the sender's completion time is below its lower bound");
        }
    }

    static void Break(Result& result, const std::string& what)
    {
        result.status = RunStatus::InvariantBroken;
        result.report += "invariant broken: " + what + "\n";
    }

    const Experiment& m_experiment;
    const ProgressCallback& m_onProgress;
    Ptr<Topology> m_topology;
    Ptr<SwitchProfile> m_profile;
    Ptr<Transport> m_transport;
    Ptr<Workload> m_workload;
    Ptr<Planner> m_planner;
    Ptr<RecordOptions> m_record;

    std::shared_ptr<Wiring> m_wiring;
    FabricTraits m_traits;
    std::shared_ptr<Router> m_router;
    Ptr<GpuCluster> m_cluster;
    std::unique_ptr<Failures> m_failures;
    std::unique_ptr<CollectiveRunner> m_runner;
    std::unique_ptr<Monitor> m_monitor;
    std::unique_ptr<PortWatch> m_watch;
    std::vector<TimePs> m_busy; // of all ports, at the end of the last phase with traffic
    std::unique_ptr<QueueRecorder> m_queues;
    std::unique_ptr<QueueAverager> m_queueMeans;
    std::unique_ptr<PcapRecorder> m_pcap;
    std::unique_ptr<TimelineRecorder> m_timeline;
    uint64_t m_totalBytes{0};
    std::optional<double> m_rhoMax; //!< when somebody wants to know
    EventId m_progressEvent;
    Time m_progressInterval{MicroSeconds(1)};
    std::chrono::steady_clock::time_point m_reportedAt{std::chrono::steady_clock::now()};
};

/// Ends the simulation also when something is thrown in the middle of it.
class SimulatorGuard
{
  public:
    SimulatorGuard() = default;
    SimulatorGuard(const SimulatorGuard&) = delete;
    SimulatorGuard& operator=(const SimulatorGuard&) = delete;

    ~SimulatorGuard()
    {
        Simulator::Destroy();
    }
};

// What parts that are right by themselves cannot do together.
void
CheckTogether(const Topology& topology,
              const SwitchProfile& profile,
              const Transport& transport,
              const Planner& planner)
{
    const uint64_t largest = transport.GetLargestFrame();
    if (!profile.m_portBuffer.IsSpecial() && profile.m_portBuffer.Get() < largest)
    {
        throw ConfigurationError("switch.port_buffer",
                                 "a port's buffer must hold a frame, " + std::to_string(largest) +
                                     " B with its headers");
    }
    const auto control = DynamicCast<FixedRateCongestionControl>(transport.m_congestionControl);
    if (control && control->WantsRhoMax() && topology.GetShape().gpusPerDomain > 1)
    {
        throw ConfigurationError("transport.congestion_control.rho_max",
                                 "rho_max is known only where a server has one NIC: which of "
                                 "several carries what is the planner's business; set load");
    }
    if (planner.ChoosesAtSending() && planner.GetPathSelector()->GetSubflows() > 1)
    {
        throw ConfigurationError("balance.host",
                                 "subflows of a message leave by one NIC at once, and this scheme "
                                 "chooses the NIC piece by piece as it sends; use another "
                                 "balance.type");
    }
}

// What can be told without making anything.
LaidFabric
CheckParts(const Experiment& experiment, FabricCache& fabrics)
{
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    CheckNested("topology", [&] { topology->Check(); });
    CheckNested("switch", [&] { experiment.Get<SwitchProfile>("switch")->Check(); });
    CheckNested("workload",
                [&] { experiment.Get<Workload>("workload")->Check(topology->GetShape()); });
    const LaidFabric fabric = fabrics.Get(*topology);
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    if (planner->CrossesRails() && !fabric.traits.connectsRails)
    {
        throw ConfigurationError("balance.type",
                                 "this scheme changes rail in the fabric, and the topology has no "
                                 "spine that joins the rails: set topology.spines above 0");
    }
    const Ptr<Transport> transport = experiment.Get<Transport>("transport");
    CheckNested("transport", [&] { transport->Check(); });
    CheckNested("balance.host", [&] { planner->GetPathSelector()->Check(); });
    CheckNested("balance.switch", [&] { planner->GetPortSelector()->Check(fabric.traits); });
    CheckTogether(*topology, *experiment.Get<SwitchProfile>("switch"), *transport, *planner);
    const Ptr<WatchdogOptions> watchdog = experiment.Get<WatchdogOptions>("watchdog");
    const Ptr<FailurePlan> failures = experiment.Get<FailurePlan>("failures");
    if (!failures->IsEmpty() && failures->Converges() &&
        watchdog->m_noProgressAfter <= failures->m_convergence)
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than the routing, "
                                 "failures.convergence, which is " +
                                     std::to_string(FailurePlan::kUsualConvergenceUs) +
                                     "us unless it is set");
    }
    if (watchdog->m_noProgressAfter <= experiment.Get<NicProfile>("nic")->m_messageGap)
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than a NIC that posts, "
                                 "nic.message_gap");
    }
    if (watchdog->m_noProgressAfter.GetPicoSeconds() <= transport->m_lossRecovery->GetTimeout())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than the retransmission "
                                 "timeout, transport.loss_recovery.timeout");
    }
    return fabric;
}

} // namespace

std::vector<ExperimentWarning>
CheckExperiment(const Experiment& experiment)
{
    return MakeExperimentCheck()(experiment);
}

std::function<std::vector<ExperimentWarning>(const Experiment&)>
MakeExperimentCheck()
{
    return [fabrics = std::make_shared<FabricCache>()](const Experiment& experiment) {
        const LaidFabric fabric = CheckParts(experiment, *fabrics);
        GetFrameSettings(experiment).Check(*fabric.wiring);
        const FailureTimetable timetable(experiment.Get<FailurePlan>("failures")->MakeSchedule(),
                                         *fabric.wiring);
        return FindWarnings(experiment, fabric.traits);
    };
}

double
EstimateFrames(const Experiment& experiment)
{
    const double bytes = experiment.Get<Workload>("workload")
                             ->EstimateBytes(experiment.Get<Topology>("topology")->GetShape());
    const auto mtu = static_cast<double>(experiment.Get<Transport>("transport")->m_mtu.Get());
    return std::ceil(bytes / mtu);
}

Result
RunScenario(const Experiment& experiment,
            const ProgressCallback& onProgress,
            const std::string& scheduler)
{
    if (Time::GetResolution() != Time::PS)
    {
        throw ConfigurationError("",
                                 "the time resolution is not picoseconds: call "
                                 "Time::SetResolution(Time::PS) first in main()");
    }
    FabricCache fabrics;
    CheckParts(experiment, fabrics);
    const SimulatorGuard guard;
    return Run(experiment, onProgress).Execute(scheduler);
}

} // namespace ns3::rails
