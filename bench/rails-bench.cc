// SPDX-License-Identifier: GPL-2.0-only
#include "rails-bench.h"

#include "bench-balancers.h"
#include "bench-case.h"
#include "bench-flow.h"
#include "bench-measuring.h"
#include "bench-planning.h"

#include "ns3/component-registry.h"
#include "ns3/path-selector.h"
#include "ns3/port-selector.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

std::vector<BenchCase>
GetRailCases()
{
    using Traffic = BenchCase::Traffic;
    const std::string rail = "ns3::rails::RailTopology";
    const std::string leaves = rail + "[Domains=128|GpusPerDomain=1|LeafPorts=8|RailSpines=8]";
    return {
        {"fabric", leaves, Traffic::Permutation, 8'000'000},
        {"fabric-queues", leaves, Traffic::Permutation, 8'000'000, true},
        {"all-to-all-64", rail + "[Domains=8|LeafPorts=64]", Traffic::AllToAll, 8'000'000},
        {"all-to-all-1024", rail + "[Domains=128|LeafPorts=128]", Traffic::AllToAll, 8'000'000},
    };
}

/// \return a case with the fabric and transport of the experiments of arXiv 2507.21372
BenchCase
MakeTreeCase(const std::string& name,
             uint32_t ports,
             BenchCase::Traffic traffic,
             uint64_t bytesPerGpu)
{
    BenchCase bench;
    bench.name = name;
    bench.topology = "ns3::rails::FatTreeTopology[NicRate=800Gbps|K=" + std::to_string(ports) + "]";
    bench.traffic = traffic;
    bench.bytesPerGpu = bytesPerGpu;
    bench.profile = "ns3::rails::SwitchProfile[Pfc=false|PortBuffer=800000]";
    bench.marker = "ns3::rails::EcnMarker[Kmin=80000|Kmax=80000|ReferenceRate=800Gbps]";
    bench.transport = "ns3::rails::Transport[CongestionControl=ns3::rails::"
                      "FixedRateCongestionControl|LossRecovery=ns3::rails::IdealLossRecovery|"
                      "QpPer=message|AckClass=data|Echo=ack-own-mark]";
    return bench;
}

BenchCase
GetStrategyCase()
{
    return MakeTreeCase("permutation-k8", 8, BenchCase::Traffic::Permutation, 1 << 20);
}

std::vector<BenchCase>
GetCases()
{
    std::vector<BenchCase> cases = GetRailCases();
    cases.push_back(GetStrategyCase());
    // 64 KiB from each of 128 GPUs to each other one.
    cases.push_back(MakeTreeCase("all-to-all-k8", 8, BenchCase::Traffic::AllToAll, 127 << 16));
    cases.push_back(MakeTreeCase("permutation-k16", 16, BenchCase::Traffic::Permutation, 1 << 20));
    return cases;
}

/// Every load balancer at hosts or switches, with per-flow ECMP at the other side.
std::vector<BenchCase>
GetStrategies()
{
    std::vector<BenchCase> cases;
    for (const ComponentType& type : GetComponentTypes(PathSelector::GetTypeId()))
    {
        BenchCase bench = GetStrategyCase();
        bench.name = "host " + type.name;
        bench.path = type.id.GetName();
        cases.push_back(bench);
    }
    for (const ComponentType& type : GetComponentTypes(PortSelector::GetTypeId()))
    {
        BenchCase bench = GetStrategyCase();
        bench.name = "switch " + type.name;
        bench.selector = type.id.GetName();
        cases.push_back(bench);
    }
    return cases;
}

nlohmann::ordered_json
Measure(const BenchCase& bench)
{
    const BenchRun counted = RunBenchCase(bench, true);
    const auto pending = std::max<uint64_t>(1, static_cast<uint64_t>(counted.meanPending + 0.5));
    const auto hops = static_cast<double>(counted.frameHops);
    std::vector<double> walls;
    std::vector<double> empties;
    std::vector<double> ratios;
    // Alternating, so that a change of the machine's speed affects both.
    for (int round = 0; round < kRounds; ++round)
    {
        walls.push_back(RunBenchCase(bench, false).wallSeconds);
        empties.push_back(MeasureEmptyEvent(pending, 2'000'000));
        ratios.push_back(walls.back() * 1e9 / hops / empties.back());
    }
    return {{"case", bench.name},
            {"wall_s", Median(walls)},
            {"frame_hops", counted.frameHops},
            {"events", counted.events},
            {"ns_per_hop", Median(walls) * 1e9 / hops},
            {"ns_per_empty_event", Median(empties)},
            {"ratio", Median(ratios)},
            {"pending_events", pending}};
}

/// Measures a load balancer, alternating with per-flow ECMP.
nlohmann::ordered_json
MeasureStrategy(const BenchCase& bench)
{
    std::vector<double> walls;
    std::vector<double> ratios;
    BenchRun run;
    for (int round = 0; round < kRounds; ++round)
    {
        BenchCase baseline = GetStrategyCase();
        baseline.topology = bench.topology;
        const BenchRun ecmp = RunBenchCase(baseline, false);
        run = RunBenchCase(bench, false);
        const auto perHop = [](const BenchRun& of) {
            return of.wallSeconds / static_cast<double>(of.frameHops);
        };
        walls.push_back(run.wallSeconds);
        ratios.push_back(perHop(run) / perHop(ecmp));
    }
    return {{"case", bench.name},
            {"wall_s", Median(walls)},
            {"frame_hops", run.frameHops},
            {"events", run.events},
            {"ns_per_hop", Median(walls) * 1e9 / static_cast<double>(run.frameHops)},
            {"over_ecmp", Median(ratios)},
            {"unfinished", run.messages - run.messagesDelivered}};
}

/// The case on a leaf-spine fabric, for a load balancer that is not defined on a fat-tree.
nlohmann::ordered_json
MeasureStrategySomewhere(const BenchCase& bench)
{
    try
    {
        return MeasureStrategy(bench);
    }
    catch (const ConfigurationError&)
    {
        BenchCase other = bench;
        other.name += " (leaf-spine)";
        other.topology = "ns3::rails::LeafSpineTopology[NicRate=800Gbps|Domains=128|LeafPorts=16|"
                         "Spines=16]";
        return MeasureStrategy(other);
    }
}

/// Measures the time until the first of many points could run.
nlohmann::ordered_json
MeasurePlanning(std::size_t points)
{
    std::vector<double> walls;
    std::vector<double> empties;
    std::vector<double> ratios;
    for (int round = 0; round < kRounds; ++round)
    {
        walls.push_back(RunBenchPlanning(points));
        empties.push_back(MeasureEmptyEvent(1, 2'000'000));
        ratios.push_back(walls.back() * 1e9 / static_cast<double>(points) / empties.back());
    }
    return {{"case", "plan-" + std::to_string(points)},
            {"wall_s", Median(walls)},
            {"points", points},
            {"ns_per_point", Median(walls) * 1e9 / static_cast<double>(points)},
            {"ns_per_empty_event", Median(empties)},
            {"ratio", Median(ratios)}};
}

/// \return false when a case failed
bool
RunCases(nlohmann::ordered_json& figures)
{
    std::printf("%-16s %9s %12s %12s %9s %9s %7s %9s\n",
                "case",
                "wall s",
                "frame-hops",
                "events",
                "ns/hop",
                "ns/empty",
                "ratio",
                "peak MiB");
    std::fflush(stdout);
    for (const BenchCase& bench : GetCases())
    {
        const nlohmann::ordered_json row = MeasureApart(Measure, bench);
        if (row.is_null())
        {
            return PrintFailure(bench.name);
        }
        PrintFigures(row);
        std::printf("\n");
        std::fflush(stdout);
        figures.push_back(row);
    }
    return true;
}

/// \return false when a case failed
bool
RunStrategies(nlohmann::ordered_json& figures)
{
    std::printf("\n%-28s %9s %12s %12s %9s %10s\n",
                (GetStrategyCase().name + " with").c_str(),
                "wall s",
                "frame-hops",
                "events",
                "ns/hop",
                "over ecmp");
    std::fflush(stdout);
    for (const BenchCase& bench : GetStrategies())
    {
        const nlohmann::ordered_json row = MeasureApart(MeasureStrategySomewhere, bench);
        if (row.is_null())
        {
            return PrintFailure(bench.name);
        }
        const auto unfinished = row["unfinished"].get<unsigned long long>();
        std::printf("%-28s %9.3f %12llu %12llu %9.1f %10.2f%s\n",
                    row["case"].get<std::string>().c_str(),
                    row["wall_s"].get<double>(),
                    row["frame_hops"].get<unsigned long long>(),
                    row["events"].get<unsigned long long>(),
                    row["ns_per_hop"].get<double>(),
                    row["over_ecmp"].get<double>(),
                    unfinished == 0 ? "" : "  not all arrived");
        std::fflush(stdout);
        figures.push_back(row);
    }
    return true;
}

/// \return false when it failed
bool
RunPlanning(nlohmann::ordered_json& figures)
{
    constexpr std::size_t points = 10'000;
    const nlohmann::ordered_json row = MeasureApart(MeasurePlanning, points);
    if (row.is_null())
    {
        return PrintFailure("planning of " + std::to_string(points) + " points");
    }
    std::printf("\n%-16s %9s %12s %9s %7s %9s\n",
                "planning",
                "wall s",
                "ns/point",
                "ns/empty",
                "ratio",
                "peak MiB");
    std::printf("%-16s %9.3f %12.0f %9.1f %7.0f %9.1f\n",
                row["case"].get<std::string>().c_str(),
                row["wall_s"].get<double>(),
                row["ns_per_point"].get<double>(),
                row["ns_per_empty_event"].get<double>(),
                row["ratio"].get<double>(),
                row["peak_rss_bytes"].get<double>() / (1 << 20));
    std::fflush(stdout);
    figures.push_back(row);
    return true;
}

} // namespace

int
RunBench(const std::string& jsonFile, bool balancersOnly)
{
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    const bool whole = balancersOnly || (RunCases(figures) && RunStrategies(figures) &&
                                         RunFlowCases(figures) && RunPlanning(figures));
    if (!whole || !RunBalancerCases(figures))
    {
        return 4;
    }
    if (jsonFile.empty())
    {
        return 0;
    }
    std::ofstream file(jsonFile);
    file << figures.dump(2) << "\n";
    file.close();
    if (!file)
    {
        std::cerr << "rails: error: cannot write " << jsonFile << "\n";
        return 2;
    }
    return 0;
}

} // namespace ns3::rails
