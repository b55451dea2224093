// SPDX-License-Identifier: GPL-2.0-only
#include "stage-program.h"

#include "matrix-transfer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the transfer of a stage; null unless it is one
std::shared_ptr<const CommOp>
MakeTransfer(const Stage& stage, ColumnSumCache& sums)
{
    if (stage.type != GraphNode::Type::Transfer)
    {
        return nullptr;
    }
    if (stage.collective)
    {
        return stage.collective;
    }
    CommOpTraits traits;
    traits.isDataDependent = stage.isDataDependent;
    traits.isExchange = stage.isDataDependent;
    std::vector<MatrixTransfer::Step> steps;
    for (const auto& matrix : stage.steps)
    {
        steps.push_back({matrix, sums.Get(matrix)});
    }
    return std::make_shared<const MatrixTransfer>(traits, std::move(steps));
}

} // namespace

StageProgram::StageProgram(const ClusterShape& shape,
                           std::vector<Stage> stages,
                           uint32_t iterations)
    : m_shape(shape),
      m_stages(std::move(stages)),
      m_iterations(iterations),
      m_barrier(std::make_shared<const GraphBarrier>(shape.GetGpus()))
{
    std::vector<std::string> streams;
    ColumnSumCache sums;
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
        m_places.push_back({stream, m_streams[stream].size(), static_cast<uint32_t>(m_steps)});
        m_streams[stream].push_back(number);
        m_kinds.push_back(stage.name);
        m_transfers.push_back(MakeTransfer(stage, sums));
        m_steps += m_transfers.back()                       ? m_transfers.back()->GetTraits().steps
                   : stage.type == GraphNode::Type::Barrier ? 1
                                                            : 0;
    }
    if (m_steps > std::numeric_limits<uint32_t>::max() / std::max(iterations, 1U))
    {
        throw std::logic_error("too many steps");
    }
}

uint32_t
StageProgram::GetStreams() const
{
    return static_cast<uint32_t>(m_streams.size());
}

/// \return the dependency on the end of a stage
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
    node.kind = static_cast<uint16_t>(number);
    node.duration = stage.duration;
    node.step = static_cast<uint32_t>(iteration * m_steps) + m_places[number].firstStep;
    if (stage.type == GraphNode::Type::Barrier)
    {
        node.Meet(m_barrier, stage.duration);
    }
    else if (stage.type == GraphNode::Type::Transfer)
    {
        node.Move(m_transfers[number]);
    }
    for (const std::size_t before : stage.after)
    {
        node.waits.push_back(GetEnd(before, iteration));
    }
    if (index % stages.size() == 0)
    {
        // Wait for every stage of the iteration before.
        for (uint32_t other = 0; other < m_streams.size(); ++other)
        {
            node.waits.push_back({other, iteration * m_streams[other].size()});
        }
    }
    return true;
}

std::vector<CollectiveRecord>
StageProgram::GetCollectives() const
{
    std::vector<CollectiveRecord> records;
    for (std::size_t number = 0; number < m_stages.size(); ++number)
    {
        if (const auto& collective = m_stages[number].collective)
        {
            records.push_back(collective->Describe(static_cast<uint16_t>(number)));
        }
    }
    return records;
}

TrafficMatrix
StageProgram::GetTotal() const
{
    return AddUp(m_shape, m_transfers, m_iterations);
}

} // namespace ns3::rails
