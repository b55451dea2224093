// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "../run/experiment-fixtures.h"

#include "ns3/component-registry.h"
#include "ns3/rails-catalogue.h"
#include "ns3/rails-command-line.h"
#include "ns3/rails-error.h"
#include "ns3/rails-starter-descriptor.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rails
{

class StarterDescriptorTest : public ExperimentTest
{
  protected:
    static std::vector<ComponentType> GetTypes(const std::string& sectionName)
    {
        for (const Section& section : GetSections())
        {
            if (section.name == sectionName)
            {
                return GetComponentTypes(GetSectionBase(section));
            }
        }
        return {};
    }

    /// \return the descriptor with all keys that are comments made keys
    static std::string Uncomment(const std::string& text)
    {
        std::string result;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
        {
            result += std::regex_replace(line, std::regex("^( *)#([^ ])"), "$1$2") + "\n";
        }
        return result;
    }

    /// \return exit status of the program
    static int Run(std::vector<std::string> words)
    {
        words.insert(words.begin(), "rails-experiment");
        std::vector<char*> argv;
        for (std::string& word : words)
        {
            argv.push_back(word.data());
        }
        CommandHooks hooks;
        hooks.check = CheckExperiment;
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = RunCommandLine(static_cast<int>(argv.size()), argv.data(), hooks);
        testing::internal::GetCapturedStdout();
        testing::internal::GetCapturedStderr();
        return status;
    }

    /// \return what is wrong with a descriptor whose files are in a folder
    static std::string FindErrorsIn(const TemporaryFolder& folder, const std::string& text)
    {
        const std::string path = folder.Write("starter.yaml", text);
        try
        {
            const Descriptor descriptor(path, {}, CheckExperiment);
        }
        catch (const DescriptorError& error)
        {
            return error.what();
        }
        return "";
    }
};

TEST_F(StarterDescriptorTest, EveryPairOfComponentsIsValidAsItIsAndWithAllKeys)
{
    RAILS_LONG_CASE();
    const TemporaryFolder folder;
    folder.Write("connections.csv", "source,destination,bytes\n0,1,1000\n");
    folder.Write("goal.csv", "num_ranks 1\nrank 0 {\nl1: calc 100\n}\n");
    const std::map<std::string, std::string> refused{
        {"optical", "a fabric beside another one"},
        {"patch-panel", "for flows alone, and a starter is for frames"}};
    std::vector<std::string> topologies;
    for (const ComponentType& topology : GetTypes("topology"))
    {
        const auto reason = refused.find(topology.name);
        if (reason == refused.end())
        {
            topologies.push_back(topology.name);
            continue;
        }
        EXPECT_THROW(MakeStarterDescriptor({topology.name}, CheckExperiment), DescriptorError)
            << reason->second;
    }
    const std::vector<ComponentType> workloads = GetTypes("workload");
    std::vector<ComponentType> balances = GetTypes("balance");
    const auto delegates =
        std::find_if(balances.begin(), balances.end(), [](const ComponentType& type) {
            return type.name == "delegates";
        });
    ASSERT_NE(delegates, balances.end());
    balances.erase(delegates);
    EXPECT_THROW(MakeStarterDescriptor({"rail", "all-to-all", "delegates"}, CheckExperiment),
                 DescriptorError)
        << "circuits, which no starter has";
    ASSERT_GE(topologies.size(), 3U);
    ASSERT_GE(workloads.size(), topologies.size());
    ASSERT_GE(balances.size(), topologies.size());
    for (std::size_t i = 0; i < workloads.size(); ++i)
    {
        for (std::size_t j = 0; j < balances.size(); ++j)
        {
            // So each topology meets each workload and each balance.
            const std::string& topology = topologies[(i + j) % topologies.size()];
            const std::string text =
                MakeStarterDescriptor({topology, workloads[i].name, balances[j].name},
                                      CheckExperiment);
            SCOPED_TRACE(topology + " " + workloads[i].name + " " + balances[j].name);
            EXPECT_EQ(FindErrorsIn(folder, text), "");
            EXPECT_EQ(FindErrorsIn(folder, Uncomment(text)), "");
        }
    }
}

TEST_F(StarterDescriptorTest, EveryKeyOfTheChosenComponentsIsThere)
{
    const std::string text =
        MakeStarterDescriptor({"leaf-spine", "ring", "least-outstanding"}, CheckExperiment);
    for (const auto& [section, type] : {std::pair{"topology", "leaf-spine"},
                                        std::pair{"workload", "ring"},
                                        std::pair{"balance", "least-outstanding"}})
    {
        for (const ComponentType& known : GetTypes(section))
        {
            if (known.name != type)
            {
                continue;
            }
            EXPECT_NE(text.find("\n  type: " + known.name), std::string::npos) << text;
            for (const ComponentKey& key : GetComponentKeys(known.id))
            {
                const bool there = text.find("\n  #" + key.name + ":") != std::string::npos ||
                                   text.find("\n  " + key.name + ":") != std::string::npos;
                EXPECT_EQ(there, !key.IsOptional()) << key.name << " in\n" << text;
            }
        }
    }
    EXPECT_NE(text.find("\n  #depth: 2 "), std::string::npos) << text;
    EXPECT_NE(text.find("\n  #congestion_control:"), std::string::npos) << text;
    EXPECT_NE(text.find("\n    #type: dcqcn"), std::string::npos) << text;
}

TEST_F(StarterDescriptorTest, PiecesAreSmallAgainstWhatAPairExchanges)
{
    // Pieces that are larger than messages leave a scheme that spreads them nothing to spread.
    const std::string rails = MakeStarterDescriptor({}, CheckExperiment);
    EXPECT_NE(rails.find("\n  #chunk: automatic "), std::string::npos) << rails;
    EXPECT_NE(rails.find("bytes_per_pair: 1MB "), std::string::npos) << rails;
    const std::string whole =
        MakeStarterDescriptor({"rail", "all-to-all", "rail-source"}, CheckExperiment);
    EXPECT_NE(whole.find("\n  #chunk: whole "), std::string::npos) << whole;
}

TEST_F(StarterDescriptorTest, FabricsWithSeveralPathsAreSprayedWithoutAWarning)
{
    const std::string host = "\n    type: spray ";
    for (const StarterChoice& choice : {StarterChoice{"fat-tree", "all-to-all", "ecmp"},
                                        StarterChoice{"leaf-spine", "training", "rail-source"},
                                        StarterChoice{"rail", "ring", "ecmp"}})
    {
        SCOPED_TRACE(choice.topology);
        const std::string text = MakeStarterDescriptor(choice, CheckExperiment);
        EXPECT_NE(text.find(host), std::string::npos) << text;
        EXPECT_NE(text.find("\n    type: selective-repeat "), std::string::npos) << text;
        EXPECT_NE(text.find("balance: [{type: " + choice.balance + ", host: spray}, "),
                  std::string::npos)
            << text;
        const Descriptor descriptor = Read(Uncomment(text));
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            EXPECT_TRUE(CheckExperiment(descriptor.MakeExperiment(point)).empty());
        }
    }
    // On one rail there is one path, through its leaf.
    EXPECT_EQ(MakeStarterDescriptor({}, CheckExperiment).find(host), std::string::npos);
}

TEST_F(StarterDescriptorTest, CommentsChangeNothing)
{
    // What is in comments is what holds without them.
    const std::string text = MakeStarterDescriptor({}, CheckExperiment);
    std::string all = Uncomment(text);
    all.erase(all.find("\nsweep:"));
    EXPECT_EQ(Read(text).MakeExperiment(0).resolvedConfig,
              Read(all).MakeExperiment(0).resolvedConfig);
}

TEST_F(StarterDescriptorTest, ExampleSweepHasOtherBalancesAndSeeds)
{
    const Descriptor descriptor = Read(Uncomment(MakeStarterDescriptor({}, CheckExperiment)));
    EXPECT_EQ(descriptor.GetPointCount(), 9U);
    EXPECT_EQ(descriptor.GetPointName(0), "balance=rails,seed=1");
}

TEST_F(StarterDescriptorTest, LinesAreNotLong)
{
    std::istringstream lines(
        MakeStarterDescriptor({"rail", "all-to-all", "ecmp"}, CheckExperiment));
    for (std::string line; std::getline(lines, line);)
    {
        EXPECT_LE(line.size(), 110U) << line;
        EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    }
}

TEST_F(StarterDescriptorTest, UnknownTypeIsRefusedWithTheNearest)
{
    try
    {
        MakeStarterDescriptor({"rial", "all-to-all", "rails"}, CheckExperiment);
        FAIL() << "nothing was thrown";
    }
    catch (const UnknownNameError& error)
    {
        const std::string text = error.what();
        EXPECT_NE(text.find("--topology rial: error: "), std::string::npos) << text;
        EXPECT_NE(text.find("did you mean 'rail'?"), std::string::npos) << text;
    }
}

TEST_F(StarterDescriptorTest, TypesThatDoNotGoTogetherAreRefused)
{
    const auto check = [](const Experiment&) -> std::vector<ExperimentWarning> {
        throw ConfigurationError("balance", "not so");
    };
    EXPECT_THROW(MakeStarterDescriptor({}, check), DescriptorError);
}

TEST_F(StarterDescriptorTest, CommandReplacesAFileOnlyByForce)
{
    const TemporaryFolder folder;
    const std::string path = (folder.GetPath() / "new.yaml").string();
    EXPECT_EQ(Run({"new", path, "--topology", "leaf-spine"}), 0);
    const std::string text = ReadFile(path);
    EXPECT_EQ(FindErrors(text), "");
    EXPECT_NE(text.find("\n  type: leaf-spine"), std::string::npos) << text;
    EXPECT_EQ(Run({"new", path}), 2);
    EXPECT_EQ(ReadFile(path), text);
    EXPECT_EQ(Run({"new", path, "--force"}), 0);
    EXPECT_NE(ReadFile(path).find("\n  type: rail"), std::string::npos);
    EXPECT_EQ(Run({"new", path, "--force", "--balance", "rials"}), 2);
    EXPECT_EQ(Run({"new", (folder.GetPath() / "no" / "new.yaml").string()}), 2);
    EXPECT_EQ(ListFolder(folder.GetPath()), std::vector<std::string>{"new.yaml"});
}

} // namespace ns3::rails
