// SPDX-License-Identifier: GPL-2.0-only
#include "bench-flow.h"

#include "bench-case.h"
#include "bench-experiment.h"
#include "bench-measuring.h"

#include "ns3/abort.h"
#include "ns3/run-experiment.h"

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Traffic between 64 GPUs.
struct FlowCase
{
    std::string name;
    std::string matrix; //!< up to the bytes of a pair
    std::string chunk;  //!< most bytes of a piece; "whole" for whole messages
};

constexpr uint64_t kPairBytes = 64'000'000;
constexpr uint64_t kPairBytesOfFrames = 8'000'000;

std::vector<FlowCase>
GetFlowCases()
{
    const std::string uniform = "type: uniform, bytes_per_pair: ";
    return {
        {"flow", uniform, "whole"},
        {"flow-4MB", uniform, "4MB"},
        // Messages end at many different times, so that rates change often.
        {"flow-sparse", "type: sparse, density: 0.4, mean: ", "whole"},
    };
}

/// \return the case for one engine
Experiment
MakeFlowExperiment(const FlowCase& bench, const std::string& engine, uint64_t bytesPerPair)
{
    const std::string text = R"(
topology: {type: rail, domains: 8, gpus_per_domain: 8}
transport: {congestion_control: none}
workload: {type: all-to-all, matrix: {)" +
                             bench.matrix + std::to_string(bytesPerPair) + R"(B}}
balance: {type: rail-source, chunk: )" +
                             bench.chunk + R"(}
)";
    return MakeBenchExperiment(text, {"engine=" + engine});
}

/// \return time per frame-hop that the packet-level engine would need for the same traffic
double
GetNsPerHop(double wallSeconds, uint64_t frameHops)
{
    return wallSeconds * 1e9 / static_cast<double>(frameHops);
}

/// Measures the flow-level engine, alternating with a part of the traffic at packet level.
nlohmann::ordered_json
MeasureFlow(const FlowCase& bench)
{
    const Experiment flows = MakeFlowExperiment(bench, "flow", kPairBytes);
    const Experiment frames = MakeFlowExperiment(bench, "frames", kPairBytesOfFrames);
    constexpr uint64_t scale = kPairBytes / kPairBytesOfFrames;
    std::vector<double> walls;
    std::vector<double> empties;
    std::vector<double> costs; // of a frame-hop, in empty events
    std::vector<double> times;
    std::vector<double> framesTimes;
    std::vector<double> ratios;
    ExperimentRun flow;
    ExperimentRun frame;
    for (int round = 0; round < kRounds; ++round)
    {
        flow = RunBenchExperiment(flows);
        frame = RunBenchExperiment(frames);
        walls.push_back(flow.wallSeconds);
        empties.push_back(MeasureEmptyEvent(1, 2'000'000));
        costs.push_back(GetNsPerHop(walls.back(), frame.frameHops * scale) / empties.back());
        times.push_back(flow.cpuSeconds);
        framesTimes.push_back(frame.cpuSeconds * static_cast<double>(scale));
        ratios.push_back(framesTimes.back() / times.back());
    }
    const auto solves = static_cast<double>(flow.solves);
    return {{"case", bench.name},
            {"wall_s", Median(walls)},
            {"frame_hops", frame.frameHops * scale},
            {"events", flow.events},
            {"ns_per_hop", GetNsPerHop(Median(walls), frame.frameHops * scale)},
            {"ns_per_empty_event", Median(empties)},
            {"ratio", Median(costs)},
            {"cpu_s", Median(times)},
            {"frames_cpu_s", Median(framesTimes)},
            {"frames_measured", 1.0 / static_cast<double>(scale)},
            {"times_faster", Median(ratios)},
            {"solves", flow.solves},
            {"us_per_solve", Median(times) * 1e6 / solves},
            {"classes_per_solve", static_cast<double>(flow.touchedClasses) / solves}};
}

/// Measures a run from its descriptor to its result, with 32,768 GPUs.
nlohmann::ordered_json
MeasureScale(const std::string& name)
{
    const std::string text = R"(
topology: {type: rail, domains: 4096, gpus_per_domain: 8, leaf_ports: 64, rail_spines: 64}
transport: {congestion_control: none}
workload:
  type: all-to-all
  matrix: {type: uniform, bytes_per_pair: 1MB}
  groups: {size: 64, layout: contiguous}
balance: rails
engine: {type: flow, tolerance: 0.005}
record: {messages: false, links: false}
)";
    const Experiment experiment = MakeBenchExperiment(text);
    const Result result = RunExperiment(experiment);
    NS_ABORT_MSG_UNLESS(result.status == RunStatus::Done, result.report);
    uint64_t sent = 0;
    for (const std::vector<uint64_t>& server : result.nicTxBytes)
    {
        for (const uint64_t bytes : server)
        {
            sent += bytes;
        }
    }
    // A GPU sends to 56 of its group in other servers.
    NS_ABORT_MSG_UNLESS(sent == 32'768ULL * 56 * 1'000'000, "not all bytes have crossed a NIC");
    std::vector<double> empties;
    for (int round = 0; round < kRounds; ++round)
    {
        empties.push_back(MeasureEmptyEvent(1, 2'000'000));
    }
    // Each frame of 4 KiB, and its ACK, takes one link up and one link down.
    const uint64_t frameHops = sent / 1'000'000 * 245 * 4;
    const double perHop = GetNsPerHop(result.wallSeconds, frameHops);
    return {{"case", name},
            {"wall_s", result.wallSeconds},
            {"frame_hops", frameHops},
            {"events", result.events},
            {"ns_per_hop", perHop},
            {"ns_per_empty_event", Median(empties)},
            {"ratio", perHop / Median(empties)},
            {"bytes", result.bytes},
            {"cct_s", static_cast<double>(result.cct) * 1e-12}};
}

/// \return false when the case failed
bool
RunFlowCase(const FlowCase& bench, nlohmann::ordered_json& figures)
{
    const nlohmann::ordered_json row = MeasureApart(MeasureFlow, bench);
    if (row.is_null())
    {
        return PrintFailure(bench.name);
    }
    PrintFigures(row);
    std::printf(" %9.4f %9.2f %12.0f %9llu %9.2f %9.1f\n",
                row["cpu_s"].get<double>(),
                row["frames_cpu_s"].get<double>(),
                row["times_faster"].get<double>(),
                row["solves"].get<unsigned long long>(),
                row["us_per_solve"].get<double>(),
                row["classes_per_solve"].get<double>());
    std::fflush(stdout);
    figures.push_back(row);
    return true;
}

} // namespace

bool
RunFlowCases(nlohmann::ordered_json& figures)
{
    std::printf("\n%-16s %9s %12s %12s %9s %9s %7s %9s %9s %9s %12s %9s %9s %9s\n",
                "flows",
                "wall s",
                "frame-hops*",
                "events",
                "ns/hop",
                "ns/empty",
                "ratio",
                "peak MiB",
                "cpu s",
                "frames s*",
                "times faster",
                "solves",
                "us/solve",
                "touched");
    std::fflush(stdout);
    for (const FlowCase& bench : GetFlowCases())
    {
        if (!RunFlowCase(bench, figures))
        {
            return false;
        }
    }
    const std::string scale = "flow-scale";
    const nlohmann::ordered_json row = MeasureApart(MeasureScale, scale);
    if (row.is_null())
    {
        return PrintFailure(scale);
    }
    PrintFigures(row);
    std::printf("\n");
    std::printf("* of the frames that carry the same: an eighth of them is measured, and the\n"
                "  rest is taken to cost as much; at scale they are counted\n");
    std::fflush(stdout);
    figures.push_back(row);
    return true;
}

} // namespace ns3::rails
