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
 * Looks for parts of an experiment that do not fit each other. Nothing is simulated or drawn.
 * \throws ConfigurationError with the path of the offending key from the top of the descriptor
 * \return parts that work together and are hardly meant to
 */
std::vector<ExperimentWarning> CheckExperiment(const Experiment& experiment);

/**
 * \param wiring of the experiment, which passes CheckExperiment()
 * \param traits of the wiring
 * \return what CheckExperiment() does
 */
std::vector<ExperimentWarning> FindWarnings(const Experiment& experiment,
                                            const Wiring& wiring,
                                            const FabricTraits& traits);

/**
 * \param fabrics remembers those that were laid, which need not be laid again
 * \return CheckExperiment() for many experiments
 */
std::function<std::vector<ExperimentWarning>(const Experiment&)> MakeExperimentCheck(
    std::shared_ptr<FabricCache> fabrics = std::make_shared<FabricCache>());

/**
 * \param experiment passes CheckExperiment()
 * \param fabrics remembers those that were laid
 * \return how large the run of an experiment will be, about: what its workload asks for on average,
 * without retransmissions; nothing is drawn
 */
RunSize EstimateRunSize(const Experiment& experiment, FabricCache& fabrics);

} // namespace ns3::rails

#endif // RAILS_EXPERIMENT_CHECK_H
