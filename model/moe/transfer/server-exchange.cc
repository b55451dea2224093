// SPDX-License-Identifier: GPL-2.0-only
#include "server-exchange.h"

#include <cstddef>
#include <memory>

namespace ns3::rails
{

ServerExchange::ServerExchange(const TrainingContext& context, const Setting& setting, Leg leg)
    : RoutedExchange(context, setting, context.GetExperts(), context.GetExpertParties()),
      m_leg(leg)
{
}

uint64_t
ServerExchange::CountThere(uint32_t from, uint32_t to) const
{
    const GpuGroupTable& table = GetContext().GetExperts();
    const GroupServers& servers = GetContext().GetExpertGroups().GetServers(table.GetNumber(from));
    const std::size_t size = table.GetSize();
    const uint32_t member = table.GetPlace(from);
    const uint32_t other = table.GetPlace(to);
    const uint32_t there = servers.GetServer(other);
    const bool isInside = servers.GetServer(member) == there;
    if (isInside != (m_leg == Leg::Inside))
    {
        return 0;
    }
    const std::shared_ptr<const ExpertRouting> routing = GetRouting(from);
    if (m_leg == Leg::Across)
    {
        return servers.GetRelay(member, there) == other
                   ? routing->serverCopies[std::size_t{member} * servers.GetCount() + there]
                   : 0;
    }
    uint64_t tokens = routing->copies[member * size + other];
    for (const uint32_t served : servers.GetServed(member))
    {
        tokens += routing->copies[served * size + other];
    }
    return tokens;
}

double
EstimateArrived(const TrainingContext& context)
{
    const TrainingPlan& plan = context.GetPlan();
    return plan.deduplicates ? plan.ep * context.EstimateCopies(plan.ep)
                             : double{1} * plan.GetTokens() * plan.model.topK;
}

Operation
MakeServerExchange(const TrainingContext& context,
                   TrainingKind kind,
                   uint32_t layer,
                   TokenWay way,
                   ServerExchange::Leg leg)
{
    Operation operation = MakeRoutedOperation<ServerExchange>(context,
                                                              context.GetExpertParties(),
                                                              kind,
                                                              layer,
                                                              way,
                                                              leg);
    const double ep = context.GetPlan().ep;
    const double servers = context.GetExpertGroups().GetServers(0).GetCount();
    const double gpuBytes = context.CountGpus() * static_cast<double>(context.GetTokenBytes());
    if (leg == ServerExchange::Leg::Across)
    {
        operation.estimate.bytes = gpuBytes * (servers - 1) * context.EstimateCopies(servers);
        operation.estimate.messages = servers - 1;
    }
    else
    {
        // Of those that arrive the ones of the GPU itself stay, and of those that it passes on, its
        // own.
        operation.estimate.bytes = gpuBytes * EstimateArrived(context) * (1 - servers / ep);
        operation.estimate.messages = ep / servers - 1;
    }
    return operation;
}

} // namespace ns3::rails
