// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-fixtures.h"

#include "ns3/circuit-planner.h"

#include <gtest/gtest.h>
#include <limits>

namespace ns3::rails::test
{

namespace
{

/// The best that can be done, by trying everything.
struct Best
{
    uint64_t bytes{0};                                  //!< of pairs with a circuit
    double slowest{std::numeric_limits<double>::max()}; //!< bytes per circuit, of them
};

/// Tries all numbers of circuits of a pair and of those after it.
void
TryAll(const CircuitDemand& demand,
       std::vector<uint32_t>& ports,
       uint32_t one,
       uint32_t other,
       uint64_t bytes,
       double slowest,
       Best& best)
{
    if (other == demand.GetServers())
    {
        ++one;
        other = one + 1;
    }
    if (other >= demand.GetServers())
    {
        if (bytes > best.bytes || (bytes == best.bytes && slowest < best.slowest))
        {
            best = {bytes, slowest};
        }
        return;
    }
    const uint64_t pair = demand.GetPairBytes(one, other);
    const uint32_t most = pair > 0 ? std::min(ports[one], ports[other]) : 0;
    for (uint32_t circuits = 0; circuits <= most; ++circuits)
    {
        ports[one] -= circuits;
        ports[other] -= circuits;
        const double time = circuits > 0 ? static_cast<double>(pair) / circuits : 0;
        TryAll(demand,
               ports,
               one,
               other + 1,
               bytes + (circuits > 0 ? pair : 0),
               std::max(slowest, time),
               best);
        ports[one] += circuits;
        ports[other] += circuits;
    }
}

Best
FindBest(const CircuitDemand& demand, std::vector<uint32_t> ports)
{
    Best best;
    TryAll(demand, ports, 0, 1, 0, 0, best);
    return best;
}

Best
Measure(const CircuitMap& circuits, const CircuitDemand& demand)
{
    Best found{0, 0};
    for (uint32_t one = 0; one < demand.GetServers(); ++one)
    {
        for (uint32_t other = one + 1; other < demand.GetServers(); ++other)
        {
            const uint32_t count = circuits.Count(one, other);
            const uint64_t pair = demand.GetPairBytes(one, other);
            found.bytes += count > 0 ? pair : 0;
            found.slowest =
                std::max(found.slowest, count > 0 ? static_cast<double>(pair) / count : 0);
        }
    }
    return found;
}

TEST(ExactCircuitPlanner, IsTheBestOfAllInSmallRegions)
{
    for (uint32_t seed = 0; seed < 60; ++seed)
    {
        const uint32_t servers = 3 + seed % 3;
        const CircuitDemand demand = DrawDemand(servers, 0.1 * (seed % 5), seed);
        CircuitRegion region = MakeRegion(servers, servers == 5 ? 2 : 1 + seed / 3 % 4);
        region.ports[seed % servers] = seed % 4;
        const Best best = FindBest(demand, region.ports);
        const Best found = Measure(PlanCircuits("exact", region, demand), demand);
        EXPECT_EQ(found.bytes, best.bytes) << "seed " << seed;
        if (best.bytes > 0)
        {
            EXPECT_DOUBLE_EQ(found.slowest, best.slowest) << "seed " << seed;
        }
    }
}

TEST(ExactCircuitPlanner, ServesAtLeastWhatGreedyDoesAndAtMostTheBound)
{
    uint32_t better = 0;
    uint32_t below = 0;
    for (uint32_t seed = 0; seed < 100; ++seed)
    {
        const uint32_t servers = 4 + seed % 9;
        const CircuitRegion region = MakeRegion(servers, 1 + seed % 6);
        const CircuitDemand demand = DrawDemand(servers, 0.1 * (seed % 4), seed);
        const auto serve = [&](const char* planner) {
            return CountServedBytes(MakePlanner(planner)->Plan(region, demand), demand);
        };
        const uint64_t greedy = serve("greedy");
        const uint64_t exact = serve("exact");
        const uint64_t bound = FindServedBound(demand, region.ports);
        EXPECT_LE(greedy, exact) << "seed " << seed;
        EXPECT_LE(exact, bound) << "seed " << seed;
        EXPECT_LE(serve("static"), exact) << "seed " << seed;
        EXPECT_LE(bound, demand.GetTotalBytes());
        better += greedy < exact ? 1 : 0;
        below += bound < demand.GetTotalBytes() ? 1 : 0;
    }
    EXPECT_GT(better, 10U);
    EXPECT_GT(below, 50U);
}

TEST(ExactCircuitPlanner, KnowsThatAnOddNumberOfPortsLeavesOne)
{
    // Seven servers of three ports have 21, so ten circuits; the bound counts ten and a half.
    const CircuitDemand demand = MakeDemand(Square(7, std::vector<uint64_t>(7, 50)));
    const CircuitRegion region = MakeRegion(7, 3);
    const CircuitMap circuits = PlanCircuits("exact", region, demand);
    EXPECT_EQ(CountJoined(circuits).pairs, 10U);
    EXPECT_EQ(FindServedBound(demand, region.ports), 1050U);
}

TEST(ExactCircuitPlanner, ServesLittleMoreOfThePublicMatrixThanGreedy)
{
    const CircuitDemand demand = MakeDemand(kPublicTokens);
    const CircuitPlan plan = MakePlanner("exact")->Plan(MakeRegion(8, 6), demand);
    const Joined joined = CountJoined(plan.slots[0].circuits);
    EXPECT_EQ(joined.circuits, 24U);
    EXPECT_EQ(joined.pairs, 24U);
    const double left = 100 - 100.0 * static_cast<double>(CountServedBytes(plan, demand)) /
                                  static_cast<double>(demand.GetTotalBytes());
    EXPECT_NEAR(left, 12.19, 0.005); // greedy: 13.02
}

TEST(ExactCircuitPlanner, TakesPairsWithMostBytes)
{
    // Greedy takes the heaviest first, and so neither of the two that are more together.
    const CircuitDemand demand =
        MakeDemand({{0, 6, 0, 0}, {0, 0, 9, 0}, {0, 0, 0, 5}, {0, 0, 0, 0}});
    using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
    const auto findPairs = [&demand](const std::vector<uint32_t>& ports) {
        CircuitRegion region = MakeRegion(4, 0);
        region.ports = ports;
        const CircuitMap circuits = PlanCircuits("exact", region, demand);
        Pairs pairs;
        for (uint32_t one = 0; one < 4; ++one)
        {
            for (uint32_t other = one + 1; other < 4; ++other)
            {
                pairs.insert(pairs.end(), circuits.Count(one, other), {one, other});
            }
        }
        return pairs;
    };
    EXPECT_EQ(findPairs({1, 1, 1, 1}), (Pairs{{0, 1}, {2, 3}}));
    EXPECT_EQ(findPairs({1, 2, 1, 1}), (Pairs{{0, 1}, {1, 2}}));
    EXPECT_EQ(findPairs({1, 0, 1, 1}), (Pairs{{2, 3}}));
}

TEST(ExactCircuitPlanner, PlansSixteenServers)
{
    std::mt19937 bits(5);
    Square bytes(16, std::vector<uint64_t>(16));
    for (std::vector<uint64_t>& row : bytes)
    {
        std::generate(row.begin(), row.end(), [&] { return 1000 + bits() % 1000; });
    }
    const CircuitDemand demand = MakeDemand(bytes);
    const CircuitRegion region = MakeRegion(16, 6);
    const auto serve = [&](const char* planner) {
        return CountServedBytes(MakePlanner(planner)->Plan(region, demand), demand);
    };
    EXPECT_GT(serve("exact"), serve("greedy"));
    EXPECT_LE(serve("exact"), FindServedBound(demand, region.ports));
}

} // namespace

} // namespace ns3::rails::test
