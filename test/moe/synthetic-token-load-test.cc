// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/distinct-sampler.h"
#include "ns3/double.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/synthetic-token-load.h"
#include "ns3/token-copies.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

Ptr<SyntheticTokenLoad>
MakeLoad(const std::string& preset, int64_t stream = 1)
{
    const auto load = CreateObject<SyntheticTokenLoad>();
    load->SetAttribute("Preset", StringValue(preset));
    load->AssignStreams(stream);
    load->Start();
    return load;
}

double
FindPeak(const std::vector<double>& shares)
{
    return *std::max_element(shares.begin(), shares.end()) * static_cast<double>(shares.size());
}

} // namespace

TEST(SyntheticTokenLoadTest, EverySourceHasAllItsTokensAndNoneMoreThanOnceAtAnExpert)
{
    const LoadShape shape{8, 16, 4, 500};
    for (const char* preset : {"uniform", "no-aux", "aux-loss", "loss-free", "zipf"})
    {
        const auto load = MakeLoad(preset);
        load->SetAttribute("Exponent", DoubleValue(3));
        for (uint32_t layer = 0; layer < 10; ++layer)
        {
            const std::vector<uint32_t> counts = load->Draw(shape, {2, layer, 1, 0});
            for (uint32_t source = 0; source < shape.sources; ++source)
            {
                const auto first = counts.begin() + source * shape.experts;
                EXPECT_EQ(std::accumulate(first, first + shape.experts, 0U), 2000U) << preset;
                EXPECT_LE(*std::max_element(first, first + shape.experts), 500U) << preset;
            }
        }
    }
}

TEST(SyntheticTokenLoadTest, CountsDoNotDependOnTheOrderOfAsking)
{
    const LoadShape shape{4, 32, 2, 100};
    const auto one = MakeLoad("no-aux");
    const auto other = MakeLoad("no-aux");
    const auto first = one->Draw(shape, {0, 0, 0, 0});
    const auto second = one->Draw(shape, {1, 5, 2, 1});
    EXPECT_EQ(other->Draw(shape, {1, 5, 2, 1}), second);
    EXPECT_EQ(other->Draw(shape, {0, 0, 0, 0}), first);
    EXPECT_NE(first, second);
    EXPECT_NE(MakeLoad("no-aux", 2)->Draw(shape, {0, 0, 0, 0}), first);
}

TEST(SyntheticTokenLoadTest, SharesAreAsUnequalAsThePresetSays)
{
    double three = 0;
    for (uint32_t layer = 0; layer < 20; ++layer)
    {
        EXPECT_NEAR(FindPeak(MakeLoad("aux-loss")->GetShares(64, layer, 0)), 1.6, 1e-9);
        EXPECT_NEAR(FindPeak(MakeLoad("loss-free")->GetShares(64, layer, 0)), 1.04, 1e-9);
        EXPECT_NEAR(FindPeak(MakeLoad("uniform")->GetShares(64, layer, 7)), 1, 1e-12);
        std::vector<double> shares = MakeLoad("no-aux")->GetShares(16, layer, 0);
        std::sort(shares.rbegin(), shares.rend());
        three = shares[0] + shares[1] + shares[2];
    }
    EXPECT_NEAR(three, 0.58, 0.01) << "Zipf 1.1 over 16 experts";
}

TEST(SyntheticTokenLoadTest, SharesDriftByTheGivenPartInTenIterations)
{
    const auto load = MakeLoad("no-aux");
    double square = 0;
    int samples = 0;
    for (uint32_t layer = 0; layer < 40; ++layer)
    {
        // From far enough on that what was drawn first is forgotten.
        const std::vector<double> before = load->GetShares(32, layer, 400);
        const std::vector<double> after = load->GetShares(32, layer, 410);
        for (std::size_t expert = 0; expert < before.size(); ++expert, ++samples)
        {
            const double change = std::log(after[expert] / before[expert]);
            square += change * change;
        }
    }
    EXPECT_NEAR(std::sqrt(square / samples), 0.1, 0.01);
}

TEST(SyntheticTokenLoadTest, InclusionAddsUpToTheExpertsOfAToken)
{
    const std::vector<double> shares{0.9, 0.05, 0.03, 0.02};
    const std::vector<double> inclusion = FindInclusion(shares, 2);
    EXPECT_NEAR(std::accumulate(inclusion.begin(), inclusion.end(), 0.0), 2, 1e-9);
    EXPECT_LE(inclusion.front(), 1);
    EXPECT_EQ(FindInclusion(shares, 4), std::vector<double>(4, 1));
}

TEST(SyntheticTokenLoadTest, SetsAreIncludedAsInAllChoicesOfSoManyExperts)
{
    // Of 4 experts 2: of the 6 choices one leaves out the first two, all have one of the last
    // three.
    const std::vector<double> equal(4, 0.5);
    const std::vector<uint32_t> halves{0, 0, 1, 1};
    EXPECT_NEAR(FindSetInclusion(equal, 2, halves, 2)[0], 5.0 / 6, 1e-9);
    EXPECT_NEAR(FindSetInclusion(equal, 2, {0, 1, 1, 1}, 2)[0], 0.5, 1e-9);
    EXPECT_NEAR(FindSetInclusion(equal, 2, {0, 1, 1, 1}, 2)[1], 1, 1e-9);
    EXPECT_EQ(FindSetInclusion(std::vector<double>(64, 1), 64, std::vector<uint32_t>(64, 0), 1)[0],
              1)
        << "a token goes to all experts";
}

// 64 GPUs on 8 servers, 256 experts of which a token goes to 8.
TEST(SyntheticTokenLoadTest, CopiesAreAsManyAsTokensThatChooseOneByOneNeed)
{
    const LoadShape shape{64, 256, 8, 512};
    for (const char* preset : {"uniform", "loss-free", "aux-loss", "no-aux"})
    {
        const auto load = MakeLoad(preset);
        load->SetAttribute("Spread", DoubleValue(0));
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        RandomBits bits(random);
        DistinctSampler sampler(load->GetShares(shape.experts, 0, 0));
        for (const uint32_t sets : {8U, 64U})
        {
            std::vector<uint32_t> setOf(shape.experts);
            for (uint32_t expert = 0; expert < shape.experts; ++expert)
            {
                setOf[expert] = expert / (shape.experts / sets);
            }
            const auto counts = load->Draw(shape, {});
            const auto copies = load->CountCopies(shape, {}, counts, setOf, sets);
            const double drawn = std::accumulate(copies.begin(), copies.end(), 0.0) / shape.sources;
            constexpr uint32_t tokens = 20'000;
            double chosen = 0;
            for (uint32_t token = 0; token < tokens; ++token)
            {
                std::set<uint32_t> reached;
                for (const uint32_t expert : sampler.Draw(shape.topK, bits))
                {
                    reached.insert(setOf[expert]);
                }
                chosen += static_cast<double>(reached.size());
            }
            const double expected = chosen / tokens * shape.tokens;
            EXPECT_NEAR(drawn, expected, 0.02 * expected) << preset << ", " << sets << " sets";
        }
    }
}

// Counts are drawn at once. Token by token they have the same mean and the same spread.
TEST(SyntheticTokenLoadTest, CountsAreDistributedAsTokensThatChooseOneByOne)
{
    const LoadShape shape{64, 16, 2, 256};
    const auto load = MakeLoad("no-aux");
    load->SetAttribute("Spread", DoubleValue(0));
    const std::vector<double> inclusion =
        FindInclusion(load->GetShares(shape.experts, 0, 0), shape.topK);
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(5);
    RandomBits bits(random);
    DistinctSampler sampler(load->GetShares(shape.experts, 0, 0));
    constexpr uint32_t rounds = 20;
    for (const uint32_t expert : {0U, 3U, 7U, 15U})
    {
        double sum = 0;
        double square = 0;
        double tokenSum = 0;
        double tokenSquare = 0;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const std::vector<uint32_t> counts = load->Draw(shape, {0, 0, round, 0});
            for (uint32_t source = 0; source < shape.sources; ++source)
            {
                const double count = counts[source * shape.experts + expert];
                sum += count;
                square += count * count;
            }
        }
        constexpr uint32_t sources = 200;
        for (uint32_t source = 0; source < sources; ++source)
        {
            double count = 0;
            for (uint32_t token = 0; token < shape.tokens; ++token)
            {
                const auto chosen = sampler.Draw(shape.topK, bits);
                count += static_cast<double>(std::count(chosen.begin(), chosen.end(), expert));
            }
            tokenSum += count;
            tokenSquare += count * count;
        }
        const double samples = rounds * shape.sources;
        const double mean = sum / samples;
        const double spread = std::sqrt(square / samples - mean * mean);
        const double tokenMean = tokenSum / sources;
        const double tokenSpread = std::sqrt(tokenSquare / sources - tokenMean * tokenMean);
        EXPECT_NEAR(mean, inclusion[expert] * shape.tokens, 4 * spread / std::sqrt(samples));
        // Drawing without replacement in turn is not quite the same as for each expert alone.
        EXPECT_NEAR(mean, tokenMean, 0.06 * tokenMean + 4 * tokenSpread / std::sqrt(sources));
        EXPECT_NEAR(spread, tokenSpread, 0.2 * tokenSpread);
    }
}

} // namespace ns3::rails
