// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_BENCH_H
#define RAILS_BENCH_H

#include <string>

namespace ns3::rails
{

/**
 * Measures the speed of the simulator: five times every case, alternating with empty ns-3 events,
 * and prints the medians. The cost of a frame on a link, in empty events, is comparable between
 * machines. Then measures every load balancer, alternating with per-flow ECMP, the planning of a
 * large sweep, and the plans of one server.
 * \param jsonFile optional output file of the figures
 * \param balancersOnly only measure the plans of one server
 * \return exit status
 */
int RunBench(const std::string& jsonFile, bool balancersOnly);

} // namespace ns3::rails

#endif // RAILS_BENCH_H
