// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-maker.h"
#include "ns3/nstime.h"
#include "ns3/rails-error.h"
#include "ns3/rails-planner.h"
#include "ns3/scheduled-failure.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rails
{

namespace
{

TEST(ComponentMaker, TakesNamesWithTheNamespaceAndWithout)
{
    for (const char* type : {"RailsPlanner", "ns3::rails::RailsPlanner"})
    {
        const Ptr<Planner> planner = MakeComponent<Planner>(type);
        EXPECT_EQ(planner->GetInstanceTypeId(), RailsPlanner::GetTypeId());
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

} // namespace

} // namespace ns3::rails
