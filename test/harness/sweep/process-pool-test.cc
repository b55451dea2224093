// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-fixture.h"

#include "ns3/rails-process-pool.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ns3::rails
{

namespace
{

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kLong = seconds(20);

int
SleepLong()
{
    std::this_thread::sleep_for(kLong);
    return 0;
}

/// \return true when a process is gone, be it after a moment; a zombie is not gone
bool
IsGoneSoon(pid_t process)
{
    for (int i = 0; i < 6000; ++i)
    {
        if (kill(process, 0) != 0 && errno == ESRCH)
        {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
}

} // namespace

TEST(ProcessPoolTest, StatusAndStandardErrorComeBack)
{
    ProcessPool pool;
    pool.Start(7, {}, [] {
        std::cerr << "something\nto say" << std::endl;
        return 3;
    });
    const auto ended = pool.Wait(kLong);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->task, 7U);
    EXPECT_TRUE(WIFEXITED(ended->status));
    EXPECT_EQ(WEXITSTATUS(ended->status), 3);
    EXPECT_EQ(ended->errors, "something\nto say\n");
    EXPECT_FALSE(ended->isLate);
    EXPECT_TRUE(pool.GetRunning().empty());
}

TEST(ProcessPoolTest, OnlyTheEndOfALongStandardErrorIsKept)
{
    ProcessPool pool;
    pool.Start(0, {}, [] {
        std::cerr << std::string(1'000'000, 'x') << "end" << std::endl;
        return 0;
    });
    const auto ended = pool.Wait(kLong);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->errors.size(), 64U * 1024);
    EXPECT_EQ(ended->errors.substr(ended->errors.size() - 4), "end\n");
}

TEST(ProcessPoolTest, ExceptionOfTheWorkIsItsEndAlone)
{
    ProcessPool pool;
    pool.Start(0, {}, []() -> int { throw std::runtime_error("not today"); });
    const auto ended = pool.Wait(kLong);
    ASSERT_TRUE(ended);
    EXPECT_NE(ended->status, 0);
    EXPECT_NE(ended->errors.find("not today"), std::string::npos) << ended->errors;
}

TEST(ProcessPoolTest, ProcessBeyondItsTimeIsEnded)
{
    ProcessPool pool;
    ProcessLimits limits;
    limits.seconds = 0.1;
    const auto begin = ProcessPool::Clock::now();
    pool.Start(0, limits, SleepLong);
    pool.Start(1, {}, [] { return 0; });
    std::map<std::size_t, ProcessPool::Ended> all;
    while (!pool.GetRunning().empty())
    {
        const auto ended = pool.Wait(kLong);
        ASSERT_TRUE(ended);
        all[ended->task] = *ended;
    }
    EXPECT_TRUE(all[0].isLate);
    EXPECT_TRUE(WIFSIGNALED(all[0].status));
    EXPECT_GE(all[0].seconds, 0.1);
    EXPECT_FALSE(all[1].isLate);
    EXPECT_EQ(all[1].status, 0);
    EXPECT_LT(ProcessPool::Clock::now() - begin, seconds(10));
}

TEST(ProcessPoolTest, SignalIsNotTakenForATimeLimit)
{
    ProcessPool pool;
    ProcessLimits limits;
    limits.seconds = 60;
    pool.Start(0, limits, [] { return raise(SIGSEGV); });
    const auto ended = pool.Wait(kLong);
    ASSERT_TRUE(ended);
    EXPECT_FALSE(ended->isLate);
    if (!test::IsSanitized()) // which makes a status of it
    {
        ASSERT_TRUE(WIFSIGNALED(ended->status));
        EXPECT_EQ(WTERMSIG(ended->status), SIGSEGV);
    }
}

class ProcessMemoryTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (test::IsSanitized())
        {
            GTEST_SKIP() << "limits of memory cannot be looked at under AddressSanitizer";
        }
    }

    /// \return with which status a process ends that may have so much memory, 0: as much as it
    /// likes
    static int GetStatus(const std::function<int()>& work, uint64_t bytes = 100 << 20)
    {
        ProcessPool pool;
        ProcessLimits limits;
        limits.memoryBytes = bytes;
        pool.Start(0, limits, work);
        const int status = pool.Wait(kLong).value().status;
        EXPECT_TRUE(WIFEXITED(status));
        return WEXITSTATUS(status);
    }
};

TEST_F(ProcessMemoryTest, MemoryBeyondTheLimitIsABadAllocation)
{
    const auto work = [] {
        try
        {
            std::vector<char> memory(200 << 20, 'x');
            return memory[12345] == 'x' ? 0 : 1;
        }
        catch (const std::bad_alloc&)
        {
            return 9;
        }
    };
    EXPECT_EQ(GetStatus(work), 9);
    EXPECT_EQ(GetStatus(work, 0), 0);
}

TEST_F(ProcessMemoryTest, MemoryThatSomebodyDoesWithoutLeavesTheRestLimited)
{
    const auto work = [] {
        constexpr std::size_t large = 200 << 20;
        for (int i = 0; i < 3; ++i)
        {
            const std::unique_ptr<char[]> memory(new (std::nothrow) char[large]);
            if (memory)
            {
                return i;
            }
        }
        try
        {
            const std::vector<char> memory(large, 'x');
            return static_cast<int>(memory[12345]);
        }
        catch (const std::bad_alloc&)
        {
            const std::vector<char> told(1 << 20, 'x'); // for which there is some left
            return told[12345] == 'x' ? 9 : 8;
        }
    };
    EXPECT_EQ(GetStatus(work), 9);
}

TEST_F(ProcessMemoryTest, WhoDoesWithoutAllTheTimeDoesNotLiftTheLimit)
{
    const auto work = [] {
        constexpr std::size_t piece = 6 << 20;
        // Memory that earlier tests freed is not limited: it is taken first.
        for (const volatile void* taken = &piece; taken;)
        {
            taken = std::malloc(piece);
        }
        std::vector<std::vector<char>> kept(60);
        for (std::size_t i = 0; i < kept.size(); ++i)
        {
            const std::unique_ptr<char[]> memory(new (std::nothrow) char[400 << 20]);
            if (memory)
            {
                return 61;
            }
            try
            {
                kept[i].assign(piece, 'x');
            }
            catch (const std::bad_alloc&)
            {
                return static_cast<int>(i);
            }
        }
        return 60;
    };
    const int pieces = GetStatus(work);
    EXPECT_GT(pieces, 5);
    EXPECT_LT(pieces, 35); // of 6 MiB, with 100 MiB and what may be raised
}

TEST(ProcessPoolTest, WaitingHasAnEnd)
{
    ProcessPool pool;
    EXPECT_FALSE(pool.Wait(milliseconds(1)));
    pool.Start(0, {}, SleepLong);
    EXPECT_FALSE(pool.Wait(milliseconds(20)));
    EXPECT_EQ(pool.GetRunning().size(), 1U);
    EXPECT_EQ(pool.GetInterrupt(), 0);
}

TEST(ProcessPoolTest, RequestToEndIsToldAndKillEndsAll)
{
    ProcessPool pool;
    pool.Start(4, {}, SleepLong);
    pool.Start(5, {}, SleepLong);
    kill(getpid(), SIGTERM);
    EXPECT_FALSE(pool.Wait(kLong));
    EXPECT_EQ(pool.GetInterrupt(), SIGTERM);
    const std::vector<ProcessPool::Ended> ended = pool.Kill();
    ASSERT_EQ(ended.size(), 2U);
    EXPECT_EQ((std::set<std::size_t>{ended[0].task, ended[1].task}), (std::set<std::size_t>{4, 5}));
    EXPECT_TRUE(pool.GetRunning().empty());
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
}

TEST(ProcessPoolTest, RequestToEndIsToldEvenWhenProcessesEndAllTheTime)
{
    ProcessPool pool;
    for (std::size_t task = 0; task < 3; ++task)
    {
        pool.Start(task, {}, [] { return 0; });
    }
    siginfo_t ended;
    ASSERT_EQ(waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT), 0);
    kill(getpid(), SIGTERM);
    EXPECT_TRUE(pool.Wait(kLong));
    EXPECT_EQ(pool.GetInterrupt(), SIGTERM);
}

TEST(ProcessPoolTest, SignalThatIsIgnoredStaysSo)
{
    const auto before = std::signal(SIGHUP, SIG_IGN); // which nohup does
    {
        ProcessPool pool;
        kill(getpid(), SIGHUP);
        EXPECT_FALSE(pool.Wait(std::chrono::milliseconds(50)));
        EXPECT_EQ(pool.GetInterrupt(), 0);
    }
    std::signal(SIGHUP, before);
}

TEST(ProcessPoolTest, SignalsAreAsBeforeAtTheEnd)
{
    sigset_t before;
    sigset_t after;
    sigprocmask(SIG_BLOCK, nullptr, &before);
    pid_t child = 0;
    {
        ProcessPool pool;
        pool.Start(0, {}, [&before] {
            sigset_t own;
            sigprocmask(SIG_BLOCK, nullptr, &own);
            return sigismember(&own, SIGTERM) == sigismember(&before, SIGTERM) ? 0 : 1;
        });
        EXPECT_EQ(pool.Wait(kLong).value().status, 0);
        pool.Start(0, {}, SleepLong);
        child = pool.GetRunning().size() == 1 ? fork() : -1;
        if (child == 0)
        {
            _exit(0); // no business of the pool
        }
        waitpid(child, nullptr, 0);
    }
    sigprocmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process outlives the pool";
}

TEST(ProcessPoolTest, ProcessesDieWithTheirParentWhateverEndsIt)
{
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t parent = fork();
    if (parent == 0)
    {
        ProcessPool pool;
        pool.Start(0, {}, [&ends] {
            const pid_t own = getpid();
            return write(ends[1], &own, sizeof(own)) == sizeof(own) ? SleepLong() : 1;
        });
        pool.Wait(kLong);
        _exit(0);
    }
    pid_t child = 0;
    ASSERT_EQ(read(ends[0], &child, sizeof(child)), static_cast<ssize_t>(sizeof(child)));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    EXPECT_TRUE(IsGoneSoon(child));
    close(ends[0]);
    close(ends[1]);
}

TEST(ProcessPoolTest, OneProcessDoesNotHoldTheFilesOfAnother)
{
    const auto countFiles = [] {
        const auto begin = std::filesystem::directory_iterator("/proc/self/fd");
        return static_cast<int>(std::distance(begin, std::filesystem::directory_iterator()));
    };
    ProcessPool pool;
    pool.Start(0, {}, countFiles);
    const int first = WEXITSTATUS(pool.Wait(kLong).value().status);
    for (std::size_t task = 1; task <= 30; ++task)
    {
        pool.Start(task, {}, SleepLong);
    }
    pool.Start(31, {}, countFiles);
    EXPECT_EQ(WEXITSTATUS(pool.Wait(kLong).value().status), first);
}

} // namespace ns3::rails
