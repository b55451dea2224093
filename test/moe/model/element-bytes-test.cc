// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/double.h"
#include "ns3/element-bytes.h"

#include <gtest/gtest.h>

namespace ns3::rails
{

TEST(ElementBytesTest, FollowPrecisionUnlessTheyAreGiven)
{
    const auto bytes = CreateObject<TrainingBytes>();
    for (const Precision precision : {BF16, FP8_BLOCK, MXFP8})
    {
        const ElementBytes found = bytes->Get(precision, 3, 5);
        // FP8, and four bytes of a scale for 128 elements; all else is not in FP8.
        EXPECT_EQ(found.dispatch, precision == FP8_BLOCK ? 1 + 4.0 / 128 : 3);
        EXPECT_EQ(found.combine, 3);
        EXPECT_EQ(found.tensor, 3);
        EXPECT_EQ(found.pipeline, 3);
        EXPECT_EQ(found.context, 3);
        EXPECT_EQ(found.gradients, 5);
        EXPECT_EQ(found.parameters, 3);
    }
    bytes->SetAttribute("Dispatch", DoubleValue(0.5));
    bytes->SetAttribute("Combine", DoubleValue(1.5));
    bytes->SetAttribute("Tensor", DoubleValue(2.5));
    bytes->SetAttribute("Pipeline", DoubleValue(3.5));
    bytes->SetAttribute("Context", DoubleValue(4.5));
    bytes->SetAttribute("Gradients", DoubleValue(5.5));
    bytes->SetAttribute("Parameters", DoubleValue(6.5));
    const ElementBytes given = bytes->Get(FP8_BLOCK, 3, 5);
    EXPECT_EQ(given.dispatch, 0.5);
    EXPECT_EQ(given.combine, 1.5);
    EXPECT_EQ(given.tensor, 2.5);
    EXPECT_EQ(given.pipeline, 3.5);
    EXPECT_EQ(given.context, 4.5);
    EXPECT_EQ(given.gradients, 5.5);
    EXPECT_EQ(given.parameters, 6.5);
}

} // namespace ns3::rails
