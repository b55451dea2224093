// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-ring.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rails;

namespace
{

std::vector<uint16_t>
TakeAll(EntropyRing& ring)
{
    std::vector<uint16_t> taken;
    while (ring.HasFresh())
    {
        taken.push_back(ring.Take());
    }
    return taken;
}

TEST(EntropyRingTest, GivesTheOldestFreshOneFirst)
{
    EntropyRing ring(4, 1);
    EXPECT_TRUE(ring.IsEmpty());
    EXPECT_FALSE(ring.HasFresh());
    ring.Push(7);
    ring.Push(3);
    EXPECT_EQ(ring.Take(), 7);
    ring.Push(9);
    EXPECT_EQ(TakeAll(ring), (std::vector<uint16_t>{3, 9}));
    EXPECT_FALSE(ring.IsEmpty());
}

TEST(EntropyRingTest, KeepsTheNewestWhenItIsFull)
{
    EntropyRing ring(4, 1);
    for (uint16_t entropy = 1; entropy <= 7; ++entropy)
    {
        ring.Push(entropy);
    }
    EXPECT_EQ(TakeAll(ring), (std::vector<uint16_t>{4, 5, 6, 7}));
}

TEST(EntropyRingTest, GivesEachAsOftenAsItsLifetime)
{
    EntropyRing ring(2, 2);
    ring.Push(1);
    EXPECT_EQ(ring.Take(), 1);
    ring.Push(2);
    EXPECT_EQ(ring.Take(), 1);
    EXPECT_EQ(TakeAll(ring), (std::vector<uint16_t>{2, 2}));
    // One that is half used gives way to a new one, and what is oldest then has all its uses.
    ring.Push(3);
    ring.Push(4);
    EXPECT_EQ(ring.Take(), 3);
    ring.Push(5);
    EXPECT_EQ(TakeAll(ring), (std::vector<uint16_t>{4, 4, 5, 5}));
}

TEST(EntropyRingTest, ReusesWhatItHoldsInTurn)
{
    EntropyRing ring(4, 1);
    ring.Push(1);
    ring.Push(2);
    ring.Push(3);
    TakeAll(ring);
    std::vector<uint16_t> reused;
    for (int i = 0; i < 7; ++i)
    {
        reused.push_back(ring.Reuse());
    }
    EXPECT_EQ(reused, (std::vector<uint16_t>{1, 2, 3, 1, 2, 3, 1}));
    EXPECT_FALSE(ring.HasFresh());
    ring.Clear();
    EXPECT_TRUE(ring.IsEmpty());
    ring.Push(8);
    EXPECT_EQ(ring.Reuse(), 8);
    EXPECT_EQ(ring.Take(), 8);
}

} // namespace
