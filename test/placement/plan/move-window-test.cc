// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-maker.h"
#include "ns3/eplb-expert-policy.h"
#include "ns3/expert-policy.h"
#include "ns3/move-window.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails
{

namespace
{

std::vector<uint32_t>
List(const MoveWindow& window)
{
    std::vector<uint32_t> iterations;
    for (uint32_t iteration = 0; iteration < 5000; ++iteration)
    {
        if (window.Has(iteration))
        {
            iterations.push_back(iteration);
        }
    }
    return iterations;
}

Ptr<EplbExpertPolicy>
MakeEplb(uint32_t period)
{
    const auto policy = CreateObject<EplbExpertPolicy>();
    policy->SetAttribute("Period", UintegerValue(period));
    return policy;
}

TEST(MoveWindow, HasWholePeriodsFromTheFirstIterationThatIsRun)
{
    const auto policy = MakeEplb(3);
    EXPECT_EQ(List({*policy, 2, 1, 0}), (std::vector<uint32_t>{2, 3, 4}));
    EXPECT_EQ(List({*policy, 2, 4, 0}), (std::vector<uint32_t>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(MoveWindow(*policy, 2, 4, 0).GetLength(), 6U);
    EXPECT_EQ(MoveWindow(*policy, 2, 4, 0).GetEnd(), 8U);
}

TEST(MoveWindow, EndsWithTheLoadsAndThenBeginsEarlier)
{
    const auto policy = MakeEplb(4);
    EXPECT_EQ(List({*policy, 3, 1, 5}), (std::vector<uint32_t>{1, 2, 3, 4}));
    // Of fewer iterations than a period a part of it is charged.
    EXPECT_EQ(List({*policy, 1, 1, 2}), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(MoveWindow(*policy, 1, 1, 2).GetLength(), 4U);
    EXPECT_EQ(List({*policy, 3, 2, 2}), (std::vector<uint32_t>{1, 2, 3, 4})) << "they begin anew";
}

TEST(MoveWindow, OfALongPeriodHasAllThatWas)
{
    const MoveWindow window(*MakeEplb(1000), 2, 1, 0);
    EXPECT_EQ(List(window), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(window.GetLength(), 1000U);
    EXPECT_EQ(window.GetEnd(), 3U);
}

TEST(MoveWindow, WithoutAPeriodHasTheRun)
{
    const auto policy = MakeComponent<ExpertPolicy>("UltraEpExpertPolicy");
    EXPECT_EQ(List({*policy, 2, 3, 0}), (std::vector<uint32_t>{2, 3, 4}));
    EXPECT_EQ(MoveWindow(*policy, 2, 3, 0).GetLength(), 3U);
}

} // namespace

} // namespace ns3::rails
