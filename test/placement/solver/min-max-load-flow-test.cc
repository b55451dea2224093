// SPDX-License-Identifier: GPL-2.0-only
#include "split-cases.h"

#include "ns3/min-max-load-flow.h"
#include "ns3/replica-placement.h"
#include "ns3/seeded-bits.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace ns3::rails::test
{

namespace
{

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

/// Experts on GPUs, and tokens of both.
struct Case
{
    std::vector<std::vector<uint32_t>> hosts;
    std::vector<uint64_t> loads; //!< by expert
    std::vector<uint64_t> fixed; //!< by GPU

    /// \return a bound that is as low as it may be
    uint64_t FindMostFixed() const
    {
        return *std::max_element(fixed.begin(), fixed.end());
    }
};

/// Experts have one host to several; loads that are far apart, or nearly the same.
std::vector<Case>
MakeCases()
{
    std::vector<Case> cases;
    for (uint32_t seed = 0; seed < 400; ++seed)
    {
        const uint32_t gpus = 2 + seed % 31;
        const SplitCase random(gpus, 1 + seed % 57, std::min(gpus, 1 + seed % 5), seed);
        Case& made = cases.emplace_back(Case{random.hosts, random.loads, {}});
        SeededBits bits{seed};
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            made.fixed.push_back(seed % 3 == 0 ? bits() % 50'000 : 0);
        }
        for (uint32_t expert = 0; expert < made.loads.size(); ++expert)
        {
            made.loads[expert] = seed % 2 == 0 ? made.loads[expert] : 1000 + bits() % 100;
        }
    }
    return cases;
}

/// \return whether Boost's maximum flow places all tokens
bool
Fits(const Case& given, uint64_t largest)
{
    if (largest < given.FindMostFixed())
    {
        return false;
    }
    using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using Graph = boost::adjacency_list<
        boost::vecS,
        boost::vecS,
        boost::directedS,
        boost::no_property,
        boost::property<
            boost::edge_capacity_t,
            int64_t,
            boost::property<boost::edge_residual_capacity_t,
                            int64_t,
                            boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
    const std::size_t gpus = given.fixed.size();
    const std::size_t source = gpus + given.loads.size();
    const std::size_t sink = source + 1;
    Graph graph(sink + 1);
    const auto add = [&](std::size_t from, std::size_t to, uint64_t capacity) {
        const auto there = boost::add_edge(from, to, graph).first;
        const auto back = boost::add_edge(to, from, graph).first;
        put(boost::edge_capacity, graph, there, static_cast<int64_t>(capacity));
        put(boost::edge_reverse, graph, there, back);
        put(boost::edge_reverse, graph, back, there);
    };
    int64_t tokens = 0;
    for (std::size_t gpu = 0; gpu < gpus; ++gpu)
    {
        add(gpu, sink, largest - given.fixed[gpu]);
    }
    for (std::size_t expert = 0; expert < given.loads.size(); ++expert)
    {
        if (given.hosts[expert].size() > 1)
        {
            add(source, gpus + expert, given.loads[expert]);
            tokens += static_cast<int64_t>(given.loads[expert]);
            for (const uint32_t host : given.hosts[expert])
            {
                add(gpus + expert, host, given.loads[expert]);
            }
        }
    }
    return boost::push_relabel_max_flow(graph, source, sink) == tokens;
}

TEST(MinMaxLoadFlow, IsWhatBoostsMaximumFlowNeedsFromAnyBoundOn)
{
    uint32_t risen = 0;
    for (const Case& given : MakeCases())
    {
        const uint64_t from = given.FindMostFixed();
        MinMaxLoadFlow least(given.hosts, static_cast<uint32_t>(given.fixed.size()));
        const uint64_t largest = least.Find(given.loads, given.fixed, from, kNoLimit).value();
        ASSERT_TRUE(Fits(given, largest));
        ASSERT_TRUE(largest == 0 || !Fits(given, largest - 1));
        if (largest > from)
        {
            ++risen;
            ASSERT_EQ(least.Find(given.loads, given.fixed, (from + largest) / 2, kNoLimit),
                      largest);
        }
        ASSERT_EQ(least.Find(given.loads, given.fixed, largest, kNoLimit), largest);
    }
    EXPECT_GT(risen, 200U);
}

TEST(MinMaxLoadFlow, IsNothingFromItsLimitOn)
{
    for (const Case& given : MakeCases())
    {
        const uint64_t from = given.FindMostFixed();
        MinMaxLoadFlow least(given.hosts, static_cast<uint32_t>(given.fixed.size()));
        const uint64_t largest = least.Find(given.loads, given.fixed, from, kNoLimit).value();
        EXPECT_EQ(least.Find(given.loads, given.fixed, from, largest), std::nullopt);
        EXPECT_EQ(least.Find(given.loads, given.fixed, from, largest + 1), largest);
        if (largest > from)
        {
            EXPECT_EQ(least.Find(given.loads, given.fixed, largest - 1, largest), std::nullopt);
        }
    }
}

TEST(MinMaxLoadFlow, IsWhatBoostsMaximumFlowNeedsOf512ExpertsOn512Gpus)
{
    constexpr uint32_t many = 512;
    for (uint32_t seed = 0; seed < 6; ++seed)
    {
        SeededBits bits{seed};
        Case given{{}, {}, std::vector<uint64_t>(many)};
        for (uint32_t expert = 0; expert < many; ++expert)
        {
            given.loads.push_back(100'000 + bits() % (seed % 2 == 0 ? 50'000 : 5'000'000));
        }
        given.hosts = DealReplicas(CountReplicas(given.loads, 2 * many, many), many, bits);
        for (uint32_t expert = 0; expert < many; ++expert)
        {
            if (given.hosts[expert].size() == 1)
            {
                given.fixed[given.hosts[expert].front()] += given.loads[expert];
            }
        }
        const uint64_t largest =
            MinMaxLoadFlow(given.hosts, many)
                .Find(given.loads, given.fixed, given.FindMostFixed(), kNoLimit)
                .value();
        EXPECT_TRUE(Fits(given, largest));
        EXPECT_FALSE(Fits(given, largest - 1));
    }
}

TEST(MinMaxLoadFlow, SplitsNothing)
{
    EXPECT_EQ(MinMaxLoadFlow({{0}, {}, {0, 1}}, 2).Find({7, 0, 0}, {3, 4}, 4, kNoLimit), 4U);
}

} // namespace

} // namespace ns3::rails::test
