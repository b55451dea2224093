// SPDX-License-Identifier: GPL-2.0-only

// NVLink and NICs together: whichever is slower decides.

#include "../support/test-cluster.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint64_t kMessageBytes = 4'000'000;

double
Seconds(uint64_t bytes, double rateBps)
{
    return static_cast<double>(bytes) * 8 / rateBps;
}

double
GetEndSeconds(const TestCluster& test)
{
    return static_cast<double>(test.GetLastEnd()) * 1e-12;
}

/// Whether the one hot GPU of 8 is the source, or the destination.
class HotGpu : public testing::TestWithParam<bool>
{
  protected:
    /// \return when a hot GPU has moved 4 MB over each NIC
    static double Measure(uint64_t nvlinkRate)
    {
        TestCluster test(2, 8);
        test.topology->SetAttribute("NvlinkRate", Rate(nvlinkRate));
        test.Build();
        for (uint32_t rail = 0; rail < 8; ++rail)
        {
            if (GetParam())
            {
                test.Post(0,
                          8 + rail,
                          kMessageBytes,
                          static_cast<int>(rail),
                          static_cast<int>(rail));
            }
            else
            {
                test.Post(rail, 8, kMessageBytes, static_cast<int>(rail), static_cast<int>(rail));
            }
        }
        test.Run();
        EXPECT_EQ(test.deliveries.size(), 8U);
        EXPECT_EQ(test.Sum(&NicCounters::rxBytes), 8 * kMessageBytes);
        return GetEndSeconds(test);
    }
};

TEST_P(HotGpu, IsLimitedByTheNicsWhenNvlinkIsFastEnough)
{
    // 7 of 8 NICs are reached over NVLink: 2.8 Tbps are needed, headers apart.
    const double wire = Seconds(kMessageBytes + (kMessageBytes + 4095) / 4096 * 82, 400e9);
    for (const uint64_t rate : {3600 * kGbps, 2900 * kGbps})
    {
        const double seconds = Measure(rate);
        EXPECT_GE(seconds, wire);
        EXPECT_LE(seconds, wire * 1.03) << rate;
    }
}

TEST_P(HotGpu, IsLimitedByNvlinkWhenThatIsSlower)
{
    for (const uint64_t rate : {2400 * kGbps, 1400 * kGbps, 400 * kGbps})
    {
        const double nvlink = Seconds(7 * kMessageBytes, static_cast<double>(rate));
        const double seconds = Measure(rate);
        EXPECT_GE(seconds, nvlink);
        EXPECT_LE(seconds, nvlink * 1.03) << rate;
    }
}

INSTANTIATE_TEST_SUITE_P(Ends, HotGpu, testing::Bool(), [](const auto& info) {
    return info.param ? "source" : "destination";
});

TEST(GpuServer, TrafficInsideAServerSharesNvlinkWithTrafficToOtherServers)
{
    // GPU 0 sends 8 MB to its neighbour and 8 MB over its neighbour's NIC, both over NVLink.
    TestCluster test(2, 2);
    test.topology->SetAttribute("NvlinkRate", Rate(400 * kGbps));
    test.Build();
    test.Post(0, 1, 2 * kMessageBytes);
    test.Post(0, 3, 2 * kMessageBytes, 1, 1);
    test.Run();
    const double nvlink = Seconds(4 * kMessageBytes, 400e9);
    EXPECT_GE(GetEndSeconds(test), nvlink);
    EXPECT_LE(GetEndSeconds(test), nvlink * 1.03);
    EXPECT_EQ(test.cluster->GetServers()[0]->GetInterior().GetBytes(2 * 0), 4 * kMessageBytes);
}

TEST(GpuServer, MessagesInsideAServerTouchNoNic)
{
    TestCluster test(2, 4);
    test.Build();
    for (uint32_t source = 0; source < 4; ++source)
    {
        for (uint32_t destination = 0; destination < 4; ++destination)
        {
            if (source != destination)
            {
                test.Post(source, destination, 100'000);
            }
        }
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 12U);
    EXPECT_EQ(test.acknowledged, 12U);
    EXPECT_EQ(test.Sum(&NicCounters::messages), 0U);
    EXPECT_EQ(test.Sum(&NicCounters::txBytes), 0U);
    EXPECT_EQ(test.Sum(&PortCounters::wireBytes), 0U);
}

TEST(GpuServer, ADirectMessageTouchesNoNvlink)
{
    TestCluster test(2, 4);
    test.Build();
    test.Post(1, 5, 100'000);
    test.Run();
    for (const Ptr<GpuServer>& server : test.cluster->GetServers())
    {
        for (uint32_t gpu = 0; gpu < 4; ++gpu)
        {
            EXPECT_EQ(server->GetInterior().GetBytes(2 * gpu), 0U);
        }
    }
}

TEST(GpuServer, EveryByteOfARelayedMessageCrossesNvlinkOnce)
{
    TestCluster test(2, 4);
    test.transport->SetAttribute("Mtu", Bytes(1000));
    test.Build();
    for (const uint64_t bytes : {1U, 999U, 16'384U, 16'385U, 123'457U})
    {
        test.Post(1, 7, bytes, 2, 2);
    }
    test.Run();
    const uint64_t sum = 1 + 999 + 16'384 + 16'385 + 123'457;
    EXPECT_EQ(test.cluster->GetServers()[0]->GetInterior().GetBytes(2 * 1), sum);
    EXPECT_EQ(test.cluster->GetServers()[1]->GetInterior().GetBytes(2 * 2), sum);
    for (const Message& message : test.messages)
    {
        EXPECT_LT(message.start, message.end);
    }
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
    EXPECT_EQ(test.cluster->GetServers()[1]->GetDeliveredBytes(), sum);
}

TEST(GpuServer, AMessageThatIsSlowlyStagedDoesNotHoldUpAnother)
{
    // Through a slow NVLink the first message trickles to NIC 1; the queue pair of another peer
    // on the same NIC goes on.
    TestCluster test(3, 2);
    test.topology->SetAttribute("NvlinkRate", Rate(10 * kGbps));
    test.Build();
    const Message& slow = test.Post(0, 3, 1'000'000, 1, 1);
    const Message& fast = test.Post(1, 5, 1'000'000, 1, 1);
    test.Run();
    EXPECT_GE(slow.end, TimePs{800'000'000});
    EXPECT_LE(fast.end, TimePs{25'000'000});
}

TEST(GpuServer, ACrossingOfNvlinkTakesASegmentOrAWholeFrameWhicheverIsLonger)
{
    // 1 MiB from the own NIC to the own NIC, and with a crossing before or behind the network.
    const auto getExtra = [](uint64_t mtu, bool isBefore) {
        const auto getEnd = [&](bool crosses) {
            TestCluster test(2, 2);
            test.transport->SetAttribute("Mtu", Bytes(mtu));
            test.Build();
            const int rail = crosses && isBefore ? 1 : 0;
            test.Post(0, crosses ? 3 : 2, 1 << 20, rail, rail);
            test.Run();
            return test.GetLastEnd();
        };
        return getEnd(true) - getEnd(false);
    };
    // 25 ns, and 16 KiB at 3,600 Gbps in 36.409 ns.
    for (const bool isBefore : {true, false})
    {
        EXPECT_EQ(getExtra(4096, isBefore), 25'000 + 36'409);
        EXPECT_EQ(getExtra(16'384, isBefore), 25'000 + 36'409);
        EXPECT_NEAR(getExtra(65'536, isBefore), 25'000 + 4 * 36'409, 4);
    }
}

} // namespace
