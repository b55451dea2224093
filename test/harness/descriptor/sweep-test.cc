// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

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
        return nlohmann::json::parse(descriptor.MakeExperiment(point).resolvedConfig);
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

TEST_F(SweepTest, AxesAreTheSameByOtherNamesOfTheirKeys)
{
    const auto tell = [](const std::string& sweep, const std::vector<std::string>& sets = {}) {
        const Descriptor descriptor = Descriptor::FromText(kSmallDescriptor + sweep, "t", sets);
        std::vector<std::string> told = GetNames(descriptor);
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            const Experiment experiment = descriptor.MakeExperiment(point);
            told.push_back(experiment.resolvedConfig);
            for (const auto& [key, label] : experiment.axes)
            {
                told.push_back(key + "=" + label);
            }
            for (const auto& [key, label] : experiment.labels)
            {
                told.push_back(key + "=" + label);
            }
            for (const auto& [key, label] : descriptor.GetSweep().GetBaseline())
            {
                const auto other = descriptor.GetSweep().FindBaselinePoint(point, key);
                told.push_back(key + ":" + label + (other ? other->first : ""));
            }
        }
        return told;
    };
    EXPECT_EQ(GetNames(Read(kSmallDescriptor + "sweep: {topology.servers: [2, 3]}\n")),
              (std::vector<std::string>{"domains=2", "domains=3"}));
    const std::vector<std::pair<std::string, std::string>> pairs{
        {"sweep: {topology.domains: [2, {label: three, value: 3}], baseline: {topology.domains: "
         "2}}",
         "sweep: {topology.servers: [2, {label: three, value: 3}], baseline: {topology.servers: "
         "2}}"},
        {"sweep: {zip: {topology.domains: [2, 3], topology.gpus_per_domain: [4, 2]}}",
         "sweep: {zip: [{topology.servers: [2, 3], topology.gpus_per_server: [4, 2]}]}"},
        {"sweep: {points: [{topology.domains: 3}, {topology: {type: rail, domains: 4}}]}",
         "sweep: {points: [{topology.servers: 3}, {topology: {type: rail, servers: 4}}]}"},
        {"sweep: {topology: [{label: a, value: {type: rail, domains: 3}}, {type: rail, domains: "
         "4}]}",
         "sweep: {topology: [{label: a, value: {type: rail, servers: 3}}, {type: rail, servers: "
         "4}]}"},
    };
    for (const auto& [declared, other] : pairs)
    {
        EXPECT_EQ(tell(other), tell(declared));
    }
    EXPECT_EQ(tell("sweep: {topology.servers: [5, 6]}", {"sweep.topology.domains=[2, 3]"}),
              tell("sweep: {topology.domains: [2, 3]}"));
    EXPECT_EQ(tell("", {"sweep={topology.servers: [2, 3]}"}),
              tell("sweep: {topology.domains: [2, 3]}"));
    // A fixed value takes the axis away.
    EXPECT_EQ(tell("sweep: {topology.domains: [2, 3], seed: [1, 2]}", {"topology.servers=2"}),
              tell("sweep: {seed: [1, 2]}"));
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
                                        "min_chunk": "1024B",
                                        "tie": "rotated", "balances": "sending",
                                        "planning_time": "0s"})"));
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

TEST_F(SweepTest, ZippedListsGoTogetherAsOneAxis)
{
    const Descriptor descriptor = Read(
        kSmallDescriptor +
        "sweep: {zip: {transport.mtu: [1KB, 2KB], seed: [5, 6]}, balance: [rails, even-split]}\n");
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"mtu=1KB,seed=5,balance=rails",
                                        "mtu=1KB,seed=5,balance=even-split",
                                        "mtu=2KB,seed=6,balance=rails",
                                        "mtu=2KB,seed=6,balance=even-split"}));
    EXPECT_EQ(GetConfig(descriptor, 2)["transport"]["mtu"], "2KB");
    EXPECT_EQ(GetConfig(descriptor, 2)["seed"], 6);
    EXPECT_EQ(GetConfig(descriptor, 2)["balance"]["type"], "rails");
}

TEST_F(SweepTest, SeveralZipsAreSeveralAxes)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor +
             "sweep:\n"
             "  zip:\n"
             "    - {transport.mtu: [1KB, 2KB, 4KB], seed: [5, 6, 7]}\n"
             "    - {balance: [rails, least-outstanding], balance.chunk: [1MB, 2MB]}\n");
    EXPECT_EQ(descriptor.GetPointCount(), 6U);
    EXPECT_EQ(descriptor.GetPointName(3), "mtu=2KB,seed=6,balance=least-outstanding,chunk=2MB");
    EXPECT_EQ(GetConfig(descriptor, 3)["balance"]["chunk"], "2MB");
    EXPECT_EQ(GetConfig(descriptor, 3)["seed"], 6);
}

TEST_F(SweepTest, ZippedListsOfUnequalLengthAreRefused)
{
    EXPECT_EQ(FindErrors(kSmallDescriptor +
                         "sweep: {zip: {transport.mtu: [1KB, 2KB], seed: [1, 2, 3]}}\n"),
              "test.yaml:4:48: error: lists that go together are of equal length; 'transport.mtu' "
              "has 2 values and 'seed' 3");
}

TEST_F(SweepTest, PointsAreAddedToTheGrid)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "sweep:\n"
                                "  points: [{balance: even-split, transport.mtu: 2KB}, {seed: 9}]\n"
                                "  seed: [1, 2, 3]\n");
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"seed=1",
                                        "seed=2",
                                        "seed=3",
                                        "balance=even-split,mtu=2KB",
                                        "seed=9"}));
    EXPECT_EQ(GetConfig(descriptor, 1)["balance"]["type"], "rails");
    EXPECT_EQ(GetConfig(descriptor, 3)["balance"]["type"], "even-split");
    EXPECT_EQ(GetConfig(descriptor, 3)["transport"]["mtu"], "2KB");
    EXPECT_EQ(GetConfig(descriptor, 3)["seed"], 1);
    EXPECT_EQ(GetConfig(descriptor, 4)["seed"], 9);
}

TEST_F(SweepTest, PointsAloneAreTheSweep)
{
    const Descriptor descriptor =
        Read("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
             "workload: {type: all-to-all, matrix: uniform}\n"
             "sweep: {points: [{balance: even-split}, {balance: rails, seed: 4}]}\n");
    EXPECT_TRUE(descriptor.IsSweep());
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"balance=even-split", "balance=rails,seed=4"}));
}

TEST_F(SweepTest, RepeatGivesEveryPointSeedsFromTheDescriptorsOn)
{
    const std::string text = kSmallDescriptor + "seed: 5\n";
    EXPECT_EQ(GetNames(Read(text + "sweep: {repeat: 3}\n")),
              (std::vector<std::string>{"seed=5", "seed=6", "seed=7"}));
    EXPECT_EQ(GetNames(Read(text + "sweep: {repeat: 2, balance: [rails, even-split]}\n")),
              (std::vector<std::string>{"balance=rails,seed=5",
                                        "balance=rails,seed=6",
                                        "balance=even-split,seed=5",
                                        "balance=even-split,seed=6"}));
    EXPECT_EQ(GetNames(Read(text + "sweep: {repeat: 2}\n", {"seed=8"})),
              (std::vector<std::string>{"seed=8", "seed=9"}));
    EXPECT_EQ(GetNames(Read(kSmallDescriptor + "sweep: {repeat: 1}\n")),
              std::vector<std::string>{"seed=1"});
}

TEST_F(SweepTest, RepeatStartsFromThePointsOwnSeed)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "seed: 5\nsweep: {repeat: 2, points: [{seed: 30, balance: "
                                "even-split}, {balance: rails}]}\n");
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"balance=even-split,seed=30",
                                        "balance=even-split,seed=31",
                                        "balance=rails,seed=5",
                                        "balance=rails,seed=6"}));
    EXPECT_EQ(GetConfig(descriptor, 1)["seed"], 31);
}

TEST_F(SweepTest, KeyThatIsVariedTwiceIsRefused)
{
    const std::string text = kSmallDescriptor + "sweep:\n  seed: [1, 2]\n";
    EXPECT_EQ(FindErrors(text + "  repeat: 2\n"),
              "test.yaml:5:10: error: 'seed' is varied twice in this sweep");
    EXPECT_EQ(FindErrors(text + "  zip: {seed: [3, 4]}\n"),
              "test.yaml:6:16: error: 'seed' is varied twice in this sweep");
    EXPECT_NE(FindErrors(kSmallDescriptor + "sweep: {zip: {seed: [3, 4]}, repeat: 2}\n")
                  .find("'seed' is varied twice"),
              std::string::npos);
}

TEST_F(SweepTest, PointThatIsThereTwiceIsRefused)
{
    EXPECT_EQ(FindErrors(kSmallDescriptor + "sweep: {seed: [1, 2], points: [{seed: 2}]}\n"),
              "test.yaml:4:33: error: the point seed=2 is the point seed=2 of test.yaml:4:19 "
              "again");
    EXPECT_NE(FindErrors(kSmallDescriptor + "sweep: {repeat: 2, points: [{seed: 2}, {seed: 3}]}\n")
                  .find("the point seed=3 is the point seed=3 of"),
              std::string::npos);
    EXPECT_EQ(FindErrors(kSmallDescriptor + "sweep: {seed: [1, 1]}\n"),
              "test.yaml:4:19: error: this value of the axis 'seed' is here twice; the first is at "
              "test.yaml:4:16");
}

TEST_F(SweepTest, PointsOfOneConfigurationAreRefusedHoweverTheyAreWritten)
{
    EXPECT_EQ(
        FindErrors(kSmallDescriptor + "sweep: {transport.mtu: [1KB, 2KB, 1000B], seed: [1, 2]}\n"),
        "test.yaml:4:35: error: the point mtu=1000B,seed=1 is the point mtu=1KB,seed=1 of "
        "test.yaml:4:25 again");
    EXPECT_EQ(
        FindErrors(kSmallDescriptor +
                   "sweep:\n  balance:\n  - rails\n  - {type: rails, chunk: automatic}\n"),
        "test.yaml:7:5: error: the point balance=rails+chunk-automatic is the point balance=rails "
        "of test.yaml:6:5 again");
    EXPECT_EQ(FindErrors(kSmallDescriptor +
                         "sweep: {balance.chunk: [automatic, 1MB], points: [{balance: rails}]}\n"),
              "test.yaml:4:52: error: the point balance=rails is the point chunk=automatic of "
              "test.yaml:4:25 again");
    EXPECT_EQ(FindErrors(kSmallDescriptor + "sweep: {balance: [rails, {type: rails, chunk: 5MB}]}"),
              "");
}

TEST_F(SweepTest, MistakesInZipPointsAndRepeatArePlaced)
{
    const std::string text = kSmallDescriptor + "sweep: ";
    for (const char* section : {"{zip: [1]}",
                                "{zip: {seed: 3}}",
                                "{zip: {seed: []}}",
                                "{points: {seed: 3}}",
                                "{points: []}",
                                "{points: [3]}",
                                "{points: [{}]}",
                                "{repeat: 0}",
                                "{repeat: -1}",
                                "{repeat: many}",
                                "{repeat: [2]}",
                                "{repeat: 100001}",
                                "{points: [{name: x}]}",
                                "{zip: {name: [x, y]}}"})
    {
        const std::string errors = FindErrors(text + section + "\n");
        EXPECT_EQ(errors.rfind("test.yaml:4:", 0), 0U) << section << ": " << errors;
    }
}

TEST_F(SweepTest, SetTakesAKeyOutOfZipAndPoints)
{
    const std::string text =
        kSmallDescriptor +
        "sweep:\n"
        "  zip: {transport.mtu: [1KB, 2KB], seed: [5, 6]}\n"
        "  points: [{balance: even-split, seed: 7}, {seed: 8, transport.mtu: 4KB}]\n";
    const Descriptor descriptor = Read(text, {"seed=9"});
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"mtu=1KB", "mtu=2KB", "balance=even-split", "mtu=4KB"}));
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        EXPECT_EQ(GetConfig(descriptor, point)["seed"], 9);
    }
    EXPECT_FALSE(Read(text, {"seed=9", "transport.mtu=1KB", "balance=rails"}).IsSweep());
    EXPECT_NE(FindErrors(text, {"balance.chunk=1MB"}).find("set sweep.points instead"),
              std::string::npos);
}

TEST_F(SweepTest, NamesDoNotDependOnTheRestOfTheGrid)
{
    const std::string text = kSmallDescriptor + "sweep: {balance: [rails, even-split], ";
    const std::vector<std::string> few = GetNames(Read(text + "seed: [2, 1]}\n"));
    const std::vector<std::string> more =
        GetNames(Read(text + "seed: [4, 3, 2, 1], points: [{balance: least-outstanding}]}\n"));
    const std::set<std::string> all(more.begin(), more.end());
    for (const std::string& name : few)
    {
        EXPECT_EQ(all.count(name), 1U) << name;
    }
}

TEST_F(SweepTest, SweepOfTooManyPointsIsRefusedAtOnce)
{
    const std::string many = "has more than 100000 points";
    std::string seeds;
    std::string points;
    for (int i = 1; i <= 400; ++i)
    {
        seeds += (i == 1 ? "" : ", ") + std::to_string(i);
        points += (i == 1 ? "{seed: " : ", {seed: ") + std::to_string(i * 1'000'000) + "}";
    }
    EXPECT_NE(FindErrors(kSmallDescriptor + "sweep: {seed: [" + seeds + "], topology.domains: [" +
                         seeds + "]}\n")
                  .find(many),
              std::string::npos);
    // All of them together would take the memory of a machine.
    EXPECT_NE(FindErrors(kSmallDescriptor + "sweep: {repeat: 100000, points: [" + points + "]}\n")
                  .find(many),
              std::string::npos);
    // The product of these is 0 in 64 bits.
    std::string zips;
    for (int i = 0; i < 64; ++i)
    {
        zips += (i == 0 ? "{key" : ", {key") + std::to_string(i) + ": [1, 2]}";
    }
    EXPECT_NE(FindErrors(kSmallDescriptor + "sweep: {zip: [" + zips + "]}\n").find(many),
              std::string::npos);
}

} // namespace ns3::rails
