// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/**
 * UltraEP's own generator in expectation (moe-runtime-2026, section 3.3): weights of experts by a
 * power law over GPUs and one within them, K different ones for each token.
 */
class PowerLaw
{
  public:
    explicit PowerLaw(const ExpertSetting& setting)
        : m_setting(setting)
    {
    }

    /// \param peak wanted max/mean over GPUs
    TokenCounts Draw(double peak) const
    {
        double low = 0;
        double high = 4;
        for (uint32_t i = 0; i < 60; ++i)
        {
            const double middle = (low + high) / 2;
            (GetPeak(FindShares(middle)) < peak ? low : high) = middle;
        }
        const uint32_t gpus = m_setting.cluster.gpus;
        TokenCounts counts(gpus, m_setting.experts);
        const std::vector<double> shares = FindShares(high);
        for (uint32_t source = 0; source < gpus; ++source)
        {
            for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
            {
                counts.Set(source,
                           expert,
                           static_cast<uint32_t>(std::lround(shares[expert] * m_setting.tokens)));
            }
        }
        return counts;
    }

  private:
    /// \return by expert, share of the tokens that have it among their K
    std::vector<double> FindShares(double alpha) const
    {
        const uint32_t homes = m_setting.GetHomes();
        std::vector<double> weights;
        for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
        {
            weights.push_back(std::pow(expert / homes + 1, -alpha) *
                              std::pow(expert % homes + 1, -4));
        }
        double low = 0;
        double high = 1e6;
        std::vector<double> shares(weights.size());
        for (uint32_t i = 0; i < 100; ++i)
        {
            const double lambda = (low + high) / 2;
            std::transform(weights.begin(), weights.end(), shares.begin(), [=](double weight) {
                return 1 - std::exp(-lambda * weight);
            });
            const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
            (sum < m_setting.topK ? low : high) = lambda;
        }
        return shares;
    }

    double GetPeak(const std::vector<double>& shares) const
    {
        std::vector<double> loads(m_setting.cluster.gpus);
        for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
        {
            loads[m_setting.GetHome(expert)] += shares[expert];
        }
        return *std::max_element(loads.begin(), loads.end()) * m_setting.cluster.gpus /
               m_setting.topK;
    }

    ExpertSetting m_setting;
};

TEST(UltraEpExpertPolicy, NeedsAsManyCopiesAsPublishedOnItsOwnLoads)
{
    struct Published
    {
        double peak;
        uint64_t copies;
        uint64_t mostOfAnExpert;
    };

    const ExpertSetting setting = MakeOneServer(64, 256, 8, 8192);
    for (const Published& row : {Published{1.5, 38, 4}, {2, 46, 5}, {3, 51, 6}})
    {
        SCOPED_TRACE(row.peak);
        const TokenCounts counts = PowerLaw(setting).Draw(row.peak);
        const ExpertPlan plan = PlanOnce(setting, counts, "UltraEp");
        ASSERT_EQ(FindDefect(setting, counts, plan), "");
        std::vector<uint64_t> copies(256);
        for (const ExpertTransfer& transfer : plan.weights)
        {
            ++copies[transfer.expert];
        }
        const PlanFigures figures = FindFigures(setting, counts, plan);
        RecordProperty("copies" + std::to_string(row.copies), static_cast<int>(figures.copies));
        EXPECT_NEAR(static_cast<double>(figures.copies), static_cast<double>(row.copies), 3);
        EXPECT_LE(*std::max_element(copies.begin(), copies.end()), row.mostOfAnExpert);
        EXPECT_LE(figures.maxOverMean, 1.0101);
    }
}

TEST(UltraEpExpertPolicy, GivesUpWhereAllItsProbesFailUnlessTheBestOfThemIsAskedFor)
{
    const ExpertSetting setting = MakeOneServer(32, 256, 8, 1024);
    const TokenCounts counts = DrawImbalance(setting, "w5", 0);
    const ExpertPlan published = PlanOnce(setting, counts, "UltraEp");
    EXPECT_TRUE(published.weights.empty());
    const ExpertPlan best = PlanOnce(setting, counts, "UltraEp", {{"Search", "best"}});
    EXPECT_EQ(FindDefect(setting, counts, best), "");
    EXPECT_LT(FindFigures(setting, counts, best).maxOverMean,
              FindFigures(setting, counts, published).maxOverMean);
    EXPECT_LE(best.weights.size(), 64U);
}

TEST(UltraEpExpertPolicy, BestIsNeverAboveWhatIsPublished)
{
    const ExpertSetting setting = MakeOneServer(64, 256, 8, 1024);
    for (const char* workload : {"w1", "w3", "w4", "w5", "w6", "w7"})
    {
        const TokenCounts counts = DrawImbalance(setting, workload, 3);
        const auto find = [&](const PolicyKeys& keys) {
            return FindFigures(setting, counts, PlanOnce(setting, counts, "UltraEp", keys))
                .maxOverMean;
        };
        EXPECT_LE(find({{"Search", "best"}}), find({})) << workload;
    }
}

TEST(UltraEpExpertPolicy, CopiesNothingAcrossDomains)
{
    ExpertSetting setting = MakeOneServer(32, 256, 8, 1024);
    setting.cluster.gpusPerServer = 8;
    const TokenCounts counts = DrawImbalance(setting, "w1", 0);
    const ExpertPlan plan = PlanOnce(setting, counts, "UltraEp", {{"Slots", "8"}});
    ASSERT_FALSE(plan.weights.empty());
    const PlanFigures figures = FindFigures(setting, counts, plan);
    EXPECT_EQ(figures.weights.across, 0U);
    const std::vector<uint64_t> loads = counts.GetLoads();
    const double first = std::accumulate(loads.begin(), loads.begin() + 64, 0.0);
    const double residual = first * 4 / static_cast<double>(counts.GetTotal());
    EXPECT_GE(figures.maxOverMean, residual);
    EXPECT_NEAR(figures.maxOverMean, residual, 0.02 * residual);
}

TEST(UltraEpExpertPolicy, BalancesEachDomainByItself)
{
    // Means of 2,000 and 4,000, and 1% more.
    ExpertSetting setting = MakeOneServer(4, 4, 1, 3000);
    setting.cluster.gpusPerServer = 2;
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 4000);
    counts.Set(0, 2, 8000);
    EXPECT_EQ(ListCopies(PlanOnce(setting, counts, "UltraEp")),
              (std::vector<Copy>{{0, 1, 1980}, {2, 3, 3960}}));
}

TEST(UltraEpExpertPolicy, HomesKeepATokenOfEachExpertUnlessTheyNeedNot)
{
    // GPU 0 has 100 tokens of three experts, GPU 1 none: 50 of them go.
    const ExpertSetting setting = MakeOneServer(2, 6, 1, 50);
    TokenCounts counts(2, 6);
    counts.Set(0, 0, 40);
    counts.Set(0, 1, 30);
    counts.Set(0, 2, 30);
    const std::vector<Copy> kept{{0, 1, 39}, {1, 1, 11}};
    EXPECT_EQ(ListCopies(PlanOnce(setting, counts, "UltraEp", {{"MinTokens", "1"}})), kept);
    const std::vector<Copy> all{{0, 1, 40}, {1, 1, 10}};
    EXPECT_EQ(
        ListCopies(
            PlanOnce(setting, counts, "UltraEp", {{"MinTokens", "1"}, {"ZeroMaster", "true"}})),
        all);
    EXPECT_TRUE(PlanOnce(setting, counts, "UltraEp").weights.empty()); // copies of 1,024 tokens
}

TEST(UltraEpExpertPolicy, NothingIsCopiedBelowTheThreshold)
{
    const ExpertSetting setting = MakeOneServer(32, 256, 8, 1024);
    const TokenCounts counts = DrawImbalance(setting, "w3", 0); // max/mean 1.125
    EXPECT_TRUE(PlanOnce(setting, counts, "UltraEp", {{"Threshold", "1.13"}}).weights.empty());
    EXPECT_FALSE(PlanOnce(setting, counts, "UltraEp", {{"Threshold", "1.1"}}).weights.empty());
}

TEST(UltraEpExpertPolicy, OwnTokensStayUnlessAllAreDealtInProportion)
{
    // Expert 0 has 6,000 tokens of GPU 1; its home is to compute at most 3,030.
    const ExpertSetting setting = MakeOneServer(2, 2, 1, 3000);
    TokenCounts counts(2, 2);
    counts.Set(0, 0, 3000);
    counts.Set(1, 0, 3000);
    const ExpertPlan near = PlanOnce(setting, counts, "UltraEp");
    ASSERT_EQ(near.routes.size(), 3U);
    EXPECT_EQ(FindFigures(setting, counts, near).localTokens, 3000U + 2970U);
    const ExpertPlan dealt = PlanOnce(setting, counts, "UltraEp", {{"Locality", "false"}});
    ASSERT_EQ(dealt.routes.size(), 4U);
    EXPECT_EQ(dealt.routes[0].tokens, 1515U);
    EXPECT_EQ(dealt.routes[1].tokens, 1485U);
    EXPECT_EQ(dealt.routes[2].tokens, 1515U);
    EXPECT_EQ(FindDefect(setting, counts, dealt), "");
}

} // namespace

} // namespace ns3::rails::test
