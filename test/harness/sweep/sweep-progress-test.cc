// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-sweep-progress.h"

#include <gtest/gtest.h>

namespace ns3::rails
{

TEST(SweepProgressTest, CountsAreShown)
{
    SweepStatus status;
    status.total = 40;
    status.done = 10;
    status.cached = 8;
    status.failed = 2;
    status.running = 3;
    status.secondsToGo = 200;
    EXPECT_EQ(
        FormatSweepStatus(status),
        "[##########----------] 18 of 40 done (8 cached), 2 failed, 3 running, about 3 min 20 "
        "s to go");
}

TEST(SweepProgressTest, NothingIsSaidOfWhatIsNotThere)
{
    SweepStatus status;
    status.total = 4;
    status.running = 2;
    status.secondsToGo = -1;
    EXPECT_EQ(FormatSweepStatus(status), "[--------------------] 0 of 4 done, 2 running");
}

TEST(SweepProgressTest, SlowestPointIsNamedOnceItIsSlow)
{
    SweepStatus status;
    status.total = 4;
    status.secondsToGo = -1;
    status.running = 1;
    status.slowest = "seed=3";
    status.slowestSeconds = 4;
    EXPECT_EQ(FormatSweepStatus(status).find("seed=3"), std::string::npos);
    status.slowestSeconds = 12;
    EXPECT_EQ(FormatSweepStatus(status),
              "[--------------------] 0 of 4 done, 1 running; 12 s in seed=3");
}

TEST(SweepProgressTest, BarIsFullAtTheEndAndNeverLonger)
{
    SweepStatus status;
    status.total = 3;
    status.done = 3;
    EXPECT_EQ(FormatSweepStatus(status).find("[####################] 3 of 3 done"), 0U);
    status.failed = 1; // be it by mistake
    EXPECT_EQ(FormatSweepStatus(status).find("[####################] "), 0U);
    EXPECT_EQ(FormatSweepStatus({}).find("[####################] 0 of 0 done"), 0U);
}

} // namespace ns3::rails
