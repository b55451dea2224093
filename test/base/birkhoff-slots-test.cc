// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/birkhoff-slots.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace ns3::rails::test
{

namespace
{

/// \return sizes drawn at random, none on the diagonal and, by the seed, few elsewhere
ByteSquare
DrawSquare(uint32_t servers, uint32_t seed)
{
    std::mt19937 draw(seed);
    ByteSquare square(servers, std::vector<uint64_t>(servers));
    for (uint32_t from = 0; from < servers; ++from)
    {
        for (uint32_t to = 0; to < servers; ++to)
        {
            const uint64_t bytes = draw();
            const bool isThere = from != to && draw() % 10 >= seed % 9;
            square[from][to] = isThere ? bytes : 0;
        }
    }
    return square;
}

TEST(BirkhoffSlots, AreMatchingsThatAddUpToThePaddedSquareExactly)
{
    for (uint32_t seed = 0; seed < 100; ++seed)
    {
        const uint32_t servers = 1 + seed % 10;
        const ByteSquare square = DrawSquare(servers, seed);
        const ByteSquare padded = PadToEqualSums(square);
        const std::vector<BirkhoffSlot> slots = DecomposeIntoSlots(padded);
        EXPECT_LE(slots.size(), (servers - 1) * (servers - 1) + 1) << "seed " << seed;
        ByteSquare sum(servers, std::vector<uint64_t>(servers));
        uint64_t last = std::numeric_limits<uint64_t>::max();
        for (const BirkhoffSlot& slot : slots)
        {
            EXPECT_GT(slot.bytes, 0U);
            EXPECT_LE(slot.bytes, last);
            last = slot.bytes;
            std::vector<uint32_t> sorted = slot.destinations;
            std::sort(sorted.begin(), sorted.end());
            std::vector<uint32_t> all(servers);
            std::iota(all.begin(), all.end(), 0);
            EXPECT_EQ(sorted, all) << "seed " << seed;
            for (uint32_t from = 0; from < servers; ++from)
            {
                sum[from][slot.destinations[from]] += slot.bytes;
            }
        }
        EXPECT_EQ(sum, padded) << "seed " << seed;
    }
}

TEST(BirkhoffSlots, PaddingRaisesAllSumsToTheLargestAndLowersNothing)
{
    for (uint32_t seed = 0; seed < 30; ++seed)
    {
        const uint32_t servers = 2 + seed % 7;
        const ByteSquare square = DrawSquare(servers, seed);
        const ByteSquare padded = PadToEqualSums(square);
        uint64_t largest = 0;
        std::vector<uint64_t> columns(servers);
        for (uint32_t from = 0; from < servers; ++from)
        {
            uint64_t row = 0;
            for (uint32_t to = 0; to < servers; ++to)
            {
                EXPECT_GE(padded[from][to], square[from][to]);
                row += square[from][to];
                columns[to] += square[from][to];
            }
            largest = std::max(largest, row);
        }
        largest = std::max(largest, *std::max_element(columns.begin(), columns.end()));
        for (uint32_t line = 0; line < servers; ++line)
        {
            uint64_t column = 0;
            for (uint32_t from = 0; from < servers; ++from)
            {
                column += padded[from][line];
            }
            EXPECT_EQ(std::accumulate(padded[line].begin(), padded[line].end(), uint64_t{0}),
                      largest);
            EXPECT_EQ(column, largest);
        }
    }
}

TEST(BirkhoffSlots, OfAPermutationAreOne)
{
    const std::vector<BirkhoffSlot> slots = DecomposeIntoSlots({{0, 7, 0}, {0, 0, 7}, {7, 0, 0}});
    ASSERT_EQ(slots.size(), 1U);
    EXPECT_EQ(slots[0].destinations, (std::vector<uint32_t>{1, 2, 0}));
    EXPECT_EQ(slots[0].bytes, 7U);
}

TEST(BirkhoffSlots, ServersWithLittleToDoStayIdle)
{
    EXPECT_EQ(PadToEqualSums({{0, 9, 0}, {9, 0, 0}, {0, 0, 0}}),
              (ByteSquare{{0, 9, 0}, {9, 0, 0}, {0, 0, 9}}));
}

TEST(BirkhoffSlots, TakenWithoutPaddingTheyLeaveNothing)
{
    for (uint32_t seed = 0; seed < 30; ++seed)
    {
        const uint32_t servers = 2 + seed % 7;
        const ByteSquare square = DrawSquare(servers, seed);
        ByteSquare left = square;
        ByteSquare sum(servers, std::vector<uint64_t>(servers));
        for (const BirkhoffSlot& slot : DecomposeIntoSlots(PadToEqualSums(square)))
        {
            const std::vector<uint64_t> taken = TakeSlot(slot, left);
            for (uint32_t from = 0; from < servers; ++from)
            {
                EXPECT_LE(taken[from], slot.bytes);
                sum[from][slot.destinations[from]] += taken[from];
            }
        }
        EXPECT_EQ(sum, square) << "seed " << seed;
        EXPECT_EQ(left, ByteSquare(servers, std::vector<uint64_t>(servers)));
    }
}

TEST(BirkhoffSlots, OfNothingAreNone)
{
    EXPECT_TRUE(DecomposeIntoSlots(ByteSquare(3, std::vector<uint64_t>(3))).empty());
    EXPECT_TRUE(DecomposeIntoSlots({}).empty());
    EXPECT_THROW(DecomposeIntoSlots({{0, 1}, {0, 0}}), std::invalid_argument);
}

} // namespace

} // namespace ns3::rails::test
