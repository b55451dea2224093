// SPDX-License-Identifier: GPL-2.0-only
#include "stage-program.h"

#include "ns3/matrix-sum.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

StageProgram::StageProgram(const ClusterShape& shape,
                           std::vector<Stage> stages,
                           uint32_t iterations)
    : m_shape(shape),
      m_stages(std::move(stages)),
      m_iterations(iterations)
{
    std::vector<std::string> streams;
    std::map<const TrafficMatrix*, std::shared_ptr<const std::vector<uint64_t>>> received;
    for (std::size_t number = 0; number < m_stages.size(); ++number)
    {
        const Stage& stage = m_stages[number];
        for (const std::size_t before : stage.after)
        {
            if (before >= number)
            {
                throw std::logic_error("stage '" + stage.name + "' is after a later one");
            }
        }
        const auto known = std::find(streams.begin(), streams.end(), stage.stream);
        const auto stream = static_cast<uint32_t>(known - streams.begin());
        if (known == streams.end())
        {
            streams.push_back(stage.stream);
            m_streams.emplace_back();
        }
        m_places.push_back(
            {stream, m_streams[stream].size(), static_cast<uint32_t>(m_stageOfStep.size())});
        m_streams[stream].push_back(number);
        m_kinds.push_back(stage.name);
        for (const auto& matrix : stage.steps)
        {
            auto& sums = received[matrix.get()];
            if (!sums)
            {
                sums = std::make_shared<const std::vector<uint64_t>>(matrix->GetReceived());
            }
            m_received.push_back(sums);
            m_stageOfStep.push_back(number);
        }
        if (stage.type == GraphNode::Type::Barrier)
        {
            m_received.push_back(nullptr);
            m_stageOfStep.push_back(number);
        }
    }
    if (m_stageOfStep.size() > std::numeric_limits<uint32_t>::max() / std::max(iterations, 1U))
    {
        throw std::logic_error("too many steps");
    }
}

const ClusterShape&
StageProgram::GetShape() const
{
    return m_shape;
}

const std::vector<std::string>&
StageProgram::GetKinds() const
{
    return m_kinds;
}

uint32_t
StageProgram::GetStreams() const
{
    return static_cast<uint32_t>(m_streams.size());
}

/// \return what a GPU waits for that waits for the end of a stage
GraphNode::Wait
StageProgram::GetEnd(std::size_t stage, uint64_t iteration) const
{
    const Place& place = m_places[stage];
    return {place.stream, iteration * m_streams[place.stream].size() + place.index + 1};
}

bool
StageProgram::GetNode(uint32_t, uint32_t stream, uint64_t index, GraphNode& node) const
{
    const std::vector<std::size_t>& stages = m_streams[stream];
    const uint64_t iteration = index / stages.size();
    if (iteration >= m_iterations)
    {
        return false;
    }
    const std::size_t number = stages[index % stages.size()];
    const Stage& stage = m_stages[number];
    node.type = stage.type;
    node.kind = static_cast<uint16_t>(number);
    node.duration = stage.duration;
    node.step =
        static_cast<uint32_t>(iteration * m_stageOfStep.size()) + m_places[number].firstStep;
    node.steps = std::max<uint32_t>(1, static_cast<uint32_t>(stage.steps.size()));
    node.lanes = stage.lanes;
    node.isDrawn = stage.isDrawn;
    node.isExchange = stage.isDrawn;
    for (const std::size_t before : stage.after)
    {
        node.waits.push_back(GetEnd(before, iteration));
    }
    if (index % stages.size() == 0)
    {
        // Every stage of the iteration before: their streams have as many nodes each.
        for (uint32_t other = 0; other < m_streams.size(); ++other)
        {
            node.waits.push_back({other, iteration * m_streams[other].size()});
        }
    }
    return true;
}

/// \return the stage of a step, and which of its steps it is
std::pair<std::size_t, uint32_t>
StageProgram::FindStage(uint32_t step) const
{
    const auto inIteration = static_cast<uint32_t>(step % m_stageOfStep.size());
    const std::size_t stage = m_stageOfStep[inIteration];
    return {stage, inIteration - m_places[stage].firstStep};
}

const TrafficMatrix&
StageProgram::GetMatrix(uint32_t step) const
{
    const auto [stage, inStage] = FindStage(step);
    return *m_stages[stage].steps[inStage];
}

uint16_t
StageProgram::GetRail(uint32_t gpu, uint32_t step) const
{
    const auto [stage, inStage] = FindStage(step);
    const auto& getRail = m_stages[stage].getRail;
    return getRail ? getRail(gpu, inStage) : kNoRail;
}

std::vector<Demand>
StageProgram::GetSends(uint32_t gpu, uint32_t step) const
{
    return GetMatrix(step).GetRow(gpu);
}

uint64_t
StageProgram::GetReceived(uint32_t gpu, uint32_t step) const
{
    return (*m_received[step % m_received.size()])[gpu];
}

std::vector<CollectiveRecord>
StageProgram::GetCollectives() const
{
    std::vector<CollectiveRecord> records;
    for (std::size_t number = 0; number < m_stages.size(); ++number)
    {
        const Stage& stage = m_stages[number];
        if (!stage.algorithm.empty())
        {
            records.push_back({static_cast<uint16_t>(number), stage.algorithm, stage.rings});
        }
    }
    return records;
}

std::vector<uint32_t>
StageProgram::GetMembers(uint32_t server, uint32_t) const
{
    std::vector<uint32_t> gpus;
    for (uint32_t gpu = 0; gpu < m_shape.gpusPerDomain; ++gpu)
    {
        gpus.push_back(server * m_shape.gpusPerDomain + gpu);
    }
    return gpus;
}

uint32_t
StageProgram::CountMembers(uint32_t) const
{
    return m_shape.GetGpus();
}

const std::vector<Stage>&
StageProgram::GetStages() const
{
    return m_stages;
}

uint32_t
StageProgram::GetIterations() const
{
    return m_iterations;
}

TimePs
StageProgram::GetComputeTime() const
{
    std::vector<TimePs> ends;
    TimePs last = 0;
    for (std::size_t number = 0; number < m_stages.size(); ++number)
    {
        const Place& place = m_places[number];
        TimePs begin = place.index > 0 ? ends[m_streams[place.stream][place.index - 1]] : 0;
        for (const std::size_t before : m_stages[number].after)
        {
            begin = std::max(begin, ends[before]);
        }
        ends.push_back(AddTimes(begin, m_stages[number].duration));
        last = std::max(last, ends.back());
    }
    return MultiplyTime(last, m_iterations);
}

TrafficMatrix
StageProgram::GetTotal() const
{
    std::map<const TrafficMatrix*, uint64_t> times;
    for (const Stage& stage : m_stages)
    {
        for (const auto& matrix : stage.steps)
        {
            times[matrix.get()] += m_iterations;
        }
    }
    MatrixSum total(m_shape);
    for (const auto& [matrix, often] : times)
    {
        total.Add(*matrix, often);
    }
    return total.Get();
}

} // namespace ns3::rails
