// SPDX-License-Identifier: GPL-2.0-only
#include "rails-point-run.h"

#include "rails-output-folder.h"
#include "rails-result-writer.h"
#include "rails-version.h"

#include "ns3/rails-error.h"

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace ns3::rails
{

namespace
{

/// \return "transport.mtu: "4096B" there, "1024B" here"
std::string
DescribeDifference(const nlohmann::json& there, const nlohmann::json& here)
{
    const nlohmann::json left = there.flatten();
    const nlohmann::json right = here.flatten();
    const auto valueOf = [](const nlohmann::json& flat, const std::string& key) {
        return flat.contains(key) ? flat.at(key).dump() : std::string("nothing");
    };
    for (const nlohmann::json* side : {&left, &right})
    {
        for (const auto& [pointer, value] : side->items())
        {
            if (valueOf(left, pointer) == valueOf(right, pointer))
            {
                continue;
            }
            std::string key = pointer.substr(1);
            for (char& letter : key)
            {
                letter = letter == '/' ? '.' : letter;
            }
            return key + ": " + valueOf(left, pointer) + " there, " + valueOf(right, pointer) +
                   " here";
        }
    }
    return "";
}

uint64_t
GetPeakRssBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

Result
Simulate(const Experiment& experiment,
         const ScenarioFunction& scenario,
         const ProgressCallback& progress)
{
    const auto begin = std::chrono::steady_clock::now();
    Result result = scenario(experiment, progress);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    result.name = experiment.name;
    result.seed = experiment.seed;
    result.axes = experiment.axes;
    result.effective = experiment.effective;
    result.version = GetVersionInfo();
    if (result.wallSeconds == 0)
    {
        result.wallSeconds = wall.count();
    }
    result.peakRssBytes = GetPeakRssBytes();
    return result;
}

int
RunChecked(const Descriptor& descriptor,
           std::size_t point,
           const RunOptions& options,
           const ScenarioFunction& scenario,
           const ProgressCallback& progress)
{
    Experiment experiment = descriptor.MakeExperiment(point);
    OutputFolder folder(options.folder, options.force);
    experiment.workFolder = folder.GetWorkFolder().string();
    const Result result = Simulate(experiment, scenario, progress);
    WriteResult(result, folder.GetWorkFolder());
    folder.Commit();
    if (result.status != RunStatus::Done)
    {
        std::cerr << options.folder << ": error: "
                  << (result.report.empty() ? "the run did not end well" : result.report)
                  << std::endl;
    }
    return static_cast<int>(result.status);
}

} // namespace

PointState
FindPointState(const std::filesystem::path& folder,
               const std::string& effective,
               std::string& difference)
{
    const nlohmann::json json = ReadResultJson(folder);
    if (json.is_discarded())
    {
        return PointState::Missing;
    }
    const nlohmann::json here = nlohmann::json::parse(effective);
    if (json.at("config") == here)
    {
        return PointState::Whole;
    }
    difference = DescribeDifference(json.at("config"), here);
    return PointState::Other;
}

int
RunPoint(const Descriptor& descriptor,
         std::size_t point,
         const RunOptions& options,
         const ScenarioFunction& scenario,
         const ProgressCallback& progress)
{
    const auto fail = [](const std::string& message, RunStatus status) {
        std::cerr << message << std::endl;
        return static_cast<int>(status);
    };
    try
    {
        return RunChecked(descriptor, point, options, scenario, progress);
    }
    catch (const DescriptorError& error)
    {
        return fail(error.what(), RunStatus::BadDescriptor);
    }
    catch (const ConfigurationError& error)
    {
        const Diagnostic diagnostic{descriptor.FindPlace(point, error.GetKey()), error.what()};
        return fail(diagnostic.ToString(), RunStatus::BadDescriptor);
    }
    catch (const OutputError& error)
    {
        return fail(error.what(), RunStatus::BadDescriptor);
    }
    catch (const std::bad_alloc&)
    {
        return fail(options.folder + ": error: out of memory", RunStatus::NotFinished);
    }
    catch (const std::exception& error)
    {
        return fail(options.folder + ": error: " + error.what(), RunStatus::InvariantBroken);
    }
}

} // namespace ns3::rails
