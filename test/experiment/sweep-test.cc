// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

class SweepTest : public ExperimentTest
{
  protected:
    static std::vector<std::string> GetNames(const Descriptor& descriptor)
    {
        std::vector<std::string> names;
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            names.push_back(descriptor.GetPointName(point));
        }
        return names;
    }

    static nlohmann::json GetConfig(const Descriptor& descriptor, std::size_t point)
    {
        return nlohmann::json::parse(descriptor.MakeExperiment(point).effective);
    }
};

TEST_F(SweepTest, DescriptorWithoutSweepIsOnePoint)
{
    const Descriptor descriptor = Read(kSmallDescriptor);
    EXPECT_FALSE(descriptor.IsSweep());
    EXPECT_EQ(descriptor.GetPointCount(), 1U);
    EXPECT_TRUE(descriptor.MakeExperiment(0).axes.empty());
}

TEST_F(SweepTest, GridIsInTheOrderOfTheDescriptorWithTheLastAxisFastest)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "sweep: {transport.mtu: [4096B, 1KB], seed: [3, 1, 2]}\n");
    const std::vector<std::string> expected{"mtu=4096B,seed=3",
                                            "mtu=4096B,seed=1",
                                            "mtu=4096B,seed=2",
                                            "mtu=1KB,seed=3",
                                            "mtu=1KB,seed=1",
                                            "mtu=1KB,seed=2"};
    EXPECT_EQ(GetNames(descriptor), expected);
    EXPECT_EQ(GetConfig(descriptor, 4)["transport"]["mtu"], "1KB");
    EXPECT_EQ(GetConfig(descriptor, 4)["seed"], 1);
    const std::vector<std::pair<std::string, std::string>> axes{{"transport.mtu", "1KB"},
                                                                {"seed", "1"}};
    EXPECT_EQ(descriptor.MakeExperiment(4).axes, axes);
    EXPECT_FALSE(GetConfig(descriptor, 4).contains("sweep"));
}

TEST_F(SweepTest, WholeComponentReplacesTheOneOfTheDescriptor)
{
    const Descriptor descriptor =
        Read("topology: {type: rail, domains: 2, gpus_per_domain: 2, spines: 2}\n"
             "workload: {type: all-to-all, matrix: uniform}\n"
             "balance: {type: rails, chunk: 1MB, tie: lowest}\n"
             "sweep: {balance: [{type: ecmp}, {type: rails, chunk: 2MB}, even-split]}\n");
    const std::vector<std::string> expected{"balance=ecmp", "balance=rails", "balance=even-split"};
    EXPECT_EQ(GetNames(descriptor), expected);
    EXPECT_EQ(GetConfig(descriptor, 1)["balance"],
              nlohmann::json::parse(R"({"type": "rails", "host": {"type": "flow"},
                                        "switch": {"type": "ecmp"}, "chunk": "2MB",
                                        "tie": "rotated"})"));
}

TEST_F(SweepTest, AxisOfATypeStartsTheComponentAfresh)
{
    const Descriptor descriptor =
        Read("topology: {type: rail, domains: 2, gpus_per_domain: 2, spines: 2}\n"
             "workload: {type: all-to-all, matrix: uniform}\n"
             "balance: {type: rails, tie: lowest}\n"
             "sweep: {balance.type: [rails, even-split]}\n");
    const std::vector<std::string> expected{"type=rails", "type=even-split"};
    EXPECT_EQ(GetNames(descriptor), expected);
    EXPECT_EQ(GetConfig(descriptor, 0)["balance"]["tie"], "lowest");
    EXPECT_FALSE(GetConfig(descriptor, 1)["balance"].contains("tie"));
}

TEST_F(SweepTest, AxisOfAKeyAppliesToTheComponentOfAnotherAxis)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor +
             "sweep: {balance.chunk: [1MB, whole], balance: [rails, least-outstanding]}\n");
    EXPECT_EQ(GetConfig(descriptor, 3)["balance"]["type"], "least-outstanding");
    EXPECT_EQ(GetConfig(descriptor, 3)["balance"]["chunk"], "whole");
}

TEST_F(SweepTest, NamesTellEqualTypesApart)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor +
             "sweep: {balance: [{type: rails, chunk: 1MB}, {type: rails, chunk: 2MB}, "
             "{type: rails}, even-split]}\n");
    const std::vector<std::string> expected{"balance=rails+chunk-1MB",
                                            "balance=rails+chunk-2MB",
                                            "balance=rails",
                                            "balance=even-split"};
    EXPECT_EQ(GetNames(descriptor), expected);
}

TEST_F(SweepTest, NamesAreWholeKeysWhereTheirEndsAreEqual)
{
    const Descriptor descriptor =
        Read("topology: {type: rail, domains: 2, gpus_per_domain: 2, spines: 2}\n"
             "workload: {type: all-to-all, matrix: {type: uniform}}\n"
             "balance: rails\n"
             "sweep: {balance.type: [rails, ecmp], workload.matrix.type: [uniform, sparse]}\n");
    EXPECT_EQ(descriptor.GetPointName(1), "balance.type=rails,workload.matrix.type=sparse");
}

TEST_F(SweepTest, NamesAreSafeAndDiffer)
{
    const Descriptor descriptor = Read(
        kSmallDescriptor +
        "sweep: {workload.phases: [[dispatch], [dispatch, combine], [dispatch, compute: 2ms]], "
        "seed: [1, 2]}\n");
    std::set<std::string> names;
    for (const std::string& name : GetNames(descriptor))
    {
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789._+-=,"),
                  std::string::npos)
            << name;
    }
    EXPECT_EQ(names.size(), 6U);
    EXPECT_EQ(names.count("phases=dispatch+combine,seed=1"), 1U);
}

TEST_F(SweepTest, LongNamesAreCutAndStillDiffer)
{
    std::string text = kSmallDescriptor + "sweep:\n  workload.phases:\n";
    for (int last = 1; last <= 3; ++last)
    {
        text += "    - [dispatch";
        for (int i = 0; i < 40; ++i)
        {
            text += ", combine";
        }
        text += ", gap: " + std::to_string(last) + "us]\n";
    }
    const Descriptor descriptor = Read(text);
    std::set<std::string> names;
    for (const std::string& name : GetNames(descriptor))
    {
        EXPECT_LE(name.size(), 255U);
        names.insert(name);
    }
    EXPECT_EQ(names.size(), 3U);
}

TEST_F(SweepTest, MistakeInOnePointIsFoundBeforeAnythingRuns)
{
    const std::string errors =
        FindErrors("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                   "workload: {type: all-to-all, matrix: uniform}\n"
                   "balance: rails\n"
                   "sweep:\n  topology.spines: [2, 0]\n  balance: [rails, ecmp]\n");
    EXPECT_NE(errors.find("spine"), std::string::npos) << errors;
}

TEST_F(SweepTest, SetTakesAnAxisOutOfTheSweep)
{
    const std::string text = kSmallDescriptor + "sweep: {balance: [rails, even-split], "
                                                "seed: [1, 2, 3]}\n";
    EXPECT_EQ(GetNames(Read(text, {"seed=7"})),
              (std::vector<std::string>{"balance=rails", "balance=even-split"}));
    EXPECT_EQ(GetConfig(Read(text, {"seed=7"}), 0)["seed"], 7);
    EXPECT_EQ(GetNames(Read(text, {"balance.type=rails"})).size(), 3U);
    const Descriptor single = Read(text, {"balance=rails", "seed=2"});
    EXPECT_FALSE(single.IsSweep());
}

TEST_F(SweepTest, SetOfAKeyInsideAnAxisIsRefused)
{
    const std::string errors =
        FindErrors(kSmallDescriptor + "sweep: {balance: [rails, even-split]}\n",
                   {"balance.chunk=1MB"});
    EXPECT_EQ(errors,
              "--set balance.chunk: error: 'balance' is an axis of the sweep; set sweep.balance "
              "instead");
}

TEST_F(SweepTest, SetMakesAndReplacesAxes)
{
    const std::string text = kSmallDescriptor + "sweep: {seed: [1, 2, 3]}\n";
    EXPECT_EQ(Read(text, {"sweep.seed=[4, 5]"}).GetPointCount(), 2U);
    EXPECT_EQ(Read(text, {"sweep.transport.mtu=[1KB, 2KB]"}).GetPointCount(), 6U);
    EXPECT_EQ(Read(text, {"sweep={}"}).GetPointCount(), 1U);
    EXPECT_EQ(Read(kSmallDescriptor, {"sweep.seed=[4, 5]"}).GetPointCount(), 2U);
}

} // namespace ns3::rails
