// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTE_OVERRIDES_H
#define ROUTE_OVERRIDES_H

#include "ns3/rails-wiring.h"

#include <string>

namespace ns3::rails
{

/**
 * Replaces next hops as the key `topology.routes` says.
 * \param text 'SWITCH > EDGE via NEIGHBOUR[, NEIGHBOUR]; ...'; may be empty
 * \param wiring with all its links
 * \throws ConfigurationError for a wrong syntax or an unknown switch
 */
void OverrideRoutes(const std::string& text, Wiring& wiring);

} // namespace ns3::rails

#endif // ROUTE_OVERRIDES_H
