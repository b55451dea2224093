// SPDX-License-Identifier: GPL-2.0-only
#ifndef ZIPF_SHARES_H
#define ZIPF_SHARES_H

#include "ns3/random-bits.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Shares by Zipf's law: rank k (from 1) has a share proportional to k^-exponent.
 * \param count members
 * \param exponent 0 makes all shares equal
 * \return the shares by rank, the largest first; they add up to 1
 */
std::vector<double> GetZipfShares(uint32_t count, double exponent);

/**
 * Shares by Zipf's law over ranks in random order: the member of rank k (from 1) has a share
 * proportional to k^-exponent, and which member has which rank is drawn.
 * \param count members
 * \param exponent 0 makes all shares equal
 * \param bits source of the order
 * \return the share of each member; they add up to 1
 */
std::vector<double> DrawZipfShares(uint32_t count, double exponent, RandomBits& bits);

} // namespace ns3::rails

#endif // ZIPF_SHARES_H
