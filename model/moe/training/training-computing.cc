// SPDX-License-Identifier: GPL-2.0-only
#include "training-computing.h"

#include "ns3/layer-work.h"
#include "ns3/token-exchange.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return token-expert pairs of a GPU's expert-tensor group
uint64_t
CountExpertTokens(const TrainingContext& context, uint32_t gpu, const LoadPlace& place)
{
    uint64_t tokens = 0;
    for (const uint32_t other : context.GetExpertTensor().GetMembers(gpu))
    {
        tokens += context.GetRouting(other, place)->received[context.GetExperts().GetPlace(other)];
    }
    return tokens;
}

/// \return share of a GPU's rows that arrives with a part of an exchange
double
FindShare(const TrainingContext& context, uint32_t gpu, const LoadPlace& place, uint32_t part)
{
    const auto routing = context.GetRouting(gpu, place);
    const GpuPartition& table = context.GetExperts();
    const uint32_t host = table.GetPlace(gpu);
    const TrainingSpec& spec = context.GetSpec();
    const uint32_t own = spec.CountExchangeParts();
    uint64_t tokens = 0;
    for (uint32_t source = 0; source < table.GetSize(); ++source)
    {
        const uint32_t with = source == host ? own : FindExchangePart(spec, source, host);
        tokens += with == part ? routing->tokens[std::size_t{source} * table.GetSize() + host] : 0;
    }
    const auto all = static_cast<double>(routing->received[host]);
    return tokens > 0 ? static_cast<double>(tokens) / all : 0;
}

ComputeModel::Moment
GetMoment(const SlotPlace& place, uint64_t draw)
{
    return {place.iteration, place.chunk, place.microbatch, draw};
}

/// \return rows of each expert of a GPU, summed over its expert-tensor group
std::vector<double>
CountExpertRows(const TrainingContext& context, uint32_t gpu, const LoadPlace& place)
{
    std::vector<double> rows;
    for (const uint32_t other : context.GetExpertTensor().GetMembers(gpu))
    {
        const auto routing = context.GetRouting(other, place);
        const std::vector<uint32_t>& more = routing->rows[context.GetExperts().GetPlace(other)];
        rows.resize(std::max(rows.size(), more.size()));
        std::transform(more.begin(), more.end(), rows.begin(), rows.begin(), std::plus<>());
    }
    return rows;
}

TimePs
GetPlanningTime(const TrainingContext& context,
                PlanningOf what,
                uint32_t gpu,
                const LoadPlace& place)
{
    switch (what)
    {
    case PlanningOf::Now:
        return context.GetRouting(gpu, place)->planning;
    case PlanningOf::Next: {
        const ExpertRouting* next = context.FindNext(gpu, place);
        return next ? next->planning : 0;
    }
    case PlanningOf::Moves:
        break;
    }
    const uint32_t group = context.GetExperts().GetNumber(gpu);
    return context.GetPlanned().GetDecided(group, place.iteration).planning;
}

} // namespace

Operation
MakeComputing(const TrainingContext& context, TrainingKind kind, TimePs duration, uint64_t draw)
{
    Operation operation;
    operation.kind = kind;
    operation.estimate.time = static_cast<double>(duration);
    operation.makeNode =
        [&context, duration, draw](uint32_t gpu, const SlotPlace& place, GraphNode& node) {
            const ComputeModel& compute = *context.GetSpec().compute;
            node.duration = compute.Vary(gpu, duration, GetMoment(place, draw));
        };
    return operation;
}

Operation
MakeExpertComputing(const TrainingContext& context,
                    uint32_t layer,
                    Pass pass,
                    uint64_t draw,
                    const std::optional<uint32_t>& part)
{
    const TrainingSpec& spec = context.GetSpec();
    Operation operation;
    operation.kind = TrainingKind::Experts;
    operation.makeNode =
        [&context, layer, pass, draw, part](uint32_t gpu, const SlotPlace& place, GraphNode& node) {
            const TrainingSpec& known = context.GetSpec();
            const LoadPlace where = place.Find(layer);
            const double share = part ? FindShare(context, gpu, where, *part) : 1;
            const double tokens =
                static_cast<double>(CountExpertTokens(context, gpu, where)) * share / known.etp;
            std::vector<double> rows = known.compute->GetTraits().readsShapes
                                           ? CountExpertRows(context, gpu, where)
                                           : std::vector<double>();
            for (double& each : rows)
            {
                each *= share; // the same share of each expert
            }
            const Work work = MakeExpertWork(known, tokens, pass, std::move(rows));
            node.duration =
                known.compute->Vary(gpu, known.compute->GetTime(work), GetMoment(place, draw));
        };
    const double all = double{1} * spec.GetTokens() * spec.model.topK * spec.ep;
    const TimePs forward = spec.compute->GetTime(MakeExpertWork(spec, all, Pass::Forward));
    operation.estimate.time =
        GetTimes(pass) * static_cast<double>(forward) / (part ? spec.CountExchangeParts() + 1 : 1);
    return operation;
}

Operation
MakeActivation(const TrainingContext& context, uint32_t layer, uint64_t draw)
{
    const TrainingSpec& spec = context.GetSpec();
    Operation operation;
    operation.kind = TrainingKind::Experts;
    operation.makeNode = [&context, layer, draw](uint32_t gpu,
                                                 const SlotPlace& place,
                                                 GraphNode& node) {
        const TrainingSpec& known = context.GetSpec();
        const auto rows = static_cast<double>(CountExpertTokens(context, gpu, place.Find(layer)));
        const TimePs duration = known.compute->GetTime(MakeActivationWork(known, rows));
        node.duration = known.compute->Vary(gpu, duration, GetMoment(place, draw));
    };
    const double all = double{1} * spec.GetTokens() * spec.model.topK * spec.ep * spec.etp;
    operation.estimate.time =
        static_cast<double>(spec.compute->GetTime(MakeActivationWork(spec, all)));
    return operation;
}

Operation
MakeLaunch(TimePs duration)
{
    Operation operation;
    operation.kind = TrainingKind::Launch;
    operation.stream = TrainingStream::Host;
    operation.makeNode = [duration](uint32_t, const SlotPlace&, GraphNode& node) {
        node.isOnHost = true;
        node.duration = duration;
    };
    return operation;
}

Operation
MakePlanning(const TrainingContext& context, PlanningOf what, uint32_t layer)
{
    Operation operation;
    operation.kind = TrainingKind::ExpertPlanning;
    operation.stream = TrainingStream::Planning;
    operation.makeNode =
        [&context, what, layer](uint32_t gpu, const SlotPlace& place, GraphNode& node) {
            node.isOnHost = true;
            node.duration = GetPlanningTime(context, what, gpu, place.Find(layer));
        };
    return operation;
}

} // namespace ns3::rails
