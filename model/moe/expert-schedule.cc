// SPDX-License-Identifier: GPL-2.0-only
#include "expert-schedule.h"

#include "ns3/copy-hops.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

using Type = Operation::Type;

/// Copies travel when they have been decided, by themselves or beside all else.
class PromptSchedule : public ExpertSchedule
{
  public:
    PromptSchedule(const TrainingPlan& plan,
                   const SlotKind& slot,
                   OperationList& operations,
                   Sync sync,
                   bool isBeside)
        : ExpertSchedule(plan, slot, operations, std::move(sync)),
          m_stream(isBeside ? TrainingStream::Copies : TrainingStream::Communication),
          m_isBeside(isBeside)
    {
    }

    void BeforeLayer(uint32_t layer, bool isAgain) override
    {
        if (!Knows(ExpertKnowledge::Forecast))
        {
            return;
        }
        if (!isAgain)
        {
            SetPlanned(Decide(Type::Plan, layer, GetOperations().GetComputed()));
        }
        Send(layer, isAgain);
    }

    void BehindGate(uint32_t layer, bool isAgain) override
    {
        if (Knows(ExpertKnowledge::Forecast))
        {
            if (!isAgain)
            {
                ExchangeCounts(Type::CountsAtEnd, TrainingStream::Copies, layer);
            }
            return;
        }
        if (!isAgain)
        {
            SetPlanned(
                Decide(Type::Plan,
                       layer,
                       ExchangeCounts(Type::CountsNow, TrainingStream::Communication, layer)));
        }
        Send(layer, isAgain);
    }

    void BeforeWayBack(uint32_t layer) override
    {
        // With recomputation they have come.
        if (!GetPlan().recomputes)
        {
            Send(layer, true);
        }
    }

    void BehindExpertsBackward(uint32_t layer) override
    {
        m_returned = Copy(Type::Gradients, layer, Window::All, m_stream, !m_isBeside);
        Complete(layer, m_returned);
    }

    bool Blocks() const override
    {
        return !m_isBeside;
    }

    void AtEndOfWayBack(uint32_t) override
    {
        if (m_isBeside)
        {
            GetOperations().Join(m_returned);
        }
    }

  private:
    void Send(uint32_t layer, bool isAgain)
    {
        const uint32_t sent =
            Copy(Type::Weights, layer, Window::All, m_stream, !m_isBeside, isAgain);
        if (m_isBeside)
        {
            SetWeights(sent);
        }
    }

    TrainingStream m_stream;
    bool m_isBeside;
    uint32_t m_returned{0}; //!< gradients
};

/**
 * Copies known before the layer travel in two parts, under experts of the layer before and under
 * what is computed between these and the layer; their gradients likewise on the way back. The first
 * layer of a chunk has nothing to hide them (Pro-Prophet, arXiv 2411.10003, section 5).
 */
class HiddenSchedule : public ExpertSchedule
{
  public:
    using ExpertSchedule::ExpertSchedule;

    void BeforeLayer(uint32_t layer, bool isAgain) override
    {
        if (IsFirst(layer) && !isAgain)
        {
            Send(Type::Weights, layer, Window::All, true);
        }
    }

    void BehindGate(uint32_t layer, bool isAgain) override
    {
        if (!isAgain)
        {
            Decide(Type::PlanNext,
                   layer,
                   ExchangeCounts(Type::CountsAtEnd, TrainingStream::Copies, layer));
        }
    }

    void BehindDispatch(uint32_t layer, bool isAgain) override
    {
        SendNext(layer, isAgain, Window::First);
    }

    void BehindCombine(uint32_t layer, bool isAgain) override
    {
        SendNext(layer, isAgain, Window::Second);
    }

    void BehindCombineBackward(uint32_t layer) override
    {
        if (!IsLast(layer))
        {
            Complete(layer + 1, Send(Type::Gradients, layer + 1, Window::Second, false));
        }
    }

    void BehindExpertsBackward(uint32_t) override
    {
    }

    void BehindDispatchBackward(uint32_t layer) override
    {
        if (IsFirst(layer))
        {
            Complete(layer, Send(Type::Gradients, layer, Window::All, true));
        }
        else
        {
            Send(Type::Gradients, layer, Window::First, false);
        }
    }

  private:
    uint32_t Send(Type type, uint32_t layer, Window window, bool isAwaited)
    {
        return Copy(type, layer, window, TrainingStream::Communication, isAwaited);
    }

    void SendNext(uint32_t layer, bool isAgain, Window window)
    {
        if (!isAgain && !IsLast(layer))
        {
            Send(Type::Weights, layer + 1, window, false);
        }
    }
};

} // namespace

std::unique_ptr<ExpertSchedule>
ExpertSchedule::Make(const TrainingPlan& plan,
                     const SlotKind& slot,
                     OperationList& operations,
                     Sync sync)
{
    const ExpertHandling& handling = plan.handling;
    const auto knows = [&](ExpertKnowledge knowledge) {
        return !handling.IsPlain() && handling.policy->GetKnowledge() == knowledge;
    };
    if (!knows(ExpertKnowledge::Counts) && !knows(ExpertKnowledge::Forecast))
    {
        return std::make_unique<ExpertSchedule>(plan, slot, operations, std::move(sync));
    }
    if (handling.GetCopyTiming() == CopyTiming::Scheduled)
    {
        return std::make_unique<HiddenSchedule>(plan, slot, operations, std::move(sync));
    }
    return std::make_unique<PromptSchedule>(plan,
                                            slot,
                                            operations,
                                            std::move(sync),
                                            handling.GetCopyTiming() == CopyTiming::Overlapped);
}

ExpertSchedule::ExpertSchedule(const TrainingPlan& plan,
                               const SlotKind& slot,
                               OperationList& operations,
                               Sync sync)
    : m_plan(plan),
      m_layers(plan.GetLayers(slot.stage, slot.chunk)),
      m_operations(operations),
      m_sync(std::move(sync))
{
    if (!plan.handling.IsPlain())
    {
        const ClusterView group{plan.ep * plan.handling.merged};
        m_copySteps =
            CountTurns(group, plan.handling.policy->GetCopyWay()) - 1 + plan.handling.CountPieces();
    }
}

void
ExpertSchedule::WriteMoves()
{
    if (!Knows(ExpertKnowledge::Past) && !Knows(ExpertKnowledge::Counts))
    {
        return;
    }
    Operation move;
    move.type = Type::Move;
    move.kind = TrainingKind::ExpertMoves;
    move.stream = TrainingStream::Communication;
    move.steps = 1;
    move.after = {Decide(Type::PlanMoves,
                         0,
                         ExchangeCounts(Type::CountsOfMoves, TrainingStream::Communication, 0))};
    m_operations.Communicate(move);
    m_operations.Wait();
}

bool
ExpertSchedule::Blocks() const
{
    return false;
}

void
ExpertSchedule::BeforeLayer(uint32_t, bool)
{
}

void
ExpertSchedule::BehindGate(uint32_t, bool)
{
}

void
ExpertSchedule::BehindDispatch(uint32_t, bool)
{
}

void
ExpertSchedule::BehindCombine(uint32_t, bool)
{
}

void
ExpertSchedule::BeforeWayBack(uint32_t)
{
}

void
ExpertSchedule::BehindCombineBackward(uint32_t)
{
}

void
ExpertSchedule::BehindExpertsBackward(uint32_t layer)
{
    Complete(layer, std::nullopt);
}

void
ExpertSchedule::BehindDispatchBackward(uint32_t)
{
}

void
ExpertSchedule::AtEndOfWayBack(uint32_t)
{
}

const std::optional<uint32_t>&
ExpertSchedule::GetPlanned() const
{
    return m_planned;
}

std::optional<uint32_t>
ExpertSchedule::TakePlanned()
{
    return std::exchange(m_planned, std::nullopt);
}

std::optional<uint32_t>
ExpertSchedule::TakeWeights()
{
    return std::exchange(m_weights, std::nullopt);
}

OperationList&
ExpertSchedule::GetOperations()
{
    return m_operations;
}

const TrainingPlan&
ExpertSchedule::GetPlan() const
{
    return m_plan;
}

bool
ExpertSchedule::Knows(ExpertKnowledge knowledge) const
{
    return !m_plan.handling.IsPlain() && m_plan.handling.policy->GetKnowledge() == knowledge;
}

bool
ExpertSchedule::IsFirst(uint32_t layer) const
{
    return layer == std::max(m_layers.first, m_plan.model.denseLayers);
}

bool
ExpertSchedule::IsLast(uint32_t layer) const
{
    return layer + 1 == m_layers.second;
}

uint32_t
ExpertSchedule::ExchangeCounts(Type type, TrainingStream stream, uint32_t layer)
{
    Operation operation;
    operation.type = type;
    operation.kind = TrainingKind::ExpertCounts;
    operation.stream = stream;
    operation.layer = layer;
    operation.steps = 1;
    return m_operations.Communicate(operation, stream == TrainingStream::Communication);
}

uint32_t
ExpertSchedule::Decide(Type type, uint32_t layer, const std::optional<uint32_t>& behind)
{
    Operation operation;
    operation.type = type;
    operation.kind = TrainingKind::ExpertPlanning;
    operation.stream = TrainingStream::Planning;
    operation.layer = layer;
    if (behind)
    {
        operation.after.push_back(*behind);
    }
    return m_operations.Add(operation);
}

uint32_t
ExpertSchedule::Copy(Type type,
                     uint32_t layer,
                     Window window,
                     TrainingStream stream,
                     bool isAwaited,
                     bool isAgain)
{
    const bool isWeights = type == Type::Weights;
    Operation operation;
    operation.type = type;
    operation.kind = isWeights ? TrainingKind::ExpertWeights : TrainingKind::ExpertGradients;
    operation.stream = stream;
    operation.layer = layer;
    operation.window = window;
    operation.isAgain = isAgain;
    operation.steps = m_copySteps;
    if (isWeights && m_planned)
    {
        operation.after.push_back(*m_planned);
    }
    if (isAwaited && !m_operations.GetComputed())
    {
        operation.drains = {TrainingStream::Compute}; // the first of a slot
    }
    return m_operations.Communicate(operation, isAwaited);
}

void
ExpertSchedule::SetPlanned(uint32_t operation)
{
    m_planned = operation;
}

void
ExpertSchedule::SetWeights(uint32_t operation)
{
    m_weights = operation;
}

void
ExpertSchedule::Complete(uint32_t layer, const std::optional<uint32_t>& behind)
{
    m_sync(layer, behind);
}

} // namespace ns3::rails
