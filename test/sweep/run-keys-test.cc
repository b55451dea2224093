// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-fixture.h"

#include "ns3/rails-run-keys.h"
#include "ns3/rails-sha256.h"
#include "ns3/rails-version.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
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
        Read(kSmallDescriptor).MakeExperiment(0).effective)["transport"]["mtu"];
    EXPECT_EQ(GetKey(kSmallDescriptor + "transport: {mtu: " + mtu + "}\n"),
              GetKey(kSmallDescriptor));
    // A later program may have another default: all that it changes is the effective configuration.
    Experiment experiment = Read(kSmallDescriptor).MakeExperiment(0);
    const std::string key = RunKeys().Compute(experiment);
    nlohmann::json config = nlohmann::json::parse(experiment.effective);
    config["transport"]["mtu"] = "123B";
    experiment.effective = config.dump();
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
    nlohmann::json config = nlohmann::json::parse(experiment.effective);
    config.erase("name");
    const auto hash = [&](const std::string& module, const std::string& ns3) {
        return ComputeSha256(R"({"config":)" + config.dump() + R"(,"files":[],"module":")" +
                             module + R"(","ns3":")" + ns3 + "\"}");
    };
    const VersionInfo& version = GetVersionInfo();
    const std::string key = RunKeys().Compute(experiment);
    EXPECT_EQ(key, hash(version.module, version.ns3));
    EXPECT_NE(key, hash("0.0.0", version.ns3));
    EXPECT_NE(key, hash(version.module, "3.0"));
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
