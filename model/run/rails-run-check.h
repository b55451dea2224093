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

/// Default reason for rails without a path between them.
constexpr const char* kRailsApart = "no switch joins the rails";

/**
 * Checks that the parts of a run fit each other, without a simulation. A workload with fixed random
 * streams draws the same as in the run.
 * \param traits of the wiring
 * \param railsApart why the fabric does not join the rails, where it does not
 * \throws ConfigurationError with the path of the offending key in a descriptor
 */
void CheckRun(const Workload& workload,
              const Wiring& wiring,
              const FabricTraits& traits,
              const RunSettings& settings,
              const std::string& railsApart = kRailsApart);

/// Checks all but the workload: for a program that is made already, or none.
void CheckRun(const Wiring& wiring, const FabricTraits& traits, const RunSettings& settings);

} // namespace ns3::rails

#endif // RAILS_RUN_CHECK_H
