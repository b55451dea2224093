// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/load-prediction.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Shares = std::vector<double>;

/// \return numbers that add up to 1
Shares
DrawShares(std::size_t size, std::mt19937& bits)
{
    Shares shares(size);
    for (double& share : shares)
    {
        share = static_cast<double>(1 + bits() % 1000);
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= sum;
    }
    return shares;
}

/// \param columns of a matrix
Shares
Apply(const std::vector<Shares>& columns, const Shares& shares)
{
    Shares result(shares.size());
    for (std::size_t column = 0; column < shares.size(); ++column)
    {
        for (std::size_t row = 0; row < shares.size(); ++row)
        {
            result[row] += columns[column][row] * shares[column];
        }
    }
    return result;
}

/// \return all tokens at one place
Shares
MakeUnit(std::size_t size, std::size_t place)
{
    Shares shares(size);
    shares[place] = 1;
    return shares;
}

void
ExpectNear(const Shares& found, const Shares& expected, double most)
{
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        EXPECT_NEAR(found[i], expected[i], most) << "place " << i;
    }
}

TEST(LoadPrediction, ForeseesEqualSharesWhereNothingWasSeen)
{
    ExpectNear(PredictLoads({}, {0.7, 0.1, 0.1, 0.1}), {0.25, 0.25, 0.25, 0.25}, 1e-15);
}

TEST(LoadPrediction, ForeseesEqualSharesOfWhatComesFromAPlaceThatHadNothing)
{
    // Nothing was at place 1 before, so where its tokens go nobody knows.
    const std::vector<SeenLoads> seen{{{1, 0}, {0.9, 0.1}}};
    ExpectNear(PredictLoads(seen, {0, 1}), {0.5, 0.5}, 1e-15);
    ExpectNear(PredictLoads(seen, {1, 0}), {0.9, 0.1}, 1e-9);
}

TEST(LoadPrediction, FindsAMatrixOfWhichEachColumnWasSeen)
{
    const std::vector<Shares> columns{{0.6, 0.4, 0}, {0, 0.1, 0.9}, {0.2, 0.5, 0.3}};
    std::vector<SeenLoads> seen;
    for (std::size_t place = 0; place < 3; ++place)
    {
        seen.push_back({MakeUnit(3, place), columns[place]});
    }
    const Shares now{0.5, 0.2, 0.3};
    ExpectNear(PredictLoads(seen, now), Apply(columns, now), 1e-3);
    ExpectNear(PredictLoads(seen, MakeUnit(3, 2)), columns[2], 1e-3); // of the least weight
}

TEST(LoadPrediction, FindsAMatrixFromPairsThatDifferMuch)
{
    // Half of all tokens, and more, are at one place, another one each time.
    std::mt19937 bits(4);
    for (int draw = 0; draw < 20; ++draw)
    {
        std::vector<Shares> columns;
        for (int column = 0; column < 3; ++column)
        {
            columns.push_back(DrawShares(3, bits));
        }
        std::vector<SeenLoads> seen;
        for (std::size_t pair = 0; pair < 8; ++pair)
        {
            Shares before = DrawShares(3, bits);
            for (double& share : before)
            {
                share *= 0.2;
            }
            before[pair % 3] += 0.8;
            seen.push_back({before, Apply(columns, before)});
        }
        const Shares now = DrawShares(3, bits);
        ExpectNear(PredictLoads(seen, now), Apply(columns, now), 1e-3);
    }
}

TEST(LoadPrediction, AddsUpToOneAndIsNeverNegative)
{
    std::mt19937 bits(7);
    for (int draw = 0; draw < 50; ++draw)
    {
        const std::size_t size = 2 + bits() % 7;
        std::vector<SeenLoads> seen;
        for (uint32_t pairs = bits() % 9; pairs > 0; --pairs)
        {
            // Units, so that the least squares without bounds would have negative cells.
            seen.push_back({DrawShares(size, bits), MakeUnit(size, bits() % size)});
        }
        for (std::size_t place = 0; place < size; ++place)
        {
            const Shares found = PredictLoads(seen, MakeUnit(size, place)); // a column
            EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1, 1e-12);
            for (const double share : found)
            {
                EXPECT_GE(share, 0);
            }
        }
    }
}

TEST(LoadPrediction, EachPairCountsHalfAsMuchAsTheOneBehindIt)
{
    // The same came before, and something else each time: the mean by weights is the best.
    const Shares before{0.3, 0.5, 0.2};
    const Shares latest{0.8, 0.1, 0.1};
    const Shares earlier{0.1, 0.8, 0.1};
    const Shares first{0.1, 0.1, 0.8};
    Shares mean(3);
    for (std::size_t i = 0; i < 3; ++i)
    {
        mean[i] = (4 * latest[i] + 2 * earlier[i] + first[i]) / 7;
    }
    ExpectNear(PredictLoads({{before, latest}, {before, earlier}, {before, first}}, before),
               mean,
               1e-6);
}

TEST(LoadPrediction, LoadsThatNeverChangeAreForeseenAsTheyAre)
{
    const Shares before{0.1, 0.2, 0.3, 0.4};
    const Shares here{0.55, 0.05, 0, 0.4};
    ExpectNear(PredictLoads(std::vector<SeenLoads>(8, {before, here}), before), here, 1e-6);
}

} // namespace

} // namespace ns3::rails::test
