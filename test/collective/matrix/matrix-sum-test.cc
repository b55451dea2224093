// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/matrix-sum.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(MatrixSum, AddsWhatComesInAnyOrder)
{
    const ClusterShape shape{2, 2};
    MatrixSum sum(shape);
    sum.Add(0, {{3, 5}});
    sum.Add(MakeMatrix(shape, {{0, 1, 0, 2}, {}, {7}}), 10);
    sum.Add(0, {{2, 4}}, 2);
    EXPECT_EQ(sum.Get().GetHash(), MakeMatrix(shape, {{0, 10, 8, 25}, {}, {70}}).GetHash());
}

} // namespace
