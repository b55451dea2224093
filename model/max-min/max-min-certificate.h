// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAX_MIN_CERTIFICATE_H
#define MAX_MIN_CERTIFICATE_H

#include "max-min-system.h"

#include <string>

namespace ns3::rails
{

/**
 * Checks from scratch that no constraint exceeds its capacity, and that each flow has a bottleneck.
 * \param system with rates that should be max-min fair
 * \param ratePrecision tolerated relative error of a rate
 * \param loadPrecision tolerated error of a load, relative to the capacity
 * \return a sentence about the first violation; empty without one
 */
std::string FindViolation(const MaxMinSystem& system, double ratePrecision, double loadPrecision);

} // namespace ns3::rails

#endif // MAX_MIN_CERTIFICATE_H
