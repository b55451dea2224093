// SPDX-License-Identifier: GPL-2.0-only
#include "rails-sweep-pace.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3::rails
{

namespace
{

/// Number of ended points to keep, as all waiting points are compared with each.
constexpr std::size_t kMost = 64;
/// Factor of a point's weight for each equal value.
constexpr double kPerValue = 8;
/// Shorter durations of a process say nothing about its point, seconds.
constexpr double kTooShort = 0.02;

} // namespace

SweepPace::Values
SweepPace::MakeValues(const std::vector<std::pair<std::string, std::string>>& axes)
{
    Values values;
    for (const auto& [axis, value] : axes)
    {
        values.push_back(std::hash<std::string>()(axis + "=" + value));
    }
    return values;
}

void
SweepPace::Add(const Values& values, double expectedSeconds, double seconds)
{
    if (expectedSeconds <= 0)
    {
        return;
    }
    m_ended.push_back(
        {values, std::log(std::max(seconds, kTooShort) / std::max(expectedSeconds, kTooShort))});
    if (m_ended.size() > kMost)
    {
        m_ended.pop_front();
    }
}

bool
SweepPace::IsKnown() const
{
    return !m_ended.empty();
}

double
SweepPace::Find(const Values& values) const
{
    double sum = 0;
    double weights = 0;
    for (const Ended& ended : m_ended)
    {
        double weight = 1;
        for (std::size_t i = 0; i < std::min(values.size(), ended.values.size()); ++i)
        {
            weight *= values[i] == ended.values[i] ? kPerValue : 1;
        }
        sum += weight * ended.ratio;
        weights += weight;
    }
    return weights > 0 ? std::exp(sum / weights) : 1;
}

} // namespace ns3::rails
