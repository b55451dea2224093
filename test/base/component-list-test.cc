// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-list.h"
#include "ns3/component-maker.h"
#include "ns3/rails-workload.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"
#include "ns3/workload-phase.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Phases = std::vector<Ptr<WorkloadPhase>>;

const Ptr<const AttributeChecker> kChecker = MakeComponentListChecker<WorkloadPhase>("phase");

TEST(ComponentList, IsReadFromWhatFactoriesRead)
{
    ComponentListValue value;
    ASSERT_TRUE(value.DeserializeFromString(
        " ns3::rails::DispatchWorkloadPhase; ns3::rails::GapWorkloadPhase[Duration=5us]",
        kChecker));
    Phases phases;
    ASSERT_TRUE(value.GetAccessor(phases));
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_EQ(phases[0]->Get().kind, PhaseKind::Dispatch);
    EXPECT_EQ(phases[1]->Get().kind, PhaseKind::Gap);
    EXPECT_EQ(phases[1]->Get().duration, 5'000'000);
    EXPECT_EQ(value.SerializeToString(kChecker),
              "ns3::rails::DispatchWorkloadPhase; ns3::rails::GapWorkloadPhase");
    ASSERT_TRUE(value.DeserializeFromString("", kChecker));
    EXPECT_TRUE(value.GetEntries().empty());
}

TEST(ComponentList, RefusesTextOfNoComponents)
{
    for (const char* text : {"ns3::rails::NoSuchPhase",
                             "ns3::rails::WorkloadPhase",
                             "ns3::rails::GapWorkloadPhase[Length=5us]",
                             "ns3::rails::GapWorkloadPhase;",
                             "dispatch"})
    {
        ComponentListValue value;
        EXPECT_FALSE(value.DeserializeFromString(text, kChecker)) << text;
    }
}

TEST(ComponentList, CheckerLooksAtClassesAndNames)
{
    const auto named = MakeComponentListChecker<WorkloadPhase>("phase", true);
    ComponentListValue list;
    EXPECT_TRUE(kChecker->Check(list));
    EXPECT_TRUE(named->Check(list));
    list.Add("", CreateObject<DispatchWorkloadPhase>());
    EXPECT_TRUE(kChecker->Check(list));
    EXPECT_FALSE(named->Check(list));
    ComponentListValue map;
    map.Add("first", CreateObject<DispatchWorkloadPhase>());
    EXPECT_FALSE(kChecker->Check(map));
    EXPECT_TRUE(named->Check(map));
    list.Add("", MakeComponent<Workload>("AllToAllWorkload"));
    EXPECT_FALSE(kChecker->Check(list));
    Phases phases;
    EXPECT_FALSE(list.GetAccessor(phases));
    ComponentListValue none;
    none.Add("", nullptr);
    EXPECT_FALSE(kChecker->Check(none));
    EXPECT_FALSE(kChecker->Check(UintegerValue(1)));
}

TEST(ComponentList, OwnersHoldPointersOrPairsWithNames)
{
    const Ptr<WorkloadPhase> phase = CreateObject<CombineWorkloadPhase>();
    const std::vector<std::pair<std::string, Ptr<WorkloadPhase>>> owned{{"b", phase}, {"a", phase}};
    const ComponentListValue value(owned);
    EXPECT_EQ(value.SerializeToString(kChecker),
              "b=ns3::rails::CombineWorkloadPhase; a=ns3::rails::CombineWorkloadPhase");
    std::vector<std::pair<std::string, Ptr<WorkloadPhase>>> read;
    ASSERT_TRUE(value.GetAccessor(read));
    EXPECT_EQ(read, owned);
    EXPECT_EQ(ComponentListValue(Phases{phase}).GetEntries().front().component, phase);
}

} // namespace

} // namespace ns3::rails
