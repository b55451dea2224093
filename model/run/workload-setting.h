// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_SETTING_H
#define WORKLOAD_SETTING_H

#include "rails-run-settings.h"

#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

namespace ns3::rails
{

/**
 * \return the cluster as a workload sees it
 * \throws ConfigurationError when circuits follow demands and the workload cannot announce them
 */
WorkloadSetting MakeWorkloadSetting(const Workload& workload,
                                    const Wiring& wiring,
                                    const RunSettings& settings);

} // namespace ns3::rails

#endif // WORKLOAD_SETTING_H
