// SPDX-License-Identifier: GPL-2.0-only
#include "../sweep/sweep-fixture.h"

#include "ns3/rails-explanation-table.h"
#include "ns3/rails-output-folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

using nlohmann::json;

/// \return the key `explain` of a run of which everything is known
json
MakeExplanation()
{
    return {{"factors",
             {{"plan", 1.25}, {"routes", 2}, {"repeats", 1.02}, {"outages", 1}, {"waiting", 1.1}}},
            {"times_s",
             {{"t0", 1e-3},
              {"t1", 1.25e-3},
              {"t2", 2.5e-3},
              {"t3", 2.55e-3},
              {"t4", 2.55e-3},
              {"t5", 2.805e-3}}},
            {"nic",
             {{"name", "server3-nic2"},
              {"busy", 0.4},
              {"paused", 0.05},
              {"rate_or_window", 0.38},
              {"not_there_yet", 0.1},
              {"down", 0},
              {"idle", 0.07}}},
            {"cable",
             {{"name", "rail0-leaf0 to rail0-spine1"},
              {"busy", 0.9},
              {"paused", 0},
              {"rate_or_window", 0},
              {"not_there_yet", 0},
              {"down", 0},
              {"idle", 0.1}}},
            {"sentence", "The plan is even."}};
}

/// \return the same of a run without `record.explain`
json
MakeBriefExplanation()
{
    json explain = MakeExplanation();
    for (const char* factor : {"routes", "repeats", "outages", "waiting"})
    {
        explain["factors"][factor] = nullptr;
    }
    for (const char* time : {"t2", "t3", "t4"})
    {
        explain["times_s"][time] = nullptr;
    }
    explain["nic"] = explain["cable"] = explain["sentence"] = nullptr;
    return explain;
}

/// \return a chain of times as result.json has it, by flows
json
MakeChain(const std::vector<double>& times)
{
    return {{"factors",
             {{"plan", times[1] / times[0]},
              {"routes", times[2] / times[1]},
              {"repeats", nullptr},
              {"outages", times[3] / times[2]},
              {"waiting", times[4] / times[3]}}},
            {"times_s",
             {{"t0", times[0]},
              {"t1", times[1]},
              {"t2", times[2]},
              {"t3", nullptr},
              {"t4", times[3]},
              {"t5", times[4]}}}};
}

/// \return the key `explain` of a graph
json
MakeGraphExplanation()
{
    json kind = MakeChain({0.1e-3, 0.2e-3, 0.32e-3, 0.32e-3, 0.4e-3});
    kind["name"] = "dispatch";
    kind["transfers"] = 3;
    json explain = MakeChain({1.1e-3, 1.2e-3, 1.32e-3, 1.32e-3, 1.4e-3});
    explain["kinds"] = json::array({kind});
    explain["sentence"] = "Most of it dispatch.";
    return explain;
}

const json kGraph{{"kinds",
                   json::array({{{"name", "dispatch"},
                                 {"type", "communication"},
                                 {"busy_s", 0.5e-3},
                                 {"exposed_s", 0.3e-3},
                                 {"critical_s", 0.4e-3}}})}};

} // namespace

class ExplanationTableTest : public testing::Test
{
  protected:
    void WriteResult(const std::string& place,
                     const json& explain,
                     int status = 0,
                     const std::string& report = "",
                     const json& graph = nullptr,
                     const json& notes = nullptr) const
    {
        const auto folder = m_folder.GetPath() / place;
        std::filesystem::create_directories(folder);
        json result{{"status", status},
                    {"config", json::object()},
                    {"fingerprint", ""},
                    {"cct_s", status == 0 ? json(2.805e-3) : json()},
                    {"cct_over_bound", status == 0 ? json(2.805) : json()},
                    {"artefacts", json::array()},
                    {"explain", explain}};
        if (!report.empty())
        {
            result["report"] = report;
        }
        if (!notes.is_null())
        {
            result["notes"] = notes;
        }
        if (!graph.is_null())
        {
            result["graph"] = graph;
            result["iteration_s"] = 1.4e-3;
        }
        std::ofstream(folder / "result.json") << result;
    }

    std::string Explain(const std::string& place = "run") const
    {
        return ExplainResults(m_folder.GetPath() / place).text;
    }

    TemporaryFolder m_folder;
};

TEST_F(ExplanationTableTest, SharesThatAnEngineDoesNotKnowAreEmpty)
{
    json explain = MakeExplanation();
    explain["nic"]["paused"] = explain["nic"]["rate_or_window"] = nullptr;
    WriteResult("run", explain);
    EXPECT_NE(Explain().find("server3-nic2                 40.0       -               -"
                             "           10.0   0.0   7.0\n"),
              std::string::npos)
        << Explain();
}

TEST_F(ExplanationTableTest, RunIsToldFactorByFactorWithWhatFinishedLastAndASentence)
{
    WriteResult("run", MakeExplanation());
    EXPECT_EQ(
        Explain(),
        "factor       times  up to [ms]\n"
        "lower bound              1.000  no scheme beats it\n"
        "plan         1.250       1.250  messages as they were cut and given to NICs\n"
        "routes       2.000       2.500  the ways that they took through the fabric\n"
        "repeats      1.020       2.550  ACKs and what was sent again\n"
        "outages      1.000       2.550  cables that were down or slower\n"
        "waiting      1.100       2.805  times in which nothing was sent, though there was "
        "something to send\n"
        "product      2.805       2.805  completion time over its lower bound\n"
        "\n"
        "finished last [% of time]    busy  paused  rate or window  not there yet  down  idle\n"
        "server3-nic2                 40.0     5.0            38.0           10.0   0.0   7.0\n"
        "rail0-leaf0 to rail0-spine1  90.0     0.0             0.0            0.0   0.0  10.0\n"
        "\n"
        "The plan is even.\n");
}

TEST_F(ExplanationTableTest, GraphIsToldStageByStage)
{
    const json graph{{"kinds",
                      {{{"name", "experts"},
                        {"type", "compute"},
                        {"busy_s", 1e-3},
                        {"exposed_s", nullptr},
                        {"critical_s", 1e-3}},
                       {{"name", "dispatch"},
                        {"type", "communication"},
                        {"busy_s", 0.5e-3},
                        {"exposed_s", 0.3e-3},
                        {"critical_s", 0.4e-3}}}}};
    WriteResult("run", nullptr, 0, "", graph);
    EXPECT_EQ(Explain().substr(0, Explain().find("\n\n") + 1),
              "stage      critical path [ms]  busy [ms]  exposed [ms]\n"
              "experts                 1.000      1.000             -  compute\n"
              "dispatch                0.400      0.500         0.300  communication\n"
              "iteration               1.400                           busy and exposed: of a GPU "
              "in the mean\n");
}

TEST_F(ExplanationTableTest, TransfersOfAGraphAreToldKindByKind)
{
    WriteResult("run", MakeGraphExplanation(), 0, "", kGraph);
    EXPECT_EQ(
        Explain(),
        "stage      critical path [ms]  busy [ms]  exposed [ms]\n"
        "dispatch                0.400      0.500         0.300  communication\n"
        "iteration               1.400                           busy and exposed: of a GPU "
        "in the mean\n"
        "\n"
        "transfers on the path  number  at best [ms]   plan  routes  repeats  outages  waiting"
        "  took [ms]\n"
        "dispatch                    3         0.100  2.000   1.600        -    1.000    1.250"
        "      0.400\n"
        "\n"
        "Most of it dispatch.\n");
}

TEST_F(ExplanationTableTest, GraphWithoutTheRecordSaysHowToGetTheFactors)
{
    WriteResult("run", nullptr, 0, "", kGraph);
    EXPECT_NE(Explain().find("\nFor the factors of its transfers run its descriptor again"),
              std::string::npos)
        << Explain();
}

TEST_F(ExplanationTableTest, SweepOfGraphsHasTheirTimesAndWhatCostsMost)
{
    WriteResult("sweep/a", MakeGraphExplanation(), 0, "", kGraph);
    WriteResult("sweep/b", nullptr, 0, "", kGraph);
    WriteResult("sweep/c", nullptr, 4);
    m_folder.Write("sweep/points.json", R"(["a", "b", "c"])");
    const std::string text = Explain("sweep");
    const std::string table =
        "run  iteration [ms]  path over best   plan  routes  repeats  outages  waiting\n"
        "a             1.400           1.273  1.091   1.100        -    1.000    1.061  dispatch "
        "routes 1.60, dispatch plan 2.00, dispatch waiting 1.25\n"
        "b             1.400               -      -       -        -        -        -\n"
        "c                 -               -      -       -        -        -        -  did not "
        "finish (status 4), see its report\n"
        "\n"
        "For the factors of its transfers run";
    EXPECT_EQ(text.substr(0, table.size()), table);
    WriteResult("sweep/d", MakeExplanation());
    m_folder.Write("sweep/points.json", R"(["a", "d"])");
    EXPECT_EQ(Explain("sweep").find("run  over bound   plan"), 0U) << Explain("sweep");
}

TEST_F(ExplanationTableTest, WarningsOfRunsAreToldOnceWithTheirNumber)
{
    const json notes{"a note", "warning: balance.host: a hash"};
    WriteResult("sweep/a", MakeExplanation(), 0, "", nullptr, notes);
    WriteResult("sweep/b", MakeExplanation(), 0, "", nullptr, notes);
    WriteResult("sweep/c", MakeExplanation());
    EXPECT_NE(Explain("sweep").find("\n\n2 of 3: warning: balance.host: a hash\n"),
              std::string::npos)
        << Explain("sweep");
    EXPECT_NE(Explain("sweep/a").find("\n\nwarning: balance.host: a hash\n"), std::string::npos)
        << Explain("sweep/a");
    EXPECT_EQ(Explain("sweep").find("a note"), std::string::npos);
}

TEST_F(ExplanationTableTest, RunWithoutTheRecordSaysHowToGetTheOtherFactors)
{
    WriteResult("run", MakeBriefExplanation());
    const std::string text = Explain();
    EXPECT_NE(text.find("plan         1.250       1.250"), std::string::npos) << text;
    EXPECT_NE(text.find("routes           -           -"), std::string::npos) << text;
    EXPECT_NE(text.find("product      2.805       2.805"), std::string::npos) << text;
    const std::string place = (m_folder.GetPath() / "run").lexically_normal().string();
    EXPECT_NE(text.find("\nFor the other factors run its descriptor again, with the same --set "
                        "options as then and --set record.explain=true --out " +
                        place + "-explained\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("finished last"), std::string::npos) << text;
}

TEST_F(ExplanationTableTest, RunThatDidNotFinishShowsItsReport)
{
    WriteResult("run", nullptr, 3, "queue pair 3 is stuck");
    EXPECT_EQ(Explain(),
              (m_folder.GetPath() / "run").string() +
                  ": did not finish (status 3), see its report:\nqueue pair 3 is stuck\n");
}

TEST_F(ExplanationTableTest, SweepHasARowForEachPointWhateverItLacks)
{
    WriteResult("sweep/b", MakeExplanation());
    WriteResult("sweep/a", MakeBriefExplanation());
    WriteResult("sweep/c", nullptr, 4);
    WriteResult("sweep/d", nullptr);
    WriteResult("sweep/old", MakeExplanation());
    std::filesystem::create_directory(m_folder.GetPath() / "sweep/late");
    m_folder.Write("sweep/late/failure.json", R"({"status": 3, "reason": "time limit of 1 s"})");
    m_folder.Write("sweep/points.json", R"(["b", "a", "c", "d", "late", "lost"])");
    EXPECT_EQ(Explain("sweep"),
              "run   over bound   plan  routes  repeats  outages  waiting\n"
              "b          2.805  1.250   2.000    1.020    1.000    1.100\n"
              "a          2.805  1.250       -        -        -        -\n"
              "c              -      -       -        -        -        -  did not finish (status "
              "4), see its report\n"
              "d          2.805      -       -        -        -        -  made without an "
              "explanation; run it again\n"
              "late           -      -       -        -        -        -  failed: time limit of 1 "
              "s\n"
              "lost           -      -       -        -        -        -  no result\n"
              "old        2.805  1.250   2.000    1.020    1.000    1.100  of an earlier sweep\n"
              "\n"
              "For the other factors run its descriptor again, with the same --set options as then "
              "and --set record.explain=true --out " +
                  m_folder.GetPath().lexically_normal().string() + "/sweep-explained\n");
}

TEST_F(ExplanationTableTest, SweepAndItsPointsTellTheCommandForTheOtherFactors)
{
    WriteResult("sweep/seed=1", MakeBriefExplanation());
    std::filesystem::create_directory(m_folder.GetPath() / "sweep/.rails");
    m_folder.Write("sweep/.rails/sweep.json",
                   R"({"text": "", "source": "/a/b.yaml", "sets": ["seed=2 3"],
                       "options": {"command": "run this", "libraries": ["/x.so"]}})");
    setenv("RAILS_LAUNCHER", "./rails", 1);
    const std::string place = m_folder.GetPath().lexically_normal().string() + "/sweep";
    const std::string command = "\nFor the other factors: ./rails run /a/b.yaml --set 'seed=2 3'";
    for (const char* name : {"sweep", "sweep/"})
    {
        EXPECT_NE(Explain(name).find(command + " --set record.explain=true --out " + place +
                                     "-explained\n"),
                  std::string::npos)
            << Explain(name);
    }
    EXPECT_NE(Explain("sweep/seed=1")
                  .find(command + " --point seed=1 --set record.explain=true --out " + place +
                        "-explained/seed=1\n"),
              std::string::npos)
        << Explain("sweep/seed=1");
    unsetenv("RAILS_LAUNCHER");
}

TEST_F(ExplanationTableTest, FolderWithNothingToTellIsRefused)
{
    EXPECT_THROW(Explain("none"), OutputError);
    std::filesystem::create_directory(m_folder.GetPath() / "empty");
    EXPECT_THROW(Explain("empty"), OutputError);
    WriteResult("run", nullptr); // as before there were explanations
    EXPECT_THROW(Explain(), OutputError);
    m_folder.Write("run/result.json", "{");
    EXPECT_THROW(Explain(), OutputError);
}

TEST_F(ExplanationTableTest, AnyValueWhereAnotherIsExpectedIsNothingKnown)
{
    for (const json& odd : {json(), json(3), json("x"), json::array({1}), json{{"name", 3}}})
    {
        for (const char* key : {"factors", "times_s", "nic", "cable", "sentence"})
        {
            json explain = MakeExplanation();
            explain[key] = odd;
            WriteResult("run", explain);
            EXPECT_NE(Explain().find("product"), std::string::npos) << key << ' ' << odd;
        }
    }
}

} // namespace ns3::rails
