// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWEEP_FIXTURE_H
#define SWEEP_FIXTURE_H

#include "../../support/sanitized.h"
#include "../run/experiment-fixtures.h"

#include "ns3/rails-result-reader.h"
#include "ns3/rails-runner.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What a sweep over the seeds 1, 2 and 3 leaves in its folder.
inline const std::vector<std::string> kFilesOfThreeSeeds{".rails",
                                                         "index.sqlite",
                                                         "points.json",
                                                         "seed=1",
                                                         "seed=2",
                                                         "seed=3"};

/// Runs sweeps with a made-up simulate, each point in a process of its own.
class SweepRunFixture : public ExperimentTest
{
  protected:
    SweepRunFixture()
    {
        m_options.folder = (m_folder.GetPath() / "out").string();
        m_options.processes = 2;
        m_options.command = "rails run test.yaml";
    }

    /// Takes what is printed while it runs.
    int Run(const std::string& text, const std::vector<std::string>& sets = {})
    {
        const Descriptor descriptor = Read(text, sets);
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = RunDescriptor(descriptor, m_options, {m_scenario, m_size});
        m_output = testing::internal::GetCapturedStdout();
        m_errors = testing::internal::GetCapturedStderr();
        return status;
    }

    /// Does the same with options that hold for this once.
    template <typename Change>
    int RunWith(const Change& change, const std::string& text)
    {
        const RunOptions usual = m_options;
        change(m_options);
        const int status = Run(text);
        m_options = usual;
        return status;
    }

    std::filesystem::path GetPointFolder(const std::string& point) const
    {
        return std::filesystem::path(m_options.folder) / point;
    }

    nlohmann::json GetResult(const std::string& point) const
    {
        return ReadResultJson(GetPointFolder(point));
    }

    nlohmann::json GetFailure(const std::string& point) const
    {
        std::ifstream file(GetPointFolder(point) / "failure.json");
        return nlohmann::json::parse(file, nullptr, false);
    }

    /// Writes down that a point is run, across processes.
    void Note(const Experiment& experiment) const
    {
        std::ofstream(m_folder.GetPath() / "runs", std::ios::app) << experiment.seed << '\n';
    }

    /// \return seeds of the points that were run since the last call, in the order of their start
    std::vector<int> TakeRuns() const
    {
        const std::filesystem::path path = m_folder.GetPath() / "runs";
        std::ifstream file(path);
        std::vector<int> seeds;
        for (int seed = 0; file >> seed;)
        {
            seeds.push_back(seed);
        }
        std::filesystem::remove(path);
        return seeds;
    }

    std::vector<int> TakeSortedRuns() const
    {
        std::vector<int> seeds = TakeRuns();
        std::sort(seeds.begin(), seeds.end());
        return seeds;
    }

    TemporaryFolder m_folder;
    RunOptions m_options;
    ExperimentFunction m_scenario{[this](const Experiment& experiment, const ProgressCallback&) {
        Note(experiment);
        Result result = MakeResult();
        result.frameCounters->frames = 100;
        return result;
    }};
    SizeFunction m_size;
    std::string m_output;
    std::string m_errors;
    const std::string m_sweep{kSmallDescriptor + "sweep: {seed: [1, 2, 3]}\n"};
};

} // namespace ns3::rails

#endif // SWEEP_FIXTURE_H
