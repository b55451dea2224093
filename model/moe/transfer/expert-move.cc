// SPDX-License-Identifier: GPL-2.0-only
#include "expert-move.h"

#include <memory>

namespace ns3::rails
{

ExpertMove::ExpertMove(const TrainingContext& context, const SlotPlace& place)
    : HopTransfer(context.MakeTraits(TrainingKind::ExpertMoves, !context.MovesCircuits()),
                  context,
                  place.stage),
      m_iteration(place.iteration)
{
}

HopTransfer::Hops
ExpertMove::FindHops(uint32_t gpu) const
{
    const uint32_t group = GetContext().GetExperts().GetNumber(gpu);
    return {GetContext().GetPlanned().GetMoves(group, m_iteration).hops, 0};
}

uint64_t
ExpertMove::CountBytes(const CopyHop& hop, const Hops&, uint32_t) const
{
    return hop.bytes;
}

Operation
MakeExpertMove(const TrainingContext& context)
{
    Operation operation;
    operation.kind = TrainingKind::ExpertMoves;
    operation.stream = TrainingStream::Communication;
    operation.steps = 1;
    operation.makeNode = [&context](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.Move(std::make_shared<const ExpertMove>(context, place));
    };
    return operation;
}

} // namespace ns3::rails
