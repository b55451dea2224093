// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/range-checker.h"
#include "ns3/string.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ns3::rails
{

namespace
{

TEST(RangeChecker, AllowsItsLimitsAndWhatIsBetween)
{
    const auto counts = MakeCountRange<uint32_t>(3, 5);
    EXPECT_FALSE(counts->Check(UintegerValue(2)));
    EXPECT_TRUE(counts->Check(UintegerValue(3)));
    EXPECT_TRUE(counts->Check(UintegerValue(5)));
    EXPECT_FALSE(counts->Check(UintegerValue(6)));
    EXPECT_FALSE(counts->Check(IntegerValue(4)));
    const auto integers = MakeIntegerRange<int8_t>(-2);
    EXPECT_FALSE(integers->Check(IntegerValue(-3)));
    EXPECT_TRUE(integers->Check(IntegerValue(-2)));
    EXPECT_TRUE(integers->Check(IntegerValue(127)));
    EXPECT_FALSE(integers->Check(IntegerValue(128)));
    const auto numbers = MakeNumberRange(1e-6, 1);
    EXPECT_FALSE(numbers->Check(DoubleValue(0)));
    EXPECT_TRUE(numbers->Check(DoubleValue(1e-6)));
    EXPECT_FALSE(numbers->Check(DoubleValue(1.000001)));
    const auto rates = MakeRateRange(1);
    EXPECT_FALSE(rates->Check(DataRateValue(DataRate(0))));
    EXPECT_TRUE(rates->Check(DataRateValue(DataRate(1))));
}

TEST(RangeChecker, SpecialValueNeedsItsWord)
{
    const ByteSizeValue whole(ByteSize::Special());
    EXPECT_FALSE(MakeByteRange()->Check(whole));
    EXPECT_TRUE(MakeByteRange(1, 10, {"whole"})->Check(whole));
    EXPECT_FALSE(MakeByteRange(1, 10, {"whole"})->Check(ByteSizeValue(ByteSize(11))));
    const TimeValue never(Time::Max());
    EXPECT_FALSE(MakeTimeRange(0, 10 * kNanosecond)->Check(never));
    EXPECT_TRUE(MakeTimeRange(0, 10 * kNanosecond, {"never"})->Check(never));
    EXPECT_FALSE(MakeTimeRange(0, kNever, {"never"})->Check(TimeValue(Time(-1))));
}

TEST(RangeChecker, TellsWhatItAllows)
{
    const auto checker = MakeByteRange(1, 10, {"whole"});
    const auto* range = dynamic_cast<const RangeChecker<ByteSizeValue>*>(PeekPointer(checker));
    ASSERT_NE(range, nullptr);
    EXPECT_EQ(range->GetLeast(), 1U);
    EXPECT_EQ(range->GetMost(), 10U);
    EXPECT_EQ(range->GetWords(), std::vector<std::string>{"whole"});
    EXPECT_EQ(checker->GetUnderlyingTypeInformation(), "1 to 10, or whole");
    EXPECT_EQ(checker->GetValueTypeName(), "ns3::rails::ByteSizeValue");
}

TEST(RangeChecker, MakesAndCopiesValuesOfItsType)
{
    const auto checker = MakeCountRange<uint8_t>();
    const Ptr<AttributeValue> value = checker->Create();
    ASSERT_TRUE(checker->Copy(UintegerValue(7), *value));
    EXPECT_EQ(DynamicCast<UintegerValue>(value)->Get(), 7U);
    EXPECT_FALSE(checker->Copy(StringValue("7"), *value));
    EXPECT_FALSE(checker->Check(UintegerValue(256)));
}

} // namespace

} // namespace ns3::rails
