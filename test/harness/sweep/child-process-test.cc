// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-child-process.h"
#include "ns3/rails-command.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3::rails
{

using namespace std::chrono_literals;

namespace
{

/// \return a process that leads a group of its own, and sleeps
pid_t
StartSleeper(unsigned seconds)
{
    const pid_t id = fork();
    if (id == 0)
    {
        setpgid(0, 0);
        sleep(seconds);
        _exit(5);
    }
    setpgid(id, id);
    return id;
}

std::optional<int>
TakeEndSoon(ChildProcess& child)
{
    for (int i = 0; i < 2000; ++i)
    {
        if (const std::optional<int> status = child.TakeEnd())
        {
            return status;
        }
        std::this_thread::sleep_for(5ms);
    }
    return std::nullopt;
}

} // namespace

TEST(ChildProcessTest, EndInTimeIsNotLate)
{
    ChildProcess child(StartSleeper(0), 60);
    EXPECT_GT(child.KillIfLate(), ChildProcess::Clock::now() + 50s);
    const std::optional<int> status = TakeEndSoon(child);
    ASSERT_TRUE(status);
    EXPECT_EQ(WEXITSTATUS(*status), 5);
    EXPECT_FALSE(child.IsLate());
}

TEST(ChildProcessTest, WithoutALimitNothingIsEverLate)
{
    ChildProcess child(StartSleeper(60), 0);
    EXPECT_EQ(child.KillIfLate(), ChildProcess::Clock::time_point::max());
    EXPECT_FALSE(child.TakeEnd());
    child.Kill();
    EXPECT_EQ(WTERMSIG(child.WaitForEnd()), SIGKILL);
    EXPECT_FALSE(child.IsLate());
}

TEST(ChildProcessTest, TimeThatIsOverKills)
{
    ChildProcess child(StartSleeper(60), 0.05);
    EXPECT_LT(child.KillIfLate(), ChildProcess::Clock::now() + 1s);
    EXPECT_FALSE(child.IsLate());
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(child.KillIfLate(), ChildProcess::Clock::time_point::max());
    const std::optional<int> status = TakeEndSoon(child);
    ASSERT_TRUE(status);
    EXPECT_EQ(WTERMSIG(*status), SIGKILL);
    EXPECT_TRUE(child.IsLate());
}

TEST(ChildProcessTest, OnlyTheEndOfAnOutputIsRead)
{
    const ProcessOutput output;
    ASSERT_EQ(write(output.GetFile(), "beginning and end", 17), 17);
    EXPECT_EQ(output.Read(), "beginning and end");
    EXPECT_EQ(output.Read(3), "end");
    EXPECT_EQ(ProcessOutput().Read(3), "");
}

TEST(CommandTest, StreamsAndStatusComeBack)
{
    const CommandOutcome outcome = RunCommand({"sh", "-c", "echo a; echo b >&2; exit 3"}, 60s);
    EXPECT_EQ(outcome.output, "a\n");
    EXPECT_EQ(outcome.errors, "b\n");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_FALSE(outcome.isLate);
}

TEST(CommandTest, WhatACommandLeavesBehindIsNotWaitedFor)
{
    const auto begin = std::chrono::steady_clock::now();
    const CommandOutcome outcome = RunCommand({"sh", "-c", "sleep 20 & echo a"}, 60s);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
    EXPECT_EQ(outcome.output, "a\n");
    EXPECT_TRUE(outcome.IsGood());
}

} // namespace ns3::rails
