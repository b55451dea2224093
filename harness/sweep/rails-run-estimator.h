// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_ESTIMATOR_H
#define RAILS_RUN_ESTIMATOR_H

#include <cstddef>
#include <map>

namespace ns3::rails
{

/// Estimates how long a run takes from earlier runs of like size.
class RunEstimator
{
  public:
    /**
     * Takes an earlier run into account.
     * \param frames data frames it sent
     * \param seconds how long it took
     */
    void Learn(double frames, double seconds);

    /// \return number of earlier runs
    std::size_t GetRuns() const;

    /**
     * \param frames data frames of a run to come
     * \return how long it will take in seconds: as long per frame as the median of the runs whose
     * size is nearest; a rough guess where there are none
     */
    double Estimate(double frames) const;

  private:
    std::multimap<double, double> m_runs; //!< seconds by frames
};

} // namespace ns3::rails

#endif // RAILS_RUN_ESTIMATOR_H
