// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kTrafficMatrixShape{2, 2};

TEST(TrafficMatrix, KeepsWhatWasAddedAndPassesOverNothingAndOneself)
{
    const TrafficMatrix matrix =
        MakeMatrix(kTrafficMatrixShape, {{7, 0, 5, 0}, {}, {1, 2, 0, 3}, {}});
    ASSERT_EQ(matrix.GetRow(0).size(), 1u);
    EXPECT_EQ(matrix.GetRow(0)[0].destination, 2u);
    EXPECT_EQ(matrix.GetRow(0)[0].bytes, 5u);
    EXPECT_EQ(matrix.GetRow(2).size(), 3u);
    EXPECT_EQ(matrix.GetTotalBytes(), 11u);
}

TEST(TrafficMatrix, RefusesDestinationsOutOfOrderAndGpusOutOfRange)
{
    TrafficMatrix matrix(kTrafficMatrixShape);
    matrix.Add(0, 2, 1);
    EXPECT_THROW(matrix.Add(0, 1, 1), std::logic_error);
    EXPECT_THROW(matrix.Add(0, 2, 1), std::logic_error);
    EXPECT_THROW(matrix.Add(4, 0, 1), std::logic_error);
    EXPECT_THROW(matrix.Add(0, 4, 1), std::logic_error);
    EXPECT_THROW(matrix.GetRow(4), std::out_of_range);
}

TEST(TrafficMatrix, TransposeExchangesSourcesAndDestinations)
{
    const TrafficMatrix matrix =
        MakeMatrix(kTrafficMatrixShape, {{0, 1, 2, 3}, {4, 0, 0, 5}, {6}, {0, 7}});
    const TrafficMatrix transpose = matrix.Transpose();
    for (uint32_t source = 0; source < 4; ++source)
    {
        for (uint32_t destination = 0; destination < 4; ++destination)
        {
            EXPECT_EQ(GetBytes(transpose, destination, source),
                      GetBytes(matrix, source, destination));
        }
    }
    EXPECT_EQ(transpose.Transpose().GetHash(), matrix.GetHash());
    EXPECT_NE(transpose.GetHash(), matrix.GetHash());
}

TEST(TrafficMatrix, HashIsSha256OfShapeAndEntries)
{
    // printf of 2, 1, and 0, 1, 258 as little-endian 64-bit numbers, through sha256sum.
    TrafficMatrix matrix(ClusterShape{2, 1});
    matrix.Add(0, 1, 258);
    EXPECT_EQ(matrix.GetHash(), "fbe0389769cd8f611075f5acd56ab278abf4b6dcac802b1bae7710989a839948");
}

TEST(TrafficMatrix, HashTellsSizesPairsAndShapesApart)
{
    const std::string hash = MakeMatrix(kTrafficMatrixShape, {{0, 1}}).GetHash();
    EXPECT_EQ(hash, MakeMatrix(kTrafficMatrixShape, {{0, 1}}).GetHash());
    EXPECT_NE(hash, MakeMatrix(kTrafficMatrixShape, {{0, 2}}).GetHash());
    EXPECT_NE(hash, MakeMatrix(kTrafficMatrixShape, {{0, 0, 1}}).GetHash());
    EXPECT_NE(hash, MakeMatrix(ClusterShape{4, 1}, {{0, 1}}).GetHash());
}

TEST(TrafficMatrix, ServerViewIsTheServersOwnRowToOtherServers)
{
    const TrafficMatrix matrix =
        MakeMatrix(kTrafficMatrixShape, {{0, 1, 2, 3}, {4, 0, 0, 5}, {6, 0, 0, 9}, {0, 7, 8, 0}});
    const ServerView view = MakeServerView(matrix, 1);
    EXPECT_EQ(view.server, 1u);
    ASSERT_EQ(view.demands.size(), 2u);
    EXPECT_EQ(view.demands[0].source, 2u);
    EXPECT_EQ(view.demands[0].destination, 0u);
    EXPECT_EQ(view.demands[0].bytes, 6u);
    EXPECT_EQ(view.demands[1].source, 3u);
    EXPECT_EQ(view.demands[1].destination, 1u);
    EXPECT_EQ(view.demands[1].bytes, 7u);
}

} // namespace
