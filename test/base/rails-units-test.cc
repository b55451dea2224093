// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"

#include <gtest/gtest.h>

using namespace ns3::rails;

namespace
{

constexpr TimePs kHour = 3'600'000'000'000'000;

TEST(Times, EndWithTheLongestRun)
{
    EXPECT_EQ(AddTimes(1, 2), 3);
    EXPECT_EQ(AddTimes(kHour, kLongestRun - kHour), kLongestRun);
    EXPECT_THROW(AddTimes(kHour + 1, kLongestRun - kHour), ConfigurationError);
    EXPECT_THROW(AddTimes(kNever, kNever), ConfigurationError);
}

TEST(Times, AreRepeatedAsLongAsTheyEndBefore)
{
    EXPECT_EQ(MultiplyTime(kHour, 0), 0);
    EXPECT_EQ(MultiplyTime(kHour, 1111), 1111 * kHour);
    EXPECT_THROW(MultiplyTime(kHour, 1112), ConfigurationError);
    EXPECT_THROW(MultiplyTime(1, ~uint64_t{0}), ConfigurationError);
}

} // namespace
