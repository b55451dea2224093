// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-report.h"

#include "graph-explainer.h"
#include "hash-note.h"
#include "rails-engine-choice.h"
#include "rails-experiment-check.h"
#include "rails-failure-plan.h"
#include "rails-record-options.h"

#include "ns3/compute-time.h"
#include "ns3/lower-bound.h"
#include "ns3/rails-transport.h"
#include "ns3/rails-version.h"
#include "ns3/simulator.h"
#include "ns3/transfer-bound.h"

#include <algorithm>
#include <deque>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

void
DescribeExperiment(const RunParts& run, Result& result)
{
    const Ptr<RecordOptions> record = run.experiment.Get<RecordOptions>("record");
    const Ptr<EngineChoice> engine = run.experiment.Get<EngineChoice>("engine");
    result.name = run.experiment.name;
    result.seed = run.experiment.seed;
    result.axes = run.experiment.axes;
    result.labels = run.experiment.labels;
    result.version = GetVersionInfo();
    result.engine = engine->GetTypeName();
    result.effective = run.experiment.effective;
    result.gpus = run.wiring.GetShape().GetGpus();
    result.writesLinks = record->WantsLinks();
    result.events = Simulator::GetEventCount();
    result.simulated = NowPs();
    std::ostringstream ratio;
    ratio << "largest oversubscription of a switch: " << run.traits.oversubscription;
    result.notes.push_back(ratio.str());
    for (const ExperimentWarning& warning : FindWarnings(run.experiment, run.wiring, run.traits))
    {
        result.notes.push_back("warning: " + warning.key + ": " + warning.message);
    }
}

void
DescribeMessages(const RunParts& run, Result& result)
{
    const std::deque<Message>& messages = run.runner.GetMessages().GetAll();
    const Ptr<RecordOptions> record = run.experiment.Get<RecordOptions>("record");
    result.writesMessages = record->WantsMessages(run.runner.GetMessages().GetSize());
    if (result.writesMessages)
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
    const std::string note = record->ExplainMissingMessages(run.runner.GetMessages().GetSize());
    if (!note.empty())
    {
        result.notes.push_back(note);
    }
    result.slowestFlow = run.runner.GetMessages().GetSlowestForgotten();
    for (const Message& message : messages)
    {
        if (message.sent != kNever && message.acknowledged != kNever)
        {
            result.slowestFlow = std::max(result.slowestFlow, message.acknowledged - message.sent);
        }
    }
}

void
DescribeCollective(const GraphRunner& runner, Result& result)
{
    const WorkloadSchedule& schedule = runner.GetSchedule();
    result.matrixHash = schedule.matrix->GetHash();
    result.busiestSourceBytes = schedule.GetAlgorithmBytes();
    result.busFactor = schedule.busFactor;
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
    result.phases = runner.GetPhases();
    if (schedule.iterations > 1 && runner.IsFinished())
    {
        const TimePs time = result.phases.back().end - result.phases.front().start;
        result.iteration = time / schedule.iterations;
    }
}

void
DescribeGraph(const RunParts& run, Result& result)
{
    if (run.runner.GetProgram().HasPhases())
    {
        return;
    }
    const GraphProgram& program = run.runner.GetProgram();
    result.graphKinds = program.GetKinds();
    for (const std::string& note : program.GetNotes())
    {
        result.notes.push_back(note);
    }
    if (!run.runner.IsFinished())
    {
        return;
    }
    result.graph = run.runner.GetRecord();
    result.cct = result.graph->end;
    // Phases of a job end with the last byte, not with its ACK.
    result.cctSender = result.graph->end;
    if (run.runner.GetMessages().GetLastAcknowledgement() != kNever)
    {
        result.cctSender = std::max(result.cctSender,
                                    run.runner.GetMessages().GetLastAcknowledgement() -
                                        run.runner.GetPhases().front().start);
    }
    result.iteration = result.graph->end / result.graph->iterations;
    result.jobs = program.DescribeJobs(*result.graph);
    if (result.iteration > 0)
    {
        result.graphFigures = program.GetFigures(static_cast<double>(result.iteration) * 1e-12);
    }
}

// What GPUs compute and what they send may overlap: the larger one bounds a graph.
void
AddPathBound(const GraphProgram& program, const ClusterSpeeds& speeds, Result& result)
{
    const std::pair<const char*, TimePs> parts[] = {
        {"compute", program.GetComputeTime()},
        {"path", FindPathTime(program, TransferBound(program.GetShape(), speeds))}};
    for (const auto& [name, time] : parts)
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
DescribeBounds(const RunParts& run, Result& result)
{
    const ClusterSpeeds speeds =
        FindClusterSpeeds(run.experiment, run.wiring, run.traits, run.failures);
    const WorkloadSchedule& schedule = run.runner.GetSchedule();
    const LowerBound bound(schedule, speeds);
    result.lowerBound = bound.GetTime();
    result.lowerBoundAcks = bound.GetTimeWithAcks();
    result.lowerBoundSender = bound.GetSenderTime();
    result.lowerBoundParts = bound.GetParts();
    result.lowerBoundBinding = bound.GetBinding();
    const bool hasPhases = run.runner.GetProgram().HasPhases();
    if (!hasPhases)
    {
        AddPathBound(run.runner.GetProgram(), speeds, result);
    }
    else
    {
        const PublishedBoundFabric fabric =
            DescribePublishedFabric(run.experiment, run.wiring, run.traits, run.rhoMax.value_or(1));
        result.publishedBound = ComputePublishedBound(schedule, fabric);
    }
    result.rhoMax = run.rhoMax;
    if (run.runner.IsFinished() && run.runner.GetMessages().GetFirstPost() != kNever && hasPhases)
    {
        result.explanation = run.engine.Explain(bound, speeds);
    }
    else if (run.runner.IsFinished() && run.legs)
    {
        result.explanation = ExplainGraph(run.runner, *run.legs);
    }
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

void
Break(Result& result, const std::string& what)
{
    result.status = RunStatus::InvariantBroken;
    result.report += "invariant broken: " + what + "\n";
}

void
Judge(const RunParts& run, Result& result)
{
    for (const std::string& broken : run.engine.FindBrokenInvariants())
    {
        Break(result, broken);
    }
    if (!run.runner.IsFinished() || run.losses.HasEndedRun())
    {
        if (result.status == RunStatus::Done)
        {
            result.status = RunStatus::NotFinished;
        }
        if (run.losses.HasEndedRun())
        {
            result.report += run.losses.Describe(run.engine.GetDeliveredBytes());
            return;
        }
        result.report += run.engine.DescribeStuck();
        result.report += run.runner.GetProgram().HasPhases() ? "" : run.runner.DescribeStuck();
        const Ptr<FailurePlan> plan = run.experiment.Get<FailurePlan>("failures");
        if (!plan->IsEmpty() && !plan->Converges())
        {
            result.report += "failures.convergence is never, so switches go on sending into "
                             "what is down: set it to a time, such as 20us\n";
        }
        return;
    }
    // What came of messages before they were given up came again with others.
    const uint64_t delivered = run.engine.GetDeliveredBytes();
    if (delivered != result.bytes)
    {
        Break(result,
              std::to_string(delivered) + " bytes were delivered instead of " +
                  std::to_string(result.bytes));
    }
    if (result.cct < result.lowerBound)
    {
        Break(result, "the completion time is below its lower bound");
    }
    if (result.cctSender < result.lowerBoundSender)
    {
        Break(result, "the sender's completion time is below its lower bound");
    }
}

} // namespace

ClusterSpeeds
FindClusterSpeeds(const Experiment& experiment,
                  const Wiring& wiring,
                  const FabricTraits& traits,
                  const Failures& failures)
{
    ClusterSpeeds speeds = FindSpeeds(wiring, traits);
    if (!failures.GetBestNicRates().empty())
    {
        speeds.bestRatesBps = failures.GetBestNicRates();
    }
    speeds.frames = experiment.Get<Transport>("transport")->GetFrameFormat();
    return speeds;
}

PublishedBoundFabric
DescribePublishedFabric(const Experiment& experiment,
                        const Wiring& wiring,
                        const FabricTraits& traits,
                        double rhoMax)
{
    return {wiring.HasRelays() ? 0 : traits.longestLinks, // in the paper hosts relay nothing
            wiring.GetNicKind(0).delay,
            wiring.GetNicKind(0).rateBps,
            // The paper's frames, whatever part of them travels here.
            MakePublishedFrames(experiment.Get<Transport>("transport")->GetMtu()),
            rhoMax};
}

Result
ReportRun(const RunParts& run)
{
    Result result;
    DescribeExperiment(run, result);
    DescribeMessages(run, result);
    DescribeCollective(run.runner, result);
    DescribeGraph(run, result);
    DescribeBounds(run, result);
    DescribeFailures(run.failures, run.losses, result);
    run.engine.Describe(result);
    Judge(run, result);
    for (std::string& note : FindHashNotes(run.engine.GetSpread(), run.wiring, run.traits, result))
    {
        result.notes.push_back(std::move(note));
    }
    return result;
}

} // namespace ns3::rails
