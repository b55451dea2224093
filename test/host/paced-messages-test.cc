// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>

namespace ns3::rails::test
{

namespace
{

// 400 Gbps: a byte takes 20 ps; a full frame with headers, preamble and gap has 4,178.
constexpr uint64_t kPacedRate = 400'000'000'000;
constexpr TimePs kPacedFrame = 4178 * 20;
constexpr uint64_t kPacedMtu = 4096;

uint64_t
FindLongestQueue(const TestCluster& test)
{
    uint64_t longest = 0;
    for (const Ptr<Port>& port : test.cluster->GetPorts())
    {
        if (port->GetIdentity().portClass == "leaf_down")
        {
            longest = std::max(longest, port->GetCountersNow().queueMaxBytes);
        }
    }
    return longest;
}

TEST(PacedMessages, FramesFollowEachOtherAtThePaceAndNotFaster)
{
    TimePs unpaced = 0;
    for (const uint64_t part : {0, 1, 4})
    {
        TestCluster test(2);
        test.Build();
        const Message& message =
            test.Post(0, 1, 100 * kPacedMtu, -1, -1, 0, part == 0 ? 0 : kPacedRate / part);
        test.Run();
        unpaced = part == 0 ? message.end : unpaced;
        const auto slower = static_cast<TimePs>(part == 0 ? 0 : part - 1);
        EXPECT_EQ(message.end - unpaced, 99 * slower * kPacedFrame);
    }
}

TEST(PacedMessages, SendersThatShareAReceiverKeepAFrameEachInItsQueueAtMost)
{
    for (const bool isPaced : {true, false})
    {
        TestCluster test(5);
        test.Build();
        for (uint32_t sender = 1; sender < 5; ++sender)
        {
            test.Post(sender, 0, 100 * kPacedMtu, -1, -1, 0, isPaced ? kPacedRate / 4 : 0);
        }
        test.Run();
        const uint64_t longest = FindLongestQueue(test);
        if (isPaced)
        {
            EXPECT_LE(longest, 4U * 4178);
        }
        else
        {
            EXPECT_GT(longest, 20U * 4178);
        }
    }
}

TEST(PacedMessages, OnesThatShareANicEndTogetherThoughTheyWaitForIt)
{
    // Nine tenths and a tenth of the NIC, and as much to send.
    TestCluster test(3);
    test.Build();
    const Message& large = test.Post(0, 1, 450 * kPacedMtu, -1, -1, 0, kPacedRate / 10 * 9);
    const Message& small = test.Post(0, 2, 50 * kPacedMtu, -1, -1, 0, kPacedRate / 10);
    test.Run();
    const TimePs sending = 500 * kPacedFrame;
    EXPECT_NEAR(large.end, sending, 20 * kPacedFrame);
    EXPECT_NEAR(small.end, sending, 20 * kPacedFrame);
}

} // namespace

} // namespace ns3::rails::test
