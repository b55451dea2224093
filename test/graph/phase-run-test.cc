// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"
#include "../collective/exchange/exchange-fixtures.h"

#include "ns3/graph-runner.h"
#include "ns3/rails-units.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

class PhaseRunTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        m_runner.reset();
        Simulator::Destroy();
    }

    /// Runs phases over a matrix to the end.
    GraphRunner& Run(const TrafficMatrix& matrix,
                     const std::vector<Phase>& phases,
                     const std::string& balancer,
                     uint32_t iterations = 1)
    {
        Prepare(matrix, phases, Make<Balancer>(balancer), iterations);
        m_runner->Start();
        Simulator::Run();
        return *m_runner;
    }

    void Prepare(const TrafficMatrix& matrix,
                 const std::vector<Phase>& phases,
                 Ptr<Balancer> balancer,
                 uint32_t iterations = 1)
    {
        WorkloadSchedule schedule{matrix.GetShape(), nullptr, iterations, {}};
        for (uint32_t iteration = 0; iteration < iterations; ++iteration)
        {
            for (const Phase& phase : phases)
            {
                ScheduledPhase scheduled{phase, iteration, nullptr};
                if (phase.IsTraffic())
                {
                    scheduled.traffic = std::make_shared<const TrafficMatrix>(
                        phase.kind == PhaseKind::Dispatch ? matrix : matrix.Transpose());
                }
                schedule.phases.push_back(scheduled);
            }
        }
        if (!m_service)
        {
            m_service = CreateObject<MockService>(matrix.GetShape());
        }
        m_runner.reset(); // it lets go of the service before the next takes it
        m_runner = std::make_unique<GraphRunner>(schedule, m_service, balancer);
        m_runner->SetFinishedCallback([this] { OnFinished(); });
    }

    /// Lets everything happen that happens now.
    static void EndInstant()
    {
        Simulator::Stop(Time(0));
        Simulator::Run();
    }

    void OnFinished()
    {
        ++m_finishes;
        m_finishedAt = NowPs();
    }

    Ptr<MockService> m_service;
    std::unique_ptr<GraphRunner> m_runner;
    int m_finishes{0};
    TimePs m_finishedAt{kNever};
};

const ClusterShape kPhaseRunShape{2, 2};

TEST_F(PhaseRunTest, StartsAPhaseWithTheLastDeliveryOfTheOneBefore)
{
    // GPU 0 has 300 for GPU 2 and 50 for GPU 1; GPU 3 has 100 for GPU 0.
    const TrafficMatrix matrix = MakeMatrix(kPhaseRunShape, {{0, 50, 300, 0}, {}, {}, {100}});
    const GraphRunner& runner =
        Run(matrix, {{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}}, "RailSourceBalancer");
    const auto& messages = runner.GetMessages().GetAll();
    ASSERT_EQ(messages.size(), 6u);
    for (size_t id = 0; id < 6; ++id)
    {
        EXPECT_EQ(messages[id].id, id);
        EXPECT_EQ(messages[id].kind, id / 3);
        EXPECT_EQ(messages[id].start, id < 3 ? 0 : 300 + kFlight);
    }
    // Server 0 first, with what leaves it before what stays.
    EXPECT_EQ(messages[0].destination, 2u);
    EXPECT_EQ(messages[0].txRail, 0);
    EXPECT_EQ(messages[1].destination, 1u);
    EXPECT_EQ(messages[1].txRail, kNoRail);
    EXPECT_EQ(messages[1].rxRail, kNoRail);
    EXPECT_EQ(messages[1].bytes, 50u);
    EXPECT_EQ(messages[2].source, 3u);
    EXPECT_EQ(messages[2].txRail, 1);
    EXPECT_EQ(m_service->order, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
    // Combine: 2 has 300 for 0, 0 has 100 for 3, 1 has 50 for 0.
    EXPECT_EQ(messages[3].source, 0u);
    EXPECT_EQ(messages[3].destination, 3u);
    EXPECT_EQ(messages[4].source, 1u);
    EXPECT_EQ(messages[4].destination, 0u);
    EXPECT_EQ(messages[5].source, 2u);
    EXPECT_EQ(messages[5].bytes, 300u);

    ASSERT_EQ(runner.GetPhases().size(), 2u);
    EXPECT_EQ(runner.GetPhases()[0].name, "dispatch");
    EXPECT_EQ(runner.GetPhases()[0].start, 0);
    EXPECT_EQ(runner.GetPhases()[0].end, 300 + kFlight);
    EXPECT_EQ(runner.GetPhases()[1].start, 300 + kFlight);
    EXPECT_EQ(runner.GetPhases()[1].end, 2 * (300 + kFlight));
    EXPECT_EQ(runner.GetMessages().GetFirstPost(), 0);
    EXPECT_EQ(runner.GetMessages().GetLastDelivery(), 2 * (300 + kFlight));
    EXPECT_EQ(runner.GetMessages().GetLastAcknowledgement(), 2 * (300 + kFlight) + kAckFlight);
    EXPECT_EQ(runner.GetMessages().GetDeliveredBytes(), 900u);
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(m_finishes, 1);
    EXPECT_EQ(m_finishedAt, runner.GetMessages().GetLastAcknowledgement());
}

TEST_F(PhaseRunTest, WaitsInComputeAndGapIterationByIteration)
{
    const TrafficMatrix matrix = MakeMatrix(kPhaseRunShape, {{0, 0, 300, 0}});
    const GraphRunner& runner =
        Run(matrix,
            {{PhaseKind::Compute, 5'000}, {PhaseKind::Dispatch, 0}, {PhaseKind::Gap, 700}},
            "RailSourceBalancer",
            3);
    ASSERT_EQ(runner.GetPhases().size(), 9u);
    TimePs expected = 0;
    for (uint32_t i = 0; i < 9; ++i)
    {
        const auto& phase = runner.GetPhases()[i];
        EXPECT_EQ(phase.iteration, i / 3);
        EXPECT_EQ(phase.start, expected);
        expected += i % 3 == 0 ? 5'000 : i % 3 == 1 ? 300 + kFlight : 700;
        EXPECT_EQ(phase.end, expected);
    }
    EXPECT_EQ(runner.GetMessages().GetFirstPost(), 5'000);
    EXPECT_EQ(runner.GetMessages().GetAll().size(), 3u);
    EXPECT_EQ(runner.GetMessages().GetAll()[2].kind, 7);
    // The last gap ends before the last ACK is back.
    EXPECT_EQ(m_finishedAt, expected - 700 + kAckFlight);
}

TEST_F(PhaseRunTest, TellsWhenItOnlyWaits)
{
    Prepare(MakeMatrix(kPhaseRunShape, {{0, 0, 300, 0}}),
            {{PhaseKind::Compute, 5'000}, {PhaseKind::Dispatch, 0}},
            Make<Balancer>("RailSourceBalancer"));
    m_runner->Start();
    std::vector<bool> waiting;
    for (TimePs at : {4'000, 5'200})
    {
        Simulator::Schedule(TimeStep(at), [&] { waiting.push_back(m_runner->IsWaiting()); });
    }
    Simulator::Run();
    EXPECT_EQ(waiting, (std::vector<bool>{true, false}));
}

TEST_F(PhaseRunTest, DoesNotOnlyWaitForAStepWhileMessagesTravel)
{
    const auto traffic =
        std::make_shared<const TrafficMatrix>(MakeMatrix(kPhaseRunShape, {{0, 0, 300, 0}}));
    ScheduledPhase phase{Phase{}, 0, traffic, {{traffic, 0}, {traffic, 5'000}}};
    m_service = CreateObject<MockService>(kPhaseRunShape);
    m_runner = std::make_unique<GraphRunner>(WorkloadSchedule{kPhaseRunShape, traffic, 1, {phase}},
                                             m_service,
                                             Make<Balancer>("RailSourceBalancer"));
    m_runner->Start();
    std::vector<bool> waiting;
    for (TimePs at : {1'200, 1'400, 5'200}) // the first message arrives after 1'300
    {
        Simulator::Schedule(TimeStep(at), [&] { waiting.push_back(m_runner->IsWaiting()); });
    }
    Simulator::Run();
    EXPECT_EQ(waiting, (std::vector<bool>{false, true, false}));
    EXPECT_TRUE(m_runner->IsFinished());
}

TEST_F(PhaseRunTest, PassesOverPhasesWithNothingToMove)
{
    const GraphRunner& runner = Run(TrafficMatrix(kPhaseRunShape),
                                    {{PhaseKind::Dispatch, 0}, {PhaseKind::Gap, 10}},
                                    "RailsBalancer",
                                    10'000);
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(m_finishes, 1);
    EXPECT_EQ(m_finishedAt, 100'000);
    EXPECT_EQ(runner.GetMessages().GetFirstPost(), kNever);
    EXPECT_EQ(runner.GetMessages().GetLastDelivery(), kNever);
}

TEST_F(PhaseRunTest, PairsKeepTheirNumbersWhateverTheScheme)
{
    const TrafficMatrix matrix =
        Generate(Make<MatrixSource>("UniformMatrixSource"), ClusterShape{2, 4});
    const auto pairs = [&](const char* balancer) {
        const GraphRunner& runner = Run(matrix, {{PhaseKind::Dispatch, 0}}, balancer);
        std::map<uint32_t, uint64_t> bytes;
        for (const Message& message : runner.GetMessages().GetAll())
        {
            EXPECT_EQ(message.pair, message.source * 8 + message.destination);
            bytes[message.pair] += message.bytes;
        }
        return bytes;
    };
    EXPECT_EQ(pairs("RailsBalancer"), pairs("EcmpBalancer"));
}

TEST_F(PhaseRunTest, LetsLateChoicesFollowWhatTheNicsHaveSent)
{
    // 12 pieces of 100 bytes; rail 0 is a hundred times slower than rail 1.
    const TrafficMatrix matrix = MakeMatrix(kPhaseRunShape, {{0, 0, 1200, 0}});
    m_service = CreateObject<MockService>(kPhaseRunShape);
    m_service->GetNic(0, 0).slowness = 100;
    Prepare(matrix,
            {{PhaseKind::Dispatch, 0}},
            Make<Balancer>("LeastOutstandingBalancer",
                           "Chunk",
                           ByteSizeValue(ByteSize(100)),
                           "Depth",
                           UintegerValue(2)));
    m_runner->Start();
    EndInstant();
    EXPECT_EQ(m_service->order.size(), 4u) << "two pieces per rail, the others wait";
    Simulator::Run();
    EXPECT_TRUE(m_runner->IsFinished());
    EXPECT_EQ(m_service->GetNic(0, 0).mostUnsent, 2u);
    EXPECT_EQ(m_service->GetNic(0, 1).mostUnsent, 2u);
    int onSlowRail = 0;
    for (const Message& message : m_runner->GetMessages().GetAll())
    {
        EXPECT_EQ(message.txRail, message.rxRail);
        EXPECT_NE(message.end, kNever);
        onSlowRail += message.txRail == 0;
    }
    EXPECT_EQ(onSlowRail, 2) << "the slow rail never gets room for a third piece in time";
}

TEST_F(PhaseRunTest, ARailWithEnoughPiecesGetsNoMoreHoweverSmallTheyAre)
{
    // Rail 0 gets 5, 1 and 1, rail 1 gets 1000 and 1000: the last byte would like rail 0 better.
    const TrafficMatrix matrix = MakeMatrix({4, 2}, {{0, 0, 5, 1, 1000, 1000, 1, 1}});
    Prepare(matrix,
            {{PhaseKind::Dispatch, 0}},
            Make<Balancer>("LeastOutstandingBalancer", "Depth", UintegerValue(3)));
    m_runner->Start();
    EndInstant();
    std::vector<uint16_t> rails;
    for (const Message& message : m_runner->GetMessages().GetAll())
    {
        rails.push_back(message.txRail);
    }
    EXPECT_EQ(rails, (std::vector<uint16_t>{0, 0, 1, 1, 0, 1}));
    Simulator::Run();
    EXPECT_TRUE(m_runner->IsFinished());
}

TEST_F(PhaseRunTest, LateChoicesWorkInEveryPhase)
{
    const TrafficMatrix matrix =
        Generate(Make<MatrixSource>("ZipfMatrixSource"), ClusterShape{4, 4});
    const GraphRunner& runner = Run(matrix,
                                    {{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}},
                                    "LeastOutstandingBalancer",
                                    2);
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(runner.GetMessages().GetDeliveredBytes(), 4 * matrix.GetTotalBytes());
}

using Ids = std::vector<uint32_t>;

/// One phase of steps, whose messages arrive when a test says so.
class StepsTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        m_runner.reset();
        Simulator::Destroy();
    }

    /// Starts steps after 100 ps. \param starts of steps; empty: they are chained
    void Start(const std::vector<TrafficMatrix>& matrices, const std::vector<TimePs>& starts = {})
    {
        const ClusterShape shape = matrices.front().GetShape();
        ScheduledPhase phase;
        phase.isChained = starts.empty();
        for (size_t step = 0; step < matrices.size(); ++step)
        {
            phase.steps.push_back({std::make_shared<const TrafficMatrix>(matrices[step]),
                                   starts.empty() ? 0 : starts[step]});
        }
        phase.traffic = phase.steps.front().traffic; // says that there is traffic
        m_service = CreateObject<StillService>(shape);
        m_runner = std::make_unique<GraphRunner>(WorkloadSchedule{shape, phase.traffic, 1, {phase}},
                                                 m_service,
                                                 Make<Balancer>("RailSourceBalancer"));
        m_runner->SetPhaseCallback([this](bool starts) {
            m_told.push_back(NowPs());
            EXPECT_EQ(starts, m_told.size() == 1);
            EXPECT_EQ(starts, m_service->order.empty()) << "told before the first post";
        });
        Simulator::Schedule(TimeStep(100), [this] { m_runner->Start(); });
    }

    void Deliver(size_t id)
    {
        m_service->Deliver(const_cast<Message&>(m_runner->GetMessages().GetAll()[id]));
    }

    std::vector<TimePs> GetStarts() const
    {
        std::vector<TimePs> starts;
        for (const Message& message : m_runner->GetMessages().GetAll())
        {
            starts.push_back(message.start);
        }
        return starts;
    }

    Ptr<StillService> m_service;
    std::unique_ptr<GraphRunner> m_runner;
    std::vector<TimePs> m_told; //!< when the first post was told, and the end
};

const ClusterShape kThree{3, 1};

/// \return each GPU has something for the next
TrafficMatrix
MakeRing()
{
    return MakeMatrix(kThree, {{0, 10, 0}, {0, 0, 10}, {10, 0, 0}});
}

TEST_F(StepsTest, AGpuGoesOnWithWhatItGotWhateverOthersDo)
{
    Start({MakeRing(), MakeRing(), MakeRing()});
    Simulator::Run();
    EXPECT_EQ(m_told, (std::vector<TimePs>{100}));
    EXPECT_EQ(m_service->order, (Ids{0, 1, 2}));
    EXPECT_FALSE(m_runner->IsWaiting());
    Deliver(1); // from GPU 1 to 2
    EXPECT_EQ(m_service->order, (Ids{0, 1, 2, 5})) << "the second step of GPU 2";
    Deliver(5); // from GPU 2 to 0, which has not got the first
    EXPECT_EQ(m_service->order.size(), 4U);
    Deliver(2); // and now it has
    EXPECT_EQ(m_service->order, (Ids{0, 1, 2, 5, 3, 6}));
}

TEST_F(StepsTest, AGpuThatIsToGetNothingDoesNotWait)
{
    // GPU 2 gets something in the first step, the others in the second.
    Start({MakeMatrix(kThree, {{0, 0, 10}}), MakeMatrix(kThree, {{}, {10}, {0, 10}}), MakeRing()});
    Simulator::Run();
    EXPECT_EQ(m_service->order, (Ids{0, 1})) << "GPU 1 is in the second step, GPU 2 waits";
    Deliver(0);
    EXPECT_EQ(m_service->order, (Ids{0, 1, 2, 5})) << "GPU 2 is to get nothing in the second step";
}

TEST_F(StepsTest, EveryByteOfAStepIsWaitedFor)
{
    Start({MakeMatrix(kThree, {{0, 0, 10}, {0, 0, 20}}), MakeRing()});
    Simulator::Run();
    EXPECT_EQ(m_service->order, (Ids{0, 2, 1, 3})) << "GPUs 0 and 1 wait for nothing";
    Deliver(1);
    EXPECT_EQ(m_service->order.size(), 4U);
    Deliver(0);
    EXPECT_EQ(m_service->order, (Ids{0, 2, 1, 3, 4}));
}

TEST_F(StepsTest, AllAreNumberedBeforeAnythingIsPosted)
{
    // GPU 0 has something for 1 and 2, GPU 2 for 0; then GPU 3 for 1.
    Start({MakeMatrix(kPhaseRunShape, {{0, 50, 300, 0}, {}, {70}}),
           MakeMatrix(kPhaseRunShape, {{}, {}, {}, {0, 90}})});
    m_service->posted = [this](const Message&) {
        EXPECT_EQ(m_runner->GetMessages().GetAll().size(), 4U);
    };
    Simulator::Run();
    const auto& messages = m_runner->GetMessages().GetAll();
    EXPECT_EQ(messages[0].destination, 2U) << "what leaves a server goes before what stays";
    EXPECT_EQ(messages[1].destination, 1U);
    EXPECT_EQ(messages[2].source, 2U);
    EXPECT_EQ(messages[3].source, 3U);
    EXPECT_EQ(messages[3].step, 1U);
    EXPECT_EQ(m_service->order, (Ids{0, 1, 2, 3})) << "GPU 3 gets nothing in the first step";
}

TEST_F(StepsTest, AServerPostsInTheOrderOfItsPlan)
{
    const std::vector<std::vector<uint64_t>> all{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1}, {}};
    Start({MakeMatrix(kPhaseRunShape, all)});
    Simulator::Run();
    // 0-2, 0-3, 1-2, 1-3, then 0-1 and 1-0 inside; then server 1.
    EXPECT_EQ(m_service->order, (Ids{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(m_runner->GetMessages().GetAll()[4].txRail, kNoRail);
}

const ClusterShape kTwo{2, 1};

TEST_F(StepsTest, ATimedStepIsPostedAtItsTimeFromTheStartOfThePhase)
{
    Start(std::vector<TrafficMatrix>(4, MakeMatrix(kTwo, {{0, 10}})), {0, 0, 30, 50});
    std::vector<bool> waiting;
    for (const TimePs at : {101, 111, 149, 151})
    {
        Simulator::Schedule(TimeStep(at), [&] { waiting.push_back(m_runner->IsWaiting()); });
    }
    Simulator::Schedule(TimeStep(110), [this] {
        Deliver(0);
        Deliver(1);
    });
    Simulator::Run();
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{100, 100, 130, 150}));
    EXPECT_EQ(m_told, (std::vector<TimePs>{100}));
    EXPECT_EQ(waiting, (std::vector<bool>{false, true, false, false})) << "while nothing travels";
}

TEST_F(StepsTest, TheFirstPostIsToldWhenItComes)
{
    Start(std::vector<TrafficMatrix>(2, MakeMatrix(kTwo, {{0, 10}})), {40, 50});
    Simulator::Run();
    EXPECT_EQ(GetStarts(), (std::vector<TimePs>{140, 150}));
    EXPECT_EQ(m_told, (std::vector<TimePs>{140}));
}

TEST_F(StepsTest, APhaseIsOverWithTheLastByteOfAllTimedSteps)
{
    Start({MakeMatrix(kThree, {{0, 10}}), MakeMatrix(kThree, {{0, 10, 10}})}, {0, 50});
    Simulator::Schedule(TimeStep(180), [this] { Deliver(1); });
    Simulator::Schedule(TimeStep(190), [this] { Deliver(0); });
    Simulator::Schedule(TimeStep(200), [this] {
        EXPECT_EQ(m_runner->GetPhases()[0].end, kNever);
        Deliver(2);
    });
    Simulator::Run();
    EXPECT_EQ(m_told, (std::vector<TimePs>{100, 200}));
    EXPECT_EQ(m_runner->GetPhases()[0].start, 100);
    EXPECT_EQ(m_runner->GetPhases()[0].end, 200);
    EXPECT_FALSE(m_runner->IsFinished()) << "nothing is acknowledged";
}

TEST_F(StepsTest, NothingIsPostedWhenTheRunnerIsGone)
{
    Start(std::vector<TrafficMatrix>(2, MakeMatrix(kTwo, {{0, 10}})), {0, 30});
    Simulator::Schedule(TimeStep(110), [this] { m_runner.reset(); });
    Simulator::Run();
    EXPECT_EQ(m_service->order.size(), 1U);
    Start({MakeMatrix(kTwo, {{0, 10}})});
    Simulator::Schedule(TimeStep(100), [this] { m_runner.reset(); });
    Simulator::Run();
    EXPECT_TRUE(m_service->order.empty()) << "gone before the barrier lets GPUs go on";
}

} // namespace
