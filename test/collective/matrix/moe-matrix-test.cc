// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/distinct-sampler.h"
#include "ns3/double.h"
#include "ns3/expert-dealer.h"
#include "ns3/pointer.h"
#include "ns3/popularity.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kMoeMatrixShape{4, 2};

Ptr<MatrixSource>
MakeMoe(uint32_t experts, uint32_t topK, Ptr<Popularity> popularity, uint32_t tokens = 1000)
{
    return Make<MatrixSource>("MoeMatrixSource",
                              "TokensPerGpu",
                              UintegerValue(tokens),
                              "TopK",
                              UintegerValue(topK),
                              "Hidden",
                              UintegerValue(10),
                              "BytesPerElement",
                              ByteSizeValue(ByteSize(2)),
                              "Experts",
                              UintegerValue(experts),
                              "Popularity",
                              PointerValue(popularity));
}

Ptr<Popularity>
MakeGiven(std::vector<double> shares)
{
    return Make<Popularity>("GivenPopularity", "Shares", NumberListValue(shares));
}

TEST(MoeMatrix, EveryTokenChoosesDistinctExperts)
{
    // Two experts are popular and two are wanted: with repetitions none would get every token.
    const TrafficMatrix matrix =
        Generate(MakeMoe(8, 2, MakeGiven({0, 0, 0, 1, 0, 9, 0, 0})), kMoeMatrixShape);
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 0; destination < 8; ++destination)
        {
            const bool chosen = (destination == 3 || destination == 5) && destination != source;
            EXPECT_EQ(GetBytes(matrix, source, destination), chosen ? 1000u * 20 : 0u);
        }
    }
}

TEST(MoeMatrix, RowsAddUpToTopKTimesTheTokens)
{
    // Expert 0 is on GPU 0, which passes over what it has for itself: without a share it has none.
    const TrafficMatrix matrix =
        Generate(MakeMoe(8, 3, MakeGiven({0, 1, 2, 3, 4, 5, 6, 7})), kMoeMatrixShape);
    uint64_t sum = 0;
    for (const Demand& demand : matrix.GetRow(0))
    {
        EXPECT_EQ(demand.bytes % 20, 0u);
        EXPECT_LE(demand.bytes, 1000u * 20);
        sum += demand.bytes;
    }
    EXPECT_EQ(sum, 3u * 1000 * 20);
}

TEST(MoeMatrix, SeveralExpertsOfAGpuAddUp)
{
    std::vector<double> shares(16, 0);
    shares[6] = 1; // GPU 3 has experts 6 and 7
    shares[7] = 1;
    const TrafficMatrix matrix = Generate(MakeMoe(16, 2, MakeGiven(shares)), kMoeMatrixShape);
    EXPECT_EQ(GetBytes(matrix, 0, 3), 2u * 1000 * 20);
    EXPECT_EQ(matrix.GetRow(0).size(), 1u);
}

TEST(MoeMatrix, AnExpertOnSeveralGpusIsDealtEvenly)
{
    // Expert 1 of 2 is on GPUs 4 to 7: 1001 tokens are 251, 250, 250, 250.
    const TrafficMatrix matrix = Generate(MakeMoe(2, 1, MakeGiven({0, 1}), 1001), kMoeMatrixShape);
    EXPECT_EQ(GetBytes(matrix, 0, 4), 251u * 20);
    EXPECT_EQ(GetBytes(matrix, 0, 5), 250u * 20);
    EXPECT_EQ(GetBytes(matrix, 0, 6), 250u * 20);
    EXPECT_EQ(GetBytes(matrix, 0, 7), 250u * 20);
    EXPECT_EQ(matrix.GetRow(0).size(), 4u);
}

TEST(MoeMatrix, DependsOnTheSeedAlone)
{
    for (const char* popularity : {"UniformPopularity", "ZipfPopularity", "DirichletPopularity"})
    {
        const auto hash = [&](uint64_t seed) {
            return Generate(MakeMoe(8, 2, Make<Popularity>(popularity)), kMoeMatrixShape, seed)
                .GetHash();
        };
        EXPECT_EQ(hash(1), hash(1)) << popularity;
        EXPECT_NE(hash(1), hash(2)) << popularity;
    }
}

TEST(MoeMatrix, EachMatrixHasItsOwnDefaultPopularity)
{
    Ptr<MatrixSource> a = Make<MatrixSource>("MoeMatrixSource");
    Ptr<MatrixSource> b = Make<MatrixSource>("MoeMatrixSource");
    PointerValue popularityOfA;
    PointerValue popularityOfB;
    a->GetAttribute("Popularity", popularityOfA);
    b->GetAttribute("Popularity", popularityOfB);
    ASSERT_TRUE(popularityOfA.GetObject());
    EXPECT_NE(popularityOfA.GetObject(), popularityOfB.GetObject());
}

TEST(MoeMatrix, RefusesWhatCannotBe)
{
    const auto check = [](uint32_t experts, uint32_t topK, Ptr<Popularity> popularity) {
        return [=] { MakeMoe(experts, topK, popularity)->Check(kMoeMatrixShape); };
    };
    Ptr<Popularity> uniform = Make<Popularity>("UniformPopularity");
    ExpectConfigurationError(check(12, 2, uniform), "experts", "12 experts and 8 GPUs");
    ExpectConfigurationError(check(3, 2, uniform), "experts", "multiple");
    ExpectConfigurationError(check(4, 5, uniform), "top_k", "5 distinct experts out of 4");
    ExpectConfigurationError(check(4, 2, MakeGiven({1, 1})), "popularity.shares", "found 2");
    ExpectConfigurationError(check(4, 2, MakeGiven({1, 0, 0, 0})),
                             "popularity.shares",
                             "only 1 have a share above 0");
    ExpectConfigurationError(check(4, 2, MakeGiven({1, 1, 1, -1})),
                             "popularity.shares",
                             "not negative");
    EXPECT_NO_THROW(check(4, 4, uniform)());
}

/// \return the shares with so many GPUs of a group
std::vector<std::vector<double>>
DrawShares(const Ptr<Popularity>& popularity, uint32_t sources, uint32_t experts)
{
    std::vector<std::vector<double>> shares;
    popularity->Start(experts);
    for (uint32_t source = 0; source < sources; ++source)
    {
        shares.push_back(*popularity->GetNext());
    }
    return shares;
}

TEST(Popularity, SharesAddUpToOne)
{
    for (const char* name : {"UniformPopularity", "ZipfPopularity", "DirichletPopularity"})
    {
        Ptr<Popularity> popularity = Make<Popularity>(name);
        popularity->AssignStreams(1);
        for (const std::vector<double>& shares : DrawShares(popularity, 5, 16))
        {
            ASSERT_EQ(shares.size(), 16u);
            EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9) << name;
        }
    }
}

TEST(Popularity, IsDrawnPerSourceForDirichletAndOnceForTheOthers)
{
    for (const char* name : {"UniformPopularity", "ZipfPopularity", "DirichletPopularity"})
    {
        Ptr<Popularity> popularity = Make<Popularity>(name);
        popularity->AssignStreams(1);
        const auto shares = DrawShares(popularity, 2, 16);
        EXPECT_EQ(shares[0] == shares[1], std::string(name) != "DirichletPopularity") << name;
    }
}

TEST(DirichletPopularity, HasTheVarianceOfItsConcentration)
{
    constexpr uint32_t kExperts = 8;
    for (const double concentration : {0.3, 1.0, 5.0})
    {
        Ptr<Popularity> popularity =
            Make<Popularity>("DirichletPopularity", "Concentration", DoubleValue(concentration));
        popularity->AssignStreams(1);
        double squares = 0;
        for (const std::vector<double>& shares : DrawShares(popularity, 20'000, kExperts))
        {
            for (const double share : shares)
            {
                squares += (share - 1.0 / kExperts) * (share - 1.0 / kExperts);
            }
        }
        // Var = (1/n)(1 - 1/n) / (n a + 1)
        const double expected =
            (1.0 / kExperts) * (1 - 1.0 / kExperts) / (kExperts * concentration + 1);
        EXPECT_NEAR(squares / (20'000 * kExperts), expected, 0.03 * expected) << concentration;
    }
}

TEST(DirichletPopularity, LeavesEnoughExpertsWhateverTheConcentration)
{
    Ptr<Popularity> popularity =
        Make<Popularity>("DirichletPopularity", "Concentration", DoubleValue(0.01));
    popularity->AssignStreams(1);
    for (const std::vector<double>& shares : DrawShares(popularity, 1000, 4))
    {
        for (const double share : shares)
        {
            ASSERT_GT(share, 0);
            ASSERT_TRUE(std::isfinite(share));
        }
    }
}

TEST(DistinctSampler, DrawsByTheSharesOfThoseNotDrawnYet)
{
    DistinctSampler sampler({0.5, 0.3, 0, 0.2});
    Ptr<UniformRandomVariable> stream = CreateObject<UniformRandomVariable>();
    stream->SetStream(1);
    RandomBits bits(stream);
    constexpr int kDraws = 100'000;
    std::vector<int> counts(4, 0);
    for (int i = 0; i < kDraws; ++i)
    {
        const std::vector<uint32_t>& drawn = sampler.Draw(2, bits);
        ASSERT_EQ(drawn.size(), 2u);
        ASSERT_LT(drawn[0], drawn[1]);
        ++counts[drawn[0]];
        ++counts[drawn[1]];
    }
    // The first or the second draw: 0.5 + 0.3 * 5/7 + 0.2 * 5/8, and so on.
    const std::vector<double> expected{0.5 + 0.3 * 0.5 / 0.7 + 0.2 * 0.5 / 0.8,
                                       0.3 + 0.5 * 0.3 / 0.5 + 0.2 * 0.3 / 0.8,
                                       0,
                                       0.2 + 0.5 * 0.2 / 0.5 + 0.3 * 0.2 / 0.7};
    for (size_t member = 0; member < 4; ++member)
    {
        const double p = expected[member];
        EXPECT_NEAR(counts[member] / double{kDraws}, p, 4 * std::sqrt(p * (1 - p) / kDraws));
    }
}

TEST(DistinctSampler, FindsAllMembersEvenAtExtremeShares)
{
    DistinctSampler sampler({1e-300, 1, 1e-17, 1e-17});
    Ptr<UniformRandomVariable> stream = CreateObject<UniformRandomVariable>();
    RandomBits bits(stream);
    DistinctSampler even({0.25, 0.25, 0.25, 0.25});
    for (int i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(even.Draw(4, bits), (std::vector<uint32_t>{0, 1, 2, 3}));
        EXPECT_EQ(sampler.Draw(1, bits).size(), 1u);
    }
}

TEST(Popularity, IsDrawnAnewForEveryGroup)
{
    for (const char* name : {"ZipfPopularity", "DirichletPopularity"})
    {
        Ptr<Popularity> popularity = Make<Popularity>(name);
        popularity->AssignStreams(1);
        EXPECT_NE(DrawShares(popularity, 1, 16), DrawShares(popularity, 1, 16)) << name;
    }
}

TEST(ExpertDealer, DealsExpertsAndTokensInOrder)
{
    const auto deal = [](uint32_t gpus, const std::vector<uint64_t>& tokens) {
        const ExpertDealer placement(static_cast<uint32_t>(tokens.size()), gpus);
        std::vector<GpuTokens> dealt;
        for (uint32_t expert = 0; expert < tokens.size(); ++expert)
        {
            placement.Deal(expert, tokens[expert], dealt);
        }
        std::vector<uint64_t> perGpu(gpus, 0);
        for (const GpuTokens& got : dealt)
        {
            EXPECT_GT(got.tokens, 0u);
            EXPECT_EQ(perGpu[got.gpu], 0u) << "a GPU is listed once";
            perGpu[got.gpu] += got.tokens;
        }
        return perGpu;
    };
    EXPECT_EQ(deal(3, {1, 2, 3, 4, 5, 6}), (std::vector<uint64_t>{3, 7, 11}));
    EXPECT_EQ(deal(3, {0, 0, 0, 4, 0, 0}), (std::vector<uint64_t>{0, 4, 0}));
    EXPECT_EQ(deal(6, {8, 3}), (std::vector<uint64_t>{3, 3, 2, 1, 1, 1}));
    EXPECT_EQ(deal(6, {1, 0}), (std::vector<uint64_t>{1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(deal(2, {8, 3}), (std::vector<uint64_t>{8, 3}));
}

} // namespace
