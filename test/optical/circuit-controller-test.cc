// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"
#include "circuit-fixtures.h"

#include "ns3/circuit-controller.h"
#include "ns3/component-list.h"
#include "ns3/nic-group.h"
#include "ns3/nic-groups-topology.h"
#include "ns3/optical-topology.h"
#include "ns3/rail-topology.h"
#include "ns3/rails-error.h"
#include "ns3/simulator.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Eight servers of one GPU in two regions, with six NICs at their optical switch and one
/// elsewhere.
class CircuitControllerTest : public testing::Test
{
  protected:
    CircuitControllerTest()
    {
        const Ptr<Topology> optical = CreateObject<OpticalTopology>();
        optical->SetAttribute("Region", UintegerValue(4));
        const std::vector<std::pair<std::string, Ptr<Topology>>> fabrics{
            {"ocs", optical},
            {"eps", CreateObject<RailTopology>()}};
        const std::vector<Ptr<NicGroup>> groups{MakeGroup({0, 1, 2, 3, 4, 5}, "ocs"),
                                                MakeGroup({6}, "eps")};
        const Ptr<Topology> topology = CreateObject<NicGroupsTopology>();
        topology->SetAttribute("Domains", UintegerValue(8));
        topology->SetAttribute("GpusPerDomain", UintegerValue(1));
        topology->SetAttribute("NicsPerDomain", UintegerValue(7));
        topology->SetAttribute("Fabrics", ComponentListValue(fabrics));
        topology->SetAttribute("NicGroups", ComponentListValue(groups));
        wiring = topology->Lay();
        controller = std::make_unique<CircuitController>(wiring, MakePlanner("Greedy"), CutRules{});
    }

    ~CircuitControllerTest() override
    {
        Simulator::Destroy();
    }

    static Ptr<NicGroup> MakeGroup(const std::vector<uint32_t>& nics, const std::string& fabric)
    {
        const Ptr<NicGroup> group = CreateObject<NicGroup>();
        group->SetAttribute("Nics", CountListValue(CountList(nics)));
        group->SetAttribute("Fabric", StringValue(fabric));
        return group;
    }

    static Ptr<CircuitPlanner> MakePlanner(const std::string& type)
    {
        return ObjectFactory("ns3::rails::" + type + "CircuitPlanner").Create<CircuitPlanner>();
    }

    /// \return a demand of a region where all pairs have the same
    CircuitDemand MakeEven(uint32_t region) const
    {
        CircuitDemand demand = controller->MakeDemand(region);
        for (uint32_t from = 0; from < 4; ++from)
        {
            for (uint32_t to = 0; to < 4; ++to)
            {
                demand.Add(4 * region + from, 4 * region + to, from == to ? 0 : 100);
            }
        }
        return demand;
    }

    /// \return by server that circuits of a server lead to: its own NICs that do
    std::map<uint32_t, std::vector<uint32_t>> ListCircuits(uint32_t server) const
    {
        std::map<uint32_t, std::vector<uint32_t>> circuits;
        for (uint32_t nic = 7 * server; nic < 7 * server + 7; ++nic)
        {
            if (wiring->GetCircuit(nic) != nic)
            {
                EXPECT_EQ(wiring->GetCircuit(wiring->GetCircuit(nic)), nic);
                circuits[wiring->GetCircuit(nic) / 7].push_back(nic % 7);
            }
        }
        return circuits;
    }

    static void RunUntil(TimePs time)
    {
        Simulator::Stop(PicoSeconds(time - NowPs()));
        Simulator::Run();
    }

    std::shared_ptr<Wiring> wiring;
    std::unique_ptr<CircuitController> controller;
};

TEST_F(CircuitControllerTest, KnowsTheRegionsOfAWiring)
{
    EXPECT_EQ(controller->FindRegion(0), 0U);
    EXPECT_EQ(controller->FindRegion(3), 0U);
    EXPECT_EQ(controller->FindRegion(4), 1U);
    EXPECT_EQ(controller->FindRegion(7), 1U);
    EXPECT_EQ(controller->MakeDemand(1).GetServers(), 4U);
}

TEST_F(CircuitControllerTest, ARegionIsDarkUntilItsNewCircuitsAreThere)
{
    controller->Reconfigure(1, MakeEven(1), 10, 30);
    RunUntil(29);
    EXPECT_TRUE(ListCircuits(4).empty());
    RunUntil(31);
    EXPECT_EQ(ListCircuits(4).size(), 3U);
    EXPECT_TRUE(ListCircuits(0).empty()) << "the other region";
    controller->Reconfigure(1, MakeEven(1), 40, 50);
    RunUntil(39);
    EXPECT_EQ(ListCircuits(4).size(), 3U) << "the old ones stay until then";
    RunUntil(41);
    EXPECT_TRUE(ListCircuits(4).empty()) << "all of it, also those that do not change";
    RunUntil(51);
    EXPECT_EQ(ListCircuits(4).size(), 3U);
}

TEST_F(CircuitControllerTest, ParallelCircuitsAreAtBothHalvesOfAServer)
{
    controller->Reconfigure(0, MakeEven(0), 1, 2);
    RunUntil(3);
    for (uint32_t server = 0; server < 4; ++server)
    {
        const auto circuits = ListCircuits(server);
        ASSERT_EQ(circuits.size(), 3U);
        for (const auto& [to, nics] : circuits)
        {
            ASSERT_EQ(nics.size(), 2U) << "six ports, three others";
            EXPECT_LT(nics[0], 3U);
            EXPECT_GE(nics[1], 3U);
        }
    }
}

TEST_F(CircuitControllerTest, SaysWhatItDid)
{
    controller->Reconfigure(0, MakeEven(0), 5, 9);
    controller->Reconfigure(1, MakeEven(1), 6, 10);
    const CircuitController::Record& record = controller->GetRecord();
    EXPECT_EQ(record.reconfigurations, 2U);
    EXPECT_EQ(record.circuits, 24U);
    EXPECT_EQ(record.totalBytes, 2400U);
    EXPECT_EQ(record.servedBytes, 2400U);
    EXPECT_EQ(record.dark, 8);
}

TEST_F(CircuitControllerTest, RefusesCircuitsThatFollowEachOtherInSlots)
{
    EXPECT_NO_THROW(CircuitController::Check(*wiring, *MakePlanner("Exact")));
    EXPECT_THROW(CircuitController::Check(*wiring, *MakePlanner("Birkhoff")), ConfigurationError);
}

TEST_F(CircuitControllerTest, CircuitsJoinNicsOfOneOpticalSwitchOnly)
{
    wiring->AddCircuit(0, 7);
    EXPECT_TRUE(wiring->MayJoin(0, 7));
    EXPECT_FALSE(wiring->MayJoin(0, 14));
    EXPECT_FALSE(wiring->MayJoin(1, 7));
    EXPECT_TRUE(wiring->MayJoin(6, 13)) << "of the packet fabric";
    EXPECT_THROW(wiring->AddCircuit(0, 14), std::logic_error) << "it has one";
    EXPECT_THROW(wiring->AddCircuit(1, 29), std::logic_error) << "another region";
    EXPECT_THROW(wiring->AddCircuit(6, 13), std::logic_error) << "no optical switch";
    wiring->EndCircuit(7, {});
    EXPECT_FALSE(wiring->MayJoin(0, 7));
    EXPECT_NO_THROW(wiring->AddCircuit(0, 14));
}

} // namespace

} // namespace ns3::rails::test
