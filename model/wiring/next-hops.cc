// SPDX-License-Identifier: GPL-2.0-only
#include "next-hops.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ns3::rails
{

void
NextHops::CountWeights()
{
    totalWeight = std::accumulate(weights.begin(), weights.end(), uint32_t{0});
    isEven =
        std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
}

} // namespace ns3::rails
