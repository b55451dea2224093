// SPDX-License-Identifier: GPL-2.0-only
#include "training-operations.h"

#include "expert-schedule.h"
#include "operation-list.h"
#include "training-computing.h"

#include "ns3/circuit-move.h"
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

/// Optimizer states read and written per parameter in a step, in bytes. The gradient read and the
/// parameter written come on top.
constexpr double kStateBytes = 2 * kOptimizerBytes;

/// Bytes of the gradient norm: few, but enough for each step of a tree over many GPUs.
constexpr uint64_t kNormBytes = 4096;

/// A step of a ring costs a quarter of another message, since those of all its GPUs begin and end
/// together (./rails bench estimates).
constexpr double kStepCost = 0.25;

/// Writes the operations of a slot, one after the other.
class SlotWriter
{
  public:
    SlotWriter(const TrainingContext& context,
               TrainingCollectives& collectives,
               const ReplicaCollectives& replicas,
               const SlotKind& slot)
        : m_context(context),
          m_spec(context.GetSpec()),
          m_collectives(collectives),
          m_replicas(replicas),
          m_slot(slot),
          m_delays(slot.part == SlotPart::Backward && m_spec.schedule->DelaysWeights()),
          m_back(slot.part == SlotPart::BackwardInputs || m_delays ? Pass::Inputs : Pass::Backward),
          m_part(static_cast<int32_t>(m_spec.GetPart(slot.stage, slot.chunk))),
          m_lastPart(static_cast<int32_t>(m_spec.CountParts()) - 1),
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
        const auto [first, end] = m_spec.GetLayers(m_slot.stage, m_slot.chunk);
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
                WriteAttentionWeights(first); // overlaps with the transfer to the previous stage
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
    /// \return a number that is unique among computing of the stage for a micro-batch
    uint64_t TakeDraw()
    {
        constexpr uint32_t bits = 32;
        return static_cast<uint64_t>(m_slot.part) << bits | m_draws++;
    }

    /// Complete gradients that wait for reduction.
    struct Waiting
    {
        double bytes{0};
        std::optional<uint32_t> behind{}; //!< computing that completes them
    };

    /// Parameters of a layer that are gathered together.
    struct Gathered
    {
        double dense;
        double experts;
        std::optional<uint32_t> denseBy{};
        std::optional<uint32_t> expertsBy{};
    };

    /// Adds computing, which waits for awaited communication.
    void Compute(TrainingKind kind, const Work& work)
    {
        m_list.Compute(MakeComputing(m_context, kind, m_spec.compute->GetTime(work), TakeDraw()));
    }

    /// \return a collective of the groups of the stage, or of all stages together
    Operation Collect(TrainingKind kind,
                      Group group,
                      CollectiveOperation collective,
                      uint64_t bytes)
    {
        Operation operation;
        operation.isOfAll = group == Group::All;
        Collective::IsMember isMember;
        if (!operation.isOfAll)
        {
            isMember = [&context = m_context, stage = m_slot.stage](uint32_t gpu) {
                return context.GetStage(gpu) == stage;
            };
        }
        const auto transfer =
            std::make_shared<const Collective>(m_collectives.Choose(kind, group, collective, bytes),
                                               bytes,
                                               m_context.MakeTraits(kind, false),
                                               std::move(isMember));
        operation.kind = kind;
        operation.stream = TrainingStream::Communication;
        operation.steps = transfer->GetTraits().steps;
        operation.makeNode = [transfer](uint32_t, const SlotPlace&, GraphNode& node) {
            node.Move(transfer);
        };
        const CollectiveGroups& groups = transfer->GetGroups();
        operation.estimate.bytes =
            m_context.CountGpus() / groups.GetSize() * transfer->CountBytes();
        operation.estimate.messages = kStepCost * operation.steps;
        const auto servers = static_cast<double>(groups.GetSpreads().front().servers.size());
        operation.estimate.outside = GetOutsideOfTree(groups.GetSize(), servers);
        return operation;
    }

    /// All-gather before, or reduce-scatter after, computing of a tensor-parallel group.
    void Tensor(CollectiveOperation collective)
    {
        if (m_spec.tp < 2)
        {
            return;
        }
        m_list.Communicate(Collect(
            TrainingKind::Tensor,
            Group::Tensor,
            collective,
            RoundBytes(m_spec.GetGroupTokens() * m_spec.model.hidden * m_spec.bytes.tensor)));
    }

    /**
     * Reconfigures circuits for an exchange, after the transfers over the previous circuits.
     * \param behind further operations to wait for
     * \param way direction of the exchange
     * \param cause of the reconfiguration
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

    /// Reconfigures full-duplex circuits for a dispatch; they serve the combine as well.
    /// \param behind computing to wait for; none: reconfiguration overlaps with computing
    void MoveDuplex(uint32_t layer,
                    const std::optional<uint32_t>& behind,
                    CircuitCause cause = CircuitCause::Forward)
    {
        if (m_context.MovesCircuits() && !m_spec.circuits.takesTurns)
        {
            MoveCircuits(layer, {m_exchanged, behind}, TokenWay::There, cause);
        }
    }

    /// Adds dispatch or combine.
    void Route(TokenWay way, TrainingKind kind, uint32_t layer)
    {
        if (m_spec.ep * m_spec.handling.merged < 2)
        {
            return;
        }
        if (!m_spec.deduplicates)
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

    /// Adds the exchange in expert-tensor groups.
    void Share(TokenWay way, uint32_t layer)
    {
        if (m_spec.etp > 1)
        {
            Exchange(MakeTensorExchange(m_context, layer, way));
        }
    }

    /// Reconfigures circuits that serve one exchange at a time.
    void MoveForTurn(TokenWay way, uint32_t layer)
    {
        if (m_spec.circuits.takesTurns)
        {
            MoveCircuits(layer, {m_exchanged, m_list.GetComputed(), m_list.GetAwaited()}, way);
        }
    }

    void Exchange(Operation operation)
    {
        if (m_spec.schedule->Overlaps())
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
     * Launches the kernels of a layer; the layer does not end before. A forward launch waits for
     * the previous gate, which gives the host the number of tokens per expert.
     */
    void Launch(uint32_t layer, Pass pass)
    {
        if (m_spec.compute->GetLaunch() == 0)
        {
            return;
        }
        Operation operation = MakeLaunch(GetLaunchTime(m_spec, layer, pass));
        if (pass == Pass::Forward && m_gated)
        {
            operation.after.push_back(*m_gated);
        }
        m_launched = m_list.Add(std::move(operation));
    }

    /// Makes the next computing, the last of its layer, wait for the launch.
    void JoinLaunch()
    {
        if (const std::optional<uint32_t> launched = std::exchange(m_launched, std::nullopt))
        {
            m_list.Join(*launched);
        }
    }

    void AttentionPiece(AttentionPart part, Pass pass)
    {
        Compute(TrainingKind::Attention, MakeAttentionWork(m_spec, part, pass));
    }

    /// Overlaps the ring of keys and values with core attention.
    /// \param part the whole attention, or its core
    void Attention(Pass pass, AttentionPart part = AttentionPart::Whole)
    {
        if (m_spec.cp == 1)
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
        const double block = m_spec.GetGroupTokens() * m_spec.model.GetKvElements(m_spec.tp);
        // Gradients of keys and values go along in the backward pass.
        m_list.Communicate(
            Collect(TrainingKind::Context,
                    Group::Context,
                    CollectiveOperation::AllGather,
                    RoundBytes(std::round(block * times) * m_spec.bytes.context) * m_spec.cp));
        const std::optional<uint32_t> ring = m_list.ExchangeAwaited(std::nullopt);
        AttentionPiece(AttentionPart::Core, pass);
        m_list.ExchangeAwaited(ring);
        if (isWhole)
        {
            AttentionPiece(isForward ? AttentionPart::Outputs : AttentionPart::Inputs, pass);
        }
    }

    /// Input projection of a multi-token prediction layer.
    void Predict(uint32_t layer, Pass pass)
    {
        if (m_spec.model.IsPrediction(layer))
        {
            Compute(TrainingKind::Attention, MakePredictionWork(m_spec, pass));
        }
    }

    /// \param part of the tokens, see MakeExpertComputing()
    void Experts(uint32_t layer, Pass pass, const std::optional<uint32_t>& part = std::nullopt)
    {
        Operation operation = MakeExpertComputing(m_context, layer, pass, TakeDraw(), part);
        const bool hasCopies = !part || *part == m_spec.CountExchangeParts();
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
     * Experts compute one part of the tokens while the next part arrives; results are sent back
     * after all parts have arrived. Local tokens are computed once replicas have arrived: last in
     * the forward pass, first in the backward pass, as gradients of replicas precede the others.
     * \param before operation that shared experts wait for
     */
    void Interleave(uint32_t layer, Pass pass, bool isAgain, const std::optional<uint32_t>& before)
    {
        const bool isForward = pass == Pass::Forward;
        const std::optional<uint32_t> behind = m_list.GetAwaited();
        if (!isForward)
        {
            m_schedule->BeforeWayBack(layer);
        }
        const uint32_t parts = m_spec.CountExchangeParts();
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
        Compute(TrainingKind::Gate, MakeGateWork(m_spec, pass));
        m_gated = m_list.GetComputed();
    }

    void Dense(Pass pass)
    {
        Compute(TrainingKind::Dense, MakeDenseWork(m_spec, pass));
    }

    /// \param before operation that shared experts wait for, if replicas overlap
    /// \return operation that shared experts wait for
    std::optional<uint32_t> FindWait(const std::optional<uint32_t>& before) const
    {
        return m_schedule->Blocks() ? m_list.GetAwaited() : before;
    }

    void SharedExperts(Pass pass)
    {
        if (m_spec.model.sharedFfn > 0)
        {
            Compute(TrainingKind::Shared, MakeSharedWork(m_spec, pass));
        }
    }

    /// Computes shared experts during dispatch. \param before operation to wait for
    void SharedBesideTokens(const std::optional<uint32_t>& before, Pass pass)
    {
        if (!m_spec.schedule->Overlaps())
        {
            const std::optional<uint32_t> tokens = m_list.ExchangeAwaited(before);
            SharedExperts(pass);
            m_list.ExchangeAwaited(tokens);
        }
    }

    /// With merged passes, shared experts are computed with the gate (Megatron-LM).
    void SharedBesideGate(Pass pass)
    {
        if (m_spec.schedule->Overlaps())
        {
            SharedExperts(pass);
        }
    }

    bool IsDense(uint32_t layer) const
    {
        return layer < m_spec.model.denseLayers;
    }

    /// Starts a piece of a layer.
    void BeginPiece(uint32_t layer, LayerPiece piece)
    {
        const auto [first, end] = m_spec.GetLayers(m_slot.stage, m_slot.chunk);
        const bool isForward = m_slot.part == SlotPart::Forward;
        m_list.BeginPiece(isForward ? layer - first : end - 1 - layer, piece);
    }

    /// Starts a piece in the forward pass; recomputation stays in the current piece of the backward
    /// pass.
    void BeginForward(uint32_t layer, LayerPiece piece, bool isAgain)
    {
        if (!isAgain)
        {
            BeginPiece(layer, piece);
        }
    }

    /// \param isAgain recomputation in the backward pass
    void WriteForward(uint32_t layer, bool isAgain)
    {
        BeginForward(layer, LayerPiece::Attention, isAgain);
        Predict(layer, Pass::Forward);
        if (!IsDense(layer))
        {
            PrepareExperts(layer, isAgain);
        }
        Launch(layer, Pass::Forward);
        Tensor(CollectiveOperation::AllGather);
        Attention(Pass::Forward);
        Tensor(CollectiveOperation::ReduceScatter);
        WriteNetwork(layer, isAgain);
    }

    /// Adds operations for experts before the gate of a layer.
    void PrepareExperts(uint32_t layer, bool isAgain)
    {
        m_schedule->BeforeLayer(layer, isAgain);
        if (isAgain)
        {
            MoveDuplex(layer, std::nullopt, CircuitCause::Backward);
        }
        else if (m_spec.circuits.prediction && m_spec.circuits.prediction->GetTraits().foresees)
        {
            MoveDuplex(layer, std::nullopt, CircuitCause::Foreseen);
        }
    }

    /// Adds the part of a layer after attention. \param isAgain recomputation in the backward pass
    void WriteNetwork(uint32_t layer, bool isAgain)
    {
        if (IsDense(layer))
        {
            BeginForward(layer, LayerPiece::Experts, isAgain);
            Tensor(CollectiveOperation::AllGather);
            JoinLaunch();
            Dense(Pass::Forward);
            Tensor(CollectiveOperation::ReduceScatter);
            return;
        }
        SharedBesideGate(Pass::Forward);
        Gate(Pass::Forward);
        const std::optional<uint32_t> gated = m_list.GetAwaited();
        m_schedule->BehindGate(layer, isAgain);
        const bool isCorrected = !isAgain && m_spec.circuits.prediction;
        if (!isAgain && !isCorrected)
        {
            MoveDuplex(layer, m_list.GetComputed());
        }
        const std::optional<uint32_t> before = FindWait(gated);
        if (m_spec.Interleaves())
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

    /// Recomputes the parts of a layer that are not kept, except core attention.
    void WriteAgain(uint32_t layer)
    {
        if (m_spec.recomputes)
        {
            WriteForward(layer, true);
            return;
        }
        if (!m_spec.schedule->Overlaps())
        {
            ProjectAgain();
        }
        if (m_spec.again.norms)
        {
            Compute(TrainingKind::Attention, MakeNormWork(m_spec));
        }
        if (IsDense(layer) ? m_spec.again.dense : m_spec.again.moe)
        {
            if (!IsDense(layer))
            {
                PrepareExperts(layer, true);
            }
            WriteNetwork(layer, true);
            return;
        }
        if (!IsDense(layer) && m_spec.again.shared)
        {
            SharedBesideGate(Pass::Forward);
            SharedBesideTokens(m_list.GetAwaited(), Pass::Forward);
        }
        if (!IsDense(layer) && m_spec.again.activation)
        {
            m_list.Compute(MakeActivation(m_context, layer, TakeDraw()));
        }
    }

    void ProjectAgain()
    {
        if (m_spec.reprojects)
        {
            Compute(TrainingKind::Attention, MakeProjectionWork(m_spec));
        }
    }

    void WriteBackward(uint32_t layer)
    {
        Launch(layer, m_delays ? Pass::Backward : m_back);
        if (IsDense(layer))
        {
            BeginPiece(layer, LayerPiece::ExpertsBackward);
            Tensor(CollectiveOperation::AllGather);
            Dense(m_back);
            Tensor(CollectiveOperation::ReduceScatter);
            WriteExpertWeights(layer);
        }
        else if (m_spec.Interleaves())
        {
            Interleave(layer, m_back, false, m_list.GetAwaited());
            Gate(m_back);
        }
        else
        {
            const std::optional<uint32_t> behind = m_list.GetAwaited();
            m_schedule->BeforeWayBack(layer);
            if (!m_spec.RepeatsExperts())
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
        if (m_spec.schedule->Overlaps())
        {
            ProjectAgain(); // overlaps with the exchange of tokens
        }
        Tensor(CollectiveOperation::AllGather);
        if (m_spec.again.core)
        {
            Attention(Pass::Forward, AttentionPart::Core);
        }
        JoinLaunch();
        Attention(m_back);
        if (!IsDense(layer))
        {
            m_schedule->AtEndOfWayBack(layer);
        }
        Tensor(CollectiveOperation::ReduceScatter);
        Predict(layer, m_back);
        if (!m_delays)
        {
            SyncLayer(layer);
        }
        else if (layer != m_spec.GetLayers(m_slot.stage, m_slot.chunk).first)
        {
            WriteAttentionWeights(layer);
        }
    }

    /// Computes during awaited communication; communication added next does not wait for this
    /// computing.
    template <typename Function>
    void Meanwhile(const Function& compute)
    {
        const std::optional<uint32_t> computed = m_list.GetComputed();
        const std::optional<uint32_t> awaited = m_list.ExchangeAwaited(std::nullopt);
        compute();
        m_list.ExchangeAwaited(awaited);
        m_list.SetComputed(computed);
    }

    /// Delayed wgrad of experts, or of a dense layer.
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

    /// Delayed wgrad of shared experts and attention; all gradients of the layer are then complete.
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

    /// wgrad of a layer from kept activations, without communication.
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

    /// \return true when gradients of this slot are reduced over replicas
    bool Syncs() const
    {
        return m_slot.completesGradients ||
               (m_spec.data.DividesAll() && m_slot.part != SlotPart::BackwardInputs);
    }

    /// Reduces complete gradients of a layer, without its experts, over replicas.
    void SyncLayer(uint32_t layer)
    {
        if (Syncs())
        {
            SyncGradients(Group::Data, m_spec.model.GetDenseParameters(layer) / m_spec.tp);
        }
    }

    /// Reduces gradients of the embedding, and of the head of the last stage.
    void SyncEnds()
    {
        if (Syncs())
        {
            SyncGradients(
                Group::Data,
                GetEndParameters(m_spec.HasEmbedding(m_slot.stage, m_slot.chunk), m_isLast));
        }
    }

    void Head(bool isHere, Pass pass)
    {
        for (uint32_t i = 0; isHere && i <= m_spec.model.mtpLayers; ++i)
        {
            Compute(TrainingKind::Head, MakeHeadWork(m_spec, pass));
        }
    }

    /// A slot without computing ends when its input has arrived and all earlier slots have ended.
    void KeepTurn()
    {
        if (!m_list.GetComputed())
        {
            m_list.Wait();
        }
    }

    /// \return whether a transfer follows a part of the model
    bool IsBetween(int32_t part) const
    {
        return part >= 0 && part < m_lastPart;
    }

    /// \param part of the model before the transfer
    void ReceiveOver(int32_t part)
    {
        if (IsBetween(part))
        {
            m_list.Communicate(MakeStageReceipt(m_context, m_spec.CountVectors(part)));
        }
    }

    void SendOver(int32_t part)
    {
        if (!IsBetween(part))
        {
            return;
        }
        Operation operation = MakeStageSend(m_context, m_spec.CountVectors(part));
        if (m_list.GetAwaited())
        {
            operation.after.push_back(*m_list.GetAwaited());
        }
        m_list.SendOn(std::move(operation));
    }

    uint32_t GetReplicas(Group group) const
    {
        return group == Group::Data ? m_spec.dp * m_spec.cp : m_spec.edp;
    }

    /// \return the operation, if there is something to do
    std::optional<uint32_t> Replicate(Group group,
                                      CollectiveOperation collective,
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
        if (stream == TrainingStream::Copies && m_spec.data.DividesAll() && !m_list.GetComputed())
        {
            // Overlaps with the last computing of the previous slot.
            operation.drains = {TrainingStream::Compute};
            operation.isEarly = true;
        }
        return m_list.Communicate(std::move(operation), false);
    }

    /// Lists layers whose parameters are gathered for this slot, in the order of use; the head is
    /// last.
    void ListGathered(uint32_t first, uint32_t end)
    {
        const bool isForward = m_slot.part == SlotPart::Forward;
        const bool isBack =
            m_slot.part == SlotPart::Backward || m_slot.part == SlotPart::BackwardInputs;
        if (!(m_spec.data.DividesAll() && (isForward || isBack)) && !m_slot.takesParameters)
        {
            return;
        }
        for (uint32_t layer = first; layer < end; ++layer)
        {
            m_gathers.push_back({m_spec.model.GetDenseParameters(layer) / m_spec.tp,
                                 IsDense(layer) ? 0 : GetExpertParameters()});
        }
        if (isBack)
        {
            // Embedding and head are still gathered.
            std::reverse(m_gathers.begin(), m_gathers.end());
            return;
        }
        m_gathers.push_back({GetEndParameters(false, m_isLast), 0});
        m_gathers.front().dense +=
            GetEndParameters(m_spec.HasEmbedding(m_slot.stage, m_slot.chunk), false);
    }

    /// Gathers parameters of the next layer, and of as many layers as are prefetched.
    void Gather()
    {
        const std::size_t wanted =
            m_spec.data.DividesAll()
                ? std::min<std::size_t>(m_gathers.size(), m_taken + 1 + m_spec.data.prefetch)
                : m_gathers.size();
        for (; m_gathered < wanted; ++m_gathered)
        {
            Gathered& now = m_gathers[m_gathered];
            const auto gather = [&](Group group, double parameters) {
                return Replicate(group,
                                 CollectiveOperation::AllGather,
                                 parameters * m_spec.bytes.parameters,
                                 TrainingStream::Copies);
            };
            now.denseBy = gather(Group::Data, now.dense);
            now.expertsBy = gather(Group::ExpertData, now.experts);
        }
    }

    /// Makes the next computing wait for its parameters.
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

    /// Reduces complete gradients of a layer's experts over their persistent hosts.
    void SyncExperts(uint32_t layer, const std::optional<uint32_t>& behind)
    {
        if (!Syncs())
        {
            return;
        }
        if (m_spec.handling.IsPlain() || !m_spec.data.GathersAtEnd())
        {
            SyncGradients(Group::ExpertData, GetExpertParameters());
        }
        else
        {
            AddReplicas({true, layer}, behind);
        }
    }

    /// Synchronizes experts that a policy places; its traffic is known after planning.
    void AddReplicas(const ReplicaSync::What& what, const std::optional<uint32_t>& behind)
    {
        Operation operation = MakeReplicaSync(m_context, m_replicas, m_slot.stage, what);
        if (behind)
        {
            operation.after.push_back(*behind);
        }
        m_list.Communicate(std::move(operation), false);
    }

    /// Collects complete gradients until they fill a bucket.
    void SyncGradients(Group group, double parameters)
    {
        Waiting& waiting = group == Group::Data ? m_waiting : m_waitingExperts;
        waiting.bytes += parameters * m_spec.bytes.gradients;
        waiting.behind = m_list.GetComputed();
        if (waiting.bytes >= static_cast<double>(m_spec.data.bucket))
        {
            Reduce(group, waiting);
        }
    }

    /// Reduces the last, partly filled buckets.
    void SyncRest()
    {
        Reduce(Group::Data, m_waiting);
        Reduce(Group::ExpertData, m_waitingExperts);
    }

    /// Reduces gradients: each replica gets the sum of its share, or of all.
    void Reduce(Group group, Waiting& waiting)
    {
        const bool isWhole = m_spec.data.divided == Replication::Divided::Nothing;
        Replicate(group,
                  isWhole ? CollectiveOperation::AllReduce : CollectiveOperation::ReduceScatter,
                  waiting.bytes,
                  TrainingStream::Data,
                  waiting.behind);
        waiting = {};
    }

    /// All-reduces the norm of all gradients over all stages.
    void FindNorm()
    {
        if (!m_spec.data.hasNorm || m_spec.shape.GetGpus() < 2)
        {
            return;
        }
        Operation operation =
            Collect(TrainingKind::Data, Group::All, CollectiveOperation::AllReduce, kNormBytes);
        operation.drains = {TrainingStream::Compute, TrainingStream::Data, TrainingStream::Copies};
        m_list.Communicate(std::move(operation));
    }

    double GetExpertParameters() const
    {
        return m_spec.model.GetExpertParameters() * (m_spec.model.experts / m_spec.ep) / m_spec.etp;
    }

    /// \return parameters of embedding and head, as far as present
    double GetEndParameters(bool hasEmbedding, bool hasHead) const
    {
        return static_cast<double>((hasEmbedding ? 1 : 0) + (hasHead ? 1 : 0)) *
               m_spec.model.vocabulary * m_spec.model.hidden / m_spec.tp;
    }

    /// Exchanges gradients or parameters between mirrored stages: each GPU sends half of its share
    /// to its peer. \param bytes per element
    void MirrorShares(double dense, double experts, double bytes)
    {
        if (m_spec.CountMirrors() < 2)
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

    /// \return number of shares of the optimizer
    uint32_t GetShares(Group group) const
    {
        return m_spec.data.divided == Replication::Divided::Nothing ? 1 : GetReplicas(group);
    }

    /// Updates parameters: each replica its share, or all. Shares are gathered afterwards.
    void WriteUpdate()
    {
        double dense =
            GetEndParameters(m_spec.HasEmbedding(m_slot.stage), m_spec.HasHead(m_slot.stage));
        double experts = 0;
        for (uint32_t chunk = 0; chunk < m_spec.chunks; ++chunk)
        {
            const auto [first, end] = m_spec.GetLayers(m_slot.stage, chunk);
            for (uint32_t layer = first; layer < end; ++layer)
            {
                dense += m_spec.model.GetDenseParameters(layer) / m_spec.tp;
                experts += IsDense(layer) ? 0 : GetExpertParameters();
            }
        }
        MirrorShares(dense, experts, m_spec.bytes.gradients);
        Work work;
        work.part = Work::Part::Optimizer;
        work.bytes =
            (kStateBytes + static_cast<double>(m_spec.gradientBytes + m_spec.elementBytes)) *
            (dense / GetShares(Group::Data) + experts / GetShares(Group::ExpertData)) /
            m_spec.CountMirrors();
        FindNorm();
        Operation operation = MakeComputing(m_context,
                                            TrainingKind::Optimizer,
                                            m_spec.compute->GetTime(work),
                                            TakeDraw());
        operation.drains = {TrainingStream::Data, TrainingStream::Copies};
        m_list.Compute(std::move(operation));
        if (!m_spec.data.GathersAtEnd())
        {
            return;
        }
        MirrorShares(dense, experts, m_spec.bytes.parameters);
        Replicate(Group::Data, CollectiveOperation::AllGather, dense * m_spec.bytes.parameters);
        if (m_spec.handling.IsPlain())
        {
            Replicate(Group::ExpertData,
                      CollectiveOperation::AllGather,
                      experts * m_spec.bytes.parameters);
        }
        else
        {
            AddReplicas({}, std::nullopt);
        }
    }

    const TrainingContext& m_context;
    const TrainingSpec& m_spec;
    TrainingCollectives& m_collectives;
    const ReplicaCollectives& m_replicas;
    const SlotKind& m_slot;
    bool m_delays;  //!< wgrad follows dgrad
    Pass m_back;    //!< pass of the backward slot: dgrad, or both
    int32_t m_part; //!< part of the model
    int32_t m_lastPart;
    bool m_isLast;
    OperationList m_list;
    std::unique_ptr<ExpertSchedule> m_schedule;
    uint32_t m_draws{0};
    std::optional<uint32_t> m_launched;  //!< kernel launch of the layer
    std::optional<uint32_t> m_gated;     //!< the latest gate
    std::optional<uint32_t> m_moved;     //!< reconfiguration that the next exchange waits for
    std::optional<uint32_t> m_exchanged; //!< latest exchange of tokens
    std::shared_ptr<LoadForesight> m_foresight; //!< shared by all predicted reconfigurations

    std::vector<Gathered> m_gathers; //!< in the order of use
    std::size_t m_gathered{0};       //!< number of written gathers
    std::size_t m_taken{0};          //!< number of gathers that computing waits for
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
