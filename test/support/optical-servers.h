// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPTICAL_SERVERS_H
#define OPTICAL_SERVERS_H

#include "test-cluster.h"

#include "ns3/cluster-topology.h"
#include "ns3/component-list.h"
#include "ns3/nic-group.h"
#include "ns3/nic-groups-topology.h"
#include "ns3/rail-topology.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

inline Ptr<NicGroup>
MakeGroup(const std::vector<uint32_t>& nics, const std::string& fabric)
{
    const Ptr<NicGroup> group = CreateObject<NicGroup>();
    group->SetAttribute("Nics", CountListValue(CountList(nics)));
    group->SetAttribute("Fabric", StringValue(fabric));
    return group;
}

/**
 * \param servers number of servers with one GPU
 * \param nics of a server at the optical switch of its region, in addition to one on a rail
 * \param optical fabric of these NICs
 */
inline Ptr<NicGroupsTopology>
MakeOpticalServers(uint32_t servers, uint32_t nics, const Ptr<Topology>& optical)
{
    std::vector<uint32_t> onCircuits(nics);
    std::iota(onCircuits.begin(), onCircuits.end(), 0);
    const std::vector<std::pair<std::string, Ptr<Topology>>> fabrics{
        {"ocs", optical},
        {"eps", CreateObject<RailTopology>()}};
    const std::vector<Ptr<NicGroup>> groups{MakeGroup(onCircuits, "ocs"), MakeGroup({nics}, "eps")};
    const Ptr<NicGroupsTopology> topology = CreateObject<NicGroupsTopology>();
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("GpusPerDomain", UintegerValue(1));
    topology->SetAttribute("NicsPerDomain", UintegerValue(nics + 1));
    topology->SetAttribute("Fabrics", ComponentListValue(fabrics));
    topology->SetAttribute("NicGroups", ComponentListValue(groups));
    return topology;
}

} // namespace ns3::rails::test

#endif // OPTICAL_SERVERS_H
