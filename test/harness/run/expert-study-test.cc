// SPDX-License-Identifier: GPL-2.0-only
#include "experiment-fixtures.h"

#include "ns3/component-registry.h"
#include "ns3/expert-policy.h"
#include "ns3/expert-study.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"
#include "ns3/rails-summary-table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
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
        return RunExperiment(Read(kStudy, sets).MakeExperiment(0));
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

TEST_F(ExpertStudyTest, WithoutALoadThatOfTheModelsOwnTrainingIsTaken)
{
    const auto measure = [](const std::vector<std::string>& sets) {
        return GetFigures(Study(sets)).at("max_over_mean");
    };
    EXPECT_EQ(measure({}), measure({"experts.load.preset=aux-loss"}));
    EXPECT_NE(measure({}), measure({"experts.load.preset=no-aux"}));
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

TEST_F(ExpertStudyTest, EveryPolicyPlansWhereThereAreMoreGpusThanExperts)
{
    const std::vector<std::vector<std::string>> shapes{
        {"experts.model.experts=8", "experts.gpus=16", "experts.gpus_per_domain=8"},
        {"experts.model.experts=8", "experts.gpus=24", "experts.gpus_per_domain=8"},
        {"experts.gpus=16", "experts.gpus_per_domain=8", "experts.ep=8"},
    };
    uint32_t split = 0;
    for (const ComponentType& type : GetComponentTypes(ExpertPolicy::GetTypeId()))
    {
        if (type.name == "external")
        {
            continue; // another program decides
        }
        for (std::vector<std::string> sets : shapes)
        {
            SCOPED_TRACE(type.name + ", " + sets.front());
            sets.push_back("experts.policy=" + type.name);
            sets.emplace_back("experts.bytes_per_state=0B"); // which all groups share
            const Experiment experiment = Read(kStudy, sets).MakeExperiment(0);
            const Result result = RunExperiment(experiment);
            ASSERT_EQ(result.status, RunStatus::Done) << result.report;
            const auto figures = GetFigures(result);
            EXPECT_GT(figures.at("max_over_mean_before"), 1);
            if (experiment.Get<ExpertStudy>("experts")->GetPolicy()->GetTraits().plansOneGroup)
            {
                ++split;
                // A group is a server here, and what it plans stays in it.
                EXPECT_EQ(figures.at("token_bytes_across"), 0);
                EXPECT_EQ(figures.at("weight_bytes_across"), 0);
                EXPECT_EQ(figures.at("move_bytes_across"), 0);
                EXPECT_GT(figures.at("sync_bytes_across"), 0);
            }
        }
    }
    EXPECT_EQ(split, 10 * shapes.size());
}

TEST_F(ExpertStudyTest, GroupsCountTogetherAsEachDoesAlone)
{
    // Another expert is hot in each group of four GPUs, and the second of them is hotter.
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, uint32_t first, uint32_t end) {
        std::string text = "iteration,layer,microbatch,rank,e0,e1,e2,e3,e4,e5,e6,e7\n";
        for (uint32_t rank = first; rank < end; ++rank)
        {
            text += "0,0,0," + std::to_string(rank - first) +
                    (rank < 4 ? ",200,100,30,70,40,30,22,20\n" : ",40,10,60,50,40,256,36,20\n");
        }
        return folder.Write(name, text);
    };
    const auto study = [](const std::string& path, uint32_t gpus, const std::string& policy) {
        return GetFigures(Study({"experts.model.experts=8",
                                 "experts.ep=4",
                                 "experts.gpus=" + std::to_string(gpus),
                                 "experts.load={type: trace, path: '" + path + "'}",
                                 "experts.bytes_per_state=0B", // which all groups share
                                 "experts.policy=" + policy}));
    };
    const std::string both = write("both.csv", 0, 8);
    const std::string first = write("first.csv", 0, 4);
    const std::string second = write("second.csv", 4, 8);
    for (const std::string policy : {"{type: llep, min_tokens: 16}",
                                     "{type: ultra-ep, min_tokens: 16}",
                                     "echo",
                                     "moon-ep",
                                     "{type: eplb, period: 1}",
                                     "{type: pro-prophet, fused: false, balance_tolerance: 0}"})
    {
        SCOPED_TRACE(policy);
        auto together = study(both, 8, policy);
        auto one = study(first, 4, policy);
        auto other = study(second, 4, policy);
        for (const std::string key : {"max_over_mean", "max_over_mean_worst", "planning_s"})
        {
            EXPECT_DOUBLE_EQ(together.at(key), std::max(one.at(key), other.at(key))) << key;
        }
        EXPECT_LT(together.at("max_over_mean"), together.at("max_over_mean_before"));
        for (const std::string key : {"copies",
                                      "token_bytes_inside",
                                      "weight_bytes_inside",
                                      "gradient_bytes_inside",
                                      "move_bytes_inside"})
        {
            EXPECT_DOUBLE_EQ(together.at(key), one.at(key) + other.at(key)) << key;
        }
        EXPECT_DOUBLE_EQ(together.at("local_share"),
                         (one.at("local_share") + other.at("local_share")) / 2);
    }
}

TEST_F(ExpertStudyTest, PlanningIsChargedByOneRuleThatANoteNames)
{
    const auto study = [&](const std::vector<std::string>& keys) {
        std::vector<std::string> all{"experts.gpus=8",
                                     "experts.model={type: qwen3-30b, experts: 16}"};
        all.insert(all.end(), keys.begin(), keys.end());
        return Study(all);
    };
    const auto says = [](const Result& result, const std::string& text) {
        return std::any_of(result.notes.begin(), result.notes.end(), [&](const std::string& note) {
            return note.find(text) != std::string::npos;
        });
    };
    for (const char* policy :
         {"echo", "{type: micro-moe, slots: 1}", "{type: ultra-ep, planning_time: 3us}"})
    {
        const Result result =
            study({"experts.policy=" + std::string(policy), "experts.planning=200us"});
        EXPECT_DOUBLE_EQ(GetFigures(result).at("planning_s"), 200e-6) << policy;
        EXPECT_TRUE(says(result, "takes 200us, as planning says for all")) << policy;
    }
    EXPECT_TRUE(says(study({"experts.policy=echo"}), "takes no time, as no source says how much"));
    EXPECT_TRUE(says(study({"experts.policy={type: micro-moe, slots: 1}"}),
                     "takes 100us, as its source says"));
    EXPECT_FALSE(says(study({"experts.policy=plain-ep"}), "planning"));
}

TEST_F(ExpertStudyTest, PlanningThatWasMeasuredOnceIsReplayedSoThatFingerprintsRepeat)
{
    const std::string path = testing::TempDir() + "expert-study-planning.csv";
    std::ofstream(path) << "policy,experts,gpus,planning_ns,measured_on\n"
                           "echo,16,4,777000,a machine on 2026-11-30\n";
    // Groups of four GPUs plan one by one, and what is measured says so.
    const std::vector<std::string> keys{"experts.gpus=8",
                                        "experts.ep=4",
                                        "experts.gpus_per_domain=4",
                                        "experts.policy=echo",
                                        "experts.model={type: qwen3-30b, experts: 16}",
                                        "experts.planning_path=" + path};
    const Result one = Study(keys);
    EXPECT_DOUBLE_EQ(GetFigures(one).at("planning_s"), 777e-6);
    EXPECT_EQ(one.fingerprint, Study(keys).fingerprint);
    EXPECT_TRUE(std::any_of(one.notes.begin(), one.notes.end(), [](const std::string& note) {
        return note.find("takes 777us, as measured on a machine") != std::string::npos;
    }));
    EXPECT_EQ(one.expertStudy->policy, "echo");
    EXPECT_EQ(one.expertStudy->experts, 16U);
    EXPECT_EQ(one.expertStudy->plannedGpus, 4U);
    EXPECT_NE(one.expertStudy->measuredOn.find(" on 20"), std::string::npos);
    EXPECT_GT(one.expertStudy->planningEach.value_or(0), 0);
    std::filesystem::remove(path);
}

TEST_F(ExpertStudyTest, PlanningIsMeasuredForEachTimeThatSomethingIsPlanned)
{
    const auto measure = [](const std::string& policy, const std::string& warmUp) {
        const Result result = Study(
            {"experts.policy=" + policy, "experts.warm_up=" + warmUp, "experts.iterations=1"});
        return result.expertStudy->planningEach;
    };
    EXPECT_FALSE(measure("plain-ep", "1")) << "nothing is";
    EXPECT_FALSE(measure("{type: eplb, slots: 1}", "0")) << "there are no loads to place by";
    EXPECT_GT(measure("{type: eplb, slots: 1}", "1").value_or(0), 0);
    EXPECT_GT(measure("{type: echo, slots: 1}", "0").value_or(0), 0) << "in each micro-batch";
}

TEST_F(ExpertStudyTest, ReplicasMoveWithTheirPartOfStatesAndAreUpdatedOnARing)
{
    // Two servers of two GPUs. The expert of GPU 0 is hot, so that EPLB puts it on all four.
    const TemporaryFolder folder;
    std::string text = "iteration,layer,microbatch,rank,e0,e1,e2,e3\n";
    for (uint32_t row = 0; row < 8; ++row)
    {
        text += std::to_string(row / 4) + ",0,0," + std::to_string(row % 4) + ",70,10,10,10\n";
    }
    const std::string path = folder.Write("hot.csv", text);
    const auto study = [&](const std::string& warmUp) {
        return GetFigures(Study({"experts.gpus=4",
                                 "experts.gpus_per_domain=2",
                                 "experts.model={type: gpt-32x1.3b, experts: 4, top_k: 1}",
                                 "experts.tokens=100",
                                 "experts.layers=1",
                                 "experts.microbatches=1",
                                 "experts.iterations=1",
                                 "experts.warm_up=" + warmUp,
                                 "experts.load={type: trace, path: '" + path + "'}",
                                 "experts.policy={type: eplb, slots: 1}"}));
    };
    const double parameters = 2.0 * 2048 * 8192;
    const auto figures = study("1");
    // 2 B of parameters and a quarter of 12 B go to each of three GPUs, one in the same server. An
    // iteration is charged with a tenth, as EPLB's period has ten.
    EXPECT_DOUBLE_EQ(figures.at("move_bytes_inside"), 5 * parameters / 10);
    EXPECT_DOUBLE_EQ(figures.at("move_bytes_across"), 10 * parameters / 10);
    EXPECT_DOUBLE_EQ(figures.at("placements"), 0.1);
    // Three quarters of 4 B of gradients and 2 B of parameters take each of four hops.
    EXPECT_DOUBLE_EQ(figures.at("sync_bytes_inside"), 9 * parameters);
    EXPECT_DOUBLE_EQ(figures.at("sync_bytes_across"), 9 * parameters);
    EXPECT_EQ(study("0").at("move_bytes_across"), figures.at("move_bytes_across"))
        << "whether the placement falls into the run or not";
}

TEST_F(ExpertStudyTest, GroupsThatServersDivideUnevenlyAreRefusedWhereTheyArePlannedOneByOne)
{
    const std::vector<std::string> uneven{"experts.gpus=16",
                                          "experts.gpus_per_domain=16",
                                          "experts.ep=8"};
    EXPECT_EQ(FindErrors(kStudy, uneven), "");
    EXPECT_NE(FindErrors(kStudy,
                         {"experts.model.experts=8",
                          "experts.gpus=16",
                          "experts.gpus_per_domain=8",
                          "experts.policy={type: lplb, topology: cube}"})
                  .find("or topology: ring"),
              std::string::npos);
    std::vector<std::string> sets{"experts.model.experts=12",
                                  "experts.gpus=24",
                                  "experts.gpus_per_domain=8",
                                  "experts.policy=llep"};
    EXPECT_NE(FindErrors(kStudy, sets).find("set ep or gpus_per_domain so that one divides"),
              std::string::npos)
        << FindErrors(kStudy, sets);
    sets.back() = "experts.policy=micro-moe";
    EXPECT_EQ(FindErrors(kStudy, sets), "");
}

TEST_F(ExpertStudyTest, MemoryOfReplicasIsThatOfTheFullestGpu)
{
    const double expert = 2.0 * 2048 * 8192 * 2; // parameters of 2 B
    const auto getExperts = [&](const std::vector<std::string>& sets) {
        return GetFigures(Study(sets)).at("replica_bytes") / expert;
    };
    EXPECT_EQ(getExperts({}), 0);
    // Two slots of each of two layers are filled, for good.
    EXPECT_EQ(getExperts({"experts.policy={type: eplb, slots: 2}"}), 4);
    // Copies for a micro-batch that are fetched again on the way back share two slots over layers.
    EXPECT_EQ(getExperts({"experts.policy={type: ultra-ep, slots: 2}"}), 2);
    // Experts that change places take nothing.
    EXPECT_EQ(getExperts({"experts.policy=smart-moe"}), 0);
}

// An expert has 2 x 2048 x 8192 parameters of 2, 4 and 12 B: 604 MB. Homes of a GPU are four in
// each of two layers, 4832 MB.
TEST_F(ExpertStudyTest, SlotsAndMemoryAreThoseOfEachPolicyWithoutABudget)
{
    const double byte = 2.0 * 2048 * 8192; // of each parameter of an expert

    struct Case
    {
        std::string policy;
        double perLayer;
        double shared;
        double most; //!< B of a parameter of an expert, of all layers
    };

    for (const Case& one : std::vector<Case>{{"plain-ep", 0, 0, 144},
                                             {"smart-moe", 0, 0, 144},
                                             {"{type: eplb, slots: 2}", 2, 0, 216},
                                             {"{type: flex-moe, slots: 1}", 1, 0, 180},
                                             {"lplb", 2, 0, 168},
                                             {"epic", 0, 1, 150},
                                             {"{type: ultra-ep, slots: 3}", 0, 3, 162},
                                             {"echo", 0, 1, 150},
                                             {"rail-aware", 0, 2, 156}})
    {
        const auto figures = GetFigures(Study({"experts.policy=" + one.policy}));
        EXPECT_EQ(figures.at("slots_per_layer"), one.perLayer) << one.policy;
        EXPECT_EQ(figures.at("slots_shared"), one.shared) << one.policy;
        EXPECT_GE(figures.at("expert_memory_bytes"), 144 * byte) << one.policy;
        EXPECT_LE(figures.at("expert_memory_bytes"), one.most * byte) << one.policy;
    }
    // Without a limit, those that were filled.
    const auto balanced = GetFigures(Study({"experts.policy=perfect-balance"}));
    EXPECT_GT(balanced.at("slots_per_layer"), 0);
    EXPECT_GT(balanced.at("expert_memory_bytes"), 144 * byte);
    // Two groups divide the states: 4 x 2 x (6 + 6) B with eight experts of a GPU.
    EXPECT_EQ(GetFigures(Study({"experts.ep=4"})).at("expert_memory_bytes"), 8 * 2 * 12 * byte);
}

TEST_F(ExpertStudyTest, ABudgetOfMemorySaysHowManySlotsPoliciesHave)
{
    // 6100 - 4832 MB: a replica takes 1208, copies that stay or that states do not move for 403,
    // those that layers share 201.
    const std::map<std::string, std::pair<double, double>> slots{{"plain-ep", {0, 0}},
                                                                 {"deepspeed-moe", {0, 0}},
                                                                 {"smart-moe", {0, 0}},
                                                                 {"eplb", {1, 0}},
                                                                 {"flex-moe", {1, 0}},
                                                                 {"micro-moe", {1, 0}},
                                                                 {"lplb", {2, 0}},
                                                                 {"epic", {0, 1}},
                                                                 {"faster-moe", {3, 0}},
                                                                 {"pro-prophet", {3, 0}},
                                                                 {"llep", {3, 0}},
                                                                 {"echo", {0, 1}},
                                                                 {"ultra-ep", {0, 6}},
                                                                 {"rail-aware", {0, 6}}};
    for (const auto& [policy, expected] : slots)
    {
        const Result result = Study({"experts.policy=" + policy,
                                     "experts.budget=6.1GB",
                                     "experts.load.preset=no-aux",
                                     "experts.warm_up=3"});
        EXPECT_EQ(result.status, RunStatus::Done) << policy << result.report;
        const auto figures = GetFigures(result);
        EXPECT_EQ(figures.at("slots_per_layer"), expected.first) << policy;
        EXPECT_EQ(figures.at("slots_shared"), expected.second) << policy;
        EXPECT_LE(figures.at("expert_memory_bytes"), 6.1e9) << policy;
        const bool overruns =
            std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
                return note.find("more than") != std::string::npos;
            });
        EXPECT_FALSE(overruns) << policy;
    }
    // An oracle knows no limit, and says so.
    const Result oracle = Study({"experts.policy=perfect-balance", "experts.budget=4.9GB"});
    EXPECT_GT(GetFigures(oracle).at("expert_memory_bytes"), 4.9e9);
    EXPECT_NE(oracle.notes.back().find("more than the budget of 4.9 GB"), std::string::npos);
    // Nothing but the homes fits in, so copies are none.
    for (const std::string policy : {"llep", "faster-moe", "pro-prophet", "echo", "ultra-ep"})
    {
        const auto figures = GetFigures(Study(
            {"experts.policy=" + policy, "experts.budget=4.84GB", "experts.load.preset=no-aux"}));
        EXPECT_EQ(figures.at("copies"), 0) << policy;
        EXPECT_EQ(figures.at("max_over_mean"), figures.at("max_over_mean_before")) << policy;
    }
    // As many slots as are given otherwise: nothing else differs.
    const auto fingerprint = [](const std::string& policy, const std::string& budget) {
        std::vector<std::string> sets{"experts.policy=" + policy};
        if (!budget.empty())
        {
            sets.push_back("experts.budget=" + budget);
        }
        return Study(sets).fingerprint;
    };
    EXPECT_EQ(fingerprint("ultra-ep", "6.1GB"), fingerprint("{type: ultra-ep, slots: 6}", ""));
    EXPECT_EQ(fingerprint("eplb", "6.1GB"), fingerprint("eplb", ""));
    EXPECT_NE(fingerprint("eplb", "7.3GB"), fingerprint("eplb", ""));
}

TEST_F(ExpertStudyTest, ABudgetIsRefusedWhereItIsTooSmallAndBesideSlots)
{
    EXPECT_NE(FindErrors(kStudy, {"experts.budget=4.8GB"}).find("need 4.84 GB"), std::string::npos)
        << FindErrors(kStudy, {"experts.budget=4.8GB"});
    const std::string both =
        FindErrors(kStudy, {"experts.budget=8GB", "experts.policy={type: eplb, slots: 1}"});
    EXPECT_NE(both.find("leave out slots to compare policies at equal memory, or budget"),
              std::string::npos)
        << both;
    // Sweeps leave out what has too little to work with.
    const Descriptor sweep = Read(std::string(kStudy) + "  budget: 5GB\n" +
                                  "sweep:\n  experts.policy: [plain-ep, micro-moe, ultra-ep]\n");
    ASSERT_EQ(sweep.GetLeftOut().size(), 1U);
    EXPECT_NE(sweep.GetLeftOut()[0].why.find("together 6.04 GB: set budget"), std::string::npos)
        << sweep.GetLeftOut()[0].why;
    const Descriptor budgets = Read(std::string(kStudy) + "  policy: eplb\n" +
                                    "sweep:\n  experts.budget: [5GB, 6.1GB, 7.3GB]\n");
    ASSERT_EQ(budgets.GetPointCount(), 3U);
    for (std::size_t point = 0; point < 3; ++point)
    {
        EXPECT_EQ(GetFigures(RunExperiment(budgets.MakeExperiment(point))).at("slots_per_layer"),
                  point);
    }
}

TEST_F(ExpertStudyTest, SweepsLeaveOutPoliciesThatCannotWorkThere)
{
    const auto sweep = [](const std::string& axes) {
        return std::string(kStudy) + "sweep:\n" + axes;
    };
    // GPUs have one expert each, and cubes copy two.
    const std::string one = "  experts.model.experts: [8, 16]\n";
    const Descriptor some =
        Read(sweep(one + "  experts.policy: [plain-ep, {type: lplb, topology: cube}]\n"));
    ASSERT_EQ(some.GetPointCount(), 3U);
    EXPECT_EQ(some.GetPointName(0), "experts=8,policy=plain-ep");
    EXPECT_EQ(some.GetPointName(1), "experts=16,policy=plain-ep");
    EXPECT_EQ(some.GetPointName(2), "experts=16,policy=lplb");
    EXPECT_EQ(RunExperiment(some.MakeExperiment(2)).status, RunStatus::Done);
    ASSERT_EQ(some.GetLeftOut().size(), 1U);
    EXPECT_EQ(some.GetLeftOut()[0].name, "experts=8,policy=lplb");
    EXPECT_NE(some.GetLeftOut()[0].why.find("cannot have copies"), std::string::npos);
    ASSERT_EQ(some.GetWarnings().size(), 1U);
    // What is wrong whatever the policy, or written wrongly, or leaves nothing, is an error.
    for (const std::string axes : {"  experts.policy: [{type: lplb, topology: cube, copies: 3}]\n",
                                   "  experts.policy: [plain-ep, {type: lplb, topologie: cube}]\n",
                                   "  experts.policy: [plain-ep, lplb]\n  experts.ep: [3]\n",
                                   "  experts.policy.copies: [2, 3]\n"})
    {
        const bool isKey = axes.find("policy.copies") != std::string::npos;
        EXPECT_NE(FindErrors(sweep(axes),
                             isKey ? std::vector<std::string>{"experts.policy.type=lplb"}
                                   : std::vector<std::string>()),
                  "")
            << axes;
    }
}

TEST_F(ExpertStudyTest, OneThatFailedHasNoColumnsOfNetworks)
{
    Result failed;
    failed.engine = "experts";
    failed.status = RunStatus::InvariantBroken;
    failed.expertStudy.emplace(); // it failed before a plan counted
    TemporaryFolder folder;
    WriteResult(failed, folder.GetPath());
    const nlohmann::json json = ReadResultJson(folder.GetPath());
    ASSERT_TRUE(json.is_object());
    EXPECT_EQ(FormatSummary({{"a", json, ""}}), "run\na    status 4\n");
}

TEST_F(ExpertStudyTest, OraclesAndDroppedTokensAreSaidAloud)
{
    const auto hasNote = [](const Result& result, const std::string& text) {
        return std::any_of(result.notes.begin(), result.notes.end(), [&](const auto& note) {
            return note.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(hasNote(Study({"experts.policy=perfect-balance"}), "oracle"));
    EXPECT_TRUE(hasNote(Study({"experts.policy=oracle"}), "perfect-balance")) << "its name now";
    const Result dropping = Study({"experts.policy={type: plain-ep, capacity_factor: 1}"});
    EXPECT_TRUE(hasNote(dropping, "dropped"));
    EXPECT_GT(GetFigures(dropping).at("dropped_share"), 0);
    EXPECT_EQ(GetFigures(dropping).at("placements"), 0);
    EXPECT_TRUE(Study().notes.empty());
}

TEST_F(ExpertStudyTest, APolicyThatLooksBackOverATraceThatBeginsAnewIsWarnedOf)
{
    const TemporaryFolder folder;
    std::string text = "iteration,layer,microbatch,rank,e0,e1,e2,e3,e4,e5,e6,e7\n";
    for (uint32_t iteration = 0; iteration < 3; ++iteration)
    {
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            text += std::to_string(iteration) + ",0,0," + std::to_string(rank) +
                    ",200,100,30,70,40,30,22,20\n";
        }
    }
    const std::string path = folder.Write("three.csv", text);
    const auto list = [&](const std::string& policy, uint32_t warmUp, uint32_t iterations) {
        auto notes = Study({"experts.model.experts=8",
                            "experts.gpus=4",
                            "experts.load={type: trace, path: '" + path + "'}",
                            "experts.warm_up=" + std::to_string(warmUp),
                            "experts.iterations=" + std::to_string(iterations),
                            "experts.policy=" + policy})
                         .notes;
        const auto isOfPlanning = [](const std::string& note) {
            return note.find("planning of a layer") == 0;
        };
        notes.erase(std::remove_if(notes.begin(), notes.end(), isOfPlanning), notes.end());
        return notes;
    };
    using Notes = std::vector<std::string>;
    const std::string anew =
        "warning: the policy of experts looks back at loads that begin anew after 3 iterations, "
        "and 4 are run (warm_up 2, iterations 2): it may have seen what counts; run no more than "
        "are recorded to compare it with others";
    for (const std::string policy : {"{type: eplb, period: 1, window: 2}",
                                     "{type: micro-moe, slots: 1, period: 1, window: 2}",
                                     "{type: lplb, topology: ring, ring_gpus: 4, window: 2}",
                                     "pro-prophet"})
    {
        EXPECT_EQ(list(policy, 2, 2), Notes{anew}) << policy;
        EXPECT_EQ(list(policy, 2, 1), Notes()) << policy;
    }
    for (const std::string policy : {"plain-ep", "ultra-ep", "{type: llep, min_tokens: 1}"})
    {
        EXPECT_EQ(list(policy, 2, 2), Notes()) << policy << " knows nothing of before";
    }
    EXPECT_EQ(list("{type: eplb, slots: 1}", 2, 1),
              Notes{"the policy of experts looks back over 10 iterations, of which 2 (warm_up) had "
                    "been before the first that counts"});
}

TEST_F(ExpertStudyTest, TablesSayHowOldTheTrainingIs)
{
    const auto write = [](const std::vector<std::string>& sets) {
        const TemporaryFolder folder;
        WriteResult(Study(sets), folder.GetPath());
        return ReadResultJson(folder.GetPath());
    };
    const nlohmann::json fresh = write({"experts.load={type: synthetic, first_iteration: 0}"});
    const nlohmann::json settled = write({"experts.load={type: synthetic}"});
    EXPECT_EQ(fresh.at("load_first_iteration"), 0);
    EXPECT_EQ(settled.at("load_first_iteration"), 5000);
    const std::string table = FormatSummary({{"a", fresh, ""}, {"b", settled, ""}});
    EXPECT_EQ(table.rfind("run   age  before", 0), 0U) << table;
    EXPECT_NE(table.find("\na       0  "), std::string::npos) << table;
    EXPECT_NE(table.find("\nb    5000  "), std::string::npos) << table;
    const nlohmann::json recorded = write({"experts.load={type: imbalance, workload: w1}"});
    EXPECT_FALSE(recorded.contains("load_first_iteration"));
    EXPECT_EQ(FormatSummary({{"c", recorded, ""}}).find("age"), std::string::npos);
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

// 288 slots on 144 GPUs, as deployments of DeepSeek-V3 have it: 112 GPUs have two of the 256
// experts at home, and each of the other 32 gets a replica.
TEST_F(ExpertStudyTest, RedundantExpertsFillTheSlotsOfGpusThatDoNotDivideThem)
{
    const std::vector<std::string> sets{"experts.gpus=144",
                                        "experts.gpus_per_domain=8",
                                        "experts.model.experts=256",
                                        "experts.model.top_k=8",
                                        "experts.layers=1",
                                        "experts.microbatches=1",
                                        "experts.iterations=1",
                                        "experts.load={type: synthetic, preset: no-aux}"};
    const auto study = [&](const std::string& policy) {
        std::vector<std::string> all = sets;
        all.push_back("experts.policy=" + policy);
        return GetFigures(Study(all));
    };
    const auto plain = study("plain-ep");
    const auto eplb = study("{type: eplb, slots: 1}");
    EXPECT_LT(eplb.at("max_over_mean"), plain.at("max_over_mean"));
    EXPECT_EQ(plain.at("replica_bytes"), 0);
    const auto even =
        GetFigures(Study({"experts.layers=1", "experts.policy={type: eplb, slots: 1}"}));
    EXPECT_EQ(eplb.at("replica_bytes"), even.at("replica_bytes")) << "an expert on the fullest GPU";
}

TEST_F(ExpertStudyTest, WhatCannotWorkIsRefusedWithItsKey)
{
    const std::map<std::string, std::string> wrong{
        {"experts={gpus: 5, model: gpt-32x1.3b, policy: llep}",
         "32 experts cannot be dealt evenly to 5 GPUs"},
        {"experts={gpus: 48, model: gpt-32x1.3b, policy: llep}",
         "32 experts cannot be dealt evenly to 48 GPUs"},
        {"experts={gpus: 5, model: gpt-32x1.3b, policy: {type: eplb, slots: 0}}", "set slots to 1"},
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
