// SPDX-License-Identifier: GPL-2.0-only
#include "rails-experiment-check.h"

#include "rails-engine-choice.h"
#include "rails-fabric-cache.h"
#include "rails-failure-plan.h"
#include "rails-watchdog-options.h"

#include "ns3/cluster-topology.h"
#include "ns3/failure-timetable.h"
#include "ns3/planner.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-workload.h"

#include <memory>
#include <string>

namespace ns3::rails
{

namespace
{

void
CheckFailures(const Experiment& experiment, const Wiring& wiring)
{
    const Ptr<FailurePlan> failures = experiment.Get<FailurePlan>("failures");
    const FailureTimetable timetable(failures->MakeSchedule(), wiring);
    if (!failures->IsEmpty() && failures->Converges() &&
        experiment.Get<WatchdogOptions>("watchdog")->GetNoProgressAfter() <=
            failures->GetConvergence())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than the routing, "
                                 "failures.convergence, which is " +
                                     std::to_string(FailurePlan::kUsualConvergenceUs) +
                                     "us unless it is set");
    }
}

std::vector<ExperimentWarning>
Check(const Experiment& experiment, FabricCache& fabrics)
{
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    CheckNested("topology", [&] { topology->Check(); });
    CheckNested("workload",
                [&] { experiment.Get<Workload>("workload")->Check(topology->GetShape()); });
    const LaidFabric fabric = fabrics.Get(*topology);
    if (experiment.Get<Planner>("balance")->CrossesRails() && !fabric.traits.connectsRails)
    {
        throw ConfigurationError("balance.type",
                                 "this scheme changes rail in the fabric, and " +
                                     topology->DescribeRailsApart());
    }
    const Ptr<EngineChoice> engine = experiment.Get<EngineChoice>("engine");
    engine->Check(experiment, *fabric.wiring, fabric.traits);
    CheckFailures(experiment, *fabric.wiring);
    return engine->FindWarnings(experiment, fabric.traits);
}

} // namespace

std::vector<ExperimentWarning>
CheckExperiment(const Experiment& experiment)
{
    FabricCache fabrics;
    return Check(experiment, fabrics);
}

std::function<std::vector<ExperimentWarning>(const Experiment&)>
MakeExperimentCheck()
{
    return [fabrics = std::make_shared<FabricCache>()](const Experiment& experiment) {
        return Check(experiment, *fabrics);
    };
}

RunSize
EstimateRunSize(const Experiment& experiment)
{
    const Ptr<EngineChoice> engine = experiment.Get<EngineChoice>("engine");
    const double bytes = experiment.Get<Workload>("workload")
                             ->EstimateBytes(experiment.Get<Topology>("topology")->GetShape());
    return {engine->GetTypeName(), engine->EstimateAmount(experiment, bytes)};
}

} // namespace ns3::rails
