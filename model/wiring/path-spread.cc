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
        return host; // source routes leave a switch no choice
    }
    switch (atSwitch)
    {
    case PathSpread::OnePath:
        // A hash gives another entropy another port, as often as the weights say.
        return host == PathSpread::OnePath ? PathSpread::OnePath : PathSpread::Weighted;
    case PathSpread::Even:
    case PathSpread::Weighted:
        return atSwitch; // whatever the entropy
    default:
        return std::nullopt; // a switch knows no whole routes
    }
}

} // namespace ns3::rails
