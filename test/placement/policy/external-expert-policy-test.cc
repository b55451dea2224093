// SPDX-License-Identifier: GPL-2.0-only
#include "history-fixture.h"

#include "ns3/external-expert-policy.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// What was asked of programs, and what they answer.
struct Script
{
    std::optional<ExpertPlacement> answer;
    std::vector<std::vector<std::vector<uint64_t>>> asked;
    uint32_t started{0};
};

/// Answers from a script.
class ScriptedPlanner : public ExternalPlanner
{
  public:
    explicit ScriptedPlanner(Script& script)
        : m_script(script)
    {
    }

    std::optional<ExpertPlacement> Place(uint32_t,
                                         const std::vector<std::vector<uint64_t>>& loads,
                                         const ExpertPlacement&) override
    {
        m_script.asked.push_back(loads);
        return m_script.answer;
    }

    uint64_t GetLines() const override
    {
        return m_script.asked.size() + 1;
    }

  private:
    Script& m_script;
};

/// Four GPUs in two servers with four experts, and a policy named mine.
class ExternalPolicyTest : public testing::Test
{
  protected:
    ExternalPolicyTest()
    {
        m_policy->SetAttribute("Name", StringValue("mine"));
        m_policy->SetAttribute("Period", UintegerValue(2));
        m_policy->SetAttribute("Window", UintegerValue(2));
        m_policy->SetMaker([this](const ExternalPolicySetting& setting) {
            ++m_script.started;
            m_told = setting;
            return std::make_unique<ScriptedPlanner>(m_script);
        });
    }

    /// \return what is said of an answer; empty when nothing is
    std::string Judge(ExpertPlacement answer)
    {
        m_script.answer = std::move(answer);
        m_policy->Start(m_setting);
        try
        {
            m_policy->BeginIteration(0, MakeHistory({1, 2, 3, 4}));
            return "";
        }
        catch (const ConfigurationError& error)
        {
            return error.what();
        }
    }

    ExpertSetting m_setting{MakeOneGroup(4, 2, 4)};
    Ptr<ExternalExpertPolicy> m_policy{CreateObject<ExternalExpertPolicy>()};
    Script m_script;
    ExternalPolicySetting m_told;
};

TEST_F(ExternalPolicyTest, IsAskedOnceInAPeriodWithLoadsThatAreOver)
{
    m_policy->Start(m_setting);
    LoadHistory history(4, 16);
    for (uint32_t iteration = 0; iteration < 4; ++iteration)
    {
        m_policy->BeginIteration(0, history);
        history.Add(DealLoads({iteration, 1, 1, 1}, 4));
        history.EndIteration();
    }
    using Loads = std::vector<std::vector<uint64_t>>;
    EXPECT_EQ(m_script.asked, (std::vector<Loads>{{{0, 1, 1, 1}}, {{2, 1, 1, 1}, {1, 1, 1, 1}}}));
    EXPECT_EQ(m_told.name, "mine");
    EXPECT_EQ(m_told.slots, 1U);
    EXPECT_EQ(m_told.inOrder.hosts, (std::vector<std::vector<uint32_t>>{{0}, {1}, {2}, {3}}));
    EXPECT_EQ(m_policy->GetPeriod(), 2U);
}

TEST_F(ExternalPolicyTest, NoProgramIsStartedBeforeItIsAskedAndOneAfterEachStart)
{
    m_policy->Check(m_setting);
    m_policy->Start(m_setting);
    m_policy->BeginIteration(0, LoadHistory(4, 16));
    EXPECT_EQ(m_script.started, 0U);
    m_policy->BeginIteration(0, MakeHistory({1, 2, 3, 4}));
    EXPECT_EQ(m_script.started, 1U);
    m_policy->Start(m_setting);
    m_policy->BeginIteration(0, MakeHistory({1, 2, 3, 4}));
    EXPECT_EQ(m_script.started, 2U);
}

TEST_F(ExternalPolicyTest, ExpertsMoveToWhereTheAnswerSays)
{
    m_script.answer = ExpertPlacement{{{0}, {1, 3}, {2}, {3}}};
    m_policy->Start(m_setting);
    const auto moves = m_policy->BeginIteration(0, MakeHistory({1, 2, 3, 4}));
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].expert, 1U);
    EXPECT_EQ(moves[0].from, 1U);
    EXPECT_EQ(moves[0].to, 3U);
    const PlanFigures figures = PlanFirstLayer(*m_policy, m_setting, DealLoads({8, 8, 8, 8}, 4));
    EXPECT_EQ(figures.loads, (std::vector<uint64_t>{8, 4, 8, 12}));
}

TEST_F(ExternalPolicyTest, SharesDivideTheTokensOfEachSource)
{
    m_script.answer = ExpertPlacement{{{0}, {1, 3}, {2}, {3, 0}}, {{1}, {3, 1}, {7}, {0, 1}}};
    m_policy->Start(m_setting);
    m_policy->BeginIteration(0, MakeHistory({1, 2, 3, 4}));
    const PlanFigures figures = PlanFirstLayer(*m_policy, m_setting, DealLoads({8, 32, 8, 8}, 4));
    EXPECT_EQ(figures.loads, (std::vector<uint64_t>{16, 24, 8, 8}));
}

TEST_F(ExternalPolicyTest, WithoutAnAnswerExpertsStay)
{
    m_policy->Start(m_setting);
    EXPECT_TRUE(m_policy->BeginIteration(0, MakeHistory({1, 2, 3, 4})).empty());
    EXPECT_EQ(m_policy->GetPlacement(0)->hosts, m_told.inOrder.hosts);
}

TEST_F(ExternalPolicyTest, WrongAnswersAreRejectedWithTheirPlace)
{
    const std::string place = "the external policy 'mine', layer 0, line ";
    const auto expect = [&](const ExpertPlacement& answer, const std::string& fault) {
        const std::string said = Judge(answer);
        EXPECT_EQ(said, place + std::to_string(m_script.asked.size() + 1) + ": " + fault);
    };
    expect({{{0}, {1}, {2}}}, "'placement' has 3 experts in place of 4");
    expect({{{0}, {1}, {}, {3}}}, "expert 2 has no GPU: the first of its list is its home");
    expect({{{0}, {4}, {2}, {3}}}, "expert 1 is on GPU 4; there are GPUs 0 to 3");
    expect({{{0}, {0}, {0}, {3}}},
           "GPU 0 would hold 3 experts and has room for 2: set slots, or place fewer there");
    expect({{{0}, {1}, {2}, {3}}, {{1}}}, "'shares' has 1 experts in place of 4");
    expect({{{0}, {1}, {2, 0}, {3}}, {{1}, {1}, {1}, {1}}}, "expert 2 has 1 shares for 2 replicas");
    expect({{{0}, {1}, {2}, {3}}, {{1}, {0}, {1}, {1}}},
           "expert 1 needs shares from 0 to 1024, one of them above 0");
    expect({{{0}, {1}, {2}, {3}}, {{1}, {1025}, {1}, {1}}},
           "expert 1 needs shares from 0 to 1024, one of them above 0");
    EXPECT_EQ(Judge({{{1, 0}, {1}, {2}, {3}}}), "");
}

TEST_F(ExternalPolicyTest, WithoutAProgramItSaysHowToGiveOne)
{
    m_policy->SetMaker(nullptr);
    const std::string said = Judge({});
    EXPECT_EQ(said,
              "the external policy 'mine': no program is given for it: say which one it is, as in "
              "--policy-command mine=\"python3 mine.py\"");
}

TEST_F(ExternalPolicyTest, NeedsAName)
{
    for (const std::string name : {"", "a b", "a=b", "a/b"})
    {
        m_policy->SetAttribute("Name", StringValue(name));
        try
        {
            m_policy->Check(m_setting);
            ADD_FAILURE() << name;
        }
        catch (const ConfigurationError& error)
        {
            EXPECT_EQ(error.GetKey(), "name");
        }
    }
}

} // namespace

} // namespace ns3::rails::test
