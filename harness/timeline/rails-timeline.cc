// SPDX-License-Identifier: GPL-2.0-only
#include "rails-timeline.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

using nlohmann::ordered_json;

double
ToMicroseconds(TimePs time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace

TimelineRecorder::TimelineRecorder(const Wiring& wiring)
    : m_wiring(wiring)
{
}

TimelineRecorder::~TimelineRecorder() = default;

void
TimelineRecorder::NoteAbandoned(const GraphRunner& runner)
{
    for (const Message& message : runner.GetMessages().GetAll())
    {
        if (message.isAbandoned)
        {
            m_abandoned.try_emplace(&message, NowPs());
        }
    }
}

ChromeTrace
TimelineRecorder::Collect(const GraphRunner& runner, const Failures& failures) const
{
    ChromeTrace trace;
    const ChromeTrace::Id run = trace.AddProcess("run");
    AddPhases(runner, trace, run);
    AddFailures(failures, trace, run);
    AddServers(runner, trace);
    AddSwitches(trace);
    trace.SortByTime();
    return trace;
}

void
TimelineRecorder::AddPhases(const GraphRunner& runner, ChromeTrace& trace, ChromeTrace::Id run)
{
    const ChromeTrace::Id track = trace.AddTrack(run, "phases");
    for (const PhaseRecord& phase : runner.GetPhases())
    {
        if (phase.start != kNever)
        {
            trace.AddSlice(track,
                           phase.start,
                           std::min(phase.end, NowPs()),
                           trace.AddLabel(phase.name, "phase", {{"iteration", phase.iteration}}));
        }
    }
}

void
TimelineRecorder::AddFailures(const Failures& failures, ChromeTrace& trace, ChromeTrace::Id run)
{
    if (failures.GetEvents().empty())
    {
        return;
    }
    const ChromeTrace::Id track = trace.AddTrack(run, "failures");
    for (const Failures::Event& event : failures.GetEvents())
    {
        trace.AddInstant(
            track,
            event.at,
            trace.AddLabel(event.what + ": " + event.state, "failure", {{"cables", event.cables}}));
    }
    const ChromeTrace::Id converged = trace.AddLabel("routing converged", "failure");
    for (const TimePs at : failures.GetConvergences())
    {
        trace.AddInstant(track, at, converged);
    }
}

TimelineRecorder::Journey
TimelineRecorder::MakeJourney(const Message& message) const
{
    // What stays inside its server has no first frame.
    const TimePs begin = message.txRail == kNoRail ? message.start : message.sent;
    const auto abandoned = m_abandoned.find(&message);
    const TimePs end = message.end != kNever            ? message.end
                       : abandoned != m_abandoned.end() ? abandoned->second
                                                        : NowPs();
    return {&message, begin, end};
}

ChromeTrace::Id
TimelineRecorder::LabelMessage(const Message& message, ChromeTrace& trace)
{
    ordered_json arguments{{"id", message.id},
                           {"bytes", message.bytes},
                           {"phase", message.kind},
                           {"posted_us", ToMicroseconds(message.start)}};
    if (message.rxRail != kNoRail)
    {
        arguments["to_nic"] = message.rxRail;
    }
    if (message.acknowledged != kNever)
    {
        arguments["acknowledged_us"] = ToMicroseconds(message.acknowledged);
    }
    if (message.end == kNever)
    {
        arguments["state"] = message.isAbandoned ? "given up" : "not delivered";
    }
    return trace.AddLabel("gpu" + std::to_string(message.source) + " to gpu" +
                              std::to_string(message.destination),
                          "message",
                          arguments);
}

// Slices of a track must not overlap, so of concurrent messages each takes the first free track.
void
TimelineRecorder::AddJourneys(Journeys journeys,
                              ChromeTrace& trace,
                              ChromeTrace::Id process,
                              const std::string& name)
{
    std::sort(journeys.begin(), journeys.end(), [](const Journey& left, const Journey& right) {
        return std::tie(left.begin, left.message->id) < std::tie(right.begin, right.message->id);
    });

    struct Lane
    {
        ChromeTrace::Id track;
        TimePs freeAt;
    };

    std::vector<Lane> lanes;
    for (const Journey& journey : journeys)
    {
        auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& other) {
            return other.freeAt <= journey.begin;
        });
        if (lane == lanes.end())
        {
            const std::string number =
                lanes.empty() ? "" : " (" + std::to_string(lanes.size() + 1) + ")";
            lanes.push_back({trace.AddTrack(process, name + number), 0});
            lane = lanes.end() - 1;
        }
        lane->freeAt = journey.end;
        trace.AddSlice(lane->track,
                       journey.begin,
                       journey.end,
                       LabelMessage(*journey.message, trace));
    }
}

void
TimelineRecorder::AddServers(const GraphRunner& runner, ChromeTrace& trace) const
{
    const ClusterShape& shape = m_wiring.GetShape();
    std::vector<Journeys> byNic(shape.GetNics());
    std::vector<Journeys> byGpu(shape.GetGpus());
    for (const Message& message : runner.GetMessages().GetAll())
    {
        const Journey journey = MakeJourney(message);
        if (journey.begin != kNever)
        {
            Journeys& journeys =
                message.txRail == kNoRail
                    ? byGpu[message.source]
                    : byNic[shape.GetNic(shape.GetServer(message.source), message.txRail)];
            journeys.push_back(journey);
        }
    }
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        const ChromeTrace::Id process = trace.AddProcess("server" + std::to_string(server));
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            const uint32_t nic = shape.GetNic(server, rail);
            const std::string name = "nic" + std::to_string(rail);
            AddJourneys(std::move(byNic[nic]), trace, process, name);
            AddToNic(trace, process, nic, name);
        }
        const uint32_t gpus = shape.gpusPerServer;
        for (uint32_t gpu = server * gpus; gpu < (server + 1) * gpus; ++gpu)
        {
            AddJourneys(std::move(byGpu[gpu]),
                        trace,
                        process,
                        "gpu" + std::to_string(gpu) + " NVLink");
        }
    }
}

void
TimelineRecorder::AddToNic(ChromeTrace&, ChromeTrace::Id, uint32_t, const std::string&) const
{
}

void
TimelineRecorder::AddSwitches(ChromeTrace&) const
{
}

void
AddCircuitTracks(const std::vector<CircuitRecord>& circuits, ChromeTrace& trace)
{
    std::map<uint32_t, std::map<TimePs, TimePs>> dark; // by region: ends of pauses by starts
    std::map<uint32_t, std::pair<TimePs, TimePs>> lit; // first start and last end
    for (const CircuitRecord& circuit : circuits)
    {
        const auto [at, isFirst] = lit.try_emplace(circuit.region, circuit.start, circuit.end);
        at->second.second = std::max(at->second.second, circuit.end);
        if (circuit.dark > 0)
        {
            TimePs& end = dark[circuit.region][circuit.start - circuit.dark];
            end = std::max(end, circuit.start);
        }
    }
    const ChromeTrace::Id process = trace.AddProcess("optical switches");
    const ChromeTrace::Id live = trace.AddLabel("circuits", "circuits");
    const ChromeTrace::Id moving = trace.AddLabel("dark", "circuits");
    for (const auto& [region, time] : lit)
    {
        const ChromeTrace::Id track = trace.AddTrack(process, "region " + std::to_string(region));
        TimePs now = time.first;
        for (const auto& [start, end] : dark[region])
        {
            if (start > now)
            {
                trace.AddSlice(track, now, start, live);
            }
            if (end > std::max(now, start))
            {
                trace.AddSlice(track, std::max(now, start), end, moving);
            }
            now = std::max(now, end);
        }
        if (time.second > now)
        {
            trace.AddSlice(track, now, time.second, live);
        }
    }
    trace.SortByTime();
}

} // namespace ns3::rails
