// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIMGRID_MODEL_H
#define SIMGRID_MODEL_H

#include <simgrid/s4u.hpp>

namespace ns3::rails::test
{

/// Sets SimGrid's model that knows nothing but max-min fairness, as exact as the engine of flows.
inline void
SetPlainModel()
{
    for (const char* setting : {"network/model:CM02",
                                "network/crosstraffic:0",
                                "network/TCP-gamma:0",
                                "network/bandwidth-factor:1",
                                "network/latency-factor:1",
                                "network/weight-S:0",
                                "maxmin/precision:1e-9",
                                "surf/precision:1e-9"})
    {
        simgrid::s4u::Engine::set_config(setting);
    }
}

} // namespace ns3::rails::test

#endif // SIMGRID_MODEL_H
