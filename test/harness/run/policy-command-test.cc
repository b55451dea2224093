// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/policy-command.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

using Words = std::vector<std::string>;

/// \return what is said of a command line's option; empty when nothing is
std::string
Judge(const std::string& text)
{
    PolicyCommands commands{{"taken", {"true"}}};
    try
    {
        AddPolicyCommand(text, commands);
        return "";
    }
    catch (const PolicyCommandError& error)
    {
        return error.what();
    }
}

TEST(PolicyCommand, IsSplitAsAShellWould)
{
    EXPECT_EQ(SplitCommand("python3  mine.py\t--fast"), (Words{"python3", "mine.py", "--fast"}));
    EXPECT_EQ(SplitCommand("'a b' \"c d\" e\\ f"), (Words{"a b", "c d", "e f"}));
    EXPECT_EQ(SplitCommand("a'b'\"c\" '' \"\""), (Words{"abc", "", ""}));
    EXPECT_EQ(SplitCommand("'\\' \"\\\"\\\\\\n\" \\'"), (Words{"\\", "\"\\\\n", "'"}));
}

TEST(PolicyCommand, NothingHasAMeaningToAShell)
{
    EXPECT_EQ(SplitCommand("a;b $HOME `id` $(id) *|x>y & ~ #z"),
              (Words{"a;b", "$HOME", "`id`", "$(id)", "*|x>y", "&", "~", "#z"}));
}

TEST(PolicyCommand, WhatIsNoneIsRejected)
{
    EXPECT_EQ(Judge("mine=python3 mine.py"), "");
    EXPECT_EQ(Judge("mine=sh -c 'a=b'"), "");
    EXPECT_EQ(Judge("mine=it's"), "a quote stays open: '");
    EXPECT_EQ(Judge("mine= "), "there is no program in the command");
    EXPECT_EQ(Judge("mine=''"), "there is no program in the command");
    for (const std::string text : {"mine", "=mine", ""})
    {
        EXPECT_EQ(Judge(text), "expected NAME=COMMAND, such as mine=\"python3 mine.py\"");
    }
    EXPECT_EQ(Judge("taken=false"), "the policy 'taken' has a command already");
}

TEST(PolicyCommand, ItsHashIsThatOfItsWordsAndFiles)
{
    const TemporaryFolder folder;
    const std::string file = folder.Write("mine.py", "one");
    const std::string hash = HashPolicyCommand({"python3", file});
    EXPECT_EQ(HashPolicyCommand({"python3", file}), hash);
    EXPECT_NE(HashPolicyCommand({"python3", file, "-x"}), hash);
    folder.Write("mine.py", "two");
    EXPECT_NE(HashPolicyCommand({"python3", file}), hash);
}

} // namespace

} // namespace ns3::rails
