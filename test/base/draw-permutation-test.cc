// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/draw-permutation.h"
#include "ns3/seeded-bits.h"

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

} // namespace

} // namespace ns3::rails::test
