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

/// \return pairs of a token and an expert that the GPUs that share a GPU's experts compute
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

/// \return how much of what a GPU computes comes with a part of an exchange
double
FindShare(const TrainingContext& context, uint32_t gpu, const LoadPlace& place, uint32_t part)
{
    const auto routing = context.GetRouting(gpu, place);
    const GpuGroupTable& table = context.GetExperts();
    const uint32_t host = table.GetPlace(gpu);
    const TrainingPlan& plan = context.GetPlan();
    const uint32_t own = plan.CountExchangeParts();
    uint64_t tokens = 0;
    for (uint32_t source = 0; source < table.GetSize(); ++source)
    {
        const uint32_t with = source == host ? own : FindExchangePart(plan, source, host);
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

/// \return rows of each expert of a GPU, those of the GPUs that share it included
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
            const ComputeModel& compute = *context.GetPlan().compute;
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
    const TrainingPlan& plan = context.GetPlan();
    Operation operation;
    operation.kind = TrainingKind::Experts;
    operation.makeNode =
        [&context, layer, pass, draw, part](uint32_t gpu, const SlotPlace& place, GraphNode& node) {
            const TrainingPlan& known = context.GetPlan();
            const LoadPlace where = place.Find(layer);
            const double share = part ? FindShare(context, gpu, where, *part) : 1;
            const double tokens =
                static_cast<double>(CountExpertTokens(context, gpu, where)) * share / known.etp;
            std::vector<double> rows = known.compute->ReadsShapes()
                                           ? CountExpertRows(context, gpu, where)
                                           : std::vector<double>();
            for (double& each : rows)
            {
                each *= share; // of each expert alike
            }
            const Work work = MakeExpertWork(known, tokens, pass, std::move(rows));
            node.duration =
                known.compute->Vary(gpu, known.compute->GetTime(work), GetMoment(place, draw));
        };
    const double all = double{1} * plan.GetTokens() * plan.model.topK * plan.ep;
    const TimePs forward = plan.compute->GetTime(MakeExpertWork(plan, all, Pass::Forward));
    operation.estimate.time =
        GetTimes(pass) * static_cast<double>(forward) / (part ? plan.CountExchangeParts() + 1 : 1);
    return operation;
}

Operation
MakeActivation(const TrainingContext& context, uint32_t layer, uint64_t draw)
{
    const TrainingPlan& plan = context.GetPlan();
    Operation operation;
    operation.kind = TrainingKind::Experts;
    operation.makeNode = [&context, layer, draw](uint32_t gpu,
                                                 const SlotPlace& place,
                                                 GraphNode& node) {
        const TrainingPlan& known = context.GetPlan();
        const auto rows = static_cast<double>(CountExpertTokens(context, gpu, place.Find(layer)));
        const TimePs duration = known.compute->GetTime(MakeActivationWork(known, rows));
        node.duration = known.compute->Vary(gpu, duration, GetMoment(place, draw));
    };
    const double all = double{1} * plan.GetTokens() * plan.model.topK * plan.ep * plan.etp;
    operation.estimate.time =
        static_cast<double>(plan.compute->GetTime(MakeActivationWork(plan, all)));
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
