// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_PACE_H
#define RAILS_SWEEP_PACE_H

#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Ratio of actual to estimated duration of points in a sweep: a weighted mean over ended points.
 * The weight grows with the number of equal axis values.
 */
class SweepPace
{
  public:
    /// Hashes of axis values.
    using Values = std::vector<std::size_t>;

    /// \param axes of a point, with its values
    static Values MakeValues(const std::vector<std::pair<std::string, std::string>>& axes);

    /// Adds an ended point.
    void Add(const Values& values, double expectedSeconds, double seconds);

    /// \return whether a point was added
    bool IsKnown() const;

    /// \return the estimated ratio of actual to expected duration; 1 without ended points
    double Find(const Values& values) const;

  private:
    struct Ended
    {
        Values values;
        double ratio; //!< logarithm of actual over expected duration
    };

    std::deque<Ended> m_ended; //!< the most recent ones
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_PACE_H
