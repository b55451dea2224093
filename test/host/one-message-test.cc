// SPDX-License-Identifier: GPL-2.0-only

// One message through an idle network: its completion is a matter of arithmetic, and must come out
// to the picosecond.

#include "../support/test-cluster.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// Bytes at a rate, rounded up to a picosecond.
TimePs
Serialise(uint64_t bytes, uint64_t rateBps)
{
    const uint64_t product = bytes * 8 * 1'000'000'000'000ULL; // enough for 2 MB
    return static_cast<TimePs>((product + rateBps - 1) / rateBps);
}

/// The path of a message, for the recursion below.
struct Path
{
    std::vector<uint64_t> rates; //!< of the cables, in order
    TimePs delay{0};             //!< of each cable
    uint64_t mtu{4096};
    uint64_t nvlinkRate{0};
    TimePs nvlinkLatency{0};
    uint64_t segment{0};
    bool relaysAtSource{false};
    bool relaysAtDestination{false};
};

/// When each segment of so many bytes is across NVLink, and how many bytes are there by then.
struct Crossed
{
    TimePs at;
    uint64_t bytes;
};

std::vector<Crossed>
CrossNvlink(const Path& path, const std::vector<Crossed>& offered)
{
    std::vector<Crossed> crossed;
    TimePs free = 0;
    uint64_t bytes = 0;
    for (const Crossed& offer : offered)
    {
        free = std::max(free, offer.at);
        while (bytes < offer.bytes)
        {
            const uint64_t segment = std::min(path.segment, offer.bytes - bytes);
            free += Serialise(segment, path.nvlinkRate);
            bytes += segment;
            crossed.push_back({free + path.nvlinkLatency, bytes});
        }
    }
    return crossed;
}

/// Store and forward, frame by frame and cable by cable.
TimePs
PredictEnd(const Path& path, uint64_t bytes)
{
    std::vector<Crossed> staged{{0, bytes}};
    if (path.relaysAtSource)
    {
        staged = CrossNvlink(path, staged);
    }
    std::vector<TimePs> free(path.rates.size(), 0);
    std::vector<Crossed> received;
    for (uint64_t sent = 0; sent < bytes;)
    {
        const uint64_t payload = std::min(path.mtu, bytes - sent);
        sent += payload;
        TimePs at = std::find_if(staged.begin(), staged.end(), [&](const Crossed& crossed) {
                        return crossed.bytes >= sent;
                    })->at;
        for (std::size_t cable = 0; cable < path.rates.size(); ++cable)
        {
            // 62 B of headers; 20 B of preamble and gap on the wire.
            free[cable] =
                std::max(free[cable], at) + Serialise(payload + 62 + 20, path.rates[cable]);
            at = free[cable] + path.delay;
        }
        received.push_back({at, sent});
    }
    if (!path.relaysAtDestination)
    {
        return received.back().at;
    }
    // What has come is handed on when it makes a segment, or is all there is.
    std::vector<Crossed> handed;
    uint64_t handedBytes = 0;
    for (const Crossed& arrival : received)
    {
        if (arrival.bytes - handedBytes >= path.segment || arrival.bytes == bytes)
        {
            handedBytes = arrival.bytes;
            handed.push_back(arrival);
        }
    }
    return CrossNvlink(path, handed).back().at;
}

/// Sizes around the borders of frames and segments, and a long one with a short last frame.
std::vector<uint64_t>
GetSizes(uint64_t mtu)
{
    return {1, 2, mtu - 1, mtu, mtu + 1, 2 * mtu, 7 * mtu + 13, 300'007};
}

class OneMessage : public testing::TestWithParam<std::tuple<uint64_t, uint64_t, TimePs>>
{
  protected:
    uint64_t GetRate() const
    {
        return std::get<0>(GetParam());
    }

    uint64_t GetMtu() const
    {
        return std::get<1>(GetParam());
    }

    TimePs GetDelay() const
    {
        return std::get<2>(GetParam());
    }

    void Configure(TestCluster& test) const
    {
        test.topology->SetAttribute("NicRate", Rate(GetRate()));
        test.topology->SetAttribute("LinkDelay", Ps(GetDelay()));
        test.transport->SetAttribute("Mtu", Bytes(GetMtu()));
    }

    Path MakePath(const std::vector<uint64_t>& rates) const
    {
        Path path;
        path.rates = rates;
        path.delay = GetDelay();
        path.mtu = GetMtu();
        return path;
    }
};

TEST_P(OneMessage, TakesTwoCablesUnderOneLeaf)
{
    const Path path = MakePath({GetRate(), GetRate()});
    for (const uint64_t bytes : GetSizes(GetMtu()))
    {
        TestCluster test(2);
        Configure(test);
        test.Build();
        const Message& message = test.Post(0, 1, bytes);
        test.Run();
        EXPECT_EQ(message.end, PredictEnd(path, bytes)) << bytes << " B";
    }
}

TEST_P(OneMessage, TakesFourCablesThroughARailSpine)
{
    for (const uint64_t uplink : {GetRate(), GetRate() / 3, 2 * GetRate()})
    {
        const Path path = MakePath({GetRate(), uplink, uplink, GetRate()});
        for (const uint64_t bytes : GetSizes(GetMtu()))
        {
            TestCluster test(4);
            Configure(test);
            test.topology->SetAttribute("LeafPorts", UintegerValue(2));
            test.topology->SetAttribute("RailSpines", UintegerValue(3));
            test.topology->SetAttribute("UplinkRate", Rate(uplink));
            test.Build();
            const Message& message = test.Post(0, 3, bytes);
            test.Run();
            EXPECT_EQ(message.end, PredictEnd(path, bytes)) << bytes << " B";
        }
    }
}

TEST_P(OneMessage, TakesFourCablesFromRailToRail)
{
    const Path path = MakePath({GetRate(), GetRate(), GetRate(), GetRate()});
    for (const uint64_t bytes : GetSizes(GetMtu()))
    {
        TestCluster test(2, 2);
        Configure(test);
        test.topology->SetAttribute("Spines", UintegerValue(2));
        test.Build();
        const Message& message = test.Post(0, 3, bytes);
        test.Run();
        EXPECT_EQ(message.end, PredictEnd(path, bytes)) << bytes << " B";
    }
}

TEST_P(OneMessage, PipelinesThroughNvlinkAtEitherEnd)
{
    // NVLink much faster, a little faster and slower than the NIC.
    for (const uint64_t nvlinkRate : {9 * GetRate(), GetRate() + GetRate() / 7, GetRate() / 2})
    {
        for (const auto& [txRail, rxRail] : {std::pair{0, 0}, {1, 1}, {0, 1}, {1, 0}})
        {
            Path path = MakePath({GetRate(), GetRate()});
            path.nvlinkRate = nvlinkRate;
            path.nvlinkLatency = 25'000;
            path.segment = 10'000;
            // From GPU 0 of server 0 to GPU 1 of server 1.
            path.relaysAtSource = txRail == 1;
            path.relaysAtDestination = rxRail == 0;
            if (txRail != rxRail)
            {
                path.rates = {GetRate(), GetRate(), GetRate(), GetRate()};
            }
            for (const uint64_t bytes :
                 {uint64_t{1}, uint64_t{10'000}, uint64_t{10'001}, uint64_t{300'007}})
            {
                TestCluster test(2, 2);
                Configure(test);
                test.topology->SetAttribute("Spines", UintegerValue(1));
                test.topology->SetAttribute("NvlinkRate", Rate(nvlinkRate));
                test.topology->SetAttribute("NvlinkSegment", Bytes(path.segment));
                test.Build();
                const Message& message = test.Post(0, 3, bytes, txRail, rxRail);
                test.Run();
                EXPECT_EQ(message.end, PredictEnd(path, bytes))
                    << bytes << " B, NICs " << txRail << " and " << rxRail << ", NVLink "
                    << nvlinkRate;
            }
        }
    }
}

TEST_P(OneMessage, IsAcknowledgedAnAckLater)
{
    TestCluster test(2);
    Configure(test);
    test.Build();
    const Message& message = test.Post(0, 1, 5 * GetMtu());
    test.Run();
    EXPECT_EQ(message.acknowledged, message.end + 2 * (Serialise(84, GetRate()) + GetDelay()));
}

TEST_P(OneMessage, InsideAServerCrossesNvlinkOnly)
{
    TestCluster test(2, 4);
    Configure(test);
    test.Build();
    const Message& message = test.Post(4, 6, 1'000'003);
    test.Run();
    TimePs end = 25'000;
    for (uint64_t left = 1'000'003; left > 0;)
    {
        const uint64_t segment = std::min<uint64_t>(left, 16384);
        end += Serialise(segment, 3600 * kGbps);
        left -= segment;
    }
    EXPECT_EQ(message.end, end);
    EXPECT_EQ(message.acknowledged, end);
    EXPECT_EQ(test.Sum(&PortCounters::frames), 0U);
    EXPECT_EQ(test.acknowledged, 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Rates,
    OneMessage,
    testing::Combine(testing::Values(7 * kGbps, 100 * kGbps, 400 * kGbps, 800 * kGbps),
                     testing::Values(1000, 4096, 9000),
                     testing::Values(0, 5'000, 500'000)),
    [](const auto& info) {
        return std::to_string(std::get<0>(info.param) / kGbps) + "Gbps" +
               std::to_string(std::get<1>(info.param)) + "B" +
               std::to_string(std::get<2>(info.param) / 1000) + "ns";
    });

TEST(OneMessageHeaders, CountAsConfigured)
{
    TestCluster test(2);
    test.transport->SetAttribute("DataHeader", Bytes(100));
    test.transport->SetAttribute("AckBytes", Bytes(200));
    test.Build();
    const Message& message = test.Post(0, 1, 4096);
    test.Run();
    EXPECT_EQ(message.end, 2 * (Serialise(4096 + 100 + 20, 400 * kGbps) + 500'000));
    EXPECT_EQ(message.acknowledged - message.end, 2 * (Serialise(220, 400 * kGbps) + 500'000));
}

TEST(OneMessageSequence, NumbersGoOnBeyond32Bits)
{
    // 65536 B of MTU cannot bring 2^32 frames into a test; sizes beyond 2^32 bytes can be posted.
    TestCluster test(2);
    test.transport->SetAttribute("Mtu", Bytes(65536));
    test.topology->SetAttribute("NicRate", Rate(800 * kGbps));
    test.Build();
    const uint64_t bytes = (uint64_t{1} << 32) + 5;
    const Message& message = test.Post(0, 1, bytes);
    test.Run();
    Path path;
    path.rates = {800 * kGbps, 800 * kGbps};
    path.delay = 500'000;
    path.mtu = 65536;
    EXPECT_EQ(message.end, PredictEnd(path, bytes));
    EXPECT_EQ(test.GetDeliveredBytes(), bytes);
}

} // namespace
