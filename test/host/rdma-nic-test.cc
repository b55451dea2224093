// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/enum.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

// 400 Gbps, 500 ns: a byte takes 20 ps.
constexpr TimePs kByte = 20;
constexpr TimePs kRdmaNicDelay = 500'000;
constexpr TimePs kRdmaNicFullFrame = 4178 * kByte;
constexpr TimePs kRdmaNicAckFrame = 84 * kByte;

class RdmaNicTest : public testing::Test
{
  protected:
    void SetQueuePairs(Transport::QueuePairPer per)
    {
        m_test.transport->SetAttribute("QpPer", EnumValue(per));
    }

    RdmaNic& GetNic(uint32_t server, uint32_t rail = 0) const
    {
        return m_test.cluster->GetServers()[server]->GetNic(rail);
    }

    std::size_t CountQueuePairs(uint32_t server, uint32_t rail = 0) const
    {
        return GetNic(server, rail).GetSendQueues().size();
    }

    /// Notes which peer each data frame of a NIC is for.
    void TraceDestinations(uint32_t server)
    {
        GetNic(server).GetPort().TraceConnectWithoutContext(
            "Transmit",
            MakeCallback(&RdmaNicTest::OnTransmit, this));
    }

    void OnTransmit(Time, const Frame& frame)
    {
        if (frame.kind == FrameKind::Data)
        {
            m_destinations.push_back(frame.destinationNic);
        }
    }

    TestCluster m_test{4, 2};
    std::vector<uint32_t> m_destinations;
};

TEST_F(RdmaNicTest, PostingAMessageTakesTheMessageGap)
{
    const TimePs gap = 200'000;
    m_test.nic->SetAttribute("MessageGap", Ps(gap));
    m_test.Build();
    for (int i = 0; i < 5; ++i)
    {
        m_test.Post(0, 2, 1); // 83 B on the wire
    }
    // Posted while the third is at work: it comes behind the fifth. And long after the last one.
    m_test.Post(0, 2, 1, -1, -1, 2 * gap + gap / 2);
    m_test.Post(0, 2, 1, -1, -1, 100 * gap);
    m_test.Run();
    const TimePs path = 2 * (83 * kByte + kRdmaNicDelay);
    for (int i = 0; i < 6; ++i)
    {
        EXPECT_EQ(m_test.messages[i].end, (i + 1) * gap + path) << i;
    }
    EXPECT_EQ(m_test.messages[6].end, 101 * gap + path);
}

TEST_F(RdmaNicTest, TheMessageGapIsOfOneNicOnly)
{
    const TimePs gap = 200'000;
    m_test.nic->SetAttribute("MessageGap", Ps(gap));
    m_test.Build();
    const Message& first = m_test.Post(0, 2, 1);
    const Message& second = m_test.Post(1, 3, 1);
    m_test.Post(0, 1, 1); // NVLink knows none
    m_test.Run();
    EXPECT_EQ(first.end, second.end);
    EXPECT_LT(m_test.messages[2].end, gap);
}

TEST_F(RdmaNicTest, TheMessageGapDoesNotSlowLargeMessages)
{
    m_test.nic->SetAttribute("MessageGap", Ps(200'000));
    m_test.Build();
    for (int i = 0; i < 10; ++i)
    {
        m_test.Post(0, 2, 100 * 4096);
    }
    m_test.Run();
    EXPECT_EQ(m_test.GetLastEnd(), 200'000 + 1001 * kRdmaNicFullFrame + 2 * kRdmaNicDelay);
}

TEST_F(RdmaNicTest, TheWindowLimitsWhatIsInFlight)
{
    // Frame i goes when the ACK of frame i - w is back; w = 0 stands for a window below a frame,
    // which lets one go all the same.
    const TimePs roundTrip =
        2 * (kRdmaNicFullFrame + kRdmaNicDelay) + 2 * (kRdmaNicAckFrame + kRdmaNicDelay);
    for (const auto& [bytes, frames] : {std::pair{1U, 1U},
                                        std::pair{4096U, 1U},
                                        std::pair{8191U, 1U},
                                        std::pair{8192U, 2U},
                                        std::pair{20'480U, 5U}})
    {
        TestCluster test(2);
        test.transport->SetAttribute("Window", Bytes(bytes));
        test.Build();
        const Message& message = test.Post(0, 1, 23 * 4096);
        test.Run();
        const TimePs lastSent = 22 / frames * roundTrip + 22 % frames * kRdmaNicFullFrame;
        EXPECT_EQ(message.end, lastSent + 2 * (kRdmaNicFullFrame + kRdmaNicDelay)) << bytes;
    }
}

TEST_F(RdmaNicTest, AWindowBeyondTheRoundTripCostsNothing)
{
    TestCluster test(2);
    test.transport->SetAttribute("Window", Bytes(40 * 4096));
    test.Build();
    const Message& message = test.Post(0, 1, 1000 * 4096);
    test.Run();
    EXPECT_EQ(message.end, 1001 * kRdmaNicFullFrame + 2 * kRdmaNicDelay);
}

TEST_F(RdmaNicTest, ServesItsQueuePairsInTurnBeginningBehindItsOwnServer)
{
    m_test.topology->SetAttribute("Spines", UintegerValue(1));
    m_test.Build();
    TraceDestinations(2);
    // NIC 0 of server 2, which is NIC 4; the order of posting must not matter.
    m_test.Post(4, 2, 8192, 0, 0); // NIC 2, server 1
    m_test.Post(4, 7, 8192, 0, 1); // NIC 7, server 3
    m_test.Post(4, 0, 8192, 0, 0); // NIC 0, server 0
    m_test.Post(4, 6, 8192, 0, 0); // NIC 6, server 3
    m_test.Run();
    EXPECT_EQ(m_destinations, (std::vector<uint32_t>{6, 7, 0, 2, 6, 7, 0, 2}));
}

TEST_F(RdmaNicTest, QueuePairsThatShareANicFinishTogether)
{
    m_test.Build();
    m_test.Post(0, 2, 1000 * 4096);
    m_test.Post(0, 4, 1000 * 4096);
    m_test.Post(0, 6, 1000 * 4096);
    m_test.Run();
    EXPECT_EQ(m_test.messages[2].end - m_test.messages[0].end, 2 * kRdmaNicFullFrame);
    EXPECT_EQ(m_test.GetLastEnd(), 3001 * kRdmaNicFullFrame + 2 * kRdmaNicDelay);
}

TEST_F(RdmaNicTest, AMessageForAnIdleNicStartsWhenItIsPosted)
{
    m_test.Build();
    m_test.Post(0, 2, 4096);
    const Message& second = m_test.Post(0, 2, 4096, -1, -1, 200'000);
    m_test.Run();
    EXPECT_EQ(second.start, 200'000);
    EXPECT_EQ(second.end, 200'000 + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
}

TEST_F(RdmaNicTest, AcksOvertakeTheDataThatWaits)
{
    // Two senders fill the queue to NIC 0 with some 200 frames; the ACKs for what NIC 0 itself
    // sends to the third server must not wait in it: for the frame being sent at most, at either
    // port.
    m_test.Build();
    m_test.Post(2, 0, 1'000'000);
    m_test.Post(4, 0, 1'000'000);
    const Message& message = m_test.Post(0, 6, 4096, -1, -1, 30 * kRdmaNicFullFrame);
    m_test.Run();
    EXPECT_GT(m_test.GetNicPort(0).GetPeer().GetCountersNow().queueMaxBytes, 100'000U);
    EXPECT_LE(message.acknowledged,
              message.end + 2 * (kRdmaNicAckFrame + kRdmaNicDelay) + 3 * kRdmaNicFullFrame);
}

TEST_F(RdmaNicTest, ANewcomerGetsItsTurnAtOnce)
{
    m_test.Build();
    m_test.Post(0, 2, 10'000 * 4096);
    const TimePs at = 100 * kRdmaNicFullFrame + 1;
    const Message& late = m_test.Post(0, 4, 4096, -1, -1, at);
    m_test.Run();
    // After the frame being sent, at most one of the other goes before.
    EXPECT_LE(late.end, at + 4 * kRdmaNicFullFrame + 2 * kRdmaNicDelay);
}

TEST_F(RdmaNicTest, MessagesBetweenTwoNicsShareAQueuePairAndGoInOrder)
{
    m_test.Build();
    m_test.Post(0, 2, 400'000);
    m_test.Post(0, 2, 1);
    m_test.Post(1, 2, 50'000, 0, 0); // of another GPU
    m_test.Post(0, 2, 5000);
    m_test.Run();
    EXPECT_EQ(CountQueuePairs(0), 1U);
    EXPECT_EQ(m_test.deliveries, (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST_F(RdmaNicTest, AQueuePairPerGpuPairKeepsGpusApart)
{
    SetQueuePairs(Transport::GPU_PAIR);
    m_test.Build();
    m_test.Post(0, 2, 400'000);
    m_test.Post(0, 2, 1);
    m_test.Post(1, 2, 1, 0, 0); // another source
    m_test.Post(0, 3, 1, 0, 0); // another destination
    m_test.Post(0, 3, 2, 0, 0);
    m_test.Run();
    EXPECT_EQ(CountQueuePairs(0), 3U);
    const auto place = [this](uint32_t id) {
        return std::find(m_test.deliveries.begin(), m_test.deliveries.end(), id) -
               m_test.deliveries.begin();
    };
    EXPECT_LT(place(0), place(1));
    EXPECT_LT(place(2), place(0)) << "small messages of others need not wait";
    EXPECT_LT(place(3), place(4));
    EXPECT_LT(place(4), place(0));
}

TEST_F(RdmaNicTest, AQueuePairPerMessageKeepsAllMessagesApart)
{
    SetQueuePairs(Transport::MESSAGE);
    m_test.Build();
    m_test.Post(0, 2, 400'000);
    m_test.Post(0, 2, 400'000);
    m_test.Post(0, 2, 1);
    m_test.Run();
    EXPECT_EQ(CountQueuePairs(0), 3U);
    EXPECT_EQ(m_test.deliveries, (std::vector<uint32_t>{2, 0, 1}));
    EXPECT_LE(m_test.messages[1].end - m_test.messages[0].end, kRdmaNicFullFrame);
}

TEST_F(RdmaNicTest, FramesHaveTheEntropyOfAMessageWithAQueuePairOfItsOwn)
{
    for (const Transport::QueuePairPer per : {Transport::MESSAGE, Transport::NIC_PAIR})
    {
        TestCluster test{4, 2};
        test.transport->SetAttribute("QpPer", EnumValue(per));
        test.Build();
        std::map<uint32_t, std::set<uint32_t>> entropies; // by peer
        std::function<void(Time, const Frame&)> note = [&](Time, const Frame& frame) {
            if (frame.kind == FrameKind::Data)
            {
                entropies[frame.destinationNic].insert(frame.entropy);
            }
        };
        test.cluster->GetServers()[0]->GetNic(0).GetPort().TraceConnectWithoutContext(
            "Transmit",
            Callback<void, Time, const Frame&>(note));
        for (const auto& [destination, entropy] :
             {std::pair{4U, 77U}, std::pair{2U, 5U}, std::pair{4U, 9U}})
        {
            Message& message = test.Post(0, destination, 5000, -1, -1, 1); // posted later
            message.entropy = entropy;
        }
        test.Run();
        const bool isPair = per == Transport::NIC_PAIR; // by the order of their first posts
        EXPECT_EQ(entropies[4], (isPair ? std::set<uint32_t>{0} : std::set<uint32_t>{9, 77}));
        EXPECT_EQ(entropies[2], (isPair ? std::set<uint32_t>{1} : std::set<uint32_t>{5}));
    }
}

TEST_F(RdmaNicTest, AQueuePairLastsForTheWholeRun)
{
    m_test.Build();
    m_test.Post(0, 2, 5000);
    m_test.Post(0, 2, 5000, -1, -1, 100'000'000);
    m_test.Post(2, 0, 5000, -1, -1, 200'000'000);
    m_test.RunUntil(100'000'001);
    EXPECT_EQ(m_test.GetTransfer(m_test.messages[1]).firstPsn, 2U);
    m_test.Run();
    EXPECT_EQ(CountQueuePairs(0), 1U);
    EXPECT_EQ(CountQueuePairs(1), 1U);
}

TEST_F(RdmaNicTest, CountsBytesAndFrames)
{
    m_test.Build();
    m_test.Post(0, 2, 10'000);
    m_test.Post(0, 4, 4096);
    EXPECT_EQ(m_test.cluster->GetUnsentBytes(0, 0), 14'096U);
    m_test.RunUntil(kRdmaNicFullFrame / 2);
    EXPECT_EQ(m_test.cluster->GetUnsentBytes(0, 0), 10'000U) << "one frame is being sent";
    m_test.Run();
    const NicCounters& counters = GetNic(0).GetCounters();
    EXPECT_EQ(counters.messages, 2U);
    EXPECT_EQ(counters.txBytes, 14'096U);
    EXPECT_EQ(counters.unsentBytes, 0U);
    EXPECT_EQ(counters.dataFrames, 4U);
    EXPECT_EQ(counters.retransmitted, 0U);
    EXPECT_EQ(GetNic(1).GetCounters().rxBytes, 10'000U);
    EXPECT_EQ(GetNic(2).GetCounters().rxBytes, 4096U);
    EXPECT_EQ(m_test.cluster->GetReceivedBytes(), 14'096U);
}

TEST_F(RdmaNicTest, TellsWhenTheLastFrameOfAMessageWasHandedOver)
{
    m_test.Build();
    std::vector<TimePs> times;
    m_test.hooks.sent = [&](Message&) { times.push_back(m_test.cluster->GetClock(0)); };
    m_test.Post(0, 2, 10 * 4096);
    m_test.Post(0, 2, 4096);
    m_test.Run();
    EXPECT_EQ(times, (std::vector<TimePs>{9 * kRdmaNicFullFrame, 10 * kRdmaNicFullFrame}));
}

TEST_F(RdmaNicTest, IsANetDeviceWithItsOwnAddress)
{
    m_test.Build();
    std::set<Address> addresses;
    for (uint32_t server = 0; server < 4; ++server)
    {
        Ptr<Node> node = m_test.cluster->GetServers()[server]->GetObject<Node>();
        ASSERT_EQ(node->GetNDevices(), 2U);
        for (uint32_t rail = 0; rail < 2; ++rail)
        {
            EXPECT_EQ(PeekPointer(node->GetDevice(rail)), &GetNic(server, rail));
            EXPECT_EQ(node->GetDevice(rail)->GetNode(), node);
            EXPECT_FALSE(node->GetDevice(rail)->Send(Create<Packet>(10), Address(), 0));
            addresses.insert(node->GetDevice(rail)->GetAddress());
        }
    }
    EXPECT_EQ(addresses.size(), 8U);
}

/// What a ScriptedCongestionControl does, and what it was told.
struct Script
{
    uint64_t rateBps{0};
    TimePs changeAt{kNever}; //!< when the rate becomes another one
    uint64_t laterRateBps{0};
    uint64_t window{std::numeric_limits<uint64_t>::max()};
    bool usesAcks{true};
    bool usesEcn{false};
    bool usesTelemetry{false};
    TimePs cnpInterval{0};

    std::vector<TimePs> cnps; //!< when they came
    uint64_t acks{0};         //!< how many came
    uint64_t markedAcks{0};   //!< how many of them carried a mark
    TimePs shortestRoundTrip{kNever};
    uint64_t wireBytes{0};
    std::vector<Telemetry> telemetry; //!< that came with ACKs
};

/// Rates and windows by script, whatever happens.
class ScriptedCongestionControl : public Forkable<ScriptedCongestionControl, CongestionControl>
{
  public:
    explicit ScriptedCongestionControl(Script& script)
        : m_script(script)
    {
        m_traits.usesAcks = script.usesAcks;
        m_traits.usesTelemetry = script.usesTelemetry;
        m_traits.usesEcn = script.usesEcn;
    }

    void Start(TimePs, uint64_t) override
    {
    }

    void SetLineRate(TimePs, uint64_t) override
    {
    }

    uint64_t GetRateBps(TimePs now) override
    {
        return now < m_script.changeAt ? m_script.rateBps : m_script.laterRateBps;
    }

    TimePs GetNextChange(TimePs now) override
    {
        return now < m_script.changeAt ? m_script.changeAt : kNever;
    }

    void OnSent(TimePs, uint32_t wireBytes) override
    {
        m_script.wireBytes += wireBytes;
    }

    void OnCnp(TimePs now) override
    {
        m_script.cnps.push_back(now);
    }

    void OnAck(TimePs, const AckReport& report) override
    {
        ++m_script.acks;
        m_script.markedAcks += report.marked ? 1 : 0;
        m_script.shortestRoundTrip = std::min(m_script.shortestRoundTrip, report.roundTrip);
        EXPECT_EQ(report.telemetry != nullptr, m_script.usesTelemetry);
        if (report.telemetry)
        {
            m_script.telemetry.push_back(*report.telemetry);
        }
    }

    uint64_t GetWindowBytes() const override
    {
        return m_script.window;
    }

    TimePs GetCnpInterval() const override
    {
        return m_script.cnpInterval;
    }

  private:
    Script& m_script;
};

/// A cluster with such a congestion control.
class RdmaNicPacing : public testing::Test
{
  protected:
    void Build()
    {
        m_test.transport->SetAttribute(
            "CongestionControl",
            PointerValue(CreateObject<ScriptedCongestionControl>(m_script)));
        m_test.Build();
    }

    Script m_script;
    TestCluster m_test{3};
};

TEST_F(RdmaNicPacing, SpacesFramesByTheRateOfTheirQueuePair)
{
    // 4178 B at 10 Gbps take 3342.4 ns; the last frame goes 99 such times after the first.
    m_script.rateBps = 10 * kGbps;
    Build();
    m_test.Post(0, 1, 100 * 4096);
    m_test.Post(0, 2, 100 * 4096);
    m_test.Run();
    EXPECT_EQ(m_test.messages[0].end, 99 * 3'342'400 + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
    EXPECT_EQ(m_test.messages[1].end, 99 * 3'342'400 + 3 * kRdmaNicFullFrame + 2 * kRdmaNicDelay);
    EXPECT_EQ(m_script.wireBytes, 200 * 4178U);
}

TEST(RdmaNicTelemetry, AnswersBringBackWhatEachSwitchOnTheWaySaid)
{
    // From one leaf by a spine to another: three ports, and none on the way back.
    TestCluster test(8);
    test.topology->SetAttribute("LeafPorts", UintegerValue(4));
    test.topology->SetAttribute("RailSpines", UintegerValue(1));
    Script script;
    script.usesTelemetry = true;
    script.rateBps = script.laterRateBps = 400 * kGbps;
    test.transport->SetAttribute("CongestionControl",
                                 PointerValue(CreateObject<ScriptedCongestionControl>(script)));
    test.Build();
    constexpr uint64_t frames = 20;
    test.Post(0, 7, frames * 4096);
    test.Run();
    ASSERT_EQ(script.telemetry.size(), frames);
    const Port& last = test.GetNicPort(7).GetPeer();
    for (uint64_t frame = 0; frame < frames; ++frame)
    {
        const Telemetry& telemetry = script.telemetry[frame];
        ASSERT_EQ(telemetry.ports, 3);
        for (uint32_t port = 0; port < 3; ++port)
        {
            const PortReport& report = telemetry.reports[port];
            EXPECT_EQ(report.wireBytes, frame * 4178);
            EXPECT_EQ(report.queueBytes, 0U);
            EXPECT_EQ(report.at,
                      (frame + port + 1) * kRdmaNicFullFrame + (port + 1) * kRdmaNicDelay);
            EXPECT_EQ(report.rateBps, 400 * kGbps);
        }
        EXPECT_EQ(telemetry.reports[2].node, last.GetIdentity().node);
        EXPECT_EQ(telemetry.reports[2].port, last.GetIndex());
    }
}

TEST_F(RdmaNicPacing, DoesNotDriftWhenARateDividesUnevenly)
{
    // At 7 Gbps a frame takes 4774857.142... ps: 700 of them 3342400000 ps, rounded up each.
    m_script.rateBps = 7 * kGbps;
    Build();
    const Message& message = m_test.Post(0, 1, 701 * 4096);
    m_test.Run();
    const TimePs exact = 3'342'400'000;
    EXPECT_GE(message.end, exact + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
    EXPECT_LE(message.end, exact + 2 * (kRdmaNicFullFrame + kRdmaNicDelay) + 700);
}

TEST_F(RdmaNicPacing, ShortFramesCostLess)
{
    m_script.rateBps = 10 * kGbps;
    Build();
    m_test.Post(0, 1, 100);
    const Message& second = m_test.Post(0, 1, 4096);
    m_test.Run();
    EXPECT_EQ(second.end, 182 * 800 + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
}

TEST_F(RdmaNicPacing, AnIdleQueuePairSavesNothingUp)
{
    m_script.rateBps = 10 * kGbps;
    Build();
    m_test.Post(0, 1, 4096);
    const TimePs later = 50'000'000;
    const Message& second = m_test.Post(0, 1, 2 * 4096, -1, -1, later);
    m_test.Run();
    EXPECT_EQ(second.end, later + 3'342'400 + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
}

TEST_F(RdmaNicPacing, AChangeOfTheRateCountsFromItsTimeOn)
{
    // Sent at 0 at 10 Gbps, from 1 us on at 40 Gbps: of 33424 bit 23424 are left then.
    m_script.rateBps = 10 * kGbps;
    m_script.laterRateBps = 40 * kGbps;
    m_script.changeAt = 1'000'000;
    Build();
    const Message& message = m_test.Post(0, 1, 3 * 4096);
    m_test.Run();
    EXPECT_EQ(message.end, 1'000'000 + 585'600 + 835'600 + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
}

TEST_F(RdmaNicPacing, AChangeOfTheRateCountsFromItsTimeOnAlsoWhenThePortIsBusyThen)
{
    // The second queue pair sends from 83.56 to 167.12 ns; the rate changes at 120 ns. 1200 bit are
    // paid for then; the other 32224 take 805.6 ns.
    m_script.rateBps = 10 * kGbps;
    m_script.laterRateBps = 40 * kGbps;
    m_script.changeAt = 120'000;
    Build();
    const Message& message = m_test.Post(0, 1, 2 * 4096);
    m_test.Post(0, 2, 4096);
    m_test.Run();
    EXPECT_EQ(message.end, 120'000 + 805'600 + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
}

TEST_F(RdmaNicPacing, TheSmallerOfTwoWindowsCounts)
{
    const TimePs roundTrip =
        2 * (kRdmaNicFullFrame + kRdmaNicDelay) + 2 * (kRdmaNicAckFrame + kRdmaNicDelay);
    m_test.transport->SetAttribute("Window", Bytes(10 * 4096));
    m_script.rateBps = 400 * kGbps;
    m_script.window = 2 * 4096;
    Build();
    const Message& message = m_test.Post(0, 1, 20 * 4096);
    m_test.Run();
    EXPECT_EQ(message.end,
              9 * roundTrip + kRdmaNicFullFrame + 2 * (kRdmaNicFullFrame + kRdmaNicDelay));
    EXPECT_EQ(m_script.acks, 20U);
    EXPECT_EQ(m_script.markedAcks, 0U);
    EXPECT_EQ(m_script.shortestRoundTrip, roundTrip);
}

TEST_F(RdmaNicPacing, ACongestionControlWithoutUseForAcksIsNotAskedForItsWindow)
{
    m_script.rateBps = 400 * kGbps;
    m_script.window = 4096;
    m_script.usesAcks = false;
    Build();
    const Message& message = m_test.Post(0, 1, 20 * 4096);
    m_test.Run();
    EXPECT_EQ(message.end, 21 * kRdmaNicFullFrame + 2 * kRdmaNicDelay);
    EXPECT_EQ(m_script.acks, 0U);
}

TEST_F(RdmaNicPacing, AReceiverAnswersMarksWithOneNotificationPerIntervalAndQueuePair)
{
    // Every frame is marked. They come every 3342.4 ns, so a notification goes for every 15th.
    m_script.rateBps = 10 * kGbps;
    m_script.usesEcn = true;
    m_script.cnpInterval = 50'000'000;
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    marker->SetAttribute("Kmin", Bytes(0));
    marker->SetAttribute("Kmax", Bytes(1));
    m_test.profile->SetAttribute("Ecn", PointerValue(marker));
    Build();
    m_test.Post(0, 2, 100 * 4096);
    m_test.Post(1, 2, 100 * 4096, -1, -1, 1'000'000'000);
    m_test.Run();
    ASSERT_EQ(m_script.cnps.size(), 14U);
    const TimePs path =
        2 * (kRdmaNicFullFrame + kRdmaNicDelay) + 2 * (kRdmaNicAckFrame + kRdmaNicDelay);
    for (int i = 0; i < 7; ++i)
    {
        EXPECT_EQ(m_script.cnps[i], 15 * i * 3'342'400 + path);
        EXPECT_EQ(m_script.cnps[7 + i], 1'000'000'000 + 15 * i * 3'342'400 + path);
    }
    EXPECT_EQ(m_script.markedAcks, 200U);
    EXPECT_EQ(m_test.Sum(&NicCounters::cnps), 14U);
}

TEST_F(RdmaNicPacing, WithoutEcnThereAreNoNotifications)
{
    m_script.rateBps = 400 * kGbps;
    Build();
    m_test.Post(0, 2, 1'000'000);
    m_test.Post(1, 2, 1'000'000);
    m_test.Run();
    EXPECT_TRUE(m_script.cnps.empty());
    EXPECT_EQ(m_test.Sum(&NicCounters::cnps), 0U);
}

} // namespace
