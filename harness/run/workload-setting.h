// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_SETTING_H
#define WORKLOAD_SETTING_H

#include "ns3/rails-experiment.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

namespace ns3::rails
{

/**
 * \param experiment whose workload it is for
 * \param wiring of its topology
 * \return what the workload is told of the cluster
 * \throws ConfigurationError when circuits are to be moved for it and it cannot use them
 */
WorkloadSetting MakeWorkloadSetting(const Experiment& experiment, const Wiring& wiring);

} // namespace ns3::rails

#endif // WORKLOAD_SETTING_H
