// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-run.h"

#include "ns3/static-circuit-planner.h"

#include <cstddef>

namespace ns3::rails
{

CircuitRun::CircuitRun(const std::shared_ptr<Wiring>& wiring,
                       Ptr<const OpticalOptions> options,
                       const FailurePlan& failures,
                       Ptr<const Engine> engine,
                       bool isLogged,
                       int64_t stream)
    : m_wiring(wiring),
      m_options(options),
      m_isIntact(failures.IsEmpty())
{
    // Before its first demands a region has random circuits (as in the public code of MixNet).
    const Ptr<StaticCircuitPlanner> drawn = CreateObject<StaticCircuitPlanner>();
    const Ptr<CircuitPlanner> asked = options->GetPlanner();
    drawn->AssignStreams(stream + asked->AssignStreams(stream));
    const auto getSent = [engine](uint32_t nic) { return engine->GetSentBytes(nic); };
    m_controller = std::make_unique<CircuitController>(wiring,
                                                       asked,
                                                       options->GetMoves(),
                                                       options->GetDarkPart(),
                                                       failures.MakeSchedule().rules,
                                                       getSent);
    if (isLogged)
    {
        m_log = std::make_unique<CircuitLog>(wiring, getSent);
    }
    m_controller->Lay(asked->GetTraits().followsDemand ? *drawn : *asked);
}

void
CircuitRun::Serve(GraphRunner& runner)
{
    runner.SetPauseCallback([this] { return m_controller->IsBetweenTurns(); });
    if (!m_isIntact)
    {
        // Traffic that servers forward for others may have to take new circuits.
        m_controller->SetLiveCallback([&runner] { runner.Replan(); });
    }
    runner.SetCircuitCallback([this](const GraphRunner::CircuitMove& move) { return Move(move); });
}

/// Reconfigures a region. Notices from its servers to its controller, and back, take one control
/// delay each.
std::vector<TimePs>
CircuitRun::Move(const GraphRunner::CircuitMove& move)
{
    const ClusterShape& shape = m_wiring->GetShape();
    const CircuitController::Times times =
        m_options->FindTimes(move.full, move.purpose.isOnWayBack);
    // GPUs that replace others may all be on spare servers, which have no circuits. Then circuits
    // stay, and the GPUs wait as lower bounds assume.
    std::optional<uint32_t> found;
    for (std::size_t i = 0; !found && i < move.gpus.size(); ++i)
    {
        found = m_controller->FindRegion(shape.GetServer(move.gpus[i]));
    }
    if (!found)
    {
        const bool waits = m_options->IsRegionWaiting();
        return std::vector<TimePs>(move.gpus.size(), waits ? times.told : times.kept);
    }
    const uint32_t region = *found;
    CircuitDemand demand = m_controller->MakeDemand(region);
    const auto isIn = [&](uint32_t gpu) {
        return m_controller->IsIn(region, shape.GetServer(gpu));
    };
    for (const uint32_t gpu : move.gpus)
    {
        for (const Demand& sent : move.barrier.GetAnnounced(gpu))
        {
            if (isIn(gpu) && isIn(sent.destination))
            {
                demand.Add(gpu, sent.destination, sent.bytes);
            }
        }
    }
    const std::vector<bool> waits =
        m_controller->Reconfigure(region, demand, times, move.purpose.isForeseen);
    std::vector<TimePs> goOn;
    for (const uint32_t gpu : move.gpus)
    {
        const uint32_t server = shape.GetServer(gpu);
        const bool isWaiting = isIn(gpu) && waits[m_controller->GetPlace(server)];
        goOn.push_back(isWaiting ? times.told : times.kept);
    }
    return goOn;
}

CircuitController::Record
CircuitRun::GetRecord(const GraphRunner& runner) const
{
    CircuitController::Record record = m_controller->GetRecord();
    if (!m_options->GetPlanner()->GetTraits().followsDemand)
    {
        // Static circuits are never asked for, so they count as they are.
        const CircuitTally& tally = runner.GetCircuitTally();
        record.asked = CircuitController::FindExtent(*m_wiring).regions;
        record.circuits = m_controller->CountStanding();
        record.servedBytes = tally.byCircuits;
        record.totalBytes = tally.bytes;
    }
    return record;
}

std::optional<std::vector<CircuitRecord>>
CircuitRun::List() const
{
    if (!m_log)
    {
        return std::nullopt;
    }
    std::vector<CircuitRecord> records;
    for (const CircuitSpan& span : m_log->Collect())
    {
        records.push_back({span.start,
                           span.end,
                           m_controller->FindRegion(span.from).value(),
                           span.from,
                           span.to,
                           span.circuits,
                           span.bytes,
                           span.dark});
    }
    return records;
}

} // namespace ns3::rails
