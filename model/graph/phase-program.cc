// SPDX-License-Identifier: GPL-2.0-only
#include "phase-program.h"

#include "ns3/matrix-sum.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

std::shared_ptr<const PhaseProgram::Columns>
PhaseProgram::SumColumns(const TrafficMatrix& matrix)
{
    const std::vector<uint64_t> received = matrix.GetReceived();
    Columns columns;
    for (uint32_t gpu = 0; gpu < received.size(); ++gpu)
    {
        if (received[gpu] > 0)
        {
            columns.push_back({gpu, received[gpu]});
        }
    }
    return std::make_shared<const Columns>(std::move(columns));
}

PhaseProgram::PhaseProgram(const WorkloadSchedule& schedule)
    : m_shape(schedule.shape),
      m_phases(schedule.phases)
{
    std::map<const TrafficMatrix*, std::shared_ptr<const Columns>> received;
    for (const ScheduledPhase& scheduled : m_phases)
    {
        m_kinds.emplace_back(scheduled.phase.GetName());
        m_firstSteps.push_back(static_cast<uint32_t>(m_steps.size()));
        if (!scheduled.traffic)
        {
            continue;
        }
        for (const TrafficStep& traffic : scheduled.GetSteps())
        {
            auto& sums = received[traffic.traffic.get()];
            sums = sums ? sums : SumColumns(*traffic.traffic);
            m_steps.push_back({traffic, !scheduled.steps.empty() && !scheduled.isChained, sums});
        }
    }
    m_firstSteps.push_back(static_cast<uint32_t>(m_steps.size()));
}

const ClusterShape&
PhaseProgram::GetShape() const
{
    return m_shape;
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
        node.type = GraphNode::Type::Barrier;
        node.step = static_cast<uint32_t>(phase);
        node.kind = static_cast<uint16_t>(phase > 0 ? phase - 1 : 0);
        return phase <= m_phases.size();
    }
    if (phase >= m_phases.size())
    {
        return false;
    }
    const ScheduledPhase& scheduled = m_phases[phase];
    node.kind = static_cast<uint16_t>(phase);
    node.duration = scheduled.phase.duration;
    if (scheduled.traffic)
    {
        node.type = GraphNode::Type::Transfer;
        node.step = m_firstSteps[phase];
        node.steps = m_firstSteps[phase + 1] - node.step;
        node.isTimed = m_steps[node.step].isTimed;
        node.lanes = scheduled.lanes;
        node.isOverWhenGot = true;
        node.isAwaited = scheduled.isChained;
    }
    return true;
}

std::vector<Demand>
PhaseProgram::GetSends(uint32_t gpu, uint32_t step) const
{
    return m_steps[step].traffic.traffic->GetRow(gpu);
}

uint64_t
PhaseProgram::GetReceived(uint32_t gpu, uint32_t step) const
{
    const Columns& columns = *m_steps[step].received;
    const auto found = std::lower_bound(
        columns.begin(),
        columns.end(),
        gpu,
        [](const Demand& column, uint32_t wanted) { return column.destination < wanted; });
    return found != columns.end() && found->destination == gpu ? found->bytes : 0;
}

uint16_t
PhaseProgram::GetRail(uint32_t gpu, uint32_t step) const
{
    const auto next = std::upper_bound(m_firstSteps.begin(), m_firstSteps.end(), step);
    const std::size_t phase = static_cast<std::size_t>(next - m_firstSteps.begin()) - 1;
    const auto& getRail = m_phases[phase].getRail;
    return getRail ? getRail(gpu, step - m_firstSteps[phase]) : kNoRail;
}

TimePs
PhaseProgram::GetStart(uint32_t step) const
{
    return m_steps[step].traffic.start;
}

std::vector<uint32_t>
PhaseProgram::GetMembers(uint32_t server, uint32_t step) const
{
    std::vector<uint32_t> gpus;
    for (uint32_t local = 0; local < m_shape.gpusPerDomain; ++local)
    {
        const uint32_t gpu = server * m_shape.gpusPerDomain + local;
        if (!m_steps[step].isTimed || !m_steps[step].traffic.traffic->GetRow(gpu).empty())
        {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

uint32_t
PhaseProgram::CountMembers(uint32_t) const
{
    return m_shape.GetGpus();
}

TimePs
PhaseProgram::GetComputeTime() const
{
    TimePs time = 0;
    for (const ScheduledPhase& scheduled : m_phases)
    {
        time = AddTimes(time, scheduled.phase.duration);
        time = AddTimes(time, scheduled.steps.empty() ? 0 : scheduled.steps.back().start);
    }
    return time;
}

TrafficMatrix
PhaseProgram::GetTotal() const
{
    std::map<const TrafficMatrix*, uint64_t> times;
    for (const Step& step : m_steps)
    {
        ++times[step.traffic.traffic.get()];
    }
    MatrixSum total(m_shape);
    for (const auto& [matrix, often] : times)
    {
        total.Add(*matrix, often);
    }
    return total.Get();
}

bool
PhaseProgram::HasPhases() const
{
    return true;
}

} // namespace ns3::rails
