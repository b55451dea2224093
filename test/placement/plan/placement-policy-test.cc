// SPDX-License-Identifier: GPL-2.0-only

// What a policy knows is a matter of the class that it derives from, whatever it says itself.

#include "../policy/history-fixture.h"
#include "../policy/policy-fixtures.h"

#include "ns3/eplb-expert-policy.h"
#include "ns3/local-policy.h"
#include "ns3/placement-policy.h"
#include "ns3/runtime-policy.h"
#include "ns3/shadow-policy.h"
#include "ns3/token-routing.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Says that it knows nothing.
template <typename Base>
class Modest : public Base
{
  public:
    // NOLINTNEXTLINE: a user might write this
    ExpertKnowledge GetKnowledge() const
    {
        return ExpertKnowledge::Nothing;
    }
};

class OwnRuntime : public Modest<RuntimePolicy>
{
    ExpertPlan DoPlan(uint32_t, const TokenCounts&) override
    {
        return {};
    }
};

class OwnPlacement : public Modest<PlacementPolicy>
{
    std::optional<ExpertPlacement> Place(uint32_t, const LoadHistory&) override
    {
        return std::nullopt;
    }
};

class OwnShadow : public Modest<ShadowPolicy>
{
    std::vector<ExpertShadow> Choose(const TokenCounts&) const override
    {
        return {};
    }
};

/// Derives from none of the classes that say what it knows.
class OwnClass : public Modest<ExpertPolicy>
{
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t, const LoadHistory&) override
    {
        return {};
    }

    ExpertPlan DoPlan(uint32_t, const TokenCounts&) override
    {
        return {};
    }
};

static_assert(!std::is_default_constructible_v<OwnClass>);

template <typename Policy>
ExpertKnowledge
AskBase()
{
    const Ptr<ExpertPolicy> policy = CreateObject<Policy>();
    return policy->GetKnowledge();
}

TEST(ExpertKnowledge, IsThatOfTheClassWhateverATypeSays)
{
    EXPECT_EQ(AskBase<OwnRuntime>(), ExpertKnowledge::Counts);
    EXPECT_EQ(AskBase<OwnPlacement>(), ExpertKnowledge::Past);
    EXPECT_EQ(AskBase<OwnShadow>(), ExpertKnowledge::Forecast);
}

TEST(ExpertKnowledge, OfPlainExpertParallelismIsNothing)
{
    for (const std::string type : {"PlainEp", "DeepspeedMoe"})
    {
        const Ptr<ExpertPolicy> policy = MakePolicy(type);
        EXPECT_EQ(policy->GetKnowledge(), ExpertKnowledge::Nothing);
        EXPECT_TRUE(DynamicCast<LocalPolicy>(policy)) << type;
    }
}

/// EPLB whose sources take the nearest replicas. It writes down whose tokens it was shown.
class NearEplb : public EplbExpertPolicy
{
  public:
    mutable std::vector<std::pair<uint32_t, std::vector<uint32_t>>> shown;

  private:
    std::vector<TokenRoute> Route(const SourceCounts& own,
                                  const ExpertPlacement& placement) const override
    {
        shown.emplace_back(own.GetSource(), std::vector<uint32_t>());
        for (uint32_t expert = 0; expert < own.GetExperts(); ++expert)
        {
            shown.back().second.push_back(own.Get(expert));
        }
        std::vector<TokenRoute> routes;
        RouteToNearest(own, placement, GetSetting().cluster, routes);
        return routes;
    }
};

/// \return a near EPLB that has placed experts by loads
Ptr<NearEplb>
PlaceNear(const ExpertSetting& setting, const TokenCounts& counts)
{
    const auto policy = CreateObject<NearEplb>();
    policy->SetAttribute("Slots", UintegerValue(1));
    policy->Start(setting);
    policy->BeginIteration(0, MakeHistory(counts));
    return policy;
}

TEST(PlacementPolicy, ASourceRoutesByItsOwnTokensAlone)
{
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    TokenCounts counts(4, 4);
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, 10 + source);
        counts.Set(source, source, 30 + source);
    }
    const auto policy = PlaceNear(setting, counts);
    const ExpertPlan plan = policy->Plan(0, counts);
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    ASSERT_EQ(policy->shown.size(), 4U);
    for (uint32_t source = 0; source < 4; ++source)
    {
        EXPECT_EQ(policy->shown[source].first, source);
        for (uint32_t expert = 0; expert < 4; ++expert)
        {
            EXPECT_EQ(policy->shown[source].second[expert], counts.Get(source, expert));
        }
    }
    // With other counts of the others a source does the same.
    TokenCounts other = counts;
    other.Set(3, 1, 500);
    const ExpertPlan changed = policy->Plan(0, other);
    const auto listOf = [](const ExpertPlan& made, uint32_t source) {
        std::vector<std::vector<uint32_t>> routes;
        for (const TokenRoute& route : made.routes)
        {
            if (route.source == source)
            {
                routes.push_back({route.expert, route.host, route.tokens});
            }
        }
        return routes;
    };
    for (uint32_t source = 0; source < 3; ++source)
    {
        EXPECT_EQ(listOf(changed, source), listOf(plan, source));
    }
}

TEST(PlacementPolicy, SourcesCanTakeTheNearestReplica)
{
    // Expert 0 is hot and fills two of the eight slots at least, in both servers.
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    TokenCounts counts(4, 4);
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, 60);
        counts.Set(source, 1 + source % 3, 10);
    }
    const auto policy = PlaceNear(setting, counts);
    const ExpertPlan near = policy->Plan(0, counts);
    EXPECT_EQ(FindDefect(setting, counts, near), "");
    ExpertPlan even = near;
    even.routes = RouteEvenly(counts, *near.placement);
    const PlanFigures nearly = FindFigures(setting, counts, near);
    const PlanFigures evenly = FindFigures(setting, counts, even);
    EXPECT_LT(nearly.tokens.across, evenly.tokens.across);
    EXPECT_GT(nearly.localTokens, evenly.localTokens);
    for (const TokenRoute& route : near.routes)
    {
        const bool isHere = near.placement->Holds(route.expert, route.source);
        EXPECT_TRUE(!isHere || route.host == route.source);
    }
}

TEST(PlacementPolicy, DealsEvenlyUnlessToldOtherwise)
{
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    TokenCounts counts(4, 4, {9, 1, 5, 0, 7, 2, 2, 2, 11, 0, 0, 3, 5, 5, 5, 5});
    const Ptr<ExpertPolicy> policy = MakePolicy("Eplb", {{"Slots", "1"}});
    policy->Start(setting);
    policy->BeginIteration(0, MakeHistory(counts));
    const ExpertPlan plan = policy->Plan(0, counts);
    const auto routes = RouteEvenly(counts, *plan.placement);
    ASSERT_EQ(plan.routes.size(), routes.size());
    for (std::size_t i = 0; i < routes.size(); ++i)
    {
        EXPECT_EQ(plan.routes[i].source, routes[i].source) << i;
        EXPECT_EQ(plan.routes[i].expert, routes[i].expert) << i;
        EXPECT_EQ(plan.routes[i].host, routes[i].host) << i;
        EXPECT_EQ(plan.routes[i].tokens, routes[i].tokens) << i;
    }
}

/// Places experts as it is told.
class ToldPlacement : public PlacementPolicy
{
  public:
    ExpertPlacement told;

  private:
    std::optional<ExpertPlacement> Place(uint32_t, const LoadHistory&) override
    {
        return told;
    }
};

TEST(PlacementPolicy, APlacementThatCannotBeIsRejected)
{
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    const LoadHistory history = MakeHistory({1, 2, 3, 4});
    for (const ExpertPlacement& wrong : {ExpertPlacement{{{0}, {1}, {2}}},
                                         ExpertPlacement{{{0}, {1}, {2}, {4}}},
                                         ExpertPlacement{{{0}, {1}, {}, {3}}},
                                         ExpertPlacement{{{0}, {1}, {2}, {3}}, {{1}}}})
    {
        const auto policy = CreateObject<ToldPlacement>();
        policy->told = wrong;
        policy->Start(setting);
        EXPECT_THROW(policy->BeginIteration(0, history), std::logic_error);
    }
}

TEST(PlacementPolicy, SharesDivideWhatASourceHas)
{
    const auto policy = CreateObject<ToldPlacement>();
    policy->told = {{{0}, {1, 3}, {2}, {3, 0}}, {{1}, {3, 1}, {7}, {0, 1}}};
    const ExpertSetting setting = MakeOneGroup(4, 2, 4);
    policy->Start(setting);
    policy->BeginIteration(0, MakeHistory({1, 2, 3, 4}));
    const PlanFigures figures = PlanFirstLayer(*policy, setting, DealLoads({8, 32, 8, 8}, 4));
    EXPECT_EQ(figures.loads, (std::vector<uint64_t>{16, 24, 8, 8}));
}

} // namespace

} // namespace ns3::rails::test
