// SPDX-License-Identifier: GPL-2.0-only

// Fake commands stand for Slurm's here; test/slurm has the real ones.

#include "../run/experiment-fixtures.h"

#include "ns3/slurm-queue.h"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace ns3::rails
{

namespace
{

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

} // namespace

class SlurmQueueTest : public testing::Test
{
  protected:
    SlurmQueueTest()
    {
        setenv("PATH", (m_folder.GetPath().string() + ":/usr/bin:/bin").c_str(), 1);
    }

    ~SlurmQueueTest() override
    {
        setenv("PATH", m_path.c_str(), 1);
    }

    /// Makes a command that keeps its arguments and does what a script says.
    void MakeCommand(const std::string& name, const std::string& script)
    {
        const std::filesystem::path path = m_folder.GetPath() / name;
        std::ofstream(path) << "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" << path.string() << ".words'\n"
                            << script << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }

    /// \return the arguments that a command was given the last time
    Words GetWords(const std::string& name) const
    {
        std::string text = ReadFile(m_folder.GetPath() / (name + ".words"));
        text.erase(text.find_last_not_of('\n') + 1);
        Words words;
        boost::split(words, text, boost::is_any_of("\n"));
        return words;
    }

    bool WasCalled(const std::string& name) const
    {
        return std::filesystem::exists(m_folder.GetPath() / (name + ".words"));
    }

    /// \return what Slurm refused, empty when it did not
    static std::string GetError(const std::function<void()>& action)
    {
        try
        {
            action();
        }
        catch (const SlurmError& error)
        {
            return error.what();
        }
        return "";
    }

    TemporaryFolder m_folder;
    SlurmQueue m_queue{10s};

  private:
    std::string m_path{std::getenv("PATH")};
};

TEST_F(SlurmQueueTest, JobIsAskedForInWordsOfSbatch)
{
    MakeCommand("sbatch", "echo 123");
    SlurmJob job{"rails-a1-0", "/x/run it.sh", 40};
    EXPECT_EQ(m_queue.Submit(job), "123");
    EXPECT_EQ(GetWords("sbatch"),
              (Words{"--parsable", "--job-name=rails-a1-0", "--array=0-39", "/x/run it.sh"}));
    job.atOnce = 8;
    job.folder = "/home/u";
    job.output = "/logs/%A_%a";
    job.partition = "long";
    job.seconds = 61;
    job.memoryBytes = 1'000'001;
    job.options = {"--requeue", "--account=phy sics"};
    EXPECT_EQ(m_queue.Submit(job), "123");
    EXPECT_EQ(GetWords("sbatch"),
              (Words{"--parsable",
                     "--job-name=rails-a1-0",
                     "--array=0-39%8",
                     "--chdir=/home/u",
                     "--output=/logs/%A_%a",
                     "--partition=long",
                     "--time=2",
                     "--mem=977K",
                     "--requeue",
                     "--account=phy sics",
                     "/x/run it.sh"}));
}

TEST_F(SlurmQueueTest, NumberOfTheJobIsReadBehindOtherWordsAndBeforeTheCluster)
{
    MakeCommand("sbatch", "echo 'This site bills by the hour.'; echo '77;north'");
    EXPECT_EQ(m_queue.Submit({"n", "s", 1}), "77");
    EXPECT_EQ(GetWords("sbatch").at(2), "--array=0-0");
}

TEST_F(SlurmQueueTest, WhatIsNotANumberOfAJobIsAnError)
{
    for (const std::string said : {"", "Submitted", "12x", "-4"})
    {
        MakeCommand("sbatch", "echo '" + said + "'");
        const std::string error = GetError([this] { m_queue.Submit({"n", "s", 1}); });
        EXPECT_NE(error.find("printed '" + said + "' where"), std::string::npos) << error;
    }
}

TEST_F(SlurmQueueTest, RefusalIsPassedOnWithTheCommand)
{
    MakeCommand("sbatch", "echo 'sbatch: error: invalid partition specified: it' >&2; exit 1");
    SlurmJob job{"n", "s", 3};
    job.partition = "it's";
    EXPECT_EQ(GetError([&] { m_queue.Submit(job); }),
              "sbatch: error: invalid partition specified: it\n"
              "  the command was sbatch --parsable --job-name=n --array=0-2 "
              "'--partition=it'\\''s' s");
    MakeCommand("sbatch", "kill -9 $$");
    EXPECT_NE(GetError([&] { m_queue.Submit(job); }).find("it ended with status 137"),
              std::string::npos);
}

TEST_F(SlurmQueueTest, AbsentSlurmIsToldWithTheRemedy)
{
    setenv("PATH", m_folder.GetPath().c_str(), 1);
    const std::string remedy =
        ": error: it is not there: install slurm-client or use --launcher local";
    EXPECT_EQ(GetError([this] { m_queue.Submit({"n", "s", 1}); }), "sbatch" + remedy);
    EXPECT_EQ(GetError([this] { m_queue.FindLive("n"); }), "squeue" + remedy);
    EXPECT_EQ(GetError([this] { m_queue.Cancel("n"); }), "squeue" + remedy);
    EXPECT_EQ(GetError([this] { m_queue.GetLargestArray(); }), "scontrol" + remedy);
    std::ofstream(m_folder.GetPath() / "sbatch") << "no program\n";
    EXPECT_NE(GetError([this] {
                  m_queue.Submit({"n", "s", 1});
              }).find("could not be run"),
              std::string::npos);
}

TEST_F(SlurmQueueTest, LiveTasksAreFoundByTheNamesOfTheirJobs)
{
    MakeCommand("squeue", R"(cat <<'END'
12|0|RUNNING|rails-a-0|None
12|17|PENDING|rails-a-0|Nodes required for job are DOWN, DRAINED or reserved
15|3|COMPLETING|rails-a-1|None
16|4|RUNNING|rails-b-0|None
17|N/A|RUNNING|rails-a-2|None
18|5|RUNNING|my|odd|rails-a-|name
19|0|RUNNING|rails-a-0x|None
19|0|RUNNING|rails-a-|None
19|0|RUNNING|rails-a-+1|None
19|0|RUNNING|rails-a-01|None
19|0|RUNNING|rails-a-99999999999999999999|None
99999999999999999999999999|99999999999999999999|RUNNING|rails-a-3|None
END)");
    const auto tasks = m_queue.FindLive("rails-a-");
    ASSERT_TRUE(tasks);
    ASSERT_EQ(tasks->size(), 3);
    EXPECT_EQ(tasks->at(0).number, 0);
    EXPECT_EQ(tasks->at(0).job, "12");
    EXPECT_EQ(tasks->at(0).index, 0);
    EXPECT_EQ(tasks->at(0).state, "RUNNING");
    EXPECT_EQ(tasks->at(1).index, 17);
    EXPECT_EQ(tasks->at(1).reason, "Nodes required for job are DOWN, DRAINED or reserved");
    EXPECT_EQ(tasks->at(2).number, 1);
    EXPECT_EQ(tasks->at(2).state, "COMPLETING");
}

TEST_F(SlurmQueueTest, EmptyQueueIsNoTasksAndNotUnknown)
{
    MakeCommand("squeue", "");
    const auto tasks = m_queue.FindLive("rails-");
    ASSERT_TRUE(tasks);
    EXPECT_TRUE(tasks->empty());
}

TEST_F(SlurmQueueTest, DefaultsOfTheUserDoNotChangeWhatIsRead)
{
    setenv("SQUEUE_FORMAT", "%i", 1);
    MakeCommand("squeue", R"(echo "1|2|RUNNING|rails${SQUEUE_FORMAT+-changed}7|None")");
    const auto tasks = m_queue.FindLive("rails");
    unsetenv("SQUEUE_FORMAT");
    ASSERT_TRUE(tasks);
    EXPECT_EQ(tasks->at(0).number, 7);
}

TEST_F(SlurmQueueTest, ControllerThatIsAwayIsUnknownAndNoError)
{
    const std::string away =
        "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2\n"
        "exit 1";
    MakeCommand("squeue", "echo '1|2|RUNNING|rails7|None'\n" + away);
    MakeCommand("sbatch", away);
    MakeCommand("scontrol", away);
    EXPECT_EQ(m_queue.GetTrouble(), "");
    EXPECT_FALSE(m_queue.FindLive("rails"));
    EXPECT_NE(m_queue.GetTrouble().find("controller (connect failure)\n  the command was squeue"),
              std::string::npos);
    EXPECT_FALSE(m_queue.Submit({"n", "s", 1}));
    EXPECT_FALSE(m_queue.Cancel("rails"));
    EXPECT_FALSE(m_queue.GetLargestArray());
}

TEST_F(SlurmQueueTest, CommandThatDoesNotEndIsUnknownAndNothingOfItLivesOn)
{
    MakeCommand("squeue",
                "echo '1|2|RUNNING|rails7|None'\n(sleep 0.5; : >\"$0.survived\") & sleep 60");
    const auto begin = std::chrono::steady_clock::now();
    SlurmQueue queue(200ms);
    EXPECT_FALSE(queue.FindLive("rails"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
    EXPECT_NE(queue.GetTrouble().find("squeue: error: no answer within 0.2"), std::string::npos)
        << queue.GetTrouble();
    std::this_thread::sleep_for(600ms);
    EXPECT_FALSE(std::filesystem::exists(m_folder.GetPath() / "squeue.survived"));
}

TEST_F(SlurmQueueTest, SignalsThatAreHeldBackHereAreNotHeldBackInACommand)
{
    sigset_t held;
    sigset_t former;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &former);
    MakeCommand("squeue", "kill -TERM $$");
    const std::string error = GetError([this] { m_queue.FindLive("rails"); });
    sigprocmask(SIG_SETMASK, &former, nullptr);
    EXPECT_NE(error.find("it ended with status 143"), std::string::npos) << error;
}

TEST_F(SlurmQueueTest, CommandThatHasClosedItsOutputIsWaitedFor)
{
    MakeCommand("sbatch", "echo 5; exec >&- 2>&-; sleep 0.1; exit 1");
    EXPECT_NE(GetError([this] {
                  m_queue.Submit({"n", "s", 1});
              }).find("ended with status 1"),
              std::string::npos);
    MakeCommand("sbatch", "echo 5; exec >&- 2>&-; sleep 60");
    SlurmQueue queue(200ms);
    EXPECT_FALSE(queue.Submit({"n", "s", 1}));
}

TEST_F(SlurmQueueTest, LongOutputIsReadWhole)
{
    MakeCommand("squeue",
                "i=0; while [ $i -lt 20000 ]; do echo \"7|$i|PENDING|rails7|None\"; "
                "i=$((i+1)); done; head -c 200000 /dev/zero >&2");
    const auto tasks = m_queue.FindLive("rails");
    ASSERT_TRUE(tasks);
    ASSERT_EQ(tasks->size(), 20000);
    EXPECT_EQ(tasks->back().index, 19999);
}

TEST_F(SlurmQueueTest, LiveJobsAreCancelledByTheirNumbers)
{
    MakeCommand("squeue",
                "printf '%s\\n' '4|0|RUNNING|rails-a-0|None' '4|1|PENDING|rails-a-0|Resources' "
                "'9|0|PENDING|rails-a-1|Priority' '5|0|RUNNING|rails-b-0|None' "
                "'6|0|RUNNING|rails-a-0x|None'");
    MakeCommand("scancel", "");
    EXPECT_TRUE(m_queue.Cancel("rails-a-"));
    EXPECT_EQ(GetWords("scancel"), (Words{"4", "9"}));
}

TEST_F(SlurmQueueTest, NothingIsCancelledWhereNothingLives)
{
    MakeCommand("squeue", "echo '5|0|RUNNING|rails-b-0|None'");
    MakeCommand("scancel", "");
    EXPECT_TRUE(m_queue.Cancel("rails-a-"));
    EXPECT_FALSE(WasCalled("scancel"));
}

TEST_F(SlurmQueueTest, TasksThatEndWhileTheyAreCancelledAreNoTrouble)
{
    const std::string list = "[ -e \"$0.second\" ] || echo '4|0|RUNNING|rails-a-0|None'\n"
                             "[ -e \"$0.second\" ] && echo '4|0|";
    const std::string rest = "|rails-a-0|None'\n: >\"$0.second\"";
    const std::filesystem::path second = m_folder.GetPath() / "squeue.second";
    MakeCommand("scancel", "echo 'scancel: error: Kill job error on job id 4: no' >&2; exit 1");
    MakeCommand("squeue", list + "COMPLETING" + rest);
    EXPECT_TRUE(m_queue.Cancel("rails-a-"));
    std::filesystem::remove(second);
    MakeCommand("squeue", list + "RUNNING" + rest);
    EXPECT_NE(GetError([this] { m_queue.Cancel("rails-a-"); }).find("Kill job error"),
              std::string::npos);
}

TEST_F(SlurmQueueTest, LargestArrayIsTheLeastOfTheLimits)
{
    MakeCommand("scontrol",
                "echo 'MaxArraySize            = 1001'\n"
                "echo 'SchedulerParameters     = bf_interval=1,max_array_tasks=300'");
    EXPECT_EQ(m_queue.GetLargestArray(), 300);
    EXPECT_EQ(GetWords("scontrol"), (Words{"show", "config"}));
    MakeCommand("scontrol",
                "echo 'MaxArraySize            = 1001'\necho 'SchedulerParameters = (null)'");
    EXPECT_EQ(m_queue.GetLargestArray(), 1001);
}

TEST_F(SlurmQueueTest, ClusterWithoutArraysIsRefused)
{
    for (const std::string script : {"echo 'MaxArraySize = 0'", "echo nothing"})
    {
        MakeCommand("scontrol", script);
        EXPECT_NE(GetError([this] { m_queue.GetLargestArray(); }).find("no job arrays"),
                  std::string::npos);
    }
}

} // namespace ns3::rails
