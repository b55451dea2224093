// SPDX-License-Identifier: GPL-2.0-only
#include "rails-goal-export.h"

#include "experiment-settings.h"
#include "expert-study-run.h"

#include "ns3/cluster-topology.h"
#include "ns3/goal-file.h"
#include "ns3/goal-writer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-streams.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/routed-paths.h"

namespace ns3::rails
{

void
ExportGoal(const Experiment& experiment, uint64_t limit, std::ostream& os)
{
    if (IsExpertStudy(experiment))
    {
        throw ConfigurationError("experts", "a study of policies has no graph, a training has one");
    }
    const Ptr<Workload> workload = experiment.Get<Workload>("workload");
    if (workload->GetTraits().hasPhases)
    {
        throw ConfigurationError("workload.type",
                                 "phases end for all GPUs at once, which GOAL cannot say: the "
                                 "workloads graph, training, jobs and goal can be written");
    }
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
    workload->AssignStreams(kWorkloadStreams);
    const Ptr<Topology> topology = experiment.Get<Topology>("topology");
    WorkloadSetting setting(topology->GetShape());
    const std::shared_ptr<const Wiring> wiring = topology->Lay();
    setting.rates = wiring->GetRates();
    setting.rates.ways = MakeRoutedWays(*wiring, MakeRunSettings(experiment));
    const std::shared_ptr<const GraphProgram> program = workload->MakeProgram(setting);
    WriteGoal(MakeGoal(*program, limit), os);
}

} // namespace ns3::rails
