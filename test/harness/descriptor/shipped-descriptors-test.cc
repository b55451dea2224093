// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "../../support/source-folder.h"
#include "../run/experiment-fixtures.h"

#include "ns3/rails-trace-export.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return the descriptors in experiments/ and the folders below it, by path
std::vector<std::filesystem::path>
FindDescriptors()
{
    std::vector<std::filesystem::path> found;
    const std::filesystem::path folder = test::GetSourceFolder() + "/experiments";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        if (entry.path().extension() == ".yaml")
        {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

class ShippedDescriptorsTest : public ExperimentTest
{
};

TEST_F(ShippedDescriptorsTest, AllAreValidWarnedOfNothingAndReadAlikeHoweverOften)
{
    RAILS_LONG_CASE();
    const std::vector<std::filesystem::path> descriptors = FindDescriptors();
    EXPECT_FALSE(descriptors.empty());
    const auto check = MakeExperimentCheck();
    for (const std::filesystem::path& path : descriptors)
    {
        try
        {
            const Descriptor descriptor(path.string(), {}, check);
            EXPECT_GE(descriptor.GetPointCount(), 1U);
            // All have been read above; of a large sweep some are read a second time.
            constexpr std::size_t most = 40;
            const std::size_t step = 1 + descriptor.GetPointCount() / most;
            for (std::size_t point = 0; point < descriptor.GetPointCount(); point += step)
            {
                EXPECT_EQ(descriptor.Examine(point).resolvedConfig,
                          descriptor.MakeExperiment(point).resolvedConfig)
                    << path << " " << descriptor.GetPointName(point);
            }
            for (const Diagnostic& warning : descriptor.GetWarnings())
            {
                // Some ask what comes of assuming it, some compare it by both engines, and some
                // budgets leave policies nothing to work with.
                const std::string text = warning.ToString("warning");
                EXPECT_TRUE(text.find("senders are taken to know") != std::string::npos ||
                            text.find("chooses other NICs than among frames") !=
                                std::string::npos ||
                            text.find("is left out: it needs ") != std::string::npos)
                    << text;
            }
        }
        catch (const DescriptorError& error)
        {
            // Traces of real runs are not part of the module.
            static const std::set<std::string> replays{"experts-rails-trace",
                                                       "experts-rails-trace-frames"};
            const bool noTrace =
                replays.count(path.stem().string()) == 1 &&
                std::string(error.what()).find("no such file") != std::string::npos;
            EXPECT_TRUE(noTrace) << error.what();
        }
    }
}

TEST_F(ShippedDescriptorsTest, TheTraceIsWhatItsDescriptorDraws)
{
    const std::string folder = test::GetSourceFolder() + "/experiments/routing/";
    std::ostringstream drawn;
    ExportTrace(Descriptor(folder + "routing.yaml", {}).MakeExperiment(0),
                {1, 11, 101, 501, 1001, 3001},
                drawn);
    std::ifstream file(folder + "routing.csv");
    const std::string kept{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(drawn.str() == kept) << "./rails trace writes another one: see routing.yaml";
}

TEST_F(ShippedDescriptorsTest, NamesDifferSoThatResultsDoNotMeet)
{
    std::set<std::string> names;
    for (const std::filesystem::path& path : FindDescriptors())
    {
        EXPECT_TRUE(names.insert(path.stem().string()).second) << path;
    }
}

TEST_F(ShippedDescriptorsTest, EveryFigureOfTheLoadBalancersHasSome)
{
    std::set<std::string> folders;
    for (const std::filesystem::path& path : FindDescriptors())
    {
        if (path.parent_path().parent_path().filename() == "load-balancing")
        {
            folders.insert(path.parent_path().filename().string());
        }
    }
    const std::set<std::string> expected{"ack-echo",  "figure-01", "figure-03",    "figure-04",
                                         "figure-05", "figure-06", "figure-07",    "figure-08",
                                         "figure-09", "figure-10", "figure-11",    "figure-12",
                                         "figure-13", "figure-14", "figure-16",    "figure-17",
                                         "figure-18", "figure-19", "queue-growth", "reps-marks"};
    EXPECT_EQ(folders, expected);
}

} // namespace ns3::rails
