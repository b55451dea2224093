// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/incremental-water-filling.h"
#include "ns3/max-min-system.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3::rails;

namespace
{

/// Flows between two sides of constraints, each to each or only some, and a sweep of their fair
/// shares.
class LevelSweepTest : public testing::Test
{
  protected:
    void MakeResources(uint32_t number, double capacity)
    {
        for (uint32_t constraint = 0; constraint < number; ++constraint)
        {
            m_system.AddConstraint(capacity);
        }
    }

    uint32_t AddFlow(uint32_t one, uint32_t other)
    {
        const uint32_t flow = m_system.AddVariable({{one, 1}, {other, 1}}, {});
        m_system.SetWeight(flow, 1);
        return flow;
    }

    void Run()
    {
        m_system.ForEachTouched([this](uint32_t constraint) { m_sweep.Examine(constraint); });
        m_sweep.Run();
        m_system.ForgetUnfrozen();
    }

    double GetRate(uint32_t flow) const
    {
        return m_system.GetRate(m_system.GetVariable(flow));
    }

    MaxMinSystem m_system;
    IncrementalWaterFilling m_sweep{m_system};
};

TEST_F(LevelSweepTest, AFlowIsHeldBackWhereItsLevelIsLeast)
{
    MakeResources(3, 12);
    const uint32_t crowded = AddFlow(0, 1);
    AddFlow(0, 2);
    const uint32_t third = AddFlow(0, 2);
    Run();
    EXPECT_DOUBLE_EQ(GetRate(crowded), 4);
    EXPECT_EQ(m_system.GetVariable(crowded).bottleneck, 0U);
    EXPECT_EQ(m_system.GetState(0).fairShare, 4);
    EXPECT_EQ(m_system.GetState(1).fairShare, 0) << "it holds nobody back";
    m_system.SetWeight(third, 0);
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
        m_system.SetWeight(flows.back(), 1 + random() % 100);
    }
    Run();
    const IncrementalWaterFilling::Statistics before = m_sweep.GetStatistics();
    m_system.SetWeight(flows[77], 0);
    Run();
    const IncrementalWaterFilling::Statistics& after = m_sweep.GetStatistics();
    EXPECT_LT(after.fairShares - before.fairShares, 4 * kSide);
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
        m_system.SetWeight(flows[random() % flows.size()], random() % 3);
        Run();
    }
    MaxMinSystem::Changes changes;
    m_system.TakeChanges(changes);
    std::vector<double> rates;
    uint64_t withRate = 0;
    for (const uint32_t flow : flows)
    {
        rates.push_back(GetRate(flow));
        withRate += rates.back() > 0 ? 1 : 0;
    }
    const IncrementalWaterFilling::Statistics before = m_sweep.GetStatistics();
    m_sweep.Restart();
    EXPECT_GE(m_sweep.GetStatistics().changedVariables - before.changedVariables, withRate);
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        EXPECT_NEAR(GetRate(flows[flow]), rates[flow], 1e-10);
    }
    EXPECT_EQ(m_sweep.GetStatistics().restarts, 1U) << "none was needed before";
}

} // namespace
