// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-run-keys.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Labels of values and components, and the baselines that they name.
class LabelsTest : public ExperimentTest
{
  protected:
    using Labels = std::map<std::string, std::string>;

    static std::vector<std::string> GetNames(const Descriptor& descriptor)
    {
        std::vector<std::string> names;
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            names.push_back(descriptor.GetPointName(point));
        }
        return names;
    }

    static std::string FindSweepErrors(const std::string& sweep)
    {
        return FindErrors(kSmallDescriptor + "sweep: " + sweep + "\n");
    }

    static Descriptor ReadSweep(const std::string& sweep)
    {
        return Read(kSmallDescriptor + "sweep: " + sweep + "\n");
    }
};

TEST_F(LabelsTest, ComponentOfAnAxisIsNamedByItsLabelInFoldersAndResults)
{
    const Descriptor descriptor =
        ReadSweep("{balance: [{type: rails, chunk: 1MB, label: RailS 1 MB}, "
                  "{label: even, value: even-split}, {type: rails, chunk: 2MB}]}");
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"balance=RailS-1-MB", "balance=even", "balance=rails"}));
    EXPECT_EQ(descriptor.MakeExperiment(0).labels, (Labels{{"balance", "RailS 1 MB"}}));
    EXPECT_EQ(descriptor.MakeExperiment(1).labels, (Labels{{"balance", "even"}}));
    EXPECT_EQ(descriptor.MakeExperiment(2).labels, Labels());
}

TEST_F(LabelsTest, LabelsOfOtherScriptsAreSafeAndDistinctInFolders)
{
    const std::vector<std::string> names = GetNames(
        ReadSweep("{balance: [{type: rails, label: 方案一}, {type: even-split, label: 方案二}, "
                  "{type: rail-source, label: Größe 1}]}"));
    EXPECT_EQ(names,
              (std::vector<std::string>{"balance=-f38c7f42",
                                        "balance=-503286d3",
                                        "balance=Gr-e-1-3852322f"}));
    // The same label has the same name in another sweep.
    EXPECT_EQ(GetNames(ReadSweep("{balance: [{type: rails, label: 方案二}]}"))[0], names[1]);
}

TEST_F(LabelsTest, ScalarsAndListsAreNamedBesideTheirValue)
{
    const Descriptor descriptor =
        ReadSweep("{transport.mtu: [{label: small, value: 1KB}, 4KB], "
                  "workload.phases: [{label: there and back, value: [dispatch, combine]}]}");
    EXPECT_EQ(GetNames(descriptor),
              (std::vector<std::string>{"mtu=small,phases=there-and-back",
                                        "mtu=4KB,phases=there-and-back"}));
    const Experiment experiment = descriptor.MakeExperiment(0);
    EXPECT_EQ(experiment.labels,
              (Labels{{"transport.mtu", "small"}, {"workload.phases", "there and back"}}));
    EXPECT_EQ(nlohmann::json::parse(experiment.resolvedConfig)["transport"]["mtu"], "1KB");
}

TEST_F(LabelsTest, ZipsPointsAndSetsKnowThem)
{
    EXPECT_EQ(GetNames(ReadSweep("{zip: {transport.mtu: [{label: a, value: 1KB}, 2KB], "
                                 "seed: [3, {label: b, value: 4}]}}")),
              (std::vector<std::string>{"mtu=a,seed=3", "mtu=2KB,seed=b"}));
    // What has a label at one point has it at all.
    EXPECT_EQ(GetNames(ReadSweep("{points: [{balance: {type: rails, label: ours}, seed: 1}, "
                                 "{balance: rails, seed: 2}, {balance: {type: rails}, seed: 3}]}")),
              (std::vector<std::string>{"balance=ours,seed=1",
                                        "balance=rails,seed=2",
                                        "balance=ours,seed=3"}));
    EXPECT_EQ(GetNames(Read(kSmallDescriptor,
                            {"sweep.balance=[{type: rails, label: ours}, even-split]"})),
              (std::vector<std::string>{"balance=ours", "balance=even-split"}));
}

TEST_F(LabelsTest, LabelIsInNeitherConfigurationNorKey)
{
    RunKeys keys;
    const Experiment plain = ReadSweep("{balance: [{type: rails, chunk: 1MB}]}").MakeExperiment(0);
    const Experiment named =
        ReadSweep(
            "{balance: [{type: rails, chunk: 1MB, label: ours, host: {type: flow, label: x}}]}")
            .MakeExperiment(0);
    EXPECT_EQ(named.resolvedConfig, plain.resolvedConfig);
    EXPECT_EQ(keys.Compute(named), keys.Compute(plain));
    EXPECT_EQ(named.labels, (Labels{{"balance", "ours"}, {"balance.host", "x"}}));
}

TEST_F(LabelsTest, ComponentOutsideOfASweepHasItsLabelToo)
{
    const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 2, label: two by "
                             "two}\nworkload: {type: all-to-all, matrix: uniform}\n"
                             "balance: {type: rails, label: ours}\n";
    EXPECT_EQ(Read(text).MakeExperiment(0).labels,
              (Labels{{"balance", "ours"}, {"topology", "two by two"}}));
    // Another component is another thing.
    const Descriptor descriptor = Read(text + "sweep: {balance: [rail-source]}\n");
    EXPECT_EQ(descriptor.MakeExperiment(0).labels, (Labels{{"topology", "two by two"}}));
}

TEST_F(LabelsTest, TwoValuesWithOneLabelAreRefusedWithPlaceAndRemedy)
{
    const std::string same =
        FindSweepErrors("{balance: [{type: rails, label: ours}, {type: even-split, label: ours}]}");
    EXPECT_EQ(same.rfind("test.yaml:4:73: error: another value of this axis is called 'ours' too, "
                         "at test.yaml:4:40; give each value a label of its own",
                         0),
              0U)
        << same;
    const std::string alike =
        FindSweepErrors("{balance: [{type: rails, label: a b}, {type: even-split, label: a-b}]}");
    EXPECT_NE(alike.find("'a-b' and 'a b' are the same in names of folders"), std::string::npos)
        << alike;
    const std::string taken =
        FindSweepErrors("{balance: [even-split, {type: rails, label: even-split}]}");
    EXPECT_NE(taken.find("'even-split' is what the value at test.yaml:4:19 is called without a "
                         "label"),
              std::string::npos)
        << taken;
    const std::string two =
        FindSweepErrors("{points: [{balance: {type: rails, label: a}, seed: 1}, "
                        "{balance: {type: rails, label: b}, seed: 2}]}");
    EXPECT_NE(two.find("this value is called 'a' at "), std::string::npos) << two;
    // The points are there all the same: nothing is said of what they give.
    const std::string alone =
        FindErrors("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                   "workload: {type: all-to-all, matrix: uniform}\n"
                   "sweep: {balance: [{type: rails, label: a}, {type: even-split, label: a}], "
                   "baseline: {seed: 1}}\n");
    EXPECT_EQ(std::count(alone.begin(), alone.end(), '\n'), 1) << alone;
}

TEST_F(LabelsTest, WhatIsNoLabelIsRefused)
{
    const std::map<std::string, std::string> wrong{
        {"{transport.mtu: [{label: [1], value: 1KB}]}", "expected a label"},
        {"{transport.mtu: [{label: '', value: 1KB}]}", "expected a label"},
        {"{transport.mtu: [{label: \"a\\nb\", value: 1KB}]}", "expected a label"},
        {"{transport.mtu: [{label: " + std::string(61, 'x') + ", value: 1KB}]}", "at most 60"},
        {"{transport.mtu: [{label: alone}]}", "{label: alone, value: ...}"},
        {"{balance: [{label: a, value: {type: rails, label: b}}]}", "a value has one label"},
        {"{points: [{label: a, seed: 2}]}", "a label stands in the value that it names"},
        {"{balance: [{type: rails, label: a, value: b}]}", "unknown key 'value'"}};
    for (const auto& [sweep, message] : wrong)
    {
        EXPECT_NE(FindSweepErrors(sweep).find(message), std::string::npos)
            << sweep << FindSweepErrors(sweep);
    }
    EXPECT_NE(FindErrors(kSmallDescriptor + "transport: {label: {}}\n").find("expected a label"),
              std::string::npos);
}

TEST_F(LabelsTest, ValuesThatDifferInLabelsAloneAreTheSame)
{
    EXPECT_NE(FindSweepErrors("{balance: [{type: rails, label: a}, {type: rails, label: b}]}")
                  .find("is here twice"),
              std::string::npos);
}

TEST_F(LabelsTest, BaselineNamesAValueOfAnAxis)
{
    const Sweep sweep = ReadSweep("{balance: [{type: rails, label: RailS 1}, even-split], "
                                  "transport.mtu: [1KB, 2KB], seed: [1, 2], "
                                  "baseline: {balance: RailS-1, transport.mtu: 2KB}}")
                            .GetSweep();
    EXPECT_EQ(sweep.GetBaseline(), (Labels{{"balance", "RailS 1"}, {"transport.mtu", "2KB"}}));
    ASSERT_EQ(sweep.GetPointName(5), "balance=even-split,mtu=1KB,seed=2");
    const std::pair<std::string, std::string> rails{"balance=RailS-1,mtu=1KB,seed=2",
                                                    "balance=RailS-1,mtu=1KB"};
    EXPECT_EQ(sweep.FindBaselinePoint(5, "balance"), rails);
    const std::pair<std::string, std::string> large{"balance=even-split,mtu=2KB,seed=2",
                                                    "balance=even-split,mtu=2KB"};
    EXPECT_EQ(sweep.FindBaselinePoint(5, "transport.mtu"), large);
}

TEST_F(LabelsTest, BaselineOfPointsIsTheOneThatIsEqualInAllElse)
{
    const Sweep sweep =
        ReadSweep("{points: [{balance: rails, seed: 1}, {balance: even-split, seed: 1}, "
                  "{balance: even-split, seed: 2}], baseline: {balance: rails}}")
            .GetSweep();
    EXPECT_EQ(sweep.FindBaselinePoint(1, "balance")->first, "balance=rails,seed=1");
    EXPECT_FALSE(sweep.FindBaselinePoint(2, "balance"));
    const Sweep zip = ReadSweep("{zip: {transport.mtu: [1KB, 2KB], balance.chunk: [1MB, 2MB]}, "
                                "baseline: {transport.mtu: 1KB}}")
                          .GetSweep();
    EXPECT_EQ(zip.FindBaselinePoint(1, "transport.mtu")->first, "mtu=1KB,chunk=1MB");
}

TEST_F(LabelsTest, BaselineInAZipIsEqualInTheOtherValuesWhereItIsThereSeveralTimes)
{
    const Sweep sweep =
        ReadSweep("{zip: {balance: [even-split, rails, even-split, rails, rails], "
                  "transport.mtu: [1KB, 1KB, 4KB, 4KB, 2KB]}, baseline: {balance: even-split}}")
            .GetSweep();
    EXPECT_EQ(sweep.FindBaselinePoint(1, "balance")->first, "balance=even-split,mtu=1KB");
    EXPECT_EQ(sweep.FindBaselinePoint(2, "balance")->first, "balance=even-split,mtu=4KB");
    EXPECT_EQ(sweep.FindBaselinePoint(3, "balance")->first, "balance=even-split,mtu=4KB");
    EXPECT_FALSE(sweep.FindBaselinePoint(4, "balance"));
}

TEST_F(LabelsTest, BaselineThatIsNotThereIsRefusedNamingTheNearest)
{
    const std::string axes = "{balance: [rails, even-split], seed: [1, 2], ";
    const std::map<std::string, std::string> wrong{
        {"baseline: {balanse: rails}}",
         "no axis 'balanse' to compare along; did you mean 'balance'?"},
        {"baseline: {balance: rail}}",
         "no value of the axis 'balance' is called 'rail'; did you mean 'rails'?"},
        {"baseline: {seed: 1}}", "no axis 'seed' to compare along"},
        {"baseline: rails}", "expected a map of axes"},
        {"baseline: {balance: [rails]}}", "is called a list"}};
    for (const auto& [baseline, message] : wrong)
    {
        EXPECT_NE(FindSweepErrors(axes + baseline).find(message), std::string::npos)
            << FindSweepErrors(axes + baseline);
    }
    // An axis that is fixed has no baseline any more.
    EXPECT_EQ(FindErrors(kSmallDescriptor + "sweep: " + axes + "baseline: {balance: rails}}\n",
                         {"balance=rail-source"}),
              "");
}

} // namespace ns3::rails
