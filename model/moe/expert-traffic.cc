// SPDX-License-Identifier: GPL-2.0-only
#include "expert-traffic.h"

#include "ns3/ring-steps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace ns3::rails
{

using Type = Operation::Type;

namespace
{

constexpr uint64_t kCountBytes = 8; //!< of the load of an expert

} // namespace

ExpertTraffic::ExpertTraffic(const TrainingPlan& plan,
                             const ExpertGroups& groups,
                             const GpuGroupTable& replicas,
                             const PlannedRouter& router)
    : m_plan(plan),
      m_groups(groups),
      m_replicas(replicas),
      m_router(router)
{
}

bool
ExpertTraffic::Has(Type type)
{
    switch (type)
    {
    case Type::CountsNow:
    case Type::CountsAtEnd:
    case Type::CountsOfMoves:
    case Type::Move:
    case Type::Weights:
    case Type::Gradients:
    case Type::ReduceReplicas:
    case Type::GatherReplicas:
        return true;
    default:
        return false;
    }
}

const ExpertRouting&
ExpertTraffic::GetRouting(uint32_t gpu, const OperationPlace& place) const
{
    return *m_router.Get(m_groups.GetTable().GetNumber(gpu),
                         {place.iteration, place.operation.layer, place.microbatch, 0});
}

/**
 * \return the first plan of the layer in the next iteration, at the last micro-batch; behind the
 * last iteration, which others would follow, that of this one; before the last micro-batch null
 */
const ExpertRouting*
ExpertTraffic::FindNext(uint32_t gpu, const OperationPlace& place) const
{
    if (place.microbatch + 1 < m_plan.microbatches)
    {
        return nullptr;
    }
    const uint32_t next = std::min(place.iteration + 1, m_plan.iterations - 1);
    return m_router.Get(m_groups.GetTable().GetNumber(gpu), {next, place.operation.layer, 0, 0})
        .get();
}

bool
ExpertTraffic::IsApart(const OperationPlace& place) const
{
    const Type type = place.operation.type;
    const bool isOfReplicas = type == Type::ReduceReplicas || type == Type::GatherReplicas;
    return place.operation.stream == TrainingStream::Copies || (isOfReplicas && !IsInOrder(place));
}

TimePs
ExpertTraffic::GetPlanningTime(uint32_t gpu, const OperationPlace& place) const
{
    const uint32_t group = m_groups.GetTable().GetNumber(gpu);
    switch (place.operation.type)
    {
    case Type::Plan:
        return GetRouting(gpu, place).planning;
    case Type::PlanNext: {
        const ExpertRouting* next = FindNext(gpu, place);
        return next ? next->planning : 0;
    }
    default:
        return m_router.GetMoves(group, place.iteration).planning;
    }
}

/// \return bytes of loads that a GPU has for each other
uint64_t
ExpertTraffic::GetCountBytes(uint32_t gpu, const OperationPlace& place) const
{
    const uint64_t ofLayer = kCountBytes * m_plan.model.experts;
    switch (place.operation.type)
    {
    case Type::CountsNow:
        return ofLayer;
    case Type::CountsAtEnd: {
        const ExpertRouting* next = FindNext(gpu, place);
        return next && next->isPlanned ? ofLayer : 0;
    }
    default:
        return ofLayer *
               m_router.GetMoves(m_groups.GetTable().GetNumber(gpu), place.iteration).plannedLayers;
    }
}

const CopyTraffic&
ExpertTraffic::GetCopies(uint32_t gpu, const OperationPlace& place) const
{
    static const CopyTraffic none;
    const ExpertRouting& routing = GetRouting(gpu, place);
    if (place.operation.type == Type::Gradients)
    {
        return routing.gradients;
    }
    return place.operation.isAgain && !routing.fetchesAgain ? none : routing.weights;
}

/// \return bytes of the piece that takes a hop in a step
uint64_t
ExpertTraffic::GetPiece(const CopyHop& hop,
                        const CopyTraffic& copies,
                        const OperationPlace& place) const
{
    const uint32_t pieces = m_plan.handling.CountPieces();
    const auto cut = static_cast<uint32_t>(std::lround(copies.share * pieces));
    const Operation::Window window = place.operation.window;
    const uint32_t first = window == Operation::Window::Second ? cut : 0;
    const uint32_t end = window == Operation::Window::First ? cut : pieces;
    const uint32_t piece = first + place.number - hop.turn;
    return place.number >= hop.turn && piece < end ? GetPart(hop.bytes, pieces, piece) : 0;
}

bool
ExpertTraffic::IsInOrder(const OperationPlace& place) const
{
    return place.operation.type == Type::ReduceReplicas
               ? !m_router.IsMoved(place.stage, place.iteration, place.operation.layer)
               : !m_router.IsMoved(place.stage, place.iteration);
}

/// \return bytes that a GPU sends to the next in a step of the ring of its replicas
uint64_t
ExpertTraffic::GetRing(uint32_t gpu, const OperationPlace& place) const
{
    const uint32_t replicas = m_replicas.GetSize();
    if (replicas < 2)
    {
        return 0;
    }
    const bool isReduced = place.operation.type == Type::ReduceReplicas;
    const double layers =
        isReduced ? 1 : static_cast<double>(m_router.GetLayers(place.stage).size());
    const double parameters =
        layers * m_plan.model.GetExpertParameters() * (m_plan.model.experts / m_plan.ep);
    const uint64_t bytes = std::llround(
        parameters * static_cast<double>(isReduced ? m_plan.gradientBytes : m_plan.elementBytes));
    return GetRingPart(bytes, replicas, m_replicas.GetPlace(gpu), place.number);
}

/**
 * Of experts that a GPU and others hold: each GPU has a share of an expert to update. Gradients of
 * a share go to it from all others, and its parameters from it to them.
 * \param function called with the other GPU, and bytes to it and from it
 */
template <typename Function>
void
ExpertTraffic::ForReplicas(uint32_t gpu,
                           const OperationPlace& place,
                           const Function& function) const
{
    const bool isReduced = place.operation.type == Type::ReduceReplicas;
    const auto bytes = static_cast<uint64_t>(
        m_plan.model.GetExpertParameters() *
        static_cast<double>(isReduced ? m_plan.gradientBytes : m_plan.elementBytes));
    for (const uint32_t layer : m_router.GetLayers(place.stage))
    {
        if (isReduced && layer != place.operation.layer)
        {
            continue;
        }
        for (const std::vector<uint32_t>& hosts :
             m_router.GetHosts(place.stage, place.iteration, layer))
        {
            const auto own = std::find(hosts.begin(), hosts.end(), gpu);
            if (own == hosts.end())
            {
                continue;
            }
            const auto parts = static_cast<uint32_t>(hosts.size());
            const uint64_t ownPart =
                GetPart(bytes, parts, static_cast<uint32_t>(own - hosts.begin()));
            for (uint32_t part = 0; part < parts; ++part)
            {
                const uint64_t other = GetPart(bytes, parts, part);
                if (hosts[part] != gpu)
                {
                    function(hosts[part], isReduced ? other : ownPart, isReduced ? ownPart : other);
                }
            }
        }
    }
}

std::vector<Demand>
ExpertTraffic::GetSends(uint32_t gpu, const OperationPlace& place) const
{
    const std::vector<uint32_t>& members = m_groups.GetTable().GetMembers(gpu);
    const uint32_t own = m_groups.GetTable().GetPlace(gpu);
    std::map<uint32_t, uint64_t> bytes; // by GPU
    const auto addHops = [&](const std::vector<CopyHop>& hops, const auto& getBytes) {
        const CopyHop from{own, 0, 0, 0};
        const auto [first, end] = std::equal_range(
            hops.begin(),
            hops.end(),
            from,
            [](const CopyHop& one, const CopyHop& other) { return one.from < other.from; });
        std::for_each(first, end, [&](const CopyHop& hop) {
            bytes[members[hop.to]] += getBytes(hop);
        });
    };
    switch (place.operation.type)
    {
    case Type::Move:
        addHops(m_router.GetMoves(m_groups.GetTable().GetNumber(gpu), place.iteration).hops,
                [](const CopyHop& hop) { return hop.bytes; });
        break;
    case Type::Weights:
    case Type::Gradients: {
        const CopyTraffic& copies = GetCopies(gpu, place);
        addHops(copies.hops, [&](const CopyHop& hop) { return GetPiece(hop, copies, place); });
        break;
    }
    case Type::ReduceReplicas:
    case Type::GatherReplicas:
        if (IsInOrder(place))
        {
            bytes[m_replicas.GetNeighbour(gpu, 1)] = GetRing(gpu, place);
        }
        else if (place.number == 0)
        {
            ForReplicas(gpu, place, [&](uint32_t other, uint64_t to, uint64_t) {
                bytes[other] += to;
            });
        }
        break;
    default:
        for (const uint32_t other : members)
        {
            bytes[other] = GetCountBytes(gpu, place);
        }
        break;
    }
    std::vector<Demand> sends;
    for (const auto& [other, many] : bytes)
    {
        if (other != gpu && many > 0)
        {
            sends.push_back({other, many});
        }
    }
    return sends;
}

uint64_t
ExpertTraffic::GetReceived(uint32_t gpu, const OperationPlace& place) const
{
    const uint32_t own = m_groups.GetTable().GetPlace(gpu);
    uint64_t bytes = 0;
    switch (place.operation.type)
    {
    case Type::Move:
        for (const CopyHop& hop :
             m_router.GetMoves(m_groups.GetTable().GetNumber(gpu), place.iteration).hops)
        {
            bytes += hop.to == own ? hop.bytes : 0;
        }
        return bytes;
    case Type::Weights:
    case Type::Gradients: {
        const CopyTraffic& copies = GetCopies(gpu, place);
        for (const CopyHop& hop : copies.hops)
        {
            bytes += hop.to == own ? GetPiece(hop, copies, place) : 0;
        }
        return bytes;
    }
    case Type::ReduceReplicas:
    case Type::GatherReplicas:
        if (IsInOrder(place))
        {
            return GetRing(m_replicas.GetNeighbour(gpu, m_replicas.GetSize() - 1), place);
        }
        if (place.number == 0)
        {
            ForReplicas(gpu, place, [&](uint32_t, uint64_t, uint64_t from) { bytes += from; });
        }
        return bytes;
    default:
        return GetCountBytes(gpu, place) * (m_groups.GetTable().GetSize() - 1);
    }
}

} // namespace ns3::rails
