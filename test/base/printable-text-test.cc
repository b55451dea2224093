// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/printable-text.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3::rails
{

namespace
{

using namespace std::string_literals;

TEST(PrintableTextTest, WhatATerminalActsOnIsEscaped)
{
    EXPECT_EQ(EscapeForTerminal("\x1b]0;title\a"), "\\u001b]0;title\\u0007");
    EXPECT_EQ(EscapeForTerminal("a\rb\bc\x7f"), "a\\u000db\\u0008c\\u007f");
    EXPECT_EQ(EscapeForTerminal("a\0b"s), "a\\u0000b");
    EXPECT_EQ(EscapeForTerminal("\u009b31m\u0085"), "\\u009b31m\\u0085");
    EXPECT_EQ(EscapeForTerminal("\u202eabc\u2066\u200f\u061c"), "\\u202eabc\\u2066\\u200f\\u061c");
    EXPECT_EQ(EscapeForTerminal("\u2028\u2029"), "\\u2028\\u2029");
}

TEST(PrintableTextTest, BytesThatAreNoTextAreEscaped)
{
    EXPECT_EQ(EscapeForTerminal("a\xff\x80z"), "a\\xff\\x80z");
    EXPECT_EQ(EscapeForTerminal("\xe2\x82"), "\\xe2\\x82") << "half a character";
    EXPECT_EQ(EscapeForTerminal("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a pair of UTF-16";
    EXPECT_EQ(EscapeForTerminal("\xc0\xaf"), "\\xc0\\xaf") << "a slash in two bytes";
}

TEST(PrintableTextTest, TextStaysAsItIs)
{
    for (const std::string text :
         {"Größe 1\tx\n", "日本語", "2 µs ± 1 %", "\u2027 \u202f😀 \\u001b"})
    {
        EXPECT_EQ(EscapeForTerminal(text), text);
    }
}

TEST(PrintableTextTest, LongTextIsCutInOneLine)
{
    EXPECT_EQ(MakeOneLine("a\nb\tc"), "a\\nb\\tc");
    EXPECT_EQ(MakeOneLine("12345", 5), "12345");
    EXPECT_EQ(MakeOneLine("123456", 5), "12345...");
    EXPECT_EQ(MakeOneLine("ää", 3), "ä...") << "not in the middle of a character";
}

TEST(PrintableTextTest, StreamEscapesWhateverPiecesItIsWrittenIn)
{
    const std::string text = "ä\x1b\u202e\xff€\n";
    for (std::size_t length = 1; length <= text.size(); ++length)
    {
        std::ostringstream stream;
        {
            const PrintGuard guard(stream);
            for (std::size_t at = 0; at < text.size(); at += length)
            {
                stream << text.substr(at, length);
            }
            stream << 'x' << "\xe2\x82"; // whose end does not come
        }
        EXPECT_EQ(stream.str(), "ä\\u001b\\u202e\\xff€\nx\\xe2\\x82") << length;
        stream << '\x1b';
        EXPECT_EQ(stream.str().back(), '\x1b') << "the guard is gone";
    }
}

TEST(PrintableTextTest, StreamCutsLongLines)
{
    std::ostringstream stream;
    {
        const PrintGuard guard(stream, 4);
        stream << "1234\n12"
               << "34"
               << "56"
               << "78\n"
               << "12345";
    }
    EXPECT_EQ(stream.str(), "1234\n1234...\n1234...");
}

TEST(PrintableTextTest, StreamThatCannotBeWrittenIsBad)
{
    std::ostringstream stream;
    stream.setstate(std::ios::badbit);
    const PrintGuard guard(stream);
    EXPECT_TRUE(stream.bad());
}

} // namespace

} // namespace ns3::rails
