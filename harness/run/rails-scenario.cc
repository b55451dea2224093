// SPDX-License-Identifier: GPL-2.0-only
#include "rails-scenario.h"

#include "experiment-settings.h"
#include "expert-study-run.h"
#include "placement-record.h"
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

/// Tells somebody how far a run is, about ten times a second.
class ProgressReporter
{
  public:
    ProgressReporter(const GraphRunner& runner, const ProgressCallback& callback)
        : m_runner(runner),
          m_callback(callback),
          m_totalBytes(runner.GetSchedule().GetTotalBytes())
    {
        if (m_callback)
        {
            Report();
        }
    }

    ~ProgressReporter()
    {
        m_event.Cancel();
    }

    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;

  private:
    // Simulated time says little about wall time: the interval follows the clock.
    void Report()
    {
        const auto now = std::chrono::steady_clock::now();
        const double wall = std::chrono::duration<double>(now - m_reportedAt).count();
        if (wall < 0.05)
        {
            m_interval = m_interval * 2;
        }
        else if (wall > 0.2 && m_interval > NanoSeconds(100))
        {
            m_interval = TimeStep(m_interval.GetTimeStep() / 2);
        }
        m_reportedAt = now;
        RunProgress progress;
        progress.now = NowPs();
        progress.messagesTotal = m_runner.GetMessages().GetSize();
        progress.messagesDone = m_runner.GetMessages().GetDelivered();
        progress.bytesDone = m_runner.GetMessages().GetDeliveredBytes();
        progress.bytesTotal = m_totalBytes;
        m_callback(progress);
        m_event = Simulator::Schedule(m_interval, &ProgressReporter::Report, this);
    }

    const GraphRunner& m_runner;
    const ProgressCallback& m_callback;
    uint64_t m_totalBytes;
    EventId m_event;
    Time m_interval{MicroSeconds(1)};
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
