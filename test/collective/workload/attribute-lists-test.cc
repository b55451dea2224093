// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/number-list.h"
#include "ns3/phase-list.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(NumberList, ReadsWhatItWrites)
{
    const NumberListValue value(std::vector<double>{0.5, 0.1, 3});
    const auto checker = MakeNumberListChecker();
    EXPECT_EQ(value.SerializeToString(checker), "[0.5, 0.1, 3]");
    NumberListValue copy;
    ASSERT_TRUE(copy.DeserializeFromString("[0.5, 0.1, 3]", checker));
    EXPECT_EQ(copy.Get().Get(), value.Get().Get());
    EXPECT_EQ(NumberListValue().SerializeToString(checker), "[]");
    EXPECT_TRUE(copy.DeserializeFromString("[]", checker));
    EXPECT_TRUE(copy.Get().Get().empty());
}

TEST(NumberList, RefusesWhatIsNoNumber)
{
    NumberListValue value;
    EXPECT_FALSE(value.DeserializeFromString("[0.5, x]", MakeNumberListChecker()));
    EXPECT_FALSE(value.DeserializeFromString("[0.5,, 1]", MakeNumberListChecker()));
}

TEST(PhaseList, ReadsWhatItWrites)
{
    const auto checker = MakePhaseListChecker();
    const PhaseListValue value(PhaseList({{PhaseKind::Dispatch, 0},
                                          {PhaseKind::Compute, 2'000'000'000},
                                          {PhaseKind::Combine, 0},
                                          {PhaseKind::Gap, 1'500}}));
    const std::string text = "[dispatch, compute: 2ms, combine, gap: 1500ps]";
    EXPECT_EQ(value.SerializeToString(checker), text);
    PhaseListValue copy;
    ASSERT_TRUE(copy.DeserializeFromString(text, checker));
    EXPECT_EQ(copy.SerializeToString(checker), text);
    EXPECT_EQ(copy.Get().Get()[1].duration, 2'000'000'000);
}

TEST(PhaseList, RefusesUnknownPhasesAndMissingOrExcessTimes)
{
    const auto checker = MakePhaseListChecker();
    for (const char* text : {"[scatter]",
                             "[compute]",
                             "[compute: 5]",
                             "[gap: 5 weeks]",
                             "[dispatch: 1ms]",
                             "[compute: -1ms]",
                             "[compute: 99999999999999s]",
                             "[dispatch,]"})
    {
        PhaseListValue value;
        EXPECT_FALSE(value.DeserializeFromString(text, checker)) << text;
    }
}

TEST(PhaseList, KnowsItsNames)
{
    PhaseKind kind{};
    for (const std::string& name : Phase::GetKindNames())
    {
        ASSERT_TRUE(Phase::ParseKind(name, kind));
        EXPECT_EQ((Phase{kind, 0}).GetName(), name);
    }
    EXPECT_FALSE(Phase::ParseKind("Dispatch", kind));
}

} // namespace
