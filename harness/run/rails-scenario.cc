// SPDX-License-Identifier: GPL-2.0-only
#include "rails-scenario.h"

#include "experiment-settings.h"
#include "expert-study-run.h"
#include "placement-record.h"
#include "progress-reporter.h"
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

Result
Execute(const Experiment& experiment, const ProgressCallback& onProgress)
{
    const auto wallStart = std::chrono::steady_clock::now();
    ClusterRun run(experiment.Get<Topology>("topology")->Lay(),
                   experiment.Get<Workload>("workload"),
                   MakeRunSettings(experiment));
    const std::unique_ptr<TimelineRecorder> timeline = MakeTimeline(run);
    {
        const ProgressReporter reporter(run.GetRunner(), onProgress);
        run.Run();
    }
    Result result = ReportRun(experiment, run, timeline.get());
    if (run.GetSettings().record->WantsPlacement())
    {
        PlacementRecord(run.GetRunner().GetProgram()).Write(experiment.workFolder);
    }
    result.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wallStart).count();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result.peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return result;
}

} // namespace

Result
RunScenario(const Experiment& experiment,
            const ProgressCallback& onProgress,
            const std::string& scheduler)
{
    CheckExperiment(experiment);
    if (IsExpertStudy(experiment))
    {
        return RunExpertStudy(experiment);
    }
    const SimulatorGuard guard;
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
    Simulator::SetScheduler(ObjectFactory(scheduler));
    return Execute(experiment, onProgress);
}

} // namespace ns3::rails
