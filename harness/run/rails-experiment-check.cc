// SPDX-License-Identifier: GPL-2.0-only
#include "rails-experiment-check.h"

#include "expert-study-run.h"
#include "rails-engine-choice.h"
#include "rails-fabric-cache.h"
#include "rails-failure-plan.h"
#include "rails-optical-options.h"
#include "rails-record-options.h"
#include "rails-streams.h"
#include "rails-watchdog-options.h"
#include "workload-setting.h"

#include "ns3/cluster-topology.h"
#include "ns3/failure-timetable.h"
#include "ns3/nic-profile.h"
#include "ns3/path-selector.h"
#include "ns3/planner.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-transport.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/routing-scheme.h"

#include <algorithm>
#include <memory>
#include <string>

namespace ns3::rails
{

namespace
{

void
CheckOther(const Planner& planner, const Experiment& experiment)
{
    if (planner.GetOtherPlanner()->GetOtherPlanner())
    {
        throw ConfigurationError("balance.other.other", "there is no third kind of traffic");
    }
    if (planner.ChoosesAtSending() || planner.GetOtherPlanner()->ChoosesAtSending())
    {
        throw ConfigurationError("balance.other",
                                 "a scheme that chooses the NIC piece by piece as it sends has to "
                                 "choose for all traffic; use another balance.type or "
                                 "balance.other.type");
    }
    if (!experiment.Get<Workload>("workload")->MovesOther())
    {
        throw ConfigurationError("balance.other",
                                 "all traffic of this workload is placed by balance.type: there is "
                                 "other traffic in the workloads graph and training alone, and in "
                                 "jobs of these");
    }
    const Ptr<RoutingScheme> scheme = planner.GetOtherPlanner()->GetObject<RoutingScheme>();
    const Ptr<RoutingScheme> usual = CreateObject<RoutingScheme>();
    const auto getTypes = [](const RoutingScheme& of) {
        return std::pair(of.GetHost()->GetInstanceTypeId(), of.GetSwitch()->GetInstanceTypeId());
    };
    if (scheme && getTypes(*scheme) != getTypes(*usual))
    {
        throw ConfigurationError("balance.other",
                                 "balance.host and balance.switch hold for all traffic: "
                                 "balance.other says on which NICs it goes, and no more");
    }
}

void
CheckBalance(const Experiment& experiment, const Topology& topology, const FabricTraits& traits)
{
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    if (planner->AnyCrossesRails() && !traits.connectsRails)
    {
        throw ConfigurationError(planner->CrossesRails() ? "balance.type" : "balance.other.type",
                                 "this scheme changes rail in the fabric, and " +
                                     topology.DescribeRailsApart());
    }
    const Ptr<RoutingScheme> scheme = experiment.Get<RoutingScheme>("balance");
    const auto host = scheme->GetHost();
    if (planner->GetOtherPlanner())
    {
        CheckOther(*planner, experiment);
    }
    if (planner->ChoosesAtSending() && host->GetSubflows() > 1)
    {
        throw ConfigurationError("balance.host",
                                 "subflows of a message leave by one NIC at once, and this scheme "
                                 "chooses the NIC piece by piece as it sends; use another "
                                 "balance.type");
    }
}

/// In a graph servers tell each other by themselves what they have to send, which takes as long as
/// the longest cable at least.
void
CheckCounts(const Experiment& experiment, TimePs longest)
{
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    if (planner->NeedsCounts() && planner->GetPlanningTime() < longest &&
        !experiment.Get<Workload>("workload")->HasPhases())
    {
        throw ConfigurationError("balance.count_exchange",
                                 "what servers tell each other has to cross cables of " +
                                     FormatTime(longest) + " first");
    }
}

void
CheckWatchdog(const Experiment& experiment)
{
    if (experiment.Get<WatchdogOptions>("watchdog")->GetNoProgressAfter() <=
        experiment.Get<NicProfile>("nic")->GetMessageGap())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than a NIC that posts, "
                                 "nic.message_gap");
    }
}

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

/// Before the workload is checked, as what is kept takes part in that.
void
CheckRecord(const Experiment& experiment)
{
    if (experiment.Get<RecordOptions>("record")->WantsPlacement() &&
        !experiment.Get<Workload>("workload")->PlacesExperts())
    {
        throw ConfigurationError("record.placement",
                                 "this workload knows no experts: set it to false, or take "
                                 "workload.type: training, or jobs of which one is a training");
    }
}

/// \return the longest propagation of a cable
TimePs
FindLongestDelay(const Wiring& wiring)
{
    TimePs longest = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        longest = std::max(longest, wiring.GetKind(cable).delay);
    }
    return longest;
}

std::vector<ExperimentWarning>
Check(const Experiment& experiment, FabricCache& fabrics)
{
    if (IsExpertStudy(experiment))
    {
        CheckExpertStudy(experiment);
        return {};
    }
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    CheckNested("topology", [&] { topology->Check(); });
    const LaidFabric fabric = fabrics.Get(*topology);
    const Ptr<Workload> workload = experiment.Get<Workload>("workload");
    // A training whose memory is limited draws what the run will.
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
    workload->AssignStreams(kWorkloadStreams);
    const WorkloadSetting setting = MakeWorkloadSetting(experiment, *fabric.wiring);
    CheckRecord(experiment);
    CheckNested("workload", [&] { workload->Check(setting); });
    CheckBalance(experiment, *topology, fabric.traits);
    const TimePs longest = FindLongestDelay(*fabric.wiring);
    CheckNested("workload", [&] { workload->CheckBarriers(longest); });
    CheckCounts(experiment, longest);
    const Ptr<EngineChoice> engine = experiment.Get<EngineChoice>("engine");
    engine->Check(experiment, *fabric.wiring, fabric.traits);
    CheckCircuits(*fabric.wiring, longest, experiment);
    CheckWatchdog(experiment);
    CheckFailures(experiment, *fabric.wiring);
    return FindWarnings(experiment, *fabric.wiring, fabric.traits);
}

} // namespace

namespace
{

std::vector<ExperimentWarning>
FindPaceWarnings(const Experiment& experiment)
{
    if (!experiment.Get<Planner>("balance")->Paces() ||
        experiment.Get<Transport>("transport")->GetQueuePairPer() == Transport::NIC_PAIR)
    {
        return {};
    }
    return {{"transport.qp_per",
             "paces are those of a pair of NICs, and here each of its queue pairs takes the whole "
             "of it: NICs are offered more than they take"}};
}

} // namespace

std::vector<ExperimentWarning>
FindWarnings(const Experiment& experiment, const Wiring& wiring, const FabricTraits& traits)
{
    std::vector<ExperimentWarning> warnings =
        experiment.Get<EngineChoice>("engine")->FindWarnings(experiment, traits);
    for (const std::vector<ExperimentWarning>& others :
         {FindCircuitWarnings(wiring, experiment), FindPaceWarnings(experiment)})
    {
        warnings.insert(warnings.end(), others.begin(), others.end());
    }
    return warnings;
}

std::vector<ExperimentWarning>
CheckExperiment(const Experiment& experiment)
{
    FabricCache fabrics;
    return Check(experiment, fabrics);
}

std::function<std::vector<ExperimentWarning>(const Experiment&)>
MakeExperimentCheck(std::shared_ptr<FabricCache> fabrics)
{
    return [fabrics = std::move(fabrics)](const Experiment& experiment) {
        return Check(experiment, *fabrics);
    };
}

RunSize
EstimateRunSize(const Experiment& experiment, FabricCache& fabrics)
{
    if (IsExpertStudy(experiment))
    {
        return EstimateExpertStudy(experiment);
    }
    const Ptr<EngineChoice> engine = experiment.Get<EngineChoice>("engine");
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    const Ptr<Workload> workload = experiment.Get<Workload>("workload");
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    const LaidFabric fabric = fabrics.Get(*topology);
    const WorkloadSetting setting = MakeWorkloadSetting(experiment, *fabric.wiring);
    const ExpectedTraffic traffic{workload->EstimateBytes(setting),
                                  workload->EstimateMessages(setting)};
    constexpr double perGpu = 100e-6; // laying the cluster and writing the result
    const double setUp = 0.02 + perGpu * setting.shape.GetGpus();
    return {engine->GetTypeName(),
            setUp + engine->EstimateSeconds(experiment, fabric.traits, traffic),
            workload->GetInstanceTypeId().GetName() + " " + planner->GetInstanceTypeId().GetName()};
}

} // namespace ns3::rails
