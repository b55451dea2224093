// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-rule.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ns3::rails
{

namespace
{

using Demand = KeyRule::Demand;

/// \return "KEY: MESSAGE" of what a rule has against keys; empty when it has nothing
std::string
Find(const KeyRule& rule, const std::set<std::string>& given)
{
    try
    {
        rule.Check(given);
    }
    catch (const ConfigurationError& error)
    {
        return error.GetKey() + ": " + error.what();
    }
    return "";
}

TEST(KeyRule, AllNamesTheFirstThatIsMissing)
{
    const KeyRule rule{Demand::All, {"a", "b", "c"}, "needs %"};
    EXPECT_EQ(Find(rule, {"a", "b", "c", "d"}), "");
    EXPECT_EQ(Find(rule, {"a"}), ": needs b");
}

TEST(KeyRule, OneOfIsNeitherNoneNorTwo)
{
    const KeyRule rule{Demand::OneOf, {"a", "b", "c"}, "needs one", "% is too much"};
    EXPECT_EQ(Find(rule, {"b"}), "");
    EXPECT_EQ(Find(rule, {"d"}), ": needs one");
    EXPECT_EQ(Find(rule, {"a", "c"}), "c: c is too much");
}

TEST(KeyRule, NoneNamesTheFirstThatIsThere)
{
    const KeyRule rule{Demand::None, {"a", "b"}, "% does not belong here"};
    EXPECT_EQ(Find(rule, {"c"}), "");
    EXPECT_EQ(Find(rule, {"b"}), "b: b does not belong here");
}

TEST(KeyRule, AppliesWithSomeKeysAndWithoutOthers)
{
    const KeyRule rule{Demand::All, {"a"}, "needs %", "", {"b", "c"}, {"d"}};
    EXPECT_EQ(Find(rule, {}), "");
    EXPECT_EQ(Find(rule, {"c"}), ": needs a");
    EXPECT_EQ(Find(rule, {"c", "d"}), "");
}

} // namespace

} // namespace ns3::rails
