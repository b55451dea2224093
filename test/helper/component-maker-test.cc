// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-maker.h"
#include "ns3/nstime.h"
#include "ns3/rails-balancer.h"
#include "ns3/rails-error.h"
#include "ns3/scheduled-failure.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

TEST(ComponentMaker, TakesNamesWithTheNamespaceAndWithout)
{
    for (const char* type : {"RailsBalancer", "ns3::rails::RailsBalancer"})
    {
        const Ptr<Balancer> balancer = MakeComponent<Balancer>(type);
        EXPECT_EQ(balancer->GetInstanceTypeId(), RailsBalancer::GetTypeId());
    }
}

TEST(ComponentMaker, SetsAttributes)
{
    const Ptr<ScheduledFailure> failure =
        MakeComponent<ScheduledFailure>("ScheduledFailure",
                                        "At",
                                        TimeValue(MicroSeconds(3)),
                                        "Gpu",
                                        UintegerValue(7),
                                        "State",
                                        StringValue("down"));
    EXPECT_EQ(failure->Get().at, 3'000'000);
    EXPECT_EQ(failure->Get().number, 7U);
}

TEST(ComponentMaker, RefusesAttributesThatContradictEachOther)
{
    EXPECT_THROW(MakeComponent<ScheduledFailure>("ScheduledFailure",
                                                 "At",
                                                 TimeValue(MicroSeconds(3)),
                                                 "Gpu",
                                                 UintegerValue(7),
                                                 "Server",
                                                 UintegerValue(1),
                                                 "State",
                                                 StringValue("down")),
                 ConfigurationError);
}

/// \return the first words of the error that a call throws, as many letters as expected
template <typename Function>
std::string
GetError(Function function, const std::string& expected)
{
    try
    {
        function();
    }
    catch (const ConfigurationError& error)
    {
        return std::string(error.what()).substr(0, expected.size());
    }
    return "";
}

TEST(ComponentMaker, NamesTheNearestClassOfTheKind)
{
    std::string error = "unknown class 'RailBalancer'; did you mean 'RailsBalancer'? Known: ";
    EXPECT_EQ(GetError([] { MakeComponent<Balancer>("RailBalancer"); }, error), error);
    error = "class 'AllToAllWorkload' is no ns3::rails::Balancer that can be created; ";
    EXPECT_EQ(GetError([] { MakeComponent<Balancer>("AllToAllWorkload"); }, error), error);
    error = "class 'RowBalancer' is no ns3::rails::Balancer that can be created; ";
    EXPECT_EQ(GetError([] { MakeComponent<Balancer>("RowBalancer"); }, error), error);
}

TEST(ComponentMaker, NamesTheNearestAttribute)
{
    const std::string error =
        "class 'ScheduledFailure' has no attribute 'Stat'; did you mean 'State'? Known: ";
    const auto make = [] {
        MakeComponent<ScheduledFailure>("ScheduledFailure", "Stat", StringValue("up"));
    };
    EXPECT_EQ(GetError(make, error), error);
}

TEST(ComponentMaker, SaysWhatAnAttributeTakes)
{
    const std::string error =
        "attribute 'At' of class 'ScheduledFailure' does not take this value: it takes ";
    const auto make = [] {
        MakeComponent<ScheduledFailure>("ScheduledFailure", "At", TimeValue(MicroSeconds(-3)));
    };
    EXPECT_EQ(GetError(make, error), error);
}

} // namespace

} // namespace ns3::rails
