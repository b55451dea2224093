// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-topology-helper.h"
#include "ns3/replica-links.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return twelve servers of a GPU each, on leaves of so many ports with two spines
std::shared_ptr<Wiring>
LayLeaves(uint32_t ports)
{
    RailTopologyHelper topology;
    topology.SetAttribute("Domains", UintegerValue(12));
    topology.SetAttribute("GpusPerDomain", UintegerValue(1));
    topology.SetAttribute("LeafPorts", UintegerValue(ports));
    topology.SetAttribute("RailSpines", UintegerValue(2));
    return topology.Lay();
}

/// \return replicas of two servers, which are side by side, or one in each half of the cluster
ReplicaFold
FoldServers(const Wiring& wiring, bool isStaged)
{
    std::vector<std::vector<uint32_t>> replicas;
    for (uint32_t number = 0; number < 6; ++number)
    {
        replicas.push_back(isStaged ? std::vector<uint32_t>{number, number + 6}
                                    : std::vector<uint32_t>{2 * number, 2 * number + 1});
    }
    return {wiring.GetShape(), replicas};
}

} // namespace

TEST(ReplicaLinks, LeavesOfOneReplicaHaveCounterparts)
{
    const auto wiring = LayLeaves(2);
    const ReplicaFold fold = FoldServers(*wiring, false);
    const std::optional<ReplicaLinks> cables = ReplicaLinks::Find(*wiring, fold);
    ASSERT_TRUE(cables);
    EXPECT_EQ(cables->GetCounterpart(7), 1U) << "of a NIC";
    // Behind the NICs come the cables of the first spine to the six leaves, then of the second.
    EXPECT_EQ(cables->GetCounterpart(12 + 6 + 4), 12U + 6);
    for (uint32_t cable = 0; cable < wiring->GetCables().size(); ++cable)
    {
        EXPECT_FALSE(cables->IsShared(cable));
    }
}

TEST(ReplicaLinks, LeavesOfAllReplicasAreSharedAndTwoGetTheirPart)
{
    const auto wiring = LayLeaves(6);
    const ReplicaFold fold = FoldServers(*wiring, true);
    const std::optional<ReplicaLinks> cables = ReplicaLinks::Find(*wiring, fold);
    ASSERT_TRUE(cables);
    const uint64_t rate = wiring->GetCables()[12].rateBps;
    cables->Narrow(*wiring, fold);
    EXPECT_EQ(cables->GetCounterpart(13), 13U);
    EXPECT_TRUE(cables->IsShared(13));
    EXPECT_EQ(wiring->GetCables()[13].rateBps, rate / 3);
    EXPECT_EQ(wiring->GetCables()[0].rateBps, wiring->GetNicKind(0).rateBps) << "a NIC's";
}

TEST(ReplicaLinks, LeavesOfSomeReplicasAreLikeNothing)
{
    EXPECT_FALSE(ReplicaLinks::Find(*LayLeaves(4), FoldServers(*LayLeaves(4), false)));
    EXPECT_FALSE(ReplicaLinks::Find(*LayLeaves(3), FoldServers(*LayLeaves(3), false)))
        << "a replica on two leaves, another on one";
}

TEST(ReplicaLinks, UnlikeCablesAreFound)
{
    for (const uint32_t cable : {5, 12 + 7})
    {
        const auto wiring = LayLeaves(2);
        wiring->SetRate(cable, wiring->GetCables()[cable].rateBps / 2);
        EXPECT_FALSE(ReplicaLinks::Find(*wiring, FoldServers(*wiring, false))) << cable;
    }
}

} // namespace ns3::rails
