// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-ports.h"

namespace ns3::rails
{

FabricPorts::FabricPorts(const Wiring& wiring)
{
    const std::vector<WiredSwitch>& switches = wiring.GetSwitches();
    for (uint32_t at = 0; at < switches.size(); ++at)
    {
        m_first.push_back(static_cast<uint32_t>(m_places.size()));
        for (const uint32_t number : switches[at].cables)
        {
            const Cable& cable = wiring.GetCables()[number];
            if (cable.isNic)
            {
                m_places.push_back({kNoSwitch, GetDownDirection(number)});
            }
            else if (cable.lower == at)
            {
                m_places.push_back({cable.upper, GetUpDirection(number)});
            }
            else
            {
                m_places.push_back({cable.lower, GetDownDirection(number)});
            }
        }
    }
}

} // namespace ns3::rails
