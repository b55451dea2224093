// SPDX-License-Identifier: GPL-2.0-only
#ifndef RHO_MAX_H
#define RHO_MAX_H

#include "ns3/rails-router.h"
#include "ns3/traffic-matrix.h"

namespace ns3::rails
{

/**
 * Largest share of their rate at which all hosts can send without overloading a link, if every flow
 * is split evenly over the working shortest paths: rho_max = B / F of arXiv 2507.21372, section 2.4
 * and appendix A. Every sending NIC divides its rate evenly over its flows. Slower links, and links
 * to NICs, count with their own rate. Without failures rho_max is 1 for a permutation and a uniform
 * all-to-all on a fabric that is not oversubscribed.
 *
 * GPUs send from their local NIC to the destination's local NIC. Traffic inside a server and pairs
 * without a path do not count.
 *
 * \param traffic the flows
 * \param router routing of the fabric, converged on the working links
 * \return above 0, at most 1
 */
double ComputeRhoMax(const TrafficMatrix& traffic, const Router& router);

} // namespace ns3::rails

#endif // RHO_MAX_H
