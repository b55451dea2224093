// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-fabric-prices.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr std::array<uint64_t, 4> kRates{100'000'000'000,
                                         200'000'000'000,
                                         400'000'000'000,
                                         800'000'000'000};

const FabricPrices&
GetShipped()
{
    static const FabricPrices prices(FabricPrices::GetShippedText(), "shipped");
    return prices;
}

FabricSize
MakeSize(uint64_t rate, uint32_t servers = 128)
{
    FabricSize size;
    size.servers = servers;
    size.rate = rate;
    return size;
}

double
Price(const std::string& fabric, uint64_t rate)
{
    return GetShipped().Count(fabric, MakeSize(rate)).GetTotal();
}

/// \return a file with a device and a fabric
std::string
MakeText(const std::string& server, const std::string& device, const std::string& fabric)
{
    return "server: {" + server + "source: x}\ndevices:\n  nic: {" + device +
           "source: x}\nfabrics:\n  flat: {" + fabric + "}\n";
}

const std::string kServer = "gpus: 4, nics: 2, optical_nics: 1, ";

/// \return all that is wrong with a file
std::string
FindFaults(const std::string& text)
{
    try
    {
        FabricPrices(text, "p.yaml");
    }
    catch (const DescriptorError& error)
    {
        return error.what();
    }
    return "";
}

/// \return why a fabric is not counted
std::string
FindRefusal(const std::string& fabric, const FabricSize& size)
{
    try
    {
        GetShipped().Count(fabric, size);
    }
    catch (const DescriptorError& error)
    {
        return error.what();
    }
    return "";
}

TEST(FabricPrices, AreThoseOfThePaperToTheDollar)
{
    // MixNet facts, section 3.4, by hand for 128 servers: in millions 3.07, 5.65, 13.49, 21.47 and
    // so on.
    struct Expected
    {
        std::string fabric;
        std::array<double, 4> dollars; //!< by rate
    };

    const std::vector<Expected> table{
        {"fat-tree", {3'070'976, 5'653'504, 13'493'248, 21'469'184}},
        {"rail-optimized", {3'070'976, 5'653'504, 13'493'248, 21'469'184}},
        {"mixnet", {1'978'368, 3'054'080, 5'659'136, 8'796'672}},
        {"topoopt", {1'032'192, 1'605'632, 2'465'792, 3'990'528}},
        {"rail-only", {2'331'648, 4'244'480, 9'757'696, 15'583'232}},
        {"mixnet-used-ports", {1'845'248, 2'920'960, 5'526'016, 8'663'552}},
    };
    for (const Expected& expected : table)
    {
        for (std::size_t i = 0; i < kRates.size(); ++i)
        {
            EXPECT_DOUBLE_EQ(Price(expected.fabric, kRates[i]), expected.dollars[i])
                << expected.fabric << " at " << kRates[i];
        }
    }
}

TEST(FabricPrices, FatTreesCostWhatThePaperSaysMoreThanMixNet)
{
    constexpr std::array<double, 4> ratios{1.55, 1.85, 2.38, 2.44}; // section 7.2: 2.0 on average
    double sum = 0;
    for (std::size_t i = 0; i < kRates.size(); ++i)
    {
        const double ratio = Price("fat-tree", kRates[i]) / Price("mixnet", kRates[i]);
        EXPECT_NEAR(ratio, ratios[i], 0.005);
        sum += ratio;
    }
    EXPECT_NEAR(sum / 4, 2.06, 0.005);
}

TEST(FabricPrices, GrowWithServers)
{
    for (const std::string& fabric : GetShipped().ListFabrics())
    {
        const FabricCost one = GetShipped().Count(fabric, MakeSize(kRates[2], 1));
        const FabricCost many = GetShipped().Count(fabric, MakeSize(kRates[2], 4096));
        EXPECT_DOUBLE_EQ(many.GetTotal(), 4096 * one.GetTotal()) << fabric;
        EXPECT_DOUBLE_EQ(many.gpus, 32768) << fabric;
    }
}

TEST(FabricPrices, CountDevicesOfMixNetByItsNics)
{
    FabricSize size = MakeSize(kRates[0], 10);
    const FabricCost usual = GetShipped().Count("mixnet", size);
    EXPECT_EQ(usual.Count("nic"), 80);
    EXPECT_EQ(usual.Count("transceiver"), 80 + 6 * 20);
    EXPECT_EQ(usual.Count("fibre"), 3 * 20 + 60);
    EXPECT_EQ(usual.Count("ocs_port"), 80);
    EXPECT_EQ(usual.Count("eps_port"), 6 * 20);
    EXPECT_EQ(usual.Count("patch_panel_port"), 0);
    size.opticalNics = 4;
    const FabricCost half = GetShipped().Count("mixnet-used-ports", size);
    EXPECT_EQ(half.Count("transceiver"), 80 + 6 * 40);
    EXPECT_EQ(half.Count("ocs_port"), 40);
    EXPECT_EQ(half.Count("eps_port"), 6 * 40);
    size.opticalNics = 9;
    EXPECT_EQ(FindRefusal("mixnet", size), "--optical-nics: error: a server has 8 NICs");
    EXPECT_EQ(GetShipped().Count("fat-tree", MakeSize(kRates[0], 1)).Count("fibre"), 28);
}

TEST(FabricPrices, RefuseWhatNobodyCountsOrPrices)
{
    const FabricSize size = MakeSize(kRates[0]);
    EXPECT_NE(FindRefusal("fat-tree-3to1", size).find("no source counts"), std::string::npos);
    EXPECT_NE(FindRefusal("fat-tre", size).find("did you mean 'fat-tree'?"), std::string::npos)
        << FindRefusal("fat-tre", size);
    EXPECT_EQ(FindRefusal("mixnet", MakeSize(300'000'000'000)),
              "--rate: error: no price of nic at 300Gbps in shipped; there are 100Gbps, 200Gbps, "
              "400Gbps, 800Gbps");
    for (const std::string& fabric : GetShipped().ListFabrics())
    {
        EXPECT_NE(fabric, "fat-tree-3to1");
    }
}

TEST(FabricPrices, SayWhereEveryNumberIsFrom)
{
    EXPECT_EQ(GetShipped().ListRates(), std::vector<uint64_t>(kRates.begin(), kRates.end()));
    EXPECT_EQ(GetShipped().ListDevices().size(), 6U);
    // Without a source a file is refused.
    const std::string whole = MakeText(kServer, "price: 5, ", "counts: {nic: 1}, source: x");
    EXPECT_EQ(FindFaults(whole), "");
    EXPECT_EQ(FindFaults(MakeText(kServer, "price: 5, ", "counts: {nic: 1}")),
              "p.yaml:5:9: error: expected a key 'source' here");
}

TEST(FabricPrices, AreReadStrictly)
{
    const std::string device = "price: 5, ";
    const std::string fabric = "counts: {nic: 1}, source: x";
    const auto expectFault = [](const std::string& text, const std::string& fault) {
        EXPECT_NE(FindFaults(text).find(fault), std::string::npos)
            << FindFaults(text) << "\nin place of " << fault;
    };
    expectFault("", "p.yaml:1:1: error: there is nothing in it");
    expectFault("server: 3\n", "p.yaml:1:9: error: expected a map, found '3'");
    expectFault("server: 3\n", "expected a key 'devices' here");
    expectFault(MakeText(kServer, "prise: 5, ", fabric), "3:9: error: unknown key 'prise'");
    expectFault(MakeText(kServer, "price: -5, ", fabric), "a number that is not negative");
    expectFault(MakeText(kServer, "price: [5], ", fabric), "expected a number, found a list");
    expectFault(MakeText(kServer, "price: {400GBps: 1}, ", fabric), "did you mean '400Gbps'?");
    expectFault(MakeText(kServer, "price: {1Gbps: 1, 1000Mbps: 1}, ", fabric), "each once");
    expectFault(MakeText(kServer, device, "counts: {nik: 1}, source: x"), "did you mean 'nic'?");
    expectFault(MakeText(kServer, device, "counts: {nic: {nics: 1}}, source: x"),
                "unknown key 'nics'");
    expectFault(MakeText(kServer, device, "counts: {nic: 1}, refused: x"), "either 'counts' or");
    expectFault(MakeText(kServer, device, "refused: ''"), "expected a text");
    expectFault(MakeText("gpus: 0, nics: 2, optical_nics: 1, ", device, fabric),
                "1:16: error: expected a count from 1 to 1024, found '0'");
    expectFault(MakeText("gpus: 4, nics: 2, optical_nics: 3, ", device, fabric),
                "expected at most 2, the NICs of a server");
    expectFault(MakeText(kServer, device, fabric) + "more: 1\n", "unknown key 'more'");
}

} // namespace

} // namespace ns3::rails
