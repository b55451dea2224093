// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-yaml-tree.h"

#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

std::string
GetError(const std::string& text)
{
    try
    {
        ParseYaml(text, "f");
    }
    catch (const DescriptorError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(YamlTree, KeepsTheOrderAndPlaceOfEveryKeyAndValue)
{
    const YamlNode root = ParseYaml("b: 1\na: {x: [p, 'q'],\n    y: ~}\n", "f");
    ASSERT_EQ(root.entries.size(), 2U);
    EXPECT_EQ(root.entries[0].key, "b");
    EXPECT_EQ(root.entries[0].place.ToString(), "f:1:1");
    EXPECT_EQ(root.entries[0].value.place.ToString(), "f:1:4");
    const YamlNode& a = root.entries[1].value;
    ASSERT_EQ(a.kind, YamlNode::Kind::Map);
    ASSERT_EQ(a.entries[0].value.items.size(), 2U);
    EXPECT_EQ(a.entries[0].value.items[1].place.ToString(), "f:2:12");
    EXPECT_FALSE(a.entries[0].value.items[0].quoted);
    EXPECT_TRUE(a.entries[0].value.items[1].quoted);
    EXPECT_EQ(a.entries[1].place.ToString(), "f:3:5");
    EXPECT_EQ(a.entries[1].value.kind, YamlNode::Kind::Null);
}

TEST(YamlTree, ScalarsStayText)
{
    const YamlNode root = ParseYaml("[010, 1e3, yes, 0x10, 1_000]", "f");
    ASSERT_EQ(root.items.size(), 5U);
    EXPECT_EQ(root.items[0].text, "010");
    EXPECT_EQ(root.items[2].text, "yes");
    EXPECT_EQ(root.items[4].text, "1_000");
}

TEST(YamlTree, AnchorsStandForTheirValue)
{
    const YamlNode root = ParseYaml("a: &x {k: v}\nb: *x\n", "f");
    ASSERT_NE(root.Find("b"), nullptr);
    ASSERT_NE(root.Find("b")->value.Find("k"), nullptr);
    EXPECT_EQ(root.Find("b")->value.Find("k")->value.text, "v");
}

TEST(YamlTree, WindowsLineEndsAndAByteOrderMarkDoNotMatter)
{
    const YamlNode root = ParseYaml("\xEF\xBB\xBF"
                                    "a: 1\r\nb: 2\r\n",
                                    "f");
    ASSERT_NE(root.Find("a"), nullptr);
    EXPECT_EQ(root.Find("a")->value.text, "1");
    EXPECT_EQ(root.Find("b")->value.text, "2");
}

TEST(YamlTree, WhatIsNotOneCleanDocumentIsRefusedWithItsPlace)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"a: 1\na: 2\n", "f:2:1: error: key 'a' is here twice; the first is at f:1:1"},
        {"x: {a: 1, a: 2}", "f:1:11: error: key 'a' is here twice"},
        {"a:\n\tb: 1\n", "f:2:1: error: a tab in the indentation"},
        {"a:\n  \tb: 1\n", "f:2:3: error: a tab in the indentation"},
        {"a: 1\n---\nb: 2\n", "behind the end of the document"},
        {"{a: 1} b\n", "behind the end of the document"},
        {"- a\nb: c\n", "f:2:1: error: this is behind the end of the document"},
        {"", "f:1:1: error: there is nothing in it"},
        {"# only a comment\n", "f:1:1: error: there is nothing in it"},
        {"a: [1, 2\n", "f:1:4: error: the '[' that begins here is never closed"},
        {"a: {b: 1\nc: 2", "f:1:4: error: the '{' that begins here is never closed"},
        {"a: [{b: 1}, {c: 2}", "f:1:4: error: the '[' that begins here is never closed"},
        {"a: {b: 1}\nc: {d: [1, 2}\n",
         "f:2:8: error: the '[' that begins here is not closed before the '}' at f:2:13"},
        {"# {\na: it's [fine\nb: {c: '}', d: \"]\"\n",
         "f:3:4: error: the '{' that begins here is never closed"},
        {"a: \"open\nb: c\nd: \"e\"\n",
         "f:1:4: error: the '\"' that begins here is not closed before the '\"' at f:3:4"},
        {"a: [1, 2]]\n", "error: YAML syntax: "},
        {"a: 'open\nb: c\n", "f:1:4: error: the quotes that begin here are never closed"},
        {"a: 1\nb: \"open \\\"\nc: 1\n", "f:2:4: error: the quotes that begin here"},
        {"a: 'it''s\nb: c\n", "f:1:4: error: the quotes that begin here"},
        {"{a: 1,, b: 2}\n", "a key must be a name, not nothing"},
        {"a: b: c\n", "f:1:5: error: YAML syntax: "},
        {"a: *nobody\n", "error: YAML syntax: "},
        {"a: &x {k: v}\nb:\n  <<: *x\n",
         "f:3:3: error: merge keys ('<<') are not understood here; write the keys out, or use an "
         "alias (*name) for a whole value"},
        {"a: !secret 5\n", "no use for the YAML tag '!secret'"},
        {"a: !!int 5\n", "no use for the YAML tag"},
        {"? [x, y]\n: 1\n", "f:1:3: error: a key must be a name, not a list"},
        {"a: \x01\n", "f:1:4: error: a control character"},
        {std::string("a: \0b\n", 6), "f:1:4: error: a control character"},
        {"ok: 1\na: \xff\xfe\n", "f:2:4: error: this is not UTF-8 text"},
        {"a: \xc0\xaf\n", "f:1:4: error: this is not UTF-8 text"},
        {"a: \xed\xa0\x80\n", "f:1:4: error: this is not UTF-8 text"},
        {"a: \xe2\x82", "f:1:4: error: this is not UTF-8 text"},
        {"a: &x [*x]\n", "error: "},
    };
    for (const auto& [text, expected] : cases)
    {
        EXPECT_NE(GetError(text).find(expected), std::string::npos)
            << text << "\nexpected: " << expected << "\ngot: " << GetError(text);
    }
}

TEST(YamlTree, NestingWithoutEndIsAnError)
{
    std::string questions;
    std::string dashes;
    for (int i = 0; i < 10'000; ++i)
    {
        questions += "? ";
        dashes += "- ";
    }
    for (const std::string& text : {std::string(100'000, '['),
                                    std::string(100'000, '{'),
                                    "a: " + std::string(101, '[') + std::string(101, ']'),
                                    questions,
                                    dashes})
    {
        EXPECT_NE(GetError(text).find("inside each other; this is not a descriptor"),
                  std::string::npos)
            << text.substr(0, 10) << ": " << GetError(text);
    }
    EXPECT_EQ(GetError("a: " + std::string(99, '[') + std::string(99, ']')), "");
}

TEST(YamlTree, AliasesDoNotNestWithoutEndEither)
{
    // Each is in a list of its own, but what it stands for goes deeper and deeper.
    std::string text = "a0: &a0 x\n";
    for (int i = 1; i < 150; ++i)
    {
        const std::string name = "a" + std::to_string(i);
        text += name + ": &" + name + " [*a" + std::to_string(i - 1) + "]\n";
    }
    EXPECT_NE(GetError(text).find("f:101:14: error: more than 100 lists and maps"),
              std::string::npos)
        << GetError(text);
}

TEST(YamlTree, WhatManyAnchorsKeepTwiceCounts)
{
    // A large value in lists each of which has a name: every name keeps a copy.
    std::string text;
    for (int i = 0; i < 50; ++i)
    {
        text += "&a" + std::to_string(i) + " [";
    }
    for (int i = 0; i < 20'000; ++i)
    {
        text += "x,";
    }
    text += std::string(50, ']');
    EXPECT_NE(GetError(text).find("too many values"), std::string::npos) << GetError(text);
}

TEST(YamlTree, ManyKeysTakeNoLongerThanAsManyValues)
{
    std::string text;
    for (int i = 0; i < 90'000; ++i)
    {
        text += "k" + std::to_string(i) + ": 1\n";
    }
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(GetError(text), "");
    // One by one against all others they would take minutes.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_NE(GetError(text + "k7: 2\n").find("key 'k7' is here twice; the first is at f:8:1"),
              std::string::npos);
}

TEST(YamlTree, AliasesThatStandForBillionsOfValuesAreRefused)
{
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i)
    {
        const std::string before = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int copies = 0; copies < 10; ++copies)
        {
            text += (copies == 0 ? "" : ", ") + before;
        }
        text += "]\n";
    }
    EXPECT_NE(GetError(text).find("too many values"), std::string::npos) << GetError(text);
}

TEST(YamlTree, FileThatCannotBeReadIsNamed)
{
    const TemporaryFolder folder;
    const auto fail = [](const std::string& path) {
        try
        {
            ParseYaml(ReadDescriptorFile(path), path);
        }
        catch (const DescriptorError& error)
        {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    const std::string missing = (folder.GetPath() / "missing.yaml").string();
    EXPECT_EQ(fail(missing), missing + ": error: no such file");
    EXPECT_NE(fail(folder.GetPath().string()).find("this is a folder"), std::string::npos);
    EXPECT_NE(fail("/dev/zero").find("this is a pipe or a device"), std::string::npos);
    EXPECT_NE(fail("/dev/null").find("this is a pipe or a device"), std::string::npos);
}

} // namespace ns3::rails
