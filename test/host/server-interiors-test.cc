// SPDX-License-Identifier: GPL-2.0-only

// Servers whose NICs are fewer or more than their GPUs, or that PCIe joins: what they move without
// anything in the way is a matter of arithmetic, and must come out to the picosecond.

#include "../support/test-cluster.h"

#include "ns3/intra-topology.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kServerInteriorsDelay = 500'000; // of a cable
constexpr TimePs kPcieLatency = 500'000;
constexpr uint64_t kSegment = 16'384;           // four frames
constexpr uint64_t kServerInteriorsFrames = 64; // of a message
constexpr uint64_t kBytes = kServerInteriorsFrames * 4096;

/// Bytes at a rate, where that is a whole number of picoseconds.
TimePs
GetTime(uint64_t bytes, uint64_t gbps)
{
    const uint64_t product = bytes * 8000;
    EXPECT_EQ(product % gbps, 0U);
    return static_cast<TimePs>(product / gbps);
}

/// A full frame on the wire.
TimePs
GetFrameTime(uint64_t gbps)
{
    return GetTime(4096 + 62 + 20, gbps);
}

/// Two servers on leaves of their rails.
struct TwoServers : public TestCluster
{
    TwoServers(uint32_t gpus, uint32_t nics, uint64_t nicGbps = 400)
        : TestCluster(2, gpus)
    {
        topology->SetAttribute("NicsPerDomain", UintegerValue(nics));
        topology->SetAttribute("NicRate", Rate(nicGbps * kGbps));
    }
};

Ptr<IntraTopology>
MakePcie(const std::string& type, uint64_t pcieGbps, uint64_t socketGbps = 100)
{
    ObjectFactory factory("ns3::rails::" + type + "IntraTopology");
    Ptr<IntraTopology> intra = factory.Create<IntraTopology>();
    intra->SetAttribute("PcieRate", Rate(pcieGbps * kGbps));
    if (type != "Nvswitch")
    {
        intra->SetAttribute("SocketRate", Rate(socketGbps * kGbps));
    }
    return intra;
}

TEST(ServerInteriors, EightGpusThatSendOnTwoNicsTakeFourTimesAsLong)
{
    TwoServers test(8, 2);
    test.Build();
    for (uint32_t gpu = 0; gpu < 8; ++gpu)
    {
        const int near = static_cast<int>(gpu / 4);
        test.Post(gpu, 8 + gpu, kBytes, near, near);
    }
    test.Run();
    const TimePs frame = GetFrameTime(400);
    EXPECT_EQ(test.GetLastEnd(),
              static_cast<TimePs>(4 * kServerInteriorsFrames + 1) * frame +
                  2 * kServerInteriorsDelay);
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
}

TEST(ServerInteriors, ANicThatIsNotNearIsReachedByNvlinkThroughAGpuThatIs)
{
    TwoServers test(4, 2);
    test.Build();
    test.Post(0, 4, kBytes, 1, 1); // NIC 1 is near GPUs 2 and 3; the turn of GPU 0 is that of GPU 2
    test.Run();
    const InteriorNetwork& near = test.cluster->GetServers()[0]->GetInterior();
    const InteriorNetwork& far = test.cluster->GetServers()[1]->GetInterior();
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        EXPECT_EQ(near.GetBytes(2 * gpu), gpu == 0 ? kBytes : 0) << gpu << " sends";
        EXPECT_EQ(near.GetBytes(2 * gpu + 1), gpu == 2 ? kBytes : 0) << gpu << " receives";
        EXPECT_EQ(far.GetBytes(2 * gpu), gpu == 2 ? kBytes : 0) << gpu << " sends";
        EXPECT_EQ(far.GetBytes(2 * gpu + 1), gpu == 0 ? kBytes : 0) << gpu << " receives";
    }
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
}

TEST(ServerInteriors, TwoNicsPerGpuTakeHalfOfTheTime)
{
    TwoServers test(1, 2);
    test.Build();
    test.Post(0, 1, kBytes, 0, 0);
    test.Post(0, 1, kBytes, 1, 1);
    test.Run();
    for (const Message& message : test.messages)
    {
        EXPECT_EQ(message.end,
                  static_cast<TimePs>(kServerInteriorsFrames + 1) * GetFrameTime(400) +
                      2 * kServerInteriorsDelay);
    }
}

TEST(ServerInteriors, TwoNicsShareThePcieOfTheirGpu)
{
    TwoServers test(1, 2, 200);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Nvswitch", 200)));
    test.Build();
    test.Post(0, 1, kBytes, 0, 0);
    test.Post(0, 1, kBytes, 1, 1);
    test.Run();
    // The GPU's port is never idle; then come the last segment's four frames, two cables, and the
    // same segment on the PCIe at the other end.
    const TimePs staged = kPcieLatency + GetTime(2 * kBytes, 200);
    EXPECT_EQ(test.GetLastEnd(),
              staged + 5 * GetFrameTime(200) + 2 * kServerInteriorsDelay + GetTime(kSegment, 200) +
                  kPcieLatency);
}

TEST(ServerInteriors, GpusOfTwoSocketsCrossPcieAndTheSlowerLinkBetweenThem)
{
    TwoServers test(4, 1);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Pcie", 125, 100)));
    test.Build();
    const Message& across = test.Post(0, 2, kBytes);
    const Message& below = test.Post(1, 0, kBytes); // the same PCIe switch
    test.Run();
    EXPECT_EQ(across.end, GetTime(kBytes, 100) + kPcieLatency);
    EXPECT_EQ(below.end, GetTime(kBytes, 125) + kPcieLatency);
}

TEST(ServerInteriors, TwoGpusShareTheLinkBetweenSockets)
{
    TwoServers test(4, 1);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Pcie", 125, 100)));
    test.Build();
    test.Post(0, 2, kBytes);
    test.Post(1, 3, kBytes);
    test.Run();
    EXPECT_EQ(test.GetLastEnd(), GetTime(2 * kBytes, 100) + kPcieLatency);
}

TEST(ServerInteriors, OnlyPairsAreJoinedByNvlink)
{
    TwoServers test(4, 1);
    test.topology->SetAttribute("NvlinkRate", Rate(500 * kGbps));
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Pairs", 125, 100)));
    test.Build();
    const Message& pair = test.Post(0, 1, kBytes);
    const Message& other = test.Post(2, 1, kBytes); // across sockets
    test.Run();
    EXPECT_EQ(pair.end, GetTime(kBytes, 500) + 25'000);
    EXPECT_EQ(other.end, GetTime(kBytes, 100) + kPcieLatency);
}

TEST(ServerInteriors, ANicReadsWhatGpusShareOneAfterTheOther)
{
    TwoServers test(2, 1, 100);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Nvswitch", 200)));
    test.Build();
    const Message& first = test.Post(0, 2, kBytes, 0, 0);
    const Message& second = test.Post(1, 3, kBytes, 0, 0);
    test.Run();
    const TimePs frame = GetFrameTime(100);
    const TimePs begin = kPcieLatency + GetTime(kSegment, 200);
    const TimePs last = 2 * kServerInteriorsDelay + GetTime(kSegment, 200) + kPcieLatency;
    EXPECT_EQ(first.end, begin + static_cast<TimePs>(kServerInteriorsFrames + 1) * frame + last);
    EXPECT_EQ(second.end,
              begin + static_cast<TimePs>(2 * kServerInteriorsFrames + 1) * frame + last);
}

TEST(ServerInteriors, ANicReadsFirstWhatWasPostedFirst)
{
    // The first message reaches a GPU near the NIC segment by segment. Were all of the second read
    // in the meantime, the NIC would wait for 10 us, as it sends the first one first. It has asked
    // for eight segments of it.
    TwoServers test(4, 2, 100);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Nvswitch", 200)));
    test.Build();
    test.Post(2, 6, kBytes, 0, 0); // near NIC 1
    test.Post(0, 4, kBytes, 0, 0); // near NIC 0
    test.Run();
    const TimePs readAndSent =
        kPcieLatency + GetTime(kSegment, 200) +
        static_cast<TimePs>(2 * kServerInteriorsFrames + 1) * GetFrameTime(100) +
        2 * kServerInteriorsDelay + GetTime(kSegment, 200) + kPcieLatency;
    EXPECT_LT(test.GetLastEnd(), readAndSent + (8 + 1) * GetTime(kSegment, 200));
}

TEST(ServerInteriors, EachGpuThatANicReadsFromHasLinksOfItsOwn)
{
    // Only the second message crosses the link between sockets, which is ten times slower.
    TwoServers test(4, 1);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Pcie", 500, 50)));
    test.Build();
    test.Post(0, 4, 16 * kBytes, 0, 0);
    test.Post(2, 5, 2 * kBytes, 0, 0);
    test.Run();
    const TimePs sent = static_cast<TimePs>(18 * kServerInteriorsFrames) * GetFrameTime(400);
    EXPECT_LT(test.GetLastEnd(), sent + GetTime(2 * kBytes, 50) + 5'000'000);
}

TEST(ServerInteriors, AFastUplinkServesTwoPortsAtOnce)
{
    TwoServers test(4, 1);
    const Ptr<IntraTopology> intra = MakePcie("Pcie", 125, 1000);
    intra->SetAttribute("PcieUplinkRate", Rate(1000 * kGbps));
    test.topology->SetAttribute("Intra", PointerValue(intra));
    test.Build();
    test.Post(0, 2, kBytes);
    test.Post(1, 3, kBytes);
    test.Run();
    for (const Message& message : test.messages)
    {
        // The second segment of each round may wait for the first one to pass the uplink.
        EXPECT_GE(message.end, GetTime(kBytes, 125) + kPcieLatency);
        EXPECT_LE(message.end,
                  GetTime(kBytes, 125) + kPcieLatency +
                      static_cast<TimePs>(2 * kServerInteriorsFrames / 4) *
                          GetTime(kSegment, 1000));
    }
}

TEST(ServerInteriors, ALinkDoesNotWaitForWhatCannotComeYet)
{
    // Three GPUs share a slow link between sockets; a fourth, beyond it, has the same destination.
    TwoServers test(6, 1);
    test.topology->SetAttribute("Intra", PointerValue(MakePcie("Pcie", 250, 40)));
    test.Build();
    for (uint32_t gpu = 0; gpu < 3; ++gpu)
    {
        test.Post(gpu, 5, 4 * kBytes);
    }
    test.Post(3, 5, 48 * kBytes);
    test.Run();
    const TimePs socket = GetTime(12 * kBytes, 40);
    EXPECT_GT(socket, GetTime(60 * kBytes, 250)) << "it binds";
    EXPECT_LT(static_cast<double>(test.GetLastEnd()), 1.05 * static_cast<double>(socket));
}

} // namespace
