// SPDX-License-Identifier: GPL-2.0-only
#include "bench-measuring.h"

#include <algorithm>

namespace ns3::rails
{

double
Median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

} // namespace ns3::rails
