// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/imbalance-token-load.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

using Counts = std::vector<uint32_t>;

Ptr<ImbalanceTokenLoad>
MakeImbalance(const std::string& workload)
{
    const auto load = CreateObject<ImbalanceTokenLoad>();
    load->SetAttribute("Workload", StringValue(workload));
    return load;
}

Counts
Draw(const std::string& workload, uint32_t step, const LoadShape& shape)
{
    LoadPlace place;
    place.iteration = step;
    return MakeImbalance(workload)->Draw(shape, place);
}

/// \return the most that a GPU gets over the mean
double
FindRankPeak(const std::string& workload, uint32_t ranks)
{
    const Counts counts = Draw(workload, 0, {1, 256, 8, 1024});
    const uint32_t perRank = 256 / ranks;
    double peak = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const auto first = counts.begin() + rank * perRank;
        peak = std::max(peak, std::accumulate(first, first + perRank, 0.0));
    }
    return peak * ranks / (1024 * 8);
}

} // namespace

TEST(ImbalanceTokenLoadTest, HistogramsAreThoseOfTheBenchmark)
{
    const LoadShape small{1, 8, 2, 128};
    const LoadShape large{1, 8, 4, 512};
    EXPECT_EQ(Draw("w1", 0, small), (Counts{103, 106, 8, 8, 9, 7, 5, 10}));
    EXPECT_EQ(Draw("w1", 0, large), (Counts{450, 438, 456, 441, 75, 64, 65, 59}));
    EXPECT_EQ(Draw("w2", 0, small), (Counts{102, 103, 11, 7, 8, 9, 8, 8}));
    EXPECT_EQ(Draw("w2", 0, large), (Counts{449, 444, 453, 442, 68, 80, 62, 50}));
    EXPECT_EQ(Draw("w3", 0, small), (Counts{47, 8, 61, 11, 51, 9, 61, 8}));
    EXPECT_EQ(Draw("w3", 0, large), (Counts{456, 68, 445, 59, 450, 69, 436, 65}));
    EXPECT_EQ(Draw("w4", 0, small), (Counts{28, 25, 29, 34, 33, 32, 41, 34}));
    EXPECT_EQ(Draw("w4", 0, large), (Counts{248, 246, 270, 258, 253, 278, 241, 254}));
    EXPECT_EQ(Draw("w5", 0, small), (Counts{0, 0, 0, 0, 66, 55, 66, 69}));
    EXPECT_EQ(Draw("w5", 0, large), (Counts{0, 0, 0, 0, 512, 512, 512, 512}));
    EXPECT_EQ(Draw("w6", 0, small), (Counts{106, 104, 6, 6, 12, 9, 8, 5}));
    EXPECT_EQ(Draw("w6", 0, large), (Counts{450, 443, 438, 453, 72, 70, 62, 60}));
    EXPECT_EQ(Draw("w6", 3, small), (Counts{8, 12, 102, 106, 11, 7, 6, 4}));
    EXPECT_EQ(Draw("w6", 3, large), (Counts{64, 67, 69, 64, 451, 450, 441, 442}));
    EXPECT_EQ(Draw("w7", 0, small), (Counts{27, 33, 39, 28, 35, 27, 33, 34}));
    EXPECT_EQ(Draw("w7", 0, large), (Counts{254, 268, 252, 244, 256, 241, 260, 273}));
    EXPECT_EQ(Draw("w7", 3, small), (Counts{80, 77, 11, 17, 17, 17, 18, 19}));
    EXPECT_EQ(Draw("w7", 3, large), (Counts{395, 380, 392, 378, 107, 117, 138, 141}));
}

TEST(ImbalanceTokenLoadTest, RanksAreAsUnequalAsInTheBenchmark)
{
    EXPECT_NEAR(FindRankPeak("w1", 8), 3.269, 5e-4);
    EXPECT_NEAR(FindRankPeak("w1", 32), 3.445, 5e-4);
    EXPECT_NEAR(FindRankPeak("w1", 64), 3.680, 5e-4);
    EXPECT_NEAR(FindRankPeak("w3", 32), 1.125, 5e-4);
    EXPECT_NEAR(FindRankPeak("w4", 64), 1.266, 5e-4);
    EXPECT_NEAR(FindRankPeak("w5", 32), 2.148, 5e-4);
}

TEST(ImbalanceTokenLoadTest, TokensGoToDifferentExpertsAndAllOfThemAreCounted)
{
    const LoadShape shape{3, 16, 4, 64};
    for (const char* workload : {"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w2-corrected"})
    {
        const Ptr<ImbalanceTokenLoad> load = MakeImbalance(workload);
        const Counts tokens = load->DrawTokens(shape, 3);
        ASSERT_EQ(tokens.size(), 64U * 4);
        for (std::size_t token = 0; token < 64; ++token)
        {
            const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(4 * token);
            EXPECT_EQ(std::set<uint32_t>(first, first + 4).size(), 4U) << workload;
        }
        const Counts counts = Draw(workload, 3, shape);
        for (std::size_t source = 0; source < 3; ++source)
        {
            const auto first = counts.begin() + static_cast<std::ptrdiff_t>(16 * source);
            EXPECT_EQ(std::accumulate(first, first + 16, 0U), 64U * 4) << workload;
        }
    }
}

// In the benchmark the quarter of the experts that is hot has a quarter of the GPUs.
TEST(ImbalanceTokenLoadTest, OneGpuIsHotInTheCorrectedWorkloadAndItsExpertsAreAlike)
{
    // With 64 GPUs it takes two to have the eight experts of a token.
    for (const auto& [gpus, hot] : std::map<uint32_t, uint32_t>{{8, 1}, {32, 1}, {64, 2}})
    {
        const uint32_t perGpu = 256 / gpus;
        const uint32_t cold = hot * perGpu; // the first of these experts
        const Counts counts = Draw("w2-corrected", 0, {gpus, 256, 8, 4096});
        // Three of four tokens go to them alone, the others anywhere.
        const double tokens = 4096 * 8;
        const double atHot = tokens * 0.75 / cold + tokens * 0.25 / 256;
        const double elsewhere = tokens * 0.25 / 256;
        for (uint32_t expert = 0; expert < 256; ++expert)
        {
            const double expected = expert < cold ? atHot : elsewhere;
            EXPECT_NEAR(counts[expert], expected, 5 * std::sqrt(expected))
                << gpus << " GPUs, expert " << expert;
        }
    }
}

TEST(ImbalanceTokenLoadTest, GpusHaveDifferentNumbersOfTokensInTheCorrectedWorkload)
{
    const LoadShape shape{64, 256, 8, 1024};
    const Ptr<ImbalanceTokenLoad> load = MakeImbalance("w4-corrected");
    const Counts tokens = load->CountTokens(shape, 0);
    EXPECT_EQ(std::accumulate(tokens.begin(), tokens.end(), 0U), 64U * 1024);
    EXPECT_GE(*std::min_element(tokens.begin(), tokens.end()), 512U);
    EXPECT_LE(*std::max_element(tokens.begin(), tokens.end()), 1536U);
    EXPECT_GT(std::set<uint32_t>(tokens.begin(), tokens.end()).size(), 32U);
    double square = 0;
    for (const uint32_t count : tokens)
    {
        square += (count - 1024.0) * (count - 1024.0) / 64;
    }
    EXPECT_NEAR(std::sqrt(square), 1024 / std::sqrt(12), 60) << "uniform over one batch";
    EXPECT_NE(load->CountTokens(shape, 1), tokens);

    const Counts counts = load->Draw(shape, {});
    Counts atExperts(256, 0);
    for (std::size_t source = 0; source < 64; ++source)
    {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(256 * source);
        EXPECT_EQ(std::accumulate(first, first + 256, 0U), 8 * tokens[source]);
        std::transform(atExperts.begin(), atExperts.end(), first, atExperts.begin(), std::plus<>());
    }
    const double mean = 64.0 * 1024 * 8 / 256;
    EXPECT_LT(*std::max_element(atExperts.begin(), atExperts.end()), 1.7 * mean)
        << "all GPUs choose the same, so experts are as unequal as for one of them";
    const auto all = TokenSplit::OfWholeExperts(counts, Counts(256, 0), 1);
    EXPECT_EQ(load->CountCopies(shape, {}, counts, all), tokens) << "a copy for each token";
}

// Recorded when an expert could be in one set only.
TEST(ImbalanceTokenLoadTest, CopiesOfWholeExpertsAreThoseOfExpertsThatCannotBeSplit)
{
    const LoadShape shape{4, 16, 4, 64};
    const auto count = [&](const std::string& workload) {
        const Ptr<ImbalanceTokenLoad> load = MakeImbalance(workload);
        const Counts counts = load->Draw(shape, {});
        const Counts setOf{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
        return load->CountCopies(shape, {}, counts, TokenSplit::OfWholeExperts(counts, setOf, 4));
    };
    EXPECT_EQ(count("w1"),
              (Counts{61, 11, 11, 11, 61, 11, 11, 11, 61, 11, 11, 11, 61, 11, 11, 11}));
    EXPECT_EQ(count("w4-corrected"),
              (Counts{25, 32, 28, 28, 24, 31, 28, 27, 61, 73, 71, 67, 60, 73, 71, 66}));
}

TEST(ImbalanceTokenLoadTest, TokensOfASplitExpertGoToItsPartsInTheirOrder)
{
    const LoadShape shape{6, 16, 4, 64};
    constexpr uint32_t sets = 5;
    for (const char* workload : {"w0", "w1", "w4", "w4-corrected"})
    {
        const Ptr<ImbalanceTokenLoad> load = MakeImbalance(workload);
        const Counts counts = load->Draw(shape, {});
        const Counts chosen = load->DrawTokens(shape, 0);
        const Counts tokens = load->CountTokens(shape, 0);
        std::vector<SplitPart> parts;
        std::vector<std::set<uint32_t>> reached(shape.sources * sets); // tokens, by source and set
        for (uint32_t source = 0; source < shape.sources; ++source)
        {
            for (uint32_t expert = 0; expert < shape.experts; ++expert)
            {
                Counts order; // tokens that go to the expert
                for (uint32_t at = 0; at < tokens[source] * shape.topK; ++at)
                {
                    if (chosen[at] == expert)
                    {
                        order.push_back(at / shape.topK);
                    }
                }
                ASSERT_EQ(order.size(), counts[source * shape.experts + expert]);
                // Pieces that differ with the source (two are alike), until some are dropped.
                uint32_t at = 0;
                for (uint32_t piece = 0; piece < expert % 4 + 1; ++piece)
                {
                    const uint32_t set = (expert + source / 2 + piece) % 3 + piece % 2;
                    const auto size = static_cast<uint32_t>(
                        std::min<std::size_t>(order.size() - at, 3 * piece + expert));
                    parts.push_back({source, expert, set, size});
                    for (const uint32_t end = at + size; at < end; ++at)
                    {
                        reached[source * sets + set].insert(order[at]);
                    }
                }
            }
        }
        const TokenSplit split(shape.sources, shape.experts, sets, parts);
        const Counts copies = load->CountCopies(shape, {}, counts, split);
        ASSERT_EQ(copies.size(), reached.size());
        for (std::size_t at = 0; at < copies.size(); ++at)
        {
            EXPECT_EQ(copies[at], reached[at].size())
                << workload << ", source " << at / sets << ", set " << at % sets;
        }
    }
}

TEST(ImbalanceTokenLoadTest, AllMicrobatchesOfAnIterationAreEqual)
{
    const LoadShape shape{4, 16, 2, 64};
    for (const char* workload : {"w0", "w1", "w6", "w7", "w2-corrected", "w4-corrected"})
    {
        const Ptr<ImbalanceTokenLoad> load = MakeImbalance(workload);
        ASSERT_EQ(load->GetCycle(shape), 1U);
        for (const uint32_t iteration : {0U, 3U})
        {
            const Counts first = load->Draw(shape, {iteration, 0, 0, 0});
            EXPECT_EQ(first, load->Draw(shape, {iteration, 1, 5, 2})) << workload;
        }
    }
}

TEST(ImbalanceTokenLoadTest, MoreExpertsOfATokenThanThePoolHasAreRefused)
{
    EXPECT_THROW(MakeImbalance("w5")->Check({1, 8, 5, 16}), ConfigurationError);
    EXPECT_NO_THROW(MakeImbalance("w5")->Check({1, 8, 4, 16}));
}

} // namespace ns3::rails
