// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_FLOW_H
#define BENCH_FLOW_H

#include <nlohmann/json.hpp>

namespace ns3::rails
{

/**
 * Measures the engine of flows beside that of frames: 64 GPUs of which each sends 64 MB to each in
 * another server, as whole messages and in pieces of 4 MB. Frames move an eighth of that, and are
 * taken to need eight times as long for all of it. Then it measures flows among 32,768 GPUs.
 * \param figures gets a row for each
 * \return false when a case failed
 */
bool RunFlowCases(nlohmann::ordered_json& figures);

} // namespace ns3::rails

#endif // BENCH_FLOW_H
