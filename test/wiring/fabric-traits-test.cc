// SPDX-License-Identifier: GPL-2.0-only
#include "../support/bit-rates.h"
#include "../support/interiors.h"

#include "ns3/fabric-traits.h"
#include "ns3/rails-wiring.h"

#include <gtest/gtest.h>
#include <memory>

namespace ns3::rails::test
{

namespace
{

/// Lays servers of two GPUs, a leaf for each rail of each server, and spines.
class TraitsTest : public testing::Test
{
  protected:
    /**
     * \param servers how many
     * \param serversPerLeaf servers that share the leaf of a rail
     * \param spines above all leaves of a rail
     * \param isJoined whether the spines of the first rail lead to the other too
     */
    void Lay(uint32_t servers, uint32_t serversPerLeaf, uint32_t spines, bool isJoined)
    {
        const uint32_t perRail = (servers + serversPerLeaf - 1) / serversPerLeaf;
        const CableKind cable{"nic_tx", "leaf_down", 100 * kGbps};
        wiring = std::make_unique<Wiring>(ClusterShape{servers, 2}, MakeNvswitch(2));
        for (uint32_t leaf = 0; leaf < 2 * perRail; ++leaf)
        {
            wiring->AddSwitch("leaf" + std::to_string(leaf));
        }
        for (uint32_t nic = 0; nic < 2 * servers; ++nic)
        {
            wiring->Attach(nic, nic % 2 * perRail + nic / 2 / serversPerLeaf, 0, cable);
        }
        for (uint32_t spine = 0; spine < spines; ++spine)
        {
            const uint32_t upper = wiring->AddSwitch("spine" + std::to_string(spine));
            for (uint32_t leaf = 0; leaf < (isJoined ? 2 : 1) * perRail; ++leaf)
            {
                wiring->Join(leaf, upper, {"leaf_up", "spine_down", 50 * kGbps});
            }
        }
    }

    FabricTraits Find() const
    {
        return FindTraits(*wiring);
    }

    std::unique_ptr<Wiring> wiring;
};

TEST_F(TraitsTest, OneLeafARailIsTwoCablesWithoutForks)
{
    Lay(3, 3, 0, false);
    const FabricTraits traits = Find();
    EXPECT_EQ(traits.tiers, 1U);
    EXPECT_EQ(traits.shortestLinks, 2U);
    EXPECT_EQ(traits.longestLinks, 2U);
    EXPECT_FALSE(traits.connectsRails);
    EXPECT_FALSE(traits.forksInRail);
    EXPECT_FALSE(traits.forksAcross);
    EXPECT_EQ(traits.oversubscription, 1);
}

TEST_F(TraitsTest, WaysThatNobodyTakesDoNotCount)
{
    // One leaf a rail and spines above that one: nothing ever goes there.
    Lay(3, 3, 2, false);
    const FabricTraits traits = Find();
    EXPECT_EQ(traits.tiers, 2U);
    EXPECT_EQ(traits.longestLinks, 2U);
    EXPECT_FALSE(traits.forksInRail);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 3);
}

TEST_F(TraitsTest, SpinesAboveAllLeavesForkInAndAcrossRails)
{
    Lay(4, 2, 3, true);
    const FabricTraits traits = Find();
    EXPECT_EQ(traits.shortestLinks, 2U);
    EXPECT_EQ(traits.longestLinks, 4U);
    EXPECT_TRUE(traits.connectsRails);
    EXPECT_TRUE(traits.forksInRail);
    EXPECT_TRUE(traits.forksAcross);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 200.0 / 150);
    // In its rail a NIC has one other below its leaf and two below the other.
    EXPECT_DOUBLE_EQ(traits.meanRailLinks, (2.0 + 4 + 4) / 3);
    EXPECT_NEAR(traits.meanLinks, (2.0 + 5 * 4) / 6, 0.1);
    Lay(4, 4, 2, true);
    EXPECT_FALSE(Find().forksInRail) << "a rail has one leaf";
    EXPECT_TRUE(Find().forksAcross);
    Lay(4, 2, 1, true);
    EXPECT_FALSE(Find().forksInRail) << "there is one spine";
    EXPECT_FALSE(Find().forksAcross);
}

TEST_F(TraitsTest, ServersThatShareNoLeafAreFourCablesApart)
{
    Lay(4, 1, 2, true);
    EXPECT_EQ(Find().shortestLinks, 4U);
    EXPECT_EQ(CountBoundedLinks(*wiring, Find()), 4U);
    // A cable that is faster than a NIC must not count with the NIC's rate.
    wiring->Join(0, 8, {"leaf_up", "spine_down", 200 * kGbps});
    EXPECT_EQ(CountBoundedLinks(*wiring, Find()), 2U);
}

TEST_F(TraitsTest, RelaysHaveOneTierAndWaysOfAnyLength)
{
    // A line of six servers, from each to the next.
    wiring = std::make_unique<Wiring>(ClusterShape{6, 1}, MakeNvswitch(1));
    for (uint32_t server = 0; server < 6; ++server)
    {
        wiring->MakeRelay(wiring->AddSwitch("relay" + std::to_string(server)));
        wiring->Attach(server, server, 0, {"nic_tx", "relay_down", 100 * kGbps});
    }
    for (uint32_t server = 0; server < 5; ++server)
    {
        wiring->Join(server, server + 1, {"circuit", "circuit", 100 * kGbps});
    }
    const FabricTraits traits = Find();
    EXPECT_EQ(traits.tiers, 1U);
    EXPECT_EQ(traits.shortestLinks, 3U);
    EXPECT_EQ(traits.longestLinks, 7U);
    EXPECT_FALSE(traits.forksInRail);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 1) << "the first has one NIC and one circuit";
    // The other way round, over one more server, is as long for those opposite each other.
    wiring->Join(0, 5, {"circuit", "circuit", 100 * kGbps});
    EXPECT_EQ(Find().longestLinks, 5U);
    EXPECT_TRUE(Find().forksInRail);
}

TEST_F(TraitsTest, NextHopsThatSomebodyGivesDoNotCount)
{
    Lay(4, 2, 2, true);
    const FabricTraits before = Find();
    // A circle: leaf0 and spine0 send what is for leaf1 to each other.
    wiring->Override({0, 1, {2}});
    wiring->Override({4, 1, {0}});
    EXPECT_EQ(Find().longestLinks, before.longestLinks);
    EXPECT_EQ(Find().forksInRail, before.forksInRail);
}

} // namespace

} // namespace ns3::rails::test
