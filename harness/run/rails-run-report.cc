// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-report.h"

#include "ecmp-collision-note.h"
#include "rails-experiment-check.h"

#include "ns3/lower-bound.h"
#include "ns3/published-bound.h"
#include "ns3/rails-version.h"
#include "ns3/replica-fold.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

void
DescribeExperiment(const Experiment& experiment, const ClusterRun& run, Result& result)
{
    Identify(experiment, result);
    result.version = GetVersionInfo();
    result.engine = run.GetSettings().engine->GetTypeName();
    result.writesLinks = run.GetSettings().record->WantsLinks();
    result.events = Simulator::GetEventCount();
    result.simulated = NowPs();
    std::ostringstream ratio;
    ratio << "largest oversubscription of a switch: " << run.GetTraits().oversubscription;
    result.notes.push_back(ratio.str());
    for (const ExperimentWarning& warning :
         FindWarnings(experiment, run.GetWiring(), run.GetTraits()))
    {
        result.notes.push_back("warning: " + warning.key + ": " + warning.message);
    }
}

/// \return messages of all replicas, as repetitions of the first replica's, in the order of
/// GraphRunner::NumberMessages()
/// \param areApart plans sort messages by source and destination, and replicas differ in the order
/// of destinations
std::vector<MessageRecord>
Unfold(const std::deque<Message>& messages,
       const ReplicaFold& fold,
       const ClusterShape& shape,
       bool areApart)
{
    std::vector<std::pair<uint32_t, MessageRecord>> copies; // by step
    for (const Message& message : messages)
    {
        if (fold.GetReplica(message.source) > 0)
        {
            continue;
        }
        for (uint32_t replica = 0; replica < fold.CountReplicas(); ++replica)
        {
            MessageRecord& copy = copies.emplace_back(message.step, message).second;
            copy.source = fold.MoveTo(message.source, replica);
            copy.destination =
                fold.MoveTo(message.destination, fold.GetTarget(message.crossing, replica));
            copy.pair = copy.source * shape.GetGpus() + copy.destination;
        }
    }
    const auto rank = [&](const std::pair<uint32_t, MessageRecord>& step) {
        const MessageRecord& copy = step.second;
        return std::tuple(step.first,
                          shape.GetServer(copy.source),
                          areApart && copy.rail == kNoRail,
                          areApart ? copy.source : 0,
                          areApart ? copy.destination : 0,
                          copy.id);
    };
    std::sort(copies.begin(), copies.end(), [&rank](const auto& one, const auto& other) {
        return rank(one) < rank(other);
    });
    std::vector<MessageRecord> records;
    for (const auto& [step, copy] : copies)
    {
        records.push_back(copy);
        records.back().id = records.size() - 1;
    }
    return records;
}

/// \return a note when NICs wait for the GPU that posted first; otherwise empty. They wait when
/// GPUs share a queue pair, and NVLink delivers less from one GPU, beside traffic inside the
/// server, than the NIC sends.
std::string
ExplainSharedQueuePairs(const ClusterRun& run)
{
    const ClusterShape& shape = run.GetWiring().GetShape();
    const ServerLayout& layout = run.GetWiring().GetInterior()->GetLayout();
    const ClusterRates rates = run.GetWiring().GetRates();
    // A GPU serves the others of its server in turn, and for each of them all servers.
    const double part = (shape.servers - 1.0) / shape.servers /
                        std::max(1.0, shape.gpusPerServer - 1.0) *
                        static_cast<double>(rates.gpuBps) / static_cast<double>(rates.nicBps);
    if (run.GetSettings().parts.transport->GetQueuePairPer() != Transport::NIC_PAIR || part >= 1)
    {
        return "";
    }
    // Sources of what a NIC does not send for a GPU of its own, by pair of NICs and channel.
    std::map<std::tuple<uint32_t, uint16_t, uint32_t, uint16_t, uint16_t>, uint32_t> sources;
    bool staysInside = false;
    bool isShared = false;
    for (const Message& message : run.GetRunner().GetMessages().GetAll())
    {
        const auto& near = layout.GetNearNics(shape.GetLocal(message.source));
        const bool isInside = message.txRail == kNoRail;
        staysInside = staysInside || isInside;
        if (!isInside && !isShared &&
            std::find(near.begin(), near.end(), message.txRail) == near.end())
        {
            const auto source = sources.emplace(std::tuple(shape.GetServer(message.source),
                                                           message.txRail,
                                                           shape.GetServer(message.destination),
                                                           message.rxRail,
                                                           message.channel),
                                                message.source);
            isShared = source.first->second != message.source;
        }
    }
    if (!staysInside || !isShared)
    {
        return "";
    }
    return "messages of several GPUs share a queue pair and go in the order in which they were "
           "posted (transport.qp_per: nic-pair), and beside what stays in the server NVLink brings "
           "a NIC " +
           std::to_string(static_cast<int>(100 * part)) +
           " % of its rate from one GPU: NICs wait for the GPU that posted first. NCCL has a queue "
           "pair for each connection of two GPUs: transport.qp_per: gpu-pair";
}

void
DescribeMessages(const ClusterRun& run, Result& result)
{
    const std::deque<Message>& messages = run.GetRunner().GetMessages().GetAll();
    const ReplicaFold* fold = run.GetRunner().GetProgram().GetFold();
    const uint64_t computed = run.GetRunner().GetMessages().GetSize();
    const uint64_t count = fold ? fold->Multiply(computed) : computed;
    const Ptr<const RecordOptions> record = run.GetSettings().record;
    result.writesMessages = record->WantsMessages(count);
    if (result.writesMessages && fold)
    {
        result.messageRecords = Unfold(
            messages,
            *fold,
            run.GetWiring().GetShape(),
            run.GetSettings().balancer->PlansApart(run.GetWiring().GetInterior()->GetLayout()));
    }
    else if (result.writesMessages)
    {
        result.messageRecords.reserve(messages.size());
        for (const Message& message : messages)
        {
            result.messageRecords.emplace_back(message);
        }
        std::sort(
            result.messageRecords.begin(),
            result.messageRecords.end(),
            [](const MessageRecord& one, const MessageRecord& other) { return one.id < other.id; });
    }
    const std::string note = record->ExplainMissingMessages(count);
    if (!note.empty())
    {
        result.notes.push_back(note);
    }
    if (std::string shared = ExplainSharedQueuePairs(run); !shared.empty())
    {
        result.notes.push_back(std::move(shared));
    }
    result.slowestFlow = run.GetRunner().GetMessages().GetSlowestForgotten();
    for (const Message& message : messages)
    {
        if (message.sent != kNever && message.acknowledged != kNever)
        {
            result.slowestFlow = std::max(result.slowestFlow, message.acknowledged - message.sent);
        }
    }
}

void
DescribeCollective(const ClusterRun& run, Result& result)
{
    const GraphRunner& runner = run.GetRunner();
    const WorkloadSchedule& schedule = run.GetSchedule();
    result.matrixHash = schedule.matrix->GetHash();
    result.bytes = schedule.GetTotalBytes();
    result.abandonedMessages = runner.GetMessages().GetAbandoned();
    if (runner.GetMessages().GetFirstPost() != kNever &&
        runner.GetMessages().GetLastDelivery() != kNever)
    {
        result.cct = runner.GetMessages().GetLastDelivery() - runner.GetMessages().GetFirstPost();
    }
    if (runner.GetMessages().GetFirstPost() != kNever &&
        runner.GetMessages().GetLastAcknowledgement() != kNever)
    {
        result.cctSender =
            runner.GetMessages().GetLastAcknowledgement() - runner.GetMessages().GetFirstPost();
    }
    const bool isCounted = run.GetProgram().HasPhases() && result.cct > 0;
    if (const auto counted = isCounted ? schedule.CountCollective() : std::nullopt)
    {
        const double seconds = static_cast<double>(result.cct) * 1e-12;
        result.algorithmBandwidth = counted->algorithm / seconds;
        result.busBandwidth = counted->bus / seconds;
    }
    result.phases = runner.GetPhases();
    if (schedule.iterations > 1 && runner.IsFinished())
    {
        const TimePs time = result.phases.back().end - result.phases.front().start;
        result.iteration = time / schedule.iterations;
    }
}

void
DescribeGraph(const ClusterRun& run, Result& result)
{
    const GraphProgram& program = run.GetProgram();
    if (program.HasPhases())
    {
        return;
    }
    result.graphKinds = program.GetKinds();
    for (const std::string& note : program.GetNotes())
    {
        result.notes.push_back(note);
    }
    if (const ReplicaFold* fold = run.GetFold())
    {
        const std::string mode = run.IsClose() ? "close" : "exact";
        result.symmetry = {mode, fold->CountReplicas(), ReplicaFold::kComputed};
        result.notes.push_back(std::to_string(fold->CountReplicas()) + " replicas do " +
                               (run.IsClose() ? "nearly " : "") +
                               "the same: two were run, the others are copies (engine.symmetry)");
    }
    else if (!run.GetReasonAgainstFold().empty())
    {
        result.symmetry.emplace().reason = run.GetReasonAgainstFold();
    }
    if (const std::string note = run.GetForwardNote(); !note.empty())
    {
        result.notes.push_back(note);
    }
    if (!run.GetRunner().IsFinished())
    {
        return;
    }
    result.graph = run.DescribeGraph();
    result.forward = run.GetForward();
    const TimePs leftOut = run.GetLeftOutTime();
    result.phases.back().end += leftOut;
    result.cct = result.graph->end;
    // Phases of a job end with the last byte, not with its ACK.
    result.cctSender = result.graph->end;
    if (run.GetRunner().GetMessages().GetLastAcknowledgement() != kNever)
    {
        result.cctSender = std::max(result.cctSender,
                                    run.GetRunner().GetMessages().GetLastAcknowledgement() -
                                        run.GetRunner().GetPhases().front().start + leftOut);
    }
    result.iteration = result.graph->end / result.graph->iterations;
    result.jobs = program.DescribeJobs(*result.graph);
    if (result.iteration > 0)
    {
        result.graphFigures =
            program.GetFigures(static_cast<double>(result.iteration) * 1e-12, &*result.graph);
    }
    if (run.IsPart())
    {
        const std::optional<double> whole = run.EstimateWhole();
        result.graphFigures.emplace_back("whole_iteration_s",
                                         whole ? *whole * 1e-12
                                               : std::numeric_limits<double>::quiet_NaN());
        result.notes.emplace_back(
            whole
                ? "whole_iteration_s is an estimate of the whole iteration: all that is done once "
                  "in it, for each micro-batch, or for each layer takes as long as in this run"
                : "whole_iteration_s is not known: something is done in the whole iteration that "
                  "this run has nothing like");
    }
}

// What GPUs compute and what they send may overlap: the larger one bounds a graph.
void
AddPathBound(const ProgramTimes& times, Result& result)
{
    for (const auto& [name, time] : {std::pair("compute", times.compute), {"path", times.path}})
    {
        result.lowerBoundParts[name] = time;
        if (time > result.lowerBound)
        {
            result.lowerBound = time;
            result.lowerBoundBinding = name;
        }
        result.lowerBoundAcks = std::max(result.lowerBoundAcks, time);
        result.lowerBoundSender = std::max(result.lowerBoundSender, time);
    }
}

void
DescribeBounds(const ClusterRun& run, const ProgressCallback& onProgress, Result& result)
{
    const ClusterSpeeds speeds = run.FindSpeeds();
    const WorkloadSchedule& schedule = run.GetSchedule();
    const LowerBound bound(schedule, speeds);
    result.lowerBound = bound.GetTime();
    result.lowerBoundAcks = bound.GetTimeWithAcks();
    result.lowerBoundSender = bound.GetSenderTime();
    result.lowerBoundParts = bound.GetParts();
    result.lowerBoundBinding = bound.GetBinding();
    const bool hasPhases = run.GetProgram().HasPhases();
    if (!hasPhases)
    {
        const auto tell = [&onProgress](double done) { onProgress(MakePhase("bounds", done)); };
        AddPathBound(run.FindProgramTimes(speeds, onProgress ? WalkCallback(tell) : nullptr),
                     result);
    }
    else
    {
        result.publishedBound = ComputePublishedBound(schedule, run.DescribePublishedFabric());
    }
    result.rhoMax = run.GetRhoMax();
    result.explanation = run.Explain(bound, speeds);
}

void
DescribeFailures(const Failures& failures, const GpuLosses& losses, Result& result)
{
    for (const Failures::Event& event : failures.GetEvents())
    {
        result.failures.push_back({event.at, event.what, event.state, event.cables});
    }
    result.convergences = failures.GetConvergences();
    result.failedCables = failures.GetFailedCables();
    for (std::string& note : losses.GetNotes())
    {
        result.notes.push_back(std::move(note));
    }
}

/// What NCCL does otherwise than the collectives of the run.
void
DescribeCollectiveLimits(const GraphProgram& program, Result& result)
{
    const std::vector<CollectiveRecord> collectives = program.GetCollectives();
    if (collectives.empty())
    {
        return;
    }
    constexpr uint64_t kSmall = 4'194'304;
    const bool isSmall =
        std::any_of(collectives.begin(), collectives.end(), [](const CollectiveRecord& record) {
            return record.bytes > 0 && record.bytes < kSmall;
        });
    if (program.HasPhases())
    {
        result.notes.push_back("collective: " + collectives.front().algorithm +
                               ", rings: " + std::to_string(collectives.front().rings));
    }
    result.notes.emplace_back("collectives: NVLS and SHARP, with which NCCL is faster where the "
                              "hardware has them, are not modelled");
    if (isSmall)
    {
        result.notes.emplace_back(
            "collectives of less than 4 MiB: the launch of kernels and the protocols LL and LL128, "
            "which decide such times with NCCL, are not modelled");
    }
    if (std::any_of(collectives.begin(), collectives.end(), [](const CollectiveRecord& record) {
            return record.isUneven;
        }))
    {
        result.notes.emplace_back(
            "collectives: a group has GPUs near fewer NICs on one of its servers than on another, "
            "and all that goes round a ring or up a tree passes these few NICs (with NCCL too), "
            "while lower_bound_s counts all NICs of a server");
    }
    const bool hasTree =
        std::any_of(collectives.begin(), collectives.end(), [](const CollectiveRecord& record) {
            return record.algorithm == GetName(ALGORITHM_TREE);
        });
    if (hasTree && result.engine == "flow")
    {
        result.notes.emplace_back(
            "collectives: trees by flows took 1.00 to 1.27 of the frames' time where it was "
            "measured: of several parts for one GPU frames bring first what was sent first, and "
            "flows all at once, so that the next GPU begins later");
    }
    const bool hasDeadNic =
        std::any_of(result.failures.begin(), result.failures.end(), [](const auto& failure) {
            return failure.state == "down" && failure.what.find("nic") != std::string::npos;
        });
    if (hasDeadNic)
    {
        result.notes.emplace_back(
            "collectives: rings of a NIC that is down go by the next one; NCCL opens no ring on a "
            "NIC that is down from the start, and one that fails later ends its communicator, or "
            "from release 2.29 on may be replaced by another port");
    }
}

void
Break(Result& result, const std::string& what)
{
    result.status = RunStatus::InvariantBroken;
    result.report += "invariant broken: " + what + "\n";
}

void
Judge(const ClusterRun& run, Result& result)
{
    for (const std::string& broken : run.GetEngineRun().FindBrokenInvariants())
    {
        Break(result, broken);
    }
    if (!run.IsDone())
    {
        if (result.status == RunStatus::Done)
        {
            result.status = RunStatus::NotFinished;
        }
        result.report += run.DescribeStuck();
        return;
    }
    // What came of messages before they were given up came again with others.
    const uint64_t delivered = run.GetEngineRun().GetDeliveredBytes();
    const uint64_t posted = run.GetRunner().GetSchedule().GetTotalBytes();
    const bool isClose = run.IsClose(); // replicas sent nearly as much as they had to
    if (delivered != posted && !isClose)
    {
        Break(result,
              std::to_string(delivered) + " bytes were delivered instead of " +
                  std::to_string(posted));
    }
    if (result.cct < result.lowerBound && !isClose)
    {
        Break(result, "the completion time is below its lower bound");
    }
    if (result.cctSender < result.lowerBoundSender && !isClose)
    {
        Break(result, "the sender's completion time is below its lower bound");
    }
}

void
DescribeEngine(const ClusterRun& run, Result& result)
{
    EngineRecord record = run.DescribeEngine();
    result.messages = record.messages;
    result.frameCounters = record.frameCounters;
    result.nicTxBytes = std::move(record.nicTxBytes);
    result.nicRxBytes = std::move(record.nicRxBytes);
    result.portRecords = std::move(record.ports);
    result.queueBins = std::move(record.queueBins);
    result.shift = record.shift;
    result.fingerprint = std::move(record.fingerprint);
    result.notes.insert(result.notes.end(), record.notes.begin(), record.notes.end());
}

void
DescribeCircuits(const ClusterRun& run, Result& result)
{
    const CircuitController::Record record = run.GetCircuits()->GetRecord(run.GetRunner());
    const auto asked = static_cast<double>(std::max<uint64_t>(1, record.asked));
    const auto bytes = static_cast<double>(std::max<uint64_t>(1, record.totalBytes));
    result.optical = {{"reconfigurations", static_cast<double>(record.reconfigurations)},
                      {"circuits", static_cast<double>(record.circuits) / asked},
                      {"moved", static_cast<double>(record.moved) / asked},
                      {"circuit_share", static_cast<double>(record.servedBytes) / bytes},
                      {"dark_s", static_cast<double>(record.dark) * 1e-12}};
    result.opticalRules = run.GetSettings().optical->GetRules();
    std::optional<std::vector<CircuitRecord>> records = run.GetCircuits()->List();
    if (!records)
    {
        return;
    }
    if (result.timeline)
    {
        AddCircuitTracks(*records, *result.timeline);
    }
    if (run.GetSettings().record->WantsCircuits(records->size()))
    {
        result.circuitRecords = std::move(records);
    }
    else
    {
        result.notes.push_back("circuits.csv is not written: " + std::to_string(records->size()) +
                               " lines; set record.circuits to true");
    }
}

} // namespace

Result
ReportRun(const Experiment& experiment,
          const ClusterRun& run,
          const TimelineRecorder* timeline,
          const ProgressCallback& onProgress)
{
    Result result;
    DescribeExperiment(experiment, run, result);
    DescribeMessages(run, result);
    DescribeCollective(run, result);
    DescribeGraph(run, result);
    DescribeBounds(run, onProgress, result);
    DescribeFailures(run.GetFailures(), run.GetLosses(), result);
    DescribeCollectiveLimits(run.GetProgram(), result);
    DescribeEngine(run, result);
    if (timeline)
    {
        result.timeline =
            std::make_shared<ChromeTrace>(timeline->Collect(run.GetRunner(), run.GetFailures()));
    }
    Judge(run, result);
    const std::optional<PathSpread> spread = run.GetEngineRun().GetSpread();
    for (std::string& note :
         FindEcmpCollisionNotes(spread, run.GetWiring(), run.GetTraits(), result))
    {
        result.notes.push_back(std::move(note));
    }
    if (run.GetCircuits())
    {
        DescribeCircuits(run, result);
    }
    return result;
}

} // namespace ns3::rails
