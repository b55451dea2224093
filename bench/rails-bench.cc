// SPDX-License-Identifier: GPL-2.0-only
#include "rails-bench.h"

#include "bench-case.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
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

nlohmann::ordered_json
Measure(const BenchCase& bench)
{
    const BenchRun counted = RunBenchCase(bench, true);
    const auto pending = std::max<uint64_t>(1, static_cast<uint64_t>(counted.meanPending + 0.5));
    const auto hops = static_cast<double>(counted.frameHops);
    std::vector<double> walls;
    std::vector<double> empties;
    std::vector<double> ratios;
    // In turn, so that a change of the machine's speed hits both.
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

/**
 * Measures a case in a process of its own, so that its peak memory is its own too.
 * \return the figures; null when the process failed
 */
nlohmann::ordered_json
MeasureApart(const BenchCase& bench)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return nullptr;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const std::string text = Measure(bench).dump();
        const bool whole =
            write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
        _exit(whole ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 1;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
    {
        return nullptr;
    }
    nlohmann::ordered_json figures = nlohmann::ordered_json::parse(text);
    figures["peak_rss_bytes"] = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return figures;
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
    std::fflush(stdout);
    for (const BenchCase& bench : GetCases())
    {
        const nlohmann::ordered_json row = MeasureApart(bench);
        if (row.is_null())
        {
            std::cerr << "rails: error: case " << bench.name << " failed\n";
            return 4;
        }
        std::printf("%-16s %9.3f %12llu %12llu %9.1f %9.1f %7.2f %9.1f\n",
                    bench.name.c_str(),
                    row["wall_s"].get<double>(),
                    row["frame_hops"].get<unsigned long long>(),
                    row["events"].get<unsigned long long>(),
                    row["ns_per_hop"].get<double>(),
                    row["ns_per_empty_event"].get<double>(),
                    row["ratio"].get<double>(),
                    row["peak_rss_bytes"].get<double>() / (1 << 20));
        std::fflush(stdout);
        figures.push_back(row);
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
