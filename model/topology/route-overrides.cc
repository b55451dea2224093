// SPDX-License-Identifier: GPL-2.0-only
#include "route-overrides.h"

#include "ns3/rails-error.h"

#include <boost/algorithm/string.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

uint32_t
FindSwitch(const Wiring& wiring, std::string name)
{
    boost::trim(name);
    const uint32_t found = wiring.FindSwitch(name);
    if (found == wiring.GetSwitches().size())
    {
        throw ConfigurationError("topology.routes",
                                 "there is no switch '" + name + "'; one is named " +
                                     wiring.GetSwitches().front().name);
    }
    return found;
}

} // namespace

void
OverrideRoutes(const std::string& text, Wiring& wiring)
{
    std::vector<std::string> routes;
    boost::split(routes, text, boost::is_any_of(";"));
    for (const std::string& route : routes)
    {
        if (boost::trim_copy(route).empty())
        {
            continue;
        }
        const auto arrow = route.find('>');
        const auto via = route.find(" via ");
        if (arrow == std::string::npos || via == std::string::npos || via < arrow)
        {
            throw ConfigurationError("topology.routes",
                                     "expected 'SWITCH > EDGE via NEIGHBOUR', found '" +
                                         boost::trim_copy(route) + "'");
        }
        const uint32_t at = FindSwitch(wiring, route.substr(0, arrow));
        const uint32_t edge = FindSwitch(wiring, route.substr(arrow + 1, via - arrow - 1));
        if (!wiring.GetSwitches()[edge].hasNics)
        {
            throw ConfigurationError("topology.routes",
                                     wiring.GetSwitches()[edge].name +
                                         " is no destination: no NIC is attached to it");
        }
        std::vector<std::string> names;
        const std::string list = route.substr(via + 5);
        boost::split(names, list, boost::is_any_of(","));
        std::vector<uint16_t> ports;
        for (const std::string& name : names)
        {
            const std::vector<uint32_t> towards = wiring.FindCables(at, FindSwitch(wiring, name));
            if (towards.empty())
            {
                throw ConfigurationError("topology.routes",
                                         wiring.GetSwitches()[at].name + " has no cable to " +
                                             boost::trim_copy(name));
            }
            for (const uint32_t number : towards)
            {
                const Cable& cable = wiring.GetCables()[number];
                ports.push_back(cable.lower == at ? cable.lowerPort : cable.upperPort);
            }
        }
        wiring.Override({at, edge, std::move(ports)});
    }
}

} // namespace ns3::rails
