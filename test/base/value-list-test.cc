// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/value-list.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(NumberList, ReadsWhatItWrites)
{
    const NumberListValue value(std::vector<double>{0.5, 0.1, 3});
    const auto checker = MakeNumberListChecker();
    EXPECT_EQ(value.SerializeToString(checker), "[0.5, 0.1, 3]");
    NumberListValue copy;
    ASSERT_TRUE(copy.DeserializeFromString("[0.5, 0.1, 3]", checker));
    EXPECT_EQ(copy.Get().Get(), value.Get().Get());
    EXPECT_EQ(NumberListValue().SerializeToString(checker), "[]");
    EXPECT_TRUE(copy.DeserializeFromString("[]", checker));
    EXPECT_TRUE(copy.Get().Get().empty());
}

TEST(NumberList, RefusesWhatIsNoNumber)
{
    NumberListValue value;
    EXPECT_FALSE(value.DeserializeFromString("[0.5, x]", MakeNumberListChecker()));
    EXPECT_FALSE(value.DeserializeFromString("[0.5,, 1]", MakeNumberListChecker()));
}

TEST(CountList, ReadsWhatItWritesAndRefusesWhatIsNoCount)
{
    const auto checker = MakeCountListChecker();
    CountListValue value;
    ASSERT_TRUE(value.DeserializeFromString("[0, 4294967295]", checker));
    EXPECT_EQ(value.Get().Get(), (std::vector<uint32_t>{0, 4294967295}));
    EXPECT_EQ(value.SerializeToString(checker), "[0, 4294967295]");
    for (const char* text : {"[-1]", "[4294967296]", "[0.5]", "[1,]", "[one]"})
    {
        EXPECT_FALSE(value.DeserializeFromString(text, checker)) << text;
    }
}

TEST(NameList, RefusesNamesWithBrackets)
{
    for (const char* text : {"[a, b]", "a, b"})
    {
        std::istringstream stream(text);
        NameList list;
        stream >> list;
        EXPECT_EQ(list.Get(), (std::vector<std::string>{"a", "b"})) << text;
    }
    for (const char* text : {"\n[,b", "a, [b, c"})
    {
        std::istringstream stream(text);
        NameList list;
        stream >> list;
        EXPECT_TRUE(stream.fail()) << text;
    }
}

TEST(NameList, HasAsManyNamesAsItsCheckerAllows)
{
    const auto checker = MakeNameListChecker(1, 2);
    NameListValue value;
    ASSERT_TRUE(value.DeserializeFromString("[leaf0, spine 1]", checker));
    EXPECT_EQ(value.Get().Get(), (std::vector<std::string>{"leaf0", "spine 1"}));
    EXPECT_EQ(value.SerializeToString(checker), "[leaf0, spine 1]");
    const auto allows = [&checker](const std::vector<std::string>& names) {
        return checker->Check(NameListValue(NameList(names)));
    };
    EXPECT_FALSE(allows({}));
    EXPECT_TRUE(allows({"a"}));
    EXPECT_TRUE(allows({"a", "b"}));
    EXPECT_FALSE(allows({"a", "b", "c"}));
    EXPECT_FALSE(checker->Check(NumberListValue()));
}

TEST(WordList, IsOneWordThatStandsAloneOrSomeOfTheOthersOnceEach)
{
    const WordListChecker checker({"none", "full"}, {"one", "other"});
    const auto allows = [&checker](const std::vector<std::string>& words) {
        return checker.Check(NameListValue(NameList(words)));
    };
    EXPECT_TRUE(allows({"none"}));
    EXPECT_TRUE(allows({"other", "one"}));
    EXPECT_FALSE(allows({}));
    EXPECT_FALSE(allows({"none", "full"}));
    EXPECT_FALSE(allows({"none", "one"}));
    EXPECT_FALSE(allows({"one", "one"}));
    EXPECT_FALSE(allows({"another"}));
    EXPECT_FALSE(checker.Check(NumberListValue()));
}

TEST(TextOrCounts, IsAText)
{
    const TextOrCountsChecker checker;
    EXPECT_TRUE(checker.Check(StringValue("[1, 2]")));
    EXPECT_TRUE(checker.Check(StringValue("even")));
    EXPECT_FALSE(checker.Check(CountListValue()));
}

} // namespace
