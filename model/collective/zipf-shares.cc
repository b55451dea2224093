// SPDX-License-Identifier: GPL-2.0-only
#include "zipf-shares.h"

#include <cmath>

namespace ns3::rails
{

std::vector<double>
DrawZipfShares(uint32_t count, double exponent, RandomBits& bits)
{
    double total = 0;
    for (uint32_t rank = 1; rank <= count; ++rank)
    {
        total += std::pow(rank, -exponent);
    }
    const std::vector<uint32_t> ranked = RandomPermutation(count, bits);
    std::vector<double> shares(count);
    for (uint32_t rank = 1; rank <= count; ++rank)
    {
        shares[ranked[rank - 1]] = std::pow(rank, -exponent) / total;
    }
    return shares;
}

} // namespace ns3::rails
