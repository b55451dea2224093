// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/source-folder.h"

#include "ns3/rails-progress.h"
#include "ns3/rails-summary-table.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

TEST(Progress, LineHasSimulatedTimeMessagesAndTimeToGo)
{
    RunProgress progress;
    progress.now = 1'234'567'890;
    progress.messagesDone = 10;
    progress.messagesTotal = 40;
    progress.done = 0.25;
    EXPECT_EQ(FormatProgress(progress, 20, 20),
              "25 %, 20 s, about 1 min 00 s to go, simulated 1.235 ms, 10 of 40 messages");
    EXPECT_EQ(FormatProgress(progress, 25, 20).substr(0, 34), "25 %, 25 s, about 1 min 00 s to go")
        << "laying the cluster says nothing of how long is left";
}

TEST(Progress, LineOfATrainingBeginsWithItsPlace)
{
    RunProgress progress;
    progress.now = 1'234'567'890;
    progress.messagesDone = 10;
    progress.done = 0.5;
    progress.place = "iteration 1 of 2, micro-batch 3 of 8";
    EXPECT_EQ(FormatProgress(progress, 70, 60),
              "iteration 1 of 2, micro-batch 3 of 8, 50 %, 1 min 10 s, about 1 min 00 s to go, "
              "simulated 1.235 ms, 10 messages");
}

TEST(Progress, LineOfAnotherPhaseSaysWhatIsGoingOn)
{
    EXPECT_EQ(FormatProgress(MakePhase("bounds", 0.25), 100, 2),
              "bounds, 25 %, 1 min 40 s, about 6.0 s to go");
    EXPECT_EQ(FormatProgress(MakePhase("planning"), 1, 1), "planning, 1.0 s");
}

TEST(Progress, TimeToGoIsLeftOutWhileItIsNotKnown)
{
    RunProgress progress;
    progress.messagesDone = 3;
    EXPECT_EQ(FormatProgress(progress, 1, 1), "1.0 s, simulated 0.000 ms, 3 messages");
    progress.done = 0.004;
    EXPECT_EQ(FormatProgress(progress, 1, 1), "0 %, 1.0 s, simulated 0.000 ms, 3 messages");
    progress.done = 1;
    EXPECT_EQ(FormatProgress(progress, 1, 1), "100 %, 1.0 s, simulated 0.000 ms, 3 messages");
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
              "rails: 0.0 s, simulated 2.000 ms, 5 messages\n");
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
              "mean over seeds  n  cct [ms]    sd  over bound     sd  busbw [GB/s]    sd\n"
              "balance=ecmp     1      1.00     -       1.000      -          1.00     -\n"
              "balance=rails    2      2.00  1.41       2.000  1.414          1.00  0.00  "
              "1 without a good result\n"
              "balance=x        0         -     -           -      -             -     -  "
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
              "balance=ecmp      1.23       1.046         45.68      12  by another build\n"
              "a                    -           -             -      12  status 3\n"
              "b                    -           -             -       -  no result, of an earlier "
              "sweep\n");
    stuck["cct_s"] = nullptr; // as a run that did not end well has it
    EXPECT_NE(FormatSummary({{"a", stuck, ""}}).find("status 3"), std::string::npos);
}

TEST(SummaryTable, PausesThatAnEngineDoesNotKnowHaveNoColumn)
{
    const nlohmann::json flows{{"status", 0},
                               {"cct_s", 0.0012345},
                               {"cct_over_bound", 1.0456},
                               {"busbw_Bps", 45.678e9},
                               {"pfc_pauses", nullptr}};
    EXPECT_EQ(FormatSummary({{"a", flows, ""}}),
              "run  cct [ms]  over bound  busbw [GB/s]\n"
              "a        1.23       1.046         45.68\n");
    nlohmann::json frames = flows;
    frames["pfc_pauses"] = 3;
    EXPECT_EQ(FormatSummary({{"a", flows, ""}, {"b", frames, ""}}),
              "run  cct [ms]  over bound  busbw [GB/s]  pauses\n"
              "a        1.23       1.046         45.68       -\n"
              "b        1.23       1.046         45.68       3\n");
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
              "p        1.23       1.046          2.38         45.68      12\n"
              "r        1.23       1.046             -         45.68      12\n");
    EXPECT_EQ(FormatSummary({{"r", ring, ""}}).find("increase"), std::string::npos);
}

TEST(SummaryTable, SignificantDigitsComeWithoutAnExponent)
{
    const std::map<double, std::string> texts{{0.0142051, "0.0142"},
                                              {9.996, "10.0"},
                                              {811.4, "811"},
                                              {12345.6, "12346"},
                                              {0, "0"},
                                              {-0.25, "-0.250"}};
    for (const auto& [number, text] : texts)
    {
        EXPECT_EQ(FormatSignificant(number), text);
    }
}

/// \return result.json of a run with a completion time, a lower bound and a number of spines
nlohmann::json
MakeBounded(double cct, double bound, int spines, int seed = 1)
{
    return {{"status", 0},
            {"seed", seed},
            {"config", {{"name", "x"}, {"seed", seed}, {"topology", {{"spines", spines}}}}},
            {"cct_s", cct},
            {"lower_bound_s", bound},
            {"cct_over_bound", cct / bound},
            {"busbw_Bps", 1e9},
            {"pfc_pauses", 0}};
}

TEST(SummaryTable, ShortTimesAreInMicrosecondsWithTheirSpread)
{
    SeedMeans means;
    means.Add("all", MakeBounded(14.2e-6, 7e-6, 0, 1));
    means.Add("all", MakeBounded(14.3e-6, 9e-6, 0, 2));
    EXPECT_NE(means.Format().find("all              2      14.2  0.0707"), std::string::npos)
        << means.Format();
    EXPECT_NE(means.Format().find("cct [us]"), std::string::npos) << means.Format();
    EXPECT_EQ(FormatSummary({{"a", MakeBounded(14.25e-6, 7e-6, 0), ""}}),
              "run  cct [us]  over bound  busbw [GB/s]  pauses\n"
              "a        14.2       2.036          1.00       0\n");
    // One of a millisecond makes all of them such.
    const std::string mixed = FormatSummary(
        {{"a", MakeBounded(14.25e-6, 7e-6, 0), ""}, {"b", MakeBounded(2e-3, 1e-3, 0), ""}});
    EXPECT_NE(mixed.find("cct [ms]"), std::string::npos) << mixed;
    EXPECT_NE(mixed.find("0.0143"), std::string::npos) << mixed;
}

TEST(SummaryTable, MultiplesOfBoundsThatDifferDoNotCompare)
{
    const std::string line = "over own bound: the lower bounds differ, so its rows do not compare";
    const std::string apart = FormatSummary(
        {{"a", MakeBounded(3e-3, 1e-3, 0), ""}, {"b", MakeBounded(3e-3, 1.02e-3, 8), ""}});
    EXPECT_NE(apart.find("  over own bound  "), std::string::npos) << apart;
    EXPECT_NE(apart.find(line), std::string::npos) << apart;
    const std::string same = FormatSummary(
        {{"a", MakeBounded(3e-3, 1e-3, 0), ""}, {"b", MakeBounded(3e-3, 1.009e-3, 8), ""}});
    EXPECT_NE(same.find("  over bound  "), std::string::npos) << same;
    EXPECT_EQ(same.find("own bound"), std::string::npos) << same;
    SeedMeans means;
    for (const int seed : {1, 2})
    {
        means.Add("spines=0", MakeBounded(3e-3, seed * 1e-3, 0, seed));
        means.Add("spines=8", MakeBounded(3e-3, seed * 2e-3, 8, seed));
    }
    EXPECT_NE(means.Format().find(line), std::string::npos) << means.Format();
}

TEST(SummaryTable, BoundsOfOtherSeedsAreNoDifferenceUnlessThereIsNoCommonOne)
{
    BoundComparison seeds;
    BoundComparison unlike;
    for (const int seed : {1, 2, 3})
    {
        for (const std::string name : {"a", "b"})
        {
            seeds.Add(name, MakeBounded(9, seed, 0, seed));
        }
        unlike.Add("only " + std::to_string(seed), MakeBounded(9, seed, 0, seed));
    }
    EXPECT_FALSE(seeds.Differ());
    EXPECT_TRUE(unlike.Differ());
    nlohmann::json stuck = MakeBounded(9, 50, 0, 1);
    stuck["status"] = 3;
    seeds.Add("c", stuck);
    EXPECT_FALSE(seeds.Differ());
    EXPECT_FALSE(BoundComparison().Differ());
}

TEST(SummaryTable, BoundsAreComparedAsPlotsCompareThem)
{
    std::ifstream file(test::GetSourceFolder() +
                       "/test/bounds.json"); // test_measures.py has it too
    const nlohmann::json cases = nlohmann::json::parse(file);
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& one : cases)
    {
        BoundComparison found;
        for (const auto& [name, bounds] : one.at("bounds").items())
        {
            for (const auto& [seed, bound] : bounds.items())
            {
                found.Add(name, MakeBounded(9, bound.get<double>(), 0, std::stoi(seed)));
            }
        }
        EXPECT_EQ(found.Differ(), one.at("differ").get<bool>()) << one.at("what");
    }
}

TEST(SummaryTable, RatiosToABaselineAreOfTheSameSeeds)
{
    const std::vector<SummaryBaseline> byPoint{{"over a", "a"}};
    const std::string table =
        FormatSummary({{"a", MakeBounded(2e-3, 1e-3, 0), "", byPoint},
                       {"b", MakeBounded(3e-3, 1e-3, 0), "", byPoint},
                       {"c", MakeBounded(3e-3, 1e-3, 0), "", {{"over a", "lost"}}}});
    EXPECT_EQ(table,
              "run  cct [ms]  over bound  busbw [GB/s]  pauses  over a\n"
              "a        2.00       2.000          1.00       0   1.000\n"
              "b        3.00       3.000          1.00       0   1.500\n"
              "c        3.00       3.000          1.00       0       -\n");
    SeedMeans means;
    for (const int seed : {1, 2})
    {
        means.Add("a", MakeBounded(seed * 2e-3, 1e-3, 0, seed), false, byPoint);
    }
    means.Add("b", MakeBounded(8e-3, 1e-3, 0, 2), false, byPoint);
    EXPECT_NE(means.Format().find("  over a\n"), std::string::npos) << means.Format();
    EXPECT_NE(means.Format().find("  2.000\n"), std::string::npos) << means.Format();
}

TEST(SummaryTable, IterationsHaveTheirTimeAndTokens)
{
    nlohmann::json run = MakeBounded(0.4, 0.2, 0);
    run["iteration_s"] = 0.2;
    run["tokens_per_s"] = 12345.6;
    EXPECT_EQ(FormatSummary({{"a", run, ""}}),
              "run  cct [ms]  iteration [ms]  tokens/s  over bound  busbw [GB/s]  pauses\n"
              "a         400             200     12346       2.000          1.00       0\n");
}

TEST(SummaryTable, TokensPerSecondStandBesideTheShareThatIsDropped)
{
    nlohmann::json all = MakeBounded(0.4, 0.2, 0);
    all["iteration_s"] = 0.2;
    all["tokens_per_s"] = 12345.6;
    all["expert_max_over_mean"] = 1.5;
    all["memory_bytes"] = 3e9;
    all["expert_dropped_share"] = 0.0;
    EXPECT_EQ(FormatSummary({{"a", all, ""}}).find("dropped"), std::string::npos);
    nlohmann::json some = all;
    some["expert_dropped_share"] = 0.125;
    EXPECT_EQ(FormatSummary({{"a", all, ""}, {"b", some, ""}}),
              "run  iteration [ms]  tokens/s  dropped [%]  over bound  max/mean  memory [GB]  "
              "pauses\n"
              "a               200     12346          0.0       2.000     1.500          3.0       "
              "0\n"
              "b               200     12346         12.5       2.000     1.500          3.0       "
              "0\n");
    SeedMeans means;
    means.Add("b", some, false, {});
    some["seed"] = 2;
    means.Add("b", some, false, {});
    EXPECT_NE(means.Format().find("dropped [%]"), std::string::npos) << means.Format();
}

TEST(SummaryTable, SmallMemoriesAreInMegabytes)
{
    nlohmann::json small = MakeBounded(0.4, 0.2, 0);
    small["iteration_s"] = 0.2;
    small["expert_max_over_mean"] = 1.5;
    small["memory_bytes"] = 81.26e6;
    nlohmann::json large = small;
    large["memory_bytes"] = 1.0e9;
    const std::string table = FormatSummary({{"a", small, ""}});
    EXPECT_NE(table.find("memory [MB]"), std::string::npos) << table;
    EXPECT_NE(table.find("81.3"), std::string::npos) << table;
    const std::string both = FormatSummary({{"a", small, ""}, {"b", large, ""}});
    EXPECT_NE(both.find("memory [GB]"), std::string::npos) << both;
}

TEST(SummaryTable, MovesAreThereWhereExpertsMove)
{
    nlohmann::json study = MakeBounded(0.4, 0.2, 0);
    study["engine"] = "experts";
    study["max_over_mean"] = 1.5;
    study["move_bytes_inside"] = 0.0;
    study["move_bytes_across"] = 0.0;
    study["placements"] = 0.0;
    EXPECT_EQ(FormatSummary({{"a", study, ""}}), "run  max/mean\na       1.500\n");
    nlohmann::json moving = study;
    moving["move_bytes_inside"] = 1.25e9;
    moving["placements"] = 0.1;
    EXPECT_EQ(FormatSummary({{"a", study, ""}, {"b", moving, ""}}),
              "run  max/mean  moves inside [GB]  placed anew\n"
              "a       1.500              0.000         0.00\n"
              "b       1.500              1.250         0.10\n");
}

} // namespace ns3::rails
