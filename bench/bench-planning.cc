// SPDX-License-Identifier: GPL-2.0-only
#include "bench-planning.h"

#include "ns3/abort.h"
#include "ns3/rails-descriptor.h"
#include "ns3/rails-sweep-plan.h"
#include "ns3/run-experiment.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace ns3::rails
{

double
RunBenchPlanning(std::size_t points)
{
    const std::string text = R"(
topology: {type: rail, domains: 128, gpus_per_domain: 8, leaf_ports: 128}
workload: {type: all-to-all, matrix: {type: sparse, mean: 1MB}, phases: [dispatch, combine]}
sweep:
  topology.nic_rate: [100Gbps, 200Gbps, 400Gbps, 800Gbps]
  topology.spines: [4, 8, 16, 32, 64]
  balance: [ecmp, rail-source, rail-destination, {type: rails, chunk: 4MB}, even-split]
  transport.mtu: [1024B, 2048B, 4096B, 8192B]
  workload.matrix.density: [0.01, 0.02, 0.05, 0.1, 0.2]
  repeat: )" + std::to_string(points / 2000);
    RunOptions options;
    options.dryRun = true;
    options.folder = (std::filesystem::temp_directory_path() / "rails-bench" / "nothing").string();
    const auto start = std::chrono::steady_clock::now();
    const Descriptor descriptor =
        Descriptor::FromText(text, "bench.yaml", {}, MakeExperimentCheck());
    FabricCache fabrics;
    const auto estimate = [&](const Experiment& each) { return EstimateRunSize(each, fabrics); };
    const SweepPlan plan(descriptor, options, SweepFolder(options.folder), estimate);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    NS_ABORT_MSG_UNLESS(plan.GetOrder().size() == points, "not all points are planned");
    return seconds;
}

} // namespace ns3::rails
