// SPDX-License-Identifier: GPL-2.0-only
#include "phase-program.h"

#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return what a phase moves. \param sums of columns that are known
std::shared_ptr<const MatrixTransfer>
MakeTransfer(const ScheduledPhase& scheduled, ColumnSumCache& sums)
{
    TransferTraits traits;
    traits.lanes = scheduled.lanes;
    traits.isTimed = !scheduled.steps.empty() && !scheduled.isChained;
    traits.endsWhenReceived = true;
    traits.isAwaited = scheduled.isChained;
    std::vector<MatrixTransfer::Step> steps;
    for (const TrafficStep& step : scheduled.GetSteps())
    {
        steps.push_back({step.traffic, sums.Get(step.traffic), step.start});
    }
    return std::make_shared<const MatrixTransfer>(traits, std::move(steps), scheduled.getRail);
}

} // namespace

PhaseProgram::PhaseProgram(WorkloadSchedule schedule)
    : m_schedule(std::move(schedule)),
      m_barrier(std::make_shared<const GraphBarrier>(m_schedule.shape.GetGpus()))
{
    ColumnSumCache sums;
    uint32_t firstStep = 0;
    for (const ScheduledPhase& scheduled : m_schedule.phases)
    {
        m_kinds.emplace_back(scheduled.phase.GetName());
        Part& part = m_parts.emplace_back(Part{nullptr, firstStep});
        if (scheduled.traffic)
        {
            part.transfer = MakeTransfer(scheduled, sums);
            firstStep += part.transfer->GetTraits().steps;
        }
    }
}

const ClusterShape&
PhaseProgram::GetShape() const
{
    return m_schedule.shape;
}

const std::vector<std::string>&
PhaseProgram::GetKinds() const
{
    return m_kinds;
}

uint32_t
PhaseProgram::GetStreams() const
{
    return 1;
}

bool
PhaseProgram::GetNode(uint32_t, uint32_t, uint64_t index, GraphNode& node) const
{
    const std::size_t phase = index / 2;
    if (index % 2 == 0)
    {
        node.Meet(m_barrier, 0);
        node.step = static_cast<uint32_t>(phase);
        node.kind = static_cast<uint16_t>(phase > 0 ? phase - 1 : 0);
        return phase <= m_parts.size();
    }
    if (phase >= m_parts.size())
    {
        return false;
    }
    const Part& part = m_parts[phase];
    node.kind = static_cast<uint16_t>(phase);
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

WorkloadSchedule
PhaseProgram::GetSchedule() const
{
    return m_schedule;
}

TrafficMatrix
PhaseProgram::GetTotal() const
{
    std::vector<std::shared_ptr<const MatrixTransfer>> transfers;
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
