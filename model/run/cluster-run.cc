// SPDX-License-Identifier: GPL-2.0-only
#include "cluster-run.h"

#include "graph-explainer.h"
#include "rails-streams.h"
#include "replica-finder.h"
#include "replica-links.h"
#include "workload-setting.h"

#include "ns3/balancer.h"
#include "ns3/compute-time.h"
#include "ns3/folded-program.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-transport.h"
#include "ns3/rho-max.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return all pairs of servers with traffic from the first to the second, in any phase
std::vector<Failures::ServerPair>
FindPairs(const WorkloadSchedule& schedule)
{
    std::set<const TrafficMatrix*> matrices; // iterations share their matrices
    std::vector<Failures::ServerPair> pairs;
    for (const ScheduledPhase& phase : schedule.phases)
    {
        if (!phase.traffic || !matrices.insert(phase.traffic.get()).second)
        {
            continue;
        }
        for (uint32_t gpu = 0; gpu < schedule.shape.GetGpus(); ++gpu)
        {
            const uint32_t server = schedule.shape.GetServer(gpu);
            for (const Demand& demand : phase.traffic->GetRow(gpu))
            {
                const uint32_t to = schedule.shape.GetServer(demand.destination);
                if (server != to)
                {
                    pairs.emplace_back(server, to);
                }
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

} // namespace

ClusterRun::ClusterRun(std::shared_ptr<Wiring> wiring,
                       const Ptr<Workload>& workload,
                       const RunSettings& settings,
                       const ForwardPart& part)
    : m_settings(settings),
      m_wiring(std::move(wiring))
{
    workload->AssignStreams(m_settings.firstStream + kWorkloadStreams);
    MakeEngine();
    const WorkloadSetting setting = MakeWorkloadSetting(*workload, *m_wiring, m_settings);
    CheckNested("workload", [&] { m_whole = workload->MakeProgram(setting); });
    ChoosePart(part);
    Prepare();
}

ClusterRun::ClusterRun(std::shared_ptr<Wiring> wiring,
                       std::shared_ptr<const GraphProgram> program,
                       const RunSettings& settings)
    : m_settings(settings),
      m_wiring(std::move(wiring)),
      m_whole(std::move(program)),
      m_program(m_whole)
{
    MakeEngine();
    Prepare();
}

ClusterRun::~ClusterRun() = default;

void
ClusterRun::CheckDraws(Wiring& wiring, Workload& workload, const RunSettings& settings)
{
    const FailureSchedule failures = settings.failures->MakeSchedule();
    if (failures.random.IsEmpty())
    {
        return;
    }
    WorkloadSchedule schedule;
    workload.AssignStreams(settings.firstStream + kWorkloadStreams);
    CheckNested("workload", [&] {
        schedule =
            workload.MakeProgram(MakeWorkloadSetting(workload, wiring, settings))->GetSchedule();
    });
    Router router(wiring);
    Failures drawn(failures, wiring, router);
    drawn.AssignStreams(settings.firstStream + kFailureStreams);
    drawn.Draw(FindPairs(schedule), settings.balancer->AnyCrossesRails());
}

void
ClusterRun::MakeEngine()
{
    if (Time::GetResolution() != Time::PS)
    {
        throw ConfigurationError("",
                                 "the time resolution is not picoseconds: call "
                                 "Time::SetResolution(Time::PS) first in main()");
    }
    const Ptr<Balancer> balancer = m_settings.balancer;
    balancer->AssignStreams(m_settings.firstStream + kBalancerStreams);
    if (balancer->GetOtherBalancer())
    {
        balancer->GetOtherBalancer()->AssignStreams(m_settings.firstStream + kOtherBalancerStreams);
    }
    m_router = std::make_shared<Router>(*m_wiring);
    m_traits = m_wiring->GetOverrides().empty() ? FindTraits(*m_router) : FindTraits(*m_wiring);
    m_engine = m_settings.engine->Make({m_settings, m_wiring, m_traits, m_router});
    GetEngine()->AssignStreams(m_settings.firstStream + kEngineStreams);
    if (m_settings.record->IsPunctual())
    {
        GetEngine()->SetPunctual();
    }
}

/// Sets the program that is run.
void
ClusterRun::ChoosePart(const ForwardPart& part)
{
    m_program = m_whole;
    const std::unique_ptr<const GraphRepetition> repetition = m_whole->FindRepetition();
    if (!repetition)
    {
        return;
    }
    m_whyWhole = FindWhyWhole(*m_wiring, m_settings);
    ForwardPart chosen = m_whyWhole.empty() ? part : ForwardPart();
    if (chosen.choice == ForwardPart::Choice::All && chosen.tried > 0)
    {
        m_whyWhole = "micro-batches did not come to take equally long on all GPUs";
    }
    if (chosen.choice == ForwardPart::Choice::Fewest)
    {
        chosen = FastForward::ChoosePart(*repetition);
        m_whyWhole =
            chosen.choice == ForwardPart::Choice::All ? "there are too few micro-batches" : "";
    }
    if (chosen.choice == ForwardPart::Choice::All)
    {
        return;
    }
    m_program = repetition->MakePart(chosen.units);
    CheckNested("workload", [&] { m_schedule = m_whole->GetSchedule(); });
    m_forward =
        std::make_unique<FastForward>(*repetition,
                                      chosen,
                                      m_program->GetIterations(),
                                      [this](uint32_t gpu) {
                                          GraphRecord graph = m_runner->CountUpToNow(gpu);
                                          return RunCounters{m_engine->Count(), std::move(graph)};
                                      });
}

void
ClusterRun::Prepare()
{
    WorkloadSchedule schedule;
    CheckNested("workload", [&] { schedule = m_program->GetSchedule(); }); // makes the last draws
    m_scaling = m_whole->FindScaling();
    if (m_scaling && m_program != m_whole)
    {
        m_scaling = m_program->FindScaling();
    }
    FoldReplicas();
    StartFailures(schedule);
    FindRhoMax(schedule);
    MakeRunner(std::move(schedule));
    m_losses = std::make_unique<GpuLosses>(m_settings.failures->MakeSchedule(),
                                           *m_failures,
                                           *m_runner,
                                           GetEngine());
    m_losses->Start();
    Watch();
}

void
ClusterRun::FoldReplicas()
{
    if (!m_settings.maySkipReplicas || m_settings.engine->GetSymmetry() == SYMMETRY_OFF)
    {
        return;
    }
    ReplicaFinder finder(*m_wiring, m_settings, m_engine->GetSpread());
    if (auto fold = finder.Find(*m_program))
    {
        const bool isClose = m_settings.engine->GetSymmetry() == SYMMETRY_CLOSE;
        const std::optional<ReplicaLinks> cables = ReplicaLinks::Find(*m_wiring, *fold);
        if (isClose && cables)
        {
            cables->Narrow(*m_wiring, *fold);
        }
        for (uint32_t gpu = 0; m_forward && gpu < m_program->GetShape().GetGpus(); ++gpu)
        {
            fold->IsComputed(gpu) ? void() : m_forward->Ignore(gpu);
        }
        m_fold = fold;
        m_program = std::make_shared<const FoldedProgram>(std::move(m_program), std::move(fold));
    }
    m_unfolded = finder.GetReason();
}

// Applies failures at the start, and the routing if it converges at once, before any other object
// reads the fabric.
void
ClusterRun::StartFailures(const WorkloadSchedule& schedule)
{
    m_failures =
        std::make_unique<Failures>(m_settings.failures->MakeSchedule(), *m_wiring, *m_router);
    if (m_settings.failures->IsEmpty())
    {
        return;
    }
    GetEngine()->SetCutOffCallback(
        [this](uint32_t from, uint32_t to) { return m_failures->IsCutOff(from, to); });
    m_failures->AssignStreams(m_settings.firstStream + kFailureStreams);
    m_failures->Draw(FindPairs(schedule), m_settings.balancer->AnyCrossesRails());
    m_failures->SetChangedCallback([this](bool converged) {
        if (converged && m_runner)
        {
            m_runner->Replan();
        }
        m_engine->OnFailures(converged);
        if (m_onFailures)
        {
            m_onFailures(converged);
        }
    });
    m_failures->Start();
}

// Finds the rate at which hosts can send over the links that work at the start. Bounds refer to it
// even when hosts do not obey it.
void
ClusterRun::FindRhoMax(const WorkloadSchedule& schedule)
{
    const bool isIntact = m_settings.failures->IsEmpty();
    const auto hasPublishedBound = [&] {
        return ComputePublishedBound(schedule, DescribePublishedFabric()).has_value();
    };
    if (!m_engine->WantsRhoMax() && (isIntact || !hasPublishedBound()))
    {
        return;
    }
    const bool isConverged = isIntact || !m_failures->GetConvergences().empty();
    // A router of its own has converged; the run does not see it.
    m_rhoMax = isConverged ? ComputeRhoMax(*schedule.matrix, *m_router)
                           : ComputeRhoMax(*schedule.matrix, Router(*m_wiring));
    if (m_engine->WantsRhoMax())
    {
        m_engine->SetRhoMax(*m_rhoMax);
    }
}

void
ClusterRun::MakeRunner(WorkloadSchedule schedule)
{
    m_runner = std::make_unique<GraphRunner>(std::move(schedule),
                                             m_program,
                                             GetEngine(),
                                             m_settings.balancer);
    if (m_settings.failures->IsEmpty() && !m_program->HasPhases() && !m_engine->ReadsMessages())
    {
        const ReplicaFold* fold = m_program->GetFold();
        const uint64_t most = m_settings.record->GetMostMessages();
        m_runner->ForgetMessagesBeyond(fold ? fold->Divide(most) : most);
    }
    m_runner->SetPhaseCallback([this](bool starts) { m_engine->OnPhase(starts); });
    if (m_wiring->HasOptical())
    {
        m_circuits = std::make_unique<CircuitRun>(m_wiring,
                                                  m_settings.optical,
                                                  *m_settings.failures,
                                                  GetEngine(),
                                                  m_settings.record->WantsCircuits(0),
                                                  m_settings.firstStream + kCircuitStreams);
        m_circuits->Serve(*m_runner);
    }
    if (m_forward || m_scaling)
    {
        m_runner->SetEndCallback([this](uint32_t gpu, uint32_t stream, uint64_t over, TimePs at) {
            if (m_forward)
            {
                m_forward->OnEnd(gpu, stream, over, at);
            }
            if (m_scaling)
            {
                m_scaling->OnEnd(gpu, stream, over, at);
            }
        });
    }
    if (m_forward && m_forward->GetAheadKind())
    {
        m_runner->KeepSpans(*m_forward->GetAheadKind());
    }
    m_runner->SetSubflows(m_engine->GetSubflows());
    m_runner->SetRouter(m_router);
    m_runner->SetFrames(m_settings.parts.transport->GetFrameFormat());
    // The last ACK is told in its instant, since no server lags when all it waits for has come. The
    // rest of the instant still happens, so that results do not depend on its order.
    m_runner->SetFinishedCallback([] { Simulator::ScheduleNow([] { Simulator::Stop(); }); });
}

void
ClusterRun::Watch()
{
    m_engine->Watch(*m_runner, *m_failures);
    if (m_settings.record->WantsExplanation() && !m_program->HasPhases())
    {
        m_segments = &m_engine->WatchSegments(FindSpeeds());
        m_runner->SetSegmentWatch(m_segments);
    }
}

void
ClusterRun::SetFailureCallback(std::function<void(bool)> callback)
{
    m_onFailures = std::move(callback);
}

void
ClusterRun::Run()
{
    if (m_hasRun)
    {
        throw std::logic_error(
            "a ClusterRun runs once: Install() makes another one, of a new wiring");
    }
    m_hasRun = true;
    Simulator::ScheduleNow(&GraphRunner::Start, m_runner.get());
    Simulator::Run();
    GetEngine()->Finish();
    m_runner->NumberMessages();
    if (m_segments)
    {
        m_segments->Finish();
    }
    if (m_forward && (IsDone() || m_forward->IsInVain()))
    {
        m_forward->Conclude();
    }
}

std::optional<ForwardPart>
ClusterRun::FindNextPart() const
{
    if (!m_forward || m_forward->GetRecord() || !(IsDone() || m_forward->IsInVain()))
    {
        return std::nullopt;
    }
    return m_forward->GetNextPart();
}

std::optional<ForwardRecord>
ClusterRun::GetForward() const
{
    return m_forward ? m_forward->GetRecord() : std::nullopt;
}

std::optional<double>
ClusterRun::EstimateWhole() const
{
    const auto& events = m_failures->GetEvents();
    const bool changes = std::any_of(events.begin(), events.end(), [](const auto& event) {
        return event.at > 0; // in the whole iteration more of them would happen
    });
    const std::optional<double> added = changes ? std::nullopt : m_scaling->FindAdded();
    const double run = static_cast<double>(m_runner->GetRecord().end) / m_program->GetIterations();
    return added ? std::optional(run + *added) : std::nullopt;
}

TimePs
ClusterRun::GetLeftOutTime() const
{
    return GetForward() ? m_forward->GetTime() : 0;
}

std::string
ClusterRun::GetForwardNote() const
{
    if (!m_whyWhole.empty())
    {
        return "fast_forward does nothing: " + m_whyWhole;
    }
    const std::optional<ForwardRecord> record = GetForward();
    return record ? "fast-forwarded: " + std::to_string(record->unitsRun) + " of " +
                        std::to_string(record->units) +
                        " micro-batches were run, and are what messages.csv, timeline.json, "
                        "queues.csv and the fingerprint have; the others took equally long, and "
                        "are added to all times and counters"
                  : "";
}

GraphRecord
ClusterRun::DescribeGraph() const
{
    GraphRecord record = m_runner->GetRecord();
    if (GetForward())
    {
        m_forward->AddLeftOut(record, m_runner->GetSpans());
    }
    return record;
}

EngineRecord
ClusterRun::DescribeEngine() const
{
    EngineRecord record = m_engine->Describe();
    if (GetForward())
    {
        m_forward->AddLeftOut(record);
    }
    return record;
}

bool
ClusterRun::IsDone() const
{
    return m_runner->IsFinished() && !m_losses->HasEndedRun();
}

bool
ClusterRun::IsClose() const
{
    return m_program->GetFold() && m_settings.engine->GetSymmetry() == SYMMETRY_CLOSE;
}

bool
ClusterRun::HasSplit() const
{
    const bool isCut = m_forward && m_forward->IsInVain(); // in the middle of an instant
    return m_program->GetFold() && !IsClose() && !isCut && !m_engine->AreReplicasAlike();
}

std::string
ClusterRun::DescribeStuck() const
{
    if (m_losses->HasEndedRun())
    {
        return m_losses->Describe(m_engine->GetDeliveredBytes());
    }
    std::string text = m_engine->DescribeStuck();
    text += m_program->HasPhases() ? "" : m_runner->DescribeStuck();
    if (!m_settings.failures->IsEmpty() && !m_settings.failures->Converges())
    {
        text += "failures.convergence is never, so switches go on sending into what is down: set "
                "it to a time, such as 20us\n";
    }
    return text;
}

TimePs
ClusterRun::GetTime() const
{
    if (!m_program->HasPhases() && m_runner->IsFinished())
    {
        return m_runner->GetRecord().end + GetLeftOutTime();
    }
    const bool hasMoved = m_runner->GetMessages().GetFirstPost() != kNever &&
                          m_runner->GetMessages().GetLastDelivery() != kNever;
    return hasMoved
               ? m_runner->GetMessages().GetLastDelivery() - m_runner->GetMessages().GetFirstPost()
               : 0;
}

LowerBound
ClusterRun::FindBound() const
{
    return LowerBound(GetSchedule(), FindSpeeds());
}

ClusterSpeeds
ClusterRun::FindSpeeds() const
{
    ClusterSpeeds speeds = rails::FindSpeeds(*m_wiring, m_traits);
    if (!m_failures->GetBestNicRates().empty())
    {
        speeds.bestRatesBps = m_failures->GetBestNicRates();
    }
    speeds.frames = m_settings.parts.transport->GetFrameFormat();
    return speeds;
}

/// \return a program, perhaps with fewer units, without replicas of equal times. Lower bounds may
/// fold replicas that a run may not, since the order of events does not matter.
std::shared_ptr<const GraphProgram>
ClusterRun::FoldLike(std::shared_ptr<const GraphProgram> program) const
{
    if (m_settings.engine->GetSymmetry() == SYMMETRY_OFF)
    {
        return program;
    }
    // Nearly equal replicas are matched step by step, so each part needs a search of its own.
    const auto fold =
        m_fold && !IsClose()
            ? m_fold
            : ReplicaFinder(*m_wiring, m_settings, m_engine->GetSpread()).Find(*program);
    return fold ? std::make_shared<const FoldedProgram>(std::move(program), fold) : program;
}

ProgramTimes
ClusterRun::FindProgramTimes(const ClusterSpeeds& speeds, const WalkCallback& callback) const
{
    const TransferBound transfers(m_whole->GetShape(), speeds);
    const ProgramFold fold = [this](std::shared_ptr<const GraphProgram> program) {
        return FoldLike(std::move(program));
    };
    return rails::FindProgramTimes(m_whole, transfers, fold, callback);
}

PublishedBoundFabric
ClusterRun::DescribePublishedFabric() const
{
    const TimePs atHost = m_wiring->GetNicKind(0).delay;
    TimePs between = kNever;
    uint64_t fastest = 0;
    for (const Cable& cable : m_wiring->GetCables())
    {
        const CableKind& kind = m_wiring->GetKind(cable);
        between = cable.isNic ? between : std::min(between, kind.delay);
        fastest = cable.isNic ? fastest : std::max(fastest, kind.rateBps);
    }
    const uint32_t links = m_traits.longestLinks;
    return {m_wiring->HasRelays() ? 0 : links, // in the paper hosts relay nothing
            2 * atHost + (links > 2 ? (links - 2) * between : 0),
            m_wiring->GetNicKind(0).rateBps,
            // The paper's frames, even where this transport has smaller headers.
            MakePublishedFrames(m_settings.parts.transport->GetMtu()),
            m_rhoMax.value_or(1),
            fastest};
}

std::optional<Explanation>
ClusterRun::Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const
{
    if (m_runner->IsFinished() && m_runner->GetMessages().GetFirstPost() != kNever &&
        m_program->HasPhases())
    {
        return m_engine->Explain(bound, speeds);
    }
    return m_runner->IsFinished() && m_segments
               ? std::optional(ExplainGraph(*m_runner, *m_segments))
               : std::nullopt;
}

} // namespace ns3::rails
