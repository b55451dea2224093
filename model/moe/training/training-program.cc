// SPDX-License-Identifier: GPL-2.0-only
#include "training-program.h"

#include "equal-microbatches.h"
#include "operation-list.h"
#include "training-operations.h"
#include "training-report.h"
#include "training-scaling.h"

#include "ns3/matrix-sum.h"
#include "ns3/rails-error.h"
#include "ns3/training-kinds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Repetition of equal micro-batches.
class MicrobatchRepetition : public GraphRepetition
{
  public:
    /// \param spec a training with all micro-batches
    explicit MicrobatchRepetition(TrainingSpec spec)
        : m_spec(std::move(spec))
    {
    }

    uint32_t CountUnits() const override
    {
        return m_spec.microbatches;
    }

    uint32_t GetCycle() const override
    {
        return FindCycle(m_spec);
    }

    uint32_t CountUnderWay() const override
    {
        return rails::CountUnderWay(m_spec);
    }

    bool IsLoose() const override
    {
        return m_spec.data.DividesAll(); // gradients of all micro-batches share the network
    }

    std::optional<uint16_t> FindAheadKind() const override
    {
        return m_spec.compute->GetLaunch() > 0
                   ? std::optional(static_cast<uint16_t>(TrainingKind::Launch))
                   : std::nullopt;
    }

    std::shared_ptr<const GraphProgram> MakePart(uint32_t units) const override
    {
        auto part = std::make_shared<TrainingProgram>(MakeSpec(units));
        part->Prepare();
        return part;
    }

    std::vector<RepeatedNodes> ListRepeated(uint32_t units) const override
    {
        return TrainingProgram(MakeSpec(units)).ListRepeated();
    }

    std::vector<RepeatedNodes> ListAllRepeated(uint32_t units) const override
    {
        return TrainingProgram(MakeSpec(units)).ListRepeated(true);
    }

  private:
    TrainingSpec MakeSpec(uint32_t units) const
    {
        TrainingSpec spec = m_spec;
        spec.microbatches = units;
        return spec;
    }

    TrainingSpec m_spec;
};

/// \return true for policy operations on all layers of a stage together
bool
IsOfAllExperts(const Operation& operation)
{
    switch (operation.kind)
    {
    case TrainingKind::ExpertData:
    case TrainingKind::ExpertPlanning:
    case TrainingKind::ExpertCounts:
    case TrainingKind::ExpertMoves:
        return !operation.layer && operation.estimate.bytes <= 0;
    default:
        return false;
    }
}

} // namespace

TrainingProgram::TrainingProgram(TrainingSpec spec)
    : m_spec(std::move(spec)),
      m_context(m_spec),
      m_collectives(m_spec),
      m_replicas(m_context)
{
    MakeStages();
}

void
TrainingProgram::Prepare()
{
    m_context.Prepare();
    if (!m_spec.handling.IsPlain())
    {
        MakeStagesAgain(); // the steps of replica collectives are known now
    }
}

void
TrainingProgram::Sample()
{
    m_context.Sample();
    if (m_context.GetSample())
    {
        MakeStagesAgain(); // with the costs of policy operations
    }
}

void
TrainingProgram::MakeStagesAgain()
{
    m_stages.clear();
    m_operations.clear();
    MakeStages();
}

void
TrainingProgram::Outline()
{
    m_context.Outline();
}

std::vector<RepeatedNodes>
TrainingProgram::ListRepeated(bool ofAll) const
{
    const std::vector<RepeatedSlots> stages = ListRepeatedSlots(m_spec);
    std::vector<RepeatedNodes> repeated;
    for (uint32_t gpu = 0; gpu < m_spec.shape.GetGpus(); ++gpu)
    {
        const RepeatedSlots& slots = stages[m_context.GetStage(gpu)];
        const Stage& stage = m_stages[m_context.GetStage(gpu)];
        const std::vector<const Slot*> passes = ListByPass(stage);
        const auto list = [&](uint32_t stream) {
            RepeatedNodes nodes{gpu, stream, {}, slots.perMicrobatch};
            const uint64_t inIteration = stage.counts[stream];
            for (uint32_t iteration = 0; iteration < m_spec.iterations && inIteration > 0;
                 ++iteration)
            {
                for (std::size_t at = slots.first; at < slots.end; ++at)
                {
                    const Slot& slot = *passes[at];
                    nodes.over.push_back(iteration * inIteration + slot.first[stream] +
                                         slot.what->streams[stream].size());
                }
            }
            return nodes;
        };
        const auto isUsed = [&](uint32_t stream) {
            return std::any_of(
                passes.begin() + static_cast<std::ptrdiff_t>(slots.first),
                passes.begin() + static_cast<std::ptrdiff_t>(slots.end),
                [stream](const Slot* slot) { return !slot->what->streams[stream].empty(); });
        };
        constexpr auto compute = static_cast<uint32_t>(TrainingStream::Compute);
        constexpr auto data = static_cast<uint32_t>(TrainingStream::Data); // gradients
        repeated.push_back(list(compute));
        for (uint32_t stream = 0; stream < GetStreams(); ++stream)
        {
            if (stream != compute && (ofAll || stream == data) && isUsed(stream))
            {
                repeated.push_back(list(stream));
            }
        }
    }
    return repeated;
}

/// \return slots of a stage, one entry per pass
std::vector<const TrainingProgram::Slot*>
TrainingProgram::ListByPass(const Stage& stage)
{
    std::vector<const Slot*> slots;
    for (const Slot& slot : stage.slots)
    {
        slots.insert(slots.end(), slot.passes.back() ? 2 : 1, &slot);
    }
    return slots;
}

ExpertFigures
TrainingProgram::GetExpertFigures() const
{
    return m_context.GetDispatch().GetFigures();
}

ExpertExtent
TrainingProgram::GetExpertExtent() const
{
    return {m_spec.iterations, m_spec.model.layers};
}

std::vector<ExpertCopy>
TrainingProgram::ListExpertCopies(uint32_t iteration, uint32_t layer) const
{
    return m_context.GetDispatch().ListCopies(iteration, layer);
}

void
TrainingProgram::MakeStages()
{
    uint64_t steps = 0;
    uint32_t mostOfAll = 0;
    for (uint32_t number = 0; number < m_spec.pp; ++number)
    {
        Stage stage;
        std::array<double, kTrainingStreams> work{};
        uint32_t stepsOfAll = 0;
        using Key = std::tuple<SlotPart, uint32_t, bool>;
        std::map<std::pair<Key, std::optional<Key>>, const SlotOperations*> known;
        const auto makeKey = [&](const PipelineSlot& pass) {
            const auto [part, isSpecial] = GetPassSort(pass);
            return Key{part, pass.chunk, isSpecial};
        };
        const auto make = [&](const Key& key) {
            const auto [part, chunk, isSpecial] = key;
            const bool takes = isSpecial && part == SlotPart::Forward;
            return MakeSlotOperations(m_context,
                                      m_collectives,
                                      m_replicas,
                                      {part, number, chunk, isSpecial && !takes, takes});
        };
        const auto add = [&](const PipelineSlot& pass, const PipelineSlot* merged) {
            const Key key = makeKey(pass);
            const auto other = merged ? std::optional<Key>(makeKey(*merged)) : std::nullopt;
            const SlotOperations*& what = known[{key, other}];
            if (!what)
            {
                what = &AddOperations(other ? MergeOperations(make(key), make(*other)) : make(key));
            }
            stepsOfAll += what->stepsOfAll;
            stage.slots.push_back(
                {{Pass{pass}}, what, stage.counts, work, static_cast<uint32_t>(steps)});
            if (merged)
            {
                stage.slots.back().passes.back() = Pass{*merged};
            }
            steps += what->steps;
            for (uint32_t stream = 0; stream < kTrainingStreams; ++stream)
            {
                stage.counts[stream] += what->streams[stream].size();
                work[stream] += what->work[stream];
            }
        };
        if (!m_spec.handling.IsPlain())
        {
            add({SlotPart::Begin}, nullptr);
        }
        const std::vector<PipelineSlot> slots =
            m_spec.schedule->MakeSlots(m_spec.GetPipeline(), number);
        for (std::size_t at = 0; at < slots.size(); ++at)
        {
            const bool isMerged = at + 1 < slots.size() && slots[at + 1].isMerged;
            add(slots[at], isMerged ? &slots[at + 1] : nullptr);
            at += isMerged ? 1 : 0;
        }
        add({SlotPart::Update}, nullptr);
        m_stages.push_back(std::move(stage));
        mostOfAll = std::max(mostOfAll, stepsOfAll);
        if (steps + mostOfAll >= std::numeric_limits<uint32_t>::max() / m_spec.iterations)
        {
            throw std::length_error("too many steps");
        }
    }
    m_stepsOfAll = static_cast<uint32_t>(steps);
    m_steps = std::max<uint32_t>(1, m_stepsOfAll + mostOfAll);
    JoinStages();
}

const SlotOperations&
TrainingProgram::AddOperations(SlotOperations operations)
{
    return m_operations.emplace_back(std::move(operations));
}

/// Connects passes of consecutive parts: sets stage and step of their transfers.
void
TrainingProgram::JoinStages()
{
    struct Joined
    {
        uint32_t stage;
        Pass* pass;
        std::optional<uint32_t> sentStep; //!< step in the iteration
    };

    /// By direction, part of the model, and micro-batch.
    std::map<std::tuple<bool, uint32_t, uint32_t>, Joined> passes;
    for (uint32_t stage = 0; stage < m_spec.pp; ++stage)
    {
        for (Slot& slot : m_stages[stage].slots)
        {
            for (uint32_t number = 0; number < kMostPasses && slot.passes[number]; ++number)
            {
                Pass& pass = *slot.passes[number];
                const SlotPart part = pass.what.part;
                if (part != SlotPart::Forward && part != SlotPart::Backward &&
                    part != SlotPart::BackwardInputs)
                {
                    continue;
                }
                Joined& joined = passes[{part == SlotPart::Forward,
                                         m_spec.GetPart(stage, pass.what.chunk),
                                         pass.what.microbatch}];
                joined = {stage, &pass, slot.what->sent[number]};
                if (joined.sentStep)
                {
                    *joined.sentStep += slot.firstStep;
                }
            }
        }
    }
    for (uint32_t stage = 0; m_spec.CountMirrors() > 1 && stage < m_spec.pp; ++stage)
    {
        // Mirrored stages share the update steps of the first stage.
        const Stage& first = m_stages[std::min(stage, m_spec.GetMirror(stage))];
        m_stages[stage].slots.back().passes.front()->receivedStep = first.slots.back().firstStep;
    }
    for (const auto& [key, sender] : passes)
    {
        const auto [isForward, part, microbatch] = key;
        if (sender.sentStep)
        {
            const uint32_t next = isForward ? part + 1 : part - 1;
            const auto receiver = passes.find({isForward, next, microbatch});
            if (receiver == passes.end())
            {
                throw ConfigurationError(
                    "schedule",
                    "no stage goes " + std::string(isForward ? "forward" : "backward") +
                        " through part " + std::to_string(next) +
                        " of the model with micro-batch " + std::to_string(microbatch));
            }
            sender.pass->sentTo = receiver->second.stage;
            receiver->second.pass->receivedFrom = sender.stage;
            receiver->second.pass->receivedStep = *sender.sentStep;
        }
    }
}

const ClusterShape&
TrainingProgram::GetShape() const
{
    return m_spec.shape;
}

const std::vector<std::string>&
TrainingProgram::GetKinds() const
{
    return GetTrainingKindNames();
}

uint32_t
TrainingProgram::GetStreams() const
{
    // The last stream is the host's, absent without launch time.
    return kTrainingStreams - (m_spec.compute->GetLaunch() > 0 ? 0 : 1);
}

/// \param place of the node on its stream, within an iteration
TrainingProgram::Found
TrainingProgram::FindOperation(const Stage& stage, uint32_t stream, uint64_t place)
{
    // The last slot that begins at or before the node; a slot without nodes on the stream begins
    // where the next does.
    const auto after = std::upper_bound(
        stage.slots.begin(),
        stage.slots.end(),
        place,
        [stream](uint64_t at, const Slot& slot) { return at < slot.first[stream]; });
    const Slot& slot = *std::prev(after);
    const uint64_t inSlot = place - slot.first[stream];
    return {slot, slot.what->operations[slot.what->streams[stream][inSlot]]};
}

/// \return true when the previous reconfiguration had the same layer, micro-batch and exchange
bool
TrainingProgram::IsServed(const Stage& stage, uint64_t place)
{
    constexpr auto stream = static_cast<uint32_t>(TrainingStream::Circuits);
    if (place == 0)
    {
        return false;
    }
    const Found before = FindOperation(stage, stream, place - 1);
    const Found now = FindOperation(stage, stream, place);
    const Operation::Served& earlier = *before.operation.served;
    const Operation::Served& later = *now.operation.served;
    return earlier.layer == later.layer && earlier.exchange == later.exchange &&
           !earlier.isForeseen && before.GetPass().what.microbatch == now.GetPass().what.microbatch;
}

SlotPlace
TrainingProgram::MakePlace(uint32_t iteration, uint32_t stage, const Found& found) const
{
    const Pass& pass = found.GetPass();
    return {iteration,
            stage,
            pass.what.chunk,
            pass.what.microbatch,
            iteration * m_steps + pass.receivedStep,
            pass.receivedFrom,
            pass.sentTo};
}

/// Fills in a node, without its dependencies.
void
TrainingProgram::Make(uint32_t gpu, uint32_t iteration, const Found& found, GraphNode& node) const
{
    node.kind = static_cast<uint16_t>(found.operation.kind);
    const bool isMirrored = found.operation.isMirrored;
    const uint32_t first = found.operation.isOfAll ? m_stepsOfAll
                           : isMirrored            ? found.GetPass().receivedStep
                                                   : found.slot.firstStep;
    node.step = iteration * m_steps + first + found.operation.firstStep;
    if (found.operation.makeNode)
    {
        found.operation.makeNode(gpu, MakePlace(iteration, m_context.GetStage(gpu), found), node);
    }
    if (IsExchange(found.operation.kind) && node.transfer)
    {
        node.share = {m_spec.exchangeSms, m_spec.compute->GetSms()};
    }
}

bool
TrainingProgram::GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const
{
    const uint32_t number = m_context.GetStage(gpu);
    const Stage& stage = m_stages[number];
    const uint64_t inIteration = stage.counts[stream];
    if (inIteration == 0 || index / inIteration >= m_spec.iterations)
    {
        return false;
    }
    const auto iteration = static_cast<uint32_t>(index / inIteration);
    const uint64_t place = index % inIteration;
    const Found found = FindOperation(stage, stream, place);
    const auto& [slot, operation] = found;
    if (operation.served && IsServed(stage, place))
    {
        node.kind = static_cast<uint16_t>(operation.kind);
        node.isOnHost = true; // no reconfiguration, so no time
    }
    else
    {
        Make(gpu, iteration, found, node);
    }
    for (const GraphNode::Wait& wait : ListWaits(place, found))
    {
        node.waits.push_back({wait.stream, iteration * stage.counts[wait.stream] + wait.count});
    }
    return true;
}

/// \return dependencies of a node within its iteration
std::vector<GraphNode::Wait>
TrainingProgram::ListWaits(uint64_t place, const Found& found) const
{
    const auto& [slot, operation] = found;
    std::vector<GraphNode::Wait> waits;
    for (const uint32_t before : operation.after)
    {
        const Operation& other = slot.what->operations[before];
        const auto stream = static_cast<uint32_t>(other.stream);
        waits.push_back({stream, slot.first[stream] + other.index + 1});
    }
    for (const TrainingStream drained : operation.drains)
    {
        const auto stream = static_cast<uint32_t>(drained);
        const uint64_t before = slot.first[stream];
        waits.push_back({stream, before - std::min<uint64_t>(before, operation.isEarly ? 1 : 0)});
    }
    if (place == 0)
    {
        for (uint32_t other = 0; other < GetStreams(); ++other)
        {
            waits.push_back({other, 0});
        }
    }
    return waits;
}

uint32_t
TrainingProgram::CountStages() const
{
    return m_spec.pp;
}

uint32_t
TrainingProgram::GetStage(uint32_t gpu) const
{
    return m_context.GetStage(gpu);
}

uint32_t
TrainingProgram::GetGroup(uint32_t gpu) const
{
    return m_context.GetExperts().GetNumber(gpu);
}

uint64_t
TrainingProgram::CountStageNodes(uint32_t stage, uint32_t stream) const
{
    return m_stages[stage].counts[stream];
}

/// \return common properties of nodes of a pass
StageNode::PassSort
TrainingProgram::GetPassSort(const PipelineSlot& pass) const
{
    const bool takes =
        m_spec.data.overlapsParameters && pass.part == SlotPart::Forward && pass.microbatch == 0;
    return {pass.part, takes || m_spec.CompletesGradients(pass)};
}

/// \return rows of a layer's experts on the fullest GPU in the first micro-batch, mean over groups
double
TrainingProgram::FindLoad(uint32_t stage, uint32_t layer) const
{
    const auto [found, isNew] = m_loads.try_emplace(layer, 0);
    if (isNew)
    {
        const std::vector<uint32_t> gpus = m_context.ListGpus(stage);
        for (const uint32_t gpu : gpus)
        {
            const auto routing = m_context.GetRouting(gpu, {0, layer, 0, 0});
            found->second += static_cast<double>(*std::max_element(routing->received.begin(),
                                                                   routing->received.end())) /
                             static_cast<double>(gpus.size());
        }
    }
    return found->second;
}

/// \return bytes of replicas of a layer that the busiest GPU of a group sends or receives in the
///     first micro-batch, mean over groups
double
TrainingProgram::FindCopied(uint32_t stage, uint32_t layer, bool isGradients) const
{
    const auto [found, isNew] = m_copied.try_emplace({layer, isGradients}, 0);
    if (!isNew)
    {
        return found->second;
    }
    const uint32_t groups = m_spec.CountExpertGroups();
    for (uint32_t number = 0; number < groups; ++number)
    {
        const std::vector<uint32_t>& members =
            m_context.GetExperts().GetGroups()[stage * groups + number];
        const auto routing = m_context.GetRouting(members.front(), {0, layer, 0, 0});
        std::vector<uint64_t> sent(members.size());
        std::vector<uint64_t> received(members.size());
        for (const CopyHop& hop : (isGradients ? routing->gradients : routing->weights).hops)
        {
            sent[hop.from] += hop.bytes;
            received[hop.to] += hop.bytes;
        }
        found->second +=
            static_cast<double>(std::max(*std::max_element(sent.begin(), sent.end()),
                                         *std::max_element(received.begin(), received.end())));
    }
    found->second /= groups;
    return found->second;
}

StageNode
TrainingProgram::DescribeStageNode(uint32_t stage, uint32_t stream, uint64_t place) const
{
    const Found found = FindOperation(m_stages[stage], stream, place);
    const auto& [slot, operation] = found;
    const auto isAlike = [&operation](const Operation& other) {
        return other.kind == operation.kind && other.layer == operation.layer &&
               other.pass == operation.pass;
    };
    StageNode node;
    node.sort.passes.front() = GetPassSort(found.GetPass().what);
    if (slot.passes.back())
    {
        node.sort.passes.back() = GetPassSort(slot.passes[1 - operation.pass]->what);
    }
    node.sort.kind = operation.kind;
    node.sort.stream = stream;
    node.sort.isOfLayer = operation.layer.has_value();
    node.part = stage;
    if (operation.layer)
    {
        const uint32_t layer = *operation.layer;
        node.sort.isDense = layer < m_spec.model.denseLayers;
        node.sort.isPrediction = m_spec.model.IsPrediction(layer);
        for (uint32_t chunk = 0; chunk < m_spec.chunks; ++chunk)
        {
            const auto [first, end] = m_spec.GetLayers(stage, chunk);
            if (first <= layer && layer < end)
            {
                node.part = m_spec.GetPart(stage, chunk);
                node.index = layer - first;
                node.layers = end - first;
            }
        }
    }
    node.sort.isServed = operation.served && IsServed(m_stages[stage], place);
    node.sort.isFirst = operation.served && place == 0;
    for (uint32_t before = 0; before < operation.index; ++before)
    {
        node.nth += isAlike(slot.what->operations[slot.what->streams[stream][before]]) ? 1 : 0;
    }
    node.microbatch = found.GetPass().what.microbatch;
    node.size = operation.estimate.time > 0 ? operation.estimate.time : operation.estimate.bytes;
    const bool isOfTokens = operation.kind == TrainingKind::Experts ||
                            operation.kind == TrainingKind::ExpertTensor ||
                            IsExchange(operation.kind);
    if (isOfTokens && operation.layer && m_spec.ep > 1)
    {
        node.size = FindLoad(stage, *operation.layer);
    }
    const bool isOfGradients = operation.kind == TrainingKind::ExpertGradients;
    if (operation.layer && (isOfGradients || operation.kind == TrainingKind::ExpertWeights))
    {
        node.size = FindCopied(stage, *operation.layer, isOfGradients);
        node.isCounted = true;
    }
    if (IsOfAllExperts(operation))
    {
        node.size = static_cast<double>(m_spec.ListExpertLayers(stage).size());
    }
    const std::optional<uint32_t> sent = slot.what->sent[operation.pass];
    if (operation.isOfAll || operation.isMirrored)
    {
        node.tie = StageNode::Tie::Meets;
        node.meeting = operation.isOfAll ? m_spec.pp : m_spec.CountMirrors();
        node.tieStep =
            operation.firstStep + (operation.isOfAll ? m_stepsOfAll : found.GetPass().receivedStep);
    }
    else if (operation.kind == TrainingKind::Pipeline && operation.steps == 0)
    {
        node.tie = StageNode::Tie::Receives;
        node.tieStep = found.GetPass().receivedStep;
    }
    else if (operation.kind == TrainingKind::Pipeline && sent == operation.firstStep)
    {
        node.tie = StageNode::Tie::Sends;
        node.tieStep = slot.firstStep + *sent;
    }
    node.waits = ListWaits(place, found);
    return node;
}

uint64_t
TrainingProgram::CountNodes(uint32_t gpu, uint32_t stream) const
{
    return m_stages[m_context.GetStage(gpu)].counts[stream] * m_spec.iterations;
}

/// \return cost of the first nodes of a stream of a stage in an iteration
double
TrainingProgram::FindWork(const Stage& stage, uint32_t stream, uint64_t nodes)
{
    if (nodes == 0)
    {
        return 0;
    }
    const Found last = FindOperation(stage, stream, nodes - 1);
    double work = last.slot.workBefore[stream];
    for (const uint32_t number : last.slot.what->streams[stream])
    {
        const Operation& operation = last.slot.what->operations[number];
        work += operation.GetWork();
        if (&operation == &last.operation)
        {
            break;
        }
    }
    return work;
}

/// \return number of micro-batches that a stage has finished after some computing nodes
uint32_t
TrainingProgram::CountRounds(const Stage& stage, uint64_t nodes) const
{
    constexpr auto stream = static_cast<std::size_t>(TrainingStream::Compute);
    std::vector<bool> isOver(m_spec.microbatches, true);
    for (const Slot& slot : stage.slots)
    {
        const SlotPart part = slot.passes.front()->what.part;
        const bool isOfRound = part != SlotPart::Begin && part != SlotPart::Update;
        if (isOfRound && slot.first[stream] + slot.what->streams[stream].size() > nodes)
        {
            for (const std::optional<Pass>& pass : slot.passes)
            {
                if (pass)
                {
                    isOver[pass->what.microbatch] = false;
                }
            }
        }
    }
    return static_cast<uint32_t>(std::count(isOver.begin(), isOver.end(), true));
}

std::optional<GraphAdvance>
TrainingProgram::FindAdvance(
    const std::function<uint64_t(uint32_t gpu, uint32_t stream)>& countOver) const
{
    constexpr std::size_t most = 16; // sampled GPUs of a stage, since all progress alike
    constexpr auto compute = static_cast<uint32_t>(TrainingStream::Compute);
    double all = 0;
    double over = 0;
    uint64_t rounds = uint64_t{m_spec.iterations} * m_spec.microbatches;
    for (uint32_t number = 0; number < m_spec.pp; ++number)
    {
        const Stage& stage = m_stages[number];
        const std::vector<uint32_t> gpus = m_context.ListGpus(number);
        const std::size_t asked = std::min(most, gpus.size());
        for (std::size_t i = 0; i < asked; ++i)
        {
            const uint32_t gpu = gpus[i * gpus.size() / asked];
            for (uint32_t stream = 0; stream < CountStreams(gpu); ++stream)
            {
                const uint64_t inIteration = std::max<uint64_t>(1, stage.counts[stream]);
                const uint64_t nodes = countOver(gpu, stream);
                const uint64_t iterations = nodes / inIteration;
                const double whole = FindWork(stage, stream, stage.counts[stream]);
                all += m_spec.iterations * whole / static_cast<double>(asked);
                over += (static_cast<double>(iterations) * whole +
                         FindWork(stage, stream, nodes % inIteration)) /
                        static_cast<double>(asked);
                if (stream == compute)
                {
                    rounds = std::min(rounds,
                                      iterations * m_spec.microbatches +
                                          CountRounds(stage, nodes % inIteration));
                }
            }
        }
    }
    return GraphAdvance{all > 0 ? over / all : 0,
                        static_cast<uint32_t>(rounds / m_spec.microbatches),
                        m_spec.iterations,
                        "micro-batch",
                        m_spec.microbatches,
                        static_cast<uint32_t>(rounds % m_spec.microbatches)};
}

std::vector<CollectiveRecord>
TrainingProgram::GetCollectives() const
{
    std::vector<CollectiveRecord> records = m_collectives.GetRecords();
    for (const CollectiveRecord& record : m_replicas.GetRecords())
    {
        records.push_back(record);
    }
    return records;
}

/// Replicas of attention, each with all stages of the pipeline. They share only gradients,
/// parameters and token exchanges.
std::vector<std::vector<uint32_t>>
TrainingProgram::GetReplicas() const
{
    if (!m_spec.handling.IsPlain() || m_context.MovesCircuits())
    {
        return {};
    }
    std::vector<std::vector<uint32_t>> replicas(m_spec.dp);
    for (uint32_t gpu = 0; gpu < m_spec.shape.GetGpus(); ++gpu)
    {
        replicas[m_spec.attention.GetCoordinate(gpu, "dp")].push_back(gpu);
    }
    return replicas;
}

std::unique_ptr<const GraphRepetition>
TrainingProgram::FindRepetition() const
{
    return m_spec.forwards && FindWhyUnlike(m_spec).empty()
               ? std::make_unique<const MicrobatchRepetition>(m_spec)
               : nullptr;
}

std::unique_ptr<GraphScaling>
TrainingProgram::FindScaling() const
{
    TrainingSpec whole = m_spec;
    whole.microbatches = std::max(m_spec.microbatches, m_spec.batchMicrobatches);
    whole.model.layers =
        std::max(m_spec.model.layers, m_spec.modelLayers + m_spec.layout.predictions);
    whole.model.denseLayers = std::max(m_spec.model.denseLayers, m_spec.modelDenseLayers);
    const bool hasLayers = whole.model.layers == m_spec.model.layers;
    if (hasLayers && whole.microbatches == m_spec.microbatches)
    {
        return nullptr;
    }
    const auto make = [whole, hasLayers]() -> std::unique_ptr<const StagedProgram> {
        if (!hasLayers && !whole.layout.layers.empty())
        {
            return nullptr; // the layout lists only the simulated layers
        }
        whole.schedule->Check(whole);
        whole.load->Check(whole.GetLoadShape());
        auto program = std::make_unique<TrainingProgram>(whole);
        program->Outline();
        return program;
    };
    return std::make_unique<TrainingScaling>(*this, make);
}

uint32_t
TrainingProgram::GetIterations() const
{
    return m_spec.iterations;
}

std::vector<std::pair<std::string, double>>
TrainingProgram::GetFigures(double seconds, const GraphRecord* record) const
{
    return ListTrainingFigures(m_spec, GetExpertFigures(), seconds, record);
}

std::vector<std::string>
TrainingProgram::GetNotes() const
{
    return ListTrainingNotes(m_spec, GetExpertFigures());
}

/// Calls back with the operations of all slots of an iteration, stage by stage.
template <typename Function>
void
TrainingProgram::ForEachOperation(const Function& function) const
{
    for (const Stage& stage : m_stages)
    {
        for (const Slot& slot : stage.slots)
        {
            for (const Operation& operation : slot.what->operations)
            {
                function(operation);
            }
        }
    }
}

double
TrainingProgram::EstimateSeconds() const
{
    double longest = 0;
    for (const Stage& stage : m_stages)
    {
        double sum = 0;
        for (const Slot& slot : stage.slots)
        {
            for (const Operation& operation : slot.what->operations)
            {
                sum += operation.estimate.time;
            }
        }
        longest = std::max(longest, sum);
    }
    return longest * m_spec.iterations * 1e-12;
}

double
TrainingProgram::EstimateBytes() const
{
    double sum = 0;
    ForEachOperation([&sum](const Operation& operation) { sum += operation.estimate.bytes; });
    return sum * m_spec.iterations;
}

double
TrainingProgram::EstimateMessages() const
{
    double perGpu = 0;
    ForEachOperation(
        [&perGpu](const Operation& operation) { perGpu += operation.estimate.messages; });
    return perGpu * m_spec.iterations * m_spec.shape.GetGpus() / m_spec.pp;
}

/// \return CPU seconds of planning
double
TrainingProgram::EstimatePlanning() const
{
    const PlanSample* sample = m_context.GetSample();
    if (!sample)
    {
        return 0;
    }
    double plans = 0; // plans of a micro-batch
    for (uint32_t stage = 0; stage < m_spec.pp; ++stage)
    {
        plans +=
            static_cast<double>(m_spec.ListExpertLayers(stage).size() * m_spec.CountExpertGroups());
    }
    const double iterations = double{1} * m_spec.handling.warmUp + m_spec.iterations;
    return iterations * m_spec.microbatches * plans * sample->seconds;
}

GraphWork
TrainingProgram::EstimateWork() const
{
    const double gpus = m_spec.iterations * double{1} * m_spec.shape.GetGpus() / m_spec.pp;
    GraphWork all{EstimateBytes(), 0, EstimateMessages(), 0, 0, 0, EstimatePlanning()};
    ForEachOperation([&](const Operation& operation) {
        all.outside += m_spec.iterations * operation.estimate.bytes * operation.estimate.outside;
        all.cost += gpus * operation.GetWork();
        if (IsExchange(operation.kind))
        {
            all.cut += gpus * operation.estimate.messages;
            all.cutBytes += m_spec.iterations * operation.estimate.bytes;
        }
    });
    return all;
}

/// \return slots of a stage with different traffic, and their number of occurrences
std::vector<std::pair<const TrainingProgram::Slot*, uint64_t>>
TrainingProgram::ListDifferentSlots(uint32_t stage) const
{
    const uint32_t cycle =
        FindRepetition() ? FindLoadCycle(m_spec) : std::max(1U, m_spec.microbatches);
    std::map<std::tuple<const SlotOperations*, uint32_t, uint32_t>, std::size_t> known;
    std::vector<std::pair<const Slot*, uint64_t>> different;
    for (const Slot& slot : m_stages[stage].slots)
    {
        const auto [one, other] = slot.passes;
        const auto [found, isFirst] = known.try_emplace(
            {slot.what, one->what.microbatch % cycle, other ? other->what.microbatch % cycle : 0},
            different.size());
        if (isFirst)
        {
            different.emplace_back(&slot, 0);
        }
        ++different[found->second].second;
    }
    return different;
}

TrafficMatrix
TrainingProgram::GetTotal() const
{
    MatrixSum total(m_spec.shape);
    for (uint32_t stage = 0; stage < m_spec.pp; ++stage)
    {
        const std::vector<uint32_t> gpus = m_context.ListGpus(stage);
        const auto slots = ListDifferentSlots(stage);
        for (uint32_t iteration = 0; iteration < m_spec.iterations; ++iteration)
        {
            for (const auto& [slot, often] : slots)
            {
                for (const Operation& operation : slot->what->operations)
                {
                    for (const uint32_t gpu : gpus)
                    {
                        GraphNode node;
                        Make(gpu, iteration, {*slot, operation}, node);
                        if (node.transfer)
                        {
                            AddSends(gpu, *node.transfer, often, total);
                        }
                    }
                }
            }
        }
    }
    return total.Get();
}

} // namespace ns3::rails
