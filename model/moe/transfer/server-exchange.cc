// SPDX-License-Identifier: GPL-2.0-only
#include "server-exchange.h"

#include "ns3/even-parts.h"
#include "ns3/exchange-scheme.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace ns3::rails
{

ServerExchange::ServerExchange(const TrainingContext& context, const Setting& setting, Leg leg)
    : RoutedExchange(context, setting, context.GetExperts(), context.GetExpertParties()),
      m_legs{leg, leg}
{
}

ServerExchange::ServerExchange(const TrainingContext& context,
                               const Setting& setting,
                               uint32_t pieces)
    : RoutedExchange(context, setting, context.GetExperts(), context.GetExpertParties(), 2, pieces),
      m_legs(setting.way == TokenWay::There ? std::array{Leg::Across, Leg::Inside}
                                            : std::array{Leg::Inside, Leg::Across})
{
}

uint64_t
ServerExchange::CountForwardBytes(uint32_t from, uint32_t to, uint32_t step) const
{
    const uint32_t inLane = CountLaneSteps();
    const uint64_t tokens = CountLeg(from, to, m_legs[step % inLane]);
    return rails::GetPart(tokens, GetTraits().lanes, step / inLane);
}

uint64_t
ServerExchange::CountLeg(uint32_t from, uint32_t to, Leg leg) const
{
    const GpuPartition& groups = GetContext().GetExperts();
    const std::size_t size = groups.GetSize();
    const uint32_t member = groups.GetPlace(from);
    const uint32_t other = groups.GetPlace(to);
    const uint32_t there = groups.GetServer(to);
    const bool isInside = groups.GetServer(from) == there;
    if (isInside != (leg == Leg::Inside))
    {
        return 0;
    }
    const std::shared_ptr<const ExpertRouting> routing = GetRouting(from);
    if (leg == Leg::Across)
    {
        const std::size_t servers = groups.CountServers(groups.GetNumber(from));
        return groups.GetRelay(from, there) == to ? routing->serverCopies[member * servers + there]
                                                  : 0;
    }
    uint64_t tokens = routing->copies[member * size + other];
    for (const uint32_t served : groups.GetServed(from))
    {
        tokens += routing->copies[groups.GetPlace(served) * size + other];
    }
    return tokens;
}

double
EstimateArrived(const TrainingContext& context)
{
    const TrainingSpec& spec = context.GetSpec();
    return spec.deduplicates ? spec.ep * context.EstimateCopies(spec.ep)
                             : double{1} * spec.GetTokens() * spec.model.topK;
}

uint32_t
CountExchangePieces(const TrainingContext& context, TokenWay way)
{
    const double servers = context.GetExperts().CountServers(0);
    const double bytes = servers > 1 ? context.EstimateCopies(servers) *
                                           static_cast<double>(context.GetTokenBytes(way))
                                     : 0;
    return CountPieces(bytes, context.GetSpec().exchangePiece);
}

namespace
{

Operation::Estimate
EstimateLeg(const TrainingContext& context, ServerExchange::Leg leg, TokenWay way)
{
    const double ep = context.GetSpec().ep;
    const double servers = context.GetExperts().CountServers(0);
    const double gpuBytes = context.CountGpus() * static_cast<double>(context.GetTokenBytes(way));
    Operation::Estimate estimate;
    if (leg == ServerExchange::Leg::Across)
    {
        estimate.bytes = gpuBytes * (servers - 1) * context.EstimateCopies(servers);
        estimate.messages = servers - 1;
    }
    else
    {
        // Local tokens stay, and so do relayed tokens for the relay itself.
        estimate.bytes = gpuBytes * EstimateArrived(context) * (1 - servers / ep);
        estimate.messages = ep / servers - 1;
        estimate.outside = 0;
    }
    return estimate;
}

} // namespace

Operation
MakeServerExchange(const TrainingContext& context,
                   TrainingKind kind,
                   uint32_t layer,
                   TokenWay way,
                   ServerExchange::Leg leg)
{
    Operation operation = MakeRoutedOperation<ServerExchange>(context,
                                                              context.GetExpertParties(),
                                                              1,
                                                              kind,
                                                              layer,
                                                              way,
                                                              leg);
    operation.estimate = EstimateLeg(context, leg, way);
    return operation;
}

Operation
MakeServerExchange(const TrainingContext& context,
                   TrainingKind kind,
                   uint32_t layer,
                   TokenWay way,
                   uint32_t pieces)
{
    Operation operation = MakeRoutedOperation<ServerExchange>(context,
                                                              context.GetExpertParties(),
                                                              2 * pieces,
                                                              kind,
                                                              layer,
                                                              way,
                                                              pieces);
    operation.estimate = EstimateLeg(context, ServerExchange::Leg::Across, way);
    const Operation::Estimate inside = EstimateLeg(context, ServerExchange::Leg::Inside, way);
    operation.estimate.outside =
        operation.estimate.bytes / std::max(1.0, operation.estimate.bytes + inside.bytes);
    operation.estimate.bytes += inside.bytes;
    operation.estimate.messages = (operation.estimate.messages + inside.messages) * pieces;
    return operation;
}

} // namespace ns3::rails
