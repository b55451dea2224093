// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_ESTIMATOR_H
#define RAILS_RUN_ESTIMATOR_H

#include "ns3/rails-run-size.h"

#include <cstddef>
#include <map>
#include <string>

namespace ns3::rails
{

/// Estimates how long a run takes from earlier runs of its engine, of like kind and size.
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
     * \return how long it will take in seconds: so many times its RunSize::seconds as the median of
     * those runs of its kind, or else of its engine, whose size is nearest; these themselves where
     * there are none
     */
    double Estimate(const RunSize& size) const;

  private:
    using Runs = std::multimap<double, double>; //!< seconds taken by RunSize::seconds

    static double Scale(const Runs& runs, double size);

    std::map<std::string, Runs> m_engines; //!< by engine
    std::map<std::string, Runs> m_kinds;   //!< by engine and kind
};

} // namespace ns3::rails

#endif // RAILS_RUN_ESTIMATOR_H
