// SPDX-License-Identifier: GPL-2.0-only
#include "../support/topology-checks.h"

#include "ns3/component-list.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/nic-group.h"
#include "ns3/nic-groups-topology.h"
#include "ns3/patch-panel-topology.h"
#include "ns3/rails-router.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Counts = std::vector<uint32_t>;

/// How many circuits join two servers, the smaller number first.
using CircuitCounts = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;

/// Servers of `nics` GPUs and NICs.
Ptr<Topology>
MakePanel(uint32_t servers,
          uint32_t nics,
          uint32_t region,
          uint32_t regionNics,
          const Counts& strides = {},
          const Counts& spans = {})
{
    Ptr<Topology> topology = CreateObject<PatchPanelTopology>();
    topology->SetAttribute("Domains", UintegerValue(servers));
    topology->SetAttribute("GpusPerDomain", UintegerValue(nics));
    topology->SetAttribute("Region", UintegerValue(region));
    topology->SetAttribute("RegionNics", UintegerValue(regionNics));
    topology->SetAttribute("Strides", CountListValue(CountList(strides)));
    topology->SetAttribute("Spans", CountListValue(CountList(spans)));
    return topology;
}

/// The cluster of Fig. 12 of MixNet for Mixtral 8x22B.
Ptr<Topology>
MakeEightServerRegions()
{
    return MakePanel(128, 8, 8, 4, {8, 16});
}

/// The same for Mixtral 8x7B, with the rings of replicas closed within a stage.
Ptr<Topology>
MakeFourServerRegions()
{
    return MakePanel(128, 8, 4, 4, {4, 32}, {32, 128});
}

CircuitCounts
CountCircuits(const Wiring& wiring)
{
    CircuitCounts counts;
    for (const Cable& cable : wiring.GetCables())
    {
        if (!cable.isNic)
        {
            EXPECT_LT(cable.lower, cable.upper);
            ++counts[{cable.lower, cable.upper}];
        }
    }
    return counts;
}

/// \return how many circuits a server has
uint32_t
CountOf(const CircuitCounts& counts, uint32_t server)
{
    uint32_t sum = 0;
    for (const auto& [servers, count] : counts)
    {
        sum += servers.first == server || servers.second == server ? count : 0;
    }
    return sum;
}

/// \return the error with which a topology is refused, and its key
std::pair<std::string, std::string>
FindError(const Ptr<Topology>& topology)
{
    try
    {
        topology->Lay();
    }
    catch (const ConfigurationError& error)
    {
        return {error.GetKey(), error.what()};
    }
    return {};
}

void
ExpectError(const Ptr<Topology>& topology, const std::string& key, const std::string& remedy)
{
    const auto [found, message] = FindError(topology);
    EXPECT_EQ(found, key) << message;
    EXPECT_NE(message.find(remedy), std::string::npos) << message;
}

/// Expects that the next hops are all that begin shortest paths, found here by flooding.
void
ExpectShortestPaths(const Wiring& wiring)
{
    const Router router(wiring);
    const auto servers = static_cast<uint32_t>(wiring.GetSwitches().size());
    const auto getNeighbour = [&](uint32_t at, const Cable& cable) {
        return cable.lower == at ? cable.upper : cable.lower;
    };
    for (uint32_t to = 0; to < servers; ++to)
    {
        Counts distances(servers, servers);
        distances[to] = 0;
        for (uint32_t round = 0; round < servers; ++round)
        {
            for (const Cable& cable : wiring.GetCables())
            {
                if (!cable.isNic && cable.isUp)
                {
                    uint32_t& lower = distances[cable.lower];
                    uint32_t& upper = distances[cable.upper];
                    lower = std::min(lower, upper + 1);
                    upper = std::min(upper, lower + 1);
                }
            }
        }
        for (uint32_t at = 0; at < servers; ++at)
        {
            std::vector<uint16_t> expected;
            const Counts& cables = wiring.GetSwitches()[at].cables;
            for (uint16_t port = 0; port < cables.size() && at != to; ++port)
            {
                const Cable& cable = wiring.GetCables()[cables[port]];
                if (!cable.isNic && cable.isUp &&
                    distances[getNeighbour(at, cable)] + 1 == distances[at])
                {
                    expected.push_back(port);
                }
            }
            EXPECT_EQ(router.GetNextHops(at, to).ports, expected) << at << " to " << to;
            EXPECT_TRUE(router.GetNextHops(at, to).isEven);
        }
    }
}

TEST(PatchPanelTopology, GivesEveryNicOneCircuit)
{
    for (const Ptr<Topology>& topology : {MakeEightServerRegions(), MakeFourServerRegions()})
    {
        const std::shared_ptr<Wiring> wiring = topology->Lay();
        ASSERT_EQ(wiring->GetSwitches().size(), 128U);
        ASSERT_EQ(wiring->GetCables().size(), 1024U + 512U);
        const CircuitCounts circuits = CountCircuits(*wiring);
        for (uint32_t server = 0; server < 128; ++server)
        {
            EXPECT_EQ(CountOf(circuits, server), 8U);
            EXPECT_EQ(wiring->GetSwitches()[server].name, "relay" + std::to_string(server));
            for (uint32_t rail = 0; rail < 8; ++rail)
            {
                EXPECT_EQ(wiring->GetEdge(8 * server + rail), server);
            }
        }
    }
}

TEST(PatchPanelTopology, OneCircuitIsAllTheWayToAnotherServer)
{
    Ptr<Topology> topology = MakeEightServerRegions();
    topology->SetAttribute("NicRate", Rate(100 * kGbps));
    topology->SetAttribute("LinkDelay", Ps(1'000'000));
    const std::shared_ptr<Wiring> wiring = topology->Lay();
    const CableKind& nic = wiring->GetNicKind(5);
    EXPECT_EQ(nic.delay, 0);
    EXPECT_EQ(nic.rateBps, 100 * kGbps);
    EXPECT_EQ(nic.upperClass, "relay_down");
    const CableKind& circuit = wiring->GetKind(wiring->GetCables().back());
    EXPECT_EQ(circuit.delay, 1'000'000);
    EXPECT_EQ(circuit.rateBps, 100 * kGbps);
    EXPECT_EQ(circuit.lowerClass, "circuit");
    EXPECT_EQ(circuit.upperClass, "circuit");
}

TEST(PatchPanelTopology, DealsTheNicsOfARegionToItsPeersAsEvenlyAsTheyGo)
{
    for (uint32_t region = 2; region <= 9; ++region)
    {
        for (uint32_t nics = 2; nics <= 20; ++nics)
        {
            if (region % 2 == 1 && nics % 2 == 1)
            {
                continue;
            }
            SCOPED_TRACE(std::to_string(region) + " servers, " + std::to_string(nics) + " NICs");
            const CircuitCounts circuits =
                CountCircuits(*MakePanel(region, nics, region, nics)->Lay());
            for (uint32_t server = 0; server < region; ++server)
            {
                EXPECT_EQ(CountOf(circuits, server), nics);
                for (uint32_t peer = server + 1; peer < region; ++peer)
                {
                    const auto found = circuits.find({server, peer});
                    const uint32_t count = found == circuits.end() ? 0 : found->second;
                    EXPECT_GE(count, nics / (region - 1));
                    EXPECT_LE(count, (nics + region - 2) / (region - 1));
                }
            }
        }
    }
}

TEST(PatchPanelTopology, RegionsHaveTheirOwnCircuitsAndStridesJoinThem)
{
    const CircuitCounts circuits = CountCircuits(*MakePanel(12, 5, 4, 3, {4})->Lay());
    for (uint32_t one = 0; one < 12; ++one)
    {
        for (uint32_t other = one + 1; other < 12; ++other)
        {
            const bool inRegion = one / 4 == other / 4;
            const bool inRing = (other - one) % 4 == 0; // three regions: each next to both others
            EXPECT_EQ(circuits.count({one, other}), inRegion || inRing ? 1U : 0U)
                << one << ", " << other;
        }
    }
}

TEST(PatchPanelTopology, AStrideOfHalfTheServersTakesBothNicsToOne)
{
    // A ring of all eight, and four pairs of servers that are opposite each other.
    const CircuitCounts circuits = CountCircuits(*MakePanel(8, 4, 8, 0, {1, 4})->Lay());
    EXPECT_EQ(circuits.size(), 12U);
    for (uint32_t server = 0; server < 4; ++server)
    {
        EXPECT_EQ(circuits.at({server, server + 4}), 2U);
        EXPECT_EQ(circuits.at({server, server + 1}), 1U);
        EXPECT_EQ(CountOf(circuits, server + 4), 4U);
    }
    EXPECT_EQ(circuits.at({0, 7}), 1U);
}

TEST(PatchPanelTopology, RingsCloseWithinTheirSpan)
{
    // Two rings of four servers, 0 to 3 and 4 to 7, whose servers are joined two and two.
    const CircuitCounts circuits = CountCircuits(*MakePanel(8, 4, 8, 0, {1, 4}, {4, 8})->Lay());
    EXPECT_EQ(circuits.at({0, 3}), 1U);
    EXPECT_EQ(circuits.at({4, 7}), 1U);
    EXPECT_EQ(circuits.count({3, 4}), 0U);
    EXPECT_EQ(circuits.count({0, 7}), 0U);
    EXPECT_EQ(circuits.at({3, 7}), 2U);
    // A stride of half a span: pairs, and no circuit from one span to the next.
    const CircuitCounts pairs = CountCircuits(*MakePanel(8, 4, 8, 0, {1, 2}, {8, 4})->Lay());
    EXPECT_EQ(pairs.at({0, 2}), 2U);
    EXPECT_EQ(pairs.at({5, 7}), 2U);
    EXPECT_EQ(pairs.count({2, 4}), 0U);
}

TEST(PatchPanelTopology, RoutesAreAllShortestPaths)
{
    ExpectShortestPaths(*MakeEightServerRegions()->Lay());
    ExpectShortestPaths(*MakeFourServerRegions()->Lay());
    ExpectShortestPaths(*MakePanel(9, 2, 9, 0, {1})->Lay());
}

TEST(PatchPanelTopology, RoutesLeadAroundWhatIsCut)
{
    const std::shared_ptr<Wiring> wiring = MakePanel(8, 4, 4, 2, {4})->Lay();
    wiring->SetUp(wiring->FindCables(0, 1).at(0), false, {});
    wiring->SetUp(wiring->FindCables(0, 4).at(0), false, {});
    ExpectShortestPaths(*wiring);
    wiring->SetUp(wiring->FindCables(0, 4).at(1), false, {});
    ExpectShortestPaths(*wiring);
}

TEST(PatchPanelTopology, KnowsItsTraits)
{
    // Four servers opposite each other two and two, and a ring of two such groups.
    const FabricTraits traits = GetTraits(*MakePanel(8, 4, 4, 2, {4}));
    EXPECT_EQ(traits.tiers, 1U);
    EXPECT_EQ(traits.shortestLinks, 3U) << "two NICs and a circuit";
    EXPECT_EQ(traits.longestLinks, 5U) << "two more circuits, one of them across";
    EXPECT_TRUE(traits.connectsRails);
    EXPECT_TRUE(traits.forksInRail);
    EXPECT_TRUE(traits.forksAcross);
    EXPECT_DOUBLE_EQ(traits.oversubscription, 1);
    EXPECT_FALSE(GetTraits(*MakePanel(5, 2, 5, 0, {1})).forksInRail) << "an odd ring";
}

TEST(PatchPanelTopology, IsAFabricOfSomeNicsToo)
{
    Ptr<Topology> topology = CreateObject<NicGroupsTopology>();
    topology->SetAttribute("Domains", UintegerValue(8));
    topology->SetAttribute("GpusPerDomain", UintegerValue(4));
    Ptr<Topology> panel = CreateObject<PatchPanelTopology>();
    panel->SetAttribute("RegionNics", UintegerValue(0));
    panel->SetAttribute("Strides", CountListValue(CountList({1})));
    Ptr<Topology> leaves = CreateObject<LeafSpineTopology>();
    const std::vector<std::pair<std::string, Ptr<Topology>>> fabrics{{"panel", panel},
                                                                     {"eps", leaves}};
    topology->SetAttribute("Fabrics", ComponentListValue(fabrics));
    const auto group = [](const char* fabric, const Counts& nics) {
        Ptr<NicGroup> made = CreateObject<NicGroup>();
        made->SetAttribute("Fabric", StringValue(fabric));
        made->SetAttribute("Nics", CountListValue(CountList(nics)));
        return made;
    };
    const std::vector<Ptr<NicGroup>> groups{group("panel", {0, 3}), group("eps", {1, 2})};
    topology->SetAttribute("NicGroups", ComponentListValue(groups));
    const std::shared_ptr<Wiring> wiring = topology->Lay();
    EXPECT_EQ(wiring->GetSwitches().front().name, "panel-relay0");
    const Router router(*wiring);
    EXPECT_EQ(router.GetNextHops(0, 4).ports.size(), 2U) << "both ways round";
    EXPECT_TRUE(router.IsConnected(wiring->GetEdge(1), wiring->GetEdge(29)));
    EXPECT_FALSE(router.IsConnected(wiring->GetEdge(0), wiring->GetEdge(29)));
    EXPECT_FALSE(router.IsConnected(wiring->GetEdge(1), wiring->GetEdge(28)));
}

TEST(PatchPanelTopology, RefusesWhatCannotBeLaidWithTheRemedy)
{
    ExpectError(MakePanel(128, 8, 8, 6, {8, 16}),
                "region_nics",
                "a server has 8 NICs, and circuits take 6 of them in the region and two for each "
                "of 2 strides: make region_nics + 2 x strides the number of NICs");
    ExpectError(MakePanel(12, 4, 8, 2, {4}), "region", "12 servers do not make regions of 8");
    ExpectError(MakePanel(10, 5, 5, 3, {5}), "region_nics", "make region or region_nics even");
    ExpectError(MakePanel(8, 4, 4, 2, {8}), "strides", "expected 1 to 7");
    ExpectError(MakePanel(8, 4, 4, 2, {0}), "strides", "expected 1 to 7");
    ExpectError(MakePanel(8, 4, 4, 2, {4}, {4}), "strides", "expected 1 to 3");
    ExpectError(MakePanel(8, 4, 4, 2, {4}, {8, 8}), "spans", "give one for each, or none");
    ExpectError(MakePanel(8, 4, 4, 2, {4}, {6}), "spans", "not a multiple of 6");
    ExpectError(MakePanel(8, 4, 4, 2, {4}, {0}), "spans", "not a multiple of 0");
    ExpectError(MakePanel(16, 4, 4, 2, {8}), "strides", "leave 2 groups of servers");
    ExpectError(MakePanel(16, 4, 4, 4), "strides", "leave 4 groups of servers");
    ExpectError(MakePanel(8, 2, 8, 0, {2}), "strides", "leave 2 groups of servers");
}

} // namespace

} // namespace ns3::rails::test
