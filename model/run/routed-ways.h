// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTED_WAYS_H
#define ROUTED_WAYS_H

#include "rails-run-settings.h"

#include "ns3/fabric-ways.h"
#include "ns3/rails-wiring.h"

#include <memory>

namespace ns3::rails
{

/**
 * \param wiring the cluster, all of whose cables work; it outlives them
 * \param settings how it runs; where frames choose their way by what happens in the fabric, all
 * shortest ones are taken evenly
 * \return the ways that queue pairs will take, found when they are first asked for
 */
std::shared_ptr<const FabricWays> MakeRoutedWays(const Wiring& wiring, const RunSettings& settings);

} // namespace ns3::rails

#endif // ROUTED_WAYS_H
