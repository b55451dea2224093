// SPDX-License-Identifier: GPL-2.0-only
#include "../graph/replica-fixtures.h"

#include "ns3/component-maker.h"
#include "ns3/rails-balancer.h"
#include "ns3/rails-engine-choice.h"
#include "ns3/rails-topology-helper.h"
#include "ns3/replica-finder.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace ns3::rails
{

namespace
{

/// Four replicas of a server with two GPUs and NICs each, each rail on one leaf.
class ReplicaFinderTest : public testing::Test
{
  protected:
    ReplicaFinderTest()
    {
        topology.SetAttribute("Domains", UintegerValue(4));
        topology.SetAttribute("GpusPerDomain", UintegerValue(2));
        settings.engine = MakeComponent<EngineChoice>("FlowEngineChoice");
        settings.balancer->SetAttribute("Tie", StringValue("lowest"));
    }

    /// \return how many replicas there are; none: the reason
    std::string Find(const Wiring& wiring)
    {
        ReplicaFinder finder(wiring, settings, PathSpread::OnePath);
        const auto fold = finder.Find(test::ReplicaProgram(4));
        return fold ? std::to_string(fold->CountReplicas()) : finder.GetReason();
    }

    RailTopologyHelper topology;
    RunSettings settings{MakeRunSettings()};
};

} // namespace

TEST_F(ReplicaFinderTest, FindsReplicasOnLikeServers)
{
    EXPECT_EQ(Find(*topology.Lay()), "4");
}

TEST_F(ReplicaFinderTest, ASlowerNicIsLikeNoOther)
{
    const auto wiring = topology.Lay();
    wiring->SetRate(7, wiring->GetCables()[7].rateBps / 2);
    EXPECT_EQ(Find(*wiring), "replicas have no whole servers at equal places");
}

TEST_F(ReplicaFinderTest, ANicOfAnotherKindIsLikeNoOther)
{
    const auto wiring = topology.Lay();
    CableKind kind = wiring->GetNicKind(5);
    kind.delay += 1;
    wiring->SetKind(5, kind);
    EXPECT_EQ(Find(*wiring), "replicas have no whole servers at equal places");
}

TEST_F(ReplicaFinderTest, BalancersThatBeginElsewhereLeaveTooFewReplicas)
{
    settings.balancer->SetAttribute("Tie", StringValue("rotated"));
    EXPECT_EQ(Find(*topology.Lay()), "replicas have no whole servers at equal places")
        << "two of two servers each are not worth while";
}

TEST_F(ReplicaFinderTest, FewerThanThreeAreNotLookedAt)
{
    const auto wiring = topology.Lay();
    ReplicaFinder finder(*wiring, settings, PathSpread::OnePath);
    EXPECT_EQ(finder.Find(test::ReplicaProgram(2)), nullptr);
    EXPECT_EQ(finder.GetReason(), "");
}

} // namespace ns3::rails
