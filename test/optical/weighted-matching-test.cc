// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/weighted-matching.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

using Edges = std::vector<WeightedEdge>;

Edges
DrawEdges(uint32_t vertices, uint32_t density, int64_t largest, std::mt19937& bits)
{
    Edges edges;
    for (uint32_t one = 0; one < vertices; ++one)
    {
        for (uint32_t other = one + 1; other < vertices; ++other)
        {
            if (bits() % 100 < density)
            {
                edges.push_back({one, other, 1 + static_cast<int64_t>(bits()) % largest});
            }
        }
    }
    for (std::size_t left = edges.size(); left > 1; --left)
    {
        std::swap(edges[left - 1], edges[bits() % left]);
    }
    return edges;
}

/// \return the weight of a matching, which must be one
int64_t
Weigh(const Edges& edges, const std::vector<uint32_t>& mates)
{
    uint32_t ends = 0;
    for (uint32_t vertex = 0; vertex < mates.size(); ++vertex)
    {
        EXPECT_EQ(mates[mates[vertex]], vertex);
        ends += mates[vertex] != vertex ? 1 : 0;
    }
    int64_t weight = 0;
    for (const WeightedEdge& edge : edges)
    {
        const bool isTaken = mates[edge.one] == edge.other;
        weight += isTaken ? edge.weight : 0;
        ends -= isTaken ? 2 : 0;
    }
    EXPECT_EQ(ends, 0U) << "vertices are joined without an edge";
    return weight;
}

/// \return the most that a matching can weigh, from all sets of vertices
int64_t
FindMost(uint32_t vertices, const Edges& edges)
{
    std::vector<int64_t> most(std::size_t{1} << vertices);
    for (std::size_t set = 1; set < most.size(); ++set)
    {
        uint32_t first = 0;
        while ((set >> first & 1) == 0)
        {
            ++first;
        }
        const std::size_t rest = set - (std::size_t{1} << first);
        most[set] = most[rest];
        for (const WeightedEdge& edge : edges)
        {
            const std::size_t other = edge.one == first     ? edge.other
                                      : edge.other == first ? edge.one
                                                            : vertices;
            if (rest >> other & 1)
            {
                most[set] =
                    std::max(most[set], edge.weight + most[rest - (std::size_t{1} << other)]);
            }
        }
    }
    return most.back();
}

TEST(WeightedMatching, IsTheHeaviestOfAllInAThousandGraphs)
{
    for (uint32_t seed = 0; seed < 1000; ++seed)
    {
        std::mt19937 bits(seed);
        const uint32_t vertices = 2 + bits() % 10;
        const int64_t largest = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 50 : 1'000'000'000;
        const Edges edges = DrawEdges(vertices, 30 + bits() % 71, largest, bits);
        EXPECT_EQ(Weigh(edges, FindHeaviestMatching(vertices, edges)), FindMost(vertices, edges))
            << "seed " << seed;
    }
}

TEST(WeightedMatching, LeavesAVertexOfAnOddCycleAlone)
{
    // Two triangles that an edge joins: shrunk one by one, and opened again.
    const Edges edges{{0, 1, 8}, {1, 2, 8}, {0, 2, 8}, {2, 3, 7}, {3, 4, 8}, {4, 5, 8}, {3, 5, 8}};
    EXPECT_EQ(Weigh(edges, FindHeaviestMatching(6, edges)), 23);
    EXPECT_EQ(FindHeaviestMatching(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 2}}),
              (std::vector<uint32_t>{2, 1, 0}));
}

TEST(WeightedMatching, PrefersWeightToNumbers)
{
    EXPECT_EQ(FindHeaviestMatching(4, {{0, 1, 2}, {1, 2, 5}, {2, 3, 2}}),
              (std::vector<uint32_t>{0, 2, 1, 3}));
}

TEST(WeightedMatching, TakesNothingThatWeighsNothing)
{
    EXPECT_EQ(FindHeaviestMatching(2, {{0, 1, 0}}), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(FindHeaviestMatching(2, {{0, 1, -3}}), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(FindHeaviestMatching(3, {}), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_TRUE(FindHeaviestMatching(0, {}).empty());
}

TEST(WeightedMatching, TakesTheLargestWeightAndRefusesALargerOne)
{
    const Edges edges{{0, 1, kLargestEdgeWeight},
                      {1, 2, kLargestEdgeWeight},
                      {0, 2, kLargestEdgeWeight - 1}};
    EXPECT_EQ(Weigh(edges, FindHeaviestMatching(3, edges)), kLargestEdgeWeight);
    EXPECT_THROW(FindHeaviestMatching(2, {{0, 1, kLargestEdgeWeight + 1}}), std::invalid_argument);
    EXPECT_THROW(FindHeaviestMatching(2, {{1, 1, 1}}), std::invalid_argument);
    EXPECT_THROW(FindHeaviestMatching(2, {{0, 2, 1}}), std::invalid_argument);
}

} // namespace

} // namespace ns3::rails::test
