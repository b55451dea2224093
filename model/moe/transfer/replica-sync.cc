// SPDX-License-Identifier: GPL-2.0-only
#include "replica-sync.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Gradients of moved experts have separate queue pairs: they go between GPUs that exchange tokens,
/// and must not delay these.
CommOpTraits
MakeTraits(const TrainingContext& context,
           const ReplicaSync::What& what,
           const SlotPlace& place,
           const OverlappingTraffic& traffic)
{
    const PlannedDispatch& planned = context.GetPlanned();
    const bool isMoved = what.isGradients
                             ? planned.IsMoved(place.stage, place.iteration, what.layer)
                             : planned.IsMoved(place.stage, place.iteration);
    CommOpTraits traits = context.MakeTraits(TrainingKind::ExpertData, false, isMoved);
    traits.steps = traffic.CountSteps();
    traits.lanes = traffic.CountLanes();
    return traits;
}

} // namespace

ReplicaCollectives::ReplicaCollectives(const TrainingContext& context)
    : m_context(context)
{
}

OverlappingTraffic::Buffers
ReplicaCollectives::FindBuffers(const What& what, uint32_t stage, uint32_t iteration) const
{
    const TrainingSpec& spec = m_context.GetSpec();
    const PlannedDispatch& planned = m_context.GetPlanned();
    const double element = what.isGradients ? spec.bytes.gradients : spec.bytes.parameters;
    std::map<std::vector<uint32_t>, uint32_t> experts;
    for (const uint32_t layer : planned.GetLayers(stage))
    {
        if (what.isGradients && layer != what.layer)
        {
            continue;
        }
        for (std::vector<uint32_t> hosts : planned.GetHosts(stage, iteration, layer))
        {
            if (hosts.size() > 1)
            {
                std::sort(hosts.begin(), hosts.end()); // GPUs of a server follow each other
                ++experts[hosts];
            }
        }
    }
    OverlappingTraffic::Buffers buffers;
    for (const auto& [hosts, many] : experts)
    {
        buffers[hosts] = RoundBytes(many * spec.model.GetExpertParameters() * element);
    }
    return buffers;
}

const OverlappingTraffic&
ReplicaCollectives::Get(const What& what, uint32_t stage, uint32_t iteration) const
{
    const OverlappingTraffic*& found =
        m_found[{what.isGradients, what.isGradients ? what.layer : 0, stage, iteration}];
    if (!found)
    {
        const TrainingSpec& spec = m_context.GetSpec();
        const OverlappingTraffic::Buffers buffers = FindBuffers(what, stage, iteration);
        auto& known = m_known[{what.isGradients, buffers}];
        if (!known)
        {
            known = std::make_unique<const OverlappingTraffic>(
                OverlappingTraffic::Setting{spec.shape,
                                            spec.rates,
                                            spec.collectives,
                                            spec.ringSteps},
                what.isGradients ? CollectiveOperation::ReduceScatter
                                 : CollectiveOperation::AllGather,
                buffers,
                *spec.chooser);
        }
        found = known.get();
    }
    return *found;
}

uint32_t
ReplicaCollectives::CountSteps(const What& what, uint32_t stage) const
{
    uint32_t most = 1;
    for (uint32_t iteration = 0;
         m_context.HasPlanned() && iteration < m_context.GetSpec().iterations;
         ++iteration)
    {
        most = std::max(most, Get(what, stage, iteration).CountSteps());
    }
    return most;
}

std::vector<CollectiveRecord>
ReplicaCollectives::GetRecords() const
{
    std::map<std::pair<std::string, uint32_t>, CollectiveRecord> records;
    for (const auto& [buffers, traffic] : m_known)
    {
        for (const CollectiveRecord& record :
             traffic->Describe(static_cast<uint16_t>(TrainingKind::ExpertData)))
        {
            CollectiveRecord& known =
                records.try_emplace({record.algorithm, record.rings}, record).first->second;
            known.bytes = std::min(known.bytes, record.bytes);
            known.isUneven |= record.isUneven;
        }
    }
    std::vector<CollectiveRecord> list;
    for (const auto& [how, record] : records)
    {
        list.push_back(record);
    }
    return list;
}

ReplicaSync::ReplicaSync(const TrainingContext& context,
                         const ReplicaCollectives& collectives,
                         const What& what,
                         const SlotPlace& place)
    : CommOp(MakeTraits(context, what, place, collectives.Get(what, place.stage, place.iteration))),
      m_context(context),
      m_stage(place.stage),
      m_traffic(collectives.Get(what, place.stage, place.iteration))
{
}

bool
ReplicaSync::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_stage;
}

std::vector<Demand>
ReplicaSync::GetSends(uint32_t gpu, uint32_t step) const
{
    return m_traffic.GetSends(gpu, step);
}

uint64_t
ReplicaSync::GetReceived(uint32_t gpu, uint32_t step) const
{
    return m_traffic.GetReceived(gpu, step);
}

RailQueue
ReplicaSync::GetRail(uint32_t gpu, uint32_t step) const
{
    return m_traffic.GetRail(gpu, step);
}

Operation
MakeReplicaSync(const TrainingContext& context,
                const ReplicaCollectives& collectives,
                uint32_t stage,
                const ReplicaCollectives::What& what)
{
    Operation operation;
    operation.kind = TrainingKind::ExpertData;
    operation.stream = TrainingStream::Data;
    operation.steps = collectives.CountSteps(what, stage);
    if (const PlanSample* sample = context.GetSample())
    {
        const std::size_t all = context.GetSpec().ListExpertLayers(stage).size();
        operation.estimate.messages =
            sample->replicas * static_cast<double>(what.isGradients ? 1 : all);
    }
    operation.makeNode =
        [&context, &collectives, what](uint32_t, const SlotPlace& place, GraphNode& node) {
            node.Move(std::make_shared<const ReplicaSync>(context, collectives, what, place));
        };
    return operation;
}

} // namespace ns3::rails
