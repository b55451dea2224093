// SPDX-License-Identifier: GPL-2.0-only
#include "rails-scenario.h"

#include "expert-study-run.h"
#include "gpu-losses.h"
#include "placement-record.h"
#include "rails-engine-choice.h"
#include "rails-failure-plan.h"
#include "rails-optical-options.h"
#include "rails-record-options.h"
#include "rails-run-report.h"
#include "rails-streams.h"
#include "rails-timeline.h"
#include "workload-setting.h"

#include "ns3/circuit-controller.h"
#include "ns3/circuit-log.h"
#include "ns3/cluster-topology.h"
#include "ns3/fabric-traits.h"
#include "ns3/graph-runner.h"
#include "ns3/planner.h"
#include "ns3/published-bound.h"
#include "ns3/rails-error.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-transport.h"
#include "ns3/rails-workload.h"
#include "ns3/rho-max.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/static-circuit-planner.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <sys/resource.h>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return all pairs of servers of which one has something for the other, in any phase
std::vector<Failures::ServerPair>
FindPairs(const WorkloadSchedule& schedule)
{
    std::set<const TrafficMatrix*> matrices; // iterations repeat the same
    std::vector<Failures::ServerPair> pairs;
    for (const ScheduledPhase& phase : schedule.phases)
    {
        if (!phase.traffic || !matrices.insert(phase.traffic.get()).second)
        {
            continue;
        }
        for (uint32_t gpu = 0; gpu < schedule.shape.GetGpus(); ++gpu)
        {
            const uint32_t domain = schedule.shape.GetDomain(gpu);
            for (const Demand& demand : phase.traffic->GetRow(gpu))
            {
                const uint32_t to = schedule.shape.GetDomain(demand.destination);
                if (domain != to)
                {
                    pairs.emplace_back(domain, to);
                }
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// One run, from its parts to its result.
class Run
{
  public:
    Run(const Experiment& experiment, const ProgressCallback& onProgress)
        : m_experiment(experiment),
          m_onProgress(onProgress),
          m_topology(experiment.Get<Topology>("topology")),
          m_planner(experiment.Get<Planner>("balance"))
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
        Simulator::ScheduleNow(&GraphRunner::Start, m_runner.get());
        Simulator::Run();
        m_progressEvent.Cancel();
        m_engine->GetEngine()->Finish();
        m_runner->NumberMessages();
        if (m_legs)
        {
            m_legs->Finish();
        }

        Result result = ReportRun({m_experiment,
                                   *m_wiring,
                                   m_traits,
                                   *m_runner,
                                   *m_failures,
                                   *m_losses,
                                   *m_engine,
                                   m_legs,
                                   m_rhoMax});
        if (m_circuits)
        {
            DescribeCircuits(result);
        }
        if (m_experiment.Get<RecordOptions>("record")->WantsPlacement())
        {
            PlacementRecord(*m_program).Write(m_experiment.workFolder);
        }
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

        const Ptr<Workload> workload = m_experiment.Get<Workload>("workload");
        workload->AssignStreams(kWorkloadStreams);
        m_planner->AssignStreams(kPlannerStreams);
        if (m_planner->GetOtherPlanner())
        {
            m_planner->GetOtherPlanner()->AssignStreams(kOtherPlannerStreams);
        }
        m_wiring = m_topology->Lay();
        m_router = std::make_shared<Router>(*m_wiring);
        m_traits = m_wiring->GetOverrides().empty() ? FindTraits(*m_router) : FindTraits(*m_wiring);
        m_engine = m_experiment.Get<EngineChoice>("engine")->Make(
            {m_experiment, m_wiring, m_traits, m_router});
        const Ptr<Engine> engine = m_engine->GetEngine();
        engine->AssignStreams(kEngineStreams);
        if (m_experiment.Get<RecordOptions>("record")->IsPunctual())
        {
            engine->SetPunctual();
        }

        const WorkloadSetting setting = MakeWorkloadSetting(m_experiment, *m_wiring);
        WorkloadSchedule schedule;
        CheckNested("workload", [&] {
            m_program = workload->MakeProgram(setting);
            schedule = m_program->GetSchedule(); // what is drawn late is drawn here
        });
        m_totalBytes = schedule.GetTotalBytes();
        StartFailures(schedule);
        FindRhoMax(schedule);
        MakeRunner(std::move(schedule));
        m_runner->SetSubflows(m_engine->GetSubflows());
        m_runner->SetRouter(m_router);
        m_runner->SetFrames(m_experiment.Get<Transport>("transport")->GetFrameFormat());
        // The last ACK is told in its instant: all that servers wait for has come, so none of them
        // runs behind. What else happens in this instant still does: it is not cut anywhere.
        m_runner->SetFinishedCallback([] { Simulator::ScheduleNow([] { Simulator::Stop(); }); });
        m_losses =
            std::make_unique<GpuLosses>(m_experiment.Get<FailurePlan>("failures")->MakeSchedule(),
                                        *m_failures,
                                        *m_runner,
                                        engine);
        m_losses->Start();
        m_engine->Watch(*m_runner, *m_failures);
        if (m_experiment.Get<RecordOptions>("record")->WantsExplanation() &&
            !m_runner->GetProgram().HasPhases())
        {
            m_legs = &m_engine->WatchLegs(
                FindClusterSpeeds(m_experiment, *m_wiring, m_traits, *m_failures));
            m_runner->SetLegWatch(m_legs);
        }
    }

    void MakeRunner(WorkloadSchedule schedule)
    {
        const Ptr<Engine> engine = m_engine->GetEngine();
        m_runner = std::make_unique<GraphRunner>(std::move(schedule), m_program, engine, m_planner);
        const bool isIntact = m_experiment.Get<FailurePlan>("failures")->IsEmpty();
        if (isIntact && !m_program->HasPhases() && !m_engine->ReadsMessages())
        {
            const Ptr<RecordOptions> record = m_experiment.Get<RecordOptions>("record");
            m_runner->ForgetMessagesBeyond(record->GetMostMessages());
        }
        m_runner->SetPhaseCallback([this](bool starts) { m_engine->OnPhase(starts); });
        if (m_wiring->HasOptical())
        {
            const Ptr<OpticalOptions> options = m_experiment.Get<OpticalOptions>("optical");
            // Until it is first asked, a region has circuits that are drawn (the public code of
            // MixNet).
            const Ptr<StaticCircuitPlanner> drawn = CreateObject<StaticCircuitPlanner>();
            const Ptr<CircuitPlanner> asked = options->GetPlanner();
            drawn->AssignStreams(kCircuitStreams + asked->AssignStreams(kCircuitStreams));
            const auto getSent = [this](uint32_t nic) {
                return m_engine->GetEngine()->GetSentBytes(nic);
            };
            m_circuits = std::make_unique<CircuitController>(
                m_wiring,
                asked,
                options->GetMoves(),
                options->GetDarkPart(),
                m_experiment.Get<FailurePlan>("failures")->MakeSchedule().rules,
                getSent);
            if (m_experiment.Get<RecordOptions>("record")->WantsCircuits(0))
            {
                m_circuitLog = std::make_unique<CircuitLog>(m_wiring, getSent);
            }
            m_runner->SetPauseCallback([this] { return m_circuits->IsBetweenTurns(); });
            m_circuits->Lay(asked->FollowsDemand() ? *drawn : *asked);
            if (!isIntact)
            {
                // What servers pass on for others may have to go by new circuits.
                m_circuits->SetLiveCallback([this] { m_runner->Replan(); });
            }
            m_runner->SetCircuitCallback(
                [this](const GraphRunner::CircuitMove& move) { return MoveCircuits(move); });
        }
    }

    /// The controller of a region hears of the last of its servers, and all hear of it, one control
    /// delay later.
    std::vector<TimePs> MoveCircuits(const GraphRunner::CircuitMove& move)
    {
        const ClusterShape& shape = m_wiring->GetShape();
        const Ptr<OpticalOptions> options = m_experiment.Get<OpticalOptions>("optical");
        const CircuitController::Times times =
            options->FindTimes(move.full, move.purpose.isOnWayBack);
        // GPUs that replace others may be on spare servers, all of them even: then nothing moves,
        // and they wait as lower bounds have it.
        std::optional<uint32_t> found;
        for (std::size_t i = 0; !found && i < move.gpus.size(); ++i)
        {
            found = m_circuits->FindRegion(shape.GetDomain(move.gpus[i]));
        }
        if (!found)
        {
            const bool waits = options->IsRegionWaiting();
            return std::vector<TimePs>(move.gpus.size(), waits ? times.told : times.kept);
        }
        const uint32_t region = *found;
        CircuitDemand demand = m_circuits->MakeDemand(region);
        const auto isIn = [&](uint32_t gpu) {
            return m_circuits->IsIn(region, shape.GetDomain(gpu));
        };
        for (const uint32_t gpu : move.gpus)
        {
            for (const Demand& sent : move.barrier.GetAnnounced(gpu))
            {
                if (isIn(gpu) && isIn(sent.destination))
                {
                    demand.Add(gpu, sent.destination, sent.bytes);
                }
            }
        }
        const std::vector<bool> waits =
            m_circuits->Reconfigure(region, demand, times, move.purpose.isForeseen);
        std::vector<TimePs> goOn;
        for (const uint32_t gpu : move.gpus)
        {
            const uint32_t server = shape.GetDomain(gpu);
            const bool isWaiting = isIn(gpu) && waits[m_circuits->GetPlace(server)];
            goOn.push_back(isWaiting ? times.told : times.kept);
        }
        return goOn;
    }

    void DescribeCircuits(Result& result) const
    {
        const Ptr<OpticalOptions> options = m_experiment.Get<OpticalOptions>("optical");
        CircuitController::Record record = m_circuits->GetRecord();
        if (!options->GetPlanner()->FollowsDemand())
        {
            // Nobody asks for static ones, so they count as they are.
            const CircuitTally& tally = m_runner->GetCircuitTally();
            record.asked = CircuitController::FindExtent(*m_wiring).regions;
            record.circuits = m_circuits->CountStanding();
            record.servedBytes = tally.byCircuits;
            record.totalBytes = tally.bytes;
        }
        const auto asked = static_cast<double>(std::max<uint64_t>(1, record.asked));
        const auto bytes = static_cast<double>(std::max<uint64_t>(1, record.totalBytes));
        result.optical = {{"reconfigurations", static_cast<double>(record.reconfigurations)},
                          {"circuits", static_cast<double>(record.circuits) / asked},
                          {"moved", static_cast<double>(record.moved) / asked},
                          {"circuit_share", static_cast<double>(record.servedBytes) / bytes},
                          {"dark_s", static_cast<double>(record.dark) * 1e-12}};
        result.opticalRules = options->GetRules();
        if (m_circuitLog)
        {
            RecordCircuits(result);
        }
    }

    void RecordCircuits(Result& result) const
    {
        std::vector<CircuitRecord> records;
        for (const CircuitSpan& span : m_circuitLog->Collect())
        {
            records.push_back({span.start,
                               span.end,
                               m_circuits->FindRegion(span.from).value(),
                               span.from,
                               span.to,
                               span.circuits,
                               span.bytes,
                               span.dark});
        }
        if (result.timeline)
        {
            AddCircuitTracks(records, *result.timeline);
        }
        if (m_experiment.Get<RecordOptions>("record")->WantsCircuits(records.size()))
        {
            result.circuitRecords = std::move(records);
        }
        else
        {
            result.notes.push_back(
                "circuits.csv is not written: " + std::to_string(records.size()) +
                " lines; set record.circuits to true");
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
        m_engine->GetEngine()->SetCutOffCallback(
            [this](uint32_t from, uint32_t to) { return m_failures->IsCutOff(from, to); });
        m_failures->AssignStreams(kFailureStreams);
        m_failures->Draw(FindPairs(schedule), m_planner->AnyCrossesRails());
        m_failures->SetChangedCallback([this](bool converged) {
            if (converged && m_runner)
            {
                m_runner->Replan();
            }
            m_engine->OnFailures(converged);
        });
        m_failures->Start();
    }

    // The rate at which hosts can send over what is left at the start, which bounds refer to also
    // when the hosts send as they like.
    void FindRhoMax(const WorkloadSchedule& schedule)
    {
        const bool isIntact = m_experiment.Get<FailurePlan>("failures")->IsEmpty();
        const auto hasPublishedBound = [&] {
            const PublishedBoundFabric fabric =
                DescribePublishedFabric(m_experiment, *m_wiring, m_traits, 1);
            return ComputePublishedBound(schedule, fabric).has_value();
        };
        if (!m_engine->WantsRhoMax() && (isIntact || !hasPublishedBound()))
        {
            return;
        }
        const bool isConverged = isIntact || !m_failures->GetConvergences().empty();
        // Nobody in the run learns what a router knows that has converged by itself.
        m_rhoMax = isConverged ? ComputeRhoMax(*schedule.matrix, *m_router)
                               : ComputeRhoMax(*schedule.matrix, Router(*m_wiring));
        if (m_engine->WantsRhoMax())
        {
            m_engine->SetRhoMax(*m_rhoMax);
        }
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
        progress.messagesTotal = m_runner->GetMessages().GetSize();
        progress.messagesDone = m_runner->GetMessages().GetDelivered();
        progress.bytesDone = m_runner->GetMessages().GetDeliveredBytes();
        progress.bytesTotal = m_totalBytes;
        m_onProgress(progress);
        m_progressEvent = Simulator::Schedule(m_progressInterval, &Run::ReportProgress, this);
    }

    const Experiment& m_experiment;
    const ProgressCallback& m_onProgress;
    Ptr<Topology> m_topology;
    Ptr<Planner> m_planner;

    std::shared_ptr<Wiring> m_wiring;
    FabricTraits m_traits;
    std::shared_ptr<Router> m_router;
    std::unique_ptr<EngineRun> m_engine;
    std::unique_ptr<Failures> m_failures;
    std::unique_ptr<CircuitController> m_circuits; //!< where there are optical switches
    std::unique_ptr<CircuitLog> m_circuitLog;      //!< if somebody wants to see them
    std::shared_ptr<const GraphProgram> m_program;
    std::unique_ptr<GraphRunner> m_runner;
    LegRecorder* m_legs{nullptr}; //!< of a graph that is to be explained
    std::unique_ptr<GpuLosses> m_losses;
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

} // namespace

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
    CheckExperiment(experiment);
    if (IsExpertStudy(experiment))
    {
        return RunExpertStudy(experiment);
    }
    const SimulatorGuard guard;
    return Run(experiment, onProgress).Execute(scheduler);
}

} // namespace ns3::rails
