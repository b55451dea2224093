// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-fixtures.h"

#include "ns3/rails-chrome-trace.h"
#include "ns3/rails-output-folder.h"
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

/// A timeline as a viewer reads it: takes it apart and finds what viewers do not draw.
class Timeline
{
  public:
    struct Slice
    {
        std::string process;
        std::string track;
        std::string name;
        std::string category;
        double begin; // us
        double end;   // us
        nlohmann::json arguments;
    };

    struct Instant
    {
        std::string track;
        std::string name;
        double at;
    };

    struct Value
    {
        double at;
        uint64_t bytes;
    };

    explicit Timeline(const std::string& text)
    {
        const nlohmann::json json = nlohmann::json::parse(text);
        EXPECT_EQ(json["displayTimeUnit"], "ns");
        for (const nlohmann::json& event : json["traceEvents"])
        {
            Read(event);
        }
        for (const auto& [tid, open] : m_open)
        {
            EXPECT_FALSE(open) << "a slice of " << m_threads[tid] << " has no end";
        }
        // Every process and every track has a name and a place, and is used.
        for (const uint32_t pid : m_pids)
        {
            EXPECT_EQ(m_processes.count(pid), 1U) << pid;
            EXPECT_EQ(m_sorted.count(pid), 1U) << pid;
        }
        for (const uint32_t tid : m_tids)
        {
            EXPECT_EQ(m_threads.count(tid), 1U) << tid;
            EXPECT_EQ(m_sorted.count(tid), 1U) << tid;
        }
        EXPECT_EQ(m_threads.size(), m_tids.size());
    }

    std::vector<Slice> GetSlices(const std::string& category) const
    {
        std::vector<Slice> slices;
        std::copy_if(m_slices.begin(),
                     m_slices.end(),
                     std::back_inserter(slices),
                     [&](const Slice& slice) { return slice.category == category; });
        return slices;
    }

    std::vector<Instant> instants;
    std::map<std::pair<std::string, std::string>, std::vector<Value>> counters;
    double first{0};
    double last{0};

  private:
    void Read(const nlohmann::json& event)
    {
        const std::string kind = event["ph"];
        const auto pid = event["pid"].get<uint32_t>();
        EXPECT_GT(pid, 0U);
        if (kind == "M")
        {
            ReadName(event, pid);
            return;
        }
        const auto at = event["ts"].get<double>();
        first = m_pids.empty() ? at : first;
        EXPECT_GE(at, last) << "not in the order of time: " << event;
        last = at;
        m_pids.insert(pid);
        if (kind == "C")
        {
            EXPECT_FALSE(event.contains("tid"));
            const std::string name = event["name"];
            counters[{m_processes[pid], name}].push_back({at, event["args"]["bytes"]});
            return;
        }
        const auto tid = event["tid"].get<uint32_t>();
        EXPECT_GT(tid, 0U);
        m_tids.insert(tid);
        // Viewers know threads by their number alone.
        EXPECT_EQ(m_processOf.try_emplace(tid, pid).first->second, pid);
        if (kind == "i")
        {
            EXPECT_EQ(event["s"], "t");
            instants.push_back({m_threads[tid], event["name"], at});
            return;
        }
        std::optional<Slice>& open = m_open[tid];
        if (kind == "B")
        {
            EXPECT_FALSE(open) << "slices of " << m_threads[tid] << " overlap";
            open = Slice{m_processes[pid],
                         m_threads[tid],
                         event["name"],
                         event["cat"],
                         at,
                         0,
                         event.value("args", nlohmann::json::object())};
            return;
        }
        ASSERT_EQ(kind, "E");
        ASSERT_TRUE(open) << "an end without a beginning: " << event;
        open->end = at;
        m_slices.push_back(*open);
        open.reset();
    }

    void ReadName(const nlohmann::json& event, uint32_t pid)
    {
        const std::string name = event["name"];
        const auto tid = event["tid"].get<uint32_t>();
        const nlohmann::json& arguments = event["args"];
        if (name == "process_name")
        {
            m_processes[pid] = arguments["name"];
        }
        else if (name == "thread_name")
        {
            m_threads[tid] = arguments["name"];
            EXPECT_TRUE(m_tracks.emplace(pid, arguments["name"]).second)
                << "two tracks of a process have the same name";
        }
        else
        {
            EXPECT_TRUE(name == "process_sort_index" || name == "thread_sort_index");
            EXPECT_TRUE(m_orders.insert(arguments["sort_index"].get<uint32_t>()).second);
            m_sorted.insert(name == "process_sort_index" ? pid : tid);
        }
    }

    std::map<uint32_t, std::string> m_processes;
    std::map<uint32_t, std::string> m_threads;
    std::map<uint32_t, uint32_t> m_processOf;
    std::set<std::pair<uint32_t, std::string>> m_tracks;
    std::set<uint32_t> m_orders;
    std::set<uint32_t> m_sorted;
    std::set<uint32_t> m_pids;
    std::set<uint32_t> m_tids;
    std::map<uint32_t, std::optional<Slice>> m_open;
    std::vector<Slice> m_slices;
};

double
Sum(const std::vector<Timeline::Slice>& slices)
{
    double sum = 0;
    for (const Timeline::Slice& slice : slices)
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
  protected:
    static Timeline Read(const Result& result)
    {
        std::ostringstream text;
        result.timeline->Write(text);
        return Timeline(text.str());
    }
};

TEST_F(TimelineTest, MessagesAreThoseOfTheResult)
{
    const Result result = Run(kIncast);
    ASSERT_EQ(result.status, RunStatus::Done);
    const Timeline timeline = Read(result);
    EXPECT_GE(timeline.first, 0);
    EXPECT_LE(timeline.last, InMicroseconds(result.simulated));

    const std::vector<Timeline::Slice> slices = timeline.GetSlices("message");
    ASSERT_EQ(slices.size(), result.messageRecords.size());
    std::set<uint32_t> seen;
    uint64_t between = 0;
    for (const Timeline::Slice& slice : slices)
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
        EXPECT_EQ(slice.arguments["phase"], message.phase);
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
    const std::vector<Timeline::Slice> slices = Read(result).GetSlices("phase");
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
    const std::vector<Timeline::Slice> slices = Read(result).GetSlices("pause");
    EXPECT_EQ(slices.size(), result.frameCounters->pfcPauses);
    EXPECT_NEAR(Sum(slices), InMicroseconds(result.frameCounters->pfcPaused), 1e-6);
    std::map<std::string, double> byTrack;
    for (const Timeline::Slice& slice : slices)
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
        for (const auto& [name, values] : Read(result).counters)
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
    for (const auto& [name, values] : Read(result).counters)
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
        for (const auto& [name, values] : Read(result).counters)
        {
            for (const Timeline::Value& value : values)
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
    const Result result =
        Run(kIncast,
            {"record.timeline_resolution=automatic",
             "workload.matrix.bytes_per_gpu=" + std::string(kSanitized ? "20MB" : "40MB")});
    std::size_t most = 0;
    for (const auto& [name, values] : Read(result).counters)
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
    const Timeline timeline = Read(result);
    ASSERT_EQ(timeline.instants.size(), 2U);
    EXPECT_EQ(timeline.instants[0].track, "failures");
    EXPECT_EQ(timeline.instants[0].name, "nic server1-nic0: down");
    EXPECT_EQ(timeline.instants[0].at, 10);
    EXPECT_EQ(timeline.instants[1].name, "routing converged");
    EXPECT_EQ(timeline.instants[1].at, 30);
    uint64_t givenUp = 0;
    for (const Timeline::Slice& slice : timeline.GetSlices("message"))
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
    const Timeline timeline = Read(result);
    uint64_t stuck = 0;
    for (const Timeline::Slice& slice : timeline.GetSlices("message"))
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
    const Timeline timeline(ReadFile(path / "timeline.json"));
    const nlohmann::json result = ReadResultJson(path);
    EXPECT_NEAR(Sum(timeline.GetSlices("pause")) * 1e-6, result["pfc_paused_s"], 1e-12);
    EXPECT_FALSE(timeline.GetSlices("message").empty());
    // A later run replaces it like the rest of a result.
    EXPECT_EQ(write({"record.timeline=false"}), tables);
}

} // namespace ns3::rails
