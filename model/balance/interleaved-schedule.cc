// SPDX-License-Identifier: GPL-2.0-only
#include "interleaved-schedule.h"

#include <algorithm>
#include <numeric>

namespace ns3::rails
{

std::vector<uint16_t>
MakeInterleavedSchedule(const std::vector<WeightedPort>& order)
{
    uint32_t divisor = 0;
    uint32_t largest = 0;
    for (const WeightedPort& port : order)
    {
        divisor = std::gcd(divisor, port.weight);
        largest = std::max(largest, port.weight);
    }
    std::vector<uint16_t> schedule;
    for (uint32_t taken = 0; taken < largest; taken += divisor)
    {
        for (const WeightedPort& port : order)
        {
            if (port.weight > taken)
            {
                schedule.push_back(port.port);
            }
        }
    }
    return schedule;
}

} // namespace ns3::rails
