// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "../sweep/sweep-fixture.h"

#include "ns3/rails-run-keys.h"
#include "ns3/rails-sha256.h"
#include "ns3/rails-version.h"
#include "ns3/switch-profile.h"

#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

namespace ns3::rails
{

class RunKeysTest : public ExperimentTest
{
  protected:
    static std::string GetKey(const std::string& text, const std::vector<std::string>& sets = {})
    {
        return RunKeys().Compute(Read(text, sets).MakeExperiment(0));
    }
};

TEST_F(RunKeysTest, KeyIsASha256)
{
    const std::string key = GetKey(kSmallDescriptor);
    EXPECT_EQ(key.size(), 64U);
    EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST_F(RunKeysTest, ValueOfAnyKeyChangesIt)
{
    const std::string key = GetKey(kSmallDescriptor);
    for (const char* set : {"seed=2",
                            "transport.mtu=1KB",
                            "balance=even-split",
                            "balance.chunk=1MB",
                            "workload.matrix.bytes_per_pair=1MB",
                            "record.messages=false",
                            "topology.domains=3"})
    {
        EXPECT_NE(GetKey(kSmallDescriptor, {set}), key) << set;
    }
}

TEST_F(RunKeysTest, DefaultThatIsWrittenOutDoesNotChangeItAndItIsPartOfIt)
{
    const std::string mtu = nlohmann::json::parse(
        Read(kSmallDescriptor).MakeExperiment(0).resolvedConfig)["transport"]["mtu"];
    EXPECT_EQ(GetKey(kSmallDescriptor + "transport: {mtu: " + mtu + "}\n"),
              GetKey(kSmallDescriptor));
    // A later program may have another default: all that it changes is the effective configuration.
    Experiment experiment = Read(kSmallDescriptor).MakeExperiment(0);
    const std::string key = RunKeys().Compute(experiment);
    nlohmann::json config = nlohmann::json::parse(experiment.canonicalConfig);
    config["transport"]["mtu"] = "123B";
    experiment.canonicalConfig = config.dump();
    EXPECT_NE(RunKeys().Compute(experiment), key);
}

TEST_F(RunKeysTest, NameFormattingAndOrderDoNotChangeIt)
{
    const std::string key = GetKey(kSmallDescriptor);
    EXPECT_EQ(GetKey(kSmallDescriptor + "name: other\n"), key);
    EXPECT_EQ(GetKey("# a comment\n"
                     "balance:\n    type: 'rails'\n"
                     "workload:\n  matrix: {type: uniform}\n  type: all-to-all\n"
                     "topology: {gpus_per_domain: 2,\n           domains: 2, type: rail}\n"),
              key);
    EXPECT_EQ(GetKey(kSmallDescriptor + "sweep: {seed: [1]}\n"), key) << "as a point of a sweep";
}

TEST_F(RunKeysTest, ItIsTheHashOfConfigurationVersionsAndFiles)
{
    // Spelled out, so that no change of the recipe goes unnoticed: it would make every result old.
    const Experiment experiment = Read(kSmallDescriptor).MakeExperiment(0);
    nlohmann::json config = nlohmann::json::parse(experiment.resolvedConfig);
    config.erase("name");
    const auto hash = [&](const std::string& libraries, const VersionInfo& version) {
        return ComputeSha256(R"({"config":)" + config.dump() + R"(,"files":[],"libraries":)" +
                             libraries + R"(,"module":")" + version.module + R"(","ns3":")" +
                             version.ns3 + R"(","program":")" + version.program + "\"}");
    };
    VersionInfo version = GetVersionInfo();
    EXPECT_EQ(RunKeys().Compute(experiment), hash("{}", version));
    version.libraries["mine.so"] = "12";
    EXPECT_EQ(RunKeys().Compute(experiment, version), hash(R"({"mine.so":"12"})", version));
}

TEST_F(RunKeysTest, WhateverComputesARunChangesIt)
{
    const Experiment experiment = Read(kSmallDescriptor).MakeExperiment(0);
    const VersionInfo& own = GetVersionInfo();
    std::set<std::string> keys{RunKeys().Compute(experiment, own)};
    VersionInfo other = own;
    other.module = "0.0.0";
    EXPECT_TRUE(keys.insert(RunKeys().Compute(experiment, other)).second);
    other = own;
    other.ns3 = "3.0";
    EXPECT_TRUE(keys.insert(RunKeys().Compute(experiment, other)).second);
    other = own;
    other.program = "0123";
    EXPECT_TRUE(keys.insert(RunKeys().Compute(experiment, other)).second) << "another build";
    for (const char* build : {"0123", "4567"})
    {
        other = own;
        other.libraries["libmine.so"] = build;
        EXPECT_TRUE(keys.insert(RunKeys().Compute(experiment, other)).second) << build;
    }
}

namespace
{

/// A component of a user's own, which is in the library of the tests.
class OwnProfile : public SwitchProfile
{
};

} // namespace

TEST_F(RunKeysTest, LibraryOfAComponentOfOnesOwnIsFound)
{
    RAILS_LONG_CASE(); // it hashes the library of all tests
    Experiment experiment = Read(kSmallDescriptor).MakeExperiment(0);
    const VersionInfo before = RunKeys().FindVersion(experiment);
    EXPECT_EQ(before.program, GetVersionInfo().program);
    EXPECT_TRUE(before.libraries.empty()) << before.libraries.begin()->first;
    experiment.sections["switch"] = CreateObject<OwnProfile>();
    Dl_info tests{};
    Dl_info module{};
    ASSERT_NE(dladdr(&typeid(OwnProfile), &tests), 0);
    ASSERT_NE(dladdr(reinterpret_cast<void*>(&IsSlowBuild), &module), 0);
    const std::map<std::string, std::string> libraries =
        RunKeys().FindVersion(experiment).libraries;
    ASSERT_NE(tests.dli_fbase, module.dli_fbase);
    const std::filesystem::path file = std::filesystem::canonical(tests.dli_fname);
    EXPECT_EQ(libraries,
              (std::map<std::string, std::string>{
                  {file.filename().string(), ComputeSha256(ReadFile(file))}}));
}

TEST_F(RunKeysTest, EveryBuildOfAFolderOfComponentsHasTheNameOfTheFolder)
{
    EXPECT_EQ(MakeLibraryName("/a/stripe-01234567/stripe-0123456789ab.so"), "stripe");
    EXPECT_EQ(MakeLibraryName("/a/my-code-0123456789ab.so"), "my-code");
    for (const std::string name :
         {"libmine.so", "libmine-0123.so", "mine-0123456789xy.so", "-0123456789ab.so"})
    {
        EXPECT_EQ(MakeLibraryName("/a/" + name), name) << "made by something else";
    }
}

TEST_F(RunKeysTest, ContentOfAFileThatIsReadChangesIt)
{
    const TemporaryFolder folder;
    const std::string file = folder.Write(
        "matrix.csv",
        "0,0,1000000,1000000\n0,0,1000000,1000000\n1000000,1000000,0,0\n1000000,1000000,0,0\n");
    const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                             "workload: {type: all-to-all, matrix: {type: file, path: " +
                             file + "}}\nbalance: rails\n";
    const Experiment experiment =
        Descriptor::FromText(text, "test.yaml", {}, nullptr).MakeExperiment(0);
    const std::string key = RunKeys().Compute(experiment);
    EXPECT_EQ(RunKeys().Compute(experiment), key);
    folder.Write(
        "matrix.csv",
        "0,0,1000000,1000000\n0,0,1000000,1000000\n1000000,1000000,0,0\n1000000,2000000,0,0\n");
    EXPECT_NE(RunKeys().Compute(experiment), key);
    folder.Write(
        "matrix.csv",
        "0,0,1000000,1000000\n0,0,1000000,1000000\n1000000,1000000,0,0\n1000000,1000000,0,0\n");
    EXPECT_EQ(RunKeys().Compute(experiment), key);
}

} // namespace ns3::rails
