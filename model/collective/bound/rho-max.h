// SPDX-License-Identifier: GPL-2.0-only
#ifndef RHO_MAX_H
#define RHO_MAX_H

#include "ns3/rails-router.h"
#include "ns3/traffic-matrix.h"

namespace ns3::rails
{

/**
 * The part of their rate at which all hosts can send without overloading a link when every flow is
 * split evenly over the shortest paths that work: rho_max = B / F of arXiv 2507.21372, section 2.4
 * and appendix A. Every NIC that sends divides its rate evenly over its flows; links that are
 * slower than a NIC, and those to the NICs, count with their own rate. Without failures it is 1 for
 * a permutation and a uniform all-to-all on a fabric that is not oversubscribed.
 *
 * GPUs send by their own NIC to the destination's own; traffic inside a server does not count, and
 * pairs that no path joins do not either.
 *
 * \param traffic the flows
 * \param router the routing of the fabric, converged on the links that work
 * \return above 0, at most 1
 */
double ComputeRhoMax(const TrafficMatrix& traffic, const Router& router);

} // namespace ns3::rails

#endif // RHO_MAX_H
