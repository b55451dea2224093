// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_BENCH_H
#define RAILS_BENCH_H

#include <string>

namespace ns3::rails
{

/**
 * Measures the speed of the simulator: every case in turn with empty ns-3 events, five times, and
 * prints the medians. What survives a change of machine is the ratio: the cost of a frame crossing
 * a link, in empty events. Then it measures every load balancer in turn with per-flow ECMP, and the
 * planning of a large sweep, and the plans of a server.
 * \param jsonFile where to write the figures as well; empty for nowhere
 * \param plannersOnly true for the plans of a server alone
 * \return exit status
 */
int RunBench(const std::string& jsonFile, bool plannersOnly);

} // namespace ns3::rails

#endif // RAILS_BENCH_H
