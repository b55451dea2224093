// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTE_OVERRIDES_H
#define ROUTE_OVERRIDES_H

#include "ns3/rails-wiring.h"

#include <string>

namespace ns3::rails
{

/**
 * Replaces next hops by those of the `topology.routes` key.
 * \param text 'SWITCH > EDGE via NEIGHBOUR[, NEIGHBOUR]; ...'; may be empty
 * \param wiring whose next hops; all of its cables are laid
 * \throws ConfigurationError when the text cannot be understood or names what does not exist
 */
void OverrideRoutes(const std::string& text, Wiring& wiring);

} // namespace ns3::rails

#endif // ROUTE_OVERRIDES_H
