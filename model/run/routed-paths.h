// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTED_PATHS_H
#define ROUTED_PATHS_H

#include "rails-run-settings.h"

#include "ns3/fabric-paths.h"
#include "ns3/rails-wiring.h"

#include <memory>

namespace ns3::rails
{

/**
 * \param wiring all of its links must work; must outlive the result
 * \param settings of the run; with adaptive routing, all shortest paths count evenly
 * \return the paths of queue pairs, found on first use
 */
std::shared_ptr<const FabricPaths> MakeRoutedWays(const Wiring& wiring,
                                                  const RunSettings& settings);

} // namespace ns3::rails

#endif // ROUTED_PATHS_H
