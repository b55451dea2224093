// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERIMENT_FIXTURES_H
#define EXPERIMENT_FIXTURES_H

#include "ns3/nstime.h"
#include "ns3/rails-descriptor.h"
#include "ns3/rails-result.h"
#include "ns3/run-experiment.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::rails
{

/// The shortest descriptor that is complete.
inline const std::string kSmallDescriptor =
    "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
    "workload: {type: all-to-all, matrix: uniform}\n"
    "balance: rails\n";

/// Sets the time resolution that descriptors need.
class ExperimentTest : public testing::Test
{
  public:
    static void SetUpTestSuite()
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
    }

  protected:
    /// \return a descriptor's text read, with all checks
    static Descriptor Read(const std::string& text, const std::vector<std::string>& sets = {})
    {
        return Descriptor::FromText(text, "test.yaml", sets, CheckExperiment);
    }

    /// \return what is wrong with a descriptor, a line each; empty when nothing is
    static std::string FindErrors(const std::string& text,
                                  const std::vector<std::string>& sets = {})
    {
        try
        {
            Read(text, sets);
        }
        catch (const DescriptorError& error)
        {
            return error.what();
        }
        return "";
    }
};

/// A folder that is removed at the end, whatever is in it.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string name = testing::TempDir() + "/rails-XXXXXX";
        m_path = mkdtemp(name.data());
    }

    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::permissions(m_path, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(m_path, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

    /// Writes a file into it. \return its path
    std::string Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_path / name, std::ios::binary) << text;
        return (m_path / name).string();
    }

  private:
    std::filesystem::path m_path;
};

inline std::string
ReadFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// \return names of everything in a folder, hidden files included, by alphabet
inline std::vector<std::string>
ListFolder(const std::filesystem::path& path)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path))
    {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// \return a small made-up result
inline Result
MakeResult()
{
    Result result;
    result.name = "made-up";
    result.seed = 7;
    result.engine = "frames";
    result.resolvedConfig = R"({"name": "made-up", "seed": 7})";
    result.cct = 2'000'000;
    result.lowerBound = 1'000'000;
    result.lowerBoundParts = {{"server_send", 1'000'000}};
    result.lowerBoundBinding = "server_send";
    result.algorithmBandwidth = 1.5e9;
    result.busBandwidth = 1.2e9;
    result.phases = {{"dispatch", 0, 0, 2'000'000}};
    result.fingerprint = "0123";
    result.frameCounters.emplace();
    MessageRecord message;
    message.id = 0;
    message.pair = 5;
    message.source = 1;
    message.destination = 2;
    message.rail = 1;
    message.bytes = 3000;
    message.start = 0;
    message.end = 1'999'999;
    result.messageRecords.push_back(message);
    message.id = 1;
    message.rail = kNoRail;
    message.end = kNever;
    result.messageRecords.push_back(message);
    PortRecord port;
    port.node = 3;
    port.port = 1;
    port.peer = 4;
    port.portClass = "leaf_up";
    port.rateBps = 400'000'000'000;
    port.bytes = 50'000;
    port.busy = 1'000'000;
    port.frames.emplace();
    port.frames->pauses = 2;
    port.frames->pausedPs = 123'456;
    port.frames->marks = 9;
    port.frames->dataFrames = 11;
    port.frames->queueMeanBytes = 2.5;
    result.portRecords.push_back(port);
    result.queueBins = {{{"leaf_up", 0, 1, 1.5e-6}}};
    return result;
}

} // namespace ns3::rails

#endif // EXPERIMENT_FIXTURES_H
