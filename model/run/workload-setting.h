// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_SETTING_H
#define WORKLOAD_SETTING_H

#include "rails-run-settings.h"

#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

namespace ns3::rails
{

/**
 * \param workload what it is for
 * \param wiring the cluster
 * \param settings how it runs
 * \return what the workload is told of the cluster
 * \throws ConfigurationError when circuits are to be moved for it and it cannot use them
 */
WorkloadSetting MakeWorkloadSetting(const Workload& workload,
                                    const Wiring& wiring,
                                    const RunSettings& settings);

} // namespace ns3::rails

#endif // WORKLOAD_SETTING_H
