// SPDX-License-Identifier: GPL-2.0-only
#include "run-outlook.h"

#include "fast-forward.h"
#include "replica-finder.h"

#include "ns3/graph-program.h"
#include "ns3/path-selector.h"
#include "ns3/port-selector.h"

#include <memory>

namespace ns3::rails
{

namespace
{

/// \return which part of the equal units of a program is run
double
FindUnitPart(const GraphProgram& program, const GraphWork& all)
{
    const std::unique_ptr<const GraphRepetition> repetition = program.FindRepetition();
    if (!repetition)
    {
        return 1;
    }
    const ForwardPart part = FastForward::ChoosePart(*repetition);
    return part.choice == ForwardPart::Choice::Given
               ? repetition->MakePart(part.units)->EstimateWork().cost / all.cost
               : 1;
}

/// \return which part of the replicas of a program is run
double
FindReplicaPart(const GraphProgram& program, const Wiring& wiring, const RunSettings& settings)
{
    if (settings.engine->GetSymmetry() == SYMMETRY_OFF)
    {
        return 1;
    }
    const auto spread =
        Combine(settings.parts.path->GetSpread(), settings.parts.selector->GetSpread());
    const auto fold = ReplicaFinder(wiring, settings, spread).Find(program, true);
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
                bytes * workload.EstimateOutside(setting),
                workload.EstimateMessages(setting),
                workload.EstimateCost(setting),
                1,
                gpus};
    }
    const GraphWork all = program->EstimateWork();
    const double units = FindWhyWhole(wiring, settings).empty() ? FindUnitPart(*program, all) : 1;
    const double replicas = FindReplicaPart(*program, wiring, settings);
    return {all.bytes, all.outside, all.messages, all.cost, units * replicas, gpus * replicas};
}

} // namespace ns3::rails
