// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-estimator.h"

#include <algorithm>
#include <iterator>
#include <vector>

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
        m_runs.emplace(frames, seconds);
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
    // The nearest by ratio lie around the place of a run of this size.
    auto larger = m_runs.lower_bound(frames);
    auto smaller = std::make_reverse_iterator(larger);
    std::vector<double> perFrame;
    while (perFrame.size() < std::min(kNearest, m_runs.size()))
    {
        const bool isLarger =
            smaller == m_runs.rend() ||
            (larger != m_runs.end() && larger->first / frames <= frames / smaller->first);
        const auto& [size, seconds] = isLarger ? *larger++ : *smaller++;
        perFrame.push_back(seconds / size);
    }
    const auto middle = perFrame.begin() + static_cast<std::ptrdiff_t>(perFrame.size() / 2);
    std::nth_element(perFrame.begin(), middle, perFrame.end());
    return frames * *middle;
}

} // namespace ns3::rails
