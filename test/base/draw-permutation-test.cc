// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/draw-permutation.h"
#include "ns3/seeded-bits.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

TEST(DrawPermutation, OfSeededBitsIsThatOfAnyBits)
{
    // With many numbers some come so close to the end of a piece that the product cannot tell.
    for (const uint32_t count : {0U, 1U, 2U, 3U, 16U, 511U, 512U, 3000U, 300'000U})
    {
        for (uint64_t seed = 0; seed < 4; ++seed)
        {
            SeededBits bits{seed, count};
            SeededBits sameBits = bits;
            EXPECT_EQ(DrawPermutation(count, bits), DrawPermutation<SeededBits>(count, sameBits));
            EXPECT_EQ(bits(), sameBits()) << count; // as many were drawn
        }
    }
}

TEST(DrawPermutation, TheFirstNumbersAreThoseOfTheWholePermutation)
{
    for (const uint32_t count : {1U, 2U, 16U, 17U, 33U, 100U, 512U})
    {
        SeededBits bits{count};
        SeededBits sameBits = bits;
        PermutationDraw draw(count);
        for (uint32_t round = 0; round < 50; ++round)
        {
            draw.Draw(bits);
            const std::vector<uint32_t> whole = DrawPermutation<SeededBits>(count, sameBits);
            for (const uint32_t many : {count, 1U, (count + 1) / 2, 0U, count})
            {
                const std::vector<uint32_t>& first = draw.GetFirst(many);
                EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + many, first.begin()))
                    << many << " of " << count;
            }
        }
        EXPECT_EQ(bits(), sameBits());
    }
}

} // namespace

} // namespace ns3::rails::test
