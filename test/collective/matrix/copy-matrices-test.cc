// SPDX-License-Identifier: GPL-2.0-only

// Copies of tokens, counted again token by token.

#include "../collective-fixtures.h"

#include "ns3/distinct-sampler.h"
#include "ns3/pointer.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

using namespace ns3;
using namespace ns3::rails;

namespace
{

constexpr uint32_t kTokens = 50;
constexpr uint64_t kTokenBytes = 12;

Ptr<MatrixSource>
MakeMoe(uint32_t experts, uint32_t topK, uint32_t tokens = kTokens)
{
    return Make<MatrixSource>("MoeMatrixSource",
                              "TokensPerGpu",
                              UintegerValue(tokens),
                              "TopK",
                              UintegerValue(topK),
                              "Hidden",
                              UintegerValue(3),
                              "BytesPerElement",
                              ByteSizeValue(ByteSize(4)),
                              "Experts",
                              UintegerValue(experts));
}

TokenCopies
GenerateCopies(const Ptr<MatrixSource>& source, const GpuPartition& groups, uint64_t seed = 1)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(seed);
    source->AssignStreams(100);
    source->Check(groups);
    return source->GenerateCopies(groups);
}

/// Bytes by source and destination.
using Pairs = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

Pairs
ToPairs(const TrafficMatrix& matrix)
{
    Pairs pairs;
    for (uint32_t source = 0; source < matrix.GetShape().GetGpus(); ++source)
    {
        for (const Demand& demand : matrix.GetRow(source))
        {
            pairs[{source, demand.destination}] = demand.bytes;
        }
    }
    return pairs;
}

/// Draws the tokens of a matrix with equal experts, and sends each of them on its ways.
class Recount
{
  public:
    Recount(const GpuPartition& groups, uint32_t experts, uint32_t topK)
        : m_shape(groups.GetShape())
    {
        const auto stream = CreateObject<UniformRandomVariable>();
        stream->SetStream(100);
        DistinctSampler sampler(std::vector<double>(experts, 1.0 / experts));
        for (const std::vector<uint32_t>& gpus : groups.GetGroups())
        {
            RandomBits bits(stream);
            const uint32_t perExpert = std::max<uint32_t>(1, groups.GetSize() / experts);
            for (const uint32_t source : gpus)
            {
                std::map<uint32_t, uint32_t> turns; // by expert
                for (uint32_t token = 0; token < kTokens; ++token)
                {
                    std::set<uint32_t> to;
                    for (const uint32_t expert : sampler.Draw(topK, bits))
                    {
                        const uint32_t turn = turns[expert]++ % perExpert;
                        to.insert(gpus[expert * groups.GetSize() / experts + turn]);
                    }
                    Send(source, to, gpus);
                }
            }
        }
    }

    Pairs toServers;
    Pairs inServers;
    uint64_t crossings{0}; //!< of servers' borders, of all tokens

  private:
    void Send(uint32_t source, const std::set<uint32_t>& to, const std::vector<uint32_t>& gpus)
    {
        std::set<uint32_t> relays;
        for (const uint32_t gpu : to)
        {
            const uint32_t relay = FindRelay(source, m_shape.GetServer(gpu), gpus);
            Add(inServers, relay, gpu);
            relays.insert(relay);
        }
        for (const uint32_t relay : relays)
        {
            Add(toServers, source, relay);
            crossings += relay == source ? 0 : 1;
        }
    }

    uint32_t FindRelay(uint32_t source, uint32_t server, const std::vector<uint32_t>& gpus) const
    {
        std::vector<uint32_t> there;
        uint32_t place = 0;
        for (const uint32_t gpu : gpus)
        {
            place += m_shape.GetServer(gpu) == m_shape.GetServer(source) && gpu < source ? 1 : 0;
            if (m_shape.GetServer(gpu) == server)
            {
                there.push_back(gpu);
            }
        }
        return there.at(place % there.size());
    }

    static void Add(Pairs& pairs, uint32_t source, uint32_t destination)
    {
        if (source != destination)
        {
            pairs[{source, destination}] += kTokenBytes;
        }
    }

    ClusterShape m_shape;
};

TEST(CopyMatrices, AreThoseOfTheSameTokensOneByOne)
{
    struct Case
    {
        GpuPartition groups;
        uint32_t experts;
        uint32_t topK;
    };

    const ClusterShape shape{3, 8};
    const std::vector<Case> cases{
        {shape, 48, 6},
        {shape, 24, 4},
        {shape, 6, 3}, // an expert on four GPUs: one of them on two servers
        {ClusterShape{1, 8}, 16, 4},
        // Servers of 8 and 4 members of a group: not every place is on both.
        {{shape, 12, GpuPartition::CONTIGUOUS}, 24, 5},
        {{shape, 12, GpuPartition::CONTIGUOUS}, 4, 3},
        {{shape, 6, GpuPartition::STRIDED}, 12, 4},
        {{shape, 4, GpuPartition::STRIDED}, 8, 3},
        {{shape, 3, GpuPartition::STRIDED}, 6, 2},
        {{shape, 4, GpuPartition::CONTIGUOUS}, 8, 4},
    };
    for (const Case& one : cases)
    {
        SCOPED_TRACE(std::to_string(one.groups.GetSize()) + " GPUs, " +
                     std::to_string(one.experts) + " experts");
        const Ptr<MatrixSource> source = MakeMoe(one.experts, one.topK);
        const TokenCopies copies = GenerateCopies(source, one.groups);
        const Recount recount(one.groups, one.experts, one.topK);
        EXPECT_EQ(ToPairs(copies.toServers), recount.toServers);
        EXPECT_EQ(ToPairs(copies.inServers), recount.inServers);
        EXPECT_EQ(copies.toServers.GetTotalBytes(), recount.crossings * kTokenBytes);
        EXPECT_EQ(copies.pairs.GetHash(), Generate(source, one.groups).GetHash());
    }
}

TEST(CopyMatrices, WithOneGpuAServerAreThePairs)
{
    // An expert each.
    const ClusterShape shape{6, 1};
    const TokenCopies copies = GenerateCopies(MakeMoe(6, 3), shape);
    EXPECT_EQ(copies.toServers.GetHash(), copies.pairs.GetHash());
    EXPECT_EQ(copies.inServers.GetTotalBytes(), 0u);
}

/// \return bytes between servers
uint64_t
CountAcross(const TrafficMatrix& matrix)
{
    uint64_t bytes = 0;
    for (const auto& [ends, sent] : ToPairs(matrix))
    {
        const ClusterShape& shape = matrix.GetShape();
        bytes += shape.GetServer(ends.first) == shape.GetServer(ends.second) ? 0 : sent;
    }
    return bytes;
}

TEST(CopyMatrices, OfTokensWithOneExpertCrossAsPairsDo)
{
    for (const uint32_t experts : {64, 32, 4})
    {
        const TokenCopies copies = GenerateCopies(MakeMoe(experts, 1), ClusterShape{4, 8});
        EXPECT_EQ(CountAcross(copies.toServers), CountAcross(copies.pairs));
        EXPECT_EQ(copies.toServers.GetTotalBytes(), CountAcross(copies.toServers));
        EXPECT_EQ(CountAcross(copies.inServers), 0u);
    }
}

TEST(CopyMatrices, OfEightExpertsOnTwoServersAreAQuarter)
{
    // Of 64 experts half are on the other server: 4 pairs cross in the mean, and a copy unless all
    // 8 are on the own one.
    constexpr uint32_t kMany = 2'000;
    double none = 1;
    for (uint32_t drawn = 0; drawn < 8; ++drawn)
    {
        none *= (32.0 - drawn) / (64.0 - drawn);
    }
    const TokenCopies copies = GenerateCopies(MakeMoe(64, 8, kMany), ClusterShape{2, 8});
    const double tokens = 16.0 * kMany;
    const auto perToken = [&](uint64_t bytes) {
        return static_cast<double>(bytes) / (tokens * kTokenBytes);
    };
    // Four standard errors: a pair crosses with the hypergeometric variance, a copy as a coin.
    EXPECT_NEAR(perToken(CountAcross(copies.pairs)), 4, 4 * std::sqrt(2.0 * 56 / 63 / tokens));
    EXPECT_NEAR(perToken(copies.toServers.GetTotalBytes()),
                1 - none,
                4 * std::sqrt(none * (1 - none) / tokens));
}

TEST(CopyMatrices, AreRefusedByMatricesOfBytes)
{
    const Ptr<MatrixSource> source = Make<MatrixSource>("UniformMatrixSource");
    EXPECT_FALSE(source->GetTraits().knowsTokens);
    EXPECT_TRUE(MakeMoe(8, 2)->GetTraits().knowsTokens);
    EXPECT_THROW(source->GenerateCopies(ClusterShape{2, 2}), std::logic_error);
    EXPECT_THROW(source->EstimateCopyBytes(ClusterShape{2, 2}), std::logic_error);
}

} // namespace
