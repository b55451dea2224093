// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_CLUSTER_H
#define FRAME_CLUSTER_H

#include "ns3/cluster-topology.h"
#include "ns3/frame-engine.h"
#include "ns3/frame-settings.h"

namespace ns3::rails
{

/**
 * Lays a topology and creates the packet-level engine on its wiring.
 * \param settings of its servers and switches
 * \throws ConfigurationError when the two do not fit each other, with a path from the top of the
 * descriptor
 */
Ptr<FrameEngine> BuildCluster(const Topology& topology,
                              const FrameSettings& settings = MakeFrameSettings());

} // namespace ns3::rails

#endif // FRAME_CLUSTER_H
