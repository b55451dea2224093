// SPDX-License-Identifier: GPL-2.0-only
#include "rails-experiment-check.h"

#include "circuit-warnings.h"
#include "experiment-settings.h"
#include "expert-study-run.h"
#include "rails-run-memory.h"

#include "ns3/cluster-run.h"
#include "ns3/cluster-topology.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-run-check.h"
#include "ns3/rails-streams.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/run-estimate.h"
#include "ns3/workload-setting.h"

#include <utility>

namespace ns3::rails
{

namespace
{

void
FixSeed(const Experiment& experiment)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
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
    RunSettings settings = MakeRunSettings(experiment);
    settings.chooser = fabric.chooser;
    CheckCircuitKeys(*fabric.wiring, *settings.optical);
    const Ptr<Workload> workload = experiment.Get<Workload>("workload");
    // A training whose memory is limited draws what the run will.
    FixSeed(experiment);
    workload->AssignStreams(kWorkloadStreams);
    CheckRun(*workload, *fabric.wiring, fabric.traits, settings, topology->DescribeRailsApart());
    if (!settings.failures->MakeSchedule().random.IsEmpty())
    {
        ClusterRun::CheckDraws(*topology->Lay(), *workload, settings);
    }
    return FindWarnings(experiment, *fabric.wiring, fabric.traits);
}

std::vector<ExperimentWarning>
FindPaceWarnings(const RunSettings& settings)
{
    if (!settings.balancer->GetTraits().paces ||
        settings.parts.transport->GetQueuePairPer() == Transport::NIC_PAIR)
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
    const RunSettings settings = MakeRunSettings(experiment);
    std::vector<ExperimentWarning> warnings =
        settings.engine->FindWarnings(settings, wiring, traits);
    for (const std::vector<ExperimentWarning>& others :
         {FindCircuitWarnings(wiring, settings), FindPaceWarnings(settings)})
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
    RunSettings settings = MakeRunSettings(experiment);
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    const Ptr<Workload> workload = experiment.Get<Workload>("workload");
    const LaidFabric fabric = fabrics.Get(*topology);
    settings.chooser = fabric.chooser;
    FixSeed(experiment);
    const WorkloadSetting setting = MakeWorkloadSetting(*workload, *fabric.wiring, settings);
    workload->AssignStreams(kWorkloadStreams);
    const ExpectedTraffic traffic = EstimateTraffic(*workload, setting, *fabric.wiring, settings);
    constexpr double perGpu = 100e-6; // laying the cluster and writing the result
    const double setUp = 0.02 + perGpu * setting.shape.GetGpus();
    RunSize size{settings.engine->GetTypeName(),
                 setUp + traffic.seconds +
                     settings.engine->EstimateSeconds(settings, fabric.traits, traffic),
                 workload->GetInstanceTypeId().GetName() + " " +
                     settings.balancer->GetInstanceTypeId().GetName()};
    EstimateRunMemory(settings, *fabric.wiring, *workload, setting, traffic, size);
    return size;
}

} // namespace ns3::rails
