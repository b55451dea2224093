// SPDX-License-Identifier: GPL-2.0-only
#include "rails-scenario.h"

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
#include <sys/resource.h>

namespace ns3::rails
{

namespace
{

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

/// What a run leaves out; another one leaves out less where that does not tell all of it.
struct Attempt
{
    ForwardPart part{ForwardPart::Choice::Fewest};
    bool maySkipReplicas{true};
    uint32_t number{1};
    std::shared_ptr<CollectiveChooser> chooser{}; //!< knows what was chosen before
};

/// \return a callback that says which attempt it is, from the second one on
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

/// \return the result; nothing when not all of it is told from what was run
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
RunScenario(const Experiment& experiment,
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
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result->peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return *std::move(result);
}

} // namespace ns3::rails
