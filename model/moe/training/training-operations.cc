// SPDX-License-Identifier: GPL-2.0-only
#include "training-operations.h"

#include "expert-schedule.h"
#include "operation-list.h"
#include "training-computing.h"

#include "ns3/circuit-move.h"
#include "ns3/collective-transfer.h"
#include "ns3/layer-work.h"
#include "ns3/mirror-exchange.h"
#include "ns3/server-exchange.h"
#include "ns3/stage-send.h"
#include "ns3/tensor-exchange.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Group = TrainingGroup;
using Collective = GroupCollective::Operation;

/// Bytes of states that a step of the optimizer reads and writes for a parameter. It reads the
/// gradient and writes the parameter besides.
constexpr double kStateBytes = 2 * kOptimizerBytes;

/// Bytes that the norm of gradients takes: few, but some in each step of a tree of many GPUs.
constexpr uint64_t kNormBytes = 4096;

/// Writes the operations of a slot, one after the other.
class SlotWriter
{
  public:
    SlotWriter(const TrainingContext& context,
               TrainingCollectives& collectives,
               const ReplicaCollectives& replicas,
               const SlotKind& slot)
        : m_context(context),
          m_plan(context.GetPlan()),
          m_collectives(collectives),
          m_replicas(replicas),
          m_slot(slot),
          m_delays(slot.part == SlotPart::Backward && m_plan.schedule->DelaysWeights()),
          m_back(slot.part == SlotPart::BackwardInputs || m_delays ? Pass::Inputs : Pass::Backward),
          m_part(static_cast<int32_t>(m_plan.GetPart(slot.stage, slot.chunk))),
          m_lastPart(static_cast<int32_t>(m_plan.CountParts()) - 1),
          m_isLast(m_part == m_lastPart),
          m_schedule(
              ExpertSchedule::Make(context,
                                   slot,
                                   m_list,
                                   [this](uint32_t layer, const std::optional<uint32_t>& behind) {
                                       SyncExperts(layer, behind);
                                   }))
    {
    }

    SlotOperations Write()
    {
        const auto [first, end] = m_plan.GetLayers(m_slot.stage, m_slot.chunk);
        ListGathered(first, end);
        switch (m_slot.part)
        {
        case SlotPart::Begin:
            m_schedule->WriteMoves();
            break;
        case SlotPart::Forward:
            m_list.BeginPiece(0, LayerPiece::Attention);
            ReceiveOver(m_part - 1);
            for (uint32_t layer = first; layer < end; ++layer)
            {
                m_list.SetLayer(layer);
                TakeGathered();
                WriteForward(layer, false);
            }
            m_list.SetLayer(std::nullopt);
            TakeGathered();
            if (!m_isLast)
            {
                KeepTurn();
                SendOver(m_part);
            }
            m_list.BeginPiece(end - first, LayerPiece::Attention);
            Head(m_isLast, Pass::Forward);
            break;
        case SlotPart::Backward:
        case SlotPart::BackwardInputs:
            Gather();
            ReceiveOver(m_part);
            Head(m_isLast, m_delays ? Pass::Backward : m_back);
            for (uint32_t layer = end; layer-- > first;)
            {
                m_list.SetLayer(layer);
                TakeGathered();
                BeginPiece(layer, LayerPiece::CombineBackward);
                WriteAgain(layer);
                WriteBackward(layer);
            }
            m_list.SetLayer(std::nullopt);
            KeepTurn();
            SyncEnds();
            if (m_list.HasJoined())
            {
                m_list.Wait();
            }
            SendOver(m_part - 1);
            if (m_delays && first < end)
            {
                m_list.SetLayer(first);
                WriteAttentionWeights(first); // while the stage before is sent what it waits for
                m_list.SetLayer(std::nullopt);
            }
            SyncRest();
            break;
        case SlotPart::BackwardWeights:
            Head(m_isLast, Pass::Weights);
            for (uint32_t layer = end; layer-- > first;)
            {
                m_list.SetLayer(layer);
                WriteWeights(layer);
            }
            m_list.SetLayer(std::nullopt);
            KeepTurn();
            SyncEnds();
            SyncRest();
            break;
        case SlotPart::Update:
            WriteUpdate();
            break;
        }
        return m_list.Get();
    }

  private:
    /// \return a number that nothing else has that the stage computes for a micro-batch
    uint64_t TakeDraw()
    {
        constexpr uint32_t bits = 32;
        return static_cast<uint64_t>(m_slot.part) << bits | m_draws++;
    }

    /// Gradients that are complete and have not been sent.
    struct Waiting
    {
        double bytes{0};
        std::optional<uint32_t> behind{}; //!< the last computing of them
    };

    /// Parameters that are gathered together for what is computed with them.
    struct Gathered
    {
        double dense;
        double experts;
        std::optional<uint32_t> denseBy{};
        std::optional<uint32_t> expertsBy{};
    };

    /// Computing waits for the communication before it that it needs.
    void Compute(TrainingKind kind, const Work& work)
    {
        m_list.Compute(MakeComputing(m_context, kind, m_plan.compute->GetTime(work), TakeDraw()));
    }

    Operation Collect(TrainingKind kind, Group group, Collective collective, uint64_t bytes)
    {
        return MakeCollective(m_context,
                              kind,
                              m_collectives.Choose(kind, group, collective, bytes),
                              bytes);
    }

    /// All-gather before, or reduce-scatter behind, what a tensor-parallel group computes together.
    void Tensor(Collective collective)
    {
        if (m_plan.tp < 2)
        {
            return;
        }
        m_list.Communicate(Collect(
            TrainingKind::Tensor,
            Group::Tensor,
            collective,
            RoundBytes(m_plan.GetGroupTokens() * m_plan.model.hidden * m_plan.bytes.tensor)));
    }

    /**
     * Circuits are moved to where tokens will go, when what goes by those of before is over.
     * \param behind what has to be over as well
     * \param way of the exchange that they are for
     * \param cause what they are moved for
     */
    void MoveCircuits(uint32_t layer,
                      const std::vector<std::optional<uint32_t>>& behind,
                      TokenWay way,
                      CircuitCause cause = CircuitCause::Forward)
    {
        const bool isForeseen = cause == CircuitCause::Foreseen;
        if (isForeseen && !m_foresight)
        {
            m_foresight = std::make_shared<LoadForesight>(m_context);
        }
        Operation operation = MakeCircuitMove(m_context, m_foresight, layer, way, cause);
        const auto waitFor = [&](const std::optional<uint32_t>& before) {
            if (before)
            {
                operation.after.push_back(*before);
            }
        };
        std::for_each(behind.begin(), behind.end(), waitFor);
        if (!isForeseen)
        {
            waitFor(m_schedule->GetPlanned());
        }
        m_moved = m_list.Add(std::move(operation));
    }

    /// Full-duplex circuits are moved to where tokens will go, and serve what comes back as well.
    /// \param behind computing that has to be over; without it they move beside what is computed
    void MoveDuplex(uint32_t layer,
                    const std::optional<uint32_t>& behind,
                    CircuitCause cause = CircuitCause::Forward)
    {
        if (m_context.MovesCircuits() && !m_plan.circuits.takesTurns)
        {
            MoveCircuits(layer, {m_exchanged, behind}, TokenWay::There, cause);
        }
    }

    /// Tokens go to their experts, or back.
    void Route(TokenWay way, TrainingKind kind, uint32_t layer)
    {
        if (m_plan.ep * m_plan.handling.merged < 2)
        {
            return;
        }
        if (!m_plan.deduplicates)
        {
            MoveForTurn(way, layer);
            Exchange(MakeTokenExchange(m_context, kind, layer, way));
            return;
        }
        if (const uint32_t pieces = CountExchangePieces(m_context, way); pieces > 1)
        {
            MoveForTurn(way, layer);
            Exchange(MakeServerExchange(m_context, kind, layer, way, pieces));
            return;
        }
        const auto go = [&](ServerExchange::Leg leg) {
            if (leg == ServerExchange::Leg::Across)
            {
                MoveForTurn(way, layer);
            }
            Exchange(MakeServerExchange(m_context, kind, layer, way, leg));
        };
        const bool isThere = way == TokenWay::There;
        go(isThere ? ServerExchange::Leg::Across : ServerExchange::Leg::Inside);
        go(isThere ? ServerExchange::Leg::Inside : ServerExchange::Leg::Across);
    }

    /// GPUs that share an expert exchange its tokens.
    void Share(TokenWay way, uint32_t layer)
    {
        if (m_plan.etp > 1)
        {
            Exchange(MakeTensorExchange(m_context, layer, way));
        }
    }

    /// Circuits that serve one exchange after the other are moved for each.
    void MoveForTurn(TokenWay way, uint32_t layer)
    {
        if (m_plan.circuits.takesTurns)
        {
            MoveCircuits(layer, {m_exchanged, m_list.GetComputed(), m_list.GetAwaited()}, way);
        }
    }

    void Exchange(Operation operation)
    {
        if (m_plan.schedule->Overlaps())
        {
            operation.stream = TrainingStream::Exchange;
        }
        if (const std::optional<uint32_t> planned = m_schedule->TakePlanned())
        {
            operation.after.push_back(*planned);
        }
        if (const std::optional<uint32_t> moved = std::exchange(m_moved, std::nullopt))
        {
            operation.after.push_back(*moved);
        }
        m_exchanged = m_list.Communicate(std::move(operation));
    }

    /**
     * The host launches the kernels of a layer, which is not over before. Forward it waits for the
     * gate of the layer before, that says how many tokens experts have.
     */
    void Launch(uint32_t layer, Pass pass)
    {
        if (m_plan.compute->GetLaunch() == 0)
        {
            return;
        }
        Operation operation = MakeLaunch(GetLaunchTime(m_plan, layer, pass));
        if (pass == Pass::Forward && m_gated)
        {
            operation.after.push_back(*m_gated);
        }
        m_launched = m_list.Add(std::move(operation));
    }

    /// What is computed next is the last of its layer.
    void JoinLaunch()
    {
        if (const std::optional<uint32_t> launched = std::exchange(m_launched, std::nullopt))
        {
            m_list.Join(*launched);
        }
    }

    void AttentionPiece(AttentionPart part, Pass pass)
    {
        Compute(TrainingKind::Attention, MakeAttentionWork(m_plan, part, pass));
    }

    /// Keys and values go round while the attention of what is there is computed.
    /// \param part all of it, or the core alone
    void Attention(Pass pass, AttentionPart part = AttentionPart::Whole)
    {
        if (m_plan.cp == 1)
        {
            AttentionPiece(part, pass);
            return;
        }
        const bool isForward = pass == Pass::Forward;
        const bool isWhole = part == AttentionPart::Whole;
        if (isWhole)
        {
            AttentionPiece(isForward ? AttentionPart::Inputs : AttentionPart::Outputs, pass);
        }
        const double times = isForward ? 1 : 2;
        const double block = m_plan.GetGroupTokens() * m_plan.model.GetKvElements(m_plan.tp);
        // On the way back their gradients go with them.
        m_list.Communicate(
            Collect(TrainingKind::Context,
                    Group::Context,
                    Collective::AllGather,
                    RoundBytes(std::round(block * times) * m_plan.bytes.context) * m_plan.cp));
        const std::optional<uint32_t> ring = m_list.ExchangeAwaited(std::nullopt);
        AttentionPiece(AttentionPart::Core, pass);
        m_list.ExchangeAwaited(ring);
        if (isWhole)
        {
            AttentionPiece(isForward ? AttentionPart::Outputs : AttentionPart::Inputs, pass);
        }
    }

    /// Of a layer that predicts a token more: its vector and that token's embedding become one.
    void Predict(uint32_t layer, Pass pass)
    {
        if (m_plan.model.IsPrediction(layer))
        {
            Compute(TrainingKind::Attention, MakePredictionWork(m_plan, pass));
        }
    }

    /// \param part of their tokens, see MakeExpertComputing()
    void Experts(uint32_t layer, Pass pass, const std::optional<uint32_t>& part = std::nullopt)
    {
        Operation operation = MakeExpertComputing(m_context, layer, pass, TakeDraw(), part);
        const bool hasCopies = !part || *part == m_plan.CountExchangeParts();
        if (const std::optional<uint32_t> weights =
                hasCopies ? m_schedule->TakeWeights() : std::nullopt)
        {
            operation.after.push_back(*weights);
        }
        if (const auto gathered = std::exchange(m_gatheredExperts, std::nullopt))
        {
            operation.after.push_back(*gathered);
        }
        m_list.Compute(std::move(operation));
    }

    /**
     * Experts compute what comes from some GPUs while tokens of the next are on their way, and send
     * it back when all have come. What a GPU has of its own it computes when copies are there:
     * forward at last; on the way back at first, as the gradients of copies go before the others.
     * \param before what shared experts wait for
     */
    void Interleave(uint32_t layer, Pass pass, bool isAgain, const std::optional<uint32_t>& before)
    {
        const bool isForward = pass == Pass::Forward;
        const std::optional<uint32_t> behind = m_list.GetAwaited();
        if (!isForward)
        {
            m_schedule->BeforeWayBack(layer);
        }
        const uint32_t parts = m_plan.CountExchangeParts();
        std::vector<uint32_t> come;
        for (uint32_t part = 0; part < parts; ++part)
        {
            Exchange(MakeTokenExchange(m_context,
                                       isForward ? TrainingKind::Dispatch
                                                 : TrainingKind::CombineBackward,
                                       layer,
                                       TokenWay::There,
                                       part));
            come.push_back(*m_exchanged);
        }
        if (isForward)
        {
            m_schedule->BehindDispatch(layer, isAgain);
        }
        SharedBesideTokens(before, pass);
        if (isForward)
        {
            JoinLaunch();
        }
        else
        {
            m_list.ExchangeAwaited(behind);
            Experts(layer, pass, parts);
            m_schedule->BehindOwnBackward(layer);
        }
        std::vector<uint32_t> computed;
        for (uint32_t part = 0; part < parts; ++part)
        {
            m_list.ExchangeAwaited(come[part]);
            Experts(layer, pass, part);
            computed.push_back(*m_list.GetComputed());
        }
        if (isForward)
        {
            Experts(layer, pass, parts);
        }
        else
        {
            m_schedule->BehindExpertsBackward(layer);
        }
        const std::optional<uint32_t> last = m_list.GetComputed();
        for (uint32_t part = 0; part < parts; ++part)
        {
            m_list.SetComputed(computed[part]);
            Exchange(MakeTokenExchange(m_context,
                                       isForward ? TrainingKind::Combine
                                                 : TrainingKind::DispatchBackward,
                                       layer,
                                       TokenWay::Back,
                                       part));
        }
        m_list.SetComputed(last);
    }

    void Gate(Pass pass)
    {
        Compute(TrainingKind::Gate, MakeGateWork(m_plan, pass));
        m_gated = m_list.GetComputed();
    }

    void Dense(Pass pass)
    {
        Compute(TrainingKind::Dense, MakeDenseWork(m_plan, pass));
    }

    /// \param before what shared experts wait for if copies travel beside them
    /// \return what they wait for
    std::optional<uint32_t> FindWait(const std::optional<uint32_t>& before) const
    {
        return m_schedule->Blocks() ? m_list.GetAwaited() : before;
    }

    void SharedExperts(Pass pass)
    {
        if (m_plan.model.sharedFfn > 0)
        {
            Compute(TrainingKind::Shared, MakeSharedWork(m_plan, pass));
        }
    }

    /// Shared experts are computed while tokens travel to the others. \param before what they wait
    /// for
    void SharedBesideTokens(const std::optional<uint32_t>& before, Pass pass)
    {
        if (!m_plan.schedule->Overlaps())
        {
            const std::optional<uint32_t> tokens = m_list.ExchangeAwaited(before);
            SharedExperts(pass);
            m_list.ExchangeAwaited(tokens);
        }
    }

    /// Where another micro-batch computes meanwhile, they belong to the gate (Megatron-LM).
    void SharedBesideGate(Pass pass)
    {
        if (m_plan.schedule->Overlaps())
        {
            SharedExperts(pass);
        }
    }

    bool IsDense(uint32_t layer) const
    {
        return layer < m_plan.model.denseLayers;
    }

    /// What is written next is a piece of a layer.
    void BeginPiece(uint32_t layer, LayerPiece piece)
    {
        const auto [first, end] = m_plan.GetLayers(m_slot.stage, m_slot.chunk);
        const bool isForward = m_slot.part == SlotPart::Forward;
        m_list.BeginPiece(isForward ? layer - first : end - 1 - layer, piece);
    }

    /// What goes forward again on the way back is of the piece that it is for.
    void BeginForward(uint32_t layer, LayerPiece piece, bool isAgain)
    {
        if (!isAgain)
        {
            BeginPiece(layer, piece);
        }
    }

    /// \param isAgain on the way back, of what was not kept
    void WriteForward(uint32_t layer, bool isAgain)
    {
        BeginForward(layer, LayerPiece::Attention, isAgain);
        Predict(layer, Pass::Forward);
        if (!IsDense(layer))
        {
            PrepareExperts(layer, isAgain);
        }
        Launch(layer, Pass::Forward);
        Tensor(Collective::AllGather);
        Attention(Pass::Forward);
        Tensor(Collective::ReduceScatter);
        WriteNetwork(layer, isAgain);
    }

    /// What experts of a layer need before its gate.
    void PrepareExperts(uint32_t layer, bool isAgain)
    {
        m_schedule->BeforeLayer(layer, isAgain);
        if (isAgain)
        {
            MoveDuplex(layer, std::nullopt, CircuitCause::Backward);
        }
        else if (m_plan.circuits.prediction && m_plan.circuits.prediction->Foresees())
        {
            MoveDuplex(layer, std::nullopt, CircuitCause::Foreseen);
        }
    }

    /// What is behind attention. \param isAgain on the way back, of what was not kept
    void WriteNetwork(uint32_t layer, bool isAgain)
    {
        if (IsDense(layer))
        {
            BeginForward(layer, LayerPiece::Experts, isAgain);
            Tensor(Collective::AllGather);
            JoinLaunch();
            Dense(Pass::Forward);
            Tensor(Collective::ReduceScatter);
            return;
        }
        SharedBesideGate(Pass::Forward);
        Gate(Pass::Forward);
        const std::optional<uint32_t> gated = m_list.GetAwaited();
        m_schedule->BehindGate(layer, isAgain);
        const bool isCorrected = !isAgain && m_plan.circuits.prediction;
        if (!isAgain && !isCorrected)
        {
            MoveDuplex(layer, m_list.GetComputed());
        }
        const std::optional<uint32_t> before = FindWait(gated);
        if (m_plan.Interleaves())
        {
            Interleave(layer, Pass::Forward, isAgain, before);
            return;
        }
        BeginForward(layer, LayerPiece::Dispatch, isAgain);
        Route(TokenWay::There, TrainingKind::Dispatch, layer);
        m_schedule->BehindDispatch(layer, isAgain);
        Share(TokenWay::There, layer);
        BeginForward(layer, LayerPiece::Experts, isAgain);
        SharedBesideTokens(before, Pass::Forward);
        if (isCorrected)
        {
            MoveDuplex(layer, std::nullopt);
        }
        JoinLaunch();
        Experts(layer, Pass::Forward);
        BeginForward(layer, LayerPiece::Combine, isAgain);
        Share(TokenWay::Back, layer);
        Route(TokenWay::Back, TrainingKind::Combine, layer);
        m_schedule->BehindCombine(layer, isAgain);
    }

    /// What of a layer is not kept goes forward once more, but for the core of attention.
    void WriteAgain(uint32_t layer)
    {
        if (m_plan.recomputes)
        {
            WriteForward(layer, true);
            return;
        }
        if (!m_plan.schedule->Overlaps())
        {
            ProjectAgain();
        }
        if (m_plan.again.norms)
        {
            Compute(TrainingKind::Attention, MakeNormWork(m_plan));
        }
        if (IsDense(layer) ? m_plan.again.dense : m_plan.again.moe)
        {
            if (!IsDense(layer))
            {
                PrepareExperts(layer, true);
            }
            WriteNetwork(layer, true);
            return;
        }
        if (!IsDense(layer) && m_plan.again.shared)
        {
            SharedBesideGate(Pass::Forward);
            SharedBesideTokens(m_list.GetAwaited(), Pass::Forward);
        }
        if (!IsDense(layer) && m_plan.again.activation)
        {
            m_list.Compute(MakeActivation(m_context, layer, TakeDraw()));
        }
    }

    void ProjectAgain()
    {
        if (m_plan.reprojects)
        {
            Compute(TrainingKind::Attention, MakeProjectionWork(m_plan));
        }
    }

    void WriteBackward(uint32_t layer)
    {
        Launch(layer, m_delays ? Pass::Backward : m_back);
        if (IsDense(layer))
        {
            BeginPiece(layer, LayerPiece::ExpertsBackward);
            Tensor(Collective::AllGather);
            Dense(m_back);
            Tensor(Collective::ReduceScatter);
            WriteExpertWeights(layer);
        }
        else if (m_plan.Interleaves())
        {
            Interleave(layer, m_back, false, m_list.GetAwaited());
            Gate(m_back);
        }
        else
        {
            const std::optional<uint32_t> behind = m_list.GetAwaited();
            m_schedule->BeforeWayBack(layer);
            if (!m_plan.RepeatsExperts())
            {
                MoveDuplex(layer, std::nullopt, CircuitCause::Backward);
            }
            const std::optional<uint32_t> before = FindWait(behind);
            Route(TokenWay::There, TrainingKind::CombineBackward, layer);
            m_schedule->BehindCombineBackward(layer);
            Share(TokenWay::There, layer);
            BeginPiece(layer, LayerPiece::ExpertsBackward);
            SharedBesideTokens(before, m_back);
            Experts(layer, m_back);
            if (!m_delays && m_slot.part != SlotPart::BackwardInputs)
            {
                m_schedule->BehindExpertsBackward(layer);
            }
            BeginPiece(layer, LayerPiece::DispatchBackward);
            Share(TokenWay::Back, layer);
            Route(TokenWay::Back, TrainingKind::DispatchBackward, layer);
            m_schedule->BehindDispatchBackward(layer);
            WriteExpertWeights(layer);
            BeginPiece(layer, LayerPiece::AttentionBackward);
            Gate(m_delays ? Pass::Backward : m_back);
            SharedBesideGate(m_back);
        }
        BeginPiece(layer, LayerPiece::AttentionBackward);
        if (m_plan.schedule->Overlaps())
        {
            ProjectAgain(); // not before tokens are under way
        }
        Tensor(Collective::AllGather);
        if (m_plan.again.core)
        {
            Attention(Pass::Forward, AttentionPart::Core);
        }
        JoinLaunch();
        Attention(m_back);
        if (!IsDense(layer))
        {
            m_schedule->AtEndOfWayBack(layer);
        }
        Tensor(Collective::ReduceScatter);
        Predict(layer, m_back);
        if (!m_delays)
        {
            SyncLayer(layer);
        }
        else if (layer != m_plan.GetLayers(m_slot.stage, m_slot.chunk).first)
        {
            WriteAttentionWeights(layer);
        }
    }

    /// Computes while what was communicated is under way, which the next computing waits for; what
    /// is communicated next does not wait for it.
    template <typename Function>
    void Meanwhile(const Function& compute)
    {
        const std::optional<uint32_t> computed = m_list.GetComputed();
        const std::optional<uint32_t> awaited = m_list.ExchangeAwaited(std::nullopt);
        compute();
        m_list.ExchangeAwaited(awaited);
        m_list.SetComputed(computed);
    }

    /// Gradients of parameters of experts, or of a dense layer, if they come behind the others.
    void WriteExpertWeights(uint32_t layer)
    {
        if (!m_delays)
        {
            return;
        }
        BeginPiece(layer, LayerPiece::DispatchBackward);
        Meanwhile([&] {
            if (IsDense(layer))
            {
                Dense(Pass::Weights);
                return;
            }
            Experts(layer, Pass::Weights);
            SyncExperts(layer, std::nullopt);
        });
    }

    /// Likewise those of shared experts and attention; then all of the layer are there.
    void WriteAttentionWeights(uint32_t layer)
    {
        Meanwhile([&] {
            if (!IsDense(layer))
            {
                SharedExperts(Pass::Weights);
            }
            AttentionPiece(AttentionPart::Whole, Pass::Weights);
            Predict(layer, Pass::Weights);
            SyncLayer(layer);
        });
    }

    /// Gradients of parameters, from what was kept: computing alone.
    void WriteWeights(uint32_t layer)
    {
        Launch(layer, Pass::Weights);
        if (IsDense(layer))
        {
            Dense(Pass::Weights);
        }
        else
        {
            SharedExperts(Pass::Weights);
            Experts(layer, Pass::Weights);
            m_schedule->BehindExpertsBackward(layer);
            Gate(Pass::Weights);
        }
        JoinLaunch();
        AttentionPiece(AttentionPart::Whole, Pass::Weights);
        if (!IsDense(layer))
        {
            m_schedule->AtEndOfWayBack(layer);
        }
        Predict(layer, Pass::Weights);
        SyncLayer(layer);
    }

    /// \return true when gradients of what is on its way back go to all replicas
    bool Syncs() const
    {
        return m_slot.completesGradients ||
               (m_plan.data.DividesAll() && m_slot.part != SlotPart::BackwardInputs);
    }

    /// Gradients of a layer but for its experts, complete, to all replicas.
    void SyncLayer(uint32_t layer)
    {
        if (Syncs())
        {
            SyncGradients(Group::Data, m_plan.model.GetDenseParameters(layer) / m_plan.tp);
        }
    }

    /// Likewise of the embedding, and of the head of the last stage.
    void SyncEnds()
    {
        if (Syncs())
        {
            SyncGradients(
                Group::Data,
                GetEndParameters(m_plan.HasEmbedding(m_slot.stage, m_slot.chunk), m_isLast));
        }
    }

    void Head(bool isHere, Pass pass)
    {
        for (uint32_t i = 0; isHere && i <= m_plan.model.mtpLayers; ++i)
        {
            Compute(TrainingKind::Head, MakeHeadWork(m_plan, pass));
        }
    }

    /// What computes nothing is over, too, when what it receives is there and all before it is.
    void KeepTurn()
    {
        if (!m_list.GetComputed())
        {
            m_list.Wait();
        }
    }

    /// \return whether something goes between a part of the model and the next
    bool IsBetween(int32_t part) const
    {
        return part >= 0 && part < m_lastPart;
    }

    /// \param part of the model, behind which that is
    void ReceiveOver(int32_t part)
    {
        if (IsBetween(part))
        {
            m_list.Communicate(MakeStageReceipt(m_context, m_plan.CountVectors(part)));
        }
    }

    void SendOver(int32_t part)
    {
        if (!IsBetween(part))
        {
            return;
        }
        Operation operation = MakeStageSend(m_context, m_plan.CountVectors(part));
        if (m_list.GetAwaited())
        {
            operation.after.push_back(*m_list.GetAwaited());
        }
        m_list.SendOn(std::move(operation));
    }

    uint32_t GetReplicas(Group group) const
    {
        return group == Group::Data ? m_plan.dp * m_plan.cp : m_plan.edp;
    }

    /// \return the operation on the stream, if there is something to do
    std::optional<uint32_t> Replicate(Group group,
                                      Collective collective,
                                      double bytes,
                                      TrainingStream stream = TrainingStream::Data,
                                      const std::optional<uint32_t>& behind = std::nullopt)
    {
        if (GetReplicas(group) < 2 || bytes == 0)
        {
            return std::nullopt;
        }
        Operation operation =
            Collect(group == Group::Data ? TrainingKind::Data : TrainingKind::ExpertData,
                    group,
                    collective,
                    RoundBytes(bytes));
        operation.stream = stream;
        if (behind && behind != m_list.GetComputed())
        {
            operation.after.push_back(*behind);
        }
        if (stream == TrainingStream::Copies && m_plan.data.DividesAll() && !m_list.GetComputed())
        {
            // While the last of the slot before is computed.
            operation.drains = {TrainingStream::Compute};
            operation.isEarly = true;
        }
        return m_list.Communicate(std::move(operation), false);
    }

    /// Lists layers whose parameters are gathered for this slot, in the order in which they are
    /// needed, and behind the last its end of the model.
    void ListGathered(uint32_t first, uint32_t end)
    {
        const bool isForward = m_slot.part == SlotPart::Forward;
        const bool isBack =
            m_slot.part == SlotPart::Backward || m_slot.part == SlotPart::BackwardInputs;
        if (!(m_plan.data.DividesAll() && (isForward || isBack)) && !m_slot.takesParameters)
        {
            return;
        }
        for (uint32_t layer = first; layer < end; ++layer)
        {
            m_gathers.push_back({m_plan.model.GetDenseParameters(layer) / m_plan.tp,
                                 IsDense(layer) ? 0 : GetExpertParameters()});
        }
        if (isBack)
        {
            // The ends are there still.
            std::reverse(m_gathers.begin(), m_gathers.end());
            return;
        }
        m_gathers.push_back({GetEndParameters(false, m_isLast), 0});
        m_gathers.front().dense +=
            GetEndParameters(m_plan.HasEmbedding(m_slot.stage, m_slot.chunk), false);
    }

    /// Parameters are gathered for what is computed next, and for as many layers behind it as are
    /// gathered ahead.
    void Gather()
    {
        const std::size_t wanted =
            m_plan.data.DividesAll()
                ? std::min<std::size_t>(m_gathers.size(), m_taken + 1 + m_plan.data.prefetch)
                : m_gathers.size();
        for (; m_gathered < wanted; ++m_gathered)
        {
            Gathered& now = m_gathers[m_gathered];
            const auto gather = [&](Group group, double parameters) {
                return Replicate(group,
                                 Collective::AllGather,
                                 parameters * m_plan.bytes.parameters,
                                 TrainingStream::Copies);
            };
            now.denseBy = gather(Group::Data, now.dense);
            now.expertsBy = gather(Group::ExpertData, now.experts);
        }
    }

    /// What is computed next waits until its parameters are gathered.
    void TakeGathered()
    {
        if (m_taken == m_gathers.size())
        {
            return;
        }
        Gather();
        const Gathered& taken = m_gathers[m_taken++];
        if (taken.denseBy)
        {
            m_list.Join(*taken.denseBy);
        }
        m_gatheredExperts = taken.expertsBy;
    }

    /// Gradients of experts of a layer, complete, to all that hold these for good.
    void SyncExperts(uint32_t layer, const std::optional<uint32_t>& behind)
    {
        if (!Syncs())
        {
            return;
        }
        if (m_plan.handling.IsPlain() || !m_plan.data.GathersAtEnd())
        {
            SyncGradients(Group::ExpertData, GetExpertParameters());
        }
        else
        {
            AddReplicas({true, layer}, behind);
        }
    }

    /// Of a policy: experts may be elsewhere than without it, so that what is sent is found out
    /// when that is known.
    void AddReplicas(const ReplicaSync::What& what, const std::optional<uint32_t>& behind)
    {
        Operation operation = MakeReplicaSync(m_context, m_replicas, m_slot.stage, what);
        if (behind)
        {
            operation.after.push_back(*behind);
        }
        m_list.Communicate(std::move(operation), false);
    }

    /// Gradients that are complete wait for others until they fill a bucket.
    void SyncGradients(Group group, double parameters)
    {
        Waiting& waiting = group == Group::Data ? m_waiting : m_waitingExperts;
        waiting.bytes += parameters * m_plan.bytes.gradients;
        waiting.behind = m_list.GetComputed();
        if (waiting.bytes >= static_cast<double>(m_plan.data.bucket))
        {
            Reduce(group, waiting);
        }
    }

    /// Those that have not filled it.
    void SyncRest()
    {
        Reduce(Group::Data, m_waiting);
        Reduce(Group::ExpertData, m_waitingExperts);
    }

    /// Each replica gets the sum of its share, or of all.
    void Reduce(Group group, Waiting& waiting)
    {
        const bool isWhole = m_plan.data.divided == Replication::Divided::Nothing;
        Replicate(group,
                  isWhole ? Collective::AllReduce : Collective::ReduceScatter,
                  waiting.bytes,
                  TrainingStream::Data,
                  waiting.behind);
        waiting = {};
    }

    /// All GPUs learn the norm of all gradients, of all stages.
    void FindNorm()
    {
        if (!m_plan.data.hasNorm || m_plan.shape.GetGpus() < 2)
        {
            return;
        }
        Operation operation = MakeCollective(
            m_context,
            TrainingKind::Data,
            m_collectives.Choose(TrainingKind::Data, Group::All, Collective::AllReduce, kNormBytes),
            kNormBytes,
            true);
        operation.drains = {TrainingStream::Compute, TrainingStream::Data, TrainingStream::Copies};
        m_list.Communicate(std::move(operation));
    }

    double GetExpertParameters() const
    {
        return m_plan.model.GetExpertParameters() * (m_plan.model.experts / m_plan.ep) / m_plan.etp;
    }

    /// \return parameters of the embedding, of the head, of both or none
    double GetEndParameters(bool hasEmbedding, bool hasHead) const
    {
        return static_cast<double>((hasEmbedding ? 1 : 0) + (hasHead ? 1 : 0)) *
               m_plan.model.vocabulary * m_plan.model.hidden / m_plan.tp;
    }

    /// Where two stages have the same parts of the model, each GPU has half of its share's
    /// gradients, or parameters, for its peer. \param bytes of one
    void MirrorShares(double dense, double experts, double bytes)
    {
        if (m_plan.CountMirrors() < 2)
        {
            return;
        }
        const auto exchange = [&](TrainingKind kind, double share) {
            if (share > 0)
            {
                m_list.Communicate(
                    MakeMirrorExchange(m_context, kind, RoundBytes(share / 2 * bytes)));
            }
        };
        exchange(TrainingKind::Data, dense / GetReplicas(Group::Data));
        exchange(TrainingKind::ExpertData, experts / GetReplicas(Group::ExpertData));
    }

    /// \return how many replicas have a share of the optimizer each
    uint32_t GetShares(Group group) const
    {
        return m_plan.data.divided == Replication::Divided::Nothing ? 1 : GetReplicas(group);
    }

    /// A replica updates its share, or all, and all gather the result.
    void WriteUpdate()
    {
        double dense =
            GetEndParameters(m_plan.HasEmbedding(m_slot.stage), m_plan.HasHead(m_slot.stage));
        double experts = 0;
        for (uint32_t chunk = 0; chunk < m_plan.chunks; ++chunk)
        {
            const auto [first, end] = m_plan.GetLayers(m_slot.stage, chunk);
            for (uint32_t layer = first; layer < end; ++layer)
            {
                dense += m_plan.model.GetDenseParameters(layer) / m_plan.tp;
                experts += IsDense(layer) ? 0 : GetExpertParameters();
            }
        }
        MirrorShares(dense, experts, m_plan.bytes.gradients);
        Work work;
        work.part = Work::Part::Optimizer;
        work.bytes =
            (kStateBytes + static_cast<double>(m_plan.gradientBytes + m_plan.elementBytes)) *
            (dense / GetShares(Group::Data) + experts / GetShares(Group::ExpertData)) /
            m_plan.CountMirrors();
        FindNorm();
        Operation operation = MakeComputing(m_context,
                                            TrainingKind::Optimizer,
                                            m_plan.compute->GetTime(work),
                                            TakeDraw());
        operation.drains = {TrainingStream::Data, TrainingStream::Copies};
        m_list.Compute(std::move(operation));
        if (!m_plan.data.GathersAtEnd())
        {
            return;
        }
        MirrorShares(dense, experts, m_plan.bytes.parameters);
        Replicate(Group::Data, Collective::AllGather, dense * m_plan.bytes.parameters);
        if (m_plan.handling.IsPlain())
        {
            Replicate(Group::ExpertData, Collective::AllGather, experts * m_plan.bytes.parameters);
        }
        else
        {
            AddReplicas({}, std::nullopt);
        }
    }

    const TrainingContext& m_context;
    const TrainingPlan& m_plan;
    TrainingCollectives& m_collectives;
    const ReplicaCollectives& m_replicas;
    const SlotKind& m_slot;
    bool m_delays;  //!< gradients of parameters come behind those of activations
    Pass m_back;    //!< of the way back
    int32_t m_part; //!< of the model
    int32_t m_lastPart;
    bool m_isLast;
    OperationList m_list;
    std::unique_ptr<ExpertSchedule> m_schedule;
    uint32_t m_draws{0};
    std::optional<uint32_t> m_launched;         //!< kernels of the layer
    std::optional<uint32_t> m_gated;            //!< the latest gate
    std::optional<uint32_t> m_moved;            //!< circuits, that the next exchange waits for
    std::optional<uint32_t> m_exchanged;        //!< last exchange of tokens
    std::shared_ptr<LoadForesight> m_foresight; //!< of all moves that are foreseen

    std::vector<Gathered> m_gathers; //!< in the order in which they are needed
    std::size_t m_gathered{0};       //!< of which this is written
    std::size_t m_taken{0};          //!< that computing has waited for
    std::optional<uint32_t> m_gatheredExperts;
    Waiting m_waiting;
    Waiting m_waitingExperts;
};

} // namespace

SlotOperations
MakeSlotOperations(const TrainingContext& context,
                   TrainingCollectives& collectives,
                   const ReplicaCollectives& replicas,
                   const SlotKind& slot)
{
    return SlotWriter(context, collectives, replicas, slot).Write();
}

} // namespace ns3::rails
