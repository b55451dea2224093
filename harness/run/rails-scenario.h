// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SCENARIO_H
#define RAILS_SCENARIO_H

#include "rails-experiment-check.h"
#include "rails-progress.h"

#include "ns3/rails-experiment.h"
#include "ns3/rails-result.h"

#include <string>

namespace ns3::rails
{

/**
 * Runs an experiment from the first post to the last ACK, or a study of experts' policies. The time
 * resolution must be picoseconds. Leaves ns-3 as it found it, so that runs can follow each other in
 * one process.
 * \param experiment what to run
 * \param onProgress called about ten times a second while the simulation goes on; may be empty
 * \param scheduler TypeId name of the ns-3 event scheduler, which changes nothing of the result
 * \throws ConfigurationError when the parts do not fit each other
 */
Result RunScenario(const Experiment& experiment,
                   const ProgressCallback& onProgress = nullptr,
                   const std::string& scheduler = "ns3::HeapScheduler");

} // namespace ns3::rails

#endif // RAILS_SCENARIO_H
