// SPDX-License-Identifier: GPL-2.0-only
#include "stage-send.h"

#include <memory>

namespace ns3::rails
{

namespace
{

/// \return bytes that a GPU has for another stage: a vector for each of its tokens
uint64_t
CountBytes(const TrainingPlan& plan)
{
    return uint64_t{plan.GetTokens()} * plan.model.hidden * plan.elementBytes;
}

} // namespace

StageSend::StageSend(const TrainingContext& context, uint32_t from, uint32_t to)
    : GraphTransfer(context.MakeTraits(TrainingKind::Pipeline, false)),
      m_context(context),
      m_from(from),
      m_to(to)
{
}

bool
StageSend::TakesPart(uint32_t gpu, uint32_t) const
{
    const uint32_t stage = m_context.GetStage(gpu);
    return stage == m_from || stage == m_to;
}

std::vector<Demand>
StageSend::GetSends(uint32_t gpu, uint32_t) const
{
    if (m_context.GetStage(gpu) != m_from)
    {
        return {};
    }
    return {{m_context.FindPeer(gpu, m_to), CountBytes(m_context.GetPlan())}};
}

uint64_t
StageSend::GetReceived(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_to ? CountBytes(m_context.GetPlan()) : 0;
}

Operation
MakeStageSend(const TrainingContext& context)
{
    Operation operation;
    operation.kind = TrainingKind::Pipeline;
    operation.stream = TrainingStream::Pipeline;
    operation.steps = 1;
    operation.makeNode = [&context](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.Move(std::make_shared<const StageSend>(context, place.stage, place.sentTo));
    };
    operation.estimate.bytes =
        context.CountGpus() * static_cast<double>(CountBytes(context.GetPlan()));
    operation.estimate.messages = 1;
    return operation;
}

Operation
MakeStageReceipt(const TrainingContext& context)
{
    Operation operation;
    operation.kind = TrainingKind::Pipeline;
    operation.stream = TrainingStream::Communication;
    operation.drains = {TrainingStream::Compute};
    operation.makeNode = [&context](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.step = place.receivedStep;
        node.Move(std::make_shared<const StageSend>(context, place.receivedFrom, place.stage));
    };
    return operation;
}

} // namespace ns3::rails
