// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fast-forward.h"
#include "ns3/graph-program.h"
#include "ns3/simulator.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::rails
{

namespace
{

using Choice = ForwardPart::Choice;

constexpr TimePs kUnit = 100'000'000; // of time

/// Two GPUs that end a node with each unit; all but the last two units come again. Of loose ones
/// the first ends another of a stream that nothing waits for.
class TwoGpus : public GraphRepetition
{
  public:
    explicit TwoGpus(uint32_t units, bool isLoose = false)
        : m_units(units),
          m_isLoose(isLoose)
    {
    }

    uint32_t CountUnits() const override
    {
        return m_units;
    }

    uint32_t GetCycle() const override
    {
        return 1;
    }

    uint32_t CountUnderWay() const override
    {
        return 2;
    }

    bool IsLoose() const override
    {
        return m_isLoose;
    }

    std::shared_ptr<const GraphProgram> MakePart(uint32_t) const override
    {
        return nullptr;
    }

    std::vector<RepeatedNodes> ListRepeated(uint32_t units) const override
    {
        RepeatedNodes nodes{0, 3, {}, 1};
        for (uint64_t iteration = 0; iteration < 2; ++iteration)
        {
            for (uint64_t unit = 1; unit <= units - 2; ++unit)
            {
                nodes.over.push_back(iteration * units + unit);
            }
        }
        RepeatedNodes others = nodes;
        others.gpu = 1;
        if (!m_isLoose)
        {
            return {nodes, others};
        }
        RepeatedNodes beside = nodes;
        beside.stream = 5;
        return {nodes, beside, others};
    }

  private:
    uint32_t m_units;
    bool m_isLoose;
};

class FastForwardTest : public testing::Test
{
  protected:
    ~FastForwardTest() override
    {
        Simulator::Destroy();
    }

    /// \param getEnd when a unit of a GPU is over, in the iteration
    void Run(uint32_t all,
             const ForwardPart& part,
             const std::function<TimePs(uint32_t gpu, uint32_t unit)>& getEnd)
    {
        const TimePs iteration = (part.units + 2) * 3 * kUnit;
        const TwoGpus gpus(all, m_getLag != nullptr);
        m_forward = std::make_unique<FastForward>(gpus, part, 2, [this](uint32_t gpu) {
            EXPECT_EQ(gpu, 0U);
            RunCounters counters;
            counters.graph.nodes = m_over;
            counters.engine.messages = 5 * m_over;
            counters.engine.nicTxBytes = {{7 * m_over}, {m_sentOnce}};
            return counters;
        });
        for (uint32_t number = 0; number < 2 * part.units; ++number)
        {
            for (const uint32_t gpu : {0U, 1U})
            {
                const TimePs at =
                    number / part.units * iteration + getEnd(gpu, number % part.units);
                Simulator::Schedule(PicoSeconds(at), [this, gpu, number, at] {
                    ++m_over;
                    m_forward->OnEnd(gpu, 3, number + 1, at);
                    m_forward->OnEnd(gpu, 4, number + 1, at + 7); // of no importance
                });
            }
            if (m_getLag)
            {
                const uint32_t unit = number % part.units;
                const TimePs at =
                    number / part.units * iteration + getEnd(0, unit) + m_getLag(unit);
                Simulator::Schedule(PicoSeconds(at),
                                    [this, number, at] { m_forward->OnEnd(0, 5, number + 1, at); });
            }
        }
        Simulator::Run();
        m_forward->Conclude();
    }

    uint64_t m_over{0};
    uint64_t m_sentOnce{0};
    std::function<TimePs(uint32_t unit)> m_getLag; //!< null: none is loose
    std::unique_ptr<FastForward> m_forward;
};

} // namespace

TEST_F(FastForwardTest, EqualUnitsAreMultiplied)
{
    Run(100, {Choice::Given, 10}, [](uint32_t gpu, uint32_t unit) {
        return (unit + 1) * kUnit + gpu * kUnit / 3;
    });
    ASSERT_TRUE(m_forward->GetRecord());
    EXPECT_EQ(m_forward->GetRecord()->cycle, 1U);
    EXPECT_EQ(m_forward->GetRecord()->unitsRun, 10U);
    EXPECT_EQ(m_forward->GetRecord()->units, 100U);
    EXPECT_EQ(m_forward->GetRecord()->period, static_cast<double>(kUnit));
    EXPECT_EQ(m_forward->GetRecord()->deviation, 0);
    EXPECT_EQ(m_forward->GetTime(), 2 * 90 * kUnit);
    GraphRecord graph;
    graph.nodes = m_over;
    graph.end = 7;
    m_forward->AddLeftOut(graph, {});
    EXPECT_EQ(graph.nodes, 2 * 2 * 100U) << "GPUs, iterations, units";
    EXPECT_EQ(graph.end, 7 + 2 * 90 * kUnit);
    EngineRecord engine;
    engine.messages = 5 * m_over;
    m_forward->AddLeftOut(engine);
    EXPECT_EQ(engine.messages, 5 * 2 * 2 * 100U);
}

TEST_F(FastForwardTest, UnitsThatTakeTurnsAreMultipliedByCycles)
{
    const auto getEnd = [](uint32_t gpu, uint32_t unit) {
        return (unit + 1) * kUnit + unit % 3 * kUnit / 10 + gpu * kUnit / 3;
    };
    Run(100, {Choice::Given, 13}, getEnd);
    ASSERT_TRUE(m_forward->GetRecord());
    EXPECT_EQ(m_forward->GetRecord()->cycle, 3U);
    EXPECT_EQ(m_forward->GetTime(), 2 * 87 * kUnit);
    // What is left out are whole cycles: 98 are not.
    Simulator::Destroy();
    Run(102, {Choice::Given, 13}, getEnd);
    EXPECT_FALSE(m_forward->GetRecord());
    EXPECT_TRUE(m_forward->IsInVain());
    EXPECT_EQ(m_forward->GetNextPart().choice, Choice::Given);
    EXPECT_EQ(m_forward->GetNextPart().units, 15U);
    EXPECT_EQ(m_forward->GetNextPart().tried, 13U);
}

TEST_F(FastForwardTest, WhereUnitsComeToTakeMoreALargerPartIsTried)
{
    const auto getEnd = [](uint32_t, uint32_t unit) {
        return (unit + 1) * kUnit + unit * unit * kUnit / 1000;
    };
    Run(100, {Choice::Given, 12}, getEnd);
    EXPECT_FALSE(m_forward->GetRecord());
    EXPECT_EQ(m_forward->GetNextPart().choice, Choice::Given);
    EXPECT_EQ(m_forward->GetNextPart().units, 18U);
    EXPECT_EQ(m_forward->GetNextPart().tried, 12U);
    // All parts together are not to have more units than all of it.
    Simulator::Destroy();
    Run(100, {Choice::Given, 24, 12}, getEnd);
    EXPECT_EQ(m_forward->GetNextPart().units, 36U);
    EXPECT_EQ(m_forward->GetNextPart().tried, 36U);
    Simulator::Destroy();
    Run(71, {Choice::Given, 24, 12}, getEnd);
    EXPECT_EQ(m_forward->GetNextPart().choice, Choice::All);
}

TEST_F(FastForwardTest, APassThatFindsNothingToLeaveOutEndsWithTheUnitsOfAnIteration)
{
    Run(100, {Choice::Given, 12}, [](uint32_t, uint32_t unit) {
        return (unit + 1) * kUnit + unit * unit * kUnit / 1000;
    });
    EXPECT_TRUE(m_forward->IsInVain());
    EXPECT_EQ(m_over, 2 * 10U) << "GPUs and units that come again, without the last two";
    Simulator::Destroy();
    m_over = 0;
    Run(100, {Choice::Given, 12}, [](uint32_t, uint32_t unit) { return (unit + 1) * kUnit; });
    EXPECT_FALSE(m_forward->IsInVain());
    EXPECT_EQ(m_over, 2 * 2 * 12U);
}

TEST_F(FastForwardTest, GpusOfUnlikePeriodsAreNotMultiplied)
{
    Run(100, {Choice::Given, 10}, [](uint32_t gpu, uint32_t unit) {
        return (unit + 1) * (kUnit + gpu * kUnit / 100);
    });
    EXPECT_FALSE(m_forward->GetRecord());
}

TEST_F(FastForwardTest, TheBeginningOfAnIterationDoesNotCount)
{
    Run(100, {Choice::Given, 12}, [](uint32_t gpu, uint32_t unit) {
        return (unit + 1) * kUnit + gpu * kUnit / 3 + std::min(unit, 5U) * kUnit / 5;
    });
    ASSERT_TRUE(m_forward->GetRecord());
    EXPECT_EQ(m_forward->GetTime(), 2 * 88 * kUnit);
}

TEST_F(FastForwardTest, WhatNothingWaitsForMustNotFallBehind)
{
    const auto getEnd = [](uint32_t, uint32_t unit) { return (unit + 1) * kUnit; };
    m_getLag = [](uint32_t) { return kUnit / 2; };
    Run(100, {Choice::Given, 12}, getEnd);
    EXPECT_TRUE(m_forward->GetRecord());
    Simulator::Destroy();
    m_getLag = [](uint32_t unit) { return unit * kUnit / 100; };
    Run(100, {Choice::Given, 12}, getEnd);
    EXPECT_FALSE(m_forward->GetRecord());
}

TEST_F(FastForwardTest, BesideWhatNothingWaitsForUnitsMustNotChangeMoreAndMore)
{
    m_getLag = [](uint32_t) { return 7; };
    const auto getEnd = [](double factor) {
        return [factor](uint32_t, uint32_t unit) {
            return (unit + 1) * kUnit + std::llround(1000 * std::pow(factor, unit));
        };
    };
    Run(100, {Choice::Given, 12}, getEnd(0.7));
    EXPECT_TRUE(m_forward->GetRecord());
    Simulator::Destroy();
    Run(100, {Choice::Given, 12}, getEnd(1.4));
    EXPECT_FALSE(m_forward->GetRecord());
    Simulator::Destroy();
    m_getLag = nullptr;
    Run(100, {Choice::Given, 12}, getEnd(1.4));
    EXPECT_TRUE(m_forward->GetRecord()) << "little as it is";
}

TEST_F(FastForwardTest, BesideWhatNothingWaitsForNicsSendTheSameInEachCycle)
{
    m_getLag = [](uint32_t) { return 7; };
    const auto getEnd = [](uint32_t, uint32_t unit) { return (unit + 1) * kUnit; };
    Simulator::Schedule(PicoSeconds(15 * kUnit / 2), [this] { m_sentOnce = 1; });
    Run(100, {Choice::Given, 12}, getEnd);
    EXPECT_FALSE(m_forward->GetRecord());
}

TEST(FastForwardPartTest, ThePartHoldsAFullPipelineAndIsWorthIt)
{
    const ForwardPart part = FastForward::ChoosePart(TwoGpus(100));
    EXPECT_EQ(part.choice, Choice::Given);
    EXPECT_GT(part.units, TwoGpus(100).CountUnderWay() + 3);
    EXPECT_LT(part.units, 12U);
    EXPECT_EQ(FastForward::ChoosePart(TwoGpus(6)).choice, Choice::All);
    EXPECT_EQ(FastForward::ChoosePart(TwoGpus(100, true)).units, part.units + 4) << "whole cycles";
}

} // namespace ns3::rails
