// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROPORTIONAL_ROUTING_H
#define PROPORTIONAL_ROUTING_H

#include "ns3/token-counts.h"
#include "ns3/token-routing.h"

#include <vector>

namespace ns3::rails
{

/**
 * Each source splits its tokens of an expert over the hosts in proportion to their remaining quota;
 * tokens lost by rounding go to the largest remainders (UltraEP: moe-runtime-2026, section 3.1).
 * \param ownFirst each host first takes its local tokens, up to its quota
 */
std::vector<TokenRoute> RouteInProportion(const TokenCounts& counts,
                                          const ExpertQuota& quota,
                                          bool ownFirst);

/**
 * Each source splits its tokens of an expert over the replicas in proportion to their quota,
 * rounded down. Then sources fill the replicas one by one, GPU by GPU; the rest stays at the home
 * of the expert (ECHO: moe-runtime-2026, section 4, with its breadth_first_allocation and
 * depth_first_allocation).
 */
std::vector<TokenRoute> RouteByFloors(const TokenCounts& counts,
                                      ExpertQuota quota,
                                      const ExpertSetting& setting);

} // namespace ns3::rails

#endif // PROPORTIONAL_ROUTING_H
