// SPDX-License-Identifier: GPL-2.0-only
#include "frame-cluster.h"

#include <memory>

namespace ns3::rails
{

Ptr<FrameEngine>
BuildCluster(const Topology& topology, const FrameSettings& settings)
{
    const std::shared_ptr<Wiring> wiring = topology.Lay();
    return CreateObject<FrameEngine>(wiring, std::make_shared<Router>(*wiring), settings);
}

} // namespace ns3::rails
