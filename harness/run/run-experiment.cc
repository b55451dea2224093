// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment.h"

#include "experiment-settings.h"
#include "expert-study-run.h"
#include "placement-record.h"
#include "progress-reporter.h"
#include "rails-experiment-check.h"
#include "rails-fabric-cache.h"
#include "rails-run-report.h"

#include "ns3/cluster-run.h"
#include "ns3/cluster-topology.h"
#include "ns3/rails-error.h"
#include "ns3/rails-timeline.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/timeline-choice.h"

#include <chrono>
#include <memory>
#include <optional>

namespace ns3::rails
{

namespace
{

/// Destroys the simulation, also after an exception.
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

/// The parts that an attempt skips. When its result is incomplete, the next attempt skips less.
struct Attempt
{
    ForwardPart part{ForwardPart::Choice::Fewest};
    bool maySkipReplicas{true};
    uint32_t number{1};
    std::shared_ptr<CollectiveChooser> chooser{}; //!< caches choices of collectives
};

/// \return a callback that names the attempt, from the second one on
ProgressCallback
NameAttempt(const Attempt& attempt, const ProgressCallback& onProgress)
{
    if (!onProgress || attempt.number == 1)
    {
        return onProgress;
    }
    return [name = "pass " + std::to_string(attempt.number), onProgress](RunProgress progress) {
        progress.place = name + (progress.place.empty() ? "" : ", ") + progress.place;
        onProgress(progress);
    };
}

/// \return the result; nothing when the attempt is not sufficient
std::optional<Result>
Try(const Experiment& experiment,
    const ProgressCallback& onProgress,
    const std::string& scheduler,
    Attempt& attempt)
{
    const SimulatorGuard guard;
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
    Simulator::SetScheduler(ObjectFactory(scheduler));
    if (onProgress)
    {
        onProgress(MakePhase("planning"));
    }
    RunSettings settings = MakeRunSettings(experiment);
    settings.maySkipReplicas = attempt.maySkipReplicas;
    settings.chooser = attempt.chooser;
    ClusterRun run(experiment.Get<Topology>("topology")->Lay(),
                   experiment.Get<Workload>("workload"),
                   settings,
                   attempt.part);
    const std::unique_ptr<TimelineRecorder> timeline = MakeTimeline(run);
    uint64_t reports = 0;
    {
        const ProgressReporter reporter(run.GetRunner(), NameAttempt(attempt, onProgress));
        run.Run();
        reports = reporter.CountEvents();
    }
    if (run.HasSplit())
    {
        attempt.maySkipReplicas = false;
        return std::nullopt;
    }
    if (const std::optional<ForwardPart> next = run.FindNextPart())
    {
        attempt.part = *next;
        return std::nullopt;
    }
    Result result = ReportRun(experiment, run, timeline.get(), onProgress);
    result.events -= reports;
    if (run.GetSettings().record->WantsPlacement())
    {
        PlacementRecord(run.GetProgram()).Write(experiment.workFolder);
    }
    if (!attempt.maySkipReplicas)
    {
        result.symmetry.emplace().reason =
            "replicas do the same, but not what ends at once in the same order";
    }
    return result;
}

} // namespace

Result
RunExperiment(const Experiment& experiment,
              const ProgressCallback& onProgress,
              const std::string& scheduler)
{
    const auto fabrics = std::make_shared<FabricCache>();
    MakeExperimentCheck(fabrics)(experiment);
    if (IsExpertStudy(experiment))
    {
        return RunExpertStudy(experiment);
    }
    const auto wallStart = std::chrono::steady_clock::now();
    Attempt attempt;
    attempt.chooser = fabrics->Get(*experiment.Get<Topology>("topology")).chooser;
    std::optional<Result> result;
    while (!result)
    {
        result = Try(experiment, onProgress, scheduler, attempt);
        ++attempt.number;
    }
    result->wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wallStart).count();
    return *std::move(result);
}

} // namespace ns3::rails
