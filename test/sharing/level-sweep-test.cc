// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/level-sweep.h"
#include "ns3/sharing-graph.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3::rails;

namespace
{

/// Flows between two sides of resources, each to each or only some, and a sweep of their levels.
class LevelSweepTest : public testing::Test
{
  protected:
    void MakeResources(uint32_t number, double capacity)
    {
        for (uint32_t resource = 0; resource < number; ++resource)
        {
            m_graph.AddResource(capacity);
        }
    }

    uint32_t AddFlow(uint32_t one, uint32_t other)
    {
        const uint32_t flow = m_graph.AddClass({{one, 1}, {other, 1}}, {});
        m_graph.SetWeight(flow, 1);
        return flow;
    }

    void Run()
    {
        m_graph.ForEachTouched([this](uint32_t resource) { m_sweep.Look(resource); });
        m_sweep.Run();
        m_graph.ForgetOpen();
    }

    double GetRate(uint32_t flow) const
    {
        return m_graph.GetRate(m_graph.GetClass(flow));
    }

    SharingGraph m_graph;
    LevelSweep m_sweep{m_graph};
};

TEST_F(LevelSweepTest, AFlowIsHeldBackWhereItsLevelIsLeast)
{
    MakeResources(3, 12);
    const uint32_t crowded = AddFlow(0, 1);
    AddFlow(0, 2);
    const uint32_t third = AddFlow(0, 2);
    Run();
    EXPECT_DOUBLE_EQ(GetRate(crowded), 4);
    EXPECT_EQ(m_graph.GetClass(crowded).holder, 0U);
    EXPECT_EQ(m_graph.GetShare(0).level, 4);
    EXPECT_EQ(m_graph.GetShare(1).level, 0) << "it holds nobody back";
    m_graph.SetWeight(third, 0);
    Run();
    EXPECT_DOUBLE_EQ(GetRate(crowded), 6);
}

TEST_F(LevelSweepTest, AFewLevelsFollowWhatHundredsOfFlowsDo)
{
    constexpr uint32_t kSide = 32;
    MakeResources(2 * kSide, 1);
    std::mt19937 random(3);
    std::vector<uint32_t> flows;
    for (uint32_t flow = 0; flow < kSide * kSide; ++flow)
    {
        flows.push_back(AddFlow(flow / kSide, kSide + flow % kSide));
        m_graph.SetWeight(flows.back(), 1 + random() % 100);
    }
    Run();
    const LevelSweep::Statistics before = m_sweep.GetStatistics();
    m_graph.SetWeight(flows[77], 0);
    Run();
    const LevelSweep::Statistics& after = m_sweep.GetStatistics();
    EXPECT_LT(after.levels - before.levels, 4 * kSide);
    EXPECT_LT(after.moves - before.moves, kSide);
}

TEST_F(LevelSweepTest, WithoutWhatWasKnownTheRatesAreTheSame)
{
    MakeResources(40, 1);
    std::mt19937 random(5);
    std::vector<uint32_t> flows;
    for (uint32_t step = 0; step < 400; ++step)
    {
        const uint32_t one = random() % 40;
        flows.push_back(AddFlow(one, (one + 1 + random() % 39) % 40));
        m_graph.SetWeight(flows[random() % flows.size()], random() % 3);
        Run();
    }
    SharingGraph::Changes changes;
    m_graph.TakeChanges(changes);
    std::vector<double> rates;
    uint64_t withRate = 0;
    for (const uint32_t flow : flows)
    {
        rates.push_back(GetRate(flow));
        withRate += rates.back() > 0 ? 1 : 0;
    }
    const LevelSweep::Statistics before = m_sweep.GetStatistics();
    m_sweep.Restart();
    EXPECT_GE(m_sweep.GetStatistics().touchedClasses - before.touchedClasses, withRate);
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        EXPECT_NEAR(GetRate(flows[flow]), rates[flow], 1e-10);
    }
    EXPECT_EQ(m_sweep.GetStatistics().restarts, 1U) << "none was needed before";
}

} // namespace
