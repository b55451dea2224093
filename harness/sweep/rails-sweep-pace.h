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
 * How much longer points of a sweep take than was expected: as the points that have ended took,
 * among which those count most that share most values of axes.
 */
class SweepPace
{
  public:
    /// Values of axes, as numbers that are equal for equal values.
    using Values = std::vector<std::size_t>;

    /// \param axes names of axes with a point's values
    static Values MakeValues(const std::vector<std::pair<std::string, std::string>>& axes);

    /// Takes a point that has ended into account.
    void Add(const Values& values, double expectedSeconds, double seconds);

    /// \return whether any has been
    bool IsKnown() const;

    /// \return how many times as long as expected a point takes, about; 1 before anything is known
    double Find(const Values& values) const;

  private:
    struct Ended
    {
        Values values;
        double ratio; //!< logarithm
    };

    std::deque<Ended> m_ended; //!< the latest
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_PACE_H
