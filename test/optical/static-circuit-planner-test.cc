// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

const CircuitDemand kNothing(8);

CircuitMap
Draw(int64_t stream, const CircuitRegion& region, bool isParallel = false)
{
    const Ptr<CircuitPlanner> planner = MakePlanner("static");
    planner->SetAttribute("Parallel", BooleanValue(isParallel));
    EXPECT_EQ(planner->AssignStreams(stream), 1);
    const auto servers = static_cast<uint32_t>(region.ports.size());
    return planner->Plan(region, CircuitDemand(servers)).slots.at(0).circuits;
}

/// Circuits in a file.
class StaticCircuitFile : public testing::Test
{
  protected:
    ~StaticCircuitFile() override
    {
        std::remove(m_path.c_str());
    }

    void Write(const std::string& text)
    {
        std::ofstream(m_path) << text;
    }

    Ptr<CircuitPlanner> Make() const
    {
        const Ptr<CircuitPlanner> planner = MakePlanner("static");
        planner->SetAttribute("Path", StringValue(m_path));
        return planner;
    }

    /// \return what is wrong with the file
    std::string FindFault(const CircuitRegion& region) const
    {
        try
        {
            Make()->Check(region);
        }
        catch (const ConfigurationError& error)
        {
            EXPECT_EQ(error.GetKey(), "path");
            return error.what();
        }
        return "";
    }

    std::string m_path{testing::TempDir() + "/static-circuits-" +
                       testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv"};
};

TEST(StaticCircuitPlanner, DrawsSinglePairsUntilNoneHasPortsAtBothEnds)
{
    for (int64_t stream = 0; stream < 20; ++stream)
    {
        const CircuitRegion region = MakeRegion(8, 6);
        const CircuitMap circuits = Draw(stream, region);
        EXPECT_EQ(CountJoined(circuits).most, 1U);
        EXPECT_GE(CountJoined(circuits).circuits, 22U);
        for (uint32_t one = 0; one < 8; ++one)
        {
            EXPECT_LE(circuits.CountLeaving(one), 6U);
            for (uint32_t other = one + 1; other < 8; ++other)
            {
                EXPECT_TRUE(circuits.Count(one, other) > 0 || circuits.CountLeaving(one) == 6 ||
                            circuits.CountLeaving(other) == 6);
                EXPECT_EQ(circuits.Count(one, other), circuits.Count(other, one));
            }
        }
    }
}

TEST(StaticCircuitPlanner, IsTheSameForAStreamAndARegion)
{
    const CircuitRegion region = MakeRegion(8, 3);
    CircuitRegion next = region;
    next.index = 1;
    const Ptr<CircuitPlanner> planner = MakePlanner("static");
    planner->AssignStreams(5);
    EXPECT_FALSE(planner->GetTraits().followsDemand);
    const CircuitMap ofNext = planner->Plan(next, kNothing).slots.at(0).circuits;
    const CircuitMap first = planner->Plan(region, kNothing).slots.at(0).circuits;
    EXPECT_EQ(first, planner->Plan(region, MakeDemand(kPublicTokens)).slots.at(0).circuits);
    EXPECT_EQ(first, Draw(5, region)) << "whatever was asked before";
    EXPECT_EQ(ofNext, Draw(5, next));
    EXPECT_FALSE(first == ofNext);
    EXPECT_FALSE(first == Draw(6, region));
}

TEST(StaticCircuitPlanner, UsesAllPortsWhenPairsMayHaveSeveralCircuits)
{
    EXPECT_EQ(CountJoined(Draw(1, MakeRegion(4, 6))).circuits, 6U);
    const CircuitMap circuits = Draw(1, MakeRegion(4, 6), true);
    EXPECT_EQ(CountJoined(circuits).circuits, 12U);
    EXPECT_EQ(CountJoined(circuits).most, 2U);
}

TEST_F(StaticCircuitFile, GivesCircuits)
{
    Write("0,2,1\n2,0,0\n1,0,0\n");
    const CircuitRegion region = MakeRegion(3, 3);
    EXPECT_EQ(FindFault(region), "");
    CircuitMap expected(3);
    expected.Join(0, 1, 2);
    expected.Join(0, 2);
    EXPECT_EQ(Make()->Plan(region, CircuitDemand(3)).slots.at(0).circuits, expected);
    CircuitRegion worse = region;
    worse.ports = {2, 1, 3}; // after failures
    expected = CircuitMap(3);
    expected.Join(0, 1);
    expected.Join(0, 2);
    EXPECT_EQ(Make()->Plan(worse, CircuitDemand(3)).slots.at(0).circuits, expected);
}

TEST_F(StaticCircuitFile, IsRefusedWithThePlaceOfWhatIsWrong)
{
    const CircuitRegion region = MakeRegion(2, 1);
    const auto expectFault = [&](const std::string& text, const std::string& fault) {
        Write(text);
        EXPECT_NE(FindFault(region).find(fault), std::string::npos)
            << FindFault(region) << " in place of " << fault;
    };
    expectFault("0,1\n0,0\n", ":2:1: circuits are full-duplex: expected 1");
    expectFault("1,1\n1,0\n", ":1:1: a server has no circuits to itself");
    expectFault("0,1,1\n1,0,0\n", "for each of the 2 servers of a region, found 3 columns");
    expectFault("0,1\n", "found 1 rows");
    expectFault("0,1\n1,0\n0,0\n", "a row more");
    expectFault("0,2\n2,0\n", "server 0 has 2 circuits, but only 1 ports");
    std::remove(m_path.c_str());
    EXPECT_NE(FindFault(region), "");
}

} // namespace

} // namespace ns3::rails::test
