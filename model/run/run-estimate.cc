// SPDX-License-Identifier: GPL-2.0-only
#include "run-estimate.h"

#include "fast-forward.h"
#include "replica-finder.h"

#include "ns3/graph-program.h"

#include <algorithm>
#include <memory>

namespace ns3::rails
{

namespace
{

/// \return the work of the equal units of a program that run
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

/// \return the part of a program's replicas that runs
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

/// \return the cost in flow-level simulation of messages that a balancer cuts, relative to whole
/// messages
double
FindCuttingCost(const Balancer& balancer,
                const ClusterShape& shape,
                double messages,
                double bytes,
                bool areEqual)
{
    // Measured with 4 and 16 servers. A chunk on another rail crosses the server in queues of its
    // own; further chunks wait in the same queues.
    constexpr double perRail = 0.4;
    constexpr double perPiece = 0.05;
    const double pieces =
        messages > 0 ? balancer.EstimatePieces(bytes / messages, shape, areEqual) : 1;
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
    const Balancer& balancer = *settings.balancer;
    const double gpus = shape.GetGpus();
    const std::shared_ptr<const GraphProgram> program = workload.MakeOutline(setting);
    if (!program)
    {
        const double bytes = workload.EstimateBytes(setting);
        const double messages = workload.EstimateMessages(setting);
        const double cut =
            workload.GetTraits().hasPhases
                ? FindCuttingCost(balancer, shape, messages, bytes, workload.SendsEvenly())
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
    const double cut = FindCuttingCost(balancer, shape, run.cut, run.cutBytes, false);
    const double cost = run.cost + (cut - 1) * run.cut;
    const double part = FindReplicaPart(*program, wiring, settings);
    return {all.bytes, all.messages, part * run.outside, part * cost, part * gpus, all.seconds};
}

} // namespace ns3::rails
