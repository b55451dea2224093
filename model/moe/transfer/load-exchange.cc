// SPDX-License-Identifier: GPL-2.0-only
#include "load-exchange.h"

#include <memory>

namespace ns3::rails
{

namespace
{

constexpr uint64_t kCountBytes = 8; //!< bytes of an expert's token count

} // namespace

LoadExchange::LoadExchange(const TrainingContext& context,
                           What what,
                           uint32_t layer,
                           const SlotPlace& place,
                           bool isBeside)
    : PairTransfer(
          context.MakeTraits(TrainingKind::ExpertCounts, !context.MovesCircuits(), isBeside)),
      m_context(context),
      m_what(what),
      m_layer(layer),
      m_place(place)
{
}

bool
LoadExchange::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_place.stage;
}

const std::vector<uint32_t>&
LoadExchange::GetPartners(uint32_t gpu, uint32_t) const
{
    return m_context.GetExperts().GetMembers(gpu);
}

uint64_t
LoadExchange::CountBytes(uint32_t from, uint32_t, uint32_t) const
{
    const uint64_t ofLayer = kCountBytes * m_context.GetSpec().model.experts;
    switch (m_what)
    {
    case What::Now:
        return ofLayer;
    case What::AtEnd: {
        const ExpertRouting* next = m_context.FindNext(from, m_place.Find(m_layer));
        return next && next->isPlanned ? ofLayer : 0;
    }
    case What::Moves:
        break;
    }
    const uint32_t group = m_context.GetExperts().GetNumber(from);
    return RoundBytes(static_cast<double>(ofLayer) *
                      m_context.GetPlanned().GetDecided(group, m_place.iteration).plannedLayers);
}

Operation
MakeLoadExchange(const TrainingContext& context,
                 LoadExchange::What what,
                 TrainingStream stream,
                 uint32_t layer)
{
    Operation operation;
    operation.kind = TrainingKind::ExpertCounts;
    operation.stream = stream;
    operation.steps = 1;
    operation.makeNode =
        [&context, what, stream, layer](uint32_t, const SlotPlace& place, GraphNode& node) {
            const bool isBeside = stream != TrainingStream::Communication;
            node.Move(std::make_shared<const LoadExchange>(context, what, layer, place, isBeside));
        };
    return operation;
}

} // namespace ns3::rails
