// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_MEASURING_H
#define BENCH_MEASURING_H

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace ns3::rails
{

/// Number of measurements of each case.
constexpr int kRounds = 5;

/// \return the middle one of an odd number of values
double Median(std::vector<double> values);

/**
 * Measures a case in a child process, so that its peak memory is separate.
 * \param measure returns the figures of a case
 * \return the figures with peak_rss_bytes; null when the process failed
 */
template <typename Bench>
nlohmann::ordered_json
MeasureApart(nlohmann::ordered_json (*measure)(Bench), const std::decay_t<Bench>& bench)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return nullptr;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const std::string text = measure(bench).dump();
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

/// Prints the common columns of a simulation.
void PrintFigures(const nlohmann::ordered_json& row);

/// Prints that a case failed. \return false
bool PrintFailure(const std::string& name);

} // namespace ns3::rails

#endif // BENCH_MEASURING_H
