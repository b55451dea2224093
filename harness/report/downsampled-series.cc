// SPDX-License-Identifier: GPL-2.0-only
#include "downsampled-series.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

DownsampledSeries::DownsampledSeries(TimePs step, std::size_t mostPoints)
    : m_step(step),
      m_mostPoints(mostPoints),
      m_end(step)
{
}

void
DownsampledSeries::SetLevel(std::vector<Level>& levels, int64_t interval, uint64_t value)
{
    if (!levels.empty() && levels.back().interval == interval)
    {
        levels.back().value = value;
    }
    else if (levels.empty() || levels.back().value != value)
    {
        levels.push_back({interval, value});
    }
}

void
DownsampledSeries::Advance(TimePs at)
{
    const int64_t next = at / m_step;
    SetLevel(m_levels, m_interval, m_max);
    if (next > m_interval + 1)
    {
        SetLevel(m_levels, m_interval + 1, m_value);
    }
    m_interval = next;
    m_max = at == next * m_step ? 0 : m_value; // what ends here was not in the new interval
    while (m_levels.size() >= m_mostPoints)
    {
        DoubleStep();
    }
    m_end = (m_interval + 1) * m_step;
}

void
DownsampledSeries::DoubleStep()
{
    std::vector<Level> levels;
    for (std::size_t i = 0; i < m_levels.size(); ++i)
    {
        const auto [interval, value] = m_levels[i];
        const int64_t next = i + 1 < m_levels.size() ? m_levels[i + 1].interval : m_interval;
        // The first half of the doubled interval has the value of the previous level.
        const bool isSecondHalf = interval % 2 == 1;
        SetLevel(levels, interval / 2, isSecondHalf ? std::max(levels.back().value, value) : value);
        if (next > (interval / 2 + 1) * 2)
        {
            SetLevel(levels, interval / 2 + 1, value);
        }
    }
    if (m_interval % 2 == 1)
    {
        m_max = std::max(m_max, m_levels.back().value);
    }
    m_levels = std::move(levels);
    m_interval /= 2;
    m_step *= 2;
}

std::vector<DownsampledSeries::Point>
DownsampledSeries::GetPoints(TimePs end) const
{
    std::vector<Level> levels = m_levels;
    SetLevel(levels, m_interval, m_max);
    SetLevel(levels, m_interval + 1, m_value);
    std::vector<Point> points;
    for (const Level& level : levels)
    {
        if (level.interval * m_step <= end)
        {
            points.push_back({level.interval * m_step, level.value});
        }
    }
    const bool isFlat = points.size() == 1 && points.front().value == 0;
    return isFlat ? std::vector<Point>() : points;
}

} // namespace ns3::rails
