// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-maker.h"
#include "ns3/eplb-expert-policy.h"
#include "ns3/expert-policy.h"
#include "ns3/planning-times.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

/// A table of planning times.
class PlanningTimesTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_setting.experts = 16;
        m_setting.cluster.gpus = 8;
        m_policy->SetAttribute("Slots", UintegerValue(2));
        m_policy->SetAttribute("PlanningTime", StringValue("3us"));
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    PlanningRule Write(const std::string& rows)
    {
        std::ofstream(m_path) << "policy,experts,gpus,planning_ns,measured_on\n" << rows;
        return {"planning", {}, "planning_path", m_path};
    }

    /// \return what is wrong, with the key that is blamed
    std::string FindFault(const PlanningRule& rule)
    {
        try
        {
            ChargePlanning(rule, *m_policy, m_setting);
            return "";
        }
        catch (const ConfigurationError& error)
        {
            return error.GetKey() + ": " + error.what();
        }
    }

    std::string m_path{testing::TempDir() + "planning-times-test.csv"};
    Ptr<ExpertPolicy> m_policy{CreateObject<EplbExpertPolicy>()};
    ExpertSetting m_setting;
};

TEST_F(PlanningTimesTest, APolicyIsKnownByTheKeysThatAreNotAsByDefault)
{
    EXPECT_EQ(DescribePolicy(*m_policy), "eplb slots=2");
    m_policy->SetAttribute("Mode", StringValue("global"));
    m_policy->SetAttribute("Period", UintegerValue(7));
    EXPECT_EQ(DescribePolicy(*m_policy), "eplb mode=global slots=2 period=7");
    EXPECT_EQ(DescribePolicy(*MakeComponent<ExpertPolicy>("PlainEpExpertPolicy")), "plain-ep");
}

TEST_F(PlanningTimesTest, ATimeIsOfThePolicyAndOfItsExpertsAndGpus)
{
    const PlanningRule rule = Write("eplb slots=2,16,4,1000,a\n"
                                    "eplb,16,8,2000,b\n"
                                    "eplb slots=2,16,8,3500,an EPYC on 2026-11-30\n"
                                    "eplb slots=2,32,8,4000,c\n");
    const auto charge = ChargePlanning(rule, *m_policy, m_setting);
    ASSERT_TRUE(charge);
    EXPECT_DOUBLE_EQ(charge->seconds, 3.5e-6);
    EXPECT_EQ(charge->rule, "as measured on an EPYC on 2026-11-30");
}

TEST_F(PlanningTimesTest, WhatIsNotInTheTableIsNotGuessed)
{
    EXPECT_EQ(FindFault(Write("eplb slots=2,16,4,1000,a\n")),
              "planning_path: " + m_path +
                  ": no planning time of 'eplb slots=2' with 16 experts on 8 GPUs; it has those of "
                  "16 experts on 4 GPUs: let ./rails experts measure it there, and ./rails index "
                  "DIR --planning FILE write it");
    EXPECT_NE(FindFault(Write("eplb slots=2,16,8,1,a\neplb slots=2,16,8,2,a\n")), "");
    EXPECT_NE(FindFault(Write("eplb slots=2,16,8,1\n")), "");
    PlanningRule both = Write("eplb slots=2,16,8,1,a\n");
    EXPECT_EQ(FindFault(both), "");
    both.seconds = 1e-3;
    EXPECT_NE(FindFault(both).find("not beside planning"), std::string::npos);
    std::ofstream(m_path) << "policy,gpus\n";
    EXPECT_NE(FindFault({"planning", {}, "planning_path", m_path}).find("expected the columns"),
              std::string::npos);
}

TEST_F(PlanningTimesTest, WhoPlansNothingIsNotLookedFor)
{
    const PlanningRule rule = Write("eplb slots=2,16,8,1000,a\n");
    EXPECT_FALSE(
        ChargePlanning(rule, *MakeComponent<ExpertPolicy>("PlainEpExpertPolicy"), m_setting));
    EXPECT_FALSE(ChargePlanning({"planning", {}, "planning_path", {}}, *m_policy, m_setting));
}

} // namespace

} // namespace ns3::rails
