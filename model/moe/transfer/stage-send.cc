// SPDX-License-Identifier: GPL-2.0-only
#include "stage-send.h"

#include <memory>

namespace ns3::rails
{

namespace
{

/// \return bytes from a GPU to another stage. \param vectors per token
uint64_t
CountBytes(const TrainingSpec& spec, uint32_t vectors)
{
    return vectors *
           RoundBytes(double{1} * spec.GetTokens() * spec.model.hidden * spec.bytes.pipeline);
}

} // namespace

StageSend::StageSend(const TrainingContext& context, uint32_t from, uint32_t to, uint32_t vectors)
    : CommOp(context.MakeTraits(TrainingKind::Pipeline, false)),
      m_context(context),
      m_from(from),
      m_to(to),
      m_bytes(CountBytes(context.GetSpec(), vectors))
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
    return {{m_context.FindPeer(gpu, m_to), m_bytes}};
}

uint64_t
StageSend::GetReceived(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_to ? m_bytes : 0;
}

Operation
MakeStageSend(const TrainingContext& context, uint32_t vectors)
{
    Operation operation;
    operation.kind = TrainingKind::Pipeline;
    operation.stream = TrainingStream::Pipeline;
    operation.steps = 1;
    operation.makeNode = [&context, vectors](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.Move(std::make_shared<const StageSend>(context, place.stage, place.sentTo, vectors));
    };
    operation.estimate.bytes =
        context.CountGpus() * static_cast<double>(CountBytes(context.GetSpec(), vectors));
    operation.estimate.messages = 1;
    const ClusterShape& shape = context.GetSpec().shape;
    const uint32_t first = context.ListGpus(0).front();
    operation.estimate.outside =
        shape.GetServer(first) == shape.GetServer(context.FindPeer(first, 1)) ? 0 : 1;
    return operation;
}

Operation
MakeStageReceipt(const TrainingContext& context, uint32_t vectors)
{
    Operation operation;
    operation.kind = TrainingKind::Pipeline;
    operation.stream = TrainingStream::Communication;
    operation.drains = {TrainingStream::Compute};
    operation.makeNode = [&context, vectors](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.step = place.receivedStep;
        node.Move(
            std::make_shared<const StageSend>(context, place.receivedFrom, place.stage, vectors));
    };
    return operation;
}

} // namespace ns3::rails
