// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_WARNINGS_H
#define CIRCUIT_WARNINGS_H

#include "ns3/rails-run-settings.h"
#include "ns3/rails-warnings.h"
#include "ns3/rails-wiring.h"

#include <vector>

namespace ns3::rails
{

/// \throws ConfigurationError when keys for circuits are set, but the topology has no circuits
void CheckCircuitKeys(const Wiring& wiring, const OpticalOptions& options);

/// \return warnings about settings of circuits, or circuits of the wiring, without effect
std::vector<ExperimentWarning> FindCircuitWarnings(const Wiring& wiring,
                                                   const RunSettings& settings);

} // namespace ns3::rails

#endif // CIRCUIT_WARNINGS_H
