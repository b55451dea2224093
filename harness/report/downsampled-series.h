// SPDX-License-Identifier: GPL-2.0-only
#ifndef DOWNSAMPLED_SERIES_H
#define DOWNSAMPLED_SERIES_H

#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * A downsampled series of a quantity that changes in steps and starts at 0. It keeps the maximum of
 * each interval of time. Adjacent intervals with the same maximum take one point.
 */
class DownsampledSeries
{
  public:
    /// No limit of the number of points.
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

    /// The maximum of each interval from a time until the next point.
    struct Point
    {
        TimePs at;
        uint64_t value;
    };

    /**
     * \param step length of an interval in ps, above 0; the first begins at 0
     * \param mostPoints number of points at which the length of intervals doubles, at least 4
     */
    explicit DownsampledSeries(TimePs step, std::size_t mostPoints = kUnlimited);

    /**
     * \param at time of the change in ps, no earlier than the previous change
     * \param value of the quantity from then on
     */
    void Change(TimePs at, uint64_t value)
    {
        if (at >= m_end)
        {
            Advance(at);
        }
        m_value = value;
        m_max = value > m_max ? value : m_max;
    }

    /**
     * \param end no earlier than the last change
     * \return the points up to `end`; none when the quantity has always been 0
     */
    std::vector<Point> GetPoints(TimePs end) const;

    /// \return present length of an interval, ps
    TimePs GetStep() const
    {
        return m_step;
    }

  private:
    /// The value from an interval on, by number of the interval.
    struct Level
    {
        int64_t interval;
        uint64_t value;
    };

    static void SetLevel(std::vector<Level>& levels, int64_t interval, uint64_t value);
    void Advance(TimePs at);
    void DoubleStep();

    TimePs m_step;
    std::size_t m_mostPoints;
    std::vector<Level> m_levels; // of past intervals
    int64_t m_interval{0};       // the present one
    TimePs m_end;                // its end
    uint64_t m_value{0};         // now
    uint64_t m_max{0};           // in the present interval
};

} // namespace ns3::rails

#endif // DOWNSAMPLED_SERIES_H
