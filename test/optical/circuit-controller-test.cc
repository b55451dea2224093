// SPDX-License-Identifier: GPL-2.0-only
#include "../support/optical-servers.h"
#include "circuit-fixtures.h"

#include "ns3/circuit-controller.h"
#include "ns3/cluster-topology.h"
#include "ns3/component-maker.h"
#include "ns3/rails-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// \return servers of one GPU in regions of four and behind them spare ones, with six NICs at an
/// optical switch and one elsewhere
std::shared_ptr<Wiring>
LayServers(uint32_t servers, uint32_t spares)
{
    const Ptr<Topology> optical = MakeComponent<Topology>("OpticalTopology");
    optical->SetAttribute("Region", UintegerValue(4));
    optical->SetAttribute("Spares", UintegerValue(spares));
    return MakeOpticalServers(servers, 6, optical)->Lay();
}

/// Eight servers of one GPU in two regions, with six NICs at their optical switch and one
/// elsewhere.
class CircuitControllerTest : public testing::Test
{
  protected:
    CircuitControllerTest()
    {
        wiring = LayServers(8, 0);
        controller = std::make_unique<CircuitController>(wiring,
                                                         MakePlanner("Greedy"),
                                                         MOVES_ALWAYS,
                                                         DARK_REGION,
                                                         CutRules{});
    }

    ~CircuitControllerTest() override
    {
        Simulator::Destroy();
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
            if (wiring->GetCircuits().GetPeer(nic) != nic)
            {
                EXPECT_EQ(wiring->GetCircuits().GetPeer(wiring->GetCircuits().GetPeer(nic)), nic);
                circuits[wiring->GetCircuits().GetPeer(nic) / 7].push_back(nic % 7);
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
    controller->Reconfigure(1, MakeEven(1), {10, 30});
    RunUntil(29);
    EXPECT_TRUE(ListCircuits(4).empty());
    RunUntil(31);
    EXPECT_EQ(ListCircuits(4).size(), 3U);
    EXPECT_TRUE(ListCircuits(0).empty()) << "the other region";
    controller->Reconfigure(1, MakeEven(1), {40, 50});
    RunUntil(39);
    EXPECT_EQ(ListCircuits(4).size(), 3U) << "the old ones stay until then";
    RunUntil(41);
    EXPECT_TRUE(ListCircuits(4).empty()) << "all of it, also those that do not change";
    RunUntil(51);
    EXPECT_EQ(ListCircuits(4).size(), 3U);
}

TEST_F(CircuitControllerTest, ParallelCircuitsAreAtBothHalvesOfAServer)
{
    controller->Reconfigure(0, MakeEven(0), {1, 2});
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
    controller->Reconfigure(0, MakeEven(0), {5, 9});
    controller->Reconfigure(1, MakeEven(1), {6, 10});
    const CircuitController::Record record = controller->GetRecord();
    EXPECT_EQ(record.reconfigurations, 2U);
    EXPECT_EQ(record.circuits, 24U);
    EXPECT_EQ(record.totalBytes, 2400U);
    EXPECT_EQ(record.servedBytes, 2400U);
    EXPECT_EQ(record.dark, 8);
}

TEST_F(CircuitControllerTest, RefusesFewerSlotsThanItTakes)
{
    const Ptr<CircuitPlanner> planner = MakePlanner("Birkhoff");
    EXPECT_NO_THROW(CircuitController::Check(*wiring, *planner, 24));
    planner->SetAttribute("Slots", UintegerValue(3));
    EXPECT_THROW(CircuitController::Check(*wiring, *planner, 24), ConfigurationError);
}

TEST_F(CircuitControllerTest, CircuitsThatTakeTurnsLeadFromPlaceToPlaceInSlots)
{
    uint64_t sent = 0; // of each NIC
    CircuitController turns(wiring,
                            MakePlanner("Birkhoff"),
                            MOVES_ALWAYS,
                            DARK_REGION,
                            CutRules{},
                            [&sent](uint32_t) { return sent; });
    EXPECT_TRUE(wiring->GetCircuits().AreTimeSlotted());
    CircuitDemand demand = turns.MakeDemand(1);
    demand.Add(4, 5, 600);
    demand.Add(5, 6, 600);
    EXPECT_EQ(turns.Reconfigure(1, demand, {10, 30}), std::vector<bool>(4)) << "nobody waits";
    RunUntil(29);
    EXPECT_TRUE(turns.IsBetweenTurns());
    RunUntil(31);
    EXPECT_FALSE(turns.IsBetweenTurns());
    for (uint32_t place = 0; place < 6; ++place)
    {
        EXPECT_EQ(wiring->GetCircuits().GetPeer(4 * 7 + place), 5 * 7 + place);
        EXPECT_EQ(wiring->GetCircuits().GetPeer(5 * 7 + place), 6 * 7 + place);
        EXPECT_EQ(wiring->GetCircuits().GetPeer(6 * 7 + place), 6 * 7 + place)
            << "it has nothing to send";
        EXPECT_EQ(wiring->GetCircuits().GetPeer(place), place) << "the other region";
    }
    sent = 100;
    RunUntil(NowPs() + 1'000'000);
    EXPECT_EQ(wiring->GetCircuits().GetPeer(4 * 7), 4U * 7) << "all has been sent";
    const CircuitController::Record record = turns.GetRecord();
    EXPECT_EQ(record.reconfigurations, 1U);
    EXPECT_EQ(record.circuits, 6U) << "twelve of one direction";
    EXPECT_EQ(record.dark, 20);
    EXPECT_EQ(record.servedBytes, 1200U);
    EXPECT_EQ(record.totalBytes, 1200U);
}

TEST_F(CircuitControllerTest, CircuitsJoinNicsOfOneOpticalSwitchOnly)
{
    wiring->GetCircuits().Join(0, 7);
    EXPECT_TRUE(wiring->GetCircuits().MayJoin(0, 7));
    EXPECT_FALSE(wiring->GetCircuits().MayJoin(0, 14));
    EXPECT_FALSE(wiring->GetCircuits().MayJoin(1, 7));
    EXPECT_TRUE(wiring->GetCircuits().MayJoin(6, 13)) << "of the packet fabric";
    EXPECT_THROW(wiring->GetCircuits().Join(0, 14), std::logic_error) << "it has one";
    EXPECT_THROW(wiring->GetCircuits().Join(1, 29), std::logic_error) << "another region";
    EXPECT_THROW(wiring->GetCircuits().Join(6, 13), std::logic_error) << "no optical switch";
    wiring->GetCircuits().End(7, {});
    EXPECT_FALSE(wiring->GetCircuits().MayJoin(0, 7));
    EXPECT_NO_THROW(wiring->GetCircuits().Join(0, 14));
}

/// Plans what a test says, and keeps which regions it was asked for.
class GivenPlanner : public CircuitPlanner
{
  public:
    CircuitMap circuits{4};
    std::vector<CircuitRegion> asked;
    std::vector<std::pair<uint32_t, uint32_t>> order;

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand&) override
    {
        asked.push_back(region);
        CircuitPlan plan;
        plan.slots.push_back({circuits});
        plan.slots.back().order = order;
        return plan;
    }
};

/// The same servers, with circuits that tests choose.
class GivenCircuitsTest : public CircuitControllerTest
{
  protected:
    using Pair = std::pair<uint32_t, uint32_t>;
    using Counts = std::map<Pair, uint32_t>; //!< of circuits, by two servers of a region

    void Begin(DarkPart darkPart, CutRules rules = {}, CircuitMoves moves = MOVES_ALWAYS)
    {
        controller = std::make_unique<CircuitController>(wiring, planner, moves, darkPart, rules);
    }

    void Want(const Counts& counts)
    {
        planner->circuits = CircuitMap(4);
        for (const auto& [pair, count] : counts)
        {
            planner->circuits.Join(pair.first, pair.second, count);
        }
    }

    /// Has region 0 dark for 10 ps, from now on. \return who waits
    std::vector<bool> Move(const Counts& counts)
    {
        Want(counts);
        return controller->Reconfigure(0, MakeEven(0), {NowPs(), NowPs() + 10});
    }

    /// \return how many circuits the pairs of the first servers have
    Counts Count(uint32_t first = 0) const
    {
        Counts counts;
        for (uint32_t server = first; server < first + 4; ++server)
        {
            for (const auto& [other, nics] : ListCircuits(server))
            {
                if (server < other)
                {
                    counts[{server - first, other - first}] = static_cast<uint32_t>(nics.size());
                }
            }
        }
        return counts;
    }

    /// \return by NIC of a pair's first server, the NIC that its circuit leads to
    std::map<uint32_t, uint32_t> ListEnds(const Pair& pair) const
    {
        std::map<uint32_t, uint32_t> ends;
        for (uint32_t nic = 7 * pair.first; nic < 7 * pair.first + 7; ++nic)
        {
            if (wiring->GetCircuits().GetPeer(nic) / 7 == pair.second)
            {
                ends[nic] = wiring->GetCircuits().GetPeer(nic);
            }
        }
        return ends;
    }

    Ptr<GivenPlanner> planner{CreateObject<GivenPlanner>()};
};

TEST_F(GivenCircuitsTest, TheFirstAreThereAtOnceInAllRegions)
{
    Begin(DARK_REGION);
    const Counts counts{{{0, 1}, 2}, {{0, 3}, 1}, {{1, 2}, 4}};
    Want(counts);
    controller->Lay(*planner);
    EXPECT_EQ(Count(0), counts);
    EXPECT_EQ(Count(4), counts);
    ASSERT_EQ(planner->asked.size(), 2U);
    EXPECT_EQ(planner->asked[0].index, 0U);
    EXPECT_EQ(planner->asked[1].index, 1U);
    EXPECT_EQ(planner->asked[1].ports, (std::vector<uint32_t>{6, 6, 6, 6}));
    EXPECT_EQ(planner->asked[1].rate, wiring->GetNicKind(0).rateBps);
    EXPECT_EQ(controller->GetRecord().reconfigurations, 0U) << "nothing moved";
}

TEST_F(GivenCircuitsTest, NothingMovesWhereItNeedNot)
{
    const Counts counts{{{0, 1}, 2}, {{2, 3}, 3}};
    for (const DarkPart part : {DARK_REGION, DARK_CHANGES})
    {
        Begin(part, {}, MOVES_NEEDED);
        const std::vector<bool> nobody(4);
        Move({{{0, 2}, 1}});
        RunUntil(NowPs() + 20);
        EXPECT_NE(Move(counts), nobody);
        RunUntil(NowPs() + 20);
        ASSERT_EQ(Count(), counts);
        const CircuitController::Record before = controller->GetRecord();
        EXPECT_EQ(Move(counts), nobody) << "they are there";
        Want({{{0, 3}, 1}});
        EXPECT_EQ(controller->Reconfigure(0, controller->MakeDemand(0), {NowPs(), NowPs() + 10}),
                  nobody)
            << "nothing to send";
        RunUntil(NowPs() + 20);
        EXPECT_EQ(Count(), counts);
        const CircuitController::Record record = controller->GetRecord();
        EXPECT_EQ(record.asked, before.asked + 2);
        EXPECT_EQ(record.reconfigurations, before.reconfigurations);
        EXPECT_EQ(record.dark, before.dark);
        EXPECT_EQ(record.circuits, before.circuits + 2 * 5);
    }
}

TEST_F(GivenCircuitsTest, PlannersAreToldWhatStandsAndWhatAMoveTakes)
{
    Begin(DARK_REGION);
    const Counts counts{{{0, 1}, 2}, {{2, 3}, 3}};
    Move(counts);
    RunUntil(20);
    Move(counts);
    const CircuitRegion& told = planner->asked.back();
    EXPECT_EQ(told.delay, 10);
    EXPECT_EQ(told.standing.Count(0, 1), 2U);
    EXPECT_EQ(told.standing.Count(2, 3), 3U);
    EXPECT_EQ(told.standing.GetTotal(), 10U);
    EXPECT_EQ(told.packetRate, wiring->GetNicKind(6).rateBps) << "one NIC of seven";
}

TEST_F(GivenCircuitsTest, CircuitsInOrderTakeTheFastestNicsFirst)
{
    Begin(DARK_REGION);
    const uint64_t laid = wiring->GetNicKind(0).rateBps;
    wiring->SetRate(0, laid / 4); // the first NIC of server 0
    planner->order = {{0, 3}, {0, 1}};
    const Counts counts{{{0, 1}, 5}, {{0, 3}, 1}};
    Move(counts);
    const CircuitRegion& told = planner->asked.back();
    ASSERT_EQ(told.portRates.size(), 4U);
    EXPECT_EQ(told.portRates[0], (std::vector<uint64_t>{laid, laid, laid, laid, laid, laid / 4}));
    EXPECT_EQ(told.portRates[1], std::vector<uint64_t>(6, laid));
    RunUntil(20);
    EXPECT_EQ(Count(), counts);
    const auto ways = ListCircuits(0);
    EXPECT_EQ(ways.at(3).size(), 1U);
    EXPECT_NE(ways.at(3)[0], 0U) << "first in the order";
    EXPECT_EQ(std::count(ways.at(1).begin(), ways.at(1).end(), 0U), 1) << "the slow one is last";
    wiring->SetRate(0, laid);
    Move(counts);
    EXPECT_TRUE(planner->asked.back().portRates.empty()) << "all are alike";
}

TEST_F(GivenCircuitsTest, StaticOnesAreLaidWithinEachRegion)
{
    const Ptr<CircuitPlanner> drawn = MakePlanner("Static");
    drawn->AssignStreams(1);
    controller->Lay(*drawn);
    for (uint32_t server = 0; server < 8; ++server)
    {
        const auto circuits = ListCircuits(server);
        EXPECT_FALSE(circuits.empty());
        for (const auto& [other, nics] : circuits)
        {
            EXPECT_EQ(other / 4, server / 4) << "of one region";
            EXPECT_NE(nics.back(), 6U) << "of the packet fabric";
        }
    }
}

TEST_F(GivenCircuitsTest, ChangesLeaveCircuitsOfOtherPairsAtTheirNics)
{
    Begin(DARK_CHANGES);
    Move({{{0, 1}, 2}, {{0, 2}, 1}, {{1, 3}, 3}, {{2, 3}, 2}});
    RunUntil(20);
    const auto kept = ListEnds({0, 2});
    const auto more = ListEnds({1, 3});
    const auto less = ListEnds({2, 3});
    ASSERT_EQ(less.size(), 2U);

    // Only the last pair has another number.
    EXPECT_EQ(Move({{{0, 1}, 2}, {{0, 2}, 1}, {{1, 3}, 3}, {{2, 3}, 1}}),
              (std::vector<bool>{false, false, true, true}));
    RunUntil(25);
    EXPECT_EQ(Count(), (Counts{{{0, 1}, 2}, {{0, 2}, 1}, {{1, 3}, 3}, {{2, 3}, 1}}))
        << "what stays is not dark meanwhile";
    EXPECT_EQ(ListEnds({0, 2}), kept);
    RunUntil(40);
    EXPECT_EQ(ListEnds({1, 3}), more);
    ASSERT_EQ(ListEnds({2, 3}).size(), 1U);
    EXPECT_EQ(less.count(ListEnds({2, 3}).begin()->first), 1U);

    EXPECT_EQ(Move({{{0, 1}, 3}, {{0, 2}, 1}, {{1, 3}, 3}, {{2, 3}, 1}}),
              (std::vector<bool>{true, true, false, false}));
    RunUntil(45);
    EXPECT_EQ(ListEnds({0, 1}).size(), 2U) << "the third one comes later";
    RunUntil(60);
    EXPECT_EQ(ListEnds({0, 1}).size(), 3U);
    EXPECT_EQ(ListEnds({0, 2}), kept);
    const CircuitController::Record record = controller->GetRecord();
    EXPECT_EQ(record.reconfigurations, 3U);
    EXPECT_EQ(record.circuits, 8U + 7 + 8);
    EXPECT_EQ(record.moved, 8U + 0 + 1);
    EXPECT_EQ(record.dark, 30);
}

TEST_F(GivenCircuitsTest, NicsThatPairsGiveUpGoToOthers)
{
    Begin(DARK_CHANGES);
    Move({{{0, 1}, 6}, {{2, 3}, 6}});
    RunUntil(20);
    EXPECT_EQ(Move({{{0, 1}, 4}, {{0, 2}, 2}, {{1, 3}, 2}, {{2, 3}, 4}}),
              (std::vector<bool>{true, true, true, true}));
    RunUntil(40);
    EXPECT_EQ(Count(), (Counts{{{0, 1}, 4}, {{0, 2}, 2}, {{1, 3}, 2}, {{2, 3}, 4}}));
}

TEST_F(GivenCircuitsTest, NothingIsDarkWhereNothingChanges)
{
    const Counts counts{{{0, 1}, 2}, {{2, 3}, 1}};
    Begin(DARK_CHANGES);
    Move(counts);
    RunUntil(20);
    const auto ends = ListEnds({0, 1});
    EXPECT_EQ(Move(counts), (std::vector<bool>{false, false, false, false}));
    RunUntil(25);
    EXPECT_EQ(Count(), counts);
    RunUntil(40);
    EXPECT_EQ(ListEnds({0, 1}), ends);
    EXPECT_EQ(controller->GetRecord().dark, 10) << "of the first move";
    EXPECT_EQ(controller->GetRecord().asked, 2U);
    EXPECT_EQ(controller->GetRecord().reconfigurations, 1U);
}

TEST_F(GivenCircuitsTest, AWholeRegionIsDarkAlsoForServersWithoutAnyChange)
{
    Begin(DARK_REGION);
    Move({{{0, 1}, 2}, {{2, 3}, 1}});
    RunUntil(20);
    EXPECT_EQ(Move({{{0, 1}, 2}, {{2, 3}, 2}}), (std::vector<bool>{true, true, true, true}));
    RunUntil(25);
    EXPECT_TRUE(Count().empty());
    RunUntil(40);
    EXPECT_EQ(Count(), (Counts{{{0, 1}, 2}, {{2, 3}, 2}}));
}

TEST_F(GivenCircuitsTest, PortsWhoseCableIsCutGetNone)
{
    for (const DarkPart darkPart : {DARK_REGION, DARK_CHANGES})
    {
        Begin(darkPart);
        planner->asked.clear();
        Move({{{0, 1}, 6}, {{2, 3}, 6}});
        RunUntil(NowPs() + 15);
        ASSERT_EQ(ListEnds({0, 1}).size(), 6U);
        wiring->SetUp(3, false, {});
        wiring->SetUp(14, false, {}); // of server 2
        const uint32_t far = wiring->GetCircuits().GetPeer(3);
        EXPECT_EQ(Move({{{0, 1}, 5}, {{2, 3}, 5}, {{1, 3}, 1}}),
                  (std::vector<bool>{true, true, true, true}));
        EXPECT_EQ(planner->asked.back().ports, (std::vector<uint32_t>{5, 6, 5, 6}));
        RunUntil(NowPs() + 15);
        EXPECT_EQ(wiring->GetCircuits().GetPeer(3), 3U);
        EXPECT_EQ(wiring->GetCircuits().GetPeer(14), 14U);
        EXPECT_EQ(Count(), (Counts{{{0, 1}, 5}, {{2, 3}, 5}, {{1, 3}, 1}}));
        if (darkPart == DARK_CHANGES)
        {
            EXPECT_EQ(wiring->GetCircuits().GetPeer(far) / 7, 3U)
                << "its other end is free for others";
        }
        wiring->SetUp(3, true, {});
        wiring->SetUp(14, true, {});
    }
}

TEST_F(GivenCircuitsTest, WhatIsExpectedIsNoPartOfTheBytes)
{
    Begin(DARK_REGION);
    Want({{{0, 1}, 1}});
    controller->Reconfigure(0, MakeEven(0), {0, 10}, true);
    CircuitController::Record record = controller->GetRecord();
    EXPECT_EQ(record.reconfigurations, 1U);
    EXPECT_EQ(record.moved, 1U);
    EXPECT_EQ(record.totalBytes, 0U);
    EXPECT_EQ(record.servedBytes, 0U);
    controller->Reconfigure(0, MakeEven(0), {20, 30});
    record = controller->GetRecord();
    EXPECT_EQ(record.totalBytes, 1200U);
    EXPECT_EQ(record.servedBytes, 200U);
}

TEST_F(GivenCircuitsTest, SaysWhenNewOnesAreThere)
{
    Begin(DARK_REGION);
    std::vector<std::pair<TimePs, std::size_t>> told; // when, and circuits of region 0 then
    controller->SetLiveCallback([&] { told.emplace_back(NowPs(), ListEnds({0, 1}).size()); });
    Want({{{0, 1}, 2}});
    controller->Reconfigure(0, MakeEven(0), {5, 25});
    RunUntil(100);
    EXPECT_EQ(told, (std::vector<std::pair<TimePs, std::size_t>>{{25, 2}}));
}

/// Writes down changes of circuits.
class CircuitListener : public WiringListener
{
  public:
    void BeforeChange() override
    {
        told.emplace_back("before");
    }

    void OnCableUp(uint32_t, const CutRules&) override
    {
    }

    void OnCableRate(uint32_t) override
    {
    }

    void OnCircuit(uint32_t nic, const CutRules& rules) override
    {
        told.push_back(std::to_string(nic) + (rules.losesFlying ? " loses" : "") +
                       (rules.holdsQueued ? " holds" : ""));
    }

    std::vector<std::string> told;
};

TEST_F(GivenCircuitsTest, EnginesCatchUpBeforeTheyMoveAndKnowTheRules)
{
    CircuitListener listener;
    Begin(DARK_REGION, {true, true});
    Move({{{0, 1}, 1}});
    RunUntil(20);
    wiring->AddListener(listener);
    Move({{{0, 2}, 1}});
    RunUntil(40);
    wiring->RemoveListener(listener);
    EXPECT_EQ(listener.told,
              (std::vector<
                  std::string>{"before", "0 loses holds", "7 loses holds", "before", "0", "14"}));
}

TEST_F(GivenCircuitsTest, KnowWhichServersAreWhereInARegion)
{
    EXPECT_TRUE(controller->IsIn(0, 3));
    EXPECT_FALSE(controller->IsIn(0, 4));
    EXPECT_FALSE(controller->IsIn(1, 3));
    EXPECT_TRUE(controller->IsIn(1, 4));
    EXPECT_TRUE(controller->IsIn(1, 7));
    EXPECT_EQ(controller->GetPlace(3), 3U);
    EXPECT_EQ(controller->GetPlace(4), 0U);
    EXPECT_EQ(controller->GetPlace(7), 3U);
}

TEST_F(CircuitControllerTest, RefusesAnOpticalSwitchWithFewerPortsThanARegionNeeds)
{
    EXPECT_NO_THROW(CircuitController::Check(*wiring, *MakePlanner("Greedy"), 24));
    try
    {
        CircuitController::Check(*wiring, *MakePlanner("Greedy"), 23);
        ADD_FAILURE() << "accepted";
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), "device");
    }
}

TEST(CircuitController, SpareServersAreInNoRegion)
{
    const std::shared_ptr<Wiring> wiring = LayServers(10, 2);
    CircuitController controller(wiring,
                                 MakePlanner("greedy"),
                                 MOVES_ALWAYS,
                                 DARK_REGION,
                                 CutRules{});
    EXPECT_EQ(controller.FindRegion(7), 1U);
    EXPECT_EQ(controller.FindRegion(8), std::nullopt);
    EXPECT_EQ(controller.FindRegion(9), std::nullopt);
    EXPECT_FALSE(controller.IsIn(1, 8));
    EXPECT_FALSE(controller.IsIn(1, 9));
    EXPECT_EQ(controller.MakeDemand(1).GetServers(), 4U);
    const Ptr<GivenPlanner> planner = CreateObject<GivenPlanner>();
    planner->circuits.Join(0, 1);
    controller.Lay(*planner);
    EXPECT_EQ(planner->asked.size(), 2U) << "the regions";
    EXPECT_NO_THROW(CircuitController::Check(*wiring, *planner, 24));
}

} // namespace

} // namespace ns3::rails::test
