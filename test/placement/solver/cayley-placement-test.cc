// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cayley-placement.h"
#include "ns3/draw-permutation.h"
#include "ns3/replica-placement.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/isomorphism.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Hosts = std::vector<std::vector<uint32_t>>;
using Pair = std::pair<uint32_t, uint32_t>;
using Edges = std::multiset<Pair>;

Edges
ListEdges(const Hosts& hosts)
{
    Edges edges;
    for (const std::vector<uint32_t>& pair : hosts)
    {
        edges.insert(std::minmax(pair.at(0), pair.at(1)));
    }
    return edges;
}

/// \param areNeighbours of a graph on the numbers below count
Edges
ListEdges(uint32_t count, const std::function<bool(uint32_t, uint32_t)>& areNeighbours)
{
    Edges edges;
    for (uint32_t one = 0; one < count; ++one)
    {
        for (uint32_t other = one + 1; other < count; ++other)
        {
            if (areNeighbours(one, other))
            {
                edges.emplace(one, other);
            }
        }
    }
    return edges;
}

/// Of graphs without parallel edges.
bool
AreIsomorphic(uint32_t vertices, const Edges& one, const Edges& other)
{
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    return one.size() == other.size() &&
           boost::isomorphism(Graph(one.begin(), one.end(), vertices),
                              Graph(other.begin(), other.end(), vertices));
}

/// \return 0 to size - 1 as distance in a cycle of some numbers
uint32_t
Distance(uint32_t one, uint32_t other, uint32_t size)
{
    const uint32_t steps = (one + size - other) % size;
    return std::min(steps, size - steps);
}

/// \return by number of vertices, most edges that any so many have among them
std::vector<uint32_t>
CountInduced(uint32_t vertices, const Edges& edges)
{
    std::vector<uint32_t> most(vertices + 1);
    for (uint32_t set = 0; set < 1U << vertices; ++set)
    {
        uint32_t size = 0;
        for (uint32_t vertex = 0; vertex < vertices; ++vertex)
        {
            size += set >> vertex & 1;
        }
        uint32_t inside = 0;
        for (const auto& [one, other] : edges)
        {
            inside += set >> one & set >> other & 1;
        }
        most[size] = std::max(most[size], inside);
    }
    return most;
}

TEST(CayleyPlacement, EightExpertsOnEightGpusAreACycle)
{
    const Edges published =
        ListEdges(8, [](uint32_t one, uint32_t other) { return Distance(one, other, 8) == 1; });
    EXPECT_TRUE(AreIsomorphic(8, ListEdges(PlaceOnPairs(8, 8)), published));
}

TEST(CayleyPlacement, SixteenExpertsOnEightGpusAreThePublishedGraph)
{
    // Z2 x Z4 with (0, +-1) and (1, +-1)
    const Edges published = ListEdges(8, [](uint32_t one, uint32_t other) {
        return Distance(one % 4, other % 4, 4) == 1;
    });
    const Edges bipartite =
        ListEdges(8, [](uint32_t one, uint32_t other) { return one < 4 && other >= 4; });
    EXPECT_EQ(published.size(), 16U);
    EXPECT_TRUE(AreIsomorphic(8, published, bipartite)); // K4,4
    EXPECT_TRUE(AreIsomorphic(8, ListEdges(PlaceOnPairs(8, 16)), published));
}

TEST(CayleyPlacement, ThirtyTwoExpertsOnSixteenGpusAreATorus)
{
    const Edges published = ListEdges(16, [](uint32_t one, uint32_t other) {
        return Distance(one / 4, other / 4, 4) + Distance(one % 4, other % 4, 4) == 1;
    });
    EXPECT_EQ(published.size(), 32U);
    EXPECT_TRUE(AreIsomorphic(16, ListEdges(PlaceOnPairs(16, 32)), published));
}

TEST(CayleyPlacement, ThirtyTwoExpertsOnEightGpusAreACompleteGraphAndAMatching)
{
    const Edges edges = ListEdges(PlaceOnPairs(8, 32));
    ASSERT_EQ(edges.size(), 32U);
    std::set<uint32_t> doubled;
    for (uint32_t one = 0; one < 8; ++one)
    {
        for (uint32_t other = one + 1; other < 8; ++other)
        {
            const std::size_t times = edges.count({one, other});
            ASSERT_GE(times, 1U);
            ASSERT_LE(times, 2U);
            if (times == 2)
            {
                EXPECT_TRUE(doubled.insert(one).second);
                EXPECT_TRUE(doubled.insert(other).second);
            }
        }
    }
    EXPECT_EQ(doubled.size(), 8U);
}

TEST(CayleyPlacement, ManyExpertsAreSeveralCompleteGraphsAndAnotherOfThePowerOfTwoLeft)
{
    // 128 experts: 32 on each of 8 GPUs are four complete graphs and a K4,4.
    const Edges edges = ListEdges(PlaceOnPairs(8, 128));
    Edges rest;
    for (const Pair& pair : std::set<Pair>(edges.begin(), edges.end()))
    {
        ASSERT_GE(edges.count(pair), 4U);
        ASSERT_LE(edges.count(pair), 5U);
        if (edges.count(pair) == 5)
        {
            rest.insert(pair);
        }
    }
    EXPECT_TRUE(AreIsomorphic(8, rest, ListEdges(PlaceOnPairs(8, 16))));
}

TEST(CayleyPlacement, NoFourMatchingsHaveFewerEdgesInTheirDensestPartThanK44)
{
    const std::vector<uint32_t> own = CountInduced(8, ListEdges(PlaceOnPairs(8, 16)));
    EXPECT_EQ(own, (std::vector<uint32_t>{0, 0, 1, 2, 4, 6, 9, 12, 16}));
    SeededBits bits{1};
    for (uint32_t draw = 0; draw < 300; ++draw)
    {
        const std::vector<uint32_t> other =
            CountInduced(8, ListEdges(ShuffleGroups(8, 16, 2, bits)));
        for (uint32_t size = 0; size <= 8; ++size)
        {
            EXPECT_GE(other[size], own[size]) << "draw " << draw;
        }
    }
}

/// Replicas of an expert have the same index on their GPUs, and every GPU has as many experts.
void
ExpectNoDeadlock(const Hosts& hosts, uint32_t gpus)
{
    std::vector<uint32_t> held(gpus);
    for (const std::vector<uint32_t>& ofExpert : hosts)
    {
        for (const uint32_t gpu : ofExpert)
        {
            EXPECT_EQ(held[gpu], held[ofExpert.front()]);
        }
        for (const uint32_t gpu : ofExpert)
        {
            ++held[gpu];
        }
    }
    EXPECT_EQ(std::set<uint32_t>(held.begin(), held.end()).size(), 1U);
}

TEST(CayleyPlacement, BothGpusHaveAnExpertAtTheSameIndex)
{
    for (const uint32_t gpus : {2U, 4U, 6U, 8U, 12U, 16U, 64U})
    {
        for (uint32_t degree = 1; degree <= 2 * gpus; ++degree)
        {
            const Hosts hosts = PlaceOnPairs(gpus, degree * gpus / 2);
            ASSERT_EQ(hosts.size(), degree * gpus / 2);
            ExpectNoDeadlock(hosts, gpus);
        }
    }
}

TEST(CayleyPlacement, HomesAreSpread)
{
    for (const auto& [gpus, experts] : {Pair{8, 32}, Pair{16, 32}, Pair{64, 256}})
    {
        std::map<uint32_t, uint32_t> homes;
        for (const std::vector<uint32_t>& pair : PlaceOnPairs(gpus, experts))
        {
            EXPECT_NE(pair[0], pair[1]);
            ++homes[pair[0]];
        }
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            EXPECT_NEAR(homes[gpu], experts / gpus, 1) << gpus << " GPUs";
        }
    }
}

TEST(CayleyPlacement, LargeSparseGraphsHaveNoCycleOfFour)
{
    const Edges edges = ListEdges(PlaceOnPairs(64, 128)); // four of 32 steps
    std::map<uint32_t, std::set<uint32_t>> neighbours;
    for (const auto& [one, other] : edges)
    {
        neighbours[one].insert(other);
        neighbours[other].insert(one);
    }
    for (uint32_t one = 0; one < 64; ++one)
    {
        EXPECT_EQ(neighbours[one].size(), 4U);
        for (uint32_t other = one + 1; other < 64; ++other)
        {
            std::vector<uint32_t> common;
            std::set_intersection(neighbours[one].begin(),
                                  neighbours[one].end(),
                                  neighbours[other].begin(),
                                  neighbours[other].end(),
                                  std::back_inserter(common));
            EXPECT_LE(common.size(), 1U);
        }
    }
}

TEST(CayleyPlacement, NeedsPairs)
{
    EXPECT_THROW(PlaceOnPairs(7, 14), std::invalid_argument);
    EXPECT_THROW(PlaceOnPairs(8, 6), std::invalid_argument);
}

TEST(ReplicaPlacement, ShuffledGroupsCannotDeadlock)
{
    SeededBits bits{2};
    const Hosts hosts = ShuffleGroups(12, 16, 3, bits);
    ASSERT_EQ(hosts.size(), 16U);
    ExpectNoDeadlock(hosts, 12);
    EXPECT_THROW(ShuffleGroups(12, 16, 5, bits), std::invalid_argument);
}

TEST(ReplicaPlacement, HottestExpertsGetMoreReplicas)
{
    EXPECT_EQ(CountReplicas({100, 40, 30, 10}, 8, 4), (std::vector<uint32_t>{4, 2, 1, 1}));
    EXPECT_EQ(CountReplicas({1000, 40, 30, 10}, 8, 4), (std::vector<uint32_t>{4, 2, 1, 1}));
    EXPECT_EQ(CountReplicas({0, 0}, 10, 2), (std::vector<uint32_t>{2, 2})); // no more GPUs
}

TEST(ReplicaPlacement, EveryGpuIsDealtAsManyAndNoExpertTwice)
{
    SeededBits bits{3};
    for (uint32_t draw = 0; draw < 50; ++draw)
    {
        const std::vector<uint32_t> replicas{8, 5, 3, 2, 2, 1, 1, 1, 1};
        const Hosts hosts = DealReplicas(replicas, 8, bits);
        std::vector<uint32_t> held(8);
        for (std::size_t expert = 0; expert < replicas.size(); ++expert)
        {
            ASSERT_EQ(std::set<uint32_t>(hosts[expert].begin(), hosts[expert].end()).size(),
                      replicas[expert]);
            for (const uint32_t gpu : hosts[expert])
            {
                ++held[gpu];
            }
        }
        EXPECT_EQ(held, std::vector<uint32_t>(8, 3));
    }
    EXPECT_THROW(DealReplicas({2, 9}, 8, bits), std::invalid_argument);
}

TEST(ReplicaPlacement, ExpertsTakeTheGpusThatASortWouldPutFirst)
{
    SeededBits bits{4};
    SeededBits sameBits = bits;
    for (const uint32_t gpus : {24U, 25U, 64U, 300U})
    {
        for (uint32_t draw = 0; draw < 20; ++draw)
        {
            std::vector<uint32_t> replicas; // a few, most, or all GPUs; mostly one
            for (uint32_t expert = 0; expert < 2 * gpus; ++expert)
            {
                replicas.push_back(expert < gpus && draw % 2 == 0 ? 1 + expert
                                                                  : 1 + expert % 3 / 2);
            }
            Hosts sorted(replicas.size());
            std::vector<uint32_t> used(gpus);
            for (const uint32_t expert : DrawPermutation(2 * gpus, sameBits))
            {
                std::vector<uint32_t> order = DrawPermutation(gpus, sameBits);
                std::stable_sort(order.begin(), order.end(), [&used](uint32_t one, uint32_t other) {
                    return used[one] < used[other];
                });
                order.resize(replicas[expert]);
                for (const uint32_t gpu : order)
                {
                    ++used[gpu];
                }
                sorted[expert] = order;
            }
            EXPECT_EQ(DealReplicas(replicas, gpus, bits), sorted) << gpus << ' ' << draw;
        }
    }
}

} // namespace

} // namespace ns3::rails::test
