// SPDX-License-Identifier: GPL-2.0-only
#include "run-outlook.h"

#include "fast-forward.h"
#include "replica-finder.h"

#include "ns3/graph-program.h"

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

} // namespace

ExpectedTraffic
EstimateTraffic(const Workload& workload,
                const WorkloadSetting& setting,
                const Wiring& wiring,
                const RunSettings& settings)
{
    const double gpus = setting.shape.GetGpus();
    const std::shared_ptr<const GraphProgram> program = workload.MakeOutline(setting);
    if (!program)
    {
        const double bytes = workload.EstimateBytes(setting);
        return {bytes,
                workload.EstimateMessages(setting),
                bytes * workload.EstimateOutside(setting),
                workload.EstimateCost(setting),
                gpus};
    }
    const GraphWork all = program->EstimateWork();
    const GraphWork run =
        FindWhyWhole(wiring, settings).empty() ? EstimateUnits(*program, all) : all;
    const double part = FindReplicaPart(*program, wiring, settings);
    return {all.bytes, all.messages, part * run.outside, part * run.cost, part * gpus};
}

} // namespace ns3::rails
