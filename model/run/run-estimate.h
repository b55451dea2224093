// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_ESTIMATE_H
#define RUN_ESTIMATE_H

#include "rails-engine-choice.h"
#include "rails-run-settings.h"

#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

namespace ns3::rails
{

/**
 * Estimates the traffic of a run, without a cluster and with few random draws.
 * \param workload that passes Check()
 * \return the traffic in all, and the part that is simulated with folded replicas (Symmetry) and
 * omitted micro-batches (FastForward)
 */
ExpectedTraffic EstimateTraffic(const Workload& workload,
                                const WorkloadSetting& setting,
                                const Wiring& wiring,
                                const RunSettings& settings);

} // namespace ns3::rails

#endif // RUN_ESTIMATE_H
