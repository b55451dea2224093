// SPDX-License-Identifier: GPL-2.0-only
#ifndef BIT_RATES_H
#define BIT_RATES_H

#include <cstdint>

namespace ns3::rails::test
{

constexpr uint64_t kGbps = 1'000'000'000;

} // namespace ns3::rails::test

#endif // BIT_RATES_H
