// SPDX-License-Identifier: GPL-2.0-only
#include "distinct-chance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::rails
{

namespace
{

/// \return probability that at least count of some clocks have rung by a time
double
FindReached(const std::vector<double>& rates, uint32_t count, double time)
{
    std::vector<double> byNumber(count, 0); // probability by number of rung clocks
    byNumber[0] = 1;
    for (const double rate : rates)
    {
        const double rung = -std::expm1(-rate * time);
        for (uint32_t number = count; --number > 0;)
        {
            byNumber[number] += rung * (byNumber[number - 1] - byNumber[number]);
        }
        byNumber[0] *= 1 - rung;
    }
    return std::max(0.0, 1 - std::accumulate(byNumber.begin(), byNumber.end(), 0.0));
}

} // namespace

double
FindMissChance(const std::vector<double>& shares, uint32_t count, uint32_t first, uint32_t end)
{
    const auto members = static_cast<double>(shares.size());
    if (std::all_of(shares.begin(), shares.end(), [&](double share) {
            return share == shares.front();
        }))
    {
        double chance = 1;
        for (uint32_t drawn = 0; drawn < count; ++drawn)
        {
            chance *= std::max(0.0, 1 - (end - first) / (members - drawn));
        }
        return chance;
    }
    const double ofSet = std::accumulate(shares.begin() + first, shares.begin() + end, 0.0);
    if (ofSet <= 0)
    {
        return 1;
    }
    std::vector<double> others(shares.begin(), shares.begin() + first);
    others.insert(others.end(), shares.begin() + end, shares.end());
    // The trapezoidal rule over the logarithm of time: both ends fade away exponentially or faster,
    // so that its error does so with the step.
    constexpr double kStep = 0.25;
    double chance = 0;
    for (double log = -30; log < 4; log += kStep)
    {
        const double passed = std::exp(log); // in mean times of the set's clock
        chance += kStep * passed * std::exp(-passed) * FindReached(others, count, passed / ofSet);
    }
    return std::clamp(chance, 0.0, 1.0);
}

} // namespace ns3::rails
