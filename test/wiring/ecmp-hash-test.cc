// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ecmp-hash.h"
#include "ns3/rng-seed-manager.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

EcmpHash
MakeHash(int64_t stream, uint64_t run = 1)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(run);
    EcmpHash hash;
    EXPECT_EQ(hash.AssignStreams(stream), 1);
    return hash;
}

NextHops
MakeNextHops(const std::vector<uint32_t>& weights)
{
    NextHops hops;
    for (const uint32_t weight : weights)
    {
        hops.ports.push_back(static_cast<uint16_t>(10 + hops.ports.size()));
        hops.weights.push_back(weight);
    }
    hops.CountWeights();
    return hops;
}

/// \return the ports chosen for queue pairs 0 to 11 from NIC 3 to NIC 70,000
std::vector<uint16_t>
ChooseTwelve(const EcmpHash& hash, const NextHops& hops)
{
    std::vector<uint16_t> ports;
    for (uint32_t entropy = 0; entropy < 12; ++entropy)
    {
        ports.push_back(hash.Choose(3, 70'000, entropy, hops));
    }
    return ports;
}

using Ports = std::vector<uint16_t>;

TEST(EcmpHash, ChoosesWhatItAlwaysChose)
{
    // Results of runs with hashed paths depend on every one of these.
    const EcmpHash hash = MakeHash(2'000'005);
    EXPECT_EQ(ChooseTwelve(hash, MakeNextHops({1, 1, 1, 1, 1})),
              (Ports{12, 14, 13, 11, 10, 12, 13, 13, 10, 13, 14, 11}));
    EXPECT_EQ(ChooseTwelve(hash, MakeNextHops({1, 3, 2})),
              (Ports{11, 12, 11, 11, 10, 11, 11, 11, 10, 11, 12, 11}));
}

TEST(EcmpHash, DependsOnTheStreamAndTheSeed)
{
    const NextHops hops = MakeNextHops(std::vector<uint32_t>(16, 1));
    const Ports ports = ChooseTwelve(MakeHash(7), hops);
    EXPECT_EQ(ChooseTwelve(MakeHash(7), hops), ports);
    EXPECT_NE(ChooseTwelve(MakeHash(8), hops), ports);
    EXPECT_NE(ChooseTwelve(MakeHash(7, 2), hops), ports);
    EXPECT_NE(ChooseTwelve(EcmpHash(), hops), ports);
}

TEST(EcmpHash, GivesPortsSharesByTheirWeights)
{
    const EcmpHash hash = MakeHash(7);
    const NextHops hops = MakeNextHops({1, 5, 2});
    std::vector<double> counts(3);
    for (uint32_t entropy = 0; entropy < 8000; ++entropy)
    {
        ++counts[hash.Choose(1, 2, entropy, hops) - 10];
    }
    // Five standard deviations at most.
    EXPECT_NEAR(counts[0], 1000, 148);
    EXPECT_NEAR(counts[1], 5000, 217);
    EXPECT_NEAR(counts[2], 2000, 194);
}

TEST(EcmpHash, TakesTheOnlyPort)
{
    EXPECT_EQ(MakeHash(7).Choose(1, 2, 3, MakeNextHops({4})), 10);
}

TEST(NextHops, CountTheirWeights)
{
    EXPECT_EQ(MakeNextHops({2, 3, 2}).totalWeight, 7U);
    EXPECT_FALSE(MakeNextHops({2, 3, 2}).isEven);
    EXPECT_FALSE(MakeNextHops({2, 2, 3}).isEven);
    EXPECT_EQ(MakeNextHops({3, 3}).totalWeight, 6U);
    EXPECT_TRUE(MakeNextHops({3, 3}).isEven);
    EXPECT_EQ(MakeNextHops({}).totalWeight, 0U);
    EXPECT_TRUE(MakeNextHops({}).isEven);
}

} // namespace

} // namespace ns3::rails::test
