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

/// Number of runs in a median.
constexpr std::size_t kNearest = 9;
/// Estimate without earlier runs, in addition to RunSize::seconds.
constexpr double kShortest = 0.01;

std::string
MakeKey(const RunSize& size)
{
    return size.engine + " " + size.kind;
}

} // namespace

void
RunEstimator::Learn(const RunSize& size, double seconds)
{
    if (size.seconds > 0 && seconds > 0)
    {
        m_engines[size.engine].emplace(size.seconds, seconds);
        m_kinds[MakeKey(size)].emplace(size.seconds, seconds);
    }
}

std::size_t
RunEstimator::GetRuns() const
{
    return std::accumulate(
        m_engines.begin(),
        m_engines.end(),
        std::size_t{0},
        [](std::size_t sum, const auto& runs) { return sum + runs.second.size(); });
}

double
RunEstimator::Estimate(const RunSize& size) const
{
    const auto engine = m_engines.find(size.engine);
    if (engine == m_engines.end() || size.seconds <= 0)
    {
        return kShortest + std::max(0.0, size.seconds);
    }
    const auto kind = m_kinds.find(MakeKey(size));
    return Scale(kind == m_kinds.end() ? engine->second : kind->second, size.seconds);
}

/// \return how long a run of a size takes, from others
double
RunEstimator::Scale(const Runs& runs, double size)
{
    // The nearest runs by ratio are around the position of this size.
    auto larger = runs.lower_bound(size);
    auto smaller = std::make_reverse_iterator(larger);
    std::vector<double> ratios;
    while (ratios.size() < std::min(kNearest, runs.size()))
    {
        const bool isLarger =
            smaller == runs.rend() ||
            (larger != runs.end() && larger->first / size <= size / smaller->first);
        const auto& [known, seconds] = isLarger ? *larger++ : *smaller++;
        ratios.push_back(seconds / known);
    }
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return size * *middle;
}

} // namespace ns3::rails
