// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-estimator.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

namespace
{

/// Of as many runs the median is taken.
constexpr std::size_t kNearest = 9;
/// Seconds of a frame, and of a run's set-up, on a machine of 2020.
constexpr double kGuessedFrame = 1.5e-6;
constexpr double kGuessedSetUp = 0.01;

} // namespace

void
RunEstimator::Learn(double frames, double seconds)
{
    if (frames > 0 && seconds > 0)
    {
        m_runs.emplace_back(frames, seconds);
    }
}

std::size_t
RunEstimator::GetRuns() const
{
    return m_runs.size();
}

double
RunEstimator::Estimate(double frames) const
{
    if (m_runs.empty() || frames <= 0)
    {
        return kGuessedSetUp + std::max(0.0, frames) * kGuessedFrame;
    }
    std::vector<std::pair<double, double>> nearest(std::min(kNearest, m_runs.size()));
    const auto distance = [frames](const std::pair<double, double>& run) {
        return std::abs(std::log(run.first / frames));
    };
    std::partial_sort_copy(
        m_runs.begin(),
        m_runs.end(),
        nearest.begin(),
        nearest.end(),
        [&](const auto& left, const auto& right) { return distance(left) < distance(right); });
    std::vector<double> perFrame;
    for (const auto& [size, seconds] : nearest)
    {
        perFrame.push_back(seconds / size);
    }
    const auto middle = perFrame.begin() + static_cast<std::ptrdiff_t>(perFrame.size() / 2);
    std::nth_element(perFrame.begin(), middle, perFrame.end());
    return frames * *middle;
}

} // namespace ns3::rails
