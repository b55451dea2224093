// SPDX-License-Identifier: GPL-2.0-only
#include "../support/port-pair.h"

#include "ns3/rails-link.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint64_t kRailsLinkRate = 100'000'000'000;

Ptr<UniformRandomVariable>
MakeRandom(int64_t seed)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(static_cast<uint64_t>(seed));
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    return random;
}

TEST(Link, DeliversInOrderAfterItsDelay)
{
    // Far more frames on the wire than the ring begins with.
    PortPair pair(kRailsLinkRate, 1'000'000);
    for (uint64_t psn = 0; psn < 200; ++psn)
    {
        pair.left->Enqueue(pair.MakeFrame(FrameKind::Data, psn, 80 + psn % 3));
    }
    Simulator::Run();
    ASSERT_EQ(pair.rightOwner.arrivals.size(), 200U);
    TimePs lastBit = 0;
    for (uint64_t psn = 0; psn < 200; ++psn)
    {
        lastBit += static_cast<TimePs>(100 + psn % 3) * 80;
        EXPECT_EQ(pair.rightOwner.arrivals[psn].psn, psn);
        EXPECT_EQ(pair.rightOwner.arrivals[psn].at, lastBit + 1'000'000);
    }
    EXPECT_EQ(pair.left->GetLink().GetFrames(), 200U);
    EXPECT_EQ(pair.left->GetLink().GetLosses(), 0U);
}

TEST(Link, WorksWithoutDelay)
{
    PortPair pair(kRailsLinkRate, 0);
    pair.left->Enqueue(pair.MakeFrame(FrameKind::Data, 0, 80));
    Simulator::Run();
    EXPECT_EQ(pair.rightOwner.arrivals, (std::vector<Arrival>{{8000, FrameKind::Data, 0}}));
}

TEST(Link, LosesTheShareItIsTold)
{
    constexpr uint64_t kFrames = 100'000;
    for (const double probability : {1e-3, 0.1})
    {
        for (int64_t seed = 1; seed <= 3; ++seed)
        {
            PortPair pair(kRailsLinkRate, 1000);
            pair.left->GetLink().SetLoss(probability, MakeRandom(seed));
            for (uint64_t psn = 0; psn < kFrames; ++psn)
            {
                pair.left->Enqueue(pair.MakeFrame(FrameKind::Data, psn, 80));
            }
            Simulator::Run();
            const uint64_t losses = pair.left->GetLink().GetLosses();
            const double expected = probability * kFrames;
            const double error = std::sqrt(expected * (1 - probability));
            EXPECT_NEAR(static_cast<double>(losses), expected, 4 * error) << "seed " << seed;
            EXPECT_EQ(pair.left->GetLink().GetFrames() + losses, kFrames);
            EXPECT_EQ(pair.rightOwner.arrivals.size() + losses, kFrames);
            EXPECT_EQ(pair.pool.GetInUse(), 0U) << "lost frames go back to the pool";
        }
    }
}

TEST(Link, LosesOtherFramesWithAnotherSeed)
{
    std::vector<std::vector<Arrival>> outcomes;
    for (const int64_t seed : {1, 1, 2})
    {
        PortPair pair(kRailsLinkRate, 1000);
        pair.left->GetLink().SetLoss(0.5, MakeRandom(seed));
        for (uint64_t psn = 0; psn < 100; ++psn)
        {
            pair.left->Enqueue(pair.MakeFrame(FrameKind::Data, psn, 80));
        }
        Simulator::Run();
        outcomes.push_back(pair.rightOwner.arrivals);
    }
    EXPECT_EQ(outcomes[0], outcomes[1]);
    EXPECT_NE(outcomes[0], outcomes[2]);
}

TEST(Link, LosesControlFramesButSparesPauseFrames)
{
    PortPair pair(kRailsLinkRate, 1000);
    pair.right->GetLink().SetLoss(1, MakeRandom(1));
    pair.right->Enqueue(pair.MakeFrame(FrameKind::Ack, 0, 64));
    pair.right->Enqueue(pair.MakeFrame(FrameKind::Cnp, 0, 64));
    for (TimePs at = 0; at < 100; ++at)
    {
        pair.At(at * 100'000, [&] { pair.right->SendPause(kDataClass, 1); });
    }
    Simulator::Run();
    EXPECT_EQ(pair.left->GetCountersNow().pauses, 100U);
    EXPECT_TRUE(pair.leftOwner.arrivals.empty());
    EXPECT_EQ(pair.right->GetLink().GetLosses(), 2U);
    EXPECT_EQ(pair.right->GetLink().GetFrames(), 0U) << "pause frames are counted apart";
}

} // namespace
