// SPDX-License-Identifier: GPL-2.0-only
#include "replica-sync.h"

#include "ns3/ring-steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace ns3::rails
{

namespace
{

/// \return whether all experts are where they are without a policy
bool
IsRing(const TrainingContext& context, const ReplicaSync::What& what, const SlotPlace& place)
{
    const PlannedRouter& planned = context.GetPlanned();
    return what.isGradients ? !planned.IsMoved(place.stage, place.iteration, what.layer)
                            : !planned.IsMoved(place.stage, place.iteration);
}

/// Gradients of experts that GPUs of a group share have queue pairs of their own: tokens do not
/// wait for them.
TransferTraits
MakeTraits(const TrainingContext& context, bool isRing)
{
    TransferTraits traits = context.MakeTraits(TrainingKind::ExpertData, false, !isRing);
    traits.steps = ReplicaSync::CountSteps(context.GetPlan());
    return traits;
}

} // namespace

ReplicaSync::ReplicaSync(const TrainingContext& context, const What& what, const SlotPlace& place)
    : GraphTransfer(MakeTraits(context, IsRing(context, what, place))),
      m_context(context),
      m_what(what),
      m_place(place),
      m_isRing(IsRing(context, what, place))
{
}

uint32_t
ReplicaSync::CountSteps(const TrainingPlan& plan)
{
    return std::max(2U, plan.edp) - 1;
}

bool
ReplicaSync::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_place.stage;
}

double
ReplicaSync::GetElementBytes() const
{
    const ElementBytes& bytes = m_context.GetPlan().bytes;
    return m_what.isGradients ? bytes.gradients : bytes.parameters;
}

/// \return bytes that a GPU sends to the next in a step of the ring
uint64_t
ReplicaSync::CountRing(uint32_t gpu, uint32_t step) const
{
    const GpuGroupTable& replicas = m_context.GetExpertData();
    if (replicas.GetSize() < 2)
    {
        return 0;
    }
    const TrainingPlan& plan = m_context.GetPlan();
    const double layers =
        m_what.isGradients
            ? 1
            : static_cast<double>(m_context.GetPlanned().GetLayers(m_place.stage).size());
    const double parameters =
        layers * plan.model.GetExpertParameters() * (plan.model.experts / plan.ep);
    const uint64_t bytes = RoundBytes(parameters * GetElementBytes());
    return GetRingPart(bytes, replicas.GetSize(), replicas.GetPlace(gpu), step);
}

/// Calls back with each other GPU that holds an expert of a GPU, and bytes to it and from it.
template <typename Function>
void
ReplicaSync::ForHolders(uint32_t gpu, const Function& function) const
{
    const TrainingPlan& plan = m_context.GetPlan();
    const PlannedRouter& planned = m_context.GetPlanned();
    const auto bytes = static_cast<uint64_t>(plan.model.GetExpertParameters() * GetElementBytes());
    for (const uint32_t layer : planned.GetLayers(m_place.stage))
    {
        if (m_what.isGradients && layer != m_what.layer)
        {
            continue;
        }
        for (const std::vector<uint32_t>& hosts :
             planned.GetHosts(m_place.stage, m_place.iteration, layer))
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
                    function(hosts[part],
                             m_what.isGradients ? other : ownPart,
                             m_what.isGradients ? ownPart : other);
                }
            }
        }
    }
}

std::vector<Demand>
ReplicaSync::GetSends(uint32_t gpu, uint32_t step) const
{
    std::map<uint32_t, uint64_t> bytes; // by GPU
    if (m_isRing)
    {
        bytes[m_context.GetExpertData().GetNeighbour(gpu, 1)] = CountRing(gpu, step);
    }
    else if (step == 0)
    {
        ForHolders(gpu, [&](uint32_t other, uint64_t to, uint64_t) { bytes[other] += to; });
    }
    return ListDemands(bytes, gpu);
}

uint64_t
ReplicaSync::GetReceived(uint32_t gpu, uint32_t step) const
{
    if (m_isRing)
    {
        const GpuGroupTable& replicas = m_context.GetExpertData();
        return CountRing(replicas.GetNeighbour(gpu, replicas.GetSize() - 1), step);
    }
    uint64_t bytes = 0;
    if (step == 0)
    {
        ForHolders(gpu, [&](uint32_t, uint64_t, uint64_t from) { bytes += from; });
    }
    return bytes;
}

Operation
MakeReplicaSync(const TrainingContext& context, const ReplicaSync::What& what)
{
    Operation operation;
    operation.kind = TrainingKind::ExpertData;
    operation.stream = TrainingStream::Data;
    operation.steps = ReplicaSync::CountSteps(context.GetPlan());
    operation.makeNode = [&context, what](uint32_t, const SlotPlace& place, GraphNode& node) {
        node.Move(std::make_shared<const ReplicaSync>(context, what, place));
    };
    return operation;
}

} // namespace ns3::rails
