// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROPORTIONAL_ROUTING_H
#define PROPORTIONAL_ROUTING_H

#include "ns3/token-counts.h"
#include "ns3/token-routing.h"

#include <vector>

namespace ns3::rails
{

/**
 * Each source deals its tokens of an expert over the hosts in proportion to what these can still
 * take; what rounding leaves goes to the largest remainders (UltraEP: moe-runtime-2026, section
 * 3.1).
 * \param ownFirst each host first takes its own tokens, as far as its share reaches
 */
std::vector<TokenRoute> RouteInProportion(const TokenCounts& counts,
                                          const ExpertQuota& quota,
                                          bool ownFirst);

/**
 * Each source deals its tokens of an expert over the copies in proportion to their shares, rounded
 * down. Source by source then fills the copies up, GPU by GPU, and what is left stays at the home
 * of the expert (ECHO: moe-runtime-2026, section 4, with its breadth_first_allocation and
 * depth_first_allocation).
 */
std::vector<TokenRoute> RouteByFloors(const TokenCounts& counts,
                                      ExpertQuota quota,
                                      const ExpertSetting& setting);

} // namespace ns3::rails

#endif // PROPORTIONAL_ROUTING_H
