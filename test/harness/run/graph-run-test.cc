// SPDX-License-Identifier: GPL-2.0-only
#include "graph-fixtures.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr TimePs kMicrosecond = 1'000'000;

class GraphRunTest : public GraphTest
{
  protected:
    /// \return how many random graphs a test runs; RAILS_GRAPHS=1000 makes it thorough
    static uint32_t CountGraphs()
    {
        const char* wanted = std::getenv("RAILS_GRAPHS");
        return wanted ? static_cast<uint32_t>(std::stoul(wanted)) : test::IsSanitized() ? 5 : 40;
    }

    /// \return ends of messages, ascending
    static std::vector<TimePs> GetEnds(const Result& result)
    {
        std::vector<TimePs> ends;
        for (const MessageRecord& message : result.messageRecords)
        {
            ends.push_back(message.end);
        }
        std::sort(ends.begin(), ends.end());
        return ends;
    }
};

} // namespace

TEST_F(GraphRunTest, StreamsOfAGpuOverlapAndTakeWhatTheySay)
{
    for (const std::string engine : {"frames", "flow"})
    {
        const Result result =
            RunDone(MakeGraph({"type: compute, name: a, time: 3us",
                               "type: compute, name: b, time: 4us, stream: x, after: [start]",
                               "type: compute, name: c, time: 2us, after: [a, b]"},
                              5),
                    {"engine=" + engine});
        EXPECT_EQ(result.iteration, 6 * kMicrosecond) << engine;
        EXPECT_EQ(result.cct, 30 * kMicrosecond) << engine;
        EXPECT_EQ(result.lowerBound, 30 * kMicrosecond) << engine;
        EXPECT_EQ(GetKind(result, "a").critical, 0) << engine;
        EXPECT_EQ(GetKind(result, "b").critical, 20 * kMicrosecond) << engine;
        EXPECT_EQ(GetKind(result, "c").critical, 10 * kMicrosecond) << engine;
        EXPECT_EQ(result.graph->computing, 8 * 30 * kMicrosecond) << engine;
        EXPECT_TRUE(result.messageRecords.empty()) << engine;
    }
}

TEST_F(GraphRunTest, ARingTakesAsLongAsTheWorkloadOfARing)
{
    for (const std::string type : {"all-reduce", "all-gather", "reduce-scatter"})
    {
        for (const std::string engine : {"frames", "flow"})
        {
            const Sets sets{"engine=" + engine};
            const Result graph = RunDone(MakeGraph({"bytes: 1000003B, type: " + type}), sets);
            const Result ring =
                Run(kGraphCluster + "workload: {type: ring, bytes: 1000003B, operation: " + type +
                        "}\n",
                    sets);
            EXPECT_EQ(GetEnds(graph), GetEnds(ring)) << type << " " << engine;
            EXPECT_EQ(graph.bytes, ring.bytes) << type << " " << engine;
            EXPECT_EQ(graph.matrixHash, ring.matrixHash) << type << " " << engine;
        }
    }
}

TEST_F(GraphRunTest, AnExchangeTakesAsLongAsTheWorkloadOfOne)
{
    const std::string matrix = "matrix: {type: zipf, bytes_per_gpu: 1MB}";
    for (const std::string engine : {"frames", "flow"})
    {
        const Sets sets{"engine=" + engine};
        const Result graph = RunDone(MakeGraph({"type: exchange, " + matrix}), sets);
        const Result phases =
            Run(kGraphCluster + "workload: {type: all-to-all, " + matrix + "}\n", sets);
        EXPECT_EQ(graph.matrixHash, phases.matrixHash) << engine;
        const std::vector<TimePs> ends = GetEnds(graph);
        const std::vector<TimePs> others = GetEnds(phases);
        ASSERT_EQ(ends.size(), others.size());
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            // Flows round anew when somebody asks for an end.
            EXPECT_NEAR(ends[i], others[i], engine == "frames" ? 0 : 100) << engine;
        }
    }
}

TEST_F(GraphRunTest, CommunicationHidesBehindComputing)
{
    const std::string send = "type: send, bytes: 1MB, wraps: true, distance: 2, after: [start]";
    for (const std::string engine : {"frames", "flow"})
    {
        const Sets sets{"engine=" + engine};
        const Result hidden = RunDone(MakeGraph({"type: compute, time: 1ms", send}), sets);
        EXPECT_EQ(hidden.iteration, 1000 * kMicrosecond);
        EXPECT_EQ(GetKind(hidden, "send").exposed, 0);
        EXPECT_EQ(GetKind(hidden, "send").bytes, 8'000'000U);
        const Result exposed = RunDone(MakeGraph({"type: compute, time: 1us", send}), sets);
        EXPECT_EQ(GetKind(exposed, "send").busy, GetKind(hidden, "send").busy);
        EXPECT_EQ(GetKind(exposed, "send").exposed,
                  GetKind(exposed, "send").busy - 8 * kMicrosecond);
    }
}

TEST_F(GraphRunTest, NobodyPassesABarrierBeforeTheLastHasComeToIt)
{
    // GPU 7 gets nothing, GPU 0 sends nothing: all come at different times.
    const Result result =
        RunDone(MakeGraph({"type: send, name: before, bytes: 1MB, distance: -1",
                           "type: barrier, delay: 2us",
                           "type: send, name: behind, bytes: 1KB, distance: 1, wraps: true"}));
    TimePs last = 0;
    std::vector<TimePs> starts;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.bytes == 1'000)
        {
            starts.push_back(message.start);
        }
        else
        {
            last = std::max(last, message.end);
        }
    }
    ASSERT_EQ(starts.size(), 8U);
    for (const TimePs start : starts)
    {
        EXPECT_EQ(start, starts.front());
        EXPECT_GE(start, last + 2 * kMicrosecond);
        EXPECT_LE(start, last + 5 * kMicrosecond); // with the last ACK
    }
}

TEST_F(GraphRunTest, AServerPlansAnExchangeWhenItsLastGpuHasComeToIt)
{
    // A ring over the servers makes GPUs come one after the other.
    const Result result = RunDone(MakeGraph(
        {"type: send, name: first, bytes: 1MB, distance: 1",
         "type: exchange, matrix: {type: uniform, bytes_per_pair: 1000B, intra: false}"}));
    std::map<uint32_t, TimePs> came; // by server: the last of its GPUs to get what it waits for
    std::map<uint32_t, std::vector<TimePs>> posted;
    for (const MessageRecord& message : result.messageRecords)
    {
        if (message.bytes < 10'000)
        {
            posted[message.source / 2].push_back(message.start);
        }
        else
        {
            TimePs& latest = came[message.destination / 2];
            latest = std::max(latest, message.end);
        }
    }
    for (const auto& [server, starts] : posted)
    {
        for (const TimePs start : starts)
        {
            EXPECT_EQ(start, starts.front()) << server;
            EXPECT_GE(start, came[server]) << server;
        }
    }
}

TEST_F(GraphRunTest, EndsDoNotDependOnHowFarServersRunBehind)
{
    for (uint32_t seed = 1; seed <= CountGraphs(); ++seed)
    {
        const std::string text = DrawGraph(seed);
        SCOPED_TRACE(text);
        const Result late = RunDone(text);
        const Result punctual = RunDone(text, {"record.punctual=true"});
        EXPECT_EQ(late.fingerprint, punctual.fingerprint);
        EXPECT_EQ(late.cct, punctual.cct);
        EXPECT_EQ(late.fingerprint, Run(text, {}, "ns3::MapScheduler").fingerprint);
    }
}

TEST_F(GraphRunTest, NoGraphIsBelowItsBoundAndItsCriticalPathAddsUp)
{
    for (uint32_t seed = 100; seed < 100 + CountGraphs(); ++seed)
    {
        const std::string text = DrawGraph(seed);
        for (const std::string engine : {"frames", "flow"})
        {
            SCOPED_TRACE(engine + "\n" + text);
            const Result result = RunDone(text, {"engine=" + engine});
            EXPECT_GE(result.cct, result.lowerBound);
            TimePs critical = 0;
            uint64_t bytes = 0;
            for (const KindRecord& kind : result.graph->kinds)
            {
                critical += kind.critical;
                bytes += kind.bytes;
                EXPECT_LE(kind.exposed, kind.busy);
            }
            EXPECT_EQ(critical, result.cct);
            EXPECT_EQ(bytes, result.bytes);
        }
    }
}

TEST_F(GraphRunTest, NobodyIsToldLateOfAMessageOnAQueuePairThatOthersPostTo)
{
    const Result result =
        RunDone(MakeGraph({"type: send, bytes: 1MB",
                           "type: all-reduce, bytes: 2MB, stream: other, after: [start]"},
                          2),
                {"engine=flow"});
    EXPECT_EQ(GetKind(result, "send").critical + GetKind(result, "all-reduce").critical,
              result.cct);
}

TEST_F(GraphRunTest, BytesArriveWhenANicFailsOnTheWay)
{
    const std::string text =
        MakeGraph({"type: all-reduce, bytes: 20MB, groups: {size: 4, layout: strided}",
                   "type: exchange, matrix: {type: uniform, bytes_per_pair: 1MB}, after: [start], "
                   "stream: other"}) +
        "failures: {convergence: 20us, schedule: [{at: 100us, nic: server1-nic0, state: down}]}\n";
    for (const std::string engine : {"frames", "flow"})
    {
        const Result result = RunDone(text, {"engine=" + engine});
        EXPECT_GT(result.abandonedMessages, 0U) << engine;
        TimePs critical = 0;
        for (const KindRecord& kind : result.graph->kinds)
        {
            critical += kind.critical;
        }
        EXPECT_EQ(critical, result.cct) << engine;
    }
}

TEST_F(GraphRunTest, MessagesThatNobodyReadsAreForgottenAndNothingElse)
{
    for (uint32_t seed = 200; seed < 210; ++seed)
    {
        const std::string text = DrawGraph(seed);
        SCOPED_TRACE(text);
        const Result kept = RunDone(text, {"engine=flow", "record.messages=true"});
        const Result forgotten = RunDone(text, {"engine=flow", "record.messages=false"});
        EXPECT_EQ(kept.fingerprint, forgotten.fingerprint);
        EXPECT_EQ(kept.slowestFlow, forgotten.slowestFlow);
        EXPECT_EQ(kept.messages, forgotten.messages);
        EXPECT_EQ(kept.events, forgotten.events);
        EXPECT_EQ(kept.cct, forgotten.cct);
        EXPECT_TRUE(forgotten.messageRecords.empty());
    }
}

TEST_F(GraphRunTest, SaysWhatIsWrongWithStages)
{
    const auto expect = [](const std::vector<std::string>& stages, const std::string& message) {
        EXPECT_NE(FindErrors(MakeGraph(stages)).find(message), std::string::npos)
            << FindErrors(MakeGraph(stages));
    };
    expect({"type: compute", "type: compute"}, "another stage is called 'compute', too");
    expect({"type: compute, name: start"}, "'start' stands for none");
    expect({"type: compute, after: [late]", "type: compute, name: late"},
           "no stage before this one is called 'late'; known: start");
    expect({"type: return, of: x"}, "no exchange before this stage is called 'x'");
    expect({"type: send, distance: 8, wraps: true"}, "leads from no GPU of the 8 to another one");
    expect({"type: barrier, delay: 1ns"}, "expected at least 500ns");
    expect({"type: all-reduce, bytes: 3B"}, "at least a byte for each");
    EXPECT_NE(FindErrors(MakeGraph({"type: all-reduce"}, 400'000'000)).find("at most 153391689"),
              std::string::npos);
    EXPECT_NE(FindErrors(MakeGraph({"type: compute, time: 1000s"}, 20'000)).find("46 days"),
              std::string::npos);
    EXPECT_NE(FindErrors(kGraphCluster + "workload: {type: graph, stages: []}\n"), "");
}

} // namespace ns3::rails
