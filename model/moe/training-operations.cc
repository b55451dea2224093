// SPDX-License-Identifier: GPL-2.0-only
#include "training-operations.h"

#include "ns3/copy-hops.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace ns3::rails
{

namespace
{

using Type = Operation::Type;
using Group = Operation::Group;

constexpr double kBackward = 2; // gradients of inputs and of weights, each as much as forward

/// Bytes of states that a step of Adam reads and writes for a parameter: master weight and both
/// moments, 4 bytes each. It reads the gradient and writes the parameter besides.
constexpr double kStateBytes = 24;

uint64_t
RoundBytes(double bytes)
{
    return static_cast<uint64_t>(std::llround(bytes));
}

/// Floating-point operations forward of a layer of a GPU with a micro-batch.
struct LayerFlops
{
    double projections; //!< of attention
    double core;        //!< of attention: each token with those before it
    double gate;
    double shared;
    double dense;
};

LayerFlops
GetLayerFlops(const TrainingPlan& plan)
{
    const ModelDimensions& model = plan.model;
    const double group = plan.GetGroupTokens();
    const double own = plan.GetTokens();
    return {2 * group * model.GetAttentionParameters() / plan.tp,
            group * plan.sequence * model.GetAttentionWidth() / plan.tp,
            2 * own * model.hidden * model.experts,
            2 * own * model.GetFfnParameters(model.hidden, model.sharedFfn),
            2 * group * model.GetFfnParameters(model.hidden, model.ffn) / plan.tp};
}

/// Writes the operations of a slot, one after the other.
class SlotWriter
{
  public:
    SlotWriter(const TrainingPlan& plan, const SlotKind& slot)
        : m_plan(plan),
          m_slot(slot),
          m_flops(GetLayerFlops(plan)),
          m_virtualStage(slot.chunk * plan.pp + slot.stage),
          m_isFirst(m_virtualStage == 0),
          m_isLast(m_virtualStage + 1 == plan.pp * plan.chunks),
          m_group(plan.ep * plan.handling.merged)
    {
        if (!plan.handling.IsPlain())
        {
            m_knowledge = plan.handling.policy->GetKnowledge();
            m_timing = plan.handling.GetCopyTiming();
            m_turns = CountTurns(ClusterView{m_group}, plan.handling.policy->GetCopyWay());
        }
    }

    SlotOperations Write()
    {
        const auto [first, end] = GetLayers(m_plan, m_slot.stage, m_slot.chunk);
        switch (m_slot.pass)
        {
        case SlotKind::Pass::Begin:
            WriteBegin();
            break;
        case SlotKind::Pass::Forward:
            ReceiveIf(!m_isFirst);
            for (uint32_t layer = first; layer < end; ++layer)
            {
                WriteForward(layer, false);
            }
            Head(m_isLast, 1);
            SendIf(!m_isLast);
            break;
        case SlotKind::Pass::Backward:
            ReceiveIf(!m_isLast);
            Head(m_isLast, kBackward);
            for (uint32_t layer = end; layer-- > first;)
            {
                if (m_plan.recomputes)
                {
                    WriteForward(layer, true);
                }
                WriteBackward(layer);
            }
            if (m_slot.isLastBackward)
            {
                // The embedding of the first stage, the head of the last.
                SyncGradients(Group::Data, GetEndParameters(m_isFirst, m_isLast));
            }
            JoinGradients();
            SendIf(!m_isFirst);
            break;
        case SlotKind::Pass::Update:
            WriteUpdate();
            break;
        }
        return m_made;
    }

  private:
    uint32_t Add(Operation operation)
    {
        auto& stream = m_made.streams[static_cast<std::size_t>(operation.stream)];
        operation.index = static_cast<uint32_t>(stream.size());
        stream.push_back(static_cast<uint32_t>(m_made.operations.size()));
        operation.firstStep = m_made.steps;
        m_made.steps += operation.steps;
        m_made.operations.push_back(operation);
        return static_cast<uint32_t>(m_made.operations.size() - 1);
    }

    /// Computing waits for the communication before it that it needs.
    void Compute(TrainingKind kind, const Work& work)
    {
        Operation operation;
        operation.kind = kind;
        operation.duration = m_plan.compute->GetTime(work);
        AddCompute(operation);
    }

    void AddCompute(Operation operation)
    {
        for (std::optional<uint32_t>* before : {&m_awaited, &m_joined})
        {
            if (*before)
            {
                operation.after.push_back(**before);
                before->reset();
            }
        }
        m_computed = Add(operation);
    }

    /// All that computes next waits for what is awaited, from a node on that takes no time.
    void Join()
    {
        Operation none;
        none.kind = TrainingKind::Gate;
        AddCompute(none);
    }

    /// Communication waits for the computing before it. \param isAwaited so does what follows
    void Communicate(Operation operation, bool isAwaited = true)
    {
        if (m_computed)
        {
            operation.after.push_back(*m_computed);
        }
        const uint32_t number = Add(operation);
        if (isAwaited)
        {
            m_awaited = number;
        }
    }

    void Ring(TrainingKind kind, Group group, uint32_t size, uint64_t bytes)
    {
        if (size < 2)
        {
            return;
        }
        Operation operation;
        operation.type = Type::Ring;
        operation.kind = kind;
        operation.stream = TrainingStream::Communication;
        operation.group = group;
        operation.bytes = bytes;
        operation.steps = size - 1;
        Communicate(operation);
    }

    /// All-gather before, or reduce-scatter behind, what a tensor-parallel group computes together.
    void Tensor()
    {
        Ring(TrainingKind::Tensor,
             Group::Tensor,
             m_plan.tp,
             RoundBytes(m_plan.GetGroupTokens() * m_plan.model.hidden) * m_plan.elementBytes);
    }

    /// Tokens go to their experts, or back.
    void Route(bool isThere, TrainingKind kind, uint32_t layer)
    {
        if (m_group < 2)
        {
            return;
        }
        if (!m_plan.deduplicates)
        {
            Exchange(isThere ? Type::ToExperts : Type::FromExperts, kind, layer);
            return;
        }
        Exchange(isThere ? Type::ToServers : Type::FromServersGpus, kind, layer);
        Exchange(isThere ? Type::ToServersGpus : Type::FromServers, kind, layer);
    }

    /// GPUs that share an expert exchange its tokens.
    void Share(Type type, uint32_t layer)
    {
        if (m_plan.etp > 1)
        {
            Exchange(type, TrainingKind::ExpertTensor, layer);
        }
    }

    void Exchange(Type type, TrainingKind kind, uint32_t layer)
    {
        Operation operation;
        operation.type = type;
        operation.kind = kind;
        operation.stream = TrainingStream::Communication;
        operation.layer = layer;
        operation.steps = 1;
        if (m_planned)
        {
            operation.after.push_back(*std::exchange(m_planned, std::nullopt));
        }
        Communicate(operation);
    }

    // What policies of experts add.

    bool Knows(ExpertKnowledge knowledge) const
    {
        return m_knowledge == knowledge;
    }

    /// Loads go to all GPUs of the group.
    uint32_t Counts(Type type, TrainingStream stream, uint32_t layer)
    {
        Operation operation;
        operation.type = type;
        operation.kind = TrainingKind::ExpertCounts;
        operation.stream = stream;
        operation.layer = layer;
        operation.steps = 1;
        Communicate(operation, stream == TrainingStream::Communication);
        return static_cast<uint32_t>(m_made.operations.size() - 1);
    }

    /// \return a policy's decision, behind another operation
    uint32_t Plan(Type type, uint32_t layer, const std::optional<uint32_t>& behind)
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
        return Add(operation);
    }

    /// \param stream what copies go on \param isAwaited computing waits for them
    /// \return number of the operation
    uint32_t Copy(Operation operation, TrainingStream stream, bool isAwaited)
    {
        operation.stream = stream;
        if (isAwaited && !m_computed)
        {
            // The first of a slot.
            operation.drains = {TrainingStream::Compute};
        }
        operation.steps = m_turns - 1 + m_plan.handling.CountPieces();
        if (operation.type == Type::Weights && m_planned)
        {
            operation.after.push_back(*m_planned);
        }
        Communicate(operation, isAwaited);
        return static_cast<uint32_t>(m_made.operations.size() - 1);
    }

    static Operation MakeWeights(uint32_t layer, bool isAgain, Operation::Window window)
    {
        Operation operation;
        operation.type = Type::Weights;
        operation.kind = TrainingKind::ExpertWeights;
        operation.layer = layer;
        operation.isAgain = isAgain;
        operation.window = window;
        return operation;
    }

    static Operation MakeGradients(uint32_t layer, Operation::Window window)
    {
        Operation operation;
        operation.type = Type::Gradients;
        operation.kind = TrainingKind::ExpertGradients;
        operation.layer = layer;
        operation.window = window;
        return operation;
    }

    /// \return true when the layer has experts, and is the first of its chunk with them
    bool IsFirstWithExperts(uint32_t layer) const
    {
        const uint32_t first = GetLayers(m_plan, m_slot.stage, m_slot.chunk).first;
        return layer == std::max(first, m_plan.model.denseLayers);
    }

    bool IsLastOfChunk(uint32_t layer) const
    {
        return layer + 1 == GetLayers(m_plan, m_slot.stage, m_slot.chunk).second;
    }

    /// Before the layer: what was decided with a forecast.
    void CopyByForecast(uint32_t layer, bool isAgain)
    {
        if (!Knows(ExpertKnowledge::Forecast))
        {
            return;
        }
        if (m_timing == CopyTiming::Scheduled)
        {
            if (IsFirstWithExperts(layer) && !isAgain)
            {
                Copy(MakeWeights(layer, false, Operation::Window::All),
                     TrainingStream::Communication,
                     true);
            }
            return;
        }
        if (!isAgain)
        {
            m_planned = Plan(Type::Plan, layer, m_computed);
        }
        CopyNow(layer, isAgain);
        m_planned.reset();
    }

    /// Parameters travel now, alone or beside other things.
    void CopyNow(uint32_t layer, bool isAgain)
    {
        const Operation weights = MakeWeights(layer, isAgain, Operation::Window::All);
        if (m_timing == CopyTiming::Overlapped)
        {
            m_weights = Copy(weights, TrainingStream::Copies, false);
        }
        else
        {
            Copy(weights, TrainingStream::Communication, true);
        }
    }

    /// Behind the gate: a policy that knows the counts decides. \param isAgain it has decided
    void CopyByCounts(uint32_t layer, bool isAgain)
    {
        if (Knows(ExpertKnowledge::Counts))
        {
            if (!isAgain)
            {
                const uint32_t counts =
                    Counts(Type::CountsNow, TrainingStream::Communication, layer);
                m_planned = Plan(Type::Plan, layer, counts);
            }
            CopyNow(layer, isAgain);
        }
        else if (Knows(ExpertKnowledge::Forecast) && !isAgain)
        {
            const uint32_t counts = Counts(Type::CountsAtEnd, TrainingStream::Copies, layer);
            if (m_timing == CopyTiming::Scheduled)
            {
                Plan(Type::PlanNext, layer, counts);
            }
        }
    }

    /// Under what the layer computes: parameters of the next. \param window under experts, or under
    /// the rest
    void CopyNext(uint32_t layer, bool isAgain, Operation::Window window)
    {
        if (Knows(ExpertKnowledge::Forecast) && m_timing == CopyTiming::Scheduled && !isAgain &&
            !IsLastOfChunk(layer))
        {
            Copy(MakeWeights(layer + 1, false, window), TrainingStream::Communication, false);
        }
    }

    bool HasCopies() const
    {
        return Knows(ExpertKnowledge::Counts) || Knows(ExpertKnowledge::Forecast);
    }

    /// Before a layer goes back: parameters that are not kept. With recomputation they have come.
    void FetchAgain(uint32_t layer)
    {
        if (HasCopies() && m_timing != CopyTiming::Scheduled && !m_plan.recomputes)
        {
            CopyNow(layer, true);
        }
    }

    /// Experts have computed backward.
    void ReturnGradients(uint32_t layer)
    {
        if (!HasCopies() || m_timing == CopyTiming::Scheduled)
        {
            return;
        }
        const bool isBeside = m_timing == CopyTiming::Overlapped;
        m_returned = Copy(MakeGradients(layer, Operation::Window::All),
                          isBeside ? TrainingStream::Copies : TrainingStream::Communication,
                          !isBeside);
    }

    /// Under what is computed behind experts of a layer: their gradients, as scheduled.
    void ReturnUnderOther(uint32_t layer)
    {
        if (!HasCopies() || m_timing != CopyTiming::Scheduled)
        {
            return;
        }
        const bool isAll = IsFirstWithExperts(layer);
        m_returned =
            Copy(MakeGradients(layer, isAll ? Operation::Window::All : Operation::Window::First),
                 TrainingStream::Communication,
                 isAll);
    }

    /// Under what experts of the layer before compute: the rest.
    void ReturnUnderExperts(uint32_t layer)
    {
        if (HasCopies() && m_timing == CopyTiming::Scheduled && !IsLastOfChunk(layer))
        {
            m_returned = Copy(MakeGradients(layer + 1, Operation::Window::Second),
                              TrainingStream::Communication,
                              false);
        }
    }

    /// Gradients of the first layer of a chunk are waited for where its way back ends, too.
    void JoinGradients()
    {
        if (m_joined)
        {
            Join();
        }
    }

    /// Experts move for good before an iteration.
    void WriteBegin()
    {
        if (!Knows(ExpertKnowledge::Past) && !Knows(ExpertKnowledge::Counts))
        {
            return;
        }
        const uint32_t counts = Counts(Type::CountsOfMoves, TrainingStream::Communication, 0);
        Operation move;
        move.type = Type::Move;
        move.kind = TrainingKind::ExpertMoves;
        move.stream = TrainingStream::Communication;
        move.steps = 1;
        move.after = {Plan(Type::PlanMoves, 0, counts)};
        Communicate(move);
        Join();
    }

    /// Keys and values go round while the attention of what is there is computed.
    void Attention(double times)
    {
        const double flops = m_flops.projections + m_flops.core;
        const auto write = [&](double part) {
            Work work;
            work.flops = part;
            work.share = part / flops;
            work.times = times;
            Compute(TrainingKind::Attention, work);
        };
        if (m_plan.cp == 1)
        {
            write(flops);
            return;
        }
        write(m_flops.projections / 2);
        const double block = m_plan.GetGroupTokens() * m_plan.model.GetKvElements(m_plan.tp);
        // On the way back their gradients go with them.
        Ring(TrainingKind::Context,
             Group::Context,
             m_plan.cp,
             RoundBytes(block * times) * m_plan.elementBytes * m_plan.cp);
        const std::optional<uint32_t> ring = std::exchange(m_awaited, std::nullopt);
        write(m_flops.core);
        m_awaited = ring;
        write(m_flops.projections / 2);
    }

    void Experts(uint32_t layer, double times)
    {
        Operation operation;
        if (m_weights)
        {
            operation.after.push_back(*std::exchange(m_weights, std::nullopt));
        }
        operation.type = Type::ComputeExperts;
        operation.kind = TrainingKind::Experts;
        operation.layer = layer;
        operation.times = times;
        AddCompute(operation);
    }

    void Other(TrainingKind kind, Work::Part part, double flops, double times)
    {
        Work work;
        work.part = part;
        work.flops = flops;
        work.times = times;
        Compute(kind, work);
    }

    /// \param before what shared experts wait for if copies travel beside them
    /// \return what they wait for
    std::optional<uint32_t> FindWait(const std::optional<uint32_t>& before) const
    {
        return HasCopies() && m_timing == CopyTiming::Blocking ? m_awaited : before;
    }

    /// Shared experts are computed while tokens travel to the others. \param before what they wait
    /// for
    void SharedExperts(const std::optional<uint32_t>& before, double times)
    {
        if (m_plan.model.sharedFfn == 0)
        {
            return;
        }
        const std::optional<uint32_t> tokens = std::exchange(m_awaited, before);
        Other(TrainingKind::Shared, Work::Part::Shared, m_flops.shared, times);
        m_awaited = tokens;
    }

    bool IsDense(uint32_t layer) const
    {
        return layer < m_plan.model.denseLayers;
    }

    /// \param isAgain on the way back, of what was not kept
    void WriteForward(uint32_t layer, bool isAgain)
    {
        if (!IsDense(layer))
        {
            CopyByForecast(layer, isAgain);
        }
        Tensor();
        Attention(1);
        Tensor();
        if (IsDense(layer))
        {
            Tensor();
            Other(TrainingKind::Dense, Work::Part::Dense, m_flops.dense, 1);
            Tensor();
            return;
        }
        Other(TrainingKind::Gate, Work::Part::Gate, m_flops.gate, 1);
        const std::optional<uint32_t> gated = m_awaited;
        CopyByCounts(layer, isAgain);
        const std::optional<uint32_t> before = FindWait(gated);
        Route(true, TrainingKind::Dispatch, layer);
        CopyNext(layer, isAgain, Operation::Window::First);
        Share(Type::GatherTokens, layer);
        SharedExperts(before, 1);
        Experts(layer, 1);
        Share(Type::ScatterTokens, layer);
        Route(false, TrainingKind::Combine, layer);
        CopyNext(layer, isAgain, Operation::Window::Second);
    }

    void WriteBackward(uint32_t layer)
    {
        if (IsDense(layer))
        {
            Tensor();
            Other(TrainingKind::Dense, Work::Part::Dense, m_flops.dense, kBackward);
            Tensor();
        }
        else
        {
            const std::optional<uint32_t> behind = m_awaited;
            FetchAgain(layer);
            const std::optional<uint32_t> before = FindWait(behind);
            Route(true, TrainingKind::CombineBackward, layer);
            ReturnUnderExperts(layer);
            if (m_slot.isLastBackward && m_timing == CopyTiming::Scheduled && !IsLastOfChunk(layer))
            {
                SyncExperts(layer + 1);
            }
            Share(Type::GatherTokens, layer);
            SharedExperts(before, kBackward);
            Experts(layer, kBackward);
            ReturnGradients(layer);
            if (m_slot.isLastBackward && m_timing != CopyTiming::Scheduled)
            {
                SyncExperts(layer);
            }
            Share(Type::ScatterTokens, layer);
            Route(false, TrainingKind::DispatchBackward, layer);
            ReturnUnderOther(layer);
            if (m_slot.isLastBackward && m_timing == CopyTiming::Scheduled &&
                IsFirstWithExperts(layer))
            {
                SyncExperts(layer);
            }
            Other(TrainingKind::Gate, Work::Part::Gate, m_flops.gate, kBackward);
        }
        Tensor();
        Attention(kBackward);
        if (m_timing == CopyTiming::Overlapped)
        {
            m_joined = std::exchange(m_returned, std::nullopt);
        }
        Tensor();
        if (m_slot.isLastBackward)
        {
            SyncGradients(Group::Data, m_plan.model.GetDenseParameters(layer) / m_plan.tp);
        }
    }

    void Head(bool isHere, double times)
    {
        if (isHere)
        {
            const double flops = 2 * m_plan.GetGroupTokens() * m_plan.model.hidden *
                                 m_plan.model.vocabulary / m_plan.tp;
            Other(TrainingKind::Head, Work::Part::Head, flops, times);
        }
    }

    void ReceiveIf(bool isSent)
    {
        if (!isSent)
        {
            return;
        }
        Operation operation = MakePipeline(Type::Receive);
        operation.stream = TrainingStream::Communication;
        operation.drains = {TrainingStream::Compute};
        Communicate(operation);
    }

    void SendIf(bool isWanted)
    {
        if (!isWanted)
        {
            return;
        }
        Operation operation = MakePipeline(Type::Send);
        operation.stream = TrainingStream::Pipeline;
        operation.steps = 1;
        if (m_awaited)
        {
            operation.after.push_back(*m_awaited);
        }
        Communicate(operation, false);
    }

    Operation MakePipeline(Type type) const
    {
        Operation operation;
        operation.type = type;
        operation.kind = TrainingKind::Pipeline;
        operation.bytes = uint64_t{m_plan.GetTokens()} * m_plan.model.hidden * m_plan.elementBytes;
        return operation;
    }

    uint32_t GetReplicas(Group group) const
    {
        return group == Group::Data ? m_plan.dp * m_plan.cp : m_plan.edp;
    }

    void Replicate(Group group, double bytes)
    {
        if (GetReplicas(group) < 2 || bytes == 0)
        {
            return;
        }
        Operation operation;
        operation.type = Type::Ring;
        operation.kind = group == Group::Data ? TrainingKind::Data : TrainingKind::ExpertData;
        operation.stream = TrainingStream::Data;
        operation.group = group;
        operation.bytes = RoundBytes(bytes);
        operation.steps = GetReplicas(group) - 1;
        Communicate(operation, false);
    }

    /// Gradients of experts of a layer, complete, to all that hold these for good.
    void SyncExperts(uint32_t layer)
    {
        if (m_plan.handling.IsPlain())
        {
            SyncGradients(Group::ExpertData, GetExpertParameters());
            return;
        }
        AddReplicas(Type::ReduceReplicas, layer);
    }

    /// Of a policy: experts may be elsewhere than without it, so that what is sent is found out
    /// when that is known.
    void AddReplicas(Type type, uint32_t layer)
    {
        Operation operation;
        operation.type = type;
        operation.kind = TrainingKind::ExpertData;
        operation.stream = TrainingStream::Data;
        operation.group = Group::ExpertData;
        operation.layer = layer;
        operation.steps = std::max(2U, m_plan.edp) - 1;
        if (type == Type::ReduceReplicas && m_returned)
        {
            operation.after.push_back(*m_returned);
        }
        Communicate(operation, false);
    }

    /// Reduce-scatter: each replica gets the sum of its share.
    void SyncGradients(Group group, double parameters)
    {
        Replicate(group, parameters * static_cast<double>(m_plan.gradientBytes));
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

    /// Optimizer states are distributed: a replica updates its share, and all gather the result.
    void WriteUpdate()
    {
        double dense = GetEndParameters(m_slot.stage == 0, m_slot.stage + 1 == m_plan.pp);
        double experts = 0;
        for (uint32_t chunk = 0; chunk < m_plan.chunks; ++chunk)
        {
            const auto [first, end] = GetLayers(m_plan, m_slot.stage, chunk);
            for (uint32_t layer = first; layer < end; ++layer)
            {
                dense += m_plan.model.GetDenseParameters(layer) / m_plan.tp;
                experts += IsDense(layer) ? 0 : GetExpertParameters();
            }
        }
        Work work;
        work.part = Work::Part::Optimizer;
        work.bytes =
            (kStateBytes + static_cast<double>(m_plan.gradientBytes + m_plan.elementBytes)) *
            (dense / GetReplicas(Group::Data) + experts / GetReplicas(Group::ExpertData));
        Operation operation;
        operation.kind = TrainingKind::Optimizer;
        operation.duration = m_plan.compute->GetTime(work);
        operation.drains = {TrainingStream::Data, TrainingStream::Copies};
        AddCompute(operation);
        Replicate(Group::Data, dense * static_cast<double>(m_plan.elementBytes));
        if (m_plan.handling.IsPlain())
        {
            Replicate(Group::ExpertData, experts * static_cast<double>(m_plan.elementBytes));
        }
        else
        {
            AddReplicas(Type::GatherReplicas, 0);
        }
    }

    const TrainingPlan& m_plan;
    const SlotKind& m_slot;
    LayerFlops m_flops;
    uint32_t m_virtualStage;
    bool m_isFirst;
    bool m_isLast;
    uint32_t m_group;                           //!< GPUs whose experts are planned together
    std::optional<ExpertKnowledge> m_knowledge; //!< of a policy that does anything
    CopyTiming m_timing{CopyTiming::Blocking};
    uint32_t m_turns{1}; //!< hops on the longest way of a copy
    SlotOperations m_made;
    std::optional<uint32_t> m_computed; //!< the latest computing
    std::optional<uint32_t> m_awaited;  //!< communication that the next computing needs
    std::optional<uint32_t> m_planned;  //!< a decision that the next tokens need
    std::optional<uint32_t> m_weights;  //!< copies that the next experts need
    std::optional<uint32_t> m_returned; //!< the latest gradients of copies
    std::optional<uint32_t> m_joined;   //!< the same, which the next computing needs
};

} // namespace

std::pair<uint32_t, uint32_t>
GetLayers(const TrainingPlan& plan, uint32_t stage, uint32_t chunk)
{
    // What is left over goes to the first.
    const uint32_t parts = plan.pp * plan.chunks;
    const uint32_t part = chunk * plan.pp + stage;
    const auto begin = [&](uint32_t number) {
        return plan.model.layers / parts * number + std::min(number, plan.model.layers % parts);
    };
    return {begin(part), begin(part + 1)};
}

TimePs
GetExpertTime(const TrainingPlan& plan, double tokens, double times)
{
    Work work;
    work.part = Work::Part::Experts;
    work.tokens = tokens;
    work.flops = 2 * tokens * plan.model.GetExpertParameters();
    work.times = times;
    return plan.compute->GetTime(work);
}

TimePs
GetOtherTime(const TrainingPlan& plan, double times)
{
    const LayerFlops flops = GetLayerFlops(plan);
    Work attention;
    attention.flops = flops.projections + flops.core;
    attention.times = times;
    Work gate;
    gate.part = Work::Part::Gate;
    gate.flops = flops.gate;
    gate.times = times;
    return plan.compute->GetTime(attention) + plan.compute->GetTime(gate);
}

SlotOperations
MakeSlotOperations(const TrainingPlan& plan, const SlotKind& slot)
{
    return SlotWriter(plan, slot).Write();
}

double
GetTokenFlops(const TrainingPlan& plan)
{
    return 2 * plan.model.GetActiveParameters() +
           plan.model.layers * static_cast<double>(plan.sequence) * plan.model.GetAttentionWidth();
}

} // namespace ns3::rails
