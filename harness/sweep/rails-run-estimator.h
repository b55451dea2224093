// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_ESTIMATOR_H
#define RAILS_RUN_ESTIMATOR_H

#include "ns3/rails-run-size.h"

#include <cstddef>
#include <map>
#include <string>

namespace ns3::rails
{

/// Estimates the duration of a run from earlier runs of its engine, of similar kind and size.
class RunEstimator
{
  public:
    /**
     * Takes an earlier run into account.
     * \param size estimated size of the run
     * \param seconds its actual duration
     */
    void Learn(const RunSize& size, double seconds);

    /// \return number of earlier runs
    std::size_t GetRuns() const;

    /**
     * \param size of a future run
     * \return the estimated duration in seconds: its RunSize::seconds times the median ratio of
     * actual to estimated time, over the runs of nearest size of its kind, or else of its engine.
     * Without earlier runs RunSize::seconds.
     */
    double Estimate(const RunSize& size) const;

  private:
    using Runs = std::multimap<double, double>; //!< actual duration by RunSize::seconds

    static double Scale(const Runs& runs, double size);

    std::map<std::string, Runs> m_engines; //!< by engine
    std::map<std::string, Runs> m_kinds;   //!< by engine and kind
};

} // namespace ns3::rails

#endif // RAILS_RUN_ESTIMATOR_H
