// SPDX-License-Identifier: GPL-2.0-only
#include "phase-program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Barrier of a region's GPUs, whose circuits are reconfigured for the demands of a phase.
class PhaseCircuitBarrier : public GraphBarrier
{
  public:
    PhaseCircuitBarrier(uint32_t members, std::shared_ptr<const CommOp> transfer)
        : GraphBarrier(members),
          m_transfer(std::move(transfer))
    {
    }

    std::optional<CircuitPurpose> GetPurpose() const override
    {
        return CircuitPurpose{};
    }

    std::vector<Demand> GetAnnounced(uint32_t gpu) const override
    {
        std::map<uint32_t, uint64_t> bytes;
        for (uint32_t step = 0; step < m_transfer->GetTraits().steps; ++step)
        {
            for (const Demand& demand : m_transfer->GetSends(gpu, step))
            {
                bytes[demand.destination] += demand.bytes;
            }
        }
        return ListDemands(bytes, gpu);
    }

  private:
    std::shared_ptr<const CommOp> m_transfer;
};

/// \return the transfer of a phase
/// \param waits true when GPUs wait for new circuits first: servers plan with these
std::shared_ptr<const CommOp>
MakeTransfer(const ScheduledPhase& scheduled, ColumnSumCache& sums, bool waits)
{
    CommOpTraits traits;
    traits.isDataDependent = waits;
    traits.lanes = scheduled.lanes;
    traits.isTimed = !scheduled.steps.empty() && !scheduled.isChained;
    traits.endsWhenReceived = true;
    traits.isAwaited = scheduled.isChained;
    if (scheduled.collective)
    {
        return std::make_shared<const Collective>(*scheduled.collective,
                                                  scheduled.collective->GetBytes(),
                                                  traits);
    }
    std::vector<MatrixTransfer::Step> steps;
    for (const TrafficStep& step : scheduled.GetSteps())
    {
        steps.push_back({step.traffic, sums.Get(step.traffic), step.start});
    }
    return std::make_shared<const MatrixTransfer>(traits, std::move(steps));
}

} // namespace

PhaseProgram::PhaseProgram(WorkloadSchedule schedule, const CircuitTiming& circuits)
    : m_schedule(std::move(schedule)),
      m_barrier(std::make_shared<const GraphBarrier>(m_schedule.shape.GetGpus())),
      m_circuits(circuits)
{
    ColumnSumCache sums;
    uint32_t firstStep = 0;
    std::optional<PhaseKind> there; // kind of the first transfer, for which circuits are configured
    for (const ScheduledPhase& scheduled : m_schedule.phases)
    {
        const auto phase = static_cast<uint32_t>(m_parts.size());
        m_kinds.emplace_back(scheduled.phase.GetName());
        Part& part = m_parts.emplace_back(Part{nullptr, firstStep, nullptr});
        m_places.push_back({phase, Action::Meet});
        if (scheduled.traffic)
        {
            const bool goesBack = there.value_or(scheduled.phase.kind) != scheduled.phase.kind;
            const bool waits = circuits.servers > 0 && (circuits.takesTurns || !goesBack);
            part.transfer = MakeTransfer(scheduled, sums, waits);
            firstStep += part.transfer->GetTraits().steps;
            there = there.value_or(scheduled.phase.kind);
            if (waits)
            {
                part.circuits = std::make_shared<const PhaseCircuitBarrier>(
                    circuits.servers * m_schedule.shape.gpusPerServer,
                    part.transfer);
                m_places.push_back({phase, Action::Announce});
            }
        }
        m_places.push_back({phase, Action::Do});
    }
    m_places.push_back({static_cast<uint32_t>(m_parts.size()), Action::Meet});
}

const ClusterShape&
PhaseProgram::GetShape() const
{
    return m_schedule.shape;
}

uint32_t
PhaseProgram::GetStreams() const
{
    return 1;
}

bool
PhaseProgram::GetNode(uint32_t gpu, uint32_t, uint64_t index, GraphNode& node) const
{
    if (index >= m_places.size())
    {
        return false;
    }
    const auto [phase, action] = m_places[index];
    if (action == Action::Meet)
    {
        node.Meet(m_barrier, 0);
        node.step = phase;
        node.kind = static_cast<uint16_t>(phase > 0 ? phase - 1 : 0);
        return true;
    }
    const Part& part = m_parts[phase];
    node.kind = static_cast<uint16_t>(phase);
    if (action == Action::Announce)
    {
        const uint32_t regions = m_schedule.shape.servers / m_circuits.servers;
        const uint32_t region = m_schedule.shape.GetServer(gpu) / m_circuits.servers;
        node.Meet(part.circuits, m_circuits.delay);
        // Numbers behind those of the barriers of all GPUs.
        node.step = static_cast<uint32_t>(m_parts.size()) + 1 + phase * regions + region;
        return true;
    }
    node.duration = m_schedule.phases[phase].phase.duration;
    if (part.transfer)
    {
        node.Move(part.transfer);
        node.step = part.firstStep;
    }
    return true;
}

uint32_t
PhaseProgram::GetIterations() const
{
    return m_schedule.iterations;
}

TrafficMatrix
PhaseProgram::GetTotal() const
{
    std::vector<std::shared_ptr<const CommOp>> transfers;
    for (const Part& part : m_parts)
    {
        transfers.push_back(part.transfer);
    }
    return AddUp(m_schedule.shape, transfers);
}

std::vector<CollectiveRecord>
PhaseProgram::GetCollectives() const
{
    return m_schedule.collectives;
}

bool
PhaseProgram::HasPhases() const
{
    return true;
}

} // namespace ns3::rails
