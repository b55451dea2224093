// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAX_MIN_CERTIFICATE_H
#define MAX_MIN_CERTIFICATE_H

#include "sharing-graph.h"

#include <string>

namespace ns3::rails
{

/**
 * Looks at everything anew: whether no resource gives more than it has, and each flow has a
 * bottleneck.
 * \param graph with rates that are held to be max-min fair
 * \param ratePrecision what does not matter of a rate, as a part
 * \param loadPrecision what does not matter of a load, as a part of a capacity
 * \return a sentence about what does not hold; empty when all is well
 */
std::string FindViolation(const SharingGraph& graph, double ratePrecision, double loadPrecision);

} // namespace ns3::rails

#endif // MAX_MIN_CERTIFICATE_H
