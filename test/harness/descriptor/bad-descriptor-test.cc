// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A descriptor with a mistake, and what must be said about it.
struct BadDescriptor
{
    std::string name;
    std::string text;
    std::string place;              //!< "LINE:COLUMN" of an error
    std::vector<std::string> parts; //!< of the messages
};

void
PrintTo(const BadDescriptor& bad, std::ostream* os)
{
    *os << bad.name;
}

const std::string kTopology = "topology: {type: rail}\n";
const std::string kWorkload = "workload: {type: all-to-all, matrix: uniform}\n";
const std::string kBalance = "balance: rails\n";
const std::string kRest = kWorkload + kBalance;
/// Three lines that are right; a case adds a fourth.
const std::string kWhole = kTopology + kRest;

const std::vector<BadDescriptor>&
GetBadDescriptors()
{
    static const std::vector<BadDescriptor> cases{
        // Sections and types.
        {"UnknownSection", kWhole + "swich: {}\n", "4:1", {"unknown section 'swich'", "'switch'?"}},
        {"MissingTopology", kRest, "1:1", {"required key 'topology.type' is missing", "rail"}},
        {"MissingWorkload", kTopology + kBalance, "1:1", {"'workload.type' is missing"}},
        {"MissingBalance", kTopology + kWorkload, "1:1", {"'balance.type' is missing", "ecmp"}},
        {"MissingType", "topology: {domains: 4}\n" + kRest, "1:1", {"'topology.type' is missing"}},
        {"MissingMatrix",
         kTopology + "workload: {type: all-to-all}\n" + kBalance,
         "2:11",
         {"'workload.matrix.type' is missing", "sparse"}},
        {"UnknownType",
         kTopology + kWorkload + "balance: {type: rail-sorce}\n",
         "3:17",
         {"unknown type 'rail-sorce' of 'balance'", "did you mean 'rail-source'?", "--with DIR"}},
        {"UnknownShortType",
         kWhole + "transport: {congestion_control: dqcqn}\n",
         "4:33",
         {"unknown type 'dqcqn'", "did you mean 'dcqcn'?", "none"}},
        {"TypeIsAList", kTopology + kWorkload + "balance: {type: [rails]}\n", "3:17", {"a list"}},
        {"TypeOfASingleKind", kWhole + "nic: {type: fast}\n", "4:7", {"unknown key 'type'"}},
        {"SectionIsAScalar", kWhole + "switch: fast\n", "4:9", {"expected a map", "'fast'"}},
        {"SectionIsAList", kWhole + "switch: []\n", "4:9", {"expected a map", "a list"}},
        {"SectionIsEmpty", kWhole + "switch:\n", "4:1", {"the section 'switch' has no value"}},
        {"DocumentIsAList", "- topology\n", "1:1", {"expected a map of sections", "a list"}},
        {"DocumentIsAScalar", "rails\n", "1:1", {"expected a map of sections", "'rails'"}},
        // Keys.
        {"UnknownKey",
         "topology: {type: rail, domians: 4}\n" + kRest,
         "1:24",
         {"unknown key 'domians' of rail", "did you mean 'domains'?", "gpus_per_domain"}},
        {"KeyWithHyphen",
         "topology: {type: rail, gpus-per-domain: 4}\n" + kRest,
         "1:24",
         {"did you mean 'gpus_per_domain'?"}},
        {"KeyWithoutSpace",
         "topology: {type: rail, domains:4}\n" + kRest,
         "1:24",
         {"unknown key 'domains:4'"}},
        {"KeyOfAnotherType",
         kTopology + kWorkload + "balance: {type: even-split, chunk: 4MB}\n",
         "3:29",
         {"unknown key 'chunk' of even-split"}},
        {"InnerKey",
         kWhole + "switch: {ecn: {kmn: 400KB}}\n",
         "4:16",
         {"unknown key 'kmn'", "did you mean 'kmin'?"}},
        {"DuplicateKey",
         "topology: {type: rail, domains: 4, domains: 5}\n" + kRest,
         "1:36",
         {"key 'domains' is here twice"}},
        {"BothNamesOfAKey",
         "topology: {type: rail, domains: 4, servers: 5}\n" + kRest,
         "1:36",
         {"'servers' and 'domains' at ",
          ":1:24 are two names of one key",
          "take one of them away"}},
        {"BothNamesOfAnAxis",
         kWhole + "sweep: {topology.servers: [2, 4], topology.domains: [8, 16]}\n",
         "4:35",
         {"'topology.domains' and 'topology.servers' at ", ":4:9 are two names of one key"}},
        {"MisspeltOtherName",
         "topology: {type: rail, gpus_per_srver: 4}\n" + kRest,
         "1:24",
         {"unknown key 'gpus_per_srver' of rail", "did you mean 'gpus_per_server'?"}},
        {"OtherNameOfNothing",
         "topology: {type: optical, servers: 4}\n" + kRest,
         "1:27",
         {"unknown key 'servers' of optical"}},
        {"CountOfServersAsServer",
         "topology: {type: rail, server: 4}\n" + kRest,
         "1:32",
         {"unknown word '4'", "dgx-h100", "; did you mean 'servers: 4'?"}},
        {"ServerAsCountOfServers",
         "topology: {type: rail, servers: dgx-h100}\n" + kRest,
         "1:33",
         {"'dgx-h100'", "a count", "; did you mean 'server: dgx-h100'?"}},
        {"DuplicateSection", kWhole + "balance: ecmp\n", "4:1", {"'balance' is here twice"}},
        {"KeyWithoutValue",
         "topology: {type: rail, domains: }\n" + kRest,
         "1:24",
         {"'domains' has no value", "a count"}},
        // Units and types of single values.
        {"RateWithoutUnit",
         "topology: {type: rail, nic_rate: 400}\n" + kRest,
         "1:34",
         {"'400' is not a rate", "Gbps", "the unit is missing"}},
        {"RateInBytes",
         "topology: {type: rail, nic_rate: 400GBps}\n" + kRest,
         "1:34",
         {"bit/s, not in byte/s", "did you mean '400Gbps'?"}},
        {"RateInLowerCase",
         "topology: {type: rail, nic_rate: 400gbps}\n" + kRest,
         "1:34",
         {"did you mean '400Gbps'?"}},
        {"RateOfZero", "topology: {type: rail, nic_rate: 0bps}\n" + kRest, "1:24", {"above zero"}},
        {"TimeWithoutUnit",
         "topology: {type: rail, link_delay: 5}\n" + kRest,
         "1:36",
         {"'5' is not a time", "ps, ns, us, ms, s"}},
        {"TimeBelowAPicosecond",
         "topology: {type: rail, link_delay: 0.5ps}\n" + kRest,
         "1:36",
         {"not a whole number of ps"}},
        {"NegativeTime",
         "topology: {type: rail, link_delay: -5ns}\n" + kRest,
         "1:36",
         {"'-5ns' is not a time", "must begin with a digit"}},
        {"TimeTooLarge",
         "topology: {type: rail, link_delay: 99999999999s}\n" + kRest,
         "1:36",
         {"too large"}},
        {"SizeWithoutUnit",
         kWhole + "transport: {mtu: 4096}\n",
         "4:18",
         {"'4096' is not a size", "KiB", "the unit is missing"}},
        {"SizeWithSpace",
         kWhole + "transport: {mtu: 4 KB}\n",
         "4:18",
         {"write it without a space: '4KB'"}},
        {"SizeOutOfRange", kWhole + "transport: {mtu: 1B}\n", "4:18", {"out of range", "64B to"}},
        {"SizeTooLarge", kWhole + "switch: {buffer: 99999999999999999TB}\n", "4:18", {"too large"}},
        {"SizeWithFractionOfAByte",
         kWhole + "switch: {buffer: 1.3B}\n",
         "4:18",
         {"not a whole number of B"}},
        {"SizeOrWord",
         kTopology + kWorkload + "balance: {type: rails, chunk: hole}\n",
         "3:31",
         {"'hole' is not a size", "did you mean 'whole'?"}},
        {"OctalCount",
         "topology: {type: rail, domains: 010}\n" + kRest,
         "1:33",
         {"'010'", "leading zeros"}},
        {"CountWithFraction",
         "topology: {type: rail, domains: 8.0}\n" + kRest,
         "1:33",
         {"'8.0' is not a count", "fraction"}},
        {"CountOutOfRange",
         "topology: {type: rail, domains: 0}\n" + kRest,
         "1:33",
         {"'0' is out of range; allowed: 1 to"}},
        {"CountWithUnit",
         "topology: {type: rail, domains: 8B}\n" + kRest,
         "1:33",
         {"'8B' is not a count"}},
        {"CountIsHuge",
         "topology: {type: rail, domains: 99999999999999999999}\n" + kRest,
         "1:33",
         {"too large"}},
        {"CountInQuotes",
         "topology: {type: rail, domains: '8'}\n" + kRest,
         "1:33",
         {"a text in quotes; write 8"}},
        {"CountIsAList",
         "topology: {type: rail, domains: [8]}\n" + kRest,
         "1:33",
         {"expected a count", "found a list"}},
        {"SwitchIsYes", kWhole + "switch: {pfc: yes}\n", "4:15", {"did you mean 'true'?"}},
        {"SwitchIsANumber", kWhole + "switch: {pfc: 1}\n", "4:15", {"did you mean 'true'?"}},
        {"NumberIsAFraction", kWhole + "switch: {alpha: 1/8}\n", "4:17", {"'1/8' is not a number"}},
        {"NumberOutOfRange",
         kWhole + "switch: {ecn: {pmax: 1.2}}\n",
         "4:22",
         {"'1.2' is out of range; allowed: 0 to 1"}},
        {"NumberIsNotFinite", kWhole + "switch: {alpha: .inf}\n", "4:17", {"not a number"}},
        {"UnknownWord",
         kWhole + "transport: {qp_per: nic_pair}\n",
         "4:21",
         {"unknown word 'nic_pair'", "did you mean 'nic-pair'?", "gpu-pair", "message"}},
        {"MapForAScalar", kWhole + "transport: {mtu: {size: 4KB}}\n", "4:18", {"found a map"}},
        // Phases.
        {"UnknownPhase",
         kTopology + "workload: {type: all-to-all, matrix: uniform, phases: [dispach]}\n" +
             kBalance,
         "2:56",
         {"unknown phase 'dispach'", "did you mean 'dispatch'?"}},
        {"ComputeWithoutTime",
         kTopology + "workload: {type: all-to-all, matrix: uniform, phases: [compute]}\n" +
             kBalance,
         "2:56",
         {"'compute' needs its time: compute: 2ms"}},
        {"ComputeWithoutUnit",
         kTopology + "workload: {type: all-to-all, matrix: uniform, phases: [compute: 2]}\n" +
             kBalance,
         "2:65",
         {"'2' is not a time"}},
        {"DispatchWithTime",
         kTopology + "workload: {type: all-to-all, matrix: uniform, phases: [dispatch: 2ms]}\n" +
             kBalance,
         "2:66",
         {"has no keys; write dispatch alone"}},
        {"PhasesIsAScalar",
         kTopology + "workload: {type: all-to-all, matrix: uniform, phases: dispatch}\n" + kBalance,
         "2:55",
         {"expected a list of phases"}},
        // Paths.
        {"MissingFile",
         kTopology + "workload: {type: all-to-all, matrix: {type: file, path: no/such.csv}}\n" +
             kBalance,
         "2:57",
         {"no such file: ", "no/such.csv"}},
        {"FolderForAFile",
         kTopology + "workload: {type: all-to-all, matrix: {type: file, path: .}}\n" + kBalance,
         "2:57",
         {"not a file that can be read: /"}},
        // Name, seed, sweep.
        {"NameWithSlash", kWhole + "name: ../evil\n", "4:7", {"a name is made of letters"}},
        {"SeedWithUnit", kWhole + "seed: 1s\n", "4:7", {"'1s' is not a count"}},
        {"SeedIsNegative", kWhole + "seed: -1\n", "4:7", {"'-1' is not a count"}},
        {"SeedTooLarge", kWhole + "seed: 4294967296\n", "4:7", {"out of range"}},
        {"SweepIsAList", kWhole + "sweep: [1, 2]\n", "4:8", {"expected a map from keys"}},
        {"AxisIsAScalar", kWhole + "sweep: {seed: 3}\n", "4:15", {"expected a list", "'seed'"}},
        {"AxisIsAMap",
         kWhole + "sweep: {transport: {mtu: [1KB]}}\n",
         "4:20",
         {"write inner keys with points"}},
        {"AxisIsEmpty", kWhole + "sweep: {seed: []}\n", "4:15", {"has no values"}},
        {"AxisValueTwice", kWhole + "sweep: {seed: [1, 2, 1]}\n", "4:22", {"is here twice"}},
        {"AxisValueWrong",
         kWhole + "sweep: {transport.mtu: [1KB, 4096]}\n",
         "4:30",
         {"the unit is missing"}},
        {"AxisTypeWrong", kWhole + "sweep: {balance: [ecmp, rials]}\n", "4:25", {"'rails'?"}},
        {"AxisUnknownSection", kWhole + "sweep: {swich.pfc: [true]}\n", "4:21", {"'switch'?"}},
        {"AxisUnknownKey", kWhole + "sweep: {switch.bufer: [1MB]}\n", "4:24", {"'buffer'?"}},
        {"AxisIsTheName", kWhole + "sweep: {name: [a, b]}\n", "4:9", {"cannot be an axis"}},
        {"SweepTooLarge",
         kWhole + "sweep:\n  seed: [1,2,3,4,5,6,7,8,9,10]\n" +
             "  transport.mtu: [64B,65B,66B,67B,68B,69B,70B,71B,72B,73B]\n" +
             "  switch.alpha: [1,2,3,4,5,6,7,8,9,10]\n" +
             "  topology.domains: [1,2,3,4,5,6,7,8,9,10]\n" +
             "  nic.message_gap: [0s,1s,2s,3s,4s,5s,6s,7s,8s,9s]\n" +
             "  topology.spines: [1,2,3]\n",
         "10:3",
         {"more than 100000 points"}},
        // Combinations.
        {"EcnThresholdsCrossed",
         kWhole + "switch: {ecn: {kmin: 2MB}}\n",
         "4:16",
         {"kmin must not be larger than kmax"}},
        {"RailsChangedWithoutSpines",
         kTopology + kWorkload + "balance: {type: ecmp}\n",
         "3:11",
         {"spine"}},
        {"PortBufferBelowAFrame",
         kWhole + "switch: {pfc: false, port_buffer: 4000B}\n",
         "4:22",
         {"must hold a frame, 4158 B"}},
        {"PauseThatEndsBeforeItIsRepeated",
         kWhole + "switch: {pause_quanta: 130}\n",
         "4:10",
         {"4178 B", "131 or more"}},
        {"PauseThatEndsBehindAnAck",
         kWhole + "switch: {pause_quanta: 10}\ntransport: {mtu: 64B, ack_bytes: 512B}\n",
         "4:10",
         {"532 B", "17 or more"}},
        {"FailuresOfWhichNoDrawLeavesAPath",
         kWhole + "failures: {random: {probability: 1, class: nic}}\n",
         "4:12",
         {"of 1000 draws none left a path"}},
        {"CircuitsThatTheTopologyDoesNotHave",
         kWhole + "optical: {device: rotornet}\n",
         "4:1",
         {"no optical switches", "leave it out"}},
        {"DelegatesWithoutCircuits",
         kTopology + kWorkload + "balance: {type: delegates}\n",
         "3:11",
         {"takes circuits, and the topology has none"}},
        {"OtherTrafficOnCircuitsThatAreNotThere",
         kTopology + "workload: {type: graph, stages: [{type: compute, time: 1ms}]}\n" +
             "balance: {type: rails, other: delegates}\n",
         "3:24",
         {"takes circuits, and the topology has none"}},
        {"HeadroomBelowAFrame",
         kWhole + "switch: {headroom: 4157B}\n",
         "4:10",
         {"4158 B", "leave it out"}},
        {"HeadroomBelowAnAckThatIsLossless",
         kWhole + "switch: {headroom: 400B}\n" +
             "transport: {mtu: 64B, ack_bytes: 512B, ack_class: data}\n",
         "4:10",
         {"512 B", "leave it out"}},
        // A leaf of each rail has eight ports of 15 * 4178 B each.
        {"BufferOfHeadroomAlone",
         kWhole + "switch: {buffer: 501361B}\n",
         "4:10",
         {"1 B", "501424B or more"}},
        {"BufferWithAShareTooSmallForAnAck",
         kWhole + "switch: {buffer: 501424B, alpha: 0.1}\n",
         "4:10",
         {"64 B", "502000B or more"}},
        {"LossyBufferBelowAFrame",
         kWhole + "switch: {buffer: 4000B, pfc: false}\n",
         "4:10",
         {"4000 B", "4158B or more"}},
        {"RhoMaxWithSeveralNics",
         kWhole + "transport: {congestion_control: {type: fixed-rate, rho_max: true}}\n",
         "4:52",
         {"one NIC"}},
        {"SubflowsOfABalancerThatChoosesAtSending",
         kTopology + kWorkload + "balance: {type: least-outstanding, host: subflow}\n",
         "3:36",
         {"another balance.type"}},
        {"ImpatientWatchdog",
         kWhole + "watchdog: {no_progress_after: 1us}\n",
         "4:12",
         {"transport.loss_recovery.timeout"}},
    };
    return cases;
}

class BadDescriptorTest : public ExperimentTest, public testing::WithParamInterface<BadDescriptor>
{
};

} // namespace

TEST_P(BadDescriptorTest, IsRefusedWithItsPlaceAndWhatWasExpected)
{
    const BadDescriptor& bad = GetParam();
    const std::string errors = FindErrors(bad.text);
    const std::string begin = "test.yaml:" + bad.place + ": error: ";
    EXPECT_NE(errors.find(begin), std::string::npos) << "expected " << begin << "\ngot " << errors;
    for (const std::string& part : bad.parts)
    {
        EXPECT_NE(errors.find(part), std::string::npos)
            << "expected " << part << "\ngot " << errors;
    }
}

INSTANTIATE_TEST_SUITE_P(Descriptors,
                         BadDescriptorTest,
                         testing::ValuesIn(GetBadDescriptors()),
                         [](const auto& info) { return info.param.name; });

class BadDescriptors : public ExperimentTest
{
};

TEST_F(BadDescriptors, WholeDescriptorIsRight)
{
    EXPECT_EQ(FindErrors(kWhole), "");
}

TEST_F(BadDescriptors, AllMistakesAreReportedInTheOrderOfTheFile)
{
    const std::string errors = FindErrors("topology: {type: rail, domians: 4, nic_rate: 5}\n"
                                          "workload: {type: all-to-all, matrix: unifrm}\n"
                                          "switch: {alpha: none, pfc: on}\n");
    std::vector<std::size_t> positions;
    for (const std::string place : {"1:1:", "1:24:", "1:46:", "2:38:", "3:17:", "3:28:"})
    {
        positions.push_back(errors.find("test.yaml:" + place));
        EXPECT_NE(positions.back(), std::string::npos) << place << "\n" << errors;
    }
    EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end())) << errors;
}

TEST_F(BadDescriptors, MistakeThatEveryPointSharesIsReportedOnce)
{
    const std::string errors =
        FindErrors(kWhole + "switch: {alpha: x}\nsweep: {seed: [1, 2, 3]}\n");
    EXPECT_EQ(errors.find("4:17"), errors.rfind("4:17")) << errors;
    EXPECT_NE(errors.find("4:17"), std::string::npos);
}

TEST_F(BadDescriptors, ManyMistakesAreAllReported)
{
    std::string text = kWhole + "nic:\n";
    for (int i = 0; i < 20'000; ++i)
    {
        text += "  key" + std::to_string(i) + ": 1\n";
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::string errors = FindErrors(text);
    // One by one against all others they would take minutes.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 19'999);
}

TEST_F(BadDescriptors, NoiseIsRefusedWithoutACrash)
{
    // Single letters of a good descriptor are replaced, one at a time.
    const std::string good = kWhole + "seed: 1\nswitch: {ecn: {kmin: 400KB}, pfc: true}\n"
                                      "sweep: {seed: [1, 2], transport.mtu: [1KB]}\n";
    ASSERT_EQ(FindErrors(good), "");
    for (std::size_t i = 0; i < good.size(); ++i)
    {
        for (const char letter :
             {'{',  '}',  '[',  ']',    ':', ',', '"', '\'', '*', '&', '!', '-',
              '\n', '\t', '\0', '\xff', '9', 'x', '|', '>',  '%', '@', '#', '?'})
        {
            std::string bad = good;
            bad[i] = letter;
            FindErrors(bad); // any message will do
        }
        FindErrors(good.substr(0, i));
    }
}

} // namespace ns3::rails
