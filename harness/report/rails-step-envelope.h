// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_STEP_ENVELOPE_H
#define RAILS_STEP_ENVELOPE_H

#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Upper envelope of a quantity that changes in steps: of each interval of time only the maximum is
 * kept, and intervals in which nothing new is to be said cost nothing. The quantity is 0 at first.
 */
class StepEnvelope
{
  public:
    /// No limit of the number of points.
    static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

    /// From this time on the maximum of each interval is this, up to the next point.
    struct Point
    {
        TimePs at;
        uint64_t value;
    };

    /**
     * \param step length of an interval, above 0; the first begins at 0
     * \param mostPoints intervals are made twice as long whenever there are so many points, at
     * least 4
     */
    explicit StepEnvelope(TimePs step, std::size_t mostPoints = kUnlimited);

    /**
     * \param at when it changed, no earlier than the change before
     * \param value what it is from then on
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
     * \return the points up to then; none when it has been 0 all the time
     */
    std::vector<Point> GetPoints(TimePs end) const;

    /// \return length of an interval now
    TimePs GetStep() const;

  private:
    /// A point, by the number of the interval that it begins.
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
    std::vector<Level> m_levels; // of the intervals that are over
    int64_t m_interval{0};       // the present one
    TimePs m_end;                // its end
    uint64_t m_value{0};         // now
    uint64_t m_max{0};           // in the present interval
};

} // namespace ns3::rails

#endif // RAILS_STEP_ENVELOPE_H
