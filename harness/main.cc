// SPDX-License-Identifier: GPL-2.0-only

// The program behind ./rails: runs, checks and explains experiments that are described in YAML.
//
//   ./ns3 run "rails-experiment --file=contrib/rails/experiments/quickstart.yaml"
//   ./ns3 run "rails-experiment describe rails"
//   ./ns3 run "rails-experiment --help"

#include "ns3/rails-command-line.h"
#include "ns3/rails-goal-export.h"
#include "ns3/rails-trace-export.h"
#include "ns3/run-experiment.h"

int
main(int argc, char** argv)
{
    ns3::rails::CommandHooks hooks;
    const auto fabrics = std::make_shared<ns3::rails::FabricCache>();
    hooks.check = ns3::rails::MakeExperimentCheck(fabrics);
    hooks.run.size = [fabrics](const ns3::rails::Experiment& experiment) {
        return ns3::rails::EstimateRunSize(experiment, *fabrics);
    };
    hooks.run.simulate = [](const ns3::rails::Experiment& experiment,
                            const ns3::rails::ProgressCallback& progress) {
        return ns3::rails::RunExperiment(experiment, progress);
    };
    hooks.exportGoal = ns3::rails::ExportGoal;
    hooks.exportTrace = ns3::rails::ExportTrace;
    return ns3::rails::RunCommandLine(argc, argv, hooks);
}
