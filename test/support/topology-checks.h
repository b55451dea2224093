// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOPOLOGY_CHECKS_H
#define TOPOLOGY_CHECKS_H

#include "test-cluster.h"

#include "ns3/fabric-traits.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails::test
{

/// \return the traits of the fabric that a topology lays
inline FabricTraits
GetTraits(const Topology& topology)
{
    return FindTraits(*topology.Lay());
}

/// \return number of ports by port class
inline std::map<std::string, int>
CountPorts(const FrameEngine& cluster)
{
    std::map<std::string, int> counts;
    for (const Ptr<Port>& port : cluster.GetPorts())
    {
        ++counts[port->GetIdentity().portClass];
    }
    return counts;
}

inline std::vector<std::string>
GetSwitchNames(const FrameEngine& cluster)
{
    std::vector<std::string> names;
    for (const Ptr<Switch>& at : cluster.GetSwitches())
    {
        names.push_back(at->GetName());
    }
    return names;
}

/// \return names of the neighbour nodes of a switch, by port
inline std::vector<std::string>
GetNeighbours(const FrameEngine& cluster, const Switch& at)
{
    std::vector<std::string> names;
    for (const Ptr<Port>& port : at.GetPorts())
    {
        names.push_back(cluster.GetNodeName(port->GetPeer().GetIdentity().node));
    }
    return names;
}

/// Expects that building a topology fails with a ConfigurationError for a key.
inline void
ExpectRefused(Ptr<Topology> topology, const std::string& key)
{
    TestCluster test(topology);
    try
    {
        test.Build();
        ADD_FAILURE() << "accepted, where " << key << " is wrong";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), key) << error.what();
    }
}

} // namespace ns3::rails::test

#endif // TOPOLOGY_CHECKS_H
