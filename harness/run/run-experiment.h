// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_EXPERIMENT_H
#define RUN_EXPERIMENT_H

#include "rails-experiment-check.h"
#include "rails-progress.h"

#include "ns3/rails-experiment.h"
#include "ns3/rails-result.h"

#include <string>

namespace ns3::rails
{

/**
 * Runs an experiment from the first post to the last ACK, or a study of an expert placement policy.
 * The time resolution must be picoseconds. Sets the seeds of RngSeedManager and destroys the
 * simulation at the end, so that runs can follow each other in one process.
 * \param onProgress called about ten times a wall-clock second during the simulation; may be empty
 * \param scheduler TypeId name of the ns-3 event scheduler, which does not affect the result
 * \throws ConfigurationError when the parts do not fit each other
 */
Result RunExperiment(const Experiment& experiment,
                     const ProgressCallback& onProgress = nullptr,
                     const std::string& scheduler = "ns3::HeapScheduler");

} // namespace ns3::rails

#endif // RUN_EXPERIMENT_H
