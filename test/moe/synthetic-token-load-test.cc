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
#include <random>
#include <set>
#include <string>
#include <utility>
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
    for (const LoadShape& shape : {LoadShape{8, 16, 4, 500}, LoadShape{8, 16, 4, 500, 8, 2}})
    {
        for (const char* preset : {"uniform", "no-aux", "aux-loss", "loss-free", "zipf"})
        {
            const auto load = MakeLoad(preset);
            load->SetAttribute("Exponent", DoubleValue(shape.groups == 1 ? 3 : 10));
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
    const LoadShape two{1, 4, 2, 1};
    const std::vector<double> equal(4, 0.5);
    const std::vector<uint32_t> halves{0, 0, 1, 1};
    EXPECT_NEAR(FindSetInclusion(two, equal, halves, 2)[0], 5.0 / 6, 1e-9);
    EXPECT_NEAR(FindSetInclusion(two, equal, {0, 1, 1, 1}, 2)[0], 0.5, 1e-9);
    EXPECT_NEAR(FindSetInclusion(two, equal, {0, 1, 1, 1}, 2)[1], 1, 1e-9);
    const LoadShape all{1, 64, 64, 1};
    EXPECT_EQ(FindSetInclusion(all, std::vector<double>(64, 1), std::vector<uint32_t>(64, 0), 1)[0],
              1)
        << "a token goes to all experts";
}

TEST(SyntheticTokenLoadTest, OfAllChoicesThoseCountThatReachFewGroups)
{
    // Of 6 experts in 3 groups 2: the 3 choices inside a group count, not the 12 over two.
    const LoadShape one{1, 6, 2, 1, 3, 1};
    const std::vector<uint32_t> groups{0, 0, 1, 1, 2, 2};
    const std::vector<double> equal(6, 1.0 / 3);
    for (const double chance : FindSetInclusion(one, equal, groups, 3))
    {
        EXPECT_NEAR(chance, 1.0 / 3, 1e-9);
    }
    for (const double chance : LimitInclusion(one, equal))
    {
        EXPECT_NEAR(chance, 1.0 / 3, 1e-9);
    }
    // Of a set over two groups: any choice but that of the last group.
    EXPECT_NEAR(FindSetInclusion(one, equal, {0, 1, 1, 0, 2, 2}, 3)[0], 2.0 / 3, 1e-9);

    // Odds 1, 1, 1/4, 1/4, 1, 1/4 make choices of 1, 1/16 and 1/4.
    const std::vector<double> unequal = LimitInclusion(one, {0.5, 0.5, 0.2, 0.2, 0.5, 0.2});
    EXPECT_NEAR(unequal[0], 16.0 / 21, 1e-9);
    EXPECT_NEAR(unequal[3], 1.0 / 21, 1e-9);
    EXPECT_NEAR(unequal[5], 4.0 / 21, 1e-9);

    // Two of two groups are no limit.
    const std::vector<double> some{0.3, 0.7, 0.6, 0.4};
    const std::vector<uint32_t> halves{0, 0, 1, 1};
    const auto limited = FindSetInclusion({1, 4, 2, 1, 2, 2}, some, halves, 2);
    const auto free = FindSetInclusion({1, 4, 2, 1}, some, halves, 2);
    EXPECT_NEAR(limited[0], free[0], 1e-6);
    EXPECT_NEAR(limited[1], free[1], 1e-6);
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

/// Tokens that choose experts as DeepSeek-V3 does: groups by the sum of their two highest scores,
/// and of these groups the experts with the highest. Scores are such that without groups experts
/// would be drawn by their shares, one after the other.
class GroupedTokens
{
  public:
    GroupedTokens(const LoadShape& shape, const std::vector<double>& shares)
        : m_shape(shape),
          m_shares(shares)
    {
    }

    std::vector<uint32_t> Draw()
    {
        std::vector<double> scores(m_shape.experts);
        for (uint32_t expert = 0; expert < m_shape.experts; ++expert)
        {
            scores[expert] = std::log(m_shares[expert]) - std::log(m_exponential(m_random));
        }
        std::vector<std::pair<double, uint32_t>> groups;
        const uint32_t size = m_shape.experts / m_shape.groups;
        for (uint32_t group = 0; group < m_shape.groups; ++group)
        {
            const auto first = scores.begin() + group * size;
            std::vector<double> own(first, first + size);
            std::sort(own.rbegin(), own.rend());
            groups.emplace_back(own[0] + own[1], group);
        }
        std::sort(groups.rbegin(), groups.rend());
        std::vector<std::pair<double, uint32_t>> experts;
        for (uint32_t i = 0; i < m_shape.topGroups; ++i)
        {
            for (uint32_t k = 0; k < size; ++k)
            {
                const uint32_t expert = groups[i].second * size + k;
                experts.emplace_back(scores[expert], expert);
            }
        }
        std::sort(experts.rbegin(), experts.rend());
        std::vector<uint32_t> chosen;
        for (uint32_t i = 0; i < m_shape.topK; ++i)
        {
            chosen.push_back(experts[i].second);
        }
        return chosen;
    }

  private:
    LoadShape m_shape;
    std::vector<double> m_shares;
    std::mt19937 m_random{5};
    std::exponential_distribution<double> m_exponential;
};

// DeepSeek-V3 on 64 GPUs of 8 servers, so that a group of experts is a server.
TEST(SyntheticTokenLoadTest, CopiesAreAsManyAsTokensThatReachFewGroupsNeed)
{
    const LoadShape shape{64, 256, 8, 512, 8, 4};
    for (const char* preset : {"uniform", "loss-free", "aux-loss", "no-aux"})
    {
        const auto load = MakeLoad(preset);
        load->SetAttribute("Spread", DoubleValue(0));
        GroupedTokens tokens(shape, load->GetShares(shape.experts, 0, 0));
        constexpr uint32_t samples = 4'000;
        double servers = 0;
        double gpus = 0;
        for (uint32_t sample = 0; sample < samples; ++sample)
        {
            std::set<uint32_t> reachedServers;
            std::set<uint32_t> reachedGpus;
            for (const uint32_t expert : tokens.Draw())
            {
                reachedServers.insert(expert / 32);
                reachedGpus.insert(expert / 4);
            }
            servers += static_cast<double>(reachedServers.size()) / samples;
            gpus += static_cast<double>(reachedGpus.size()) / samples;
        }
        const auto counts = load->Draw(shape, {});
        const auto countCopies = [&](uint32_t sets) {
            std::vector<uint32_t> setOf(shape.experts);
            for (uint32_t expert = 0; expert < shape.experts; ++expert)
            {
                setOf[expert] = expert / (shape.experts / sets);
            }
            const auto copies = load->CountCopies(shape, {}, counts, setOf, sets);
            return std::accumulate(copies.begin(), copies.end(), 0.0) /
                   (double{1} * shape.sources * shape.tokens);
        };
        EXPECT_NEAR(countCopies(8), servers, 0.025 * servers) << preset;
        EXPECT_NEAR(countCopies(64), gpus, 0.025 * gpus) << preset;
        EXPECT_LT(countCopies(8), 4) << preset;
    }
}

TEST(SyntheticTokenLoadTest, CountsAreDistributedAsTokensThatReachFewGroups)
{
    const LoadShape shape{64, 256, 8, 128, 8, 4};
    const auto load = MakeLoad("aux-loss");
    load->SetAttribute("Spread", DoubleValue(0));
    const auto counts = load->Draw(shape, {});
    GroupedTokens tokens(shape, load->GetShares(shape.experts, 0, 0));
    const auto describe = [](const std::vector<double>& values) {
        const double size = static_cast<double>(values.size());
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
        double square = 0;
        for (const double value : values)
        {
            square += (value - mean) * (value - mean) / size;
        }
        return std::pair(mean, std::sqrt(square));
    };
    std::vector<std::vector<double>> drawn(8);
    std::vector<std::vector<double>> chosen(8); // by group: pairs of a source
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        std::vector<double> own(8, 0);
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            own[expert / 32] += counts[source * shape.experts + expert];
        }
        std::vector<double> byToken(8, 0);
        for (uint32_t token = 0; token < shape.tokens; ++token)
        {
            for (const uint32_t expert : tokens.Draw())
            {
                ++byToken[expert / 32];
            }
        }
        for (uint32_t group = 0; group < 8; ++group)
        {
            drawn[group].push_back(own[group]);
            chosen[group].push_back(byToken[group]);
        }
    }
    double spread = 0;
    double tokenSpread = 0;
    for (uint32_t group = 0; group < 8; ++group)
    {
        const auto [mean, deviation] = describe(drawn[group]);
        const auto [tokenMean, tokenDeviation] = describe(chosen[group]);
        EXPECT_NEAR(mean, tokenMean, 0.03 * tokenMean) << group;
        spread += deviation / 8;
        tokenSpread += tokenDeviation / 8;
    }
    // Drawn expert by expert in a group that is reached, it is an eighth more.
    EXPECT_NEAR(spread, tokenSpread, 0.15 * tokenSpread);
}

} // namespace ns3::rails
