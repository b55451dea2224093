// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "exchange-fixtures.h"

#include "ns3/collective-runner.h"
#include "ns3/rails-units.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

class CollectiveRunnerTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        m_runner.reset();
        Simulator::Destroy();
    }

    /// Runs phases over a matrix to the end.
    CollectiveRunner& Run(const TrafficMatrix& matrix,
                          const std::vector<Phase>& phases,
                          const std::string& planner,
                          uint32_t iterations = 1)
    {
        Prepare(matrix, phases, Make<Planner>(planner), iterations);
        m_runner->Start();
        Simulator::Run();
        return *m_runner;
    }

    void Prepare(const TrafficMatrix& matrix,
                 const std::vector<Phase>& phases,
                 Ptr<Planner> planner,
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
        m_runner = std::make_unique<CollectiveRunner>(schedule, m_service, planner);
        m_runner->SetFinishedCallback([this] { OnFinished(); });
    }

    void OnFinished()
    {
        ++m_finishes;
        m_finishedAt = NowPs();
    }

    Ptr<MockService> m_service;
    std::unique_ptr<CollectiveRunner> m_runner;
    int m_finishes{0};
    TimePs m_finishedAt{kNever};
};

const ClusterShape kShape{2, 2};

TEST_F(CollectiveRunnerTest, StartsAPhaseWithTheLastDeliveryOfTheOneBefore)
{
    // GPU 0 has 300 for GPU 2 and 50 for GPU 1; GPU 3 has 100 for GPU 0.
    const TrafficMatrix matrix = MakeMatrix(kShape, {{0, 50, 300, 0}, {}, {}, {100}});
    const CollectiveRunner& runner =
        Run(matrix, {{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}}, "RailSourcePlanner");
    const auto& messages = runner.GetMessages();
    ASSERT_EQ(messages.size(), 6u);
    for (size_t id = 0; id < 6; ++id)
    {
        EXPECT_EQ(messages[id].id, id);
        EXPECT_EQ(messages[id].phase, id / 3);
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
    EXPECT_EQ(runner.GetFirstPost(), 0);
    EXPECT_EQ(runner.GetLastDelivery(), 2 * (300 + kFlight));
    EXPECT_EQ(runner.GetLastAcknowledgement(), 2 * (300 + kFlight) + kAckFlight);
    EXPECT_EQ(runner.GetDeliveredBytes(), 900u);
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(m_finishes, 1);
    EXPECT_EQ(m_finishedAt, runner.GetLastAcknowledgement());
}

TEST_F(CollectiveRunnerTest, WaitsInComputeAndGapIterationByIteration)
{
    const TrafficMatrix matrix = MakeMatrix(kShape, {{0, 0, 300, 0}});
    const CollectiveRunner& runner =
        Run(matrix,
            {{PhaseKind::Compute, 5'000}, {PhaseKind::Dispatch, 0}, {PhaseKind::Gap, 700}},
            "RailSourcePlanner",
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
    EXPECT_EQ(runner.GetFirstPost(), 5'000);
    EXPECT_EQ(runner.GetMessages().size(), 3u);
    EXPECT_EQ(runner.GetMessages()[2].phase, 7);
    // The last gap ends before the last ACK is back.
    EXPECT_EQ(m_finishedAt, expected - 700 + kAckFlight);
}

TEST_F(CollectiveRunnerTest, TellsWhenItOnlyWaits)
{
    Prepare(MakeMatrix(kShape, {{0, 0, 300, 0}}),
            {{PhaseKind::Compute, 5'000}, {PhaseKind::Dispatch, 0}},
            Make<Planner>("RailSourcePlanner"));
    m_runner->Start();
    std::vector<bool> waiting;
    for (TimePs at : {4'000, 5'200})
    {
        Simulator::Schedule(TimeStep(at), [&] { waiting.push_back(m_runner->IsWaiting()); });
    }
    Simulator::Run();
    EXPECT_EQ(waiting, (std::vector<bool>{true, false}));
}

TEST_F(CollectiveRunnerTest, DoesNotOnlyWaitForAStepWhileMessagesTravel)
{
    const auto traffic =
        std::make_shared<const TrafficMatrix>(MakeMatrix(kShape, {{0, 0, 300, 0}}));
    ScheduledPhase phase{Phase{}, 0, traffic, {{traffic, 0}, {traffic, 5'000}}};
    m_service = CreateObject<MockService>(kShape);
    m_runner = std::make_unique<CollectiveRunner>(WorkloadSchedule{kShape, traffic, 1, {phase}},
                                                  m_service,
                                                  Make<Planner>("RailSourcePlanner"));
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

TEST_F(CollectiveRunnerTest, PassesOverPhasesWithNothingToMove)
{
    const CollectiveRunner& runner = Run(TrafficMatrix(kShape),
                                         {{PhaseKind::Dispatch, 0}, {PhaseKind::Gap, 10}},
                                         "RailsPlanner",
                                         10'000);
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(m_finishes, 1);
    EXPECT_EQ(m_finishedAt, 100'000);
    EXPECT_EQ(runner.GetFirstPost(), kNever);
    EXPECT_EQ(runner.GetLastDelivery(), kNever);
}

TEST_F(CollectiveRunnerTest, PairsKeepTheirNumbersWhateverTheScheme)
{
    const TrafficMatrix matrix =
        Generate(Make<MatrixSource>("UniformMatrixSource"), ClusterShape{2, 4});
    const auto pairs = [&](const char* planner) {
        const CollectiveRunner& runner = Run(matrix, {{PhaseKind::Dispatch, 0}}, planner);
        std::map<uint32_t, uint64_t> bytes;
        for (const Message& message : runner.GetMessages())
        {
            EXPECT_EQ(message.pair, message.source * 8 + message.destination);
            bytes[message.pair] += message.bytes;
        }
        return bytes;
    };
    EXPECT_EQ(pairs("RailsPlanner"), pairs("EcmpPlanner"));
}

TEST_F(CollectiveRunnerTest, LetsLateChoicesFollowWhatTheNicsHaveSent)
{
    // 12 pieces of 100 bytes; rail 0 is a hundred times slower than rail 1.
    const TrafficMatrix matrix = MakeMatrix(kShape, {{0, 0, 1200, 0}});
    m_service = CreateObject<MockService>(kShape);
    m_service->GetNic(0, 0).slowness = 100;
    Prepare(matrix,
            {{PhaseKind::Dispatch, 0}},
            Make<Planner>("LeastOutstandingPlanner",
                          "Chunk",
                          ByteSizeValue(ByteSize(100)),
                          "Depth",
                          UintegerValue(2)));
    m_runner->Start();
    EXPECT_EQ(m_service->order.size(), 4u) << "two pieces per rail, the others wait";
    Simulator::Run();
    EXPECT_TRUE(m_runner->IsFinished());
    EXPECT_EQ(m_service->GetNic(0, 0).mostUnsent, 2u);
    EXPECT_EQ(m_service->GetNic(0, 1).mostUnsent, 2u);
    int onSlowRail = 0;
    for (const Message& message : m_runner->GetMessages())
    {
        EXPECT_EQ(message.txRail, message.rxRail);
        EXPECT_NE(message.end, kNever);
        onSlowRail += message.txRail == 0;
    }
    EXPECT_EQ(onSlowRail, 2) << "the slow rail never gets room for a third piece in time";
}

TEST_F(CollectiveRunnerTest, ARailWithEnoughPiecesGetsNoMoreHoweverSmallTheyAre)
{
    // Rail 0 gets 5, 1 and 1, rail 1 gets 1000 and 1000: the last byte would like rail 0 better.
    const TrafficMatrix matrix = MakeMatrix({4, 2}, {{0, 0, 5, 1, 1000, 1000, 1, 1}});
    Prepare(matrix,
            {{PhaseKind::Dispatch, 0}},
            Make<Planner>("LeastOutstandingPlanner", "Depth", UintegerValue(3)));
    m_runner->Start();
    std::vector<uint16_t> rails;
    for (const Message& message : m_runner->GetMessages())
    {
        rails.push_back(message.txRail);
    }
    EXPECT_EQ(rails, (std::vector<uint16_t>{0, 0, 1, 1, 0, 1}));
    Simulator::Run();
    EXPECT_TRUE(m_runner->IsFinished());
}

TEST_F(CollectiveRunnerTest, LateChoicesWorkInEveryPhase)
{
    const TrafficMatrix matrix =
        Generate(Make<MatrixSource>("ZipfMatrixSource"), ClusterShape{4, 4});
    const CollectiveRunner& runner = Run(matrix,
                                         {{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}},
                                         "LeastOutstandingPlanner",
                                         2);
    EXPECT_TRUE(runner.IsFinished());
    EXPECT_EQ(runner.GetDeliveredBytes(), 4 * matrix.GetTotalBytes());
}

} // namespace
