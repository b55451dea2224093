// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_ESTIMATOR_H
#define RAILS_RUN_ESTIMATOR_H

#include "ns3/rails-run-size.h"

#include <cstddef>
#include <map>
#include <string>

namespace ns3::rails
{

/// Estimates how long a run takes from earlier runs of its engine and of like size.
class RunEstimator
{
  public:
    /**
     * Takes an earlier run into account.
     * \param size how large it was
     * \param seconds how long it took
     */
    void Learn(const RunSize& size, double seconds);

    /// \return number of earlier runs
    std::size_t GetRuns() const;

    /**
     * \param size of a run to come
     * \return how long it will take in seconds: as long per frame, or per byte, as the median of
     * the runs of its engine whose size is nearest; a rough guess where there are none
     */
    double Estimate(const RunSize& size) const;

  private:
    using Runs = std::multimap<double, double>; //!< seconds by amount

    std::map<std::string, Runs> m_runs; //!< by engine
};

} // namespace ns3::rails

#endif // RAILS_RUN_ESTIMATOR_H
