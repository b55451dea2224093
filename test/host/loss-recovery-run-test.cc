// SPDX-License-Identifier: GPL-2.0-only

// Loss recovery in the network: whatever is lost, every byte arrives, once.

#include "../support/test-cluster.h"

#include "ns3/loss-recovery.h"
#include "ns3/random-variable-stream.h"
#include "ns3/selective-repeat-loss-recovery.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

// 400 Gbps, 500 ns: a byte takes 20 ps.
constexpr TimePs kLossRecoveryRunDelay = 500'000;
constexpr TimePs kLossRecoveryRunFullFrame = 4178 * 20;
constexpr TimePs kLossRecoveryRunAckFrame = 84 * 20;
constexpr TimePs kTimeout = 16'000'000'000;

class LossRun : public testing::TestWithParam<std::string>
{
  protected:
    static void SetRecovery(TestCluster& test, const std::string& name)
    {
        test.transport->SetAttribute("LossRecovery", StringValue("ns3::rails::" + name));
    }

    static void ExpectEverythingOnce(const TestCluster& test)
    {
        uint64_t bytes = 0;
        for (const Message& message : test.messages)
        {
            EXPECT_LE(message.end, message.acknowledged);
            bytes += message.bytes;
        }
        EXPECT_TRUE(test.IsEverythingDeliveredOnce());
        EXPECT_EQ(test.deliveries.size(), test.messages.size());
        EXPECT_EQ(test.acknowledged, test.messages.size());
        EXPECT_EQ(test.Sum(&NicCounters::rxBytes), bytes);
        EXPECT_EQ(test.Sum(&NicCounters::txBytes), bytes);
        EXPECT_EQ(test.cluster->GetFramesInUse(), 0U);
        EXPECT_EQ(test.GetBuffered(), 0U);
    }
};

/// \return data frames sent for 40 MB from each of 4 servers to the next one
uint64_t
CountFrames(const std::string& recovery, uint64_t seed)
{
    TestCluster test(4);
    test.topology->SetAttribute("LinkLoss", DoubleValue(1e-3));
    test.transport->SetAttribute("LossRecovery", StringValue("ns3::rails::" + recovery));
    test.Build(seed);
    for (uint32_t server = 0; server < 4; ++server)
    {
        test.Post(server, (server + 1) % 4, 10'000'000);
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 4U);
    EXPECT_EQ(test.Sum(&NicCounters::rxBytes), 40'000'000U);
    EXPECT_GT(test.GetLosses(), 10U);
    EXPECT_GT(test.Sum(&NicCounters::retransmitted), 0U);
    return test.Sum(&NicCounters::dataFrames);
}

TEST(LossRunComparison, SelectiveRepeatSendsFewerFramesThanGoBackN)
{
    const uint64_t needed = 4 * ((10'000'000 + 4095) / 4096);
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        const uint64_t goBackN = CountFrames("GoBackNLossRecovery", seed);
        const uint64_t selective = CountFrames("SelectiveRepeatLossRecovery", seed);
        EXPECT_GT(selective, needed);
        EXPECT_LT(selective, goBackN) << "seed " << seed;
        // About 20 of 10000 frames are lost; go-back-n sends a round trip's worth for each.
        EXPECT_LT(selective - needed, (goBackN - needed) / 4) << "seed " << seed;
    }
}

TEST_P(LossRun, OfOneFrameInAThousandDeliversEverythingOnce)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        TestCluster test(4, 2);
        test.topology->SetAttribute("LinkLoss", DoubleValue(1e-3));
        SetRecovery(test, GetParam());
        test.Build(seed);
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (uint32_t destination = 0; destination < 8; ++destination)
            {
                if (source / 2 != destination / 2)
                {
                    const int rail = (source + destination) % 2; // some over NVLink
                    test.Post(source, destination, 1'000'000 + source, rail, rail);
                }
            }
        }
        test.Run();
        EXPECT_GT(test.GetLosses(), 0U);
        ExpectEverythingOnce(test);
    }
}

TEST_P(LossRun, OfOneFrameInFiveDeliversEverythingOnce)
{
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        TestCluster test(4);
        test.topology->SetAttribute("LinkLoss", DoubleValue(0.2));
        SetRecovery(test, GetParam());
        test.transport->GetLossRecovery()->SetAttribute("Timeout", TimeValue(MicroSeconds(50)));
        test.Build(seed);
        for (uint32_t source = 0; source < 4; ++source)
        {
            for (uint32_t destination = 0; destination < 4; ++destination)
            {
                if (source != destination)
                {
                    test.Post(source, destination, 1);
                    test.Post(source, destination, 100'000);
                    test.Post(source, destination, 4097);
                }
            }
        }
        test.Run();
        ExpectEverythingOnce(test);
    }
}

TEST_P(LossRun, ALostTailIsSentAgainAfterTheTimeout)
{
    constexpr int kFrames = 10;
    TestCluster test(2);
    SetRecovery(test, GetParam());
    test.Build();
    const Message& message = test.Post(0, 1, kFrames * 4096);
    Link& link = test.GetNicPort(0).GetLink();
    test.RunUntil((kFrames - 1) * kLossRecoveryRunFullFrame - 1);
    link.SetLoss(1, CreateObject<UniformRandomVariable>());
    test.RunUntil((kFrames - 1) * kLossRecoveryRunFullFrame + 1);
    link.SetLoss(0, nullptr);
    test.Run();
    EXPECT_EQ(test.GetLosses(), 1U);
    // The timeout runs from the last ACK: that of the last frame but one.
    const TimePs lastAck = kFrames * kLossRecoveryRunFullFrame + 2 * kLossRecoveryRunDelay +
                           2 * (kLossRecoveryRunAckFrame + kLossRecoveryRunDelay);
    EXPECT_EQ(message.end,
              lastAck + kTimeout + 2 * (kLossRecoveryRunFullFrame + kLossRecoveryRunDelay));
    EXPECT_EQ(test.Sum(&NicCounters::retransmitted), 1U);
    ExpectEverythingOnce(test);
}

TEST_P(LossRun, AMessageOfOneLostFrameIsSentAgainAfterTheTimeout)
{
    TestCluster test(2);
    SetRecovery(test, GetParam());
    test.Build();
    Link& link = test.GetNicPort(0).GetLink();
    link.SetLoss(1, CreateObject<UniformRandomVariable>());
    const Message& message = test.Post(0, 1, 4096);
    test.RunUntil(1);
    link.SetLoss(0, nullptr);
    test.Run();
    EXPECT_EQ(message.end, kTimeout + 2 * (kLossRecoveryRunFullFrame + kLossRecoveryRunDelay));
}

TEST_P(LossRun, ALostLastAckDelaysOnlyTheSender)
{
    TestCluster test(2);
    SetRecovery(test, GetParam());
    test.Build();
    const Message& message = test.Post(0, 1, 10 * 4096);
    const TimePs end = 11 * kLossRecoveryRunFullFrame + 2 * kLossRecoveryRunDelay;
    Link& link = test.GetNicPort(1).GetLink();
    test.RunUntil(end - 1);
    link.SetLoss(1, CreateObject<UniformRandomVariable>());
    test.RunUntil(end + kLossRecoveryRunAckFrame);
    link.SetLoss(0, nullptr);
    test.Run();
    EXPECT_EQ(test.GetLosses(), 1U);
    EXPECT_EQ(message.end, end);
    EXPECT_GE(message.acknowledged, kTimeout);
    EXPECT_EQ(test.Sum(&NicCounters::dataFrames), 11U);
    ExpectEverythingOnce(test);
}

TEST_P(LossRun, AcksInBetweenMayBeLost)
{
    // Later ACKs cover them.
    TestCluster test(2);
    SetRecovery(test, GetParam());
    test.Build();
    const Message& message = test.Post(0, 1, 100 * 4096);
    Link& link = test.GetNicPort(1).GetLink();
    test.RunUntil(20 * kLossRecoveryRunFullFrame);
    link.SetLoss(1, CreateObject<UniformRandomVariable>());
    test.RunUntil(60 * kLossRecoveryRunFullFrame);
    link.SetLoss(0, nullptr);
    test.Run();
    EXPECT_GT(test.GetLosses(), 20U);
    EXPECT_EQ(message.end, 101 * kLossRecoveryRunFullFrame + 2 * kLossRecoveryRunDelay);
    EXPECT_EQ(message.acknowledged,
              message.end + 2 * (kLossRecoveryRunAckFrame + kLossRecoveryRunDelay));
}

TEST_P(LossRun, LossInTheMiddleIsRepairedWithoutTheTimeout)
{
    TestCluster test(2);
    SetRecovery(test, GetParam());
    test.Build();
    const Message& message = test.Post(0, 1, 1000 * 4096);
    Link& link = test.GetNicPort(0).GetLink();
    test.RunUntil(100 * kLossRecoveryRunFullFrame - 1);
    link.SetLoss(1, CreateObject<UniformRandomVariable>());
    test.RunUntil(100 * kLossRecoveryRunFullFrame + 1);
    link.SetLoss(0, nullptr);
    test.Run();
    EXPECT_EQ(test.GetLosses(), 1U);
    EXPECT_LT(message.end, 1100 * kLossRecoveryRunFullFrame);
    ExpectEverythingOnce(test);
}

INSTANTIATE_TEST_SUITE_P(Recoveries,
                         LossRun,
                         testing::Values("GoBackNLossRecovery", "SelectiveRepeatLossRecovery"),
                         [](const auto& info) { return info.param; });

} // namespace
