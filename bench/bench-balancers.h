// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_BALANCERS_H
#define BENCH_BALANCERS_H

#include <nlohmann/json.hpp>

namespace ns3::rails
{

/**
 * Measures the planning time of one server as a basis for `balance.planning_time`: balancers of
 * RailS' kind, servers of 8 to 72 GPUs with as many NICs, chunks down to 64 KB. Eight servers
 * exchange 64 MB a GPU, so more GPUs also mean smaller messages. Times are processor times.
 * \param figures gets a row for each case
 * \return false when a case failed
 */
bool RunBalancerCases(nlohmann::ordered_json& figures);

} // namespace ns3::rails

#endif // BENCH_BALANCERS_H
