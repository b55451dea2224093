// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"

#include <gtest/gtest.h>
#include <sstream>
#include <utility>

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

TEST(ByteSizes, AreReadWithUnitsAndWithout)
{
    for (const auto& [text, bytes] : {std::pair("250000", 250'000U),
                                      std::pair("250KB", 250'000U),
                                      std::pair("1.5MiB", 1'572'864U),
                                      std::pair("0", 0U)})
    {
        ns3::rails::ByteSizeValue value;
        ASSERT_TRUE(value.DeserializeFromString(text, nullptr)) << text;
        EXPECT_EQ(value.Get().Get(), bytes) << text;
    }
    for (const char* text : {"", "KB", "250kb", "1.5", "-1", "0.5B"})
    {
        ByteSize size;
        std::istringstream stream(text);
        stream >> size;
        EXPECT_TRUE(stream.fail()) << text;
    }
}

} // namespace
