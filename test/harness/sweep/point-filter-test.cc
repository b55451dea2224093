// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-fixture.h"

#include "ns3/rails-point-filter.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

class PointFilterTest : public ExperimentTest
{
  protected:
    /// \return the names of the points that are accepted, or why there are none
    static std::vector<std::string> Filter(const std::vector<std::string>& conditions)
    {
        const Descriptor descriptor =
            Read(kSmallDescriptor +
                 "sweep: {balance: [{type: rails, chunk: 1MB}, {type: rails, chunk: 2MB}, "
                 "even-split], seed: [1, 2]}\n");
        return Filter(descriptor, conditions);
    }

    static std::vector<std::string> Filter(const Descriptor& descriptor,
                                           const std::vector<std::string>& conditions)
    {
        PointFilter filter(conditions);
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            filter.Learn(descriptor.MakeExperiment(point));
        }
        std::vector<std::string> accepted;
        for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
        {
            if (filter.Accepts(descriptor.MakeExperiment(point)))
            {
                accepted.push_back(descriptor.GetPointName(point));
            }
        }
        return accepted.empty() ? std::vector<std::string>{filter.DescribeFailure()} : accepted;
    }

    static std::string GetFormError(const std::string& condition)
    {
        try
        {
            PointFilter({condition});
        }
        catch (const PlanError& error)
        {
            return error.what();
        }
        return "";
    }
};

using Names = std::vector<std::string>;

TEST_F(PointFilterTest, WithoutConditionsAllAreAccepted)
{
    EXPECT_TRUE(PointFilter({}).IsEmpty());
    EXPECT_EQ(Filter({}).size(), 6U);
}

TEST_F(PointFilterTest, TypeLabelAndEffectiveValueAreKnown)
{
    EXPECT_EQ(Filter({"balance=even-split"}),
              (Names{"balance=even-split,seed=1", "balance=even-split,seed=2"}));
    EXPECT_EQ(Filter({"balance=rails"}).size(), 4U) << "the type";
    EXPECT_EQ(Filter({"balance=rails+chunk-1MB"}).size(), 2U) << "the label";
    EXPECT_EQ(Filter({"balance.chunk=2MB"}).size(), 2U) << "a key inside";
    EXPECT_EQ(Filter({"transport.mtu=4096B"}).size(), 6U) << "a default";
    EXPECT_EQ(Filter({"topology.gpus_per_server=2"}).size(), 6U) << "another name of a key";
    EXPECT_EQ(Filter({"seed=2"}).size(), 3U);
    EXPECT_EQ(Filter({"record.links=true"}).size(), 6U);
    EXPECT_EQ(Filter({"record.messages=automatic"}).size(), 6U);
}

TEST_F(PointFilterTest, LabelIsKnownAsItIsWrittenAndAsTheFolderHasIt)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "sweep: {balance: [{type: rails, label: RailS 1}, even-split]}\n");
    for (const char* condition : {"balance=RailS 1", "balance=RailS-1", "balance=rails"})
    {
        EXPECT_TRUE(PointFilter({condition}).Accepts(descriptor.MakeExperiment(0))) << condition;
        EXPECT_FALSE(PointFilter({condition}).Accepts(descriptor.MakeExperiment(1))) << condition;
    }
}

TEST_F(PointFilterTest, ExactLabelWinsOverTheType)
{
    const Descriptor descriptor =
        Read(kSmallDescriptor + "sweep: {balance: [{type: rails, chunk: 1MB, label: rails 1}, "
                                "rails, {type: rails, chunk: 2MB, label: all of it}]}\n");
    EXPECT_EQ(Filter(descriptor, {"balance=rails"}), Names{"balance=rails"});
    EXPECT_EQ(Filter(descriptor, {"balance=rails 1"}), Names{"balance=rails-1"});
    EXPECT_EQ(Filter(descriptor, {"balance.type=rails"}).size(), 3U);
}

TEST_F(PointFilterTest, ValuesMayHaveTheBlanksThatTablesShow)
{
    EXPECT_EQ(Filter({"balance.chunk=2 MB"}).size(), 2U);
    EXPECT_EQ(Filter({"transport.mtu=4096 B"}).size(), 6U);
}

TEST_F(PointFilterTest, AllConditionsMustHold)
{
    EXPECT_EQ(Filter({"seed=2", "balance=even-split"}), Names{"balance=even-split,seed=2"});
    EXPECT_EQ(Filter({"seed=2", "seed=1"}),
              Names{"--where: error: no point has all these values together"});
}

TEST_F(PointFilterTest, PointsThatWereRunAreKnownByTheirResults)
{
    const nlohmann::json config = {{"balance", {{"type", "rails"}}},
                                   {"switch", {{"alpha", 1.0}, {"pfc", true}}},
                                   {"workload", {{"phases", {"dispatch", {{"compute", "2ms"}}}}}},
                                   {"list", nlohmann::json::array()}};
    for (const char* condition : {"balance=rails",
                                  "balance=rails 2",
                                  "balance.type=rails",
                                  "switch.alpha=1.0",
                                  "switch.pfc=true",
                                  "workload.phases.0=dispatch",
                                  "workload.phases.1.compute=2ms",
                                  "list=no items",
                                  "list=null"})
    {
        EXPECT_TRUE(PointFilter({condition})
                        .Accepts(config, {{"balance", "rails 2"}}, {{"list", "no items"}}))
            << condition;
    }
    for (const char* condition : {"balance.type=rails 2", "transport.mtu=1024B", "switch.alpha=1"})
    {
        EXPECT_FALSE(PointFilter({condition})
                         .Accepts(config, {{"balance", "rails 2"}}, {{"list", "no items"}}))
            << condition;
    }
}

TEST_F(PointFilterTest, NothingThatFitsIsExplained)
{
    const std::string unknown = Filter({"balanc=rails"}).front();
    EXPECT_EQ(
        unknown.find("--where balanc: error: no point has such a key; did you mean 'balance'?"),
        0U)
        << unknown;
    EXPECT_EQ(Filter({"seed=3"}),
              Names{"--where seed: error: no point has the value '3'; there are 1, 2"});
}

TEST_F(PointFilterTest, OtherFormsAreRefused)
{
    for (const char* condition : {"", "balance", "=rails", "balance="})
    {
        EXPECT_EQ(GetFormError(condition),
                  std::string("--where ") + condition +
                      ": error: expected KEY=VALUE, such as balance=rails");
    }
    EXPECT_EQ(GetFormError("key=a=b"), "");
}

} // namespace ns3::rails
