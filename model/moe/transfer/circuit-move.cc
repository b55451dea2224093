// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-move.h"

#include "server-exchange.h"

#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return the exchange between servers that circuits serve
std::shared_ptr<const CommOp>
MakeServed(const TrainingContext& context, const RoutedExchange::Setting& setting)
{
    if (context.GetSpec().deduplicates)
    {
        return std::make_shared<const ServerExchange>(context,
                                                      setting,
                                                      ServerExchange::Leg::Across);
    }
    return std::make_shared<const TokenExchange>(context, setting);
}

} // namespace

CircuitBarrier::CircuitBarrier(uint32_t members,
                               std::shared_ptr<const CommOp> exchange,
                               bool isOnWayBack)
    : GraphBarrier(members),
      m_exchange(std::move(exchange)),
      m_isOnWayBack(isOnWayBack)
{
}

std::optional<CircuitPurpose>
CircuitBarrier::GetPurpose() const
{
    return CircuitPurpose{false, m_isOnWayBack};
}

std::vector<Demand>
CircuitBarrier::GetAnnounced(uint32_t gpu) const
{
    return m_exchange->GetSends(gpu, 0);
}

ForeseeingCircuitBarrier::ForeseeingCircuitBarrier(uint32_t members,
                                                   const TrainingContext& context,
                                                   LoadForesight& foresight,
                                                   const SlotPlace& place,
                                                   uint32_t layer)
    : GraphBarrier(members),
      m_context(context),
      m_foresight(foresight),
      m_place(place),
      m_layer(layer)
{
}

std::optional<CircuitPurpose>
ForeseeingCircuitBarrier::GetPurpose() const
{
    return CircuitPurpose{true, false};
}

std::vector<Demand>
ForeseeingCircuitBarrier::GetAnnounced(uint32_t gpu) const
{
    const TrainingSpec& spec = m_context.GetSpec();
    const std::vector<double>& shares = m_foresight.GetShares(gpu, m_place, m_layer);
    const double all = double{1} * spec.GetTokens() * spec.model.topK *
                       static_cast<double>(m_context.GetTokenBytes(TokenWay::There));
    const std::vector<uint32_t>& members = m_context.GetExperts().GetMembers(gpu);
    std::vector<Demand> sends;
    for (std::size_t member = 0; member < members.size(); ++member)
    {
        const auto bytes = static_cast<uint64_t>(shares[member] * all);
        if (members[member] != gpu && bytes > 0)
        {
            sends.push_back({members[member], bytes});
        }
    }
    SortByDestination(sends);
    return sends;
}

Operation
MakeCircuitMove(const TrainingContext& context,
                const std::shared_ptr<LoadForesight>& foresight,
                uint32_t layer,
                TokenWay way,
                CircuitCause cause)
{
    const TrainingSpec& spec = context.GetSpec();
    const bool isForeseen = cause == CircuitCause::Foreseen;
    const bool isOnWayBack = cause == CircuitCause::Backward;
    Operation operation;
    operation.kind = TrainingKind::Reconfiguration;
    operation.stream = TrainingStream::Circuits;
    operation.steps = spec.shape.servers / spec.circuits.servers;
    operation.served = {layer, static_cast<uint32_t>(way), isForeseen};
    operation.drains = {TrainingStream::Communication};
    operation.makeNode =
        [&context, foresight, layer, way, isForeseen, isOnWayBack](uint32_t gpu,
                                                                   const SlotPlace& place,
                                                                   GraphNode& node) {
            const TrainingSpec& known = context.GetSpec();
            const uint32_t members = known.circuits.servers * known.shape.gpusPerServer;
            const TimePs delay = isOnWayBack ? known.circuits.backwardDelay : known.circuits.delay;
            node.step += known.shape.GetServer(gpu) / known.circuits.servers; // its region
            if (isForeseen)
            {
                node.Meet(std::make_shared<const ForeseeingCircuitBarrier>(members,
                                                                           context,
                                                                           *foresight,
                                                                           place,
                                                                           layer),
                          delay);
                return;
            }
            const RoutedExchange::Setting setting{TrainingKind::Dispatch, layer, way, place, 0};
            node.Meet(std::make_shared<const CircuitBarrier>(members,
                                                             MakeServed(context, setting),
                                                             isOnWayBack),
                      delay);
        };
    return operation;
}

} // namespace ns3::rails
