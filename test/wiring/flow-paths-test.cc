// SPDX-License-Identifier: GPL-2.0-only
#include "../support/detour-wiring.h"
#include "../support/test-cluster.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/flow-paths.h"
#include "ns3/leaf-spine-topology.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr PathSpread kSpreads[]{PathSpread::Even, PathSpread::Weighted, PathSpread::Routes};
constexpr PathSpread kAll[]{PathSpread::OnePath,
                            PathSpread::Even,
                            PathSpread::Weighted,
                            PathSpread::Routes};

Ptr<Topology>
MakeTopology(const std::string& name)
{
    if (name.rfind("tree", 0) == 0)
    {
        Ptr<Topology> topology = CreateObject<FatTreeTopology>();
        topology->SetAttribute("K", UintegerValue(std::stoul(name.substr(4))));
        return topology;
    }
    if (name == "leaves")
    {
        Ptr<Topology> topology = CreateObject<LeafSpineTopology>();
        topology->SetAttribute("Domains", UintegerValue(12));
        topology->SetAttribute("LeafPorts", UintegerValue(3));
        topology->SetAttribute("Spines", UintegerValue(3));
        topology->SetAttribute("UplinksPerSpine", UintegerValue(2));
        return topology;
    }
    Ptr<Topology> topology = CreateObject<RailTopology>();
    topology->SetAttribute("Domains", UintegerValue(9));
    topology->SetAttribute("GpusPerDomain", UintegerValue(2));
    topology->SetAttribute("LeafPorts", UintegerValue(3));
    topology->SetAttribute("RailSpines", UintegerValue(name == "spines" ? 1 : 4));
    topology->SetAttribute("Spines", UintegerValue(name == "rails" ? 0 : 3));
    return topology;
}

/// A wiring with its routing, whose cables can be cut, and the paths of a spread over it.
struct Fabric
{
    Fabric(const std::string& topology, PathSpread spread)
        : wiring(MakeTopology(topology)->Lay()),
          router(std::make_shared<Router>(*wiring)),
          paths(router, spread)
    {
    }

    uint32_t GetSwitch(const std::string& name) const
    {
        return wiring->FindSwitch(name);
    }

    void Converge()
    {
        router->Converge();
        paths.Refresh();
    }

    void CutAndConverge(const std::vector<std::pair<std::string, std::string>>& ends)
    {
        for (const auto& [one, other] : ends)
        {
            wiring->SetUp(wiring->FindCables(GetSwitch(one), GetSwitch(other)).front(), false, {});
        }
        Converge();
    }

    /// Makes the fabric uneven, whichever it is.
    void Damage()
    {
        const uint32_t first = wiring->GetShape().GetNics();
        const auto last = static_cast<uint32_t>(wiring->GetCables().size());
        wiring->SetUp(first + 1, false, {});
        wiring->SetUp(last - 2, false, {});
        wiring->SetRate((first + last) / 2, wiring->GetCables()[first].rateBps / 2);
        Converge();
    }

    /// \return a NIC of an edge switch
    uint32_t GetNic(uint32_t edge) const
    {
        return wiring->GetSwitches()[edge].cables.front();
    }

    /// \return the share of each direction on the way between NICs of two edge switches, the cables
    /// of the NICs left out
    std::map<uint32_t, double> FindShares(uint32_t from, uint32_t to, uint32_t entropy = 0) const
    {
        std::map<uint32_t, double> shares;
        for (const FlowPath::Part& part : paths.Find(GetNic(from), GetNic(to), entropy).parts)
        {
            for (const uint32_t direction : paths.GetDirections(part.bundle))
            {
                if (!wiring->GetCables()[direction / 2].isNic)
                {
                    EXPECT_TRUE(shares.emplace(direction, part.share).second);
                }
            }
        }
        return shares;
    }

    /// \return pairs of different edge switches
    std::vector<std::pair<uint32_t, uint32_t>> GetPairs() const
    {
        std::vector<std::pair<uint32_t, uint32_t>> pairs;
        for (const uint32_t from : wiring->GetEdges())
        {
            for (const uint32_t to : wiring->GetEdges())
            {
                if (from != to)
                {
                    pairs.emplace_back(from, to);
                }
            }
        }
        return pairs;
    }

    /// \return the direction by which a switch sends by a port
    uint32_t GetDirection(uint32_t at, uint16_t port) const
    {
        const uint32_t cable = wiring->GetSwitches()[at].cables[port];
        return 2 * cable + (wiring->GetCables()[cable].lower == at ? 0 : 1);
    }

    std::shared_ptr<Wiring> wiring;
    std::shared_ptr<Router> router;
    FlowPaths paths;
};

// Hashed paths.

/// Which directions the frames of each queue pair really take, answers apart.
class FrameTrails
{
  public:
    /// Source NIC, destination NIC, entropy.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    explicit FrameTrails(const TestCluster& test)
    {
        const Wiring& wiring = test.cluster->GetWiring();
        const uint32_t rails = wiring.GetShape().nicsPerServer;
        for (uint32_t number = 0; number < wiring.GetCables().size(); ++number)
        {
            const Cable& cable = wiring.GetCables()[number];
            Port& lower =
                cable.isNic
                    ? test.GetNicPort(number / rails, number % rails)
                    : *test.cluster->GetSwitches()[cable.lower]->GetPorts()[cable.lowerPort];
            Watch(lower, 2 * number);
            Watch(lower.GetPeer(), 2 * number + 1);
        }
    }

    std::map<Key, std::set<uint32_t>> trails;

  private:
    struct Probe
    {
        void OnTransmit(Time, const Frame& frame)
        {
            if (frame.kind != FrameKind::Pause)
            {
                owner->trails[{frame.sourceNic, frame.destinationNic, frame.entropy}].insert(
                    direction);
            }
        }

        FrameTrails* owner;
        uint32_t direction;
    };

    void Watch(Port& port, uint32_t direction)
    {
        m_probes.push_back({this, direction});
        port.TraceConnectWithoutContext("Transmit",
                                        MakeCallback(&Probe::OnTransmit, &m_probes.back()));
    }

    std::deque<Probe> m_probes;
};

class HashedPathsTest : public testing::TestWithParam<const char*>
{
  protected:
    /// Sends messages between NICs by lot, and compares the paths of their frames and of the
    /// answers with those that are found without frames.
    static void Compare(TestCluster& test, int64_t streamsPerSwitch, bool isDamaged)
    {
        FrameEngine& cluster = test.Build(3);
        Wiring& wiring = cluster.GetWiring();
        FlowPaths paths(std::shared_ptr<const Router>(&cluster.GetRouter(), [](const Router*) {}),
                        PathSpread::OnePath);
        paths.AssignStreams(1000, streamsPerSwitch);
        if (isDamaged)
        {
            const uint32_t first = wiring.GetShape().GetNics();
            wiring.SetUp(first + 1, false, {});
            wiring.SetRate(first + 2, wiring.GetCables()[first].rateBps / 4);
            cluster.GetRouter().Converge();
            paths.Refresh();
        }
        FrameTrails frames(test);
        const ClusterShape& shape = wiring.GetShape();
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(77);
        for (int i = 0; i < 300; ++i)
        {
            const uint32_t from = random->GetInteger(0, shape.GetNics() - 1);
            const uint32_t to = random->GetInteger(0, shape.GetNics() - 1);
            if (shape.GetNicServer(from) != shape.GetNicServer(to) &&
                cluster.GetRouter().Reaches(from, to))
            {
                test.Post(from, to, 5000);
            }
        }
        test.Run();
        ASSERT_GT(test.messages.size(), 100U);
        ASSERT_TRUE(test.IsEverythingDeliveredOnce());
        uint32_t largestEntropy = 0;
        for (const auto& [key, trail] : frames.trails)
        {
            const auto& [from, to, entropy] = key;
            std::set<uint32_t> found;
            for (const FlowPath::Part& part : paths.Find(from, to, entropy).parts)
            {
                EXPECT_EQ(part.share, 1);
                found.insert(paths.GetDirections(part.bundle).begin(),
                             paths.GetDirections(part.bundle).end());
            }
            EXPECT_EQ(found, trail) << from << " to " << to << ", entropy " << entropy;
            largestEntropy = std::max(largestEntropy, entropy);
        }
        EXPECT_GT(largestEntropy, 0U);
    }
};

TEST_P(HashedPathsTest, AreThoseOfFrames)
{
    TestCluster test(MakeTopology(GetParam()));
    Compare(test, 1, false);
}

TEST_P(HashedPathsTest, AreThoseOfFramesAfterFailures)
{
    TestCluster test(MakeTopology(GetParam()));
    Compare(test, 1, true);
}

TEST_P(HashedPathsTest, AreThoseOfFramesWhenSwitchesMark)
{
    TestCluster test(MakeTopology(GetParam()));
    test.transport->SetAttribute("CongestionControl",
                                 StringValue("ns3::rails::DcqcnCongestionControl"));
    Compare(test, 2, false);
}

TEST_P(HashedPathsTest, AreThoseOfSelectorsForAnyEntropy)
{
    constexpr int64_t kStream = 2'000'000;
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(5);
    Fabric fabric(GetParam(), PathSpread::OnePath);
    fabric.Damage();
    const auto switches = static_cast<int64_t>(fabric.wiring->GetSwitches().size());
    EXPECT_EQ(fabric.paths.AssignStreams(kStream, 2), 2 * switches);
    std::vector<Ptr<PortSelector>> selectors;
    for (int64_t number = 0; number < switches; ++number)
    {
        selectors.push_back(CreateObject<EcmpPortSelector>()->Fork());
        selectors.back()->AssignStreams(kStream + 2 * number);
    }
    TestCluster other{2}; // some switch, which a hash does not look at
    other.Build(5);
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(78);
    for (const auto& [from, to] : fabric.GetPairs())
    {
        for (int i = 0; i < 20 && fabric.router->IsConnected(from, to); ++i)
        {
            Frame frame;
            frame.sourceNic = fabric.GetNic(from);
            frame.destinationNic = fabric.GetNic(to);
            frame.entropy = random->GetInteger(0, 0xffff'fffe);
            std::map<uint32_t, double> expected;
            for (uint32_t at = from; at != to;)
            {
                const NextHops& hops = fabric.router->GetNextHops(at, to);
                const uint16_t port =
                    selectors[at]->Select(*other.cluster->GetSwitches().front(), frame, hops);
                expected[fabric.GetDirection(at, port)] = 1;
                at = fabric.router->GetNeighbour(at, port);
            }
            EXPECT_EQ(fabric.FindShares(from, to, frame.entropy), expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Fabrics,
                         HashedPathsTest,
                         testing::Values("rails", "spines", "both", "leaves", "tree4", "tree8"),
                         [](const auto& info) { return std::string(info.param); });

// Paths that spread.

/// Adds what comes by at each direction when a switch has a share to send on.
void
Spread(const Fabric& fabric,
       PathSpread spread,
       uint32_t at,
       uint32_t to,
       double share,
       std::map<uint32_t, double>& shares)
{
    if (at == to)
    {
        return;
    }
    const NextHops& hops = fabric.router->GetNextHops(at, to);
    for (std::size_t i = 0; i < hops.ports.size(); ++i)
    {
        const double part = spread == PathSpread::Even
                                ? share / static_cast<double>(hops.ports.size())
                                : share * hops.weights[i] / hops.totalWeight;
        shares[fabric.GetDirection(at, hops.ports[i])] += part;
        Spread(fabric, spread, fabric.router->GetNeighbour(at, hops.ports[i]), to, part, shares);
    }
}

/// \return what comes by at each direction, found without any shortcut
std::map<uint32_t, double>
FindSharesSlowly(const Fabric& fabric, PathSpread spread, uint32_t from, uint32_t to)
{
    std::map<uint32_t, double> shares;
    if (spread != PathSpread::Routes)
    {
        Spread(fabric, spread, from, to, 1, shares);
        return shares;
    }
    const std::vector<Route>& routes = fabric.router->GetRoutes(from, to);
    for (const Route& route : routes)
    {
        uint32_t at = from;
        for (uint8_t hop = 0; hop < route.length; ++hop)
        {
            shares[fabric.GetDirection(at, route.ports[hop])] +=
                1 / static_cast<double>(routes.size());
            at = fabric.router->GetNeighbour(at, route.ports[hop]);
        }
    }
    return shares;
}

void
ExpectSame(const std::map<uint32_t, double>& found, const std::map<uint32_t, double>& expected)
{
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [direction, share] : expected)
    {
        ASSERT_EQ(found.count(direction), 1U) << "direction " << direction;
        EXPECT_NEAR(found.at(direction), share, 1e-12) << "direction " << direction;
    }
}

class SpreadPathsTest : public testing::TestWithParam<std::tuple<const char*, PathSpread>>
{
  protected:
    Fabric fabric{std::get<0>(GetParam()), std::get<1>(GetParam())};
    PathSpread spread{std::get<1>(GetParam())};
};

TEST_P(SpreadPathsTest, HaveTheSharesOfEveryPort)
{
    for (const bool isDamaged : {false, true})
    {
        if (isDamaged)
        {
            fabric.Damage();
        }
        for (const auto& [from, to] : fabric.GetPairs())
        {
            ExpectSame(fabric.FindShares(from, to), FindSharesSlowly(fabric, spread, from, to));
        }
    }
}

TEST_P(SpreadPathsTest, PassEverySwitchUndiminished)
{
    fabric.Damage();
    for (const auto& [from, to] : fabric.GetPairs())
    {
        std::map<uint32_t, double> balance; // by switch: what comes in less what goes out
        for (const auto& [direction, share] : fabric.FindShares(from, to))
        {
            const Cable& cable = fabric.wiring->GetCables()[direction / 2];
            balance[cable.lower] += direction % 2 == 0 ? -share : share;
            balance[cable.upper] += direction % 2 == 0 ? share : -share;
        }
        if (!fabric.router->IsConnected(from, to))
        {
            EXPECT_TRUE(balance.empty());
            continue;
        }
        balance[from] += 1;
        balance[to] -= 1;
        for (const auto& [at, difference] : balance)
        {
            EXPECT_NEAR(difference, 0, 1e-12) << "switch " << at;
        }
    }
}

TEST_P(SpreadPathsTest, HaveNoMoreBundlesThanTheirSharesAskFor)
{
    for (const bool isDamaged : {false, true})
    {
        if (isDamaged)
        {
            fabric.Damage();
        }
        // Directions by all their shares, in units of 1e-10.
        const uint32_t nics = fabric.wiring->GetShape().GetNics();
        std::map<uint32_t, std::map<std::size_t, int64_t>> columns;
        for (uint32_t cable = nics; cable < fabric.wiring->GetCables().size(); ++cable)
        {
            columns[2 * cable];
            columns[2 * cable + 1];
        }
        std::size_t pair = 0;
        for (const auto& [from, to] : fabric.GetPairs())
        {
            for (const auto& [direction, share] : FindSharesSlowly(fabric, spread, from, to))
            {
                columns[direction][pair] = std::llround(share * 1e10);
            }
            ++pair;
        }
        std::map<std::map<std::size_t, int64_t>, std::vector<uint32_t>> expected;
        for (const auto& [direction, column] : columns)
        {
            expected[column].push_back(direction);
        }
        std::set<std::vector<uint32_t>> wanted;
        for (const auto& [column, directions] : expected)
        {
            wanted.insert(directions);
        }
        std::set<std::vector<uint32_t>> found;
        for (uint32_t bundle = 2 * nics; bundle < fabric.paths.GetBundles(); ++bundle)
        {
            found.insert(fabric.paths.GetDirections(bundle));
        }
        EXPECT_EQ(found, wanted);
        for (uint32_t direction = 0; direction < 2 * nics; ++direction)
        {
            EXPECT_EQ(fabric.paths.GetDirections(direction), (std::vector<uint32_t>{direction}));
        }
    }
}

TEST_P(SpreadPathsTest, DependNeitherOnTheOrderOfCallsNorOnTheEntropy)
{
    fabric.Damage();
    Fabric other(std::get<0>(GetParam()), spread);
    other.Damage();
    auto pairs = other.GetPairs();
    std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, double>> backwards;
    for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair)
    {
        backwards[*pair] = other.FindShares(pair->first, pair->second, 17);
    }
    for (const auto& [from, to] : pairs)
    {
        EXPECT_EQ(fabric.FindShares(from, to), (backwards[{from, to}]));
    }
    ASSERT_EQ(fabric.paths.GetBundles(), other.paths.GetBundles());
    for (uint32_t bundle = 0; bundle < other.paths.GetBundles(); ++bundle)
    {
        EXPECT_EQ(fabric.paths.GetDirections(bundle), other.paths.GetDirections(bundle));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fabrics,
    SpreadPathsTest,
    testing::Combine(testing::Values("rails", "spines", "both", "leaves", "tree4", "tree6"),
                     testing::ValuesIn(kSpreads)),
    [](const auto& info) {
        return std::string(std::get<0>(info.param)) +
               std::to_string(static_cast<int>(std::get<1>(info.param)));
    });

// By hand.

TEST(FlowPaths, OfAFatTreeHaveABundleForAnEdgeSwitchAndOneForAPod)
{
    for (const PathSpread spread : kSpreads)
    {
        Fabric tree("tree4", spread);
        // 16 NICs, 8 edge switches, 4 pods; each in both directions.
        EXPECT_EQ(tree.paths.GetBundles(), 2U * (16 + 8 + 4));
        Fabric larger("tree8", spread);
        EXPECT_EQ(larger.paths.GetBundles(), 2U * (128 + 32 + 8));
        const FlowPath far = tree.paths.Find(0, 15, 0);
        ASSERT_EQ(far.parts.size(), 6U);
        EXPECT_EQ(far.parts[0].bundle, 0U);
        EXPECT_EQ(far.parts[1].bundle, 31U);
        std::multiset<double> shares;
        for (const FlowPath::Part& part : far.parts)
        {
            shares.insert(part.share);
        }
        EXPECT_EQ(shares, (std::multiset<double>{0.25, 0.25, 0.5, 0.5, 1, 1}));
        EXPECT_EQ(tree.paths.Find(0, 3, 0).parts.size(), 4U) << "inside a pod";
    }
}

TEST(FlowPaths, OfLeavesAndSpinesHaveABundleForALeaf)
{
    for (const PathSpread spread : kSpreads)
    {
        Fabric leaves("leaves", spread);
        EXPECT_EQ(leaves.paths.GetBundles(), 2U * (12 + 4));
        const FlowPath path = leaves.paths.Find(0, 11, 0);
        ASSERT_EQ(path.parts.size(), 4U);
        EXPECT_EQ(leaves.paths.GetDirections(path.parts[2].bundle).size(), 6U);
        EXPECT_DOUBLE_EQ(path.parts[2].share, 1.0 / 6);
        EXPECT_DOUBLE_EQ(path.parts[3].share, 1.0 / 6);
    }
}

TEST(FlowPaths, OfOnePathHaveABundleForEachDirection)
{
    Fabric leaves("leaves", PathSpread::OnePath);
    ASSERT_EQ(leaves.paths.GetBundles(), 2U * (12 + 24));
    for (uint32_t direction = 0; direction < leaves.paths.GetBundles(); ++direction)
    {
        EXPECT_EQ(leaves.paths.GetDirections(direction), (std::vector<uint32_t>{direction}));
    }
}

TEST(FlowPaths, OnOneSwitchAreTheCablesOfBothNics)
{
    for (const PathSpread spread : kAll)
    {
        Fabric leaves("leaves", spread);
        const FlowPath path = leaves.paths.Find(2, 0, 0);
        ASSERT_EQ(path.parts.size(), 2U);
        EXPECT_EQ(leaves.paths.GetDirections(path.parts[0].bundle), (std::vector<uint32_t>{1}));
        EXPECT_EQ(leaves.paths.GetDirections(path.parts[1].bundle), (std::vector<uint32_t>{4}));
        EXPECT_EQ(path.parts[0].share, 1);
        EXPECT_EQ(path.parts[1].share, 1);
    }
}

TEST(FlowPaths, FollowWeightsAfterAFailure)
{
    // An aggregation switch of the first pod keeps one of its two cores.
    Fabric tree("tree4", PathSpread::Weighted);
    tree.CutAndConverge({{"pod0-agg1", "core3"}});
    const uint32_t from = tree.GetSwitch("pod0-edge0");
    const uint32_t to = tree.GetSwitch("pod2-edge1");
    std::map<uint32_t, double> shares = tree.FindShares(from, to);
    const auto find = [&](const char* lower, const char* upper, bool isUp) {
        const uint32_t cable =
            tree.wiring->FindCables(tree.GetSwitch(lower), tree.GetSwitch(upper)).front();
        return shares[2 * cable + (isUp ? 0 : 1)];
    };
    EXPECT_DOUBLE_EQ(find("pod0-edge0", "pod0-agg0", true), 2.0 / 3);
    EXPECT_DOUBLE_EQ(find("pod0-edge0", "pod0-agg1", true), 1.0 / 3);
    EXPECT_DOUBLE_EQ(find("pod0-agg0", "core1", true), 1.0 / 3);
    EXPECT_DOUBLE_EQ(find("pod0-agg1", "core2", true), 1.0 / 3);
    EXPECT_DOUBLE_EQ(find("pod0-agg1", "core3", true), 0);
    EXPECT_DOUBLE_EQ(find("pod2-edge1", "pod2-agg0", false), 2.0 / 3);
}

TEST(FlowPaths, StayOverACutCableUntilTheRouterHasConverged)
{
    for (const PathSpread spread : kAll)
    {
        Fabric leaves("leaves", spread);
        const std::map<uint32_t, double> before = leaves.FindShares(0, 1);
        const uint32_t cut = before.begin()->first / 2;
        leaves.wiring->SetUp(cut, false, {});
        EXPECT_EQ(leaves.FindShares(0, 1), before);
        leaves.router->Converge();
        EXPECT_EQ(leaves.FindShares(0, 1), before) << "not refreshed yet";
        EXPECT_EQ(leaves.FindShares(0, 2).size(), leaves.FindShares(3, 2).size()) << "nor the rest";
        leaves.paths.Refresh();
        const std::map<uint32_t, double> after = leaves.FindShares(0, 1);
        EXPECT_FALSE(after.empty());
        EXPECT_EQ(after.count(2 * cut), 0U);
    }
}

TEST(FlowPaths, AreEmptyWhereNoWayIsKnown)
{
    for (const PathSpread spread : kAll)
    {
        Fabric tree("tree4", spread);
        tree.CutAndConverge({{"pod3-edge1", "pod3-agg0"}, {"pod3-edge1", "pod3-agg1"}});
        EXPECT_TRUE(tree.paths.Find(0, 15, 0).parts.empty());
        EXPECT_TRUE(tree.paths.Find(15, 0, 0).parts.empty());
        EXPECT_FALSE(tree.paths.Find(0, 13, 0).parts.empty());
        EXPECT_FALSE(tree.paths.Find(14, 15, 0).parts.empty()) << "on the same switch";
    }
}

/// \return ports of a switch that lead to another
std::vector<uint16_t>
FindPorts(const Fabric& fabric, const std::string& at, const std::string& to)
{
    std::vector<uint16_t> ports;
    const uint32_t number = fabric.GetSwitch(at);
    for (const uint32_t cable : fabric.wiring->FindCables(number, fabric.GetSwitch(to)))
    {
        const Cable& found = fabric.wiring->GetCables()[cable];
        ports.push_back(found.lower == number ? found.lowerPort : found.upperPort);
    }
    return ports;
}

/// Replaces next hops in a fat-tree of k = 4 toward the last edge switch.
void
Override(Fabric& tree, const std::string& at, const std::vector<std::string>& via)
{
    RouteOverride route{tree.GetSwitch(at), tree.GetSwitch("pod3-edge1"), {}};
    for (const std::string& name : via)
    {
        const std::vector<uint16_t> ports = FindPorts(tree, at, name);
        route.ports.insert(route.ports.end(), ports.begin(), ports.end());
    }
    tree.wiring->Override(route);
    tree.Converge();
}

TEST(FlowPaths, AreEmptyWhereGivenNextHopsLeadIntoACircle)
{
    for (const PathSpread spread : kAll)
    {
        Fabric tree("tree4", spread);
        Override(tree, "pod0-edge0", {"pod0-agg0"});
        EXPECT_FALSE(tree.paths.Find(0, 15, 0).parts.empty());
        Override(tree, "pod0-agg0", {"pod0-edge0"});
        EXPECT_TRUE(tree.paths.Find(0, 15, 0).parts.empty());
        EXPECT_FALSE(tree.paths.Find(8, 15, 0).parts.empty()) << "from another pod";
        EXPECT_FALSE(tree.paths.Find(0, 13, 0).parts.empty()) << "to another switch";
    }
}

TEST(FlowPaths, MayBeLongerThanSourceRoutesWhereHostsHaveNone)
{
    for (const PathSpread spread : kAll)
    {
        // Down again inside the pod, and by the other aggregation switch: six hops.
        Fabric tree("tree4", spread);
        Override(tree, "pod0-edge0", {"pod0-agg0"});
        Override(tree, "pod0-agg0", {"pod0-edge1"});
        Override(tree, "pod0-edge1", {"pod0-agg1"});
        EXPECT_EQ(tree.paths.Find(0, 15, 0).parts.empty(), spread == PathSpread::Routes);
        EXPECT_FALSE(tree.paths.Find(2, 15, 0).parts.empty());
    }
}

TEST(FlowPaths, PassOverRoutesThatLeadNowhereWhereHostsDo)
{
    for (const PathSpread spread : kAll)
    {
        Fabric tree("tree4", spread);
        Override(tree, "pod0-agg0", {});
        if (spread == PathSpread::OnePath)
        {
            continue; // as the hash has it
        }
        const FlowPath path = tree.paths.Find(0, 15, 0);
        EXPECT_EQ(path.parts.empty(), spread != PathSpread::Routes);
        if (spread == PathSpread::Routes)
        {
            ExpectSame(tree.FindShares(0, tree.GetSwitch("pod3-edge1")),
                       FindSharesSlowly(tree, spread, 0, tree.GetSwitch("pod3-edge1")));
        }
    }
}

TEST(FlowPaths, AreEmptyWhereGivenNextHopsLeadToANic)
{
    for (const PathSpread spread : kAll)
    {
        Fabric tree("tree4", spread);
        const uint16_t port = tree.wiring->GetSwitches()[0].cables.front() == 0 ? 0 : 2;
        tree.wiring->Override({0, tree.GetSwitch("pod3-edge1"), {port}});
        tree.Converge();
        EXPECT_TRUE(tree.paths.Find(0, 15, 0).parts.empty());
    }
}

TEST(FlowPaths, GiveAPortThatIsGivenTwiceTwiceTheWeight)
{
    for (const PathSpread spread : kSpreads)
    {
        Fabric tree("tree4", spread);
        Override(tree, "pod0-edge0", {"pod0-agg1", "pod0-agg0", "pod0-agg1"});
        std::map<uint32_t, double> shares = tree.FindShares(0, tree.GetSwitch("pod3-edge1"));
        ExpectSame(shares, FindSharesSlowly(tree, spread, 0, tree.GetSwitch("pod3-edge1")));
        EXPECT_DOUBLE_EQ(
            shares[tree.GetDirection(0, FindPorts(tree, "pod0-edge0", "pod0-agg1").front())],
            spread == PathSpread::Weighted ? 2.0 / 3 : 0.5);
    }
}

TEST(FlowPaths, TellPropagationAndWhatStoringFramesAdds)
{
    Ptr<Topology> topology = MakeTopology("leaves");
    topology->SetAttribute("NicRate", Rate(400 * kGbps));    // 20 ps per byte
    topology->SetAttribute("UplinkRate", Rate(100 * kGbps)); // 80 ps per byte
    topology->SetAttribute("LinkDelay", Ps(600'000));
    std::shared_ptr<Wiring> wiring = topology->Lay();
    auto router = std::make_shared<Router>(*wiring);
    for (const PathSpread spread : kAll)
    {
        FlowPaths paths(router, spread);
        const FlowPath far = paths.Find(0, 11, 0);
        EXPECT_EQ(far.delay, 4 * 600'000);
        EXPECT_DOUBLE_EQ(far.storing, 20 + 80 + 20);
        const FlowPath near = paths.Find(0, 2, 0);
        EXPECT_EQ(near.delay, 2 * 600'000);
        EXPECT_DOUBLE_EQ(near.storing, 20);
    }
}

TEST(FlowPaths, AreAsLongAsTheLongestOfTheirWays)
{
    Ptr<Topology> topology = MakeTopology("leaves");
    std::shared_ptr<Wiring> wiring = topology->Lay();
    // One of the cables between the first leaf and the second of three spines is longer and slower.
    const uint32_t cable =
        wiring->FindCables(wiring->FindSwitch("leaf0"), wiring->FindSwitch("spine1")).front();
    CableKind kind = wiring->GetKind(wiring->GetCables()[cable]);
    const TimePs usual = kind.delay;
    const double perByte = 8e12 / static_cast<double>(kind.rateBps);
    kind.delay += 5000;
    kind.rateBps /= 2;
    wiring->SetKind(cable, kind);
    auto router = std::make_shared<Router>(*wiring);
    FlowPaths paths(router, PathSpread::Even);
    EXPECT_EQ(paths.Find(0, 11, 0).delay, 4 * usual + 5000);
    EXPECT_DOUBLE_EQ(paths.Find(0, 11, 0).storing, 3 * perByte);
    EXPECT_EQ(paths.Find(11, 0, 0).delay, 4 * usual + 5000);
    EXPECT_EQ(paths.Find(4, 11, 0).delay, 4 * usual);
}

/// \return the directions of a path that takes one way, ascending
std::vector<uint32_t>
ListDirections(const FlowPaths& paths, const FlowPath& path)
{
    std::vector<uint32_t> directions;
    for (const FlowPath::Part& part : path.parts)
    {
        EXPECT_DOUBLE_EQ(part.share, 1);
        for (const uint32_t direction : paths.GetDirections(part.bundle))
        {
            directions.push_back(direction);
        }
    }
    std::sort(directions.begin(), directions.end());
    return directions;
}

TEST(FlowPaths, HaveBothHalvesOfADetour)
{
    const DetourWiring detours;
    const auto nic = DetourWiring::GetNic;
    const auto uplink = static_cast<uint32_t>(detours.wiring->GetCables().size() - 2);
    for (const PathSpread spread : kAll)
    {
        const FlowPaths paths(detours.router, spread);
        const FlowPath there = paths.Find(nic(0, 0), nic(2, 1), 7);
        EXPECT_EQ(ListDirections(paths, there),
                  (std::vector<uint32_t>{2 * nic(0, 0),
                                         2 * nic(1, 0) + 1,
                                         2 * nic(1, 1),
                                         2 * nic(2, 1) + 1,
                                         2 * uplink,
                                         2 * uplink + 3}));
        const FlowPath back = paths.Find(nic(2, 1), nic(0, 0), 7);
        EXPECT_EQ(ListDirections(paths, back),
                  (std::vector<uint32_t>{2 * nic(0, 0) + 1,
                                         2 * nic(1, 0),
                                         2 * nic(1, 1) + 1,
                                         2 * nic(2, 1),
                                         2 * uplink + 1,
                                         2 * uplink + 2}));
        for (const FlowPath& path : {there, back})
        {
            EXPECT_EQ(path.delay,
                      2 * (DetourWiring::kOpticalDelay + DetourWiring::kElectricDelay +
                           DetourWiring::kUplinkDelay));
            // 20 ps a byte by the circuit, 40 by each NIC, 80 by uplinks, the slowest.
            EXPECT_DOUBLE_EQ(path.storing, 20 + 40 + 40 + 80);
        }
        const FlowPath below = paths.Find(nic(0, 0), nic(3, 2), 7);
        EXPECT_EQ(below.delay, 2 * (DetourWiring::kOpticalDelay + DetourWiring::kElectricDelay));
        EXPECT_DOUBLE_EQ(below.storing, 20 + 40);
    }
}

TEST(FlowPaths, StoreNothingInACircuit)
{
    const DetourWiring detours;
    const auto nic = DetourWiring::GetNic;
    for (const PathSpread spread : kAll)
    {
        const FlowPaths paths(detours.router, spread);
        const FlowPath path = paths.Find(nic(0, 0), nic(1, 0), 7);
        EXPECT_EQ(ListDirections(paths, path),
                  (std::vector<uint32_t>{2 * nic(0, 0), 2 * nic(1, 0) + 1}));
        EXPECT_EQ(path.delay, 2 * DetourWiring::kOpticalDelay);
        EXPECT_DOUBLE_EQ(path.storing, 0);
    }
}

TEST(FlowPaths, FollowCircuitsWithoutBeingRefreshed)
{
    const DetourWiring detours;
    const auto nic = DetourWiring::GetNic;
    for (const PathSpread spread : kAll)
    {
        const FlowPaths paths(detours.router, spread);
        detours.wiring->GetCircuits().End(nic(0, 0), {});
        EXPECT_FALSE(paths.Find(nic(0, 0), nic(1, 0), 7).parts.empty())
            << "the way that a circuit would be";
        EXPECT_TRUE(paths.Find(nic(0, 0), nic(2, 1), 7).parts.empty());
        EXPECT_TRUE(paths.Find(nic(2, 1), nic(0, 0), 7).parts.empty());
        detours.wiring->GetCircuits().End(nic(2, 0), {});
        detours.wiring->GetCircuits().Join(nic(0, 0), nic(3, 0));
        EXPECT_EQ(paths.Find(nic(0, 0), nic(2, 1), 7).delay,
                  2 * (DetourWiring::kOpticalDelay + DetourWiring::kElectricDelay))
            << "server 3 is at the same leaf";
        detours.wiring->GetCircuits().End(nic(0, 0), {});
        detours.wiring->GetCircuits().Join(nic(0, 0), nic(1, 0));
        detours.wiring->GetCircuits().Join(nic(2, 0), nic(3, 0));
    }
}

TEST(FlowPaths, TakeNoDetourWhereTheRouterDoesNot)
{
    const DetourWiring detours;
    const auto nic = DetourWiring::GetNic;
    const auto strict = std::make_shared<Router>(*detours.wiring);
    for (const PathSpread spread : kAll)
    {
        const FlowPaths paths(strict, spread);
        EXPECT_TRUE(paths.Find(nic(0, 0), nic(2, 1), 7).parts.empty());
        EXPECT_TRUE(paths.Find(nic(2, 1), nic(0, 0), 7).parts.empty());
        EXPECT_FALSE(paths.Find(nic(0, 0), nic(1, 0), 7).parts.empty());
    }
}

} // namespace
