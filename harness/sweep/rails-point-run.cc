// SPDX-License-Identifier: GPL-2.0-only
#include "rails-point-run.h"

#include "ns3/policy-process.h"
#include "ns3/rails-diagnostic.h"
#include "ns3/rails-error.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-run-memory.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <sys/resource.h>

namespace ns3::rails
{

namespace
{

Result
Simulate(const Experiment& experiment,
         const ExperimentFunction& simulate,
         const ProgressCallback& progress)
{
    const auto begin = std::chrono::steady_clock::now();
    Result result = simulate(experiment, progress);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    Identify(experiment, result);
    if (result.wallSeconds == 0)
    {
        result.wallSeconds = wall.count();
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result.peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return result;
}

PointOutcome
RunChecked(const Descriptor& descriptor,
           std::size_t point,
           const PointTarget& target,
           const ExperimentFunction& simulate,
           const ProgressCallback& progress)
{
    Experiment experiment = descriptor.MakeExperiment(point);
    experiment.key = target.key;
    OutputFolder folder(target.folder.string(), target.force, target.isOneOfMany);
    // What another sweep has begun, or ended since this point was chosen, is not run twice.
    if (target.isOneOfMany &&
        (folder.IsSecond() ||
         (!target.isRepeated && FindResultStatus(target.folder, target.key).has_value())))
    {
        return {0, false, true};
    }
    experiment.workFolder = folder.GetWorkFolder().string();
    Result result = Simulate(experiment, simulate, progress);
    result.version = target.version;
    WriteResult(result, folder.GetWorkFolder());
    constexpr double longRun = 0.5; // seconds; forcing a result to disk takes some milliseconds
    folder.Commit(!target.isOneOfMany || result.wallSeconds >= longRun);
    if (result.status != RunStatus::Done)
    {
        std::cerr << target.folder.string() << ": error: "
                  << (result.report.empty() ? "the run did not end well" : result.report)
                  << std::endl;
    }
    return {static_cast<int>(result.status), false, false};
}

} // namespace

PointOutcome
RunPoint(const Descriptor& descriptor,
         std::size_t point,
         const PointTarget& target,
         const ExperimentFunction& simulate,
         const ProgressCallback& progress)
{
    const auto fail = [](const std::string& message, RunStatus status) {
        std::cerr << message << std::endl;
        return PointOutcome{static_cast<int>(status), false, false};
    };
    try
    {
        return CallWithPaths(
            [&] { return RunChecked(descriptor, point, target, simulate, progress); });
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
        PointOutcome outcome =
            fail(error.what(),
                 error.IsDiskFull() ? RunStatus::NotFinished : RunStatus::BadDescriptor);
        outcome.isDiskFull = error.IsDiskFull();
        return outcome;
    }
    catch (const std::bad_alloc&)
    {
        return fail(target.folder.string() + ": error: out of memory", RunStatus::NotFinished);
    }
    catch (const std::exception& error)
    {
        return fail(target.folder.string() + ": error: " + error.what(),
                    RunStatus::InvariantBroken);
    }
}

ExperimentFunction
GivePrograms(const ExperimentFunction& simulate, const RunOptions& options)
{
    return [&options, simulate](const Experiment& experiment, const ProgressCallback& progress) {
        GivePolicyCommands(experiment, options.policies);
        return simulate(experiment, progress);
    };
}

uint64_t
FindMemoryLimit(const RunOptions& options)
{
    return options.anyMemory ? 0 : FindAvailableMemory();
}

ExperimentFunction
LimitMemory(const ExperimentFunction& simulate, const SizeFunction& size, const RunOptions& options)
{
    if (!size)
    {
        return simulate;
    }
    return [&options, simulate, size](const Experiment& experiment,
                                      const ProgressCallback& progress) {
        const RunSize needed = size(experiment);
        if (const std::string lack = DescribeLack(needed, FindMemoryLimit(options)); !lack.empty())
        {
            throw ConfigurationError(needed.memoryKey, lack);
        }
        return simulate(experiment, progress);
    };
}

} // namespace ns3::rails
