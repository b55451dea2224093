// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SCENARIO_H
#define RAILS_SCENARIO_H

#include "rails-experiment.h"
#include "rails-progress.h"
#include "rails-result.h"
#include "rails-warnings.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Looks for parts of an experiment that do not fit each other.
 * \throws ConfigurationError with the path of the offending key from the top of the descriptor
 * \return parts that work together and are hardly meant to
 */
std::vector<ExperimentWarning> CheckExperiment(const Experiment& experiment);

/// \return the same for many experiments: equal fabrics are laid once
std::function<std::vector<ExperimentWarning>(const Experiment&)> MakeExperimentCheck();

/**
 * \return how many data frames an experiment will send, about: what its workload asks for on
 * average, in full frames, without retransmissions; nothing is drawn
 */
double EstimateFrames(const Experiment& experiment);

/**
 * Runs an experiment from the first post to the last ACK. The time resolution must be picoseconds.
 * Leaves ns-3 as it found it, so that runs can follow each other in one process.
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
