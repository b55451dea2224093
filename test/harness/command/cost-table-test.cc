// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-cost-table.h"
#include "ns3/rails-fabric-prices.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

TEST(CostTable, ShowsDevicesCostsAndHowMuchMoreTheFirstCosts)
{
    CostQuestion question;
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
    CostQuestion question;
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
    question.prices = "no/such.yaml";
    EXPECT_THROW(FormatCosts(question), DescriptorError);
}

TEST(CostTable, RefusesARateWithoutItsUnit)
{
    CostQuestion question;
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

} // namespace ns3::rails
