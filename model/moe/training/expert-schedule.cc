// SPDX-License-Identifier: GPL-2.0-only
#include "expert-schedule.h"

#include "ns3/expert-move.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3::rails
{

namespace
{

using Counts = LoadExchange::What;

/// Sends replicas as soon as they are planned, blocking or overlapped.
class PromptSchedule : public ExpertSchedule
{
  public:
    PromptSchedule(const TrainingContext& context,
                   const SlotKind& slot,
                   OperationList& operations,
                   Sync sync,
                   bool isBeside)
        : ExpertSchedule(context, slot, operations, std::move(sync)),
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
            SetPlanned(Decide(PlanningOf::Now, layer, GetOperations().GetComputed()));
        }
        Send(layer, isAgain);
    }

    void BehindGate(uint32_t layer, bool isAgain) override
    {
        if (Knows(ExpertKnowledge::Forecast))
        {
            if (!isAgain)
            {
                ExchangeCounts(Counts::AtEnd, TrainingStream::Copies, layer);
            }
            return;
        }
        if (!isAgain)
        {
            SetPlanned(Decide(PlanningOf::Now,
                              layer,
                              ExchangeCounts(Counts::Now, TrainingStream::Communication, layer)));
        }
        Send(layer, isAgain);
    }

    void BeforeWayBack(uint32_t layer) override
    {
        // With recomputation they have already arrived.
        if (!GetSpec().RepeatsExperts())
        {
            Send(layer, true);
        }
    }

    void BehindExpertsBackward(uint32_t layer) override
    {
        m_returned = Copy({true, layer}, m_stream, !m_isBeside);
        Complete(layer, m_returned);
    }

    bool Blocks() const override
    {
        return !m_isBeside;
    }

    void AtEndOfWayBack(uint32_t) override
    {
        if (m_isBeside && m_returned) // not with delayed wgrad
        {
            GetOperations().Join(*std::exchange(m_returned, std::nullopt));
        }
    }

  private:
    void Send(uint32_t layer, bool isAgain)
    {
        const uint32_t sent = Copy({false, layer, Window::All, isAgain}, m_stream, !m_isBeside);
        if (m_isBeside)
        {
            SetWeights(sent);
        }
    }

    TrainingStream m_stream;
    bool m_isBeside;
    std::optional<uint32_t> m_returned; //!< gradients of the layer
};

/**
 * Sends replicas after dispatch and before combine, on the same stream. Only local tokens are
 * computed with replicas (FasterMoE, PPoPP 2022, section 5).
 */
class InterleavedSchedule : public ExpertSchedule
{
  public:
    using ExpertSchedule::ExpertSchedule;

    void BehindGate(uint32_t layer, bool isAgain) override
    {
        if (!isAgain)
        {
            SetPlanned(Decide(PlanningOf::Now,
                              layer,
                              ExchangeCounts(Counts::Now, TrainingStream::Communication, layer)));
        }
    }

    void BehindDispatch(uint32_t layer, bool isAgain) override
    {
        SetWeights(Send({false, layer, Window::All, isAgain}));
    }

    void BeforeWayBack(uint32_t layer) override
    {
        // With recomputation they have already arrived.
        if (!GetSpec().RepeatsExperts())
        {
            SetWeights(Send({false, layer, Window::All, true}));
        }
    }

    void BehindOwnBackward(uint32_t layer) override
    {
        m_returned = Send({true, layer});
    }

    void BehindExpertsBackward(uint32_t layer) override
    {
        Complete(layer, m_returned);
    }

  private:
    uint32_t Send(const CopyTransfer::What& what)
    {
        return Copy(what, TrainingStream::Communication, false);
    }

    uint32_t m_returned{0}; //!< gradients
};

/**
 * Sends replicas in two parts, under experts of the layer before and under the computing between
 * these and the layer; gradients likewise in the backward pass. Nothing hides the transfers of a
 * chunk's first layer (Pro-Prophet, arXiv 2411.10003, section 5).
 */
class HiddenSchedule : public ExpertSchedule
{
  public:
    using ExpertSchedule::ExpertSchedule;

    void BeforeLayer(uint32_t layer, bool isAgain) override
    {
        if (IsFirst(layer) && !isAgain)
        {
            Send({false, layer}, true);
        }
    }

    void BehindGate(uint32_t layer, bool isAgain) override
    {
        if (!isAgain)
        {
            Decide(PlanningOf::Next,
                   layer,
                   ExchangeCounts(Counts::AtEnd, TrainingStream::Copies, layer));
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
            Complete(layer + 1, Send({true, layer + 1, Window::Second}, false));
        }
    }

    void BehindExpertsBackward(uint32_t) override
    {
    }

    void BehindDispatchBackward(uint32_t layer) override
    {
        if (IsFirst(layer))
        {
            Complete(layer, Send({true, layer}, true));
        }
        else
        {
            Send({true, layer, Window::First}, false);
        }
    }

  private:
    uint32_t Send(const CopyTransfer::What& what, bool isAwaited)
    {
        return Copy(what, TrainingStream::Communication, isAwaited);
    }

    void SendNext(uint32_t layer, bool isAgain, Window window)
    {
        if (!isAgain && !IsLast(layer))
        {
            Send({false, layer + 1, window}, false);
        }
    }
};

} // namespace

std::unique_ptr<ExpertSchedule>
ExpertSchedule::Make(const TrainingContext& context,
                     const SlotKind& slot,
                     OperationList& operations,
                     Sync sync)
{
    const ExpertHandling& handling = context.GetSpec().handling;
    const auto knows = [&](ExpertKnowledge knowledge) {
        return !handling.IsPlain() && handling.policy->GetKnowledge() == knowledge;
    };
    if (!knows(ExpertKnowledge::Counts) && !knows(ExpertKnowledge::Forecast))
    {
        return std::make_unique<ExpertSchedule>(context, slot, operations, std::move(sync));
    }
    if (handling.GetCopyTiming() == CopyTiming::Scheduled)
    {
        return std::make_unique<HiddenSchedule>(context, slot, operations, std::move(sync));
    }
    if (context.GetSpec().Interleaves())
    {
        return std::make_unique<InterleavedSchedule>(context, slot, operations, std::move(sync));
    }
    return std::make_unique<PromptSchedule>(context,
                                            slot,
                                            operations,
                                            std::move(sync),
                                            handling.GetCopyTiming() == CopyTiming::Overlapped);
}

ExpertSchedule::ExpertSchedule(const TrainingContext& context,
                               const SlotKind& slot,
                               OperationList& operations,
                               Sync sync)
    : m_context(context),
      m_layers(context.GetSpec().GetLayers(slot.stage, slot.chunk)),
      m_operations(operations),
      m_sync(std::move(sync))
{
}

void
ExpertSchedule::WriteMoves()
{
    if (!Knows(ExpertKnowledge::Past) && !Knows(ExpertKnowledge::Counts))
    {
        return;
    }
    const bool isBeside = GetSpec().handling.movesBeside;
    Operation move = MakeExpertMove(m_context);
    move.after = {Decide(PlanningOf::Moves, 0, ExchangeCounts(Counts::Moves, move.stream, 0))};
    m_operations.Communicate(move, !isBeside);
    if (!isBeside)
    {
        m_operations.Wait();
    }
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
ExpertSchedule::BehindOwnBackward(uint32_t)
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

const TrainingSpec&
ExpertSchedule::GetSpec() const
{
    return m_context.GetSpec();
}

bool
ExpertSchedule::Knows(ExpertKnowledge knowledge) const
{
    const ExpertHandling& handling = GetSpec().handling;
    return !handling.IsPlain() && handling.policy->GetKnowledge() == knowledge;
}

bool
ExpertSchedule::IsFirst(uint32_t layer) const
{
    return layer == std::max(m_layers.first, GetSpec().model.denseLayers);
}

bool
ExpertSchedule::IsLast(uint32_t layer) const
{
    return layer + 1 == m_layers.second;
}

uint32_t
ExpertSchedule::ExchangeCounts(LoadExchange::What what, TrainingStream stream, uint32_t layer)
{
    return m_operations.Communicate(MakeLoadExchange(m_context, what, stream, layer),
                                    stream == TrainingStream::Communication);
}

uint32_t
ExpertSchedule::Decide(PlanningOf what, uint32_t layer, const std::optional<uint32_t>& behind)
{
    Operation operation = MakePlanning(m_context, what, layer);
    if (behind)
    {
        operation.after.push_back(*behind);
    }
    return m_operations.Add(std::move(operation));
}

uint32_t
ExpertSchedule::Copy(const CopyTransfer::What& what, TrainingStream stream, bool isAwaited)
{
    Operation operation = MakeCopyTransfer(m_context, what, stream);
    if (!what.isGradients && m_planned)
    {
        operation.after.push_back(*m_planned);
    }
    if (isAwaited && !m_operations.GetComputed())
    {
        operation.drains = {TrainingStream::Compute}; // nothing precedes it in the slot
    }
    return m_operations.Communicate(std::move(operation), isAwaited);
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
