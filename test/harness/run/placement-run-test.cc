// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include "ns3/rails-output-folder.h"
#include "ns3/rails-point-run.h"
#include "ns3/rails-result-reader.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kPlacedModel =
    "model: {type: qwen3-235b, hidden: 256, heads: 4, kv_heads: 2, head_width: 16, experts: 16, "
    "expert_ffn: 512, vocabulary: 1000, top_k: 4}";

const std::string kPlacedTraining = "{type: training, " + kPlacedModel +
                                    ", parallel: {ep: 8}, batch: {micro: 1, global: 16, sequence: "
                                    "256}, load: {type: synthetic, preset: no-aux}, "
                                    "compute: {type: flops, peak: 1e13}, layers: 2, iterations: 2, "
                                    "warm_up: 1}";

const std::string kPlacedStudy = "experts:\n"
                                 "  " +
                                 kPlacedModel +
                                 "\n"
                                 "  load: {type: synthetic, preset: no-aux}\n"
                                 "  gpus: 8\n"
                                 "  gpus_per_domain: 4\n"
                                 "  tokens: 256\n"
                                 "  layers: 2\n"
                                 "  microbatches: 3\n"
                                 "  iterations: 2\n"
                                 "  placement: true\n";

/// Policies that act on so little.
const std::vector<std::string> kPlacingPolicies{
    "plain-ep",
    "deepspeed-moe",
    "{type: eplb, period: 1}",
    "{type: ultra-ep, min_tokens: 16}",
    "{type: micro-moe, slots: 1}",
    "{type: llep, min_tokens: 16}",
    "{type: pro-prophet, fused: false, balance_tolerance: 0}",
    "{type: faster-moe, variant: master}",
    "{type: epic, period: 1, min_gain: 1}",
    "{type: flex-moe, period: 1}",
    "perfect-balance",
};

struct PlacementRow
{
    uint32_t iteration;
    uint32_t layer;
    uint32_t expert;
    uint32_t gpu;
    std::string role;
    uint64_t tokens;
};

class PlacementRunTest : public RunTest
{
  protected:
    /// What a run writes, and its fingerprint.
    struct Placed
    {
        std::vector<PlacementRow> rows;
        std::string fingerprint;
    };

    static std::string MakeTrainingText(const std::string& workload)
    {
        return "topology: {type: rail, domains: 2, gpus_per_domain: 4}\n"
               "balance: rails\n"
               "transport: {congestion_control: none}\n"
               "switch: {buffer: 1GiB}\n"
               "engine: flow\n"
               "record: {placement: true}\n"
               "workload: " +
               workload + "\n";
    }

    static Placed Place(const std::string& text, const Sets& sets = {})
    {
        const TemporaryFolder folder;
        Experiment experiment = Read(text, sets).MakeExperiment(0);
        experiment.workFolder = folder.GetPath().string();
        const Result result = RunExperiment(experiment);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        return {ReadRows(folder.GetPath()), GetFingerprint(result)};
    }

    static std::vector<PlacementRow> ReadRows(const std::filesystem::path& folder)
    {
        std::istringstream text(ReadFile(folder / "placement.csv"));
        std::string line;
        std::getline(text, line);
        EXPECT_EQ(line, "iteration,layer,expert,gpu,role,tokens");
        std::vector<PlacementRow> rows;
        std::tuple<uint32_t, uint32_t, uint32_t, uint32_t> last;
        while (std::getline(text, line))
        {
            std::istringstream fields(line);
            PlacementRow row;
            char comma = 0;
            fields >> row.iteration >> comma >> row.layer >> comma >> row.expert >> comma >>
                row.gpu >> comma;
            std::getline(fields, row.role, ',');
            fields >> row.tokens;
            const std::tuple now(row.iteration, row.layer, row.expert, row.gpu);
            EXPECT_TRUE(rows.empty() || last < now) << line;
            last = now;
            rows.push_back(row);
        }
        return rows;
    }

    using Loads = std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t>;

    /// \return tokens by iteration, layer and expert
    static Loads AddUpExperts(const std::vector<PlacementRow>& rows)
    {
        Loads loads;
        for (const PlacementRow& row : rows)
        {
            loads[{row.iteration, row.layer, row.expert}] += row.tokens;
        }
        return loads;
    }

    static uint64_t CountRole(const std::vector<PlacementRow>& rows, const std::string& role)
    {
        return static_cast<uint64_t>(std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
            return row.role == role;
        }));
    }

    static uint64_t CountTokens(const std::vector<PlacementRow>& rows)
    {
        uint64_t tokens = 0;
        for (const PlacementRow& row : rows)
        {
            tokens += row.tokens;
        }
        return tokens;
    }

    /**
     * Whatever the policy, copies of an expert compute what is routed to it without one, and a run
     * without the file has the same fingerprint.
     * \param policyKey what a policy is given with, "KEY="
     * \param without the setting that leaves the file out
     * \return what is routed
     */
    static Loads ExpectWhatIsRouted(const std::string& text,
                                    const Sets& shape,
                                    const std::string& policyKey,
                                    const std::string& without)
    {
        const Loads routed = AddUpExperts(Place(text, shape).rows);
        EXPECT_EQ(routed.size(), 2U * 2 * 16);
        for (const std::string& policy : kPlacingPolicies)
        {
            Sets sets = shape;
            sets.push_back(policyKey + policy);
            SCOPED_TRACE(policy + ", " + sets.front());
            const Placed placed = Place(text, sets);
            EXPECT_EQ(AddUpExperts(placed.rows), routed);
            sets.push_back(without);
            EXPECT_EQ(GetFingerprint(Run(text, sets)), placed.fingerprint);
        }
        return routed;
    }
};

} // namespace

TEST_F(PlacementRunTest, CopiesOfAnExpertInAStudyComputeWhatIsRoutedToIt)
{
    for (const Sets& shape : {Sets{}, Sets{"experts.ep=4"}})
    {
        const Loads routed =
            ExpectWhatIsRouted(kPlacedStudy, shape, "experts.policy=", "experts.placement=false");
        EXPECT_EQ(std::get<0>(routed.begin()->first), 1U) << "the warm-up does not count";
    }
    // Two iterations that count, two layers, three micro-batches of 256 tokens on eight GPUs.
    EXPECT_EQ(CountTokens(Place(kPlacedStudy).rows), 2U * 2 * 3 * 8 * 256 * 4);
}

TEST_F(PlacementRunTest, CopiesOfAnExpertInATrainingComputeWhatIsRoutedToIt)
{
    const std::string text = MakeTrainingText(kPlacedTraining);
    for (const Sets& shape : {Sets{}, Sets{"workload.parallel={ep: 4, pp: 2}"}})
    {
        ExpectWhatIsRouted(text, shape, "workload.experts=", "record.placement=false");
    }
    // Two iterations, two layers, and two micro-batches of 256 tokens on eight GPUs.
    EXPECT_EQ(CountTokens(Place(text).rows), 2U * 2 * 2 * 8 * 256 * 4);
}

TEST_F(PlacementRunTest, RolesTellWhereExpertsLiveFromWhatIsBrought)
{
    const auto place = [](const std::string& policy) {
        return Place(kPlacedStudy, {"experts.policy=" + policy}).rows;
    };
    const auto plain = place("plain-ep");
    EXPECT_EQ(CountRole(plain, "home"), plain.size());
    for (const std::string policy : {"{type: eplb, period: 1}", "{type: micro-moe, slots: 1}"})
    {
        const auto rows = place(policy);
        EXPECT_EQ(CountRole(rows, "home"), 2U * 2 * 16) << policy;
        EXPECT_GT(CountRole(rows, "replica"), 0U) << policy;
        EXPECT_EQ(CountRole(rows, "copy"), 0U) << policy;
    }
    for (const std::string policy :
         {"{type: llep, min_tokens: 16}", "{type: faster-moe, variant: master}"})
    {
        const auto rows = place(policy);
        EXPECT_EQ(CountRole(rows, "home"), 2U * 2 * 16) << policy;
        EXPECT_EQ(CountRole(rows, "replica"), 0U) << policy;
        EXPECT_GT(CountRole(rows, "copy"), 0U) << policy;
    }
}

TEST_F(PlacementRunTest, GroupsSideBySideHaveAHomeEachWithTheNumbersOfTheCluster)
{
    const std::string text = MakeTrainingText(kPlacedTraining);
    const std::vector<std::vector<PlacementRow>> all{
        Place(text, {"workload.parallel.ep=4"}).rows,
        Place(text, {"workload.parallel.ep=4", "workload.experts={type: llep, min_tokens: 16}"})
            .rows,
        Place(kPlacedStudy, {"experts.ep=4"}).rows,
        Place(kPlacedStudy, {"experts.ep=4", "experts.policy={type: llep, min_tokens: 16}"}).rows};
    for (const std::vector<PlacementRow>& rows : all)
    {
        EXPECT_EQ(CountRole(rows, "home"), 2U * 2 * 16 * 2);
        EXPECT_EQ(CountRole(rows, "replica"), 0U);
        std::set<uint32_t> homes;
        for (const PlacementRow& row : rows)
        {
            if (row.role == "home")
            {
                EXPECT_EQ(row.gpu % 4, row.expert / 4);
                homes.insert(row.gpu);
            }
        }
        EXPECT_EQ(homes.size(), 8U);
    }
}

TEST_F(PlacementRunTest, AHomeThatComputesNothingKeepsItsRow)
{
    const TemporaryFolder folder;
    const std::string path = folder.Write("trace.csv",
                                          "iteration,layer,microbatch,rank,e0,e1,e2,e3\n"
                                          "0,0,0,0,8,8,0,0\n"
                                          "0,0,0,1,8,0,8,0\n");
    const auto rows = Place(kPlacedStudy,
                            {"experts.model.experts=4",
                             "experts.model.top_k=2",
                             "experts.gpus=2",
                             "experts.gpus_per_domain=2",
                             "experts.layers=1",
                             "experts.microbatches=2",
                             "experts.iterations=1",
                             "experts.load={type: trace, path: '" + path + "'}"})
                          .rows;
    ASSERT_EQ(rows.size(), 4U);
    const std::vector<uint64_t> tokens{32, 16, 16, 0};
    for (uint32_t expert = 0; expert < 4; ++expert)
    {
        EXPECT_EQ(rows[expert].expert, expert);
        EXPECT_EQ(rows[expert].gpu, expert / 2);
        EXPECT_EQ(rows[expert].role, "home");
        EXPECT_EQ(rows[expert].tokens, tokens[expert]);
    }
}

TEST_F(PlacementRunTest, JobsShareATableWithTheNumbersOfTheCluster)
{
    const std::string text = MakeTrainingText(
        "{type: jobs, jobs: {front: {placement: {type: given, servers: [1]}, workload: " +
        kPlacedTraining + "}, back: {placement: {type: given, servers: [0]}, workload: " +
        kPlacedTraining + "}, ring: {placement: {type: given, servers: [2]}, workload: ring}}}");
    const Sets sets{"topology.domains=3",
                    "workload.jobs.front.workload.parallel.ep=4",
                    "workload.jobs.front.workload.iterations=1",
                    "workload.jobs.front.workload.experts={type: llep, min_tokens: 16}",
                    "workload.jobs.back.workload.parallel.ep=2",
                    "workload.jobs.back.workload.layers=3"};
    const Placed placed = Place(text, sets);
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> homes;
    for (const PlacementRow& row : placed.rows)
    {
        ASSERT_LT(row.gpu, 8U);
        homes[{row.iteration, row.layer, row.gpu / 4}] += row.role == "home" ? 1 : 0;
    }
    const std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> expected{{{0, 0, 0}, 32},
                                                                                {{0, 1, 0}, 32},
                                                                                {{0, 2, 0}, 32},
                                                                                {{1, 0, 0}, 32},
                                                                                {{1, 1, 0}, 32},
                                                                                {{1, 2, 0}, 32},
                                                                                {{0, 0, 1}, 16},
                                                                                {{0, 1, 1}, 16}};
    EXPECT_EQ(homes, expected);
    Sets without = sets;
    without.emplace_back("record.placement=false");
    EXPECT_EQ(GetFingerprint(Run(text, without)), placed.fingerprint);
}

TEST_F(PlacementRunTest, TheTableIsAFileOfTheResult)
{
    const TemporaryFolder folder;
    const ExperimentFunction simulate = [](const Experiment& experiment, const ProgressCallback&) {
        return RunExperiment(experiment);
    };
    for (const std::string& text : {kPlacedStudy, MakeTrainingText(kPlacedTraining)})
    {
        PointTarget target;
        target.folder = folder.GetPath() / ("result" + std::to_string(text.size()));
        ASSERT_EQ(RunPoint(Read(text), 0, target, simulate, nullptr).status, 0);
        EXPECT_FALSE(ReadRows(target.folder).empty());
        bool isListed = false;
        const nlohmann::json result = ReadResultJson(target.folder);
        for (const nlohmann::json& artefact : result.at("artefacts"))
        {
            isListed = isListed || artefact.at("file") == "placement.csv";
        }
        EXPECT_TRUE(isListed);
    }
    const std::vector<std::string>& known = GetResultFiles();
    EXPECT_NE(std::find(known.begin(), known.end(), "placement.csv"), known.end());
}

TEST_F(PlacementRunTest, WithoutExpertsItIsRefusedAndAFullDiskIsSaid)
{
    const std::string error = FindErrors(MakeTrainingText("{type: all-to-all, matrix: uniform}"));
    EXPECT_EQ(error.rfind("test.yaml:6:", 0), 0U) << error; // where it is asked for
    EXPECT_NE(error.find("knows no experts: set it to false"), std::string::npos) << error;
    EXPECT_NE(FindErrors(MakeTrainingText("{type: jobs, jobs: {one: {workload: ring}}}"))
                  .find("knows no experts"),
              std::string::npos);
    Experiment experiment = Read(kPlacedStudy).MakeExperiment(0);
    experiment.workFolder = "/nowhere/at/all";
    EXPECT_THROW(RunExperiment(experiment), OutputError);
}

} // namespace ns3::rails
