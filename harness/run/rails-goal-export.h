// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_GOAL_EXPORT_H
#define RAILS_GOAL_EXPORT_H

#include "ns3/rails-experiment.h"

#include <cstdint>
#include <iosfwd>

namespace ns3::rails
{

/**
 * Writes the graph of an experiment in the GOAL format, without the network and the load balancer.
 * \param experiment passes CheckExperiment()
 * \param limit largest number of operations
 * \throws ConfigurationError when the workload is no graph, has barriers, or takes more operations
 */
void ExportGoal(const Experiment& experiment, uint64_t limit, std::ostream& os);

} // namespace ns3::rails

#endif // RAILS_GOAL_EXPORT_H
