// SPDX-License-Identifier: GPL-2.0-only
#include "zipf-shares.h"

#include <cmath>

namespace ns3::rails
{

std::vector<double>
GetZipfShares(uint32_t count, double exponent)
{
    std::vector<double> shares(count);
    double total = 0;
    for (uint32_t rank = 1; rank <= count; ++rank)
    {
        shares[rank - 1] = std::pow(rank, -exponent);
        total += shares[rank - 1];
    }
    for (double& share : shares)
    {
        share /= total;
    }
    return shares;
}

std::vector<double>
DrawZipfShares(uint32_t count, double exponent, RandomBits& bits)
{
    const std::vector<double> byRank = GetZipfShares(count, exponent);
    const std::vector<uint32_t> ranked = RandomPermutation(count, bits);
    std::vector<double> shares(count);
    for (uint32_t rank = 0; rank < count; ++rank)
    {
        shares[ranked[rank]] = byRank[rank];
    }
    return shares;
}

} // namespace ns3::rails
