// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-cost-table.h"
#include "ns3/rails-fabric-prices.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

TEST(CostTable, ShowsDevicesCostsAndHowMuchMoreTheFirstCosts)
{
    CostOptions question;
    question.fabrics = {"fat-tree", "mixnet"};
    question.rate = "400Gbps";
    EXPECT_EQ(
        FormatCosts(question),
        R"(128 servers, 1024 GPUs; 6 of 8 NICs of a server at an optical switch, where it is counted apart

fabric       rate   nic  transceiver  fibre  eps port  ocs port  cost [USD]  per GPU [USD]  fat-tree over it
fat-tree  400Gbps  1024         7168   3584      6144         0    13493248       13177.00              1.00
mixnet    400Gbps  1024         2560   1536      1536      1024     5659136        5526.50              2.38

prices and rules of counting, with their sources: ./rails cost --print
)");
}

TEST(CostTable, WithoutFabricsAndRateHasAllOfThem)
{
    const std::string text = FormatCosts({});
    for (const std::string part : {"fat-tree  ", "rail-only  ", "topoopt  ", "800Gbps", "100Gbps"})
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
    EXPECT_EQ(text.find("3to1"), std::string::npos);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 + 6 * 4 + 2);
}

TEST(CostTable, ReckonsWithPricesOfAFile)
{
    const TemporaryFolder folder;
    CostOptions question;
    question.prices = folder.Write("p.yaml",
                                   "server: {gpus: 4, nics: 2, optical_nics: 0, source: me}\n"
                                   "devices:\n"
                                   "  nic: {price: 100, source: me}\n"
                                   "  cable: {price: 3, source: me}\n"
                                   "fabrics:\n"
                                   "  flat: {counts: {nic: 1, cable: 0.5}, source: me}\n");
    question.servers = 3;
    const std::string text = FormatCosts(question);
    EXPECT_NE(text.find("3 servers, 12 GPUs; 0 of 2 NICs"), std::string::npos) << text;
    EXPECT_NE(text.find("flat     any    6      3         609          50.75"), std::string::npos)
        << text;
    EXPECT_NE(text.find("their sources: " + question.prices), std::string::npos) << text;
    question.prices = folder.Write("none.yaml",
                                   "server: {gpus: 4, nics: 2, optical_nics: 0, source: me}\n"
                                   "devices: {nic: {price: 100, source: me}}\n"
                                   "fabrics: {}\n");
    EXPECT_THROW(FormatCosts(question), DescriptorError);
    question.prices = "no/such.yaml";
    EXPECT_THROW(FormatCosts(question), DescriptorError);
}

TEST(CostTable, RefusesARateWithoutItsUnit)
{
    CostOptions question;
    question.rate = "400";
    try
    {
        FormatCosts(question);
        FAIL() << "nothing was thrown";
    }
    catch (const DescriptorError& error)
    {
        EXPECT_EQ(std::string(error.what()).find("--rate: error: "), 0U) << error.what();
    }
}

} // namespace

/// Of descriptors.
class DescriptorCostTest : public ExperimentTest
{
  protected:
    /// Writes a descriptor that differs from others in its topology and what follows.
    std::string Write(const std::string& name,
                      const std::string& topology,
                      const std::string& more = "")
    {
        return m_folder.Write(name,
                              "topology: {" + topology + "}\n" +
                                  "workload: {type: all-to-all, matrix: uniform}\n"
                                  "balance: rail-source\n" +
                                  more);
    }

    /// \return the table, or what is wrong
    static std::string Ask(const CostOptions& question)
    {
        try
        {
            return FormatCosts(question);
        }
        catch (const DescriptorError& error)
        {
            return error.what();
        }
    }

    static std::string Ask(const std::vector<std::string>& words, const std::string& rule = "")
    {
        CostOptions question;
        question.fabrics = words;
        question.rule = rule;
        return Ask(question);
    }

    static void ExpectPart(const std::string& text, const std::string& part)
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }

    TemporaryFolder m_folder;
};

TEST_F(DescriptorCostTest, SaysTheSameToPrograms)
{
    CostOptions question;
    question.fabrics = {Write("rail64.yaml", "type: rail, domains: 64, gpus_per_domain: 8")};
    const nlohmann::json found = nlohmann::json::parse(AnswerCosts(question).json);
    EXPECT_EQ(found.at("rule"), "wiring");
    EXPECT_EQ(found.at("prices"), "./rails cost --print");
    EXPECT_EQ(found.at("notes"), nlohmann::json::array());
    ASSERT_EQ(found.at("fabrics").size(), 1U);
    const nlohmann::json& fabric = found.at("fabrics")[0];
    EXPECT_EQ(fabric.at("fabric"), "rail64");
    EXPECT_EQ(fabric.at("rate"), "400Gbps");
    EXPECT_EQ(fabric.at("gpus"), 512);
    EXPECT_EQ(fabric.at("cost_usd"), 2077184);
    EXPECT_EQ(fabric.at("cost_per_gpu_usd"), 4057);
    EXPECT_EQ(fabric.at("devices").at("transceiver"), 1024);
}

TEST_F(DescriptorCostTest, CountsTheWiringOfADescriptor)
{
    // NIC, two transceivers, a fibre and a port: 1499 + 2 * 659 + 150 + 1090.
    EXPECT_EQ(Ask({Write("rail64.yaml", "type: rail, domains: 64, gpus_per_domain: 8")}),
              R"(64 servers, 512 GPUs; counted from the wiring, cable by cable

fabric     rate  nic  transceiver  fibre  eps port  cost [USD]  per GPU [USD]  rail64 over it
rail64  400Gbps  512         1024    512       512     2077184        4057.00            1.00

prices, with their sources: ./rails cost --print
)");
}

TEST_F(DescriptorCostTest, SumsRatesAndPricesEachDeviceAtItsOwn)
{
    // A NIC has a cable at 400 and two at 200 Gbps above it: 4057 + 2 * (2 * 239 + 150 + 2 * 374).
    const std::string text =
        Ask({Write("tree.yaml", "type: fat-tree, k: 4, edge_oversubscription: 2")});
    ExpectPart(
        text,
        "tree    400Gbps+200Gbps   16           96     48        80      108944        6809.00");
}

TEST_F(DescriptorCostTest, HasARowForEachTopologyOfASweep)
{
    const std::string text = Ask({Write("leaves.yaml",
                                        "type: leaf-spine, domains: 32, leaf_ports: 8, spines: 8",
                                        "sweep: {seed: [1, 2], topology.spines: [8, 4]}\n")});
    ExpectPart(text, "spines=8  400Gbps   32 ");
    ExpectPart(text, "spines=4  400Gbps   32 ");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7) << text;

    // Whole topologies are named by what tells them apart; sizes are shown where they differ.
    const std::string kinds = Ask({Write("kinds.yaml",
                                         "type: rail",
                                         "sweep: {topology: [{type: rail, domains: 2, nic_rate: "
                                         "100Gbps}, {type: rail, domains: 4, nic_rate: 100Gbps}, "
                                         "{type: fat-tree, k: 4}]}\n")});
    ExpectPart(kinds, "fabric                      rate  GPUs  nic ");
    ExpectPart(kinds, "\ntopology=rail+domains-2  100Gbps    16   16 ");
    ExpectPart(kinds, "\ntopology=rail+domains-4  100Gbps    32   32 ");
    ExpectPart(kinds, "\ntopology=fat-tree        400Gbps    16   16 ");
    const std::string named = Ask({Write("named.yaml",
                                         "type: rail",
                                         "sweep: {topology: [{type: rail, domains: 2, label: Two "
                                         "servers}, {type: fat-tree, k: 4}]}\n")});
    ExpectPart(named, "\ntopology=Two servers ");
    // Of a GPU: 1194 on a leaf, 11353 in the tree of three tiers.
    ExpectPart(kinds, "181648       11353.00                             0.11\n");
    EXPECT_EQ(kinds.find("servers"), std::string::npos) << kinds;
}

TEST_F(DescriptorCostTest, TopologiesOfTheSameWordsHaveDifferentNames)
{
    const auto make = [](const std::string& rate, const std::string& other) {
        return "{type: nic-groups, gpus_per_domain: 2, fabrics: {a: {type: rail, nic_rate: " +
               rate + "}, b: {type: rail, nic_rate: " + other +
               "}}, nic_groups: [{nics: [0], fabric: a}, {nics: [1], fabric: b}]}";
    };
    const std::string text = Ask({Write("a.yaml",
                                        "type: rail",
                                        "sweep: {topology: [" + make("100Gbps", "200Gbps") + ", " +
                                            make("200Gbps", "100Gbps") + "]}\n")});
    ExpectPart(text, "a-rail+nic_rate-100Gbps+b-rail+nic_rate-200Gbps");
    ExpectPart(text, "a-rail+nic_rate-200Gbps+b-rail+nic_rate-100Gbps");
}

TEST_F(DescriptorCostTest, ComparesSeveralDescriptors)
{
    const std::string one = Write("one.yaml", "type: rail, domains: 4, spines: 8");
    const std::string other =
        Write("other.yaml", "type: rail, domains: 4", "sweep: {topology.spines: [0, 4]}\n");
    const std::string text = Ask({one, other});
    ExpectPart(text, "\n" + one + "  ");
    ExpectPart(text, "\n" + other + ": spines=4  ");
    ExpectPart(text, one + " over it");
    EXPECT_EQ(text.find("4 servers, 32 GPUs; counted from the wiring"), 0U) << text;
    const std::string wide = Write("wide.yaml", "type: rail, domains: 2, gpus_per_domain: 16");
    EXPECT_EQ(Ask({one, wide}).find("32 GPUs; counted from the wiring"), 0U);
    const std::string large = Write("large.yaml", "type: rail, domains: 8");
    EXPECT_EQ(Ask({one, large}).find("counted from the wiring"), 0U) << "a column has them";
}

TEST_F(DescriptorCostTest, CountsByTheRuleOfTheTypeWhenAsked)
{
    const auto ask = [&](const std::string& topology) {
        return Ask({Write("a.yaml", topology)}, "mixnet");
    };
    ExpectPart(ask("type: fat-tree, k: 4"), "13177.00");
    ExpectPart(ask("type: rail, domains: 64"), "9529.00");
    ExpectPart(ask("type: rail, domains: 8, spines: 8"), "13177.00");
    ExpectPart(ask("type: patch-panel, domains: 16, region: 8, region_nics: 6, strides: [8]"),
               "2408.00");
    // Its own share of NICs: a quarter, as in the paper, then a half, and half the NICs of a GPU.
    const auto makeGroups = [](const std::string& shape, const std::string& rate) {
        return "type: nic-groups, domains: 8, " + shape +
               ", fabrics: {ocs: {type: optical, region: 4}, eps: {type: leaf-spine, spines: 8" +
               rate + "}}, nic_groups: [{nics: [0";
    };
    ExpectPart(ask(makeGroups("gpus_per_domain: 4", "") +
                   ", 1, 2], fabric: ocs}, {nics: [3], fabric: eps}]"),
               "5526.50");
    const std::string half = "], fabric: ocs}, {nics: [1], fabric: eps}]";
    // 1499 + 659 * 4 + 150 * 2 + 520 + 1090 * 3 for a NIC
    ExpectPart(ask(makeGroups("gpus_per_domain: 2", "") + half), "8225.00");
    ExpectPart(ask(makeGroups("gpus_per_domain: 4, nics_per_domain: 2", "") + half), "4112.50");
    ExpectPart(ask(makeGroups("gpus_per_domain: 2", ", nic_rate: 100Gbps") + half),
               "a.yaml:1:1: error: NICs of 400Gbps and of 100Gbps");
}

TEST_F(DescriptorCostTest, RuleOfTheTypeSaysWhatItDoesNotKnow)
{
    const std::string text =
        Ask({Write("tree.yaml", "type: fat-tree, k: 4, edge_oversubscription: 2")}, "mixnet");
    ExpectPart(text, "13177.00");
    ExpectPart(text,
               "\ntree has switches that are oversubscribed, by 2.0:1 at most, which the rule ");
    for (const std::string other :
         {"type: leaf-spine", "type: nic-groups, fabrics: {a: {type: leaf-spine}}"})
    {
        ExpectPart(Ask({Write("b.yaml", other)}, "mixnet"),
                   "b.yaml:1:12: error: MixNet's paper has no rule for " +
                       other.substr(6, other.find(',') - 6));
    }
}

TEST_F(DescriptorCostTest, RateWithoutAPriceHasItsPlaceAndARemedy)
{
    const std::string rate = Ask({Write("a.yaml", "type: rail, nic_rate: 50Gbps")});
    ExpectPart(rate,
               "a.yaml:1:24: error: no price of nic at 50Gbps in ./rails cost --print; there are "
               "100Gbps, 200Gbps, 400Gbps, 800Gbps; cables from nic_tx to leaf_down have this "
               "rate: choose another, or give --prices a file");
    ExpectPart(Ask({Write("a.yaml", "type: rail, spines: 8, uplink_rate: 50Gbps")}),
               "a.yaml:1:35: error: no price of transceiver at 50Gbps");
    ExpectPart(Ask({Write("a.yaml", "type: fat-tree, k: 4, edge_oversubscription: 3")}),
               "a.yaml:1:34: error: no price of transceiver at 133333333333bps");
    ExpectPart(Ask({Write("a.yaml", "type: rail, nic_rate: 50Gbps")}, "mixnet"),
               "a.yaml:1:24: error: no price of nic at 50Gbps");
    // Of every point; and of the cables of one fabric among several.
    const std::string groups =
        "type: nic-groups, gpus_per_domain: 2, fabrics: {a: {type: rail}, b: {type: rail}}, "
        "nic_groups: [{nics: [0], fabric: a}, {nics: [1], fabric: b}]";
    const std::string points =
        Ask({Write("a.yaml", groups, "sweep: {topology.fabrics.b.nic_rate: [50Gbps, 60Gbps]}\n")});
    ExpectPart(points, "a.yaml:4:39: error: no price of nic at 50Gbps");
    ExpectPart(points, "a.yaml:4:47: error: no price of nic at 60Gbps");

    CostOptions question;
    question.fabrics = {Write("a.yaml", "type: rail")};
    question.prices = m_folder.Write("p.yaml",
                                     "server: {gpus: 8, nics: 8, optical_nics: 0, source: me}\n"
                                     "devices: {nic: {price: 100, source: me}}\n"
                                     "fabrics: {}\n");
    ExpectPart(Ask(question), "p.yaml: error: no device 'transceiver', which the wiring has: ");
}

TEST_F(DescriptorCostTest, TakesThePricesOfAFile)
{
    CostOptions question;
    question.fabrics = {Write("a.yaml", "type: rail, nic_rate: 50Gbps")};
    question.prices = m_folder.Write("p.yaml",
                                     "server: {gpus: 8, nics: 8, optical_nics: 0, source: me}\n"
                                     "devices:\n"
                                     "  nic: {price: {50Gbps: 100}, source: me}\n"
                                     "  transceiver: {price: 10, source: me}\n"
                                     "  fibre: {price: 1, source: me}\n"
                                     "  eps_port: {price: 5, source: me}\n"
                                     "fabrics: {}\n");
    ExpectPart(Ask(question), "126.00");
}

TEST_F(DescriptorCostTest, RefusesWhatDoesNotFitTheQuestion)
{
    const std::string file = Write("a.yaml", "type: rail");
    CostOptions question;
    question.fabrics = {file};
    question.servers = 128;
    ExpectPart(Ask(question), "--servers: error: not with a descriptor, which says so itself");
    question.servers.reset();
    question.opticalNics = 6;
    ExpectPart(Ask(question), "--optical-nics: error: not with a descriptor");
    question.opticalNics.reset();
    question.rate = "400Gbps";
    ExpectPart(Ask(question), "--rate: error: not with a descriptor");
    ExpectPart(Ask({file, "fat-tree"}), "fat-tree: error: a name beside descriptors");
    ExpectPart(Ask({"mixnt", file}), "mixnt: error: a name beside descriptors");
    ExpectPart(Ask({"fat-tree"}, "wiring"), "--rule: error: a name has no wiring");
    ExpectPart(Ask(std::vector<std::string>{}, "wiring"), "--rule: error: a name has no wiring");
    EXPECT_EQ(Ask({"fat-tree"}, "mixnet"), Ask({"fat-tree"}));
    EXPECT_EQ(Ask({"no/such.yaml"}), "no/such.yaml: error: no such file");
    ExpectPart(Ask({"mixnt"}), "mixnt: error: no fabric of this name");
    ExpectPart(Ask({Write("b.yaml", "type: rail, spine: 8")}), "b.yaml:1:24: error: ");
    ExpectPart(Ask({m_folder.Write("c.yaml", "experts: {policy: micro-moe}\n")}),
               "c.yaml:1:1: error: a study of policies has no fabric");
}

} // namespace ns3::rails
