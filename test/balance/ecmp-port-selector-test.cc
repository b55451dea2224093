// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/ecmp-port-selector.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

const std::vector<uint16_t> kCandidates{3, 4, 7, 20, 21, 22, 23, 40};
const NextHops kHops{kCandidates, std::vector<uint32_t>(8, 1), 8, true};

class EcmpTest : public testing::Test
{
  protected:
    static Ptr<PortSelector> MakeSelector(uint64_t seed, int64_t stream)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(seed);
        Ptr<PortSelector> selector = CreateObject<EcmpPortSelector>()->Fork();
        EXPECT_EQ(selector->AssignStreams(stream), 1);
        return selector;
    }

    /// \return the index of the port chosen for a queue pair
    uint32_t Choose(PortSelector& selector,
                    uint32_t source,
                    uint32_t destination,
                    uint32_t entropy,
                    uint64_t psn = 0) const
    {
        Frame frame;
        frame.sourceNic = source;
        frame.destinationNic = destination;
        frame.entropy = entropy;
        frame.psn = psn;
        frame.bytes = 64 + static_cast<uint32_t>(psn);
        const Switch& at = *m_test.cluster->GetSwitches().front();
        const uint16_t port = selector.Select(at, frame, kHops);
        const auto found = std::find(kCandidates.begin(), kCandidates.end(), port);
        EXPECT_NE(found, kCandidates.end());
        return static_cast<uint32_t>(found - kCandidates.begin());
    }

    static double ChiSquare(const std::vector<uint32_t>& counts)
    {
        const double expected =
            std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
        double sum = 0;
        for (const uint32_t count : counts)
        {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    void SetUp() override
    {
        m_test.Build();
    }

    TestCluster m_test{2};
};

TEST_F(EcmpTest, KeepsAQueuePairOnOnePath)
{
    Ptr<PortSelector> selector = MakeSelector(1, 5);
    for (uint32_t queuePair = 0; queuePair < 100; ++queuePair)
    {
        const uint32_t first = Choose(*selector, 1, 2, queuePair);
        for (uint64_t psn = 1; psn < 20; ++psn)
        {
            EXPECT_EQ(Choose(*selector, 1, 2, queuePair, psn), first);
        }
    }
}

TEST_F(EcmpTest, SpreadsWhateverDiffersBetweenQueuePairs)
{
    // The 99.99 % quantile of chi-square with 7 degrees of freedom is 29.9.
    constexpr uint32_t kDraws = 8000;
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        Ptr<PortSelector> selector = MakeSelector(seed, 5);
        std::vector<uint32_t> bySource(8);
        std::vector<uint32_t> byDestination(8);
        std::vector<uint32_t> byEntropy(8);
        for (uint32_t i = 0; i < kDraws; ++i)
        {
            ++bySource[Choose(*selector, i, 2, 3)];
            ++byDestination[Choose(*selector, 1, i, 3)];
            ++byEntropy[Choose(*selector, 1, 2, i)];
        }
        EXPECT_LT(ChiSquare(bySource), 29.9) << "seed " << seed;
        EXPECT_LT(ChiSquare(byDestination), 29.9) << "seed " << seed;
        EXPECT_LT(ChiSquare(byEntropy), 29.9) << "seed " << seed;
    }
}

TEST_F(EcmpTest, DecidesAtOneSwitchIndependentlyOfAnother)
{
    // Joint choices at two switches: 63 degrees of freedom, 99.99 % quantile 113.
    Ptr<PortSelector> lower = MakeSelector(1, 5);
    Ptr<PortSelector> upper = MakeSelector(1, 6);
    std::vector<uint32_t> joint(64);
    for (uint32_t i = 0; i < 16'000; ++i)
    {
        const uint32_t source = i % 40;
        const uint32_t destination = i / 40;
        ++joint[8 * Choose(*lower, source, destination, 0) +
                Choose(*upper, source, destination, 0)];
    }
    EXPECT_LT(ChiSquare(joint), 113);
}

TEST_F(EcmpTest, DirectionsOfAConversationAreIndependent)
{
    Ptr<PortSelector> selector = MakeSelector(1, 5);
    std::vector<uint32_t> joint(64);
    for (uint32_t i = 0; i < 16'000; ++i)
    {
        ++joint[8 * Choose(*selector, i, i + 1, 0) + Choose(*selector, i + 1, i, 0)];
    }
    EXPECT_LT(ChiSquare(joint), 113);
}

TEST_F(EcmpTest, DependsOnTheSeed)
{
    const auto draw = [this](uint64_t seed) {
        Ptr<PortSelector> selector = MakeSelector(seed, 5);
        std::vector<uint32_t> choices;
        for (uint32_t i = 0; i < 50; ++i)
        {
            choices.push_back(Choose(*selector, i, 2, 3));
        }
        return choices;
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

TEST_F(EcmpTest, UsesEveryNumberOfCandidatesEvenly)
{
    Ptr<PortSelector> selector = MakeSelector(1, 5);
    for (const uint16_t candidates : {2, 3, 5, 64})
    {
        std::vector<uint16_t> ports(candidates);
        std::iota(ports.begin(), ports.end(), 0);
        const NextHops hops{ports, std::vector<uint32_t>(candidates, 1), candidates, true};
        std::vector<uint32_t> counts(candidates);
        for (uint32_t i = 0; i < 6400; ++i)
        {
            Frame frame;
            frame.sourceNic = i;
            ++counts[selector->Select(*m_test.cluster->GetSwitches().front(), frame, hops)];
        }
        // 63 degrees of freedom at most.
        EXPECT_LT(ChiSquare(counts), 113) << candidates;
    }
}

TEST_F(EcmpTest, GivesPortsSharesByTheirWeights)
{
    // 2 degrees of freedom, 99.99 % quantile 18.4.
    const NextHops hops{{3, 5, 8}, {2, 1, 1}, 4, false};
    for (const uint64_t seed : {1, 2, 3})
    {
        Ptr<PortSelector> selector = MakeSelector(seed, 5);
        std::vector<double> counts(9);
        for (uint32_t i = 0; i < 8000; ++i)
        {
            Frame frame;
            frame.sourceNic = i;
            ++counts[selector->Select(*m_test.cluster->GetSwitches().front(), frame, hops)];
        }
        const double deviation = (counts[3] - 4000) * (counts[3] - 4000) / 4000 +
                                 (counts[5] - 2000) * (counts[5] - 2000) / 2000 +
                                 (counts[8] - 2000) * (counts[8] - 2000) / 2000;
        EXPECT_LT(deviation, 18.4) << "seed " << seed;
    }
}

} // namespace
