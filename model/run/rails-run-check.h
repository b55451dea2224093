// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_CHECK_H
#define RAILS_RUN_CHECK_H

#include "rails-run-settings.h"

#include "ns3/fabric-traits.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

#include <string>

namespace ns3::rails
{

/// What is said of rails that are apart where the topology is not known.
constexpr const char* kRailsApart = "no switch joins the rails";

/**
 * Looks for parts of a run that do not fit each other. Nothing is simulated; of a workload whose
 * random streams are fixed, what it draws to be checked is what the run will draw.
 * \param workload what is to be done
 * \param wiring the cluster
 * \param traits of the wiring
 * \param settings how it runs
 * \param railsApart why the fabric does not join the rails, where it does not
 * \throws ConfigurationError with the path that the offending key has in a descriptor
 */
void CheckRun(const Workload& workload,
              const Wiring& wiring,
              const FabricTraits& traits,
              const RunSettings& settings,
              const std::string& railsApart = kRailsApart);

/// The same but for what depends on the workload: for a program that is made already, or none.
void CheckRun(const Wiring& wiring, const FabricTraits& traits, const RunSettings& settings);

} // namespace ns3::rails

#endif // RAILS_RUN_CHECK_H
