// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"
#include "../support/test-cluster.h"

#include "ns3/graph-runner.h"
#include "ns3/lower-bound.h"
#include "ns3/phase-workload.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using test::Bytes;
using test::kGbps;
using test::Ps;
using test::Rate;
using test::TestCluster;

Ptr<PhaseWorkload>
MakeRing(const std::string& operation, uint64_t bytes)
{
    return Make<PhaseWorkload>("RingWorkload",
                               "Operation",
                               StringValue(operation),
                               "Bytes",
                               ByteSizeValue(ByteSize(bytes)),
                               "Rings",
                               UintegerValue(1));
}

/// A ring run on a rail cluster: all its messages, and when it was over.
struct RingRun
{
    std::deque<Message> messages;
    TimePs completion{0};
    TimePs bound{0};
};

RingRun
RunRing(Ptr<PhaseWorkload> workload,
        uint32_t servers,
        uint32_t rails = 1,
        const std::string& balancer = "RailSourceBalancer",
        const std::string& scheduler = "ns3::MapScheduler")
{
    TestCluster test(servers, rails);
    test.topology->SetAttribute("NicRate", Rate(400 * kGbps));
    test.topology->SetAttribute("LinkDelay", Ps(500'000));
    test.Build(1, scheduler);
    const ClusterShape shape = test.topology->GetShape();
    workload->Check(WorkloadSetting(shape));
    Ptr<Balancer> plan = Make<Balancer>(balancer);
    plan->AssignStreams(77);
    GraphRunner runner(workload->MakeSchedule(WorkloadSetting(shape)), test.cluster, plan);
    Simulator::ScheduleNow(&GraphRunner::Start, &runner);
    test.Run();
    EXPECT_TRUE(runner.IsFinished());

    const Wiring& wiring = test.cluster->GetWiring();
    const LowerBound bound(runner.GetSchedule(), FindSpeeds(wiring, FindTraits(wiring)));
    return {runner.GetMessages().GetAll(), runner.GetMessages().GetLastDelivery(), bound.GetTime()};
}

/// \return bytes of the only message of a GPU of four in a step, to the next one
uint64_t
SendToNext(const ScheduledPhase& phase, uint32_t gpu, uint32_t step)
{
    const std::vector<Demand> sends = phase.GetSends(gpu, step);
    EXPECT_EQ(sends.size(), 1u);
    EXPECT_EQ(sends.front().destination, (gpu + 1) % 4);
    return sends.front().bytes;
}

TEST(RingWorkload, EveryGpuSendsOnePartAStep)
{
    const ClusterShape shape{4, 1};

    const struct
    {
        const char* operation;
        size_t steps;
        double busFactor;
    } cases[] = {{"all-gather", 3, 0.75}, {"reduce-scatter", 3, 0.75}, {"all-reduce", 6, 1.5}};

    for (const auto& one : cases)
    {
        const WorkloadSchedule schedule =
            MakeRing(one.operation, 4'000)->MakeSchedule(WorkloadSetting(shape));
        ASSERT_EQ(schedule.phases.size(), 1u);
        const ScheduledPhase& phase = schedule.phases[0];
        EXPECT_TRUE(phase.isChained);
        ASSERT_EQ(phase.CountSteps(), one.steps) << one.operation;
        for (uint32_t step = 0; step < one.steps; ++step)
        {
            for (uint32_t gpu = 0; gpu < 4; ++gpu)
            {
                EXPECT_EQ(SendToNext(phase, gpu, step), 1'000u);
            }
        }
        EXPECT_EQ(schedule.GetTotalBytes(), 4 * one.steps * 1'000);
        // nccl-tests: the size is that of the buffer.
        const CollectiveBytes counted = schedule.CountCollective().value();
        EXPECT_EQ(counted.algorithm, 4'000);
        EXPECT_EQ(counted.bus, 4'000 * one.busFactor);
    }
}

TEST(RingWorkload, PassesOnThePartItReceivedLast)
{
    // 4003 bytes: parts 0, 1 and 2 have a byte more than part 3.
    const WorkloadSchedule schedule =
        MakeRing("all-reduce", 4'003)->MakeSchedule(WorkloadSetting({4, 1}));
    const ScheduledPhase& phase = schedule.phases[0];
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        EXPECT_EQ(SendToNext(phase, gpu, 0), gpu == 3 ? 1'000u : 1'001u);
        for (uint32_t step = 1; step < phase.CountSteps(); ++step)
        {
            EXPECT_EQ(SendToNext(phase, (gpu + 1) % 4, step), SendToNext(phase, gpu, step - 1));
        }
    }
    EXPECT_EQ(schedule.GetTotalBytes(), 2u * 3 * 4'003);
}

TEST(RingWorkload, TakesAsLongAsItsMessagesOneAfterTheOther)
{
    // Five parts of two full frames: 2 * 4178 bytes at 20 ps, a frame more on the second cable. In
    // the instant in which a GPU may go on it also acknowledges the frame that it waited for, and
    // ACKs go first.
    const TimePs one = 2 * 4178 * 20 + 4178 * 20 + 2 * 500'000;
    const TimePs ack = 84 * 20;
    EXPECT_EQ(RunRing(MakeRing("all-gather", 5 * 8192), 5).completion, 4 * one + 3 * ack);
    EXPECT_EQ(RunRing(MakeRing("reduce-scatter", 5 * 8192), 5).completion, 4 * one + 3 * ack);
    const RingRun run = RunRing(MakeRing("all-reduce", 5 * 8192), 5);
    EXPECT_EQ(run.completion, 8 * one + 7 * ack);
    for (const Message& message : run.messages)
    {
        const TimePs acks = message.step * ack;
        EXPECT_EQ(message.end, (message.step + 1) * one + acks) << "GPU " << message.source;
        EXPECT_EQ(message.start, message.step == 0 ? 0 : message.step * one + acks - ack)
            << "GPU " << message.source;
    }
    // The bound lets the last frame of each message carry a single byte.
    EXPECT_EQ(run.bound, 8 * (2 * 4178 * 20 + 83 * 20 + 2 * 500'000));
}

TEST(RingWorkload, AGpuWaitsForTheOneBehindItAlone)
{
    // Three parts of different lengths: 4096, 4096 and 4095 bytes with 12287 in all. Every GPU goes
    // on when it has received, so short parts overtake nobody and nobody waits for a barrier.
    const RingRun run = RunRing(MakeRing("all-reduce", 12'287), 3);
    std::map<std::pair<uint32_t, uint32_t>, const Message*> sent; // by step and source
    for (const Message& message : run.messages)
    {
        sent[{message.step, message.source}] = &message;
    }
    ASSERT_EQ(sent.size(), 12u);
    std::set<TimePs> starts;
    for (uint32_t step = 1; step < 4; ++step)
    {
        for (uint32_t gpu = 0; gpu < 3; ++gpu)
        {
            const TimePs received = sent.at({step - 1, (gpu + 2) % 3})->end;
            EXPECT_EQ((sent.at({step, gpu})->start), received);
            starts.insert(received);
        }
    }
    EXPECT_GT(starts.size(), 3u) << "a barrier would start all GPUs of a step together";
}

TEST(RingWorkload, GoesOnInTheInstantOfTheDelivery)
{
    // GPU 1 has what GPU 0 gives it over NVLink long before its own message has left: so more is on
    // its way to a server than what it waits for, and servers would have time to be late.
    const RingRun run = RunRing(MakeRing("all-gather", 800'000), 2, 2);
    std::map<std::pair<uint32_t, uint32_t>, TimePs> received; // by step and destination
    for (const Message& message : run.messages)
    {
        received[{message.step, message.destination}] = message.end;
    }
    for (const Message& message : run.messages)
    {
        if (message.step > 0)
        {
            EXPECT_EQ(message.start, received.at({message.step - 1, message.source}))
                << "step " << message.step << ", GPU " << message.source;
        }
    }
}

TEST(RingWorkload, DoesNotDependOnTheScheduler)
{
    for (const char* balancer : {"RailSourceBalancer", "RailsBalancer", "LeastOutstandingBalancer"})
    {
        const auto run = [&](const std::string& scheduler) {
            return RunRing(MakeRing("all-reduce", 300'001), 3, 2, balancer, scheduler);
        };
        const RingRun map = run("ns3::MapScheduler");
        for (const char* scheduler : {"ns3::HeapScheduler", "ns3::ListScheduler"})
        {
            const RingRun other = run(scheduler);
            ASSERT_EQ(other.messages.size(), map.messages.size());
            for (size_t id = 0; id < map.messages.size(); ++id)
            {
                EXPECT_EQ(other.messages[id].source, map.messages[id].source);
                EXPECT_EQ(other.messages[id].txRail, map.messages[id].txRail);
                EXPECT_EQ(other.messages[id].start, map.messages[id].start);
                EXPECT_EQ(other.messages[id].end, map.messages[id].end);
            }
        }
        EXPECT_GE(map.completion, map.bound) << balancer;
    }
}

TEST(RingWorkload, StaysOverItsBoundWhateverTheBalancer)
{
    for (const char* balancer :
         {"RailDestinationBalancer", "RoundRobinBalancer", "RandomBalancer", "EvenSplitBalancer"})
    {
        for (const uint64_t bytes : {17ULL, 5'000ULL, 1'000'000ULL})
        {
            const RingRun run = RunRing(MakeRing("all-reduce", bytes), 2, 4, balancer);
            EXPECT_GE(run.completion, run.bound) << balancer << ", " << bytes << " bytes";
            EXPECT_GT(run.bound, 0);
        }
    }
}

TEST(RingWorkload, RefusesWhatCannotBe)
{
    ExpectConfigurationError(
        [] {
            MakeRing("all-gather", 10)->Check(WorkloadSetting({1, 1}));
        },
        "",
        "at least 2");
    ExpectConfigurationError(
        [] {
            MakeRing("all-gather", 3)->Check(WorkloadSetting({2, 2}));
        },
        "bytes",
        "each of the 4 GPUs");
    EXPECT_NO_THROW(MakeRing("all-gather", 4)->Check(WorkloadSetting({2, 2})));
}

} // namespace
