// SPDX-License-Identifier: GPL-2.0-only
#include "run-outlook.h"

#include "fast-forward.h"
#include "replica-finder.h"

#include "ns3/graph-program.h"

#include <algorithm>
#include <memory>

namespace ns3::rails
{

namespace
{

/// \return the work of those of the equal units of a program that are run
GraphWork
EstimateUnits(const GraphProgram& program, const GraphWork& all)
{
    const std::unique_ptr<const GraphRepetition> repetition = program.FindRepetition();
    if (!repetition)
    {
        return all;
    }
    const ForwardPart part = FastForward::ChoosePart(*repetition);
    return part.choice == ForwardPart::Choice::Given
               ? repetition->MakePart(part.units)->EstimateWork()
               : all;
}

/// \return which part of the replicas of a program is run
double
FindReplicaPart(const GraphProgram& program, const Wiring& wiring, const RunSettings& settings)
{
    if (settings.engine->GetSymmetry() == SYMMETRY_OFF)
    {
        return 1;
    }
    ReplicaFinder finder(wiring, settings, settings.engine->FindSpread(settings));
    const auto fold = finder.Find(program, true);
    return fold ? double{1} * ReplicaFold::kComputed / fold->CountReplicas() : 1;
}

/// \return what messages that a planner cuts cost engines that know flows alone, over what whole
/// ones cost
double
FindCuttingCost(const Planner& planner,
                const ClusterShape& shape,
                double messages,
                double bytes,
                bool areEqual)
{
    // Of 4 and 16 servers. A piece that takes another rail crosses the server, in queues of its
    // own; all further ones wait behind those.
    constexpr double perRail = 0.4;
    constexpr double perPiece = 0.05;
    const double pieces =
        messages > 0 ? planner.EstimatePieces(bytes / messages, shape, areEqual) : 1;
    const double rails = std::min(pieces, double{1} * shape.nicsPerServer);
    return 1 + perRail * (rails - 1) + perPiece * (pieces - rails);
}

} // namespace

ExpectedTraffic
EstimateTraffic(const Workload& workload,
                const WorkloadSetting& setting,
                const Wiring& wiring,
                const RunSettings& settings)
{
    const ClusterShape& shape = setting.shape;
    const Planner& planner = *settings.planner;
    const double gpus = shape.GetGpus();
    const std::shared_ptr<const GraphProgram> program = workload.MakeOutline(setting);
    if (!program)
    {
        const double bytes = workload.EstimateBytes(setting);
        const double messages = workload.EstimateMessages(setting);
        const double cut =
            workload.HasPhases()
                ? FindCuttingCost(planner, shape, messages, bytes, workload.SendsEvenly())
                : 1;
        return {bytes,
                messages,
                bytes * workload.EstimateOutside(setting),
                cut * workload.EstimateCost(setting),
                gpus};
    }
    const GraphWork all = program->EstimateWork();
    const GraphWork run =
        FindWhyWhole(wiring, settings).empty() ? EstimateUnits(*program, all) : all;
    const double cut = FindCuttingCost(planner, shape, run.cut, run.cutBytes, false);
    const double cost = run.cost + (cut - 1) * run.cut;
    const double part = FindReplicaPart(*program, wiring, settings);
    return {all.bytes, all.messages, part * run.outside, part * cost, part * gpus, all.seconds};
}

} // namespace ns3::rails
