// SPDX-License-Identifier: GPL-2.0-only
#include "training-program.h"

#include "load-prediction.h"
#include "token-copies.h"

#include "ns3/compute-time.h"
#include "ns3/matrix-sum.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

using Type = Operation::Type;

TrainingProgram::TrainingProgram(TrainingPlan plan)
    : m_plan(std::move(plan)),
      m_expertGroups(m_plan),
      m_expertTensor(m_plan.experts, {"etp"}),
      m_parties(m_plan, m_expertGroups.GetTable(), m_expertTensor),
      m_expertData(m_plan.experts, {"edp"}),
      m_collectives(m_plan)
{
    MakeStages();
    if (m_plan.handling.IsPlain())
    {
        m_router = std::make_unique<DrawnRouter>(m_plan, m_expertGroups);
    }
}

void
TrainingProgram::Prepare()
{
    if (m_plan.handling.IsPlain())
    {
        return;
    }
    auto planned = std::make_unique<PlannedRouter>(m_plan, m_expertGroups);
    m_expertTraffic =
        std::make_unique<ExpertTraffic>(m_plan, m_expertGroups, m_expertData, *planned);
    m_router = std::move(planned);
}

const TrainingPlan&
TrainingProgram::GetPlan() const
{
    return m_plan;
}

ExpertFigures
TrainingProgram::GetExpertFigures() const
{
    return m_router->GetFigures();
}

std::vector<ExpertCopy>
TrainingProgram::ListExpertCopies(uint32_t iteration, uint32_t layer) const
{
    return m_router->ListCopies(iteration, layer);
}

void
TrainingProgram::MakeStages()
{
    uint64_t steps = 0;
    for (uint32_t number = 0; number < m_plan.pp; ++number)
    {
        Stage stage;
        stage.firstStep = static_cast<uint32_t>(steps);
        std::map<std::tuple<SlotPart, uint32_t, bool>, const SlotOperations*> known;
        const auto add = [&](const PipelineSlot& slot) {
            const bool completes =
                (slot.part == SlotPart::Backward || slot.part == SlotPart::BackwardWeights) &&
                slot.microbatch + 1 == m_plan.microbatches;
            const SlotOperations*& what = known[{slot.part, slot.chunk, completes}];
            what = what ? what : &AddOperations({slot.part, number, slot.chunk, completes});
            stage.slots.push_back({slot, what, stage.counts, static_cast<uint32_t>(steps)});
            steps += what->steps;
            for (uint32_t stream = 0; stream < kTrainingStreams; ++stream)
            {
                stage.counts[stream] += what->streams[stream].size();
            }
        };
        if (!m_plan.handling.IsPlain())
        {
            add({SlotPart::Begin});
        }
        const std::vector<PipelineSlot> slots =
            m_plan.schedule->MakeSlots(m_plan.GetPipeline(), number);
        std::for_each(slots.begin(), slots.end(), add);
        add({SlotPart::Update});
        stage.endStep = static_cast<uint32_t>(steps);
        m_stages.push_back(std::move(stage));
        if (steps >= std::numeric_limits<uint32_t>::max() / m_plan.iterations)
        {
            throw std::length_error("too many steps");
        }
    }
    m_steps = std::max<uint32_t>(1, static_cast<uint32_t>(steps));
    JoinStages();
}

const SlotOperations&
TrainingProgram::AddOperations(const SlotKind& slot)
{
    return m_operations.emplace_back(MakeSlotOperations(m_plan, m_parties, m_collectives, slot));
}

/// Finds out for what is sent from stage to stage in which step that is.
void
TrainingProgram::JoinStages()
{
    struct Joined
    {
        uint32_t stage;
        Slot* slot;
    };

    /// By direction, part of the model, and micro-batch.
    std::map<std::tuple<bool, uint32_t, uint32_t>, Joined> slots;
    for (uint32_t stage = 0; stage < m_plan.pp; ++stage)
    {
        for (Slot& slot : m_stages[stage].slots)
        {
            const SlotPart part = slot.pass.part;
            if (part == SlotPart::Forward || part == SlotPart::Backward ||
                part == SlotPart::BackwardInputs)
            {
                slots[{part == SlotPart::Forward,
                       m_plan.GetPart(stage, slot.pass.chunk),
                       slot.pass.microbatch}] = {stage, &slot};
            }
        }
    }
    for (const auto& [key, sender] : slots)
    {
        const auto [isForward, part, microbatch] = key;
        const auto& operations = sender.slot->what->operations;
        const auto send =
            std::find_if(operations.begin(), operations.end(), [](const Operation& operation) {
                return operation.type == Type::Send;
            });
        if (send != operations.end())
        {
            const uint32_t next = isForward ? part + 1 : part - 1;
            const auto receiver = slots.find({isForward, next, microbatch});
            if (receiver == slots.end())
            {
                throw ConfigurationError(
                    "schedule",
                    "no stage goes " + std::string(isForward ? "forward" : "backward") +
                        " through part " + std::to_string(next) +
                        " of the model with micro-batch " + std::to_string(microbatch));
            }
            sender.slot->sentTo = receiver->second.stage;
            receiver->second.slot->receivedStep = sender.slot->firstStep + send->firstStep;
        }
    }
}

const ClusterShape&
TrainingProgram::GetShape() const
{
    return m_plan.shape;
}

const std::vector<std::string>&
TrainingProgram::GetKinds() const
{
    return GetTrainingKindNames();
}

uint32_t
TrainingProgram::GetStreams() const
{
    return kTrainingStreams;
}

uint32_t
TrainingProgram::GetStage(uint32_t gpu) const
{
    return m_plan.attention.GetCoordinate(gpu, "pp");
}

/// \param place of the node on its stream in an iteration
TrainingProgram::Found
TrainingProgram::FindOperation(const Stage& stage, uint32_t stream, uint64_t place)
{
    // The last slot that begins at or before the node; slots without nodes there begin where the
    // next does.
    const auto after = std::upper_bound(
        stage.slots.begin(),
        stage.slots.end(),
        place,
        [stream](uint64_t at, const Slot& slot) { return at < slot.first[stream]; });
    const Slot& slot = *std::prev(after);
    const uint64_t inSlot = place - slot.first[stream];
    return {slot, slot.what->operations[slot.what->streams[stream][inSlot]]};
}

/// \return true when circuits were moved for the same layer, micro-batch and exchange before, and
/// for nothing else since
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
    return before.operation.layer == now.operation.layer &&
           before.operation.served == now.operation.served && !before.operation.isForeseen &&
           before.slot.pass.microbatch == now.slot.pass.microbatch;
}

bool
TrainingProgram::GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const
{
    const uint32_t number = GetStage(gpu);
    const Stage& stage = m_stages[number];
    const uint64_t inIteration = stage.counts[stream];
    if (inIteration == 0 || index / inIteration >= m_plan.iterations)
    {
        return false;
    }
    const auto iteration = static_cast<uint32_t>(index / inIteration);
    const uint64_t place = index % inIteration;
    const auto [slot, operation] = FindOperation(stage, stream, place);
    const uint32_t steps = iteration * m_steps;
    node.kind = static_cast<uint16_t>(operation.kind);
    node.type = GraphNode::Type::Transfer;
    node.step = steps + slot.firstStep + operation.firstStep;
    node.steps = std::max<uint32_t>(1, operation.steps);
    const bool isApart =
        ExpertTraffic::Has(operation.type) &&
        m_expertTraffic->IsApart({operation, iteration, number, slot.pass.microbatch, 0});
    const Communicator communicator =
        isApart ? Communicator::Copies : GetCommunicator(operation.kind);
    node.channel = isApart || !m_plan.sharesQueues ? static_cast<uint16_t>(communicator) : 0;
    switch (operation.type)
    {
    case Type::Compute:
        node.type = GraphNode::Type::Compute;
        node.duration = m_plan.compute->Slow(gpu, operation.duration);
        break;
    case Type::ComputeExperts:
        node.type = GraphNode::Type::Compute;
        node.duration =
            GetExpertTime(gpu, operation, {iteration, operation.layer, slot.pass.microbatch, 0});
        break;
    case Type::Plan:
    case Type::PlanNext:
    case Type::PlanMoves:
        node.type = GraphNode::Type::Compute;
        node.isOnHost = true;
        node.duration = m_expertTraffic->GetPlanningTime(
            gpu,
            {operation, iteration, number, slot.pass.microbatch, 0});
        break;
    case Type::Receive:
        node.step = steps + slot.receivedStep;
        node.isExchange = false;
        break;
    case Type::CountsNow:
    case Type::CountsAtEnd:
    case Type::CountsOfMoves:
    case Type::Move:
    case Type::Weights:
    case Type::Gradients:
        // Circuits that move are for tokens alone.
        node.isExchange = m_plan.circuits.servers == 0;
        break; // known from the plan
    case Type::ReduceReplicas:
    case Type::GatherReplicas:
        node.isExchange = false;
        break;
    case Type::Collective:
        node.lanes = operation.collective->CountLanes();
        node.isExchange = false;
        break;
    case Type::Send:
        node.isExchange = false;
        break;
    case Type::MoveCircuits:
        if (IsServed(stage, place))
        {
            node.type = GraphNode::Type::Compute;
            node.isOnHost = true;
            break;
        }
        node.type = GraphNode::Type::Barrier;
        node.step += GetRegion(gpu);
        node.duration =
            operation.isOnWayBack ? m_plan.circuits.backwardDelay : m_plan.circuits.delay;
        node.movesCircuits = true;
        node.isForeseen = operation.isForeseen;
        node.isOnWayBack = operation.isOnWayBack;
        break;
    default:
        node.isDrawn = true;
        node.step += m_parties.Get(operation.type, gpu);
        node.steps = 1;
        break;
    }
    const auto count = [&](uint32_t other, uint64_t inThis) {
        return GraphNode::Wait{other, iteration * stage.counts[other] + inThis};
    };
    for (const uint32_t before : operation.after)
    {
        const Operation& other = slot.what->operations[before];
        const auto itsStream = static_cast<uint32_t>(other.stream);
        node.waits.push_back(count(itsStream, slot.first[itsStream] + other.index + 1));
    }
    for (const TrainingStream drained : operation.drains)
    {
        const auto itsStream = static_cast<uint32_t>(drained);
        node.waits.push_back(count(itsStream, slot.first[itsStream]));
    }
    if (place == 0)
    {
        for (uint32_t other = 0; other < kTrainingStreams; ++other)
        {
            node.waits.push_back(count(other, 0));
        }
    }
    return true;
}

TrainingProgram::Step
TrainingProgram::FindStep(uint32_t step) const
{
    const uint32_t inIteration = step % m_steps;
    const auto stage = std::find_if(m_stages.begin(), m_stages.end(), [&](const Stage& other) {
        return inIteration < other.endStep;
    });
    const auto after =
        std::upper_bound(stage->slots.begin(),
                         stage->slots.end(),
                         inIteration,
                         [](uint32_t at, const Slot& slot) { return at < slot.firstStep; });
    const Slot& slot = *std::prev(after);
    const uint32_t inSlot = inIteration - slot.firstStep;
    const auto behind = std::upper_bound(
        slot.what->operations.begin(),
        slot.what->operations.end(),
        inSlot,
        [](uint32_t at, const Operation& operation) { return at < operation.firstStep; });
    const Operation& operation = *std::prev(behind);
    return {step / m_steps,
            static_cast<uint32_t>(stage - m_stages.begin()),
            &slot,
            &operation,
            inSlot - operation.firstStep};
}

/// \return the GPU of another stage that holds what a GPU holds of its own
uint32_t
TrainingProgram::FindPeer(uint32_t gpu, uint32_t stage) const
{
    const uint32_t stride = m_plan.attention.GetStride("pp");
    return gpu - GetStage(gpu) * stride + stage * stride;
}

OperationPlace
TrainingProgram::Find(const Step& step)
{
    return {*step.operation, step.iteration, step.stage, step.slot->pass.microbatch, step.number};
}

uint64_t
TrainingProgram::CountNodes(uint32_t gpu, uint32_t stream) const
{
    return m_stages[GetStage(gpu)].counts[stream] * m_plan.iterations;
}

std::vector<Demand>
TrainingProgram::GetSends(uint32_t gpu, uint32_t number) const
{
    const Step step = FindStep(number);
    const Operation& operation = *step.operation;
    if (ExpertTraffic::Has(operation.type))
    {
        return m_expertTraffic->GetSends(gpu, Find(step));
    }
    std::vector<Demand> sends;
    const auto add = [&](uint32_t to, uint64_t bytes) {
        if (to != gpu && bytes > 0)
        {
            sends.push_back({to, bytes});
        }
    };
    switch (operation.type)
    {
    case Type::Collective:
        return operation.collective->GetSends(gpu, step.number, operation.bytes);
    case Type::Send:
        if (GetStage(gpu) == step.stage)
        {
            add(FindPeer(gpu, step.slot->sentTo), operation.bytes);
        }
        return sends;
    case Type::MoveCircuits:
        return sends;
    default:
        return TakesPart(gpu, step) ? GetTokens(gpu, step) : sends;
    }
}

uint16_t
TrainingProgram::GetRail(uint32_t gpu, uint32_t number) const
{
    const Step step = FindStep(number);
    const Operation& operation = *step.operation;
    return operation.type == Type::Collective
               ? operation.collective->GetRail(gpu, step.number, operation.bytes)
               : kNoRail;
}

std::vector<CollectiveRecord>
TrainingProgram::GetCollectives() const
{
    std::vector<CollectiveRecord> records = m_collectives.GetRecords();
    if (!m_plan.handling.IsPlain() && m_plan.edp > 1)
    {
        // Who holds an expert for good is a policy's choice, expert by expert (ExpertTraffic).
        records.push_back(
            {static_cast<uint16_t>(TrainingKind::ExpertData), GetName(ALGORITHM_RING), 1});
    }
    return records;
}

/// \return what a GPU sends in an exchange of tokens that it takes part in
std::vector<Demand>
TrainingProgram::GetTokens(uint32_t gpu, const Step& step) const
{
    std::vector<Demand> sends;
    for (const uint32_t other : GetPartners(gpu, step.operation->type))
    {
        const uint64_t bytes = CountTokens(gpu, other, step) * GetTokenBytes();
        if (other != gpu && bytes > 0)
        {
            sends.push_back({other, bytes});
        }
    }
    std::sort(sends.begin(), sends.end(), [](const Demand& one, const Demand& other) {
        return one.destination < other.destination;
    });
    return sends;
}

/// What tokens go to experts in the layer and micro-batch; as much comes back by the same circuits,
/// and gradients are as many.
std::vector<Demand>
TrainingProgram::GetAnnounced(uint32_t gpu, uint32_t barrier) const
{
    Step step = FindStep(barrier);
    if (step.operation->isForeseen)
    {
        return GetForeseen(gpu, barrier, step);
    }
    Operation exchange = *step.operation;
    exchange.type = exchange.served;
    step.operation = &exchange;
    return GetTokens(gpu, step);
}

/// \return by member of a GPU's group, the share of the tokens that is expected to go there, from
/// what went there in micro-batches before and goes to the layer before
std::vector<double>
TrainingProgram::ForeseeShares(uint32_t gpu, const Step& step) const
{
    constexpr uint32_t kSeen = 8;
    const LoadPlace now{step.iteration, step.operation->layer, step.slot->pass.microbatch, 0};
    const auto getShares = [&](LoadPlace place, uint32_t layer) {
        place.layer = layer;
        const std::vector<uint64_t>& received = GetRouting(gpu, place)->received;
        const uint64_t sum = std::accumulate(received.begin(), received.end(), uint64_t{0});
        std::vector<double> shares;
        for (const uint64_t tokens : received)
        {
            shares.push_back(static_cast<double>(tokens) /
                             static_cast<double>(std::max<uint64_t>(1, sum)));
        }
        return shares;
    };
    // The layer before is that of other GPUs where another stage has it.
    const uint32_t first = m_plan.GetLayers(step.stage, step.slot->pass.chunk).first;
    const bool hasBefore = now.layer > std::max<uint32_t>(first, m_plan.model.denseLayers);
    const uint32_t before = hasBefore ? now.layer - 1 : now.layer;
    std::vector<SeenLoads> seen;
    LoadPlace place = now;
    while (seen.size() < kSeen && (place.microbatch > 0 || place.iteration > 0))
    {
        place.iteration -= place.microbatch == 0 ? 1 : 0;
        place.microbatch = (place.microbatch == 0 ? m_plan.microbatches : place.microbatch) - 1;
        seen.push_back({getShares(place, before), getShares(place, now.layer)});
    }
    if (hasBefore)
    {
        return PredictLoads(seen, getShares(now, before));
    }
    const std::size_t members = GetPartners(gpu, Type::ToExperts).size();
    return seen.empty() ? std::vector<double>(members, 1.0 / static_cast<double>(members))
                        : PredictLoads(seen, seen.front().here);
}

/// \return what a GPU expects to send to experts
std::vector<Demand>
TrainingProgram::GetForeseen(uint32_t gpu, uint32_t barrier, const Step& step) const
{
    Foreseen& foreseen = m_foreseen[m_expertGroups.GetTable().GetNumber(gpu)];
    if (foreseen.shares.empty() || foreseen.barrier != barrier)
    {
        foreseen = {barrier, ForeseeShares(gpu, step)};
    }
    const double all =
        double{1} * m_plan.GetTokens() * m_plan.model.topK * static_cast<double>(GetTokenBytes());
    const std::vector<uint32_t>& partners = GetPartners(gpu, Type::ToExperts);
    std::vector<Demand> sends;
    for (std::size_t member = 0; member < partners.size(); ++member)
    {
        const auto bytes = static_cast<uint64_t>(foreseen.shares[member] * all);
        if (partners[member] != gpu && bytes > 0)
        {
            sends.push_back({partners[member], bytes});
        }
    }
    std::sort(sends.begin(), sends.end(), [](const Demand& one, const Demand& other) {
        return one.destination < other.destination;
    });
    return sends;
}

/// \return the region of circuits that a GPU is in
uint32_t
TrainingProgram::GetRegion(uint32_t gpu) const
{
    return m_plan.shape.GetDomain(gpu) / m_plan.circuits.servers;
}

uint64_t
TrainingProgram::GetReceived(uint32_t gpu, uint32_t number) const
{
    const Step step = FindStep(number);
    const Operation& operation = *step.operation;
    if (ExpertTraffic::Has(operation.type))
    {
        return m_expertTraffic->GetReceived(gpu, Find(step));
    }
    switch (operation.type)
    {
    case Type::Collective:
        return operation.collective->GetReceived(gpu, step.number, operation.bytes);
    case Type::Send:
        return GetStage(gpu) == step.slot->sentTo ? operation.bytes : 0;
    case Type::MoveCircuits:
        return 0;
    default:
        break;
    }
    uint64_t tokens = 0;
    for (const uint32_t other : GetPartners(gpu, operation.type))
    {
        tokens += other == gpu ? 0 : CountTokens(other, gpu, step);
    }
    return tokens * GetTokenBytes();
}

/// \return bytes of a token's vector at experts
uint64_t
TrainingProgram::GetTokenBytes() const
{
    return m_plan.model.GetExpertHidden() * m_plan.elementBytes;
}

/// \return whom a GPU exchanges tokens with, itself included
const std::vector<uint32_t>&
TrainingProgram::GetPartners(uint32_t gpu, Type type) const
{
    return type == Type::GatherTokens || type == Type::ScatterTokens
               ? m_expertTensor.GetMembers(gpu)
               : m_expertGroups.GetTable().GetMembers(gpu);
}

/// \return tokens that a GPU has for another in a step of routing
uint64_t
TrainingProgram::CountTokens(uint32_t gpu, uint32_t other, const Step& step) const
{
    const Type type = step.operation->type;
    if (type == Type::GatherTokens || type == Type::ScatterTokens)
    {
        const uint32_t holder = type == Type::GatherTokens ? gpu : other;
        return GetRouting(holder, step)->arrived[m_expertGroups.GetTable().GetPlace(holder)];
    }
    // What comes back is what went there.
    const bool isBack =
        type == Type::FromExperts || type == Type::FromServersGpus || type == Type::FromServers;
    const uint32_t from = m_expertGroups.GetTable().GetPlace(isBack ? other : gpu);
    const uint32_t to = m_expertGroups.GetTable().GetPlace(isBack ? gpu : other);
    return CountRouted(from,
                       to,
                       type,
                       m_expertGroups.GetServers(m_expertGroups.GetTable().GetNumber(gpu)),
                       *GetRouting(gpu, step));
}

/// \return tokens that go from a member of a group to another on the way to experts
uint64_t
TrainingProgram::CountRouted(uint32_t member,
                             uint32_t other,
                             Type type,
                             const GroupServers& servers,
                             const ExpertRouting& routing) const
{
    const std::size_t size = m_expertGroups.GetTable().GetSize();
    const std::size_t at = member * size + other;
    if (type == Type::ToExperts || type == Type::FromExperts)
    {
        return routing.tokens[at];
    }
    const uint32_t there = servers.GetServer(other);
    const bool isInside = servers.GetServer(member) == there;
    if (type == Type::ToServers || type == Type::FromServers)
    {
        return !isInside && servers.GetRelay(member, there) == other
                   ? routing.serverCopies[std::size_t{member} * servers.GetCount() + there]
                   : 0;
    }
    if (!isInside)
    {
        return 0;
    }
    uint64_t tokens = routing.copies[at];
    for (const uint32_t served : servers.GetServed(member))
    {
        tokens += routing.copies[served * size + other];
    }
    return tokens;
}

bool
TrainingProgram::TakesPart(uint32_t gpu, const Step& step) const
{
    const Operation& operation = *step.operation;
    const uint32_t stage = GetStage(gpu);
    if (operation.type == Type::Send && stage == step.slot->sentTo)
    {
        return true;
    }
    if (operation.type == Type::MoveCircuits)
    {
        return GetRegion(gpu) == step.number;
    }
    return stage == step.stage && (!ExchangeParties::Has(operation.type) ||
                                   m_parties.Get(operation.type, gpu) == step.number);
}

std::vector<uint32_t>
TrainingProgram::GetMembers(uint32_t server, uint32_t number) const
{
    const Step step = FindStep(number);
    std::vector<uint32_t> gpus;
    for (uint32_t place = 0; place < m_plan.shape.gpusPerDomain; ++place)
    {
        const uint32_t gpu = server * m_plan.shape.gpusPerDomain + place;
        if (TakesPart(gpu, step))
        {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

uint32_t
TrainingProgram::CountMembers(uint32_t) const
{
    return m_plan.circuits.servers * m_plan.shape.gpusPerDomain; // all of a region
}

std::shared_ptr<const ExpertRouting>
TrainingProgram::GetRouting(uint32_t gpu, const Step& step) const
{
    return GetRouting(gpu, {step.iteration, step.operation->layer, step.slot->pass.microbatch, 0});
}

std::shared_ptr<const ExpertRouting>
TrainingProgram::GetRouting(uint32_t gpu, const LoadPlace& place) const
{
    return m_router->Get(m_expertGroups.GetTable().GetNumber(gpu), place);
}

/// \return pairs of a token and an expert that the GPUs that share a GPU's experts compute
uint64_t
TrainingProgram::GetExpertTokens(uint32_t gpu, const LoadPlace& place) const
{
    uint64_t tokens = 0;
    for (const uint32_t other : m_expertTensor.GetMembers(gpu))
    {
        tokens += GetRouting(other, place)->received[m_expertGroups.GetTable().GetPlace(other)];
    }
    return tokens;
}

TimePs
TrainingProgram::GetExpertTime(uint32_t gpu,
                               const Operation& operation,
                               const LoadPlace& place) const
{
    const double tokens = static_cast<double>(GetExpertTokens(gpu, place)) / m_plan.etp;
    return m_plan.compute->Slow(gpu, rails::GetExpertTime(m_plan, tokens, operation.times));
}

TimePs
TrainingProgram::GetComputeTime() const
{
    return FindComputeTime(*this);
}

/// \return copies that a GPU makes of its tokens for one of so many parts of equal experts
double
TrainingProgram::EstimateCopies(double parts) const
{
    const uint32_t experts = m_plan.model.experts;
    const std::vector<double> inclusion(experts, double{1} * m_plan.model.topK / experts);
    std::vector<uint32_t> setOf(experts);
    for (uint32_t expert = 0; expert < experts; ++expert)
    {
        setOf[expert] = static_cast<uint32_t>(expert * parts / experts);
    }
    return m_plan.GetTokens() *
           FindSetInclusion(m_plan.GetLoadShape(), inclusion, setOf, 1).front();
}

double
TrainingProgram::EstimateSeconds() const
{
    const double tokens = double{1} * m_plan.GetTokens() * m_plan.model.topK * m_plan.ep;
    const auto experts = static_cast<double>(rails::GetExpertTime(m_plan, tokens, 1));
    double longest = 0;
    for (const Stage& stage : m_stages)
    {
        double sum = 0;
        for (const Slot& slot : stage.slots)
        {
            for (const Operation& operation : slot.what->operations)
            {
                sum += operation.type == Type::ComputeExperts
                           ? operation.times * experts
                           : static_cast<double>(operation.duration);
            }
        }
        longest = std::max(longest, sum);
    }
    return longest * m_plan.iterations * 1e-12;
}

double
TrainingProgram::EstimateBytes() const
{
    const double perStage = double{1} * m_plan.shape.GetGpus() / m_plan.pp;
    const auto tokenBytes = static_cast<double>(GetTokenBytes());
    // However unequal experts are, over all GPUs of a group as many tokens stay where they are as
    // one GPU has; and as many come to a GPU as it has, in the mean.
    const double pairs = double{1} * m_plan.GetTokens() * m_plan.model.topK;
    const double servers = m_expertGroups.GetServers(0).GetCount();
    const double toServer = m_plan.deduplicates ? EstimateCopies(servers) : 0;
    const double arrived = m_plan.deduplicates ? m_plan.ep * EstimateCopies(m_plan.ep) : pairs;
    double sum = 0;
    for (const Stage& stage : m_stages)
    {
        for (const Slot& slot : stage.slots)
        {
            for (const Operation& operation : slot.what->operations)
            {
                switch (operation.type)
                {
                case Type::Collective:
                    sum += perStage / operation.collective->GetGroups().GetSize() *
                           operation.collective->CountBytes(static_cast<double>(operation.bytes));
                    break;
                case Type::Send:
                    sum += perStage * static_cast<double>(operation.bytes);
                    break;
                case Type::ToExperts:
                case Type::FromExperts:
                    sum += perStage * pairs * tokenBytes * (m_plan.ep - 1) / m_plan.ep;
                    break;
                case Type::GatherTokens:
                case Type::ScatterTokens:
                    sum += perStage * arrived * tokenBytes * (m_plan.etp - 1);
                    break;
                case Type::ToServers:
                case Type::FromServers:
                    sum += perStage * tokenBytes * (servers - 1) * toServer;
                    break;
                case Type::ToServersGpus:
                case Type::FromServersGpus:
                    // Of those that arrive the ones of the GPU itself stay, and of those that it
                    // passes on, its own.
                    sum += perStage * tokenBytes * arrived * (1 - servers / m_plan.ep);
                    break;
                default:
                    break;
                }
            }
        }
    }
    return sum * m_plan.iterations;
}

// Measured by ./rails bench estimates: a step of a ring costs a quarter of another message, since
// those of all its GPUs begin and end together; those of an exchange cost more the more there are
// at once.
double
TrainingProgram::EstimateMessages() const
{
    constexpr double ofRing = 0.25;
    constexpr double crowd = 32; // messages of a GPU at once that make each cost twice as much
    const double servers = m_expertGroups.GetServers(0).GetCount();
    const auto exchange = [](double others) { return others * (1 + others / crowd); };
    double perGpu = 0;
    for (const Stage& stage : m_stages)
    {
        for (const Slot& slot : stage.slots)
        {
            for (const Operation& operation : slot.what->operations)
            {
                switch (operation.type)
                {
                case Type::Collective:
                    perGpu += ofRing * operation.steps;
                    break;
                case Type::Send:
                    perGpu += 1;
                    break;
                case Type::ToExperts:
                case Type::FromExperts:
                    perGpu += exchange(m_plan.ep - 1);
                    break;
                case Type::GatherTokens:
                case Type::ScatterTokens:
                    perGpu += m_plan.etp - 1;
                    break;
                case Type::ToServers:
                case Type::FromServers:
                    perGpu += servers - 1;
                    break;
                case Type::ToServersGpus:
                case Type::FromServersGpus:
                    perGpu += m_plan.ep / servers - 1;
                    break;
                default:
                    break;
                }
            }
        }
    }
    return perGpu * m_plan.iterations * m_plan.shape.GetGpus() / m_plan.pp;
}

TrafficMatrix
TrainingProgram::GetTotal() const
{
    MatrixSum total(m_plan.shape);
    for (uint32_t stage = 0; stage < m_plan.pp; ++stage)
    {
        std::vector<uint32_t> members;
        for (uint32_t gpu = 0; gpu < m_plan.shape.GetGpus(); ++gpu)
        {
            if (GetStage(gpu) == stage)
            {
                members.push_back(gpu);
            }
        }
        for (uint32_t iteration = 0; iteration < m_plan.iterations; ++iteration)
        {
            for (uint32_t step = m_stages[stage].firstStep; step < m_stages[stage].endStep; ++step)
            {
                for (const uint32_t gpu : members)
                {
                    total.Add(gpu, GetSends(gpu, iteration * m_steps + step));
                }
            }
        }
    }
    return total.Get();
}

} // namespace ns3::rails
