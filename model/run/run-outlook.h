// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_OUTLOOK_H
#define RUN_OUTLOOK_H

#include "rails-engine-choice.h"
#include "rails-run-settings.h"

#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

namespace ns3::rails
{

/**
 * Looks at what a run sends, without a cluster and without drawing more than a look takes.
 * \param workload which passes Check()
 * \param setting of the workload
 * \param wiring and settings of the run
 * \return what is sent, and what of it is run where replicas do the same (Symmetry) and equal
 * micro-batches follow each other (FastForward)
 */
ExpectedTraffic EstimateTraffic(const Workload& workload,
                                const WorkloadSetting& setting,
                                const Wiring& wiring,
                                const RunSettings& settings);

} // namespace ns3::rails

#endif // RUN_OUTLOOK_H
