// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"
#include "timeline-fixture.h"

#include "ns3/rails-chrome-trace.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-result-reader.h"
#include "ns3/rails-result-writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

// An incast in both rails, with pauses, and traffic inside servers.
const std::string kIncast =
    "topology: {type: rail, domains: 4, gpus_per_domain: 2, spines: 1}\n"
    "switch: {buffer: 400KiB, ecn: {kmin: 20KB, kmax: 80KB, pmax: 0.5}}\n"
    "workload:\n"
    "  type: all-to-all\n"
    "  matrix: {type: zipf, exponent: 1.5, bytes_per_gpu: 400KB, intra: true}\n"
    "  phases: [dispatch, {compute: 3us}, combine]\n"
    "balance: {type: rails, chunk: 50KB}\n"
    "record: {timeline: true, timeline_resolution: 1us}\n";

double
Sum(const std::vector<ViewedTimeline::Slice>& slices)
{
    double sum = 0;
    for (const ViewedTimeline::Slice& slice : slices)
    {
        sum += slice.end - slice.begin;
    }
    return sum;
}

double
InMicroseconds(TimePs time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace

class TimelineTest : public RunTest
{
};

TEST_F(TimelineTest, MessagesAreThoseOfTheResult)
{
    const Result result = Run(kIncast);
    ASSERT_EQ(result.status, RunStatus::Done);
    const ViewedTimeline timeline = ReadTimeline(result);
    EXPECT_GE(timeline.first, 0);
    EXPECT_LE(timeline.last, InMicroseconds(result.simulated));

    const std::vector<ViewedTimeline::Slice> slices = timeline.GetSlices("message");
    ASSERT_EQ(slices.size(), result.messageRecords.size());
    std::set<uint32_t> seen;
    uint64_t between = 0;
    for (const ViewedTimeline::Slice& slice : slices)
    {
        const auto id = slice.arguments["id"].get<uint32_t>();
        EXPECT_TRUE(seen.insert(id).second);
        const MessageRecord& message = result.messageRecords[id];
        EXPECT_EQ(slice.name,
                  "gpu" + std::to_string(message.source) + " to gpu" +
                      std::to_string(message.destination));
        EXPECT_EQ(slice.process, "server" + std::to_string(message.source / 2));
        const std::string track = message.rail == kNoRail
                                      ? "gpu" + std::to_string(message.source) + " NVLink"
                                      : "nic" + std::to_string(message.rail);
        EXPECT_EQ(slice.track.substr(0, track.size()), track);
        EXPECT_EQ(slice.arguments["bytes"], message.bytes);
        EXPECT_EQ(slice.arguments["phase"], message.kind);
        EXPECT_EQ(slice.arguments["posted_us"], InMicroseconds(message.start));
        EXPECT_EQ(slice.end, InMicroseconds(message.end));
        EXPECT_GE(slice.begin, InMicroseconds(message.start));
        EXPECT_FALSE(slice.arguments.contains("state"));
        between += message.rail == kNoRail ? 0 : 1;
    }
    EXPECT_EQ(between, result.messages);
    EXPECT_LT(between, slices.size()) << "there is traffic inside servers";
}

TEST_F(TimelineTest, PhasesAreThoseOfTheResult)
{
    const Result result = Run(kIncast);
    const std::vector<ViewedTimeline::Slice> slices = ReadTimeline(result).GetSlices("phase");
    ASSERT_EQ(slices.size(), result.phases.size());
    for (std::size_t i = 0; i < slices.size(); ++i)
    {
        EXPECT_EQ(slices[i].track, "phases");
        EXPECT_EQ(slices[i].name, result.phases[i].name);
        EXPECT_EQ(slices[i].begin, InMicroseconds(result.phases[i].start));
        EXPECT_EQ(slices[i].end, InMicroseconds(result.phases[i].end));
    }
}

TEST_F(TimelineTest, PausesAddUpToThePausedTime)
{
    const Result result = Run(kIncast);
    ASSERT_GT(result.frameCounters->pfcPauses, 10U);
    const std::vector<ViewedTimeline::Slice> slices = ReadTimeline(result).GetSlices("pause");
    EXPECT_EQ(slices.size(), result.frameCounters->pfcPauses);
    EXPECT_NEAR(Sum(slices), InMicroseconds(result.frameCounters->pfcPaused), 1e-6);
    std::map<std::string, double> byTrack;
    for (const ViewedTimeline::Slice& slice : slices)
    {
        byTrack[slice.process + " " + slice.track] += slice.end - slice.begin;
    }
    double nicPaused = 0;
    for (const PortRecord& port : result.portRecords)
    {
        if (port.portClass == "nic_tx" && port.frames->pausedPs > 0)
        {
            const std::string track = "server" + std::to_string(port.node) + " nic" +
                                      std::to_string(port.port) + " data paused";
            EXPECT_NEAR(byTrack[track], InMicroseconds(port.frames->pausedPs), 1e-6) << track;
            nicPaused += InMicroseconds(port.frames->pausedPs);
        }
    }
    EXPECT_GT(nicPaused, 0);
}

TEST_F(TimelineTest, CountersHaveTheLongestQueueOfEveryPort)
{
    for (const std::string resolution : {"0s", "100ns", "1us", "1s", "automatic"})
    {
        const Result result = Run(kIncast, {"record.timeline_resolution=" + resolution});
        std::multiset<uint64_t> expected;
        for (const PortRecord& port : result.portRecords)
        {
            if (port.portClass != "nic_tx" && port.frames->queueMaxBytes > 0)
            {
                expected.insert(port.frames->queueMaxBytes);
            }
        }
        ASSERT_LT(expected.size() + 8, result.portRecords.size()) << "no port is idle";
        std::multiset<uint64_t> found;
        for (const auto& [name, values] : ReadTimeline(result).counters)
        {
            const auto longest = std::max_element(
                values.begin(),
                values.end(),
                [](const auto& left, const auto& right) { return left.bytes < right.bytes; });
            found.insert(longest->bytes);
        }
        EXPECT_EQ(found, expected) << resolution;
        EXPECT_EQ(*found.rbegin(), result.frameCounters->queueMaxBytes);
    }
}

TEST_F(TimelineTest, CountersTellTheTimeOfEveryChange)
{
    // Nodes run behind the simulator: what queues were how long is known from elsewhere too.
    const Result result = Run(kIncast, {"record.timeline_resolution=0s"});
    const auto isLong = [](uint64_t bytes) { return bytes >= 8192; };
    double expected = 0;
    for (const QueueBin& bin : *result.queueBins)
    {
        expected += bin.portClass != "nic_tx" && isLong(bin.bytesLow) ? bin.seconds * 1e6 : 0;
    }
    ASSERT_GT(expected, 1);
    double found = 0;
    for (const auto& [name, values] : ReadTimeline(result).counters)
    {
        for (std::size_t i = 0; i + 1 < values.size(); ++i)
        {
            found += isLong(values[i].bytes) ? values[i + 1].at - values[i].at : 0;
        }
        EXPECT_EQ(values.back().bytes, 0U) << name.second;
    }
    EXPECT_NEAR(found, expected, expected * 1e-5);
}

TEST_F(TimelineTest, CountersAreNoFinerThanTheResolution)
{
    std::size_t before = 0;
    for (const int microseconds : {10, 1})
    {
        const std::string resolution = std::to_string(microseconds) + "us";
        const Result result = Run(kIncast, {"record.timeline_resolution=" + resolution});
        std::size_t count = 0;
        for (const auto& [name, values] : ReadTimeline(result).counters)
        {
            for (const ViewedTimeline::Value& value : values)
            {
                EXPECT_EQ(std::fmod(value.at, microseconds), 0) << name.second;
            }
            count += values.size();
        }
        EXPECT_GT(count, before);
        before = count;
    }
}

TEST_F(TimelineTest, AutomaticResolutionLimitsTheValuesOfACounter)
{
    const Result result = Run(
        kIncast,
        {"record.timeline_resolution=automatic",
         "workload.matrix.bytes_per_gpu=" + std::string(test::IsSanitized() ? "20MB" : "40MB")});
    std::size_t most = 0;
    for (const auto& [name, values] : ReadTimeline(result).counters)
    {
        most = std::max(most, values.size());
    }
    EXPECT_GT(most, 256U);
    EXPECT_LE(most, 1026U);
}

TEST_F(TimelineTest, FailuresAreInstantsAndWhatIsGivenUpEndsThen)
{
    const Result result =
        Run("topology: {type: rail, domains: 4, gpus_per_domain: 3}\n"
            "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 300KB}}\n"
            "transport: {congestion_control: none, loss_recovery: {type: go-back-n, timeout: "
            "50us}}\n"
            "balance: {type: rails, chunk: 100KB}\n"
            "watchdog: {no_progress_after: 1ms}\n"
            "record: {timeline: true}\n"
            "failures: {convergence: 20us, schedule: [{at: 10us, nic: server1-nic0, state: "
            "down}]}\n");
    ASSERT_EQ(result.status, RunStatus::Done) << result.report;
    ASSERT_GT(result.abandonedMessages, 0U);
    const ViewedTimeline timeline = ReadTimeline(result);
    ASSERT_EQ(timeline.instants.size(), 2U);
    EXPECT_EQ(timeline.instants[0].track, "failures");
    EXPECT_EQ(timeline.instants[0].name, "nic server1-nic0: down");
    EXPECT_EQ(timeline.instants[0].at, 10);
    EXPECT_EQ(timeline.instants[1].name, "routing converged");
    EXPECT_EQ(timeline.instants[1].at, 30);
    uint64_t givenUp = 0;
    for (const ViewedTimeline::Slice& slice : timeline.GetSlices("message"))
    {
        if (slice.arguments.contains("state"))
        {
            EXPECT_EQ(slice.arguments["state"], "given up");
            EXPECT_EQ(slice.end, 30) << slice.name;
            EXPECT_LT(slice.begin, 30) << slice.name;
            ++givenUp;
        }
    }
    EXPECT_GT(givenUp, 0U);
    EXPECT_LE(givenUp, result.abandonedMessages) << "some had not begun";
}

TEST_F(TimelineTest, WhatIsNotDeliveredGoesOnToTheEnd)
{
    const Result result = Run(kIncast,
                              {"watchdog.no_progress_after=20us",
                               "transport.loss_recovery.timeout=10us",
                               "failures={convergence: never, schedule: [{at: 5us, nic: "
                               "server0-nic0, state: down}]}"});
    ASSERT_EQ(result.status, RunStatus::NotFinished);
    const ViewedTimeline timeline = ReadTimeline(result);
    uint64_t stuck = 0;
    for (const ViewedTimeline::Slice& slice : timeline.GetSlices("message"))
    {
        if (slice.arguments.value("state", "") == "not delivered")
        {
            EXPECT_EQ(slice.end, InMicroseconds(result.simulated));
            ++stuck;
        }
    }
    EXPECT_GT(stuck, 0U);
    ASSERT_EQ(timeline.GetSlices("phase").size(), 1U);
    EXPECT_EQ(timeline.GetSlices("phase").front().end, InMicroseconds(result.simulated));
    EXPECT_NEAR(Sum(timeline.GetSlices("pause")),
                InMicroseconds(result.frameCounters->pfcPaused),
                1e-6);
}

TEST_F(TimelineTest, RecordingChangesNothing)
{
    const Result with = Run(kIncast);
    const Result without = Run(kIncast, {"record.timeline=false"});
    EXPECT_EQ(GetFingerprint(with), GetFingerprint(without));
    EXPECT_EQ(with.events, without.events);
    EXPECT_EQ(without.timeline, nullptr);
}

TEST_F(TimelineTest, IsAFileOfTheResultOnlyWhenItIsWanted)
{
    const TemporaryFolder temporary;
    const std::filesystem::path path = temporary.GetPath() / "result";
    const auto write = [&](const Sets& sets) {
        OutputFolder folder(path.string(), true);
        WriteResult(Run(kIncast, sets), folder.GetWorkFolder());
        folder.Commit();
        return ListFolder(path);
    };
    const std::vector<std::string> tables{"links.csv", "messages.csv", "queues.csv", "result.json"};
    std::vector<std::string> all = tables;
    all.emplace_back("timeline.json");
    EXPECT_EQ(write({}), all);
    const ViewedTimeline timeline(ReadFile(path / "timeline.json"));
    const nlohmann::json result = ReadResultJson(path);
    EXPECT_NEAR(Sum(timeline.GetSlices("pause")) * 1e-6, result["pfc_paused_s"], 1e-12);
    EXPECT_FALSE(timeline.GetSlices("message").empty());
    // A later run replaces it like the rest of a result.
    EXPECT_EQ(write({"record.timeline=false"}), tables);
}

} // namespace ns3::rails
