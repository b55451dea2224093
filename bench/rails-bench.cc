// SPDX-License-Identifier: GPL-2.0-only
#include "rails-bench.h"

#include "bench-case.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr int kRounds = 5;

double
Median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

std::vector<BenchCase>
GetCases()
{
    using Traffic = BenchCase::Traffic;
    return {
        {"fabric", 128, 1, 8, 8, Traffic::Permutation, 8'000'000, false},
        {"fabric-queues", 128, 1, 8, 8, Traffic::Permutation, 8'000'000, true},
        {"all-to-all-64", 8, 8, 64, 0, Traffic::AllToAll, 8'000'000, false},
        {"all-to-all-1024", 128, 8, 128, 0, Traffic::AllToAll, 8'000'000, false},
    };
}

uint64_t
GetPeakRss()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

} // namespace

int
RunBench(const std::string& jsonFile)
{
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    std::printf("%-16s %9s %12s %12s %9s %9s %7s %9s\n",
                "case",
                "wall s",
                "frame-hops",
                "events",
                "ns/hop",
                "ns/empty",
                "ratio",
                "peak MiB");
    for (const BenchCase& bench : GetCases())
    {
        const BenchRun counted = RunBenchCase(bench, true);
        const auto pending = std::max<uint64_t>(1, static_cast<uint64_t>(counted.meanPending + 0.5));
        std::vector<double> walls;
        std::vector<double> empties;
        std::vector<double> ratios;
        // In turn, so that a change of the machine's speed hits both.
        for (int round = 0; round < kRounds; ++round)
        {
            walls.push_back(RunBenchCase(bench, false).wallSeconds);
            empties.push_back(MeasureEmptyEvent(pending, 2'000'000));
            ratios.push_back(walls.back() * 1e9 / static_cast<double>(counted.frameHops) /
                             empties.back());
        }
        const double perHop = Median(walls) * 1e9 / static_cast<double>(counted.frameHops);
        const uint64_t peak = GetPeakRss();
        std::printf("%-16s %9.3f %12llu %12llu %9.1f %9.1f %7.2f %9.1f\n",
                    bench.name.c_str(),
                    Median(walls),
                    static_cast<unsigned long long>(counted.frameHops),
                    static_cast<unsigned long long>(counted.events),
                    perHop,
                    Median(empties),
                    Median(ratios),
                    static_cast<double>(peak) / (1 << 20));
        std::fflush(stdout);
        figures.push_back({{"case", bench.name},
                           {"wall_s", Median(walls)},
                           {"frame_hops", counted.frameHops},
                           {"events", counted.events},
                           {"ns_per_hop", perHop},
                           {"ns_per_empty_event", Median(empties)},
                           {"ratio", Median(ratios)},
                           {"pending_events", pending},
                           {"peak_rss_bytes", peak}});
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
