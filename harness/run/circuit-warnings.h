// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_WARNINGS_H
#define CIRCUIT_WARNINGS_H

#include "ns3/rails-run-settings.h"
#include "ns3/rails-warnings.h"
#include "ns3/rails-wiring.h"

#include <vector>

namespace ns3::rails
{

/// \throws ConfigurationError when keys are set for circuits that the topology does not have
void CheckCircuitKeys(const Wiring& wiring, const OpticalOptions& options);

/// \return what is set, or laid, for circuits and has no effect
std::vector<ExperimentWarning> FindCircuitWarnings(const Wiring& wiring,
                                                   const RunSettings& settings);

} // namespace ns3::rails

#endif // CIRCUIT_WARNINGS_H
