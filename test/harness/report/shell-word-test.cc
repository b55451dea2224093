// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-shell-word.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace ns3::rails
{

TEST(ShellWordTest, PlainWordsStayAsTheyAre)
{
    EXPECT_EQ(QuoteForShell("balance=rails,seed=1"), "balance=rails,seed=1");
    EXPECT_EQ(QuoteForShell("/a/b-c_d.yaml"), "/a/b-c_d.yaml");
}

TEST(ShellWordTest, ShellReadsWhatWasMeant)
{
    for (const char* text : {"",
                             "a b",
                             "it's",
                             "\"$HOME\" `ls` $(ls)",
                             "a\\b",
                             "*",
                             "~",
                             "#x",
                             "a;b&c|d<e>f",
                             "{1..3}",
                             "new\nline",
                             "!x",
                             "workload.phases=[dispatch, {compute: 2ms}]",
                             "gr\xc3\xb6\xc3\x9f"
                             "e"})
    {
        const std::string command = std::string("printf %s ") + QuoteForShell(text);
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"),
                                                                   pclose);
        ASSERT_TRUE(pipe);
        std::string read(1000, '\0');
        read.resize(std::fread(read.data(), 1, read.size(), pipe.get()));
        EXPECT_EQ(read, text) << command;
    }
}

} // namespace ns3::rails
