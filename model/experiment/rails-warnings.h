// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WARNINGS_H
#define RAILS_WARNINGS_H

#include "rails-experiment.h"

#include "ns3/fabric-traits.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/// Something that an experiment may well do, and that is hardly ever meant.
struct ExperimentWarning
{
    std::string key;     //!< path of the key from the top of the descriptor
    std::string message; //!< what follows from it, and the remedy
};

/**
 * \param experiment an experiment that can be run
 * \param traits of its fabric
 * \return what a user should think over before it is run; most often nothing
 */
std::vector<ExperimentWarning> FindWarnings(const Experiment& experiment,
                                            const FabricTraits& traits);

} // namespace ns3::rails

#endif // RAILS_WARNINGS_H
