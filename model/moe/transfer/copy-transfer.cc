// SPDX-License-Identifier: GPL-2.0-only
#include "copy-transfer.h"

#include "ns3/copy-hops.h"
#include "ns3/even-parts.h"

#include <cmath>
#include <memory>

namespace ns3::rails
{

namespace
{

TrainingKind
GetKind(const CopyTransfer::What& what)
{
    return what.isGradients ? TrainingKind::ExpertGradients : TrainingKind::ExpertWeights;
}

CommOpTraits
MakeTraits(const TrainingContext& context, const CopyTransfer::What& what)
{
    CommOpTraits traits =
        context.MakeTraits(GetKind(what), !context.MovesCircuits(), what.isBeside);
    traits.steps = CopyTransfer::CountSteps(context.GetSpec());
    return traits;
}

/// \return share of the chunks that is sent
double
FindShare(const CopyTransfer::What& what, const PlanSample& sample, double share)
{
    const double part = what.isAgain ? sample.fetchedAgain : 1;
    switch (what.window)
    {
    case CopyTransfer::Window::First:
        return part * share;
    case CopyTransfer::Window::Second:
        return part * (1 - share);
    case CopyTransfer::Window::All:
        break;
    }
    return part;
}

Operation::Estimate
EstimateCopies(const TrainingContext& context, const CopyTransfer::What& what)
{
    const PlanSample* sample = context.GetSample();
    if (!sample)
    {
        return {};
    }
    const PlanSample::Copies& copies = what.isGradients ? sample->gradients : sample->weights;
    const double part = FindShare(what, *sample, copies.share);
    Operation::Estimate estimate;
    estimate.messages =
        part * copies.peers * context.GetSpec().handling.CountPieces() + copies.turns;
    estimate.bytes = part * copies.bytes * context.CountGpus();
    estimate.outside = copies.outside;
    return estimate;
}

} // namespace

CopyTransfer::CopyTransfer(const TrainingContext& context, const What& what, const SlotPlace& place)
    : HopTransfer(MakeTraits(context, what), context, place.stage),
      m_what(what),
      m_place(place)
{
}

uint32_t
CopyTransfer::CountSteps(const TrainingSpec& spec)
{
    const ClusterView group{spec.ep * spec.handling.merged};
    return CountTurns(group, spec.handling.policy->GetTraits().copyWay) - 1 +
           spec.handling.CountPieces();
}

HopTransfer::Hops
CopyTransfer::FindHops(uint32_t gpu) const
{
    static const CopyTraffic none;
    // PlannedDispatch keeps the routing.
    const ExpertRouting& routing = *GetContext().GetRouting(gpu, m_place.Find(m_what.layer));
    if (m_what.isGradients)
    {
        return {routing.gradients.hops, routing.gradients.share};
    }
    const CopyTraffic& weights = m_what.isAgain && !routing.fetchesAgain ? none : routing.weights;
    return {weights.hops, weights.share};
}

uint64_t
CopyTransfer::CountBytes(const CopyHop& hop, const Hops& hops, uint32_t step) const
{
    const uint32_t pieces = GetContext().GetSpec().handling.CountPieces();
    const auto cut = static_cast<uint32_t>(std::lround(hops.share * pieces));
    const uint32_t first = m_what.window == Window::Second ? cut : 0;
    const uint32_t end = m_what.window == Window::First ? cut : pieces;
    const uint32_t piece = first + step - hop.turn;
    return step >= hop.turn && piece < end ? GetPart(hop.bytes, pieces, piece) : 0;
}

Operation
MakeCopyTransfer(const TrainingContext& context, CopyTransfer::What what, TrainingStream stream)
{
    what.isBeside = stream == TrainingStream::Copies;
    Operation operation;
    operation.kind = GetKind(what);
    operation.stream = stream;
    operation.steps = CopyTransfer::CountSteps(context.GetSpec());
    operation.estimate = EstimateCopies(context, what);
    operation.makeNode = [&context, what](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.Move(std::make_shared<const CopyTransfer>(context, what, place));
    };
    return operation;
}

} // namespace ns3::rails
