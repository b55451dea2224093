// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_PLANNERS_H
#define BENCH_PLANNERS_H

#include <nlohmann/json.hpp>

namespace ns3::rails
{

/**
 * Measures how long one server takes to plan what it sends, for planners of RailS' kind, servers of
 * 8 to 72 GPUs with as many NICs, and pieces down to 64 KB: what `balance.planning_time` may be set
 * to. Eight servers exchange 64 MB a GPU, so that more GPUs also mean smaller messages. Times are
 * those of the processor.
 * \param figures gets a row for each case
 * \return false when a case failed
 */
bool RunPlannerCases(nlohmann::ordered_json& figures);

} // namespace ns3::rails

#endif // BENCH_PLANNERS_H
