// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include "ns3/rails-error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Loads = std::vector<uint64_t>;
using Copies = std::vector<Copy>;

/// What a policy comes to: max/mean, copies, most copies that leave one home.
struct Outcome
{
    double maxOverMean;
    uint64_t copies;
    uint64_t mostCopies;
};

/// A row of section 7.1 of moe-runtime-2026; copies of none and of LLEP without any are not said.
struct GoldenRow
{
    std::string workload;
    uint32_t step;
    uint32_t gpus;
    double none;
    Outcome moon;
    Outcome ultraTwo;
    Outcome ultraFour;
    Outcome llepExact;
    Outcome llep;
    Outcome echo;
    int movedPercent; //!< tokens that MoonEP computes away from the home of their expert
};

const std::vector<GoldenRow> kRows{
    // clang-format off
    {"w1", 0, 32, 3.445, {1, 55, 8}, {1.079, 48, 6}, {1.010, 64, 11}, {1.000, 71, 10}, {1.100, 46, 6}, {2.410, 24, 5}, 58},
    {"w3", 0, 32, 1.125, {1, 22, 2}, {1.010, 16, 2}, {1.010, 16, 2}, {1.125, 0, 0}, {1.125, 0, 0}, {1.027, 14, 1}, 2},
    {"w5", 0, 32, 2.148, {1, 77, 7}, {2.148, 0, 0}, {2.148, 0, 0}, {1.035, 72, 6}, {1.100, 62, 4}, {2.047, 16, 2}, 51},
    {"w6", 3, 32, 3.344, {1, 55, 8}, {1.077, 48, 6}, {1.010, 65, 12}, {1.000, 78, 10}, {1.100, 46, 6}, {2.754, 24, 4}, 58},
    {"w7", 3, 32, 2.539, {1, 51, 7}, {1.061, 48, 9}, {1.010, 53, 13}, {1.000, 63, 9}, {1.100, 47, 7}, {1.840, 24, 4}, 37},
    {"w1", 0, 64, 3.680, {1, 61, 9}, {1.084, 65, 6}, {1.010, 89, 13}, {1.117, 92, 7}, {1.100, 68, 5}, {1.320, 48, 3}, 57},
    {"w5", 0, 64, 2.312, {1, 92, 5}, {2.312, 0, 0}, {1.010, 85, 6}, {1.242, 89, 4}, {1.100, 64, 2}, {1.984, 32, 2}, 53},
    {"w6", 3, 64, 3.570, {1, 60, 5}, {1.703, 32, 2}, {1.010, 86, 10}, {1.047, 92, 6}, {1.100, 66, 5}, {1.234, 48, 3}, 58},
    {"w7", 3, 64, 2.664, {1, 55, 4}, {1.242, 32, 2}, {1.010, 85, 8}, {1.000, 93, 6}, {1.100, 77, 5}, {1.414, 48, 4}, 38},
    // clang-format on
};

class GoldenPlans : public testing::TestWithParam<GoldenRow>
{
  protected:
    ExpertSetting m_setting{MakeOneServer(GetParam().gpus, 256, 8, 1024)};
    TokenCounts m_counts{DrawImbalance(m_setting, GetParam().workload, GetParam().step)};

    void Expect(const Outcome& expected, const std::string& type, const PolicyKeys& keys) const
    {
        SCOPED_TRACE(type + (keys.empty() ? "" : " " + keys.front().second));
        const ExpertPlan plan = PlanOnce(m_setting, m_counts, type, keys);
        EXPECT_EQ(FindDefect(m_setting, m_counts, plan), "");
        const PlanFigures figures = FindFigures(m_setting, m_counts, plan);
        EXPECT_NEAR(figures.maxOverMean, expected.maxOverMean, 0.000501);
        EXPECT_EQ(figures.copies, expected.copies);
        EXPECT_EQ(figures.mostCopies, expected.mostCopies);
    }
};

TEST_P(GoldenPlans, MoonEp)
{
    Expect(GetParam().moon, "MoonEp", {});
    uint64_t moved = 0;
    for (const Copy& copy : ListCopies(PlanOnce(m_setting, m_counts, "MoonEp")))
    {
        moved += std::get<2>(copy);
    }
    EXPECT_EQ(
        std::lround(100.0 * static_cast<double>(moved) / static_cast<double>(m_counts.GetTotal())),
        GetParam().movedPercent);
}

TEST_P(GoldenPlans, UltraEp)
{
    Expect(GetParam().ultraTwo, "UltraEp", {{"Slots", "2"}});
    Expect(GetParam().ultraFour, "UltraEp", {{"Slots", "4"}});
}

TEST_P(GoldenPlans, Llep)
{
    // The page's numbers are with the ratio of LLEP's paper, below which it does nothing: on w3.
    Expect(GetParam().llepExact, "Llep", {{"Alpha", "1"}, {"Ratio", "1.3"}});
    Expect(GetParam().llep, "Llep", {{"Alpha", "1.1"}, {"Ratio", "1.3"}});
}

TEST_P(GoldenPlans, Echo)
{
    Expect(GetParam().echo, "Echo", {});
}

INSTANTIATE_TEST_SUITE_P(Section71,
                         GoldenPlans,
                         testing::ValuesIn(kRows),
                         [](const testing::TestParamInfo<GoldenRow>& row) {
                             return row.param.workload + "On" + std::to_string(row.param.gpus);
                         });

/// A row of section 7.2: 8 experts on 4 GPUs.
struct HandRow
{
    std::string workload;
    uint32_t step;
    Loads experts;
    Copies moon;
    Copies llep;     //!< with a floor of 64 tokens
    Loads llepLoads; //!< with a floor of 1,024
    Loads ultraLoads;
    Loads echoLoads;
};

const std::vector<HandRow> kHandRows{
    {"w1",
     0,
     {412, 424, 32, 32, 36, 28, 20, 40},
     {{0, 1, 192}, {1, 2, 192}, {1, 3, 196}},
     {{0, 2, 156}, {1, 1, 192}, {1, 2, 36}, {1, 3, 196}},
     {256, 220, 124, 424},
     {259, 259, 247, 259},
     {292, 256, 220, 256}},
    {"w5",
     0,
     {0, 0, 0, 0, 264, 220, 264, 276},
     {{4, 1, 256}, {6, 2, 28}, {7, 0, 256}},
     {{4, 1, 228}, {6, 1, 8}, {7, 0, 256}, {7, 1, 20}},
     {276, 236, 256, 256},
     {259, 247, 259, 259},
     {256, 228, 256, 284}},
    {"w7",
     3,
     {320, 308, 44, 68, 68, 68, 72, 76},
     {{0, 1, 144}, {1, 2, 120}, {1, 3, 108}},
     {{0, 1, 144}, {0, 2, 120}, {0, 3, 56}, {1, 3, 52}},
     {256, 320, 232, 216},
     {259, 259, 259, 247},
     {312, 256, 256, 200}},
};

class HandSizedPlans : public testing::TestWithParam<HandRow>
{
  protected:
    ExpertSetting m_setting{MakeOneServer(4, 8, 2, 128)};
    TokenCounts m_counts{DrawImbalance(m_setting, GetParam().workload, GetParam().step)};

    Loads FindLoads(const std::string& type, const PolicyKeys& keys) const
    {
        const ExpertPlan plan = PlanOnce(m_setting, m_counts, type, keys);
        return FindFigures(m_setting, m_counts, plan).loads;
    }
};

TEST_P(HandSizedPlans, AreThoseOfThePage)
{
    ASSERT_EQ(m_counts.GetLoads(), GetParam().experts);
    EXPECT_EQ(ListCopies(PlanOnce(m_setting, m_counts, "MoonEp")), GetParam().moon);
    EXPECT_EQ(
        ListCopies(PlanOnce(m_setting, m_counts, "Llep", {{"Alpha", "1"}, {"MinTokens", "64"}})),
        GetParam().llep);
    EXPECT_EQ(FindLoads("Llep", {{"Alpha", "1"}}), GetParam().llepLoads);
    EXPECT_EQ(FindLoads("UltraEp", {}), GetParam().ultraLoads);
    EXPECT_EQ(FindLoads("Echo", {}), GetParam().echoLoads);
}

INSTANTIATE_TEST_SUITE_P(Section72,
                         HandSizedPlans,
                         testing::ValuesIn(kHandRows),
                         [](const testing::TestParamInfo<HandRow>& row) {
                             return row.param.workload;
                         });

TEST(CopyingPolicy, WorksInOneGroupOnly)
{
    ExpertSetting setting = MakeOneServer(4, 8, 2, 128);
    for (const char* type : {"MoonEp", "UltraEp", "Llep", "Echo"})
    {
        EXPECT_NO_THROW(MakePolicy(type)->Check(setting)) << type;
    }
    setting.expertParallel = 2;
    for (const char* type : {"MoonEp", "UltraEp", "Llep", "Echo"})
    {
        EXPECT_THROW(MakePolicy(type)->Check(setting), ConfigurationError) << type;
    }
}

} // namespace

} // namespace ns3::rails::test
