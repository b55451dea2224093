// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-effective-config.h"
#include "ns3/rails-record-options.h"
#include "ns3/rails-transport.h"
#include "ns3/rails-watchdog-options.h"
#include "ns3/switch-profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

nlohmann::json
GetConfig(const Descriptor& descriptor, std::size_t point = 0)
{
    return nlohmann::json::parse(descriptor.MakeExperiment(point).resolvedConfig);
}

} // namespace

class DescriptorTest : public ExperimentTest
{
};

TEST_F(DescriptorTest, ValuesReachTheirObjects)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "switch: {buffer: 16MiB, alpha: 0.125, pfc: false}\n"
                                "transport: {mtu: 1024B, congestion_control: none}\n"
                                "watchdog: {storm_after: 5ms}\n"
                                "record: {pcap: true}\n"
                                "seed: 42\n");
    const Experiment experiment = descriptor.MakeExperiment(0);
    EXPECT_EQ(experiment.seed, 42U);
    const auto profile = experiment.Get<SwitchProfile>("switch");
    EXPECT_EQ(profile->GetBuffer(), 16U << 20);
    EXPECT_DOUBLE_EQ(profile->GetAlpha(), 0.125);
    EXPECT_FALSE(profile->UsesPfc());
    const auto transport = experiment.Get<Transport>("transport");
    EXPECT_EQ(transport->GetMtu(), 1024U);
    EXPECT_EQ(transport->GetCongestionControl()->GetInstanceTypeId().GetName(),
              "ns3::rails::NoneCongestionControl");
    EXPECT_EQ(experiment.Get<WatchdogOptions>("watchdog")->GetStormAfter(), 5'000'000'000);
    EXPECT_TRUE(experiment.Get<RecordOptions>("record")->WantsPcap());
    EXPECT_TRUE(experiment.Get<RecordOptions>("record")->WantsQueues(true));
}

TEST_F(DescriptorTest, PointsThatAreLookedAtShareWhatTheySayAlike)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "sweep:\n"
                                "  seed: [1, 2]\n"
                                "  transport.mtu: [1024B, 2048B]\n"
                                "  balance: [rails, {type: rails, label: mine, chunk: 1MB}]\n");
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        const Experiment seen = descriptor.Examine(point);
        const Experiment made = descriptor.MakeExperiment(point);
        EXPECT_EQ(seen.resolvedConfig, made.resolvedConfig);
        EXPECT_EQ(seen.canonicalConfig, made.canonicalConfig);
        EXPECT_EQ(seen.labels, made.labels);
        EXPECT_EQ(seen.axes, made.axes);
        nlohmann::json identity = nlohmann::json::parse(made.resolvedConfig);
        identity.erase("name");
        EXPECT_EQ(seen.canonicalConfig, identity.dump());
        EXPECT_EQ(seen.Get<Transport>("transport")->GetMtu(), point / 2 % 2 == 0 ? 1024U : 2048U);
    }
    const auto first = descriptor.Examine(0).sections;
    const auto second = descriptor.Examine(1).sections; // another value of balance
    EXPECT_EQ(first.at("topology"), second.at("topology"));
    EXPECT_EQ(first.at("transport"), second.at("transport"));
    EXPECT_NE(first.at("balance"), second.at("balance"));
    EXPECT_EQ(descriptor.Examine(5).sections.at("balance"), second.at("balance"))
        << "of another seed, two further on";
    EXPECT_NE(descriptor.MakeExperiment(0).sections.at("topology"), first.at("topology"))
        << "what is run is nobody else's";
}

TEST_F(DescriptorTest, KeyIsTheSameByItsOtherName)
{
    const std::string rest = "workload: {type: all-to-all, matrix: uniform}\nbalance: rails\n";
    const auto read = [&rest](const std::string& topology, const std::vector<std::string>& sets) {
        return Descriptor::FromText("topology: {type: " + topology + "}\n" + rest, "t", sets)
            .MakeExperiment(0)
            .resolvedConfig;
    };
    const std::string declared =
        read("rail, domains: 3, gpus_per_domain: 4, nics_per_domain: 2", {});
    EXPECT_EQ(read("rail, servers: 3, gpus_per_server: 4, nics_per_server: 2", {}), declared);
    // What replaces a value does so by either name.
    EXPECT_EQ(
        read("rail, servers: 5, gpus_per_server: 4, nics_per_server: 2", {"topology.domains=3"}),
        declared);
    EXPECT_EQ(
        read("rail, domains: 5, gpus_per_domain: 4, nics_per_domain: 2", {"topology.servers=3"}),
        declared);
    EXPECT_EQ(read("leaf-spine",
                   {"topology={type: rail, servers: 3, gpus_per_server: 4, nics_per_domain: 2}"}),
              declared);
    EXPECT_EQ(Read("experts: {gpus_per_server: 4, nics_per_server: 2}\n")
                  .MakeExperiment(0)
                  .resolvedConfig,
              Read("experts: {gpus_per_domain: 4, nics_per_domain: 2}\n")
                  .MakeExperiment(0)
                  .resolvedConfig);
}

TEST_F(DescriptorTest, DefaultsAreThoseOfTheContract)
{
    const nlohmann::json config = GetConfig(Read("topology: {type: rail}\n"
                                                 "workload: {type: all-to-all, matrix: uniform}\n"
                                                 "balance: {type: rails}\n"));
    EXPECT_EQ(config["name"], "test");
    EXPECT_EQ(config["seed"], 1);
    EXPECT_EQ(config["topology"]["domains"], 8);
    EXPECT_EQ(config["topology"]["gpus_per_domain"], 8);
    EXPECT_EQ(config["topology"]["nic_rate"], "400Gbps");
    EXPECT_EQ(config["topology"]["link_delay"], "500ns");
    EXPECT_EQ(config["topology"]["nvlink_rate"], "3600Gbps");
    EXPECT_EQ(config["topology"]["nvlink_latency"], "25ns");
    EXPECT_EQ(config["topology"]["leaf_ports"], 64);
    EXPECT_EQ(config["topology"]["spines"], 0);
    EXPECT_EQ(config["switch"]["buffer"], "64MiB");
    EXPECT_EQ(config["switch"]["alpha"], 1);
    EXPECT_EQ(config["switch"]["pfc"], true);
    EXPECT_EQ(config["switch"]["headroom"], "formula");
    EXPECT_EQ(config["switch"]["ecn"]["kmin"], "400KB");
    EXPECT_EQ(config["switch"]["ecn"]["kmax"], "1600KB");
    EXPECT_EQ(config["switch"]["ecn"]["pmax"], 0.2);
    EXPECT_EQ(config["transport"]["mtu"], "4096B");
    EXPECT_EQ(config["transport"]["congestion_control"]["type"], "dcqcn");
    EXPECT_EQ(config["transport"]["loss_recovery"]["type"], "go-back-n");
    EXPECT_EQ(config["transport"]["qp_per"], "nic-pair");
    EXPECT_EQ(config["nic"]["message_gap"], "0s");
    EXPECT_EQ(config["workload"]["phases"], nlohmann::json::parse(R"(["dispatch"])"));
    EXPECT_EQ(config["balance"]["chunk"], "automatic");
    EXPECT_EQ(config["balance"]["tie"], "rotated");
    EXPECT_EQ(config["watchdog"]["no_progress_after"], "50ms");
    EXPECT_EQ(config["watchdog"]["deadlock_after"], "1ms");
    EXPECT_EQ(config["watchdog"]["storm_after"], "10ms");
    EXPECT_EQ(config["record"]["pcap"], false);
}

TEST_F(DescriptorTest, EffectiveConfigurationReadsBackToItself)
{
    const std::vector<std::string> balances{"{type: ecmp}",
                                            "{type: rails, chunk: whole, tie: lowest}",
                                            "{type: least-outstanding, chunk: 1.5MB}",
                                            "{type: even-split}"};
    const std::vector<std::string> matrices{
        "{type: sparse, density: 0.1, mean: 64MB}",
        "{type: zipf, exponent: 1.2, bytes_per_gpu: 1GB}",
        "{type: moe, experts: 4, top_k: 2, popularity: {type: dirichlet, concentration: 0.3}}",
        "{type: moe, experts: 4, popularity: {type: given, shares: [0.4, 0.3, 0.2, 0.1]}}"};
    for (const std::string& balance : balances)
    {
        for (const std::string& matrix : matrices)
        {
            const Descriptor first = Read(
                "name: round-trip\nseed: 9\n"
                "topology: {type: rail, domains: 2, gpus_per_domain: 2, spines: 2, "
                "link_delay: 0.3ns}\n"
                "transport: {congestion_control: {type: dcqcn, preset: paper}, "
                "loss_recovery: selective-repeat, window: 300KB}\n"
                "workload: {type: all-to-all, iterations: 3, matrix: " +
                matrix + ", phases: [dispatch, compute: 1.5ms, combine, gap: 2us]}\nbalance: " +
                balance + "\n");
            const std::string effective = first.MakeExperiment(0).resolvedConfig;
            EXPECT_EQ(Read(effective).MakeExperiment(0).resolvedConfig, effective);
            // Indented, as in result.json.
            const std::string indented = nlohmann::ordered_json::parse(effective).dump(2);
            EXPECT_EQ(Read(indented).MakeExperiment(0).resolvedConfig, effective);
        }
    }
}

TEST_F(DescriptorTest, ATextOrAListOfCountsReadsBackToItself)
{
    for (const std::string layout : {"even", "[6,5,5,16]", "\"Et*6|(t*5|)*2,t*16L\""})
    {
        const std::string workload = "{type: training, schedule: zero-bubble, parallel: {pp: 4, "
                                     "layout: " +
                                     layout + "}}";
        const Descriptor first =
            Read("topology: {type: rail, domains: 2, gpus_per_domain: 2}\nworkload: " + workload +
                 "\nbalance: rail-source\n");
        const std::string effective = first.MakeExperiment(0).resolvedConfig;
        EXPECT_NE(effective.find("\"schedule\":{\"type\":\"zero-bubble\"}"), std::string::npos)
            << effective;
        EXPECT_NE(effective.find(layout == "even" ? "\"layout\":\"even\"" : "\"layout\":" + layout),
                  std::string::npos)
            << effective;
        EXPECT_EQ(Read(effective).MakeExperiment(0).resolvedConfig, effective);
    }
}

TEST_F(DescriptorTest, ShortFormIsTheTypeAlone)
{
    const Descriptor brief = Read(kSmallDescriptor);
    const Descriptor full = Read("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                                 "workload: {type: all-to-all, matrix: {type: uniform}}\n"
                                 "balance: {type: rails}\n");
    EXPECT_EQ(brief.MakeExperiment(0).resolvedConfig, full.MakeExperiment(0).resolvedConfig);
}

TEST_F(DescriptorTest, TypeMayBeTheTypeIdItself)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor, {"balance.type=ns3::rails::EvenSplitBalancer"});
    EXPECT_EQ(GetConfig(descriptor)["balance"]["type"], "even-split");
}

TEST_F(DescriptorTest, ExplicitKeyOverridesAPresetWhateverTheOrder)
{
    for (const std::string keys :
         {"preset: paper, minimum_rate: 7Mbps", "minimum_rate: 7Mbps, preset: paper"})
    {
        const nlohmann::json config = GetConfig(Read(
            kSmallDescriptor + "transport: {congestion_control: {type: dcqcn, " + keys + "}}\n"));
        const nlohmann::json& dcqcn = config["transport"]["congestion_control"];
        EXPECT_EQ(dcqcn["preset"], "paper") << keys;
        EXPECT_EQ(dcqcn["minimum_rate"], "7Mbps") << keys;
        EXPECT_EQ(dcqcn["alpha_timer"], "55us") << keys;
    }
}

TEST_F(DescriptorTest, KeysOfAnInnerComponentKeepItsDefaultType)
{
    const nlohmann::json config =
        GetConfig(Read(kSmallDescriptor, {"transport.congestion_control.preset=paper"}));
    EXPECT_EQ(config["transport"]["congestion_control"]["type"], "dcqcn");
    EXPECT_EQ(config["transport"]["congestion_control"]["preset"], "paper");
}

TEST_F(DescriptorTest, NameComesFromTheFileWhenItIsNotGiven)
{
    const auto nameOf = [](const std::string& source, const std::string& text) {
        return Descriptor::FromText(text, source).GetName();
    };
    EXPECT_EQ(nameOf("experiments/density.yaml", kSmallDescriptor), "density");
    EXPECT_EQ(nameOf("/a/my first.yaml", kSmallDescriptor), "my-first");
    EXPECT_EQ(nameOf("...", kSmallDescriptor), "experiment");
    EXPECT_EQ(nameOf("density.yaml", "name: other\n" + kSmallDescriptor), "other");
}

TEST_F(DescriptorTest, PathsAreRelativeToTheDescriptor)
{
    const TemporaryFolder folder;
    folder.Write("square.csv", "0,1,2,3\n4,0,5,6\n7,8,0,9\n1,2,3,0\n");
    const std::string path =
        folder.Write("e.yaml",
                     "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                     "workload: {type: all-to-all, matrix: {type: file, path: square.csv}}\n"
                     "balance: rails\n");
    const Descriptor descriptor(path, {}, CheckExperiment);
    EXPECT_EQ(GetConfig(descriptor)["workload"]["matrix"]["path"], "square.csv");
    EXPECT_EQ(
        FindInputFiles(descriptor.MakeExperiment(0)),
        std::vector<std::string>{(folder.GetPath() / "square.csv").lexically_normal().string()});
}

TEST_F(DescriptorTest, ErrorInADefaultedKeyIsPlacedAtItsSection)
{
    EXPECT_EQ(FindErrors(kSmallDescriptor + "switch: {ecn: {kmax: 1KB}}\n").find("test.yaml:4:10:"),
              0U);
}

TEST(DescriptorResolution, CoarserThanPicosecondsIsRefused)
{
    if (Time::GetResolution() == Time::PS)
    {
        GTEST_SKIP()
            << "another test of this process has set the resolution, and it cannot go back";
    }
    EXPECT_THROW(Descriptor::FromText(kSmallDescriptor, "test.yaml"), std::logic_error);
}

class SetOptionTest : public ExperimentTest
{
};

TEST_F(SetOptionTest, ValueTakesThePlaceOfTheDescriptors)
{
    const nlohmann::json config = GetConfig(
        Read(kSmallDescriptor + "seed: 5\nswitch: {alpha: 2}\n",
             {"seed=6", "switch.alpha=0.5", "switch.ecn.kmin=1KB", "nic.message_gap=1us"}));
    EXPECT_EQ(config["seed"], 6);
    EXPECT_EQ(config["switch"]["alpha"], 0.5);
    EXPECT_EQ(config["switch"]["ecn"]["kmin"], "1KB");
    EXPECT_EQ(config["switch"]["ecn"]["kmax"], "1600KB");
    EXPECT_EQ(config["nic"]["message_gap"], "1us");
}

TEST_F(SetOptionTest, NewTypeAloneStartsTheComponentAfresh)
{
    const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 2, spines: 2}\n"
                             "workload: {type: all-to-all, matrix: uniform}\n"
                             "balance: {type: rails, chunk: 1MB, tie: lowest}\n";
    const nlohmann::json other = GetConfig(Read(text, {"balance.type=ecmp"}));
    EXPECT_EQ(other["balance"],
              nlohmann::json::parse(
                  R"({"type": "ecmp", "host": {"type": "flow"}, "switch": {"type": "ecmp"},
                "chunk": "whole", "planning_time": "0s"})"));
    const nlohmann::json same = GetConfig(Read(text, {"balance.type=rails"}));
    EXPECT_EQ(same["balance"]["chunk"], "1MB");
}

TEST_F(SetOptionTest, TypeAndItsKeysMayComeInAnyOrder)
{
    const std::string first = "balance.type=least-outstanding";
    const std::string second = "balance.chunk=2MB";
    const nlohmann::json one = GetConfig(Read(kSmallDescriptor, {first, second}));
    const nlohmann::json two = GetConfig(Read(kSmallDescriptor, {second, first}));
    EXPECT_EQ(one, two);
    EXPECT_EQ(one["balance"]["chunk"], "2MB");
}

TEST_F(SetOptionTest, WholeComponentMayBeGiven)
{
    const nlohmann::json config = GetConfig(Read(kSmallDescriptor,
                                                 {"balance={type: rails, chunk: whole}",
                                                  "workload.phases=[dispatch, compute: 2ms]",
                                                  "transport.congestion_control=none"}));
    EXPECT_EQ(config["balance"]["chunk"], "whole");
    EXPECT_EQ(config["workload"]["phases"][1]["compute"], "2ms");
    EXPECT_EQ(config["transport"]["congestion_control"]["type"], "none");
}

TEST_F(SetOptionTest, KeyOfAShortFormCompletesIt)
{
    const nlohmann::json config = GetConfig(Read(kSmallDescriptor, {"balance.chunk=1MB"}));
    EXPECT_EQ(config["balance"]["type"], "rails");
    EXPECT_EQ(config["balance"]["chunk"], "1MB");
}

TEST_F(SetOptionTest, LastOfTwoValuesCounts)
{
    EXPECT_EQ(GetConfig(Read(kSmallDescriptor, {"seed=2", "seed=3"}))["seed"], 3);
}

TEST_F(SetOptionTest, MistakesNameTheOption)
{
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
        {"seed", {"--set seed: error: expected KEY=VALUE"}},
        {"=5", {"--set : error: expected a key"}},
        {"transport..mtu=1KB", {"--set transport..mtu: error: expected a key"}},
        {"seed=", {"--set seed: error: the value is missing"}},
        {"seed=010", {"--set seed: error: '010'", "leading zeros"}},
        {"seed=[", {"--set seed: error: the '[' is never closed"}},
        {"topology={type: rail, domains: x, gpus_per_domain: 2}",
         {"--set topology.domains: error: 'x' is not a count"}},
        {"seed='0x10'", {"--set seed: error: expected a count", "found a text in quotes"}},
        {"transport.mtu=5", {"--set transport.mtu: error: '5'", "the unit is missing"}},
        {"transport.mut=1KB", {"--set transport.mut: error: unknown key 'mut'", "'mtu'?"}},
        {"trnsport.mtu=1KB", {"--set trnsport.mtu: error: unknown section", "'transport'?"}},
        {"balance.type=rials", {"--set balance.type: error: unknown type 'rials'", "'rails'?"}},
        {"balance.type=ecmp", {"--set balance.type: error: ", "spine"}},
        {"topology.nic_rate=400GBps", {"--set topology.nic_rate: error: ", "'400Gbps'?"}},
        {"seed.x=1", {"--set seed.x: error: ", "expected a count"}},
        {"workload.phases.x=1", {"--set workload.phases.x: error: "}},
        {"switch.ecn.kmin=9MB", {"--set switch.ecn.kmin: error: kmin must not be larger"}},
        {"seed=~", {"--set seed: error: expected a count", "nothing"}},
    };
    for (const auto& [set, parts] : cases)
    {
        const std::string errors = FindErrors(kSmallDescriptor + "seed: 1\n", {set});
        for (const std::string& part : parts)
        {
            EXPECT_NE(errors.find(part), std::string::npos) << set << " gave: " << errors;
        }
    }
}

} // namespace ns3::rails
