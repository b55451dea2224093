// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rails-units.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kSyntheticMatrixShape{8, 8};

class SyntheticMatrix : public testing::TestWithParam<const char*>
{
};

TEST_P(SyntheticMatrix, LeavesOutTrafficInsideServersUnlessAskedFor)
{
    const TrafficMatrix without = Generate(Make<MatrixSource>(GetParam()), kSyntheticMatrixShape);
    const TrafficMatrix with = Generate(Make<MatrixSource>(GetParam(), "Intra", BooleanValue(true)),
                                        kSyntheticMatrixShape);
    uint64_t inside = 0;
    for (uint32_t source = 0; source < kSyntheticMatrixShape.GetGpus(); ++source)
    {
        for (const Demand& demand : without.GetRow(source))
        {
            EXPECT_NE(kSyntheticMatrixShape.GetServer(source),
                      kSyntheticMatrixShape.GetServer(demand.destination));
        }
        for (const Demand& demand : with.GetRow(source))
        {
            EXPECT_NE(source, demand.destination);
            inside += kSyntheticMatrixShape.GetServer(source) ==
                      kSyntheticMatrixShape.GetServer(demand.destination);
        }
    }
    EXPECT_GT(inside, 0u);
}

TEST_P(SyntheticMatrix, DependsOnTheSeedAlone)
{
    const std::string hash =
        Generate(Make<MatrixSource>(GetParam()), kSyntheticMatrixShape, 1).GetHash();
    // Whatever a scheme draws from other streams changes nothing.
    Ptr<RowBalancer> balancer = Make<RowBalancer>("RandomBalancer");
    balancer->AssignStreams(7);
    balancer->Plan(
        MakeServerView(Generate(Make<MatrixSource>(GetParam()), kSyntheticMatrixShape, 1), 0));
    EXPECT_EQ(Generate(Make<MatrixSource>(GetParam()), kSyntheticMatrixShape, 1).GetHash(), hash);
    if (std::string(GetParam()) != "UniformMatrixSource")
    {
        EXPECT_NE(Generate(Make<MatrixSource>(GetParam()), kSyntheticMatrixShape, 2).GetHash(),
                  hash);
    }
}

INSTANTIATE_TEST_SUITE_P(,
                         SyntheticMatrix,
                         testing::Values("UniformMatrixSource",
                                         "SparseMatrixSource",
                                         "ZipfMatrixSource"));

TEST(UniformMatrix, GivesEveryPairTheSame)
{
    const TrafficMatrix matrix = Generate(
        Make<MatrixSource>("UniformMatrixSource", "BytesPerPair", ByteSizeValue(ByteSize(1234))),
        kSyntheticMatrixShape);
    for (uint32_t source = 0; source < kSyntheticMatrixShape.GetGpus(); ++source)
    {
        ASSERT_EQ(matrix.GetRow(source).size(), 56u);
        for (const Demand& demand : matrix.GetRow(source))
        {
            EXPECT_EQ(demand.bytes, 1234u);
        }
    }
}

TEST(SparseMatrix, HasTheAskedDensityMeanAndSpread)
{
    const ClusterShape shape{32, 8};
    const TrafficMatrix matrix = Generate(Make<MatrixSource>("SparseMatrixSource",
                                                             "Density",
                                                             DoubleValue(0.3),
                                                             "Mean",
                                                             ByteSizeValue(ByteSize(1'000'000))),
                                          shape);
    double pairs = 0;
    double sum = 0;
    double squares = 0;
    for (uint32_t source = 0; source < shape.GetGpus(); ++source)
    {
        for (const Demand& demand : matrix.GetRow(source))
        {
            ++pairs;
            sum += demand.bytes / 1e6;
            squares += demand.bytes / 1e6 * (demand.bytes / 1e6);
        }
    }
    // Four standard errors each; of the exponential's second moment (2) it is sqrt(20 / pairs).
    const double possible = 256.0 * 248;
    EXPECT_NEAR(pairs / possible, 0.3, 4 * std::sqrt(0.3 * 0.7 / possible));
    EXPECT_NEAR(sum / pairs, 1, 4 / std::sqrt(pairs));
    EXPECT_NEAR(squares / pairs, 2, 4 * std::sqrt(20 / pairs));
}

TEST(SparseMatrix, IsEmptyAtDensityZeroAndFullAtOne)
{
    const auto count = [](double density, uint64_t mean) {
        const TrafficMatrix matrix = Generate(Make<MatrixSource>("SparseMatrixSource",
                                                                 "Density",
                                                                 DoubleValue(density),
                                                                 "Mean",
                                                                 ByteSizeValue(ByteSize(mean))),
                                              kSyntheticMatrixShape);
        size_t entries = 0;
        for (uint32_t source = 0; source < kSyntheticMatrixShape.GetGpus(); ++source)
        {
            entries += matrix.GetRow(source).size();
        }
        return entries;
    };
    EXPECT_EQ(count(0, 1000), 0u);
    EXPECT_EQ(count(1, 1000), 64u * 56);
    EXPECT_EQ(count(1, 1), 64u * 56) << "small sizes are rounded up to a byte";
}

TEST(ZipfMatrix, SharesFollowZipfsLawInRandomOrder)
{
    const auto columns = [](uint64_t seed) {
        const TrafficMatrix matrix =
            Generate(Make<MatrixSource>("ZipfMatrixSource",
                                        "Exponent",
                                        DoubleValue(1.2),
                                        "BytesPerGpu",
                                        ByteSizeValue(ByteSize(1'000'000'000)),
                                        "Jitter",
                                        DoubleValue(0)),
                     kSyntheticMatrixShape,
                     seed);
        std::vector<uint64_t> bytes;
        for (uint32_t destination = 0; destination < kSyntheticMatrixShape.GetGpus(); ++destination)
        {
            const uint32_t other = destination < 8 ? 8 : 0;
            bytes.push_back(GetBytes(matrix, other, destination));
            EXPECT_EQ(GetBytes(matrix, (destination + 8) % 64, destination), bytes.back());
        }
        return bytes;
    };
    std::vector<uint64_t> first = columns(1);
    EXPECT_NE(first, columns(2)) << "the order of popularity comes from the seed";
    std::sort(first.rbegin(), first.rend());
    double total = 0;
    for (int rank = 1; rank <= 64; ++rank)
    {
        total += std::pow(rank, -1.2);
    }
    for (int rank = 1; rank <= 64; ++rank)
    {
        EXPECT_NEAR(first[rank - 1], 1e9 * std::pow(rank, -1.2) / total, 1);
    }
}

TEST(ZipfMatrix, JitterStaysInItsRangeAndFillsIt)
{
    const TrafficMatrix matrix = Generate(Make<MatrixSource>("ZipfMatrixSource",
                                                             "Exponent",
                                                             DoubleValue(0),
                                                             "BytesPerGpu",
                                                             ByteSizeValue(ByteSize(64'000'000)),
                                                             "Jitter",
                                                             DoubleValue(0.2)),
                                          kSyntheticMatrixShape);
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint32_t source = 0; source < kSyntheticMatrixShape.GetGpus(); ++source)
    {
        for (const Demand& demand : matrix.GetRow(source))
        {
            least = std::min(least, demand.bytes);
            most = std::max(most, demand.bytes);
        }
    }
    EXPECT_GE(least, 800'000u);
    EXPECT_LT(least, 802'000u);
    EXPECT_LE(most, 1'200'000u);
    EXPECT_GT(most, 1'198'000u);
}

} // namespace
