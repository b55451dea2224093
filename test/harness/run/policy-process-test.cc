// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/policy-process.h"
#include "ns3/rails-error.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// \return four GPUs in two servers with four experts
ExternalPolicySetting
MakeSetting()
{
    ExpertSetting setting;
    setting.cluster.gpus = 4;
    setting.cluster.gpusPerServer = 2;
    setting.expertParallel = 4;
    setting.experts = 4;
    return {"mine", setting, 1, ExpertPlacement::InOrder(setting)};
}

/**
 * Asks a program of the shell once, of layer 7.
 * \param script what it does
 * \param[out] placement its answer
 * \return what is said of it; empty when nothing is
 */
std::string
Ask(const std::string& script,
    std::optional<ExpertPlacement>& placement,
    std::chrono::milliseconds limit = std::chrono::seconds(60))
{
    try
    {
        PolicyProcess process({"sh", "-c", script}, MakeSetting(), limit);
        placement = process.Place(7, {{1, 2, 3, 4}, {5, 6, 7, 8}}, MakeSetting().inOrder);
        return "";
    }
    catch (const ConfigurationError& error)
    {
        return error.what();
    }
}

std::string
Ask(const std::string& script, std::chrono::milliseconds limit = std::chrono::seconds(60))
{
    std::optional<ExpertPlacement> ignored;
    return Ask(script, ignored, limit);
}

/// \return what is said of an answer of layer 7
std::string
Judge(const std::string& answer)
{
    return Ask("read -r setting; echo '{}'; read -r question; echo '" + answer + "'; read -r end");
}

const std::string kLayer = "the external policy 'mine', layer 7";

TEST(PolicyProcess, AnswersLineByLine)
{
    std::optional<ExpertPlacement> placement;
    EXPECT_EQ(Ask("read -r setting; echo '{}'; read -r question;"
                  "case $setting in '{\"kind\":\"placement\",\"name\":\"mine\",\"gpus\":4,"
                  "\"servers\":2,\"gpus_per_server\":2,'*'\"homes\":[0,1,2,3]'*) ;;"
                  "*) exit 3 ;; esac;"
                  "case $question in '{\"layer\":7,\"loads\":[[1,2,3,4],[5,6,7,8]],"
                  "\"placement\":[[0],[1],[2],[3]]}') ;; *) exit 4 ;; esac;"
                  "echo '{\"placement\":[[0],[1,3],[2],[3]],\"shares\":[[1],[2,1],[1],[1]]}'",
                  placement),
              "");
    ASSERT_TRUE(placement);
    using Lists = std::vector<std::vector<uint32_t>>;
    EXPECT_EQ(placement->hosts, (Lists{{0}, {1, 3}, {2}, {3}}));
    EXPECT_EQ(placement->shares, (Lists{{1}, {2, 1}, {1}, {1}}));
}

TEST(PolicyProcess, NoPlacementMeansThatExpertsStay)
{
    for (const std::string answer : {"{}", "{\"placement\": null}"})
    {
        std::optional<ExpertPlacement> placement;
        EXPECT_EQ(Ask("read -r a; echo '{}'; read -r b; echo '" + answer + "'", placement), "");
        EXPECT_FALSE(placement) << answer;
    }
}

TEST(PolicyProcess, AProgramThatIsMissingIsNamed)
{
    try
    {
        PolicyProcess({"/no/such program", "x"}, MakeSetting());
        FAIL();
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_STREQ(error.what(),
                     "the external policy 'mine': it cannot be started: \"/no/such program\": No "
                     "such file or directory");
    }
}

TEST(PolicyProcess, AProgramThatEndsSaysHow)
{
    const std::string setting = "the external policy 'mine', its setting";
    EXPECT_EQ(Ask("exit 3"), setting + ": it has ended with status 3 in place of an answer");
    EXPECT_EQ(Ask("kill -9 $$"),
              setting + ": it has ended by a signal (Killed) in place of an answer");
    EXPECT_EQ(Ask("read -r a; echo '{}'; read -r b; printf half"),
              kLayer + ", line 1: it has ended with status 0 in place of an answer; it wrote "
                       "\"half\" without an end of line");
}

TEST(PolicyProcess, AnAnswerThatCannotBeReadIsShown)
{
    EXPECT_EQ(Judge("Traceback"), kLayer + ", line 2: its answer is no JSON: \"Traceback\"");
    EXPECT_EQ(Judge("[1]"), kLayer + ", line 2: its answer is no JSON object: \"[1]\"");
    EXPECT_EQ(Judge("{\"place\": 1}"),
              kLayer + ", line 2: its answer has the unknown key \"place\"; expected 'placement' "
                       "and 'shares'");
    EXPECT_EQ(Judge("{\"shares\": [[1]]}"),
              kLayer + ", line 2: its answer has 'shares' without a 'placement'");
    const std::string lists =
        kLayer + ", line 2: 'placement' has a list of GPUs for each expert, such as [[0],[1,2]]";
    for (const std::string value :
         {"1", "[0, 1]", "[[-1]]", "[[0.5]]", "[[\"0\"]]", "[[4294967296]]"})
    {
        EXPECT_EQ(Judge("{\"placement\": " + value + "}"), lists) << value;
    }
    EXPECT_EQ(Judge("{\"placement\": [[0]], \"shares\": 2}"),
              kLayer + ", line 2: 'shares' has a list of whole numbers for each expert, such as "
                       "[[0],[1,2]]");
}

TEST(PolicyProcess, ATimeLimitEndsTheProgram)
{
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(Ask("read -r a; echo '{}'; exec sleep 100", std::chrono::milliseconds(200)),
              kLayer + ", line 1: it has not answered in 0.2 s");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(PolicyProcess, TheProgramEndsWithTheObject)
{
    // It never reads to the end of its input, and does not end by itself.
    std::optional<ExpertPlacement> placement;
    ASSERT_EQ(Ask("read -r a; echo '{}'; read -r b; echo \"{\\\"placement\\\":[[$$]]}\";"
                  "exec sleep 100",
                  placement),
              "");
    ASSERT_TRUE(placement);
    EXPECT_EQ(kill(static_cast<pid_t>(placement->hosts[0][0]), 0), -1);
}

} // namespace

} // namespace ns3::rails::test
