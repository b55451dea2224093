// SPDX-License-Identifier: GPL-2.0-only
#include "mirror-exchange.h"

#include <memory>

namespace ns3::rails
{

MirrorExchange::MirrorExchange(const TrainingContext& context,
                               TrainingKind kind,
                               uint32_t stage,
                               uint64_t bytes)
    : CommOp(context.MakeTraits(kind, false)),
      m_context(context),
      m_stage(stage),
      m_bytes(bytes)
{
}

bool
MirrorExchange::TakesPart(uint32_t gpu, uint32_t) const
{
    const uint32_t stage = m_context.GetStage(gpu);
    return stage == m_stage || stage == m_context.GetSpec().GetMirror(m_stage);
}

std::vector<Demand>
MirrorExchange::GetSends(uint32_t gpu, uint32_t) const
{
    const uint32_t other = m_context.GetSpec().GetMirror(m_context.GetStage(gpu));
    return {{m_context.FindPeer(gpu, other), m_bytes}};
}

uint64_t
MirrorExchange::GetReceived(uint32_t, uint32_t) const
{
    return m_bytes;
}

Operation
MakeMirrorExchange(const TrainingContext& context, TrainingKind kind, uint64_t bytes)
{
    Operation operation;
    operation.kind = kind;
    operation.stream = TrainingStream::Data;
    operation.steps = 1;
    operation.isMirrored = true;
    operation.drains = {TrainingStream::Compute};
    operation.makeNode =
        [&context, kind, bytes](uint32_t, const SlotPlace& place, GraphNode& node) {
            node.Move(std::make_shared<const MirrorExchange>(context, kind, place.stage, bytes));
        };
    operation.estimate.bytes = context.CountGpus() * static_cast<double>(bytes);
    operation.estimate.messages = 1;
    return operation;
}

} // namespace ns3::rails
