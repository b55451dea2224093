// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-progress.h"
#include "ns3/rails-summary-table.h"

#include <chrono>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rails
{

TEST(Progress, LineHasSimulatedTimeMessagesAndTimeToGo)
{
    RunProgress progress;
    progress.now = 1'234'567'890;
    progress.messagesDone = 10;
    progress.messagesTotal = 40;
    progress.bytesDone = 25;
    progress.bytesTotal = 100;
    EXPECT_EQ(FormatProgress(progress, 20),
              "simulated 1.235 ms, 10 of 40 messages, 20 s, about 1 min 00 s to go");
}

TEST(Progress, TimeToGoIsLeftOutWhileItIsNotKnown)
{
    RunProgress progress;
    progress.messagesDone = 3;
    EXPECT_EQ(FormatProgress(progress, 1), "simulated 0.000 ms, 3 messages, 1.0 s");
    progress.bytesTotal = 100;
    EXPECT_EQ(FormatProgress(progress, 1), "simulated 0.000 ms, 3 messages, 1.0 s");
}

TEST(Progress, DurationsAreThoseOfPeople)
{
    EXPECT_EQ(FormatDuration(0.44), "0.4 s");
    EXPECT_EQ(FormatDuration(12.4), "12 s");
    EXPECT_EQ(FormatDuration(59.7), "1 min 00 s");
    EXPECT_EQ(FormatDuration(200), "3 min 20 s");
    EXPECT_EQ(FormatDuration(7500), "2 h 05 min");
    EXPECT_EQ(FormatDuration(-1), "0.0 s");
}

TEST(Progress, RunTellsOfItselfNowAndThenWithoutATerminal)
{
    RunProgress progress;
    progress.now = 2'000'000'000;
    progress.messagesDone = 5;
    testing::internal::CaptureStderr(); // into a file
    ProgressLine(std::chrono::milliseconds(0)).Show(progress);
    ProgressLine().Show(progress); // by default a minute passes first
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "rails: simulated 2.000 ms, 5 messages, 0.0 s\n");
}

TEST(SummaryTable, MeansAreOverSeedsWithTheSampleStandardDeviation)
{
    const auto make = [](double cct) {
        return nlohmann::json{{"status", 0},
                              {"cct_s", cct},
                              {"cct_over_bound", cct * 1e3},
                              {"cct_increase", nullptr},
                              {"busbw_Bps", 1e9}};
    };
    nlohmann::json stuck = make(9);
    stuck["status"] = 3;
    SeedMeans means;
    means.Add("balance=ecmp", make(0.001));
    EXPECT_EQ(means.Format(), "") << "nothing to take a mean of";
    means.Add("balance=rails", make(0.001));
    means.Add("balance=rails", make(0.003));
    means.Add("balance=rails", stuck);
    means.Add("balance=x", nlohmann::json(nlohmann::json::value_t::discarded));
    EXPECT_EQ(means.Format(),
              "\n"
              "mean over seeds  n  cct [ms]     sd  over bound     sd  busbw [GB/s]    sd\n"
              "balance=ecmp     1     1.000      -       1.000      -          1.00     -\n"
              "balance=rails    2     2.000  1.414       2.000  1.414          1.00  0.00  "
              "1 without a good result\n"
              "balance=x        0         -      -           -      -             -     -  "
              "1 without a good result\n"
              "n: runs that ended well, sd: their sample standard deviation\n");
}

TEST(SummaryTable, ColumnsAreAligned)
{
    const nlohmann::json whole{{"status", 0},
                               {"cct_s", 0.0012345},
                               {"cct_over_bound", 1.0456},
                               {"busbw_Bps", 45.678e9},
                               {"pfc_pauses", 12}};
    nlohmann::json stuck = whole;
    stuck["status"] = 3;
    const nlohmann::json absent(nlohmann::json::value_t::discarded);
    EXPECT_EQ(FormatSummary({{"balance=ecmp", whole, "by another build"},
                             {"a", stuck, ""},
                             {"b", absent, "of an earlier sweep"}}),
              "run           cct [ms]  over bound  busbw [GB/s]  pauses\n"
              "balance=ecmp     1.234       1.046         45.68      12  by another build\n"
              "a                    -           -             -      12  status 3\n"
              "b                    -           -             -       -  no result, of an earlier "
              "sweep\n");
    stuck["cct_s"] = nullptr; // as a run that did not end well has it
    EXPECT_NE(FormatSummary({{"a", stuck, ""}}).find("status 3"), std::string::npos);
}

TEST(SummaryTable, PausesThatAnEngineDoesNotKnowAreNotNone)
{
    const nlohmann::json flows{{"status", 0},
                               {"cct_s", 0.0012345},
                               {"cct_over_bound", 1.0456},
                               {"busbw_Bps", 45.678e9},
                               {"pfc_pauses", nullptr}};
    EXPECT_EQ(FormatSummary({{"a", flows, ""}}),
              "run  cct [ms]  over bound  busbw [GB/s]  pauses\n"
              "a       1.234       1.046         45.68       -\n");
}

TEST(SummaryTable, IncreaseOverThePublishedBoundIsShownWhereThereIsOne)
{
    const nlohmann::json ring{{"status", 0},
                              {"cct_s", 0.0012345},
                              {"cct_over_bound", 1.0456},
                              {"cct_increase", nullptr},
                              {"busbw_Bps", 45.678e9},
                              {"pfc_pauses", 12}};
    nlohmann::json permutation = ring;
    permutation["cct_increase"] = 0.0238;
    EXPECT_EQ(FormatSummary({{"p", permutation, ""}, {"r", ring, ""}}),
              "run  cct [ms]  over bound  increase [%]  busbw [GB/s]  pauses\n"
              "p       1.234       1.046          2.38         45.68      12\n"
              "r       1.234       1.046             -         45.68      12\n");
    EXPECT_EQ(FormatSummary({{"r", ring, ""}}).find("increase"), std::string::npos);
}

} // namespace ns3::rails
