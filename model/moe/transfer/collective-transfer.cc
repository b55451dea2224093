// SPDX-License-Identifier: GPL-2.0-only
#include "collective-transfer.h"

#include <algorithm>
#include <memory>

namespace ns3::rails
{

namespace
{

/// A step of a ring costs a quarter of another message, since those of all its GPUs begin and end
/// together (./rails bench estimates).
constexpr double kStepCost = 0.25;

TransferTraits
MakeTraits(const TrainingContext& context,
           TrainingKind kind,
           const CollectiveTraffic& traffic,
           uint64_t bytes)
{
    TransferTraits traits = context.MakeTraits(kind, false);
    traits.steps = traffic.CountSteps(bytes);
    traits.lanes = traffic.CountLanes();
    return traits;
}

} // namespace

CollectiveTransfer::CollectiveTransfer(const TrainingContext& context,
                                       TrainingKind kind,
                                       uint32_t stage,
                                       const CollectiveTraffic& traffic,
                                       uint64_t bytes)
    : GraphTransfer(MakeTraits(context, kind, traffic, bytes)),
      m_context(context),
      m_stage(stage),
      m_traffic(traffic),
      m_bytes(bytes)
{
}

uint32_t
CollectiveTransfer::CountDifferentSteps() const
{
    return std::min(CountLaneSteps(), m_traffic.CountDifferentSteps(m_bytes));
}

bool
CollectiveTransfer::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_stage == kAllStages || m_context.GetStage(gpu) == m_stage;
}

std::vector<Demand>
CollectiveTransfer::GetSends(uint32_t gpu, uint32_t step) const
{
    return m_traffic.GetSends(gpu, step, m_bytes);
}

uint64_t
CollectiveTransfer::GetReceived(uint32_t gpu, uint32_t step) const
{
    return m_traffic.GetReceived(gpu, step, m_bytes);
}

RailQueue
CollectiveTransfer::GetRail(uint32_t gpu, uint32_t step) const
{
    return m_traffic.GetRail(gpu, step, m_bytes);
}

Operation
MakeCollective(const TrainingContext& context,
               TrainingKind kind,
               const CollectiveTraffic& traffic,
               uint64_t bytes,
               bool isOfAll)
{
    Operation operation;
    operation.isOfAll = isOfAll;
    operation.kind = kind;
    operation.stream = TrainingStream::Communication;
    operation.steps = traffic.CountSteps(bytes);
    operation.makeNode = [&context, kind, &traffic, bytes, isOfAll](uint32_t,
                                                                    const SlotPlace& place,
                                                                    GraphNode& node) {
        const uint32_t stage = isOfAll ? CollectiveTransfer::kAllStages : place.stage;
        node.Move(std::make_shared<const CollectiveTransfer>(context, kind, stage, traffic, bytes));
    };
    operation.estimate.bytes = context.CountGpus() / traffic.GetGroups().GetSize() *
                               traffic.CountBytes(static_cast<double>(bytes));
    operation.estimate.messages = kStepCost * operation.steps;
    const CollectiveGroups& groups = traffic.GetGroups();
    const auto servers = static_cast<double>(groups.GetSpreads().front().servers.size());
    operation.estimate.outside = GetOutsideOfTree(groups.GetSize(), servers);
    return operation;
}

} // namespace ns3::rails
