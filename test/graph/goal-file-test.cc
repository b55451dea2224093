// SPDX-License-Identifier: GPL-2.0-only
#include "goal-fixtures.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ns3::rails
{

TEST(GoalFile, ReadsOperationsAndWhatTheyNeed)
{
    const GoalSchedule schedule = ReadText("/* two\n   ranks */ num_ranks 3 // and one more\n"
                                           "rank 1 {\r\n"
                                           "  recv 10b from 0 tag 4 cpu 1 nic 2\n"
                                           "}\n\n"
                                           "rank 0 { start_1: calc 100 cpu 3 // ns\n"
                                           "\n"
                                           "send: send 10 b to 1 /* here */ tag 4 nic 1\n"
                                           "calc 7\n"
                                           "calc: calc 8 }\n"
                                           "rank 2 {\n"
                                           "l1: calc 1\nl2: calc 2\nl1 irequires l2\n"
                                           "}");
    EXPECT_EQ(WriteText(schedule),
              "num_ranks 3\n"
              "\n"
              "rank 0 {\n"
              "l1: calc 100 cpu 3\n"
              "l2: send 10b to 1 tag 4 nic 1\n"
              "l3: calc 7\n"
              "l4: calc 8\n"
              "}\n"
              "\n"
              "rank 1 {\n"
              "l1: recv 10b from 0 tag 4 cpu 1 nic 2\n"
              "}\n"
              "\n"
              "rank 2 {\n"
              "l1: calc 1\n"
              "l2: calc 2\n"
              "l1 irequires l2\n"
              "}\n");
}

TEST(GoalFile, WhatIsWrittenIsReadAsTheSame)
{
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        const GoalSchedule schedule = DrawSchedule(seed);
        const std::string text = WriteText(schedule);
        const GoalSchedule again = ReadText(text);
        EXPECT_TRUE(again == schedule) << text;
        EXPECT_EQ(WriteText(again), text);
    }
}

TEST(GoalFile, NumbersMayHave64Bits)
{
    const GoalSchedule schedule = ReadText("num_ranks 1\nrank 0 {\n"
                                           "send 1000000000000b to 0 tag 18446744073709551615\n"
                                           "recv 1000000000000b from 0 tag 18446744073709551615\n"
                                           "calc 4000000000000000 cpu 4294967294\n"
                                           "}\n");
    const std::vector<GoalOperation>& operations = schedule.ranks[0].operations;
    EXPECT_EQ(operations[0].tag, std::numeric_limits<uint64_t>::max());
    EXPECT_EQ(operations[1].amount, 1'000'000'000'000U);
    EXPECT_EQ(operations[2].amount, 4'000'000'000'000'000U);
    EXPECT_EQ(operations[2].cpu, 4'294'967'294U);
}

TEST(GoalFile, NamesTheLineOfWhatIsWrong)
{
    const std::string two = "num_ranks 2\n";

    const struct
    {
        std::string text;
        const char* message;
    } cases[] = {
        {"", ":1: expected 'num_ranks NUMBER' before all else, found the end of the file"},
        {"// none\nrank 0 {\n}\n", ":2: expected 'num_ranks NUMBER' before all else, found 'rank'"},
        {"num_ranks 0\n", ":1: expected at least one rank"},
        {"num_ranks 1000001\n", ":1: expected a number of ranks of at most 1000000"},
        {"num_ranks two\n", ":1: expected a number of ranks, found 'two'"},
        {two + "num_ranks 2\n", ":2: expected 'rank NUMBER {', found 'num_ranks'"},
        {two + "rank 2 {\n}\n", ":2: expected a rank of at most 1, found '2'"},
        {two + "rank 0\ncalc 1\n}\n", ":2: expected '{', found the end of the line"},
        {two + "rank 0 {\ncalc 1\n", ":4: expected the '}' of rank 0, found the end of the file"},
        {two + "rank 0 {\nrank 1 {\n}\n", ":3: expected the '}' of rank 0, found 'rank'"},
        {two + "rank 0 {\n}\n}\n", ":4: expected 'rank NUMBER {', found '}'"},
        {two + "rank 1 {\n}\nrank 1\n{\n}\n", ":4: rank 1 has been described in line 2"},
        {"/* a\n\nb */ num_ranks 2 // c\nrank 2 {\n}\n", ":4: expected a rank of at most 1"},
        {two + "rank 0 {\nwait 5\n}\n", ":3: 'wait' is unknown: expected calc, send, recv"},
        {two + "rank 0 {\nl1: wait 5\n}\n", ":3: 'wait' is unknown: expected calc, send, recv"},
        {two + "rank 0 {\nl1: calc\n}\n", ":3: expected nanoseconds, found the end of the line"},
        {two + "rank 0 {\ncalc -5\n}\n", ":3: any source and any tag (-1) are not supported"},
        {two + "rank 0 {\ncalc 18446744073709551616\n}\n", ":3: expected nanoseconds of at most 1"},
        {two + "rank 0 {\ncalc 5 nic 1\n}\n", ":3: expected the end of the line (behind a message"},
        {two + "rank 0 {\ncalc 5 6\n}\n", ":3: expected the end of the line (behind a message"},
        {two + "rank 0 {\ncalc 5 cpu 4294967295\n}\n", ":3: expected the number of a cpu of at mo"},
        {two + "rank 0 {\n5: calc 5\n}\n", ":3: expected an operation or a label, found '5'"},
        {two + "rank 0 {\nsend 5 to 1\n}\n", ":3: expected 'b', found 'to'"},
        {two + "rank 0 {\nsend 5b from 1\n}\n", ":3: expected 'to', found 'from'"},
        {two + "rank 0 {\nsend 5b to 2\n}\n", ":3: expected a rank of at most 1, found '2'"},
        {two + "rank 0 {\nrecv 5b from -1\n}\n", ":3: any source and any tag (-1) are not supp"},
        {two + "rank 0 {\nrecv 5b from 1 tag -1\n}\n", ":3: any source and any tag (-1) are not"},
        {two + "rank 0 {\nsend 1000000000001b to 1\n}\n", ":3: expected a number of bytes of at m"},
        {two + "rank 0 {\nl: calc 1\nl: calc 2\n}\n", ":4: another operation of this rank is labe"},
        {two + "rank 0 {\nl: calc 1\nl requires m\n}\n", ":4: no operation of this rank above"},
        {two + "rank 0 {\nl: calc 1\nm requires l\n}\n", ":4: no operation of this rank above"},
        {two + "rank 0 {\nl: calc 1\nl requires 5\n}\n", ":4: expected a label, found '5'"},
        {two + "rank 0 {\nl: calc 1\n}\nrank 1 {\nm: calc 1\nm requires l\n}\n",
         ":7: no operation of this rank above this line is labelled 'l'"},
        {two + "rank 0 {\nl: calc 1\n}\n/* lost", ":5: the comment that begins here has no end"},
        {two + "rank 0 {\nl: calc 1 & 2\n}\n", ":3: expected the end of the line"},
    };

    for (const auto& one : cases)
    {
        SCOPED_TRACE(one.text);
        ExpectConfigurationError([&] { ReadText(one.text); }, "path", one.message);
    }
    ExpectConfigurationError([] { ReadGoal("/no/such"); }, "path", "/no/such: cannot be read");
    ExpectConfigurationError([] { ReadGoal("/"); }, "path", "/: cannot be read");
    ExpectConfigurationError([] { ReadGoal(""); }, "path", "expected the path of a GOAL file");
}

TEST(GoalFile, EverySendHasARecvOfItsSize)
{
    const auto expect = [](const std::string& zero, const std::string& one, const char* message) {
        const std::string text = "num_ranks 2\nrank 0 {\n" + zero + "}\nrank 1 {\n" + one + "}\n";
        SCOPED_TRACE(text);
        ExpectConfigurationError([&] { ReadText(text); }, "path", message);
    };
    expect("send 5b to 1\n",
           "",
           ":3: rank 1 has no recv for this send (from rank 0 to rank 1, tag 0)");
    expect("send 5b to 1\nsend 5b to 1\n", "recv 5b from 0\n", ":4: rank 1 has no recv for this");
    expect("send 5b to 1 tag 1\n", "recv 5b from 0 tag 2\n", ":3: rank 1 has no recv for this");
    expect("send 5b to 1 tag 2\n", "recv 5b from 0 tag 1\n", ":6: rank 0 has no send for this");
    expect("", "recv 5b from 0 tag 7\n", ":5: rank 0 has no send for this recv (from rank 0 to ra");
    expect("send 5b to 1\nsend 6b to 1\n",
           "recv 6b from 0\nrecv 5b from 0\n",
           ":7: this recv expects 6 bytes, and the send that it gets has 5: expected as many; see "
           "line 3");
    EXPECT_NO_THROW(
        ReadText("num_ranks 2\n"
                 "rank 0 {\nsend 5b to 1\nsend 6b to 1 tag 1\nsend 7b to 1\n}\n"
                 "rank 1 {\nrecv 6b from 0 tag 1\nrecv 5b from 0\nrecv 7b from 0\n}\n"));
}

TEST(GoalFile, NobodyWaitsForHimself)
{
    const auto expect = [](const std::string& zero, const std::string& one, const char* message) {
        const std::string text = "num_ranks 2\nrank 0 {\n" + zero + "}\nrank 1 {\n" + one + "}\n";
        SCOPED_TRACE(text);
        ExpectConfigurationError([&] { ReadText(text); }, "path", message);
    };
    expect("a: calc 1\na requires a\n",
           "",
           ":3: this operation waits for itself, in a circle of 1");
    expect("a: calc 1\na irequires a\n", "", ":3: this operation waits for itself, in a circle of");
    expect("a: calc 1\nb: calc 1\nc: calc 2\na requires b\nb irequires a\nc requires a\n",
           "",
           "waits for itself, in a circle of 2");
    // Both wait for the other before they send.
    const std::string waits = "b requires a\n";
    expect(
        "a: recv 1b from 1\nb: send 1b to 1\n" + waits,
        "a: recv 1b from 0\nb: send 1b to 0\n" + waits,
        "in a circle of 4: take one of the dependencies away, or send before you wait; see line");
    // That a recv has begun is no message.
    EXPECT_NO_THROW(ReadText("num_ranks 2\n"
                             "rank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb irequires a\n}\n"
                             "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n"));
}

TEST(GoalFile, TimeEndsAfter46Days)
{
    const std::string half = "calc 2000000000000000\n";
    const std::string begin =
        "num_ranks 2\nrank 0 {\na: calc 2000000000000000 cpu 1\nb: " + half + "c: " + half;
    EXPECT_NO_THROW(ReadText(begin + "b requires a\n}\n"));
    ExpectConfigurationError([&] { ReadText(begin + "b requires a\nc requires b\n}\n"); },
                             "path",
                             ":5: this calc and those before it take more than 46 days");
    ExpectConfigurationError([&] { ReadText(begin + "d: " + half + "}\n"); },
                             "path",
                             ":6: this calc and others of its cpu take more than 46 days");
    ExpectConfigurationError([&] { ReadText("num_ranks 1\nrank 0 {\ncalc 9000000000000000\n}\n"); },
                             "path",
                             ":3: this calc and those before it take more than 46 days");
}

} // namespace ns3::rails
