// SPDX-License-Identifier: GPL-2.0-only

// Many senders without rate control and one receiver: priority flow control alone has to keep the
// last cable busy and the buffers from overflowing.

#include "../support/test-cluster.h"

#include "ns3/boolean.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// Wire bytes of a message of whole or last frames.
uint64_t
GetWireBytes(uint64_t bytes)
{
    return bytes + (bytes + 4095) / 4096 * 82;
}

double
GetSeconds(uint64_t bytes, uint64_t rateBps)
{
    return static_cast<double>(bytes) * 8 / static_cast<double>(rateBps);
}

/// Leaves so much of each switch's buffer to share, besides the headroom of its ports.
void
SetSharedBuffer(TestCluster& test, uint32_t ports, uint64_t rateBps, TimePs delay, uint64_t shared)
{
    const uint64_t headroom =
        test.profile->GetHeadroom(rateBps, delay, test.transport->GetLargestFrame());
    test.profile->SetAttribute("Buffer", Bytes(ports * headroom + shared));
}

/// Senders, rate, delay of the cables in nanoseconds.
class Incast : public testing::TestWithParam<std::tuple<uint32_t, uint64_t, TimePs>>
{
  protected:
    uint32_t GetSenders() const
    {
        return std::get<0>(GetParam());
    }

    uint64_t GetRate() const
    {
        return std::get<1>(GetParam());
    }

    TimePs GetDelay() const
    {
        return std::get<2>(GetParam()) * 1000;
    }

    void Configure(TestCluster& test) const
    {
        test.topology->SetAttribute("NicRate", Rate(GetRate()));
        test.topology->SetAttribute("LinkDelay", Ps(GetDelay()));
    }

    /// Small enough for PFC to work all the time, large enough to bridge the time of a resume.
    uint64_t GetShared() const
    {
        const uint64_t roundTrip = GetRate() / 8 * 2 * GetDelay() / 1'000'000'000'000;
        return 400'000 + 4 * roundTrip;
    }
};

TEST_P(Incast, KeepsTheLastCableBusyAndLosesNothing)
{
    const uint64_t bytes = 24'000'000 / GetSenders();
    TestCluster test(GetSenders() + 1);
    Configure(test);
    SetSharedBuffer(test, GetSenders() + 1, GetRate(), GetDelay(), GetShared());
    test.Build();
    for (uint32_t sender = 0; sender < GetSenders(); ++sender)
    {
        test.Post(sender, GetSenders(), bytes);
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), GetSenders());
    EXPECT_EQ(test.GetLosslessDrops(), 0U);
    EXPECT_EQ(test.Sum(&PortCounters::drops), 0U);
    EXPECT_EQ(test.Sum(&NicCounters::retransmitted), 0U);
    EXPECT_TRUE(test.AreBuffersConsistent());
    const double seconds = GetSeconds(GetSenders() * GetWireBytes(bytes), GetRate()) +
                           2e-12 * static_cast<double>(GetDelay()) + GetSeconds(4178, GetRate());
    const double end = static_cast<double>(test.GetLastEnd()) * 1e-12;
    EXPECT_GE(end, seconds * 0.999);
    EXPECT_LE(end, seconds * 1.005);
    for (uint32_t sender = 0; sender < GetSenders(); ++sender)
    {
        EXPECT_GT(test.GetNicPort(sender).GetCountersNow().pauses, 0U) << "PFC is at work";
        EXPECT_GT(test.GetNicPort(sender).GetCountersNow().paused, 0);
    }
    EXPECT_EQ(test.GetBuffered(), 0U);
}

TEST_P(Incast, LosesFramesWhenTheHeadroomIsFarBelowTheFormula)
{
    TestCluster test(GetSenders() + 1);
    Configure(test);
    const uint64_t formula = test.profile->GetHeadroom(GetRate(), GetDelay(), 4158);
    test.profile->SetAttribute("Headroom", Bytes(std::max<uint64_t>(formula / 4, 4158)));
    SetSharedBuffer(test, GetSenders() + 1, GetRate(), GetDelay(), GetShared());
    test.Build();
    for (uint32_t sender = 0; sender < GetSenders(); ++sender)
    {
        test.Post(sender, GetSenders(), 6'000'000 / GetSenders());
    }
    test.RunUntil(10'000'000'000);
    EXPECT_GT(test.GetLosslessDrops(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All,
                         Incast,
                         testing::Combine(testing::Values(2, 8, 31),
                                          testing::Values(100 * kGbps, 400 * kGbps, 800 * kGbps),
                                          testing::Values(5, 25, 500)),
                         [](const auto& info) {
                             return std::to_string(std::get<0>(info.param)) + "senders" +
                                    std::to_string(std::get<1>(info.param) / kGbps) + "Gbps" +
                                    std::to_string(std::get<2>(info.param)) + "ns";
                         });

class Congestion : public testing::TestWithParam<TimePs>
{
};

TEST_P(Congestion, InBothDirectionsLosesNothing)
{
    // Everybody sends to everybody, and to server 0 four times as much: pause frames have to wait
    // for data frames, so the headroom is needed in full.
    const TimePs delay = GetParam() * 1000;
    TestCluster test(8);
    test.topology->SetAttribute("LinkDelay", Ps(delay));
    SetSharedBuffer(test, 8, 400 * kGbps, delay, 100'000);
    test.Build();
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 0; destination < 8; ++destination)
        {
            if (source != destination)
            {
                test.Post(source, destination, destination == 0 ? 2'000'000 : 500'000);
            }
        }
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 56U);
    EXPECT_EQ(test.Sum(&PortCounters::drops), 0U);
    EXPECT_GT(test.Sum(&PortCounters::pauses), 0U);
}

TEST_P(Congestion, WithSlowPauseResponseLosesNothing)
{
    const TimePs delay = GetParam() * 1000;
    for (const TimePs response : {50'000, 700'000})
    {
        TestCluster test(9);
        test.topology->SetAttribute("LinkDelay", Ps(delay));
        test.profile->SetAttribute("PauseResponse", Ps(response));
        SetSharedBuffer(test, 9, 400 * kGbps, delay, 200'000);
        test.Build();
        for (uint32_t sender = 0; sender < 8; ++sender)
        {
            test.Post(sender, 8, 1'000'000);
            test.Post(8, sender, 1'000'000);
        }
        test.Run();
        EXPECT_EQ(test.deliveries.size(), 16U);
        EXPECT_EQ(test.Sum(&PortCounters::drops), 0U);
        EXPECT_GT(test.Sum(&PortCounters::pauses), 0U);
    }
}

TEST_P(Congestion, WithAcksLargerThanDataLosesNothing)
{
    // Such an ACK delays pause frames from either class, and needs headroom in that of data.
    const TimePs delay = GetParam() * 1000;
    for (const char* ackClass : {"control", "data"})
    {
        TestCluster test(9);
        test.topology->SetAttribute("LinkDelay", Ps(delay));
        test.transport->SetAttribute("Mtu", Bytes(64));
        test.transport->SetAttribute("AckBytes", Bytes(512));
        test.transport->SetAttribute("AckClass", StringValue(ackClass));
        SetSharedBuffer(test, 9, 400 * kGbps, delay, 20'000);
        test.Build();
        for (uint32_t source = 0; source < 9; ++source)
        {
            for (uint32_t destination = 0; destination < 9; ++destination)
            {
                if (source != destination)
                {
                    test.Post(source, destination, destination == 0 ? 200'000 : 50'000);
                }
            }
        }
        test.Run();
        EXPECT_EQ(test.deliveries.size(), 72U) << ackClass;
        EXPECT_EQ(test.GetLosslessDrops(), 0U) << ackClass;
        EXPECT_GT(test.Sum(&PortCounters::pauses), 0U) << ackClass;
    }
}

TEST_P(Congestion, WithTheShortestPausesThatAreAllowedLosesNothing)
{
    const TimePs delay = GetParam() * 1000;
    TestCluster test(9);
    test.topology->SetAttribute("LinkDelay", Ps(delay));
    SetSharedBuffer(test, 9, 400 * kGbps, delay, 100'000);
    test.profile->SetAttribute("PauseQuanta", UintegerValue(130));
    EXPECT_THROW(test.Build(), ConfigurationError);
    test.profile->SetAttribute("PauseQuanta", UintegerValue(131));
    test.Build();
    for (uint32_t sender = 0; sender < 8; ++sender)
    {
        test.Post(sender, 8, 500'000);
        test.Post(8, sender, 500'000);
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 16U);
    EXPECT_EQ(test.GetLosslessDrops(), 0U);
    EXPECT_GT(test.Sum(&PortCounters::pauses), 0U);
}

TEST_P(Congestion, InTheSmallestBufferThatIsAllowedEnds)
{
    const TimePs delay = GetParam() * 1000;
    TestCluster test(9);
    test.topology->SetAttribute("LinkDelay", Ps(delay));
    SetSharedBuffer(test, 9, 400 * kGbps, delay, 63);
    EXPECT_THROW(test.Build(), ConfigurationError);
    SetSharedBuffer(test, 9, 400 * kGbps, delay, 64);
    test.Build();
    for (uint32_t sender = 0; sender < 8; ++sender)
    {
        test.Post(sender, 8, 500'000);
        test.Post(8, sender, 500'000);
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 16U);
    EXPECT_EQ(test.acknowledged, 16U);
    EXPECT_EQ(test.GetLosslessDrops(), 0U);
}

TEST_P(Congestion, SpreadsFromSwitchToSwitchWithoutLoss)
{
    // 12 senders behind three leaves, the receiver behind a fourth: spines pause leaves, leaves
    // pause servers.
    const TimePs delay = GetParam() * 1000;
    TestCluster test(16);
    test.topology->SetAttribute("LinkDelay", Ps(delay));
    test.topology->SetAttribute("LeafPorts", UintegerValue(4));
    test.topology->SetAttribute("RailSpines", UintegerValue(2));
    SetSharedBuffer(test, 6, 400 * kGbps, delay, 200'000);
    test.Build();
    for (uint32_t sender = 0; sender < 12; ++sender)
    {
        test.Post(sender, 15, 1'000'000);
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 12U);
    EXPECT_EQ(test.Sum(&PortCounters::drops), 0U);
    uint64_t leafPauses = 0;
    uint64_t nicPauses = 0;
    for (const Ptr<Port>& port : test.cluster->GetPorts())
    {
        const PortCounters counters = port->GetCountersNow();
        leafPauses += port->GetIdentity().portClass == "leaf_up" ? counters.pauses : 0;
        nicPauses += port->GetIdentity().portClass == "nic_tx" ? counters.pauses : 0;
    }
    EXPECT_GT(leafPauses, 0U);
    EXPECT_GT(nicPauses, 0U);
    const double seconds = GetSeconds(12 * GetWireBytes(1'000'000), 400 * kGbps);
    EXPECT_LE(static_cast<double>(test.GetLastEnd()) * 1e-12, seconds * 1.03);
    EXPECT_EQ(test.GetBuffered(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Delays, Congestion, testing::Values(5, 25, 500), [](const auto& info) {
    return std::to_string(info.param) + "ns";
});

TEST(Hysteresis, AWiderOneMeansFewerPauses)
{
    uint64_t pauses[2];
    for (int wide = 0; wide < 2; ++wide)
    {
        TestCluster test(9);
        test.topology->SetAttribute("LinkDelay", Ps(5'000));
        SetSharedBuffer(test, 9, 400 * kGbps, 5'000, 1'000'000);
        test.profile->SetAttribute("XonOffset", Bytes(wide == 0 ? 0 : 60'000));
        test.Build();
        for (uint32_t sender = 0; sender < 8; ++sender)
        {
            test.Post(sender, 8, 3'000'000);
        }
        test.Run();
        EXPECT_EQ(test.deliveries.size(), 8U);
        pauses[wide] = test.Sum(&PortCounters::pauses);
    }
    EXPECT_LT(2 * pauses[1], pauses[0]);
}

TEST(LossyIncast, DropsAndRecovers)
{
    TestCluster test(9);
    test.profile->SetAttribute("Pfc", BooleanValue(false));
    test.profile->SetAttribute("Buffer", Bytes(500'000));
    test.Build();
    for (uint32_t sender = 0; sender < 8; ++sender)
    {
        test.Post(sender, 8, 1'000'000);
    }
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 8U);
    EXPECT_GT(test.Sum(&PortCounters::drops), 0U);
    EXPECT_GT(test.Sum(&NicCounters::retransmitted), 0U);
    EXPECT_EQ(test.GetLosslessDrops(), 0U);
    EXPECT_EQ(test.Sum(&PortCounters::pauses), 0U);
    EXPECT_EQ(test.Sum(&NicCounters::rxBytes), 8'000'000U);
}

} // namespace
