// SPDX-License-Identifier: GPL-2.0-only
#include "round-trip-estimator.h"

#include <algorithm>

namespace ns3::rails
{

RoundTripEstimator::RoundTripEstimator(TimePs initialRto, TimePs minimumRto)
    : m_minimumRto(minimumRto),
      m_rto(initialRto)
{
}

void
RoundTripEstimator::Add(TimePs roundTrip)
{
    if (m_smoothed == 0)
    {
        m_smoothed = roundTrip;
        m_deviation = roundTrip / 2;
    }
    else
    {
        const TimePs error = roundTrip - m_smoothed;
        m_deviation += ((error < 0 ? -error : error) - m_deviation) / 4;
        m_smoothed += error / 8;
    }
    m_rto = std::max(m_minimumRto, m_smoothed + 4 * m_deviation);
}

} // namespace ns3::rails
