// SPDX-License-Identifier: GPL-2.0-only
#include "rails-result-writer.h"

#include "output-file.h"
#include "rails-chrome-trace.h"

#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using nlohmann::ordered_json;

double
ToSeconds(TimePs time)
{
    // The division is rounded once, so the shortest text of the number is the exact time.
    return static_cast<double>(time) / kPicosecondsPerSecond;
}

/// \return null for kNever
ordered_json
MakeMoment(TimePs time)
{
    return time == kNever ? ordered_json() : ordered_json(ToSeconds(time));
}

ordered_json
MakePhases(const Result& result)
{
    ordered_json phases = ordered_json::array();
    for (const PhaseRecord& phase : result.phases)
    {
        ordered_json json;
        json["name"] = phase.name;
        json["iteration"] = phase.iteration;
        json["start_s"] = MakeMoment(phase.start);
        json["end_s"] = MakeMoment(phase.end);
        phases.push_back(std::move(json));
    }
    return phases;
}

void
AddIdentity(const Result& result, ordered_json& json)
{
    json["name"] = result.name;
    json["status"] = static_cast<int>(result.status);
    if (!result.report.empty())
    {
        json["report"] = result.report;
    }
    if (!result.notes.empty())
    {
        json["notes"] = result.notes;
    }
    json["seed"] = result.seed;
    WriteNames(result.axes, result.labels, json);
    json["version"] = MakeVersionJson(result.version);
    json["engine"] = result.engine;
    if (!result.key.empty())
    {
        json["key"] = result.key;
    }
    json["config"] = result.resolvedConfig.empty() ? ordered_json::object()
                                                   : ordered_json::parse(result.resolvedConfig);
    if (!result.expertStudy)
    {
        json["matrix_hash"] = result.matrixHash;
    }
    json["fingerprint"] = result.fingerprint;
}

/// Adds the resources used by the run.
void
AddCosts(const Result& result, ordered_json& json)
{
    json["wall_s"] = result.wallSeconds;
    json["peak_rss_bytes"] = result.peakRssBytes;
}

/// Adds the times of a graph: of an iteration, and the mean over GPUs.
ordered_json
MakeGraph(const GraphRecord& graph)
{
    const double often = graph.iterations;
    const auto mean = [&](double time) { return time * 1e-12 / (often * graph.gpus); };
    ordered_json json;
    json["iterations"] = graph.iterations;
    json["nodes"] = graph.nodes;
    json["compute_s"] = mean(graph.computing);
    json["kinds"] = ordered_json::array();
    for (const KindRecord& kind : graph.kinds)
    {
        if (kind.nodes == 0)
        {
            continue;
        }
        ordered_json one;
        one["name"] = kind.name;
        one["type"] = kind.isCompute ? "compute" : kind.isOnHost ? "planning" : "communication";
        one["bytes"] = kind.bytes;
        one["busy_s"] = mean(kind.busy);
        one["exposed_s"] = kind.isCompute ? ordered_json() : ordered_json(mean(kind.exposed));
        one["hidden_s"] =
            kind.isCompute ? ordered_json() : ordered_json(mean(kind.busy - kind.exposed));
        one["critical_s"] = ToSeconds(kind.critical) / often;
        json["kinds"].push_back(std::move(one));
    }
    for (const CollectiveRecord& record : graph.collectives)
    {
        json["collectives"].push_back({{"kind", graph.kinds[record.kind].name},
                                       {"algorithm", record.algorithm},
                                       {"rings", record.rings}});
    }
    return json;
}

/// Adds the outcome of each job.
ordered_json
MakeJobs(const std::vector<JobRecord>& jobs)
{
    ordered_json json = ordered_json::array();
    for (const JobRecord& job : jobs)
    {
        ordered_json one;
        one["name"] = job.name;
        one["servers"] = job.servers;
        one["start_s"] = ToSeconds(job.start);
        one["end_s"] = ToSeconds(job.end);
        one["iterations"] = job.iterations;
        one["iteration_s"] = ToSeconds(job.end - job.start) / job.iterations;
        for (const auto& [key, value] : job.figures)
        {
            one[key] = value;
        }
        json.push_back(std::move(one));
    }
    return json;
}

/// Adds the figures of a study of an expert placement policy, which has no times.
void
AddExpertStudy(const Result& result, ordered_json& json)
{
    json["cct_s"] = nullptr;
    json["oracle"] = result.expertStudy->isOracle;
    json["tokens"] = result.expertStudy->tokens;
    for (const auto& [key, value] : result.expertStudy->figures)
    {
        json[key] = result.status == RunStatus::Done ? ordered_json(value) : ordered_json();
    }
    json["planning_measured_s"] = result.expertStudy->measuredSeconds;
    const std::optional<double>& each = result.expertStudy->planningEach;
    json["planning_each_s"] = each ? ordered_json(*each) : ordered_json();
    json["planning_measured_on"] = result.expertStudy->measuredOn;
    json["planning_policy"] = result.expertStudy->policy;
    json["planning_experts"] = result.expertStudy->experts;
    json["planning_gpus"] = result.expertStudy->plannedGpus;
    AddCosts(result, json);
}

void
AddTimes(const Result& result, ordered_json& json)
{
    const auto setMetric = [&](const char* key, std::optional<double> value) {
        // Of a run that did not end well, it would not mean the same.
        const bool isKnown = value && result.status == RunStatus::Done;
        json[key] = isKnown ? ordered_json(*value) : ordered_json();
    };
    setMetric("cct_s", ToSeconds(result.cct));
    setMetric("cct_sender_s", ToSeconds(result.cctSender));
    json["phases"] = MakePhases(result);
    if (result.iteration > 0)
    {
        setMetric("iteration_s", ToSeconds(result.iteration));
    }
    for (const auto& [key, value] : result.graphFigures)
    {
        setMetric(key.c_str(), value);
    }
    if (result.graph)
    {
        json["graph"] = MakeGraph(*result.graph);
        if (!result.jobs.empty())
        {
            json["graph"]["jobs"] = MakeJobs(result.jobs);
        }
    }
    if (result.symmetry)
    {
        ordered_json& symmetry = json["symmetry"];
        symmetry["mode"] = result.symmetry->mode;
        if (result.symmetry->reason.empty())
        {
            symmetry["replicas"] = result.symmetry->replicas;
            symmetry["computed"] = result.symmetry->computed;
        }
        else
        {
            symmetry["reason"] = result.symmetry->reason;
        }
    }
    if (result.shift)
    {
        json["shift"] = {{"part", result.shift->part}, {"time_s", ToSeconds(result.shift->time)}};
    }
    if (result.forward)
    {
        json["fast_forward"] = {{"microbatches", result.forward->units},
                                {"microbatches_run", result.forward->unitsRun},
                                {"cycle", result.forward->cycle},
                                {"period_s", result.forward->period * 1e-12},
                                {"deviation", result.forward->deviation}};
    }
    json["lower_bound_s"] = ToSeconds(result.lowerBound);
    json["lower_bound_acks_s"] = ToSeconds(result.lowerBoundAcks);
    json["lower_bound_sender_s"] = ToSeconds(result.lowerBoundSender);
    json["lower_bound_parts"] = ordered_json::object();
    for (const auto& [name, time] : result.lowerBoundParts)
    {
        json["lower_bound_parts"][name + "_s"] = ToSeconds(time);
    }
    json["lower_bound_parts"]["binding"] = result.lowerBoundBinding;
    setMetric("cct_over_bound", result.GetCctOverBound());
    if (result.lowerBound == 0)
    {
        json["cct_over_bound"] = nullptr; // nothing was to be moved
    }
    setMetric("slowest_flow_s", ToSeconds(result.slowestFlow));
    json["published_bound_s"] =
        result.publishedBound ? ordered_json(ToSeconds(*result.publishedBound)) : ordered_json();
    const std::optional<double> increase = result.GetCctIncrease();
    json["cct_increase"] = increase ? ordered_json(*increase) : ordered_json();
    json["rho_max"] = result.rhoMax ? ordered_json(*result.rhoMax) : ordered_json();
    setMetric("algbw_Bps", result.algorithmBandwidth);
    setMetric("busbw_Bps", result.busBandwidth);
}

ordered_json
MakeShares(const std::optional<Explanation::Shares>& shares)
{
    if (!shares)
    {
        return {};
    }
    TimePs sum = 0;
    for (const std::optional<TimePs>& time : shares->times)
    {
        sum += time.value_or(0);
    }
    ordered_json json;
    json["name"] = shares->name;
    for (std::size_t state = 0; state < kPortStates; ++state)
    {
        const std::optional<TimePs>& time = shares->times[state];
        json[kPortStateNames[state]] =
            time ? ordered_json(static_cast<double>(*time) / static_cast<double>(sum))
                 : ordered_json();
    }
    return json;
}

/// Adds the factors and the times of a chain.
void
AddChain(const Explanation::Times& times, ordered_json& json)
{
    json["factors"] = ordered_json::object();
    for (std::size_t factor = 0; factor < Explanation::kFactors.size(); ++factor)
    {
        const std::optional<double> value = Explanation::GetFactor(times, factor);
        json["factors"][Explanation::kFactors[factor]] =
            value ? ordered_json(*value) : ordered_json();
    }
    json["times_s"] = ordered_json::object();
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        json["times_s"]["t" + std::to_string(i)] =
            times[i] ? ordered_json(ToSeconds(*times[i])) : ordered_json();
    }
}

void
AddExplanation(const Result& result, ordered_json& json)
{
    json["explain"] = nullptr;
    if (!result.explanation || result.status != RunStatus::Done)
    {
        return;
    }
    const Explanation& explanation = *result.explanation;
    ordered_json& explain = json["explain"];
    AddChain(explanation.times, explain);
    explain["nic"] = MakeShares(explanation.nic);
    explain["cable"] = MakeShares(explanation.cable);
    explain["sentence"] =
        explanation.sentence.empty() ? ordered_json() : ordered_json(explanation.sentence);
    if (!explanation.kinds)
    {
        return;
    }
    explain["kinds"] = ordered_json::array();
    for (const Explanation::Kind& kind : *explanation.kinds)
    {
        ordered_json entry;
        entry["name"] = kind.name;
        entry["transfers"] = kind.transfers;
        AddChain(kind.times, entry);
        explain["kinds"].push_back(std::move(entry));
    }
}

void
AddOptical(const Result& result, ordered_json& json)
{
    for (const auto& [key, value] : result.optical)
    {
        json["optical"][key] = value;
    }
    for (const auto& [key, word] : result.opticalRules)
    {
        json["optical"][key] = word;
    }
}

void
AddFailures(const Result& result, ordered_json& json)
{
    if (result.failures.empty())
    {
        return;
    }
    ordered_json& failures = json["failures"];
    failures["cables"] = result.failedCables;
    failures["abandoned_messages"] = result.abandonedMessages;
    failures["events"] = ordered_json::array();
    for (const FailureRecord& failure : result.failures)
    {
        ordered_json event;
        event["at_s"] = ToSeconds(failure.at);
        event["what"] = failure.what;
        event["state"] = failure.state;
        event["cables"] = failure.cables;
        failures["events"].push_back(std::move(event));
    }
    failures["convergences_s"] = ordered_json::array();
    for (const TimePs at : result.convergences)
    {
        failures["convergences_s"].push_back(ToSeconds(at));
    }
}

/// Adds counters of the packet-level engine; null with another engine.
void
AddFrameCounters(const std::optional<FrameCounters>& counters, ordered_json& json)
{
    const auto add = [&](const char* key, auto getValue) {
        json[key] = counters ? ordered_json(getValue(*counters)) : ordered_json();
    };
    using Counted = const FrameCounters&;
    add("frames", [](Counted of) { return of.frames; });
    add("frame_hops", [](Counted of) { return of.frameHops; });
    add("pause_frames", [](Counted of) { return of.pauseFrames; });
    add("drops", [](Counted of) { return of.drops; });
    add("unroutable_frames", [](Counted of) { return of.unroutable; });
    add("link_losses", [](Counted of) { return of.linkLosses; });
    add("retransmitted_frames", [](Counted of) { return of.retransmittedFrames; });
    add("ecn_marks", [](Counted of) { return of.ecnMarks; });
    add("cnps", [](Counted of) { return of.cnps; });
    add("pfc_pauses", [](Counted of) { return of.pfcPauses; });
    add("pfc_paused_s", [](Counted of) { return ToSeconds(of.pfcPaused); });
    add("queue_max_bytes", [](Counted of) { return of.queueMaxBytes; });
}

void
AddCounters(const Result& result, ordered_json& json)
{
    json["bytes"] = result.bytes;
    json["messages"] = result.messages;
    AddFrameCounters(result.frameCounters, json);
    json["nic_tx_bytes"] = result.nicTxBytes;
    json["nic_rx_bytes"] = result.nicRxBytes;
    json["events"] = result.events;
    json["sim_s"] = ToSeconds(result.simulated);
    AddCosts(result, json);
}

/// \return empty for kNever
std::string
FormatMoment(TimePs time)
{
    return time == kNever ? "" : FormatSeconds(time);
}

/// \return name of the phase, or of the kind of nodes in a graph, that a message belongs to
const std::string&
GetKind(const Result& result, uint16_t phase)
{
    return result.graphKinds.empty() ? result.phases[phase].name : result.graphKinds[phase];
}

void
WriteMessages(const Result& result, std::ostream& os)
{
    os << "phase,pair_id,source,destination,rail,bytes,start_s,end_s,kind\n";
    for (const MessageRecord& message : result.messageRecords)
    {
        os << message.kind << ',' << message.pair << ',' << message.source << ','
           << message.destination << ',';
        if (message.rail == kNoRail)
        {
            os << "-1";
        }
        else
        {
            os << message.rail;
        }
        os << ',' << message.bytes << ',' << FormatMoment(message.start) << ','
           << FormatMoment(message.end) << ',' << GetKind(result, message.kind) << '\n';
    }
}

void
WriteCircuits(const Result& result, std::ostream& os)
{
    os << "start_s,end_s,region,server_a,server_b,circuits,bytes,dark_s\n";
    for (const CircuitRecord& circuit : *result.circuitRecords)
    {
        os << FormatMoment(circuit.start) << ',' << FormatMoment(circuit.end) << ','
           << circuit.region << ',' << circuit.from << ',' << circuit.to << ',' << circuit.circuits
           << ',' << circuit.bytes << ',' << FormatMoment(circuit.dark) << '\n';
    }
}

void
WriteQueues(const Result& result, std::ostream& os)
{
    os << "port_class,bytes_low,bytes_high,seconds\n";
    for (const QueueBin& bin : *result.queueBins)
    {
        os << bin.portClass << ',' << bin.bytesLow << ',' << bin.bytesHigh << ','
           << FormatNumber(bin.seconds) << '\n';
    }
}

/// \return fraction of [0, cct] in which a port was sending; empty when unknown
std::string
FormatUtilisation(const PortRecord& port, TimePs cct)
{
    if (!port.busy)
    {
        return "";
    }
    return cct == 0 ? "0"
                    : FormatNumber(static_cast<double>(*port.busy) / static_cast<double>(cct));
}

/// Writes the columns of links.csv from queue_max_bytes on: empty with the flow-level engine.
void
WritePortFrames(const std::optional<PortFrames>& frames, std::ostream& os)
{
    if (!frames)
    {
        os << ",,,,,,,";
        return;
    }
    os << frames->queueMaxBytes << ',' << frames->pauses << ',' << FormatSeconds(frames->pausedPs)
       << ',' << frames->marks << ',' << frames->drops << ',' << frames->dataFrames << ','
       << (frames->queueMeanBytes ? FormatNumber(*frames->queueMeanBytes) : "") << ','
       << frames->linkLosses;
}

void
WriteLinks(const Result& result, std::ostream& os)
{
    os << "node,port,peer,peer_port,port_class,rate_bps,bytes,utilisation,queue_max_bytes,pauses,"
          "paused_s,marks,drops,data_frames,queue_mean_bytes,link_losses\n";
    for (const PortRecord& port : result.portRecords)
    {
        os << port.node << ',' << port.port << ',' << port.peer << ',' << port.peerPort << ','
           << port.portClass << ',' << port.rateBps << ',' << port.bytes << ','
           << FormatUtilisation(port, result.cct) << ',';
        WritePortFrames(port.frames, os);
        os << '\n';
    }
}

void
WritePlans(const ExpertStudyRecord& study, std::ostream& os)
{
    os << "iteration,layer,microbatch,max_over_mean_before,max_over_mean,copies,"
          "copies_from_one_gpu,weight_bytes_inside,weight_bytes_across,gradient_bytes_inside,"
          "gradient_bytes_across,token_bytes_inside,token_bytes_across,local_tokens,"
          "dropped_tokens,planning_s,planning_measured_s\n";
    for (const ExpertPlanRecord& plan : study.plans)
    {
        os << plan.iteration << ',' << plan.layer << ',' << plan.microbatch << ','
           << FormatNumber(plan.before) << ',' << FormatNumber(plan.after) << ',' << plan.copies
           << ',' << plan.mostCopies << ',' << plan.weightBytesInside << ','
           << plan.weightBytesAcross << ',' << plan.gradientBytesInside << ','
           << plan.gradientBytesAcross << ',' << plan.tokenBytesInside << ','
           << plan.tokenBytesAcross << ',' << plan.localTokens << ',' << plan.droppedTokens << ','
           << FormatNumber(plan.planningSeconds) << ',' << FormatNumber(plan.measuredSeconds)
           << '\n';
    }
}

void
WriteGpuLoads(const ExpertStudyRecord& study, std::ostream& os)
{
    os << "place,before,after\n";
    for (std::size_t place = 0; place < study.loads.size(); ++place)
    {
        os << place << ',' << FormatNumber(study.loads[place].first) << ','
           << FormatNumber(study.loads[place].second) << '\n';
    }
}

void
WriteFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write)
{
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (file)
    {
        write(file);
        file.close();
    }
    if (const std::error_code error = FindWriteError(file))
    {
        throw OutputError(path, "cannot be written", error);
    }
}

} // namespace

namespace
{

/// \return the files beside result.json, with their sizes
ordered_json
ListArtefacts(const std::filesystem::path& folder)
{
    std::map<std::string, uintmax_t> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        files[entry.path().filename().string()] = entry.file_size();
    }
    ordered_json artefacts = ordered_json::array();
    for (const auto& [file, bytes] : files)
    {
        artefacts.push_back({{"file", file}, {"bytes", bytes}});
    }
    return artefacts;
}

} // namespace

nlohmann::ordered_json
MakeVersionJson(const VersionInfo& version)
{
    ordered_json json;
    json["module"] = version.module;
    json["ns3"] = version.ns3;
    json["compiler"] = version.compiler;
    json["build"] = version.build;
    json["program"] = version.program;
    if (!version.libraries.empty())
    {
        json["libraries"] = version.libraries;
    }
    return json;
}

void
WriteNames(const std::vector<std::pair<std::string, std::string>>& axes,
           const std::map<std::string, std::string>& labels,
           nlohmann::ordered_json& json)
{
    if (!axes.empty())
    {
        json["axes"] = ordered_json::object();
        for (const auto& [key, label] : axes)
        {
            json["axes"][key] = label;
        }
    }
    if (!labels.empty())
    {
        json["labels"] = labels;
    }
}

nlohmann::ordered_json
MakeResultJson(const Result& result)
{
    ordered_json json;
    AddIdentity(result, json);
    if (result.expertStudy)
    {
        AddExpertStudy(result, json);
        return json;
    }
    AddTimes(result, json);
    AddExplanation(result, json);
    AddOptical(result, json);
    AddFailures(result, json);
    AddCounters(result, json);
    return json;
}

void
WriteResult(const Result& result, const std::filesystem::path& folder)
{
    if (result.expertStudy)
    {
        const ExpertStudyRecord& study = *result.expertStudy;
        WriteFile(folder / "plans.csv", [&](std::ostream& os) { WritePlans(study, os); });
        WriteFile(folder / "gpu_loads.csv", [&](std::ostream& os) { WriteGpuLoads(study, os); });
    }
    if (result.writesMessages)
    {
        WriteFile(folder / "messages.csv", [&](std::ostream& os) { WriteMessages(result, os); });
    }
    if (result.circuitRecords)
    {
        WriteFile(folder / "circuits.csv", [&](std::ostream& os) { WriteCircuits(result, os); });
    }
    if (result.queueBins)
    {
        WriteFile(folder / "queues.csv", [&](std::ostream& os) { WriteQueues(result, os); });
    }
    if (result.writesLinks)
    {
        WriteFile(folder / "links.csv", [&](std::ostream& os) { WriteLinks(result, os); });
    }
    if (result.timeline)
    {
        WriteFile(folder / "timeline.json", [&](std::ostream& os) { result.timeline->Write(os); });
    }
    ordered_json json = MakeResultJson(result);
    json["artefacts"] = ListArtefacts(folder);
    // Replacement characters rather than an exception for a text that is not UTF-8.
    const std::string text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
    WriteFile(folder / "result.json", [&](std::ostream& os) { os << text << '\n'; });
}

} // namespace ns3::rails
