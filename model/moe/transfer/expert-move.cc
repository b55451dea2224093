// SPDX-License-Identifier: GPL-2.0-only
#include "expert-move.h"

#include <memory>

namespace ns3::rails
{

ExpertMove::ExpertMove(const TrainingContext& context, const SlotPlace& place)
    : CommOp(context.MakeTraits(TrainingKind::ExpertMoves,
                                !context.MovesCircuits(),
                                context.GetSpec().handling.movesBeside)),
      m_context(context),
      m_place(place)
{
}

bool
ExpertMove::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_place.stage;
}

std::vector<Demand>
ExpertMove::GetSends(uint32_t gpu, uint32_t) const
{
    return ListDemands(m_context.GetPlanned().GetMoves(m_place.iteration).GetSends(gpu), gpu);
}

uint64_t
ExpertMove::GetReceived(uint32_t gpu, uint32_t) const
{
    return m_context.GetPlanned().GetMoves(m_place.iteration).GetReceived(gpu);
}

Operation
MakeExpertMove(const TrainingContext& context)
{
    Operation operation;
    operation.kind = TrainingKind::ExpertMoves;
    operation.stream = context.GetSpec().handling.movesBeside ? TrainingStream::Data
                                                              : TrainingStream::Communication;
    operation.steps = 1;
    operation.makeNode = [&context](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.Move(std::make_shared<const ExpertMove>(context, place));
    };
    return operation;
}

} // namespace ns3::rails
