// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-interrupt-watch.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

/// Lets a signal come, which ends this process while it is busy.
[[noreturn]] void
Interrupt(int signal)
{
    std::signal(signal, SIG_DFL); // in the background of a script it is ignored
    const InterruptWatch watch([](const char* name) { std::cerr << "told of: " << name; });
    kill(getpid(), signal);
    for (;;)
    {
        pause(); // busy with something that never looks
    }
}

} // namespace

TEST(InterruptWatchDeathTest, InterruptIsToldOfAndEndsTheProcess)
{
    EXPECT_EXIT(Interrupt(SIGINT), testing::ExitedWithCode(130), "told of: Interrupt");
    EXPECT_EXIT(Interrupt(SIGTERM), testing::ExitedWithCode(143), "told of: Terminated");
}

TEST(InterruptWatchDeathTest, SignalsActAsBeforeAfterwards)
{
    const auto end = [] {
        std::signal(SIGINT, SIG_DFL);
        {
            const InterruptWatch watch([](const char*) { std::cerr << "told of"; });
        }
        kill(getpid(), SIGINT);
        pause();
    };
    EXPECT_EXIT(end(), testing::KilledBySignal(SIGINT), "^$");
}

TEST(InterruptWatchDeathTest, SignalThatIsIgnoredStaysSo)
{
    const auto work = [] {
        std::signal(SIGHUP, SIG_IGN); // as under nohup
        const InterruptWatch watch([](const char*) { std::cerr << "told of"; });
        kill(getpid(), SIGHUP);
        usleep(20'000);
        _exit(0);
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(0), "^$");
}

} // namespace ns3::rails
