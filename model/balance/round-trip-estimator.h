// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUND_TRIP_ESTIMATOR_H
#define ROUND_TRIP_ESTIMATOR_H

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * Smoothed round-trip time, its mean deviation, and the time-out that follows from them:
 * RTO = srtt + 4 * mdev, with weights 1/8 and 1/4 of a new sample. (RFC 6298, section 2)
 */
class RoundTripEstimator
{
  public:
    RoundTripEstimator() = default;

    /**
     * \param initialRto time-out before the first sample, in ps
     * \param minimumRto smallest time-out after it, in ps
     */
    RoundTripEstimator(TimePs initialRto, TimePs minimumRto);

    /// A round trip was measured, in ps.
    void Add(TimePs roundTrip);

    /// \return the smoothed round trip in ps, 0 before the first sample
    TimePs GetSmoothed() const
    {
        return m_smoothed;
    }

    /// \return the time-out in ps
    TimePs GetRto() const
    {
        return m_rto;
    }

  private:
    TimePs m_minimumRto{0};
    TimePs m_smoothed{0}; // 0: no sample yet
    TimePs m_deviation{0};
    TimePs m_rto{0};
};

} // namespace ns3::rails

#endif // ROUND_TRIP_ESTIMATOR_H
