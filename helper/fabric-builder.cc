// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-builder.h"

#include "ns3/rails-error.h"

#include <boost/algorithm/string.hpp>

namespace ns3::rails
{

FabricBuilder::FabricBuilder(Ptr<GpuCluster> cluster,
                             Ptr<const SwitchProfile> profile,
                             Ptr<const PortSelector> selector,
                             TimePs delay)
    : m_cluster(cluster),
      m_profile(profile),
      m_selector(selector),
      m_delay(delay)
{
}

Switch&
FabricBuilder::AddSwitch(const std::string& name)
{
    Switch& added = m_cluster->AddSwitch(name, m_profile, m_selector);
    m_byName[name] = &added;
    return added;
}

void
FabricBuilder::Attach(uint32_t domain, uint32_t rail, Switch& edge, uint32_t region)
{
    m_cluster->Attach(domain, rail, edge, region, m_delay);
}

void
FabricBuilder::Join(Switch& lower, Switch& upper, const CableKind& kind)
{
    for (uint32_t cable = 0; cable < kind.parallel; ++cable)
    {
        const auto [up, down] = m_cluster->Join(lower,
                                                kind.lowerClass,
                                                upper,
                                                kind.upperClass,
                                                kind.rateBps,
                                                m_delay,
                                                kind.cost);
        m_ports[{&lower, &upper}].push_back(up);
        m_ports[{&upper, &lower}].push_back(down);
    }
}

Switch&
FabricBuilder::FindSwitch(std::string name) const
{
    boost::trim(name);
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
    {
        throw ConfigurationError("topology.routes",
                                 "there is no switch '" + name + "'; one is named " +
                                     m_byName.begin()->first);
    }
    return *found->second;
}

void
FabricBuilder::OverrideRoutes(const std::string& text)
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
        Switch& at = FindSwitch(route.substr(0, arrow));
        const Switch& edge = FindSwitch(route.substr(arrow + 1, via - arrow - 1));
        std::vector<std::string> names;
        const std::string list = route.substr(via + 5);
        boost::split(names, list, boost::is_any_of(","));
        std::vector<uint16_t> ports;
        for (const std::string& name : names)
        {
            const auto towards = m_ports.find({&at, &FindSwitch(name)});
            if (towards == m_ports.end())
            {
                throw ConfigurationError("topology.routes",
                                         at.GetName() + " has no cable to " +
                                             boost::trim_copy(name));
            }
            ports.insert(ports.end(), towards->second.begin(), towards->second.end());
        }
        m_cluster->GetRouter().Override(at, edge.GetNumber(), ports);
    }
}

} // namespace ns3::rails
