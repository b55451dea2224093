// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPERIMENT_CHECK_H
#define RAILS_EXPERIMENT_CHECK_H

#include "rails-fabric-cache.h"

#include "ns3/fabric-traits.h"
#include "ns3/rails-experiment.h"
#include "ns3/rails-run-size.h"
#include "ns3/rails-warnings.h"
#include "ns3/rails-wiring.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Checks that the parts of an experiment fit each other, without simulation or random numbers.
 * \throws ConfigurationError with the path of the offending key from the top of the descriptor
 * \return warnings about parts that work together but are probably unintended
 */
std::vector<ExperimentWarning> CheckExperiment(const Experiment& experiment);

/**
 * \param experiment passes CheckExperiment()
 * \param wiring of the experiment
 * \param traits of the wiring
 * \return the warnings of CheckExperiment()
 */
std::vector<ExperimentWarning> FindWarnings(const Experiment& experiment,
                                            const Wiring& wiring,
                                            const FabricTraits& traits);

/**
 * \param fabrics cache of wirings, shared by the calls
 * \return CheckExperiment() for many experiments
 */
std::function<std::vector<ExperimentWarning>(const Experiment&)> MakeExperimentCheck(
    std::shared_ptr<FabricCache> fabrics = std::make_shared<FabricCache>());

/**
 * \param experiment passes CheckExperiment()
 * \param fabrics cache of wirings
 * \return the estimated size of the run: the mean demand of its workload, without retransmissions;
 * uses no random numbers
 */
RunSize EstimateRunSize(const Experiment& experiment, FabricCache& fabrics);

} // namespace ns3::rails

#endif // RAILS_EXPERIMENT_CHECK_H
