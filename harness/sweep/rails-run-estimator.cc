// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-estimator.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Of as many runs the median is taken.
constexpr std::size_t kNearest = 9;
/// Seconds of a frame, of a byte where there are no frames, and of a run's set-up, on a machine of
/// 2020.
constexpr double kGuessedFrame = 1.5e-6;
constexpr double kGuessedByte = 1e-12;
constexpr double kGuessedSetUp = 0.01;

/// \return seconds for a unit of RunSize::amount, before any run of an engine is known
double
GuessUnit(const std::string& engine)
{
    return engine == "frames" ? kGuessedFrame : kGuessedByte;
}

} // namespace

void
RunEstimator::Learn(const RunSize& size, double seconds)
{
    if (size.amount > 0 && seconds > 0)
    {
        m_runs[size.engine].emplace(size.amount, seconds);
    }
}

std::size_t
RunEstimator::GetRuns() const
{
    return std::accumulate(
        m_runs.begin(),
        m_runs.end(),
        std::size_t{0},
        [](std::size_t sum, const auto& runs) { return sum + runs.second.size(); });
}

double
RunEstimator::Estimate(const RunSize& size) const
{
    const double amount = size.amount;
    const auto found = m_runs.find(size.engine);
    if (found == m_runs.end() || amount <= 0)
    {
        return kGuessedSetUp + std::max(0.0, amount) * GuessUnit(size.engine);
    }
    // The nearest by ratio lie around the place of a run of this size.
    const Runs& runs = found->second;
    auto larger = runs.lower_bound(amount);
    auto smaller = std::make_reverse_iterator(larger);
    std::vector<double> perUnit;
    while (perUnit.size() < std::min(kNearest, runs.size()))
    {
        const bool isLarger =
            smaller == runs.rend() ||
            (larger != runs.end() && larger->first / amount <= amount / smaller->first);
        const auto& [known, seconds] = isLarger ? *larger++ : *smaller++;
        perUnit.push_back(seconds / known);
    }
    const auto middle = perUnit.begin() + static_cast<std::ptrdiff_t>(perUnit.size() / 2);
    std::nth_element(perUnit.begin(), middle, perUnit.end());
    return amount * *middle;
}

} // namespace ns3::rails
