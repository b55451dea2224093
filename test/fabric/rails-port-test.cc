// SPDX-License-Identifier: GPL-2.0-only
#include "../support/port-pair.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ecn-marker.h"
#include "ns3/rails-port.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

// At 100 Gbps a byte takes 80 ps. A frame of 1000 B occupies the wire for 1020 B, a pause frame for
// 84 B, a quantum is 64 B.
constexpr uint64_t kRailsPortRate = 100'000'000'000;
constexpr TimePs kByte = 80;
constexpr TimePs kRailsPortDelay = 100'000;
constexpr TimePs kFrame = 1020 * kByte;
constexpr TimePs kPauseFrame = 84 * kByte;
constexpr TimePs kQuantum = 64 * kByte;
// A pause frame sent at 0 is here.
constexpr TimePs kHeard = kPauseFrame + kRailsPortDelay;

class PortTest : public testing::Test
{
  protected:
    void EnqueueData(uint32_t frames, uint32_t bytes = 1000)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Data, i, bytes));
        }
    }

    /// \return when the frames began to leave
    std::vector<TimePs> GetStarts(TimePs frameTime = kFrame) const
    {
        std::vector<TimePs> starts;
        for (const Arrival& arrival : m_pair.rightOwner.arrivals)
        {
            starts.push_back(arrival.at - kRailsPortDelay - frameTime);
        }
        return starts;
    }

    void OnPaused(Time, uint8_t, bool paused)
    {
        m_pauseChanges.emplace_back(paused, m_pair.left->GetAgenda().Now());
    }

    void TracePauses()
    {
        m_pair.left->TraceConnectWithoutContext("Paused", MakeCallback(&PortTest::OnPaused, this));
    }

    PortPair m_pair{kRailsPortRate, kRailsPortDelay};
    std::vector<std::pair<bool, TimePs>> m_pauseChanges;
};

TEST_F(PortTest, FramesFollowEachOtherWithoutGap)
{
    EnqueueData(3);
    Simulator::Run();
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{0, kFrame, 2 * kFrame}));
    const PortCounters counters = m_pair.left->GetCountersNow();
    EXPECT_EQ(counters.frames, 3U);
    EXPECT_EQ(counters.wireBytes, 3 * 1020U);
    EXPECT_EQ(counters.queueMaxBytes, 3000U);
    EXPECT_EQ(m_pair.left->GetQueueBytes(), 0U);
}

TEST_F(PortTest, SerialisationIsRoundedUpToAPicosecond)
{
    // 21 B at 7 Gbps: 168 bit / 7e9 = 24 ns exactly; 22 B: 25142.857... ps.
    PortPair pair(7'000'000'000, 0);
    pair.left->Enqueue(pair.MakeFrame(FrameKind::Data, 0, 1));
    pair.left->Enqueue(pair.MakeFrame(FrameKind::Data, 1, 2));
    Simulator::Run();
    ASSERT_EQ(pair.rightOwner.arrivals.size(), 2U);
    EXPECT_EQ(pair.rightOwner.arrivals[0].at, 24'000);
    EXPECT_EQ(pair.rightOwner.arrivals[1].at, 24'000 + 25'143);
}

TEST_F(PortTest, TheOwnerHearsOfEachFrameThatLeft)
{
    Frame* frame = m_pair.MakeFrame(FrameKind::Data, 0, 1000);
    frame->ingress = 7;
    m_pair.left->Enqueue(frame);
    m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Ack, 0, 64));
    m_pair.left->SendPause(kDataClass, 1);
    Simulator::Run();
    // Pause frames come from no buffer, so the owner does not hear of them.
    ASSERT_EQ(m_pair.leftOwner.departures.size(), 2U);
    EXPECT_EQ(m_pair.leftOwner.departures[0].at, kPauseFrame + 84 * kByte);
    EXPECT_EQ(m_pair.leftOwner.departures[0].trafficClass, kControlClass);
    EXPECT_EQ(m_pair.leftOwner.departures[1].at, kPauseFrame + 84 * kByte + kFrame);
    EXPECT_EQ(m_pair.leftOwner.departures[1].ingress, 7U);
    EXPECT_EQ(m_pair.leftOwner.departures[1].bytes, 1000U);
}

TEST_F(PortTest, ControlOvertakesWaitingDataButNotTheFrameBeingSent)
{
    EnqueueData(3);
    m_pair.At(kFrame / 2, [&] {
        m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Ack, 50, 64));
        m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Cnp, 51, 64));
    });
    Simulator::Run();
    const TimePs ack = 84 * kByte;
    EXPECT_EQ(m_pair.rightOwner.arrivals,
              (std::vector<Arrival>{{kFrame + kRailsPortDelay, FrameKind::Data, 0},
                                    {kFrame + ack + kRailsPortDelay, FrameKind::Ack, 50},
                                    {kFrame + 2 * ack + kRailsPortDelay, FrameKind::Cnp, 51},
                                    {2 * kFrame + 2 * ack + kRailsPortDelay, FrameKind::Data, 1},
                                    {3 * kFrame + 2 * ack + kRailsPortDelay, FrameKind::Data, 2}}));
}

TEST_F(PortTest, AnIdlePortChoosesOnlyWhenTheInstantIsOver)
{
    // Data first, control at the same time: control has priority all the same.
    EnqueueData(1);
    m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Ack, 50, 64));
    Simulator::Run();
    EXPECT_EQ(m_pair.rightOwner.arrivals.front().kind, FrameKind::Ack);
}

TEST_F(PortTest, PauseFramesGoAheadOfEverything)
{
    static std::vector<FrameKind> sent;
    sent.clear();
    m_pair.left->TraceConnectWithoutContext(
        "Transmit",
        Callback<void, Time, const Frame&>(
            [](Time, const Frame& frame) { sent.push_back(frame.kind); }));
    EnqueueData(2);
    m_pair.At(1, [&] {
        m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Ack, 50, 64));
        m_pair.left->SendPause(kDataClass, 8);
    });
    Simulator::Run();
    EXPECT_EQ(sent,
              (std::vector<FrameKind>{FrameKind::Data,
                                      FrameKind::Pause,
                                      FrameKind::Ack,
                                      FrameKind::Data}));
    EXPECT_EQ(m_pair.left->GetCountersNow().pauseFrames, 1U);
}

TEST_F(PortTest, ThePausedEndDoesNotKeepPauseFramesBack)
{
    m_pair.right->SendPause(kDataClass, 1000);
    m_pair.At(2 * kHeard, [&] { m_pair.left->SendPause(kDataClass, 1000); });
    Simulator::Stop(TimeStep(4 * kHeard));
    Simulator::Run();
    EXPECT_TRUE(m_pair.left->IsPaused(kDataClass));
    EXPECT_TRUE(m_pair.right->IsPaused(kDataClass));
}

TEST_F(PortTest, TheLastWordOnAClassCounts)
{
    EnqueueData(1);
    m_pair.At(1, [&] {
        m_pair.left->SendPause(kDataClass, 1000);
        m_pair.left->SendPause(kDataClass, 0);
    });
    Simulator::Run();
    EXPECT_EQ(m_pair.left->GetCountersNow().pauseFrames, 1U);
    EXPECT_EQ(m_pair.right->GetCountersNow().pauses, 0U);
}

TEST_F(PortTest, APauseThatIsNotRefreshedEndsWithItsQuanta)
{
    // Frames start at 0 and 81.6 ns; the pause is heard at 106.72 ns and lasts for 512 ns.
    TracePauses();
    EnqueueData(4);
    m_pair.right->SendPause(kDataClass, 100);
    Simulator::Run();
    const TimePs resumed = kHeard + 100 * kQuantum;
    EXPECT_EQ(resumed, 618'720);
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{0, kFrame, resumed, resumed + kFrame}));
    EXPECT_EQ(m_pair.left->GetCountersNow().pauses, 1U);
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 512'000);
    EXPECT_EQ(m_pauseChanges,
              (std::vector<std::pair<bool, TimePs>>{{true, kHeard}, {false, resumed}}));
}

TEST_F(PortTest, TheLongestPauseIsExact)
{
    m_pair.right->SendPause(kDataClass, 65535);
    Simulator::Run();
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 65535 * kQuantum);
}

TEST_F(PortTest, ARefreshedPauseGoesOn)
{
    EnqueueData(4);
    m_pair.right->SendPause(kDataClass, 100);
    m_pair.At(300'000, [&] { m_pair.right->SendPause(kDataClass, 100); });
    Simulator::Run();
    const TimePs resumed = 300'000 + kHeard + 100 * kQuantum;
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{0, kFrame, resumed, resumed + kFrame}));
    EXPECT_EQ(m_pair.left->GetCountersNow().pauses, 1U);
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 300'000 + 100 * kQuantum);
}

TEST_F(PortTest, ARefreshMayShortenAPause)
{
    m_pair.right->SendPause(kDataClass, 1000);
    m_pair.At(300'000, [&] { m_pair.right->SendPause(kDataClass, 10); });
    Simulator::Run();
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 300'000 + 10 * kQuantum);
}

TEST_F(PortTest, QuantaOfZeroResume)
{
    EnqueueData(4);
    m_pair.right->SendPause(kDataClass, 1000);
    m_pair.At(300'000, [&] { m_pair.right->SendPause(kDataClass, 0); });
    Simulator::Run();
    const TimePs resumed = 300'000 + kHeard;
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{0, kFrame, resumed, resumed + kFrame}));
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 300'000);
}

TEST_F(PortTest, APauseThatStillLastsIsCountedUpToNow)
{
    m_pair.right->SendPause(kDataClass, 1000);
    Simulator::Stop(TimeStep(kHeard + 1234));
    Simulator::Run();
    m_pair.left->GetAgenda().CatchUp();
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 1234);
    EXPECT_EQ(m_pair.left->GetPausedSince(kDataClass), kHeard);
}

TEST_F(PortTest, TwoPausesAddUp)
{
    m_pair.right->SendPause(kDataClass, 100);
    m_pair.At(1'000'000, [&] { m_pair.right->SendPause(kDataClass, 50); });
    Simulator::Run();
    EXPECT_EQ(m_pair.left->GetCountersNow().pauses, 2U);
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 150 * kQuantum);
}

TEST_F(PortTest, ControlFlowsWhileDataIsPaused)
{
    EnqueueData(3);
    m_pair.right->SendPause(kDataClass, 1000);
    m_pair.At(200'000, [&] { m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Ack, 50, 64)); });
    Simulator::Run();
    ASSERT_EQ(m_pair.rightOwner.arrivals.size(), 4U);
    EXPECT_EQ(m_pair.rightOwner.arrivals[2],
              (Arrival{200'000 + 84 * kByte + kRailsPortDelay, FrameKind::Ack, 50}));
    EXPECT_EQ(m_pair.rightOwner.arrivals[3].at,
              kHeard + 1000 * kQuantum + kFrame + kRailsPortDelay);
}

TEST_F(PortTest, AnOwnerIsNotAskedForDataWhilePaused)
{
    for (uint64_t psn = 0; psn < 4; ++psn)
    {
        m_pair.leftOwner.supply.push_back(m_pair.MakeFrame(FrameKind::Data, psn, 1000));
    }
    m_pair.left->Wake();
    m_pair.right->SendPause(kDataClass, 100);
    m_pair.At(300'000, [&] {
        EXPECT_EQ(m_pair.leftOwner.pulls, 2U);
        m_pair.left->Wake();
    });
    m_pair.At(400'000, [&] { EXPECT_EQ(m_pair.leftOwner.pulls, 2U); });
    Simulator::Run();
    const TimePs resumed = kHeard + 100 * kQuantum;
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{0, kFrame, resumed, resumed + kFrame}));
}

TEST_F(PortTest, AQueueGoesBeforeWhatTheOwnerHas)
{
    m_pair.leftOwner.supply.push_back(m_pair.MakeFrame(FrameKind::Data, 9, 1000));
    EnqueueData(1);
    Simulator::Run();
    EXPECT_EQ(m_pair.rightOwner.arrivals[0].psn, 0U);
    EXPECT_EQ(m_pair.rightOwner.arrivals[1].psn, 9U);
}

TEST_F(PortTest, APauseIsObeyedAfterTheResponseTime)
{
    // Heard at 106.72 ns, obeyed at 186.72 ns: the frame of 163.2 ns still goes.
    const TimePs response = 80'000;
    m_pair.left->SetPauseResponse(response);
    EnqueueData(5);
    m_pair.right->SendPause(kDataClass, 100);
    Simulator::Run();
    const TimePs resumed = kHeard + response + 100 * kQuantum;
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{0, kFrame, 2 * kFrame, resumed, resumed + kFrame}));
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 100 * kQuantum);
}

TEST_F(PortTest, ResumingTakesTheResponseTimeToo)
{
    const TimePs response = 80'000;
    m_pair.left->SetPauseResponse(response);
    m_pair.right->SendPause(kDataClass, 1000);
    m_pair.At(30'000, [&] { m_pair.right->SendPause(kDataClass, 0); });
    Simulator::Run();
    // Both words are on their way at the same time; neither is forgotten.
    EXPECT_EQ(m_pair.left->GetCountersNow().pauses, 1U);
    EXPECT_EQ(m_pair.left->GetCountersNow().paused, 30'000);
}

TEST_F(PortTest, ARefreshWithinTheResponseTimeDoesNotDelayThePause)
{
    const TimePs response = 80'000;
    m_pair.left->SetPauseResponse(response);
    TracePauses();
    m_pair.right->SendPause(kDataClass, 100);
    m_pair.At(50'000, [&] { m_pair.right->SendPause(kDataClass, 100); });
    m_pair.At(100'000, [&] { m_pair.right->SendPause(kDataClass, 100); });
    Simulator::Run();
    EXPECT_EQ(m_pauseChanges,
              (std::vector<std::pair<bool, TimePs>>{
                  {true, kHeard + response},
                  {false, 100'000 + kHeard + response + 100 * kQuantum}}));
}

TEST_F(PortTest, TheTraceOfTheQueueIsComplete)
{
    static std::vector<std::pair<uint64_t, uint64_t>> changes;
    changes.clear();
    m_pair.left->TraceConnectWithoutContext(
        "QueueBytes",
        Callback<void, Time, uint64_t, uint64_t>(
            [](Time, uint64_t before, uint64_t after) { changes.emplace_back(before, after); }));
    EnqueueData(2);
    m_pair.leftOwner.supply.push_back(m_pair.MakeFrame(FrameKind::Data, 9, 500));
    m_pair.left->SendPause(kDataClass, 1); // in no queue
    Simulator::Run();
    EXPECT_EQ(changes,
              (std::vector<std::pair<uint64_t, uint64_t>>{{0, 1000},
                                                          {1000, 2000},
                                                          {2000, 1000},
                                                          {1000, 0},
                                                          {0, 500},
                                                          {500, 0}}));
}

TEST_F(PortTest, MarksDependOnTheQueueTheFrameLeaves)
{
    // Kmin 2999 B, Kmax 3000 B: marked when more than 3000 B wait, the frame itself included.
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    marker->SetAttribute("Kmin", ByteSizeValue(ByteSize(2999)));
    marker->SetAttribute("Kmax", ByteSizeValue(ByteSize(3000)));
    marker->SetAttribute("Pmax", DoubleValue(0));
    marker->SetAttribute("ReferenceRate", DataRateValue(DataRate(kRailsPortRate)));
    m_pair.left->SetEcnMarker(PeekPointer(marker));
    EnqueueData(6);
    m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Ack, 50, 64));
    Simulator::Run();
    // The ACK goes first and is never marked; then 6000, 5000, 4000 B wait, then 3000 B.
    EXPECT_EQ(m_pair.rightOwner.marks,
              (std::vector<bool>{false, true, true, true, false, false, false}));
    EXPECT_EQ(m_pair.left->GetCountersNow().marks, 3U);
}

TEST_F(PortTest, ReportsToFramesThatAskAsTheyLeaveAQueue)
{
    m_pair.pool.EnableTelemetry();
    std::vector<Frame*> frames;
    for (uint64_t psn = 0; psn < 4; ++psn)
    {
        frames.push_back(m_pair.MakeFrame(FrameKind::Data, psn, 1000));
        frames.back()->wantsReports = psn != 2;
    }
    // The last one comes from the owner, as what a NIC makes does.
    m_pair.leftOwner.supply.push_back(frames[3]);
    std::vector<Telemetry> seen;
    m_pair.rightOwner.onReceive = [&seen](const Frame& frame) { seen.push_back(*frame.telemetry); };
    for (int i = 0; i < 3; ++i)
    {
        m_pair.left->Enqueue(frames[i]);
    }
    Simulator::Run();
    ASSERT_EQ(seen.size(), 4U);
    ASSERT_EQ(seen[0].ports, 1);
    ASSERT_EQ(seen[1].ports, 1);
    EXPECT_EQ(seen[2].ports, 0);
    EXPECT_EQ(seen[3].ports, 0);
    for (uint32_t i = 0; i < 2; ++i)
    {
        const PortReport& report = seen[i].reports[0];
        EXPECT_EQ(report.node, m_pair.left->GetIdentity().node);
        EXPECT_EQ(report.port, m_pair.left->GetIndex());
        EXPECT_EQ(report.queueBytes, 2000 - i * 1000U) << "those behind it";
        EXPECT_EQ(report.wireBytes, i * 1020U) << "those before it";
        EXPECT_EQ(report.at, i * kFrame);
        EXPECT_EQ(report.rateBps, kRailsPortRate);
    }
}

TEST_F(PortTest, EveryFrameGoesBackToThePool)
{
    EnqueueData(50);
    m_pair.right->SendPause(kDataClass, 100);
    m_pair.left->SendPause(kDataClass, 100);
    Simulator::Run();
    EXPECT_EQ(m_pair.pool.GetInUse(), 0U);
}

} // namespace
