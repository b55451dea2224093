// SPDX-License-Identifier: GPL-2.0-only
#include "bench-experiment.h"

#include "bench-case.h"

#include "ns3/abort.h"
#include "ns3/balancer.h"
#include "ns3/cluster-topology.h"
#include "ns3/experiment-settings.h"
#include "ns3/fabric-traits.h"
#include "ns3/flow-engine.h"
#include "ns3/frame-engine.h"
#include "ns3/graph-runner.h"
#include "ns3/object-factory.h"
#include "ns3/rails-descriptor.h"
#include "ns3/rails-experiment-check.h"
#include "ns3/rails-link.h"
#include "ns3/rails-port.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <chrono>
#include <ctime>
#include <memory>

namespace ns3::rails
{

namespace
{

void
CountWork(const Ptr<Engine>& engine, ExperimentRun& run)
{
    if (const auto frames = DynamicCast<FrameEngine>(engine))
    {
        for (const Ptr<Port>& port : frames->GetPorts())
        {
            run.frameHops += port->GetLink().GetFrames();
        }
    }
    if (const auto flows = DynamicCast<FlowEngine>(engine))
    {
        const MaxMinSolver::Statistics statistics = flows->GetSolver().GetStatistics();
        run.solves = statistics.solves;
        run.touchedClasses = statistics.sweeps.changedVariables;
    }
}

} // namespace

Experiment
MakeBenchExperiment(const std::string& text, const std::vector<std::string>& sets)
{
    return Descriptor::FromText(text, "bench.yaml", sets, MakeExperimentCheck()).MakeExperiment(0);
}

ExperimentRun
RunBenchExperiment(const Experiment& experiment)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    Simulator::SetScheduler(ObjectFactory(kBenchScheduler));
    ExperimentRun run;
    {
        const Ptr<Workload> workload = experiment.Get<Workload>("workload");
        const Ptr<Balancer> balancer = experiment.Get<Balancer>("balance");
        workload->AssignStreams(1);
        balancer->AssignStreams(1'000'000);
        const Ptr<Topology> topology = experiment.Get<Topology>("topology");
        const std::shared_ptr<Wiring> wiring = topology->Lay();
        const FabricTraits traits = FindTraits(*wiring);
        const auto router = std::make_shared<Router>(*wiring);
        const RunSettings settings = MakeRunSettings(experiment);
        const std::unique_ptr<EngineRun> engineRun =
            settings.engine->Make({settings, wiring, traits, router});
        const Ptr<Engine> engine = engineRun->GetEngine();
        engine->AssignStreams(2'000'000);
        GraphRunner runner(workload->MakeProgram(WorkloadSetting(topology->GetShape())),
                           engine,
                           balancer);
        runner.SetSubflows(engineRun->GetSubflows());
        runner.SetRouter(router);
        runner.SetFinishedCallback([] { Simulator::Stop(); });
        Simulator::ScheduleNow(&GraphRunner::Start, &runner);
        const auto wallStart = std::chrono::steady_clock::now();
        const std::clock_t start = std::clock();
        Simulator::Run();
        engine->Finish();
        run.cpuSeconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        const auto wall = std::chrono::steady_clock::now() - wallStart;
        run.wallSeconds = std::chrono::duration<double>(wall).count();
        run.events = Simulator::GetEventCount();
        NS_ABORT_MSG_UNLESS(runner.IsFinished(), "not all messages arrived");
        CountWork(engine, run);
    }
    Simulator::Destroy();
    return run;
}

} // namespace ns3::rails
