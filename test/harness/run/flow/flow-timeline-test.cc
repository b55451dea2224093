// SPDX-License-Identifier: GPL-2.0-only
#include "../run-experiment-fixtures.h"
#include "../timeline-fixture.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

// Two phases over two rails, with traffic inside servers.
const std::string kFlowTraffic =
    "topology: {type: rail, domains: 4, gpus_per_domain: 2, spines: 1}\n"
    "workload:\n"
    "  type: all-to-all\n"
    "  matrix: {type: zipf, exponent: 1.5, bytes_per_gpu: 400KB, intra: true}\n"
    "  phases: [dispatch, {compute: 3us}, combine]\n"
    "transport: {congestion_control: none}\n"
    "balance: {type: rails, chunk: 50KB}\n"
    "engine: flow\n"
    "record: {timeline: true}\n";

double
ToMicroseconds(TimePs time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace

class FlowTimelineTest : public RunTest
{
};

TEST_F(FlowTimelineTest, MessagesAndPhasesAreThoseOfTheResult)
{
    const Result result = Run(kFlowTraffic);
    ASSERT_EQ(result.status, RunStatus::Done) << result.report;
    const ViewedTimeline timeline = ReadTimeline(result);
    std::set<uint32_t> seen;
    for (const ViewedTimeline::Slice& slice : timeline.GetSlices("message"))
    {
        const auto id = slice.arguments["id"].get<uint32_t>();
        EXPECT_TRUE(seen.insert(id).second);
        const MessageRecord& message = result.messageRecords.at(id);
        EXPECT_EQ(slice.process, "server" + std::to_string(message.source / 2));
        EXPECT_EQ(slice.arguments["bytes"], message.bytes);
        EXPECT_EQ(slice.end, ToMicroseconds(message.end));
        EXPECT_GE(slice.begin, ToMicroseconds(message.start));
    }
    EXPECT_EQ(seen.size(), result.messageRecords.size());
    const std::vector<ViewedTimeline::Slice> phases = timeline.GetSlices("phase");
    ASSERT_EQ(phases.size(), 3U);
    for (std::size_t i = 0; i < phases.size(); ++i)
    {
        EXPECT_EQ(phases[i].name, result.phases[i].name);
        EXPECT_EQ(phases[i].begin, ToMicroseconds(result.phases[i].start));
        EXPECT_EQ(phases[i].end, ToMicroseconds(result.phases[i].end));
    }
}

TEST_F(FlowTimelineTest, HasNeitherPausesNorQueues)
{
    const ViewedTimeline timeline = ReadTimeline(Run(kFlowTraffic));
    EXPECT_TRUE(timeline.GetSlices("pause").empty());
    EXPECT_TRUE(timeline.counters.empty());
}

TEST_F(FlowTimelineTest, FailuresAreInstants)
{
    const Result result =
        Run(kFlowTraffic,
            {"failures={convergence: 2us, schedule: [{at: 3us, nic: server1-nic0, state: down}]}"});
    ASSERT_EQ(result.status, RunStatus::Done) << result.report;
    ASSERT_GT(result.abandonedMessages, 0U);
    const ViewedTimeline timeline = ReadTimeline(result);
    ASSERT_EQ(timeline.instants.size(), 2U);
    EXPECT_EQ(timeline.instants[0].name, "nic server1-nic0: down");
    EXPECT_EQ(timeline.instants[0].at, 3);
    EXPECT_EQ(timeline.instants[1].name, "routing converged");
    EXPECT_EQ(timeline.instants[1].at, 5);
}

TEST_F(FlowTimelineTest, RecordingChangesNothing)
{
    const Result with = Run(kFlowTraffic);
    const Result without = Run(kFlowTraffic, {"record.timeline=false"});
    EXPECT_EQ(GetFingerprint(with), GetFingerprint(without));
    EXPECT_EQ(with.events, without.events);
    EXPECT_EQ(without.timeline, nullptr);
}

} // namespace ns3::rails
