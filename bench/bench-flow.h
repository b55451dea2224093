// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_FLOW_H
#define BENCH_FLOW_H

#include <nlohmann/json.hpp>

namespace ns3::rails
{

/**
 * Compares the flow-level with the packet-level engine: each of 64 GPUs sends 64 MB to each GPU of
 * other servers, as whole messages and in chunks of 4 MB. The packet-level engine simulates an
 * eighth of the bytes, and its time is multiplied by eight. Then measures the flow-level engine
 * with 32,768 GPUs.
 * \param figures gets a row for each case
 * \return false when a case failed
 */
bool RunFlowCases(nlohmann::ordered_json& figures);

} // namespace ns3::rails

#endif // BENCH_FLOW_H
