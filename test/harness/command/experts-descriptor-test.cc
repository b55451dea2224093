// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/rails-experts-descriptor.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

class ExpertsDescriptorTest : public ExperimentTest
{
  protected:
    static ExpertsDescriptor Make(const ExpertsOptions& question)
    {
        return MakeExpertsDescriptor(question, CheckExperiment);
    }

    static void ExpectParts(const std::string& text, const std::vector<std::string>& parts)
    {
        for (const std::string& part : parts)
        {
            EXPECT_NE(text.find(part), std::string::npos) << "expected " << part << " in\n" << text;
        }
    }
};

TEST_F(ExpertsDescriptorTest, WithoutAQuestionEveryPolicyThatCanWorkThereIsAsked)
{
    ExpertsOptions question;
    question.numbers = {{"gpus", 8}, {"tokens", 64}};
    const ExpertsDescriptor made = Make(question);
    ExpectParts(made.text,
                {"gpus: 8", "{type: plain-ep}", "{type: perfect-balance}", "{type: ultra-ep}"});
    // A policy that is a program has no name without a question. One group of expert parallelism
    // without slots gives MicroMoE nothing to choose from.
    ASSERT_EQ(made.notes.size(), 2U);
    ExpectParts(made.notes[0], {"left out: external: ", "--policy-command"});
    ExpectParts(made.notes[1], {"left out: micro-moe: ", "slots"});
    EXPECT_EQ(Read(made.text).GetPointCount(), 15U);
}

TEST_F(ExpertsDescriptorTest, SlotsGoToPoliciesThatHaveSome)
{
    ExpertsOptions question;
    question.policies = {"micro-moe", "llep", "{type: ultra-ep, search: best}"};
    question.slots = 3;
    question.seeds = 2;
    const ExpertsDescriptor made = Make(question);
    ExpectParts(made.text,
                {"{type: micro-moe, slots: 3}",
                 "{type: llep}",
                 "{type: ultra-ep, search: best}",
                 "repeat: 2"});
    EXPECT_EQ(Read(made.text).GetPointCount(), 6U);
}

TEST_F(ExpertsDescriptorTest, PoliciesThatCannotHaveSoManySlotsKeepTheirOwn)
{
    ExpertsOptions question;
    question.numbers = {{"gpus", 8}, {"tokens", 64}};
    question.slots = 2;
    const ExpertsDescriptor made = Make(question);
    ExpectParts(made.text, {"{type: micro-moe, slots: 2}", "{type: echo}"});
    ASSERT_EQ(made.notes.size(), 2U);
    ExpectParts(made.notes[0], {"with its own number of slots: echo: "});
    ExpectParts(made.notes[1], {"left out: external: "});
}

TEST_F(ExpertsDescriptorTest, ABudgetLeavesOutPoliciesThatHaveTooLittle)
{
    ExpertsOptions question;
    question.numbers = {{"gpus", 8}, {"tokens", 64}, {"layers", 1}};
    question.policies = {};
    question.budget = "26GB"; // homes: 32 experts of 793 MB
    const ExpertsDescriptor made = Make(question);
    ExpectParts(made.text, {"budget: 26GB", "{type: eplb}", "{type: ultra-ep}"});
    ASSERT_EQ(made.notes.size(), 3U);
    ExpectParts(made.notes[0], {"left out: external: "});
    ExpectParts(made.notes[1], {"left out: flex-moe: ", "together 26.2 GB"});
    ExpectParts(made.notes[2], {"left out: micro-moe: ", "together 26.2 GB"});
}

TEST_F(ExpertsDescriptorTest, LoadsAreWordsOrComponents)
{
    ExpertsOptions question;
    question.policies = {"plain-ep"};
    question.loads = {"W5", "zipf", "w2-corrected", "{type: synthetic, exponent: 0.7}"};
    ExpectParts(Make(question).text,
                {"{type: imbalance, workload: w5}",
                 "{type: synthetic, preset: zipf}",
                 "{type: imbalance, workload: w2-corrected}",
                 "{type: synthetic, exponent: 0.7}"});
}

TEST_F(ExpertsDescriptorTest, TraceSaysWhatNobodyElseHasSaid)
{
    const TemporaryFolder folder;
    ExpertsOptions question;
    question.trace = folder.Write("t.csv",
                                  "iteration,layer,microbatch,rank,e0,e1,e2,e3\n"
                                  "1,0,0,0,5,5,5,1\n1,0,0,1,8,4,4,0\n"
                                  "2,0,0,0,5,5,5,1\n2,0,0,1,8,4,4,0\n");
    question.policies = {"plain-ep"};
    ExpectParts(Make(question).text,
                {"experts: 4", "top_k: 2", "gpus: 2", "tokens: 8", "iterations: 2", "layers: 1"});
    EXPECT_EQ(Make(question).text.find("type: gpt"), std::string::npos);
    ASSERT_EQ(Make(question).notes.size(), 1U);
    ExpectParts(Make(question).notes.front(), {"deepseek-v3", "--model"});
    question.model = "mixtral-8x7b";
    EXPECT_TRUE(Make(question).notes.empty());
    question.model = "";
    question.numbers = {{"model.top_k", 1}, {"iterations", 1}};
    ExpectParts(Make(question).text, {"top_k: 1", "tokens: 16", "iterations: 1"});
}

TEST_F(ExpertsDescriptorTest, AModelIsATypeOrAComponent)
{
    ExpertsOptions question;
    question.policies = {"plain-ep"};
    question.model = "{type: qwen3-30b, layers: 4}";
    ExpectParts(Make(question).text, {"model: {type: qwen3-30b, layers: 4}"});
    question.numbers = {{"model.top_k", 4}};
    ExpectParts(Make(question).text, {"model: {type: qwen3-30b, layers: 4, top_k: 4}"});
    const TemporaryFolder folder;
    question.numbers = {};
    question.trace =
        folder.Write("t.csv", "iteration,layer,microbatch,rank,e0,e1\n1,0,0,0,5,5\n1,0,0,1,8,4\n");
    question.model = "{type: mixtral-8x7b, top_k: 1}";
    ExpectParts(Make(question).text, {"type: mixtral-8x7b, top_k: 1, experts: 2", "tokens: 12"});
}

TEST_F(ExpertsDescriptorTest, MistakesAreToldAsTheyAre)
{
    const auto getError = [](const ExpertsOptions& question) {
        try
        {
            Make(question);
        }
        catch (const DescriptorError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    ExpertsOptions question;
    question.policies = {"ultra"};
    ExpectParts(getError(question), {"unknown type 'ultra'", "ultra-ep"});
    question.policies = {};
    question.loads = {"zip"};
    ExpectParts(getError(question), {"--load: error: unknown load 'zip'"});
    question.loads = {"noaux"};
    ExpectParts(getError(question),
                {"unknown load 'noaux'; did you mean 'no-aux'?", "w7", "trace"});
    question.loads = {};
    question.model = "{type: qwen3-30b, layer: 4}";
    ExpectParts(getError(question), {"layer", "did you mean 'layers'?"});
    question.model = "{type: qwen3-30b, top_k: 2}";
    question.numbers = {{"model.top_k", 4}};
    ExpectParts(getError(question), {"--model: error: ", "top_k", "--top-k"});
    question.model = "{type: qwen3-30b";
    ExpectParts(getError(question), {"--model"});
    question.model = "";
    question.numbers = {};
    question.trace = "/nowhere.csv";
    ExpectParts(getError(question), {"--trace", "cannot be read"});
}

} // namespace ns3::rails
