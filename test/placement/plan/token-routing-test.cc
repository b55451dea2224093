// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/plan-figures.h"
#include "ns3/token-routing.h"

#include <gtest/gtest.h>
#include <memory>

namespace ns3::rails::test
{

namespace
{

/// Four GPUs in two servers with an expert each.
ExpertSetting
MakeTokenRoutingSetting()
{
    ExpertSetting setting;
    setting.cluster.gpus = 4;
    setting.cluster.gpusPerServer = 2;
    setting.expertParallel = 4;
    setting.experts = 4;
    setting.tokenBytes = 10;
    setting.weightBytes = 1000;
    setting.gradientBytes = 2000;
    return setting;
}

/// \return tokens that a host computes
uint64_t
GetLoad(const std::vector<TokenRoute>& routes, uint32_t host)
{
    uint64_t tokens = 0;
    for (const TokenRoute& route : routes)
    {
        tokens += route.host == host ? route.tokens : 0;
    }
    return tokens;
}

TEST(TokenRouting, NearFirstKeepsTokensOnTheirGpuAsFarAsItsShareReaches)
{
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 10);
    counts.Set(1, 0, 30);
    const ExpertQuota quota{{{0, 25}, {1, 15}}, {}, {}, {}};
    const std::vector<TokenRoute> routes =
        RouteNearFirst(counts, quota, MakeTokenRoutingSetting().cluster, RoutingLocality::Gpu);
    ASSERT_EQ(routes.size(), 3U);
    EXPECT_EQ(routes[0].tokens, 10U); // 0 to itself
    EXPECT_EQ(routes[1].host, 0U);    // what 1 has too much
    EXPECT_EQ(routes[1].tokens, 15U);
    EXPECT_EQ(routes[2].host, 1U);
    EXPECT_EQ(routes[2].tokens, 15U);
}

TEST(TokenRouting, ServerComesBeforeFartherHostsWhenAsked)
{
    TokenCounts counts(4, 4);
    counts.Set(2, 0, 10);
    counts.Set(3, 0, 10);
    const ExpertQuota quota{{{0, 10}, {3, 10}}, {}, {}, {}};
    const ClusterView cluster = MakeTokenRoutingSetting().cluster;
    const auto byServer = RouteNearFirst(counts, quota, cluster, RoutingLocality::Server);
    ASSERT_EQ(byServer.size(), 2U);
    EXPECT_EQ(byServer[0].host, 0U); // GPU 3 takes its own, so 2 goes far
    EXPECT_EQ(byServer[1].host, 3U);
    counts.Set(3, 0, 0);
    counts.Set(2, 0, 20);
    const auto split = RouteNearFirst(counts, quota, cluster, RoutingLocality::Server);
    ASSERT_EQ(split.size(), 2U);
    EXPECT_EQ(GetLoad(split, 3), 10U);
}

TEST(TokenRouting, InOrderNumbersTokensSourceBySource)
{
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 10);
    counts.Set(1, 0, 10);
    const auto routes = RouteInOrder(counts, {{{3, 15}, {0, 5}}, {}, {}, {}});
    ASSERT_EQ(routes.size(), 3U);
    EXPECT_EQ(routes[0].host, 3U);
    EXPECT_EQ(routes[1].host, 3U);
    EXPECT_EQ(routes[1].tokens, 5U);
    EXPECT_EQ(routes[2].host, 0U);
}

TEST(TokenRouting, EvenDealsToTheToken)
{
    TokenCounts counts(4, 4);
    for (uint32_t source = 0; source < 4; ++source)
    {
        counts.Set(source, 0, 5);
    }
    ExpertPlacement placement = ExpertPlacement::InOrder(MakeTokenRoutingSetting());
    placement.hosts[0] = {0, 1};
    const auto routes = RouteEvenly(counts, placement);
    EXPECT_EQ(GetLoad(routes, 0), 10U);
    EXPECT_EQ(GetLoad(routes, 1), 10U);
}

TEST(TokenRouting, TwoSlotsOfAGpuTakeTwoShares)
{
    TokenCounts counts(4, 4);
    counts.Set(1, 0, 9);
    ExpertPlacement placement = ExpertPlacement::InOrder(MakeTokenRoutingSetting());
    placement.hosts[0] = {2, 0, 2};
    const auto routes = RouteEvenly(counts, placement);
    ASSERT_EQ(routes.size(), 2U);
    EXPECT_EQ(GetLoad(routes, 0), 3U);
    EXPECT_EQ(GetLoad(routes, 2), 6U);
    const auto transfers = FindSynchronisation(MakeTokenRoutingSetting(), placement);
    ASSERT_EQ(transfers.size(), 2U) << "GPU 2 holds it once";
    EXPECT_EQ(transfers[0].from, 0U);
    EXPECT_EQ(transfers[0].to, 2U);
    EXPECT_EQ(transfers[0].bytes, 1500U); // half of gradients and parameters
    EXPECT_EQ(transfers[1].from, 2U);
    EXPECT_EQ(transfers[1].bytes, 1500U);
}

TEST(TokenRouting, TheNearestAreOnTheGpuElseInItsServerElseAll)
{
    const ExpertSetting setting = MakeTokenRoutingSetting();
    ExpertPlacement placement = ExpertPlacement::InOrder(setting);
    placement.hosts = {{1, 0, 1}, {2, 3}, {1, 3, 2}, {0}};
    TokenCounts counts(4, 4);
    const auto route = [&](uint32_t source, uint32_t expert) {
        counts.Set(source, expert, 9);
        std::vector<TokenRoute> routes;
        RouteToNearest({counts, source}, placement, setting.cluster, routes);
        counts.Set(source, expert, 0);
        std::vector<uint64_t> loads;
        for (uint32_t host = 0; host < 4; ++host)
        {
            loads.push_back(GetLoad(routes, host));
        }
        return loads;
    };
    using Loads = std::vector<uint64_t>;
    EXPECT_EQ(route(1, 0), (Loads{0, 9, 0, 0})) << "two slots of its own";
    EXPECT_EQ(route(2, 0), (Loads{3, 6, 0, 0})) << "none in its server";
    EXPECT_EQ(route(0, 2), (Loads{0, 9, 0, 0}));
    EXPECT_EQ(route(3, 1), (Loads{0, 0, 0, 9}));
    EXPECT_EQ(route(0, 3), (Loads{9, 0, 0, 0}));
}

TEST(TokenRouting, ReplicasAreBroughtUpToDateOnARingInTheOrderOfServers)
{
    // Of two servers with two GPUs each a ring crosses twice, whichever of them is the home.
    ExpertSetting setting = MakeTokenRoutingSetting();
    ExpertPlacement placement = ExpertPlacement::InOrder(setting);
    placement.hosts[0] = {2, 0, 3, 1};
    MovedBytes moved = AddUp(setting.cluster, FindSynchronisation(setting, placement));
    EXPECT_EQ(moved.inside, 2 * 3000U * 3 / 4);
    EXPECT_EQ(moved.across, 2 * 3000U * 3 / 4);
    placement.hosts[0] = {3, 2};
    moved = AddUp(setting.cluster, FindSynchronisation(setting, placement));
    EXPECT_EQ(moved.inside, 3000U);
    EXPECT_EQ(moved.across, 0U);
    // Parts that are uneven: of 1000 B 334, 333 and 333, of 2000 B 667, 667 and 666.
    placement.hosts[0] = {0, 1, 2};
    const auto transfers = FindSynchronisation(setting, placement);
    ASSERT_EQ(transfers.size(), 3U);
    EXPECT_EQ(transfers[0].bytes, 3000U - 333 - 667);
    EXPECT_EQ(transfers[1].bytes, 3000U - 333 - 666);
    EXPECT_EQ(transfers[2].bytes, 3000U - 334 - 667);
    placement.hosts[0] = {0};
    EXPECT_TRUE(FindSynchronisation(setting, placement).empty());
}

TEST(TokenRouting, GroupsKeepToThemselves)
{
    ExpertSetting setting = MakeTokenRoutingSetting();
    setting.expertParallel = 2;
    TokenCounts counts(4, 4, std::vector<uint32_t>(16, 1));
    for (const TokenRoute& route : RouteInGroups(counts, setting))
    {
        EXPECT_EQ(route.source / 2, route.host / 2);
        EXPECT_EQ(route.expert / 2, route.host % 2);
    }
}

TEST(PlanFigures, BytesGoInsideAndAcross)
{
    const ExpertSetting setting = MakeTokenRoutingSetting();
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 6);
    counts.Set(1, 0, 3);
    ExpertPlan plan;
    plan.placement = std::make_shared<ExpertPlacement>(ExpertPlacement::InOrder(setting));
    plan.routes = {{0, 0, 0, 2}, {0, 0, 1, 1}, {0, 0, 3, 3}, {1, 0, 0, 3}};
    AddCopies(setting, plan);
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    const PlanFigures figures = FindFigures(setting, counts, plan);
    EXPECT_EQ(figures.copies, 2U);
    EXPECT_EQ(figures.mostCopies, 2U);
    EXPECT_EQ(figures.weights.inside, 1000U);
    EXPECT_EQ(figures.weights.across, 1000U);
    EXPECT_EQ(figures.gradients.GetSum(), 4000U);
    EXPECT_EQ(figures.tokens.inside, 4U * 4 * 10);
    EXPECT_EQ(figures.tokens.across, 4U * 3 * 10);
    EXPECT_EQ(figures.localTokens, 2U);
    EXPECT_DOUBLE_EQ(figures.maxOverMean, 5 / 2.25);
}

TEST(PlanFigures, DefectsAreFound)
{
    const ExpertSetting setting = MakeTokenRoutingSetting();
    TokenCounts counts(4, 4);
    counts.Set(0, 0, 6);
    ExpertPlan plan;
    plan.placement = std::make_shared<ExpertPlacement>(ExpertPlacement::InOrder(setting));
    plan.routes = {{0, 0, 1, 6}};
    EXPECT_NE(FindDefect(setting, counts, plan).find("does not have it"), std::string::npos);
    plan.routes = {{0, 0, 0, 5}};
    EXPECT_NE(FindDefect(setting, counts, plan).find("became 5"), std::string::npos);
    plan.dropped = 1;
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    plan.dropped = 2;
    EXPECT_NE(FindDefect(setting, counts, plan).find("are said to be dropped"), std::string::npos);
}

} // namespace

} // namespace ns3::rails::test
