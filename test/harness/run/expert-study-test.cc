// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/rails-result-writer.h"
#include "ns3/rails-summary-table.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace ns3::rails
{

class ExpertStudyTest : public ExperimentTest
{
  protected:
    /// \return what comes of a study
    static Result Study(const std::vector<std::string>& sets = {})
    {
        return RunScenario(Read(kStudy, sets).MakeExperiment(0));
    }

    static std::map<std::string, double> GetFigures(const Result& result)
    {
        const auto& figures = result.expertStudy->figures;
        return {figures.begin(), figures.end()};
    }

    static const std::string kStudy;
};

const std::string ExpertStudyTest::kStudy = "experts:\n"
                                            "  model: {type: gpt-32x1.3b}\n"
                                            "  gpus: 8\n"
                                            "  gpus_per_domain: 4\n"
                                            "  tokens: 256\n"
                                            "  layers: 2\n"
                                            "  microbatches: 3\n"
                                            "  iterations: 2\n"
                                            "  warm_up: 1\n";

TEST_F(ExpertStudyTest, EveryLayerAndMicrobatchThatCountsIsRecorded)
{
    const Result result = Study();
    EXPECT_EQ(result.status, RunStatus::Done) << result.report;
    ASSERT_EQ(result.expertStudy->plans.size(), 2U * 2 * 3);
    EXPECT_EQ(result.expertStudy->plans.front().iteration, 1U);
    EXPECT_EQ(result.expertStudy->tokens, 3U * 2 * 3 * 8 * 256 * 2);
    EXPECT_EQ(result.expertStudy->loads.size(), 8U);
}

TEST_F(ExpertStudyTest, AsManyTopGroupsAsGroupsAreNoLimit)
{
    const auto study = [](const std::string& groups, const std::string& top) {
        return Study({"experts.model={type: mixtral-8x7b, experts: 8, top_k: 4, expert_groups: " +
                      groups + ", top_groups: " + top + "}"})
            .fingerprint;
    };
    EXPECT_EQ(study("2", "2"), study("1", "1"));
    EXPECT_NE(study("2", "1"), study("1", "1"));
}

TEST_F(ExpertStudyTest, RepeatsBitForBitAndDependsOnTheSeed)
{
    for (const std::string policy : {"micro-moe, slots: 1", "pro-prophet", "rail-aware"})
    {
        const std::string set = "experts.policy={type: " + policy + "}";
        const std::string once = Study({set}).fingerprint;
        EXPECT_EQ(once, Study({set}).fingerprint) << policy;
        EXPECT_NE(once, Study({set, "seed=2"}).fingerprint) << policy;
    }
}

TEST_F(ExpertStudyTest, PlainExpertParallelismHasTheBalanceOfTheBenchmarkAndFourPassesOfTokens)
{
    const auto figures = GetFigures(Study({"experts.model={type: deepseek-v3}",
                                           "experts.gpus=64",
                                           "experts.gpus_per_domain=64",
                                           "experts.tokens=1024",
                                           "experts.iterations=1",
                                           "experts.warm_up=0",
                                           "experts.load={type: imbalance, workload: w1}"}));
    EXPECT_NEAR(figures.at("max_over_mean"), 3.680, 5e-4);
    EXPECT_DOUBLE_EQ(figures.at("max_over_mean"), figures.at("max_over_mean_before"));
    const double pairs = 64.0 * 1024 * 8;
    EXPECT_DOUBLE_EQ(figures.at("bytes_inside"),
                     4 * pairs * (1 - figures.at("local_share")) * 7168 * 2);
    EXPECT_EQ(figures.at("bytes_across"), 0);
}

TEST_F(ExpertStudyTest, ReplicasAreSynchronisedOncePerIteration)
{
    // Two groups of four GPUs: each of 32 experts has two homes, in different servers.
    const auto figures = GetFigures(Study({"experts.ep=4"}));
    const double expert = 2.0 * 2048 * 8192; // parameters
    EXPECT_DOUBLE_EQ(figures.at("sync_bytes_across"), 32 * expert * (2 + 4) / 3);
    EXPECT_EQ(figures.at("sync_bytes_inside"), 0);
    EXPECT_EQ(figures.at("token_bytes_across"), 0); // tokens stay in their group
}

TEST_F(ExpertStudyTest, OraclesAndDroppedTokensAreSaidAloud)
{
    const auto hasNote = [](const Result& result, const std::string& text) {
        return std::any_of(result.notes.begin(), result.notes.end(), [&](const auto& note) {
            return note.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(hasNote(Study({"experts.policy=oracle"}), "oracle"));
    const Result dropping = Study({"experts.policy={type: plain-ep, capacity_factor: 1}"});
    EXPECT_TRUE(hasNote(dropping, "dropped"));
    EXPECT_GT(GetFigures(dropping).at("dropped_share"), 0);
    EXPECT_TRUE(Study().notes.empty());
}

TEST_F(ExpertStudyTest, ResultIsWholeWithItsTablesAndTableOfItsOwn)
{
    TemporaryFolder folder;
    WriteResult(Study(), folder.GetPath());
    const std::vector<std::string> files{"gpu_loads.csv", "plans.csv", "result.json"};
    EXPECT_EQ(ListFolder(folder.GetPath()), files);
    const nlohmann::json json = ReadResultJson(folder.GetPath());
    ASSERT_TRUE(json.is_object());
    EXPECT_EQ(json.at("engine"), "experts");
    EXPECT_TRUE(json.at("cct_s").is_null());
    EXPECT_FALSE(json.contains("lower_bound_s"));
    const std::string table = FormatSummary({{"study", json, ""}});
    EXPECT_NE(table.find("max/mean"), std::string::npos) << table;
    EXPECT_EQ(table.find("busbw"), std::string::npos) << table;
    std::istringstream plans(ReadFile(folder.GetPath() / "plans.csv"));
    std::size_t lines = 0;
    for (std::string line; std::getline(plans, line);)
    {
        ++lines;
    }
    EXPECT_EQ(lines, 1U + 12);
}

TEST_F(ExpertStudyTest, WhatCannotWorkIsRefusedWithItsKey)
{
    const std::map<std::string, std::string> wrong{
        {"experts.gpus=5", "32 experts cannot be dealt evenly to 5 GPUs"},
        {"experts.ep=3", "groups of 3 GPUs do not divide the 8 GPUs"},
        {"experts.ep=64", "groups of 64 GPUs do not divide"},
        {"experts.gpus_per_domain=3", "servers of 3 GPUs do not divide"},
        {"experts.tokens=1000000000", "are more than 2^31"},
        {"experts.policy=micro-moe", "slots"},
        {"experts.policy=moon-ep", "across_servers"},
        {"experts.model.top_k=33", "cannot go to 33"},
        {"topology=rail", "has no place beside 'experts'"},
    };
    for (const auto& [set, message] : wrong)
    {
        const std::string errors = FindErrors(kStudy, {set});
        EXPECT_NE(errors.find(message), std::string::npos) << set << ": " << errors;
    }
    const std::string errors =
        FindErrors(kStudy,
                   {"experts.gpus=65536", "experts.model.experts=65536", "experts.tokens=1"});
    EXPECT_NE(errors.find("more than 2^28 counts"), std::string::npos) << errors;
}

} // namespace ns3::rails
