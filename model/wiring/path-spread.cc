// SPDX-License-Identifier: GPL-2.0-only
#include "path-spread.h"

namespace ns3::rails
{

std::optional<PathSpread>
Combine(PathSpread host, PathSpread atSwitch)
{
    if (host == PathSpread::Adaptive || atSwitch == PathSpread::Adaptive)
    {
        return std::nullopt;
    }
    if (host == PathSpread::Routes)
    {
        return host; // with source routes a switch has no choice
    }
    switch (atSwitch)
    {
    case PathSpread::OnePath:
        // Changing entropies hash to all ports, in proportion to the weights.
        return host == PathSpread::OnePath ? PathSpread::OnePath : PathSpread::Weighted;
    case PathSpread::Even:
    case PathSpread::Weighted:
        return atSwitch; // whatever the entropy
    default:
        return std::nullopt; // switches have no source routes
    }
}

} // namespace ns3::rails
