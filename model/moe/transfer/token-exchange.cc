// SPDX-License-Identifier: GPL-2.0-only
#include "token-exchange.h"

#include <cstddef>

namespace ns3::rails
{

namespace
{

TransferTraits
MakeTraits(const TrainingContext& context, TrainingKind kind, uint32_t legs, uint32_t pieces)
{
    TransferTraits traits = context.MakeTraits(kind, true);
    traits.isDrawn = true;
    traits.steps = legs * pieces;
    traits.lanes = pieces;
    return traits;
}

} // namespace

RoutedExchange::RoutedExchange(const TrainingContext& context,
                               const Setting& setting,
                               const GpuGroupTable& groups,
                               const ExchangeParties& parties,
                               uint32_t legs,
                               uint32_t pieces)
    : PairTransfer(MakeTraits(context, setting.kind, legs, pieces)),
      m_context(context),
      m_setting(setting),
      m_groups(groups),
      m_parties(parties)
{
}

bool
RoutedExchange::TakesPart(uint32_t gpu, uint32_t) const
{
    return m_context.GetStage(gpu) == m_setting.place.stage &&
           m_parties.Get(gpu) == m_setting.party;
}

const std::vector<uint32_t>&
RoutedExchange::GetPartners(uint32_t gpu, uint32_t) const
{
    return m_groups.GetMembers(gpu);
}

uint64_t
RoutedExchange::CountBytes(uint32_t from, uint32_t to, uint32_t step) const
{
    const bool isBack = m_setting.way == TokenWay::Back;
    return (isBack ? CountThere(to, from, step) : CountThere(from, to, step)) *
           m_context.GetTokenBytes(m_setting.way);
}

TokenExchange::TokenExchange(const TrainingContext& context, const Setting& setting, uint32_t part)
    : RoutedExchange(context, setting, context.GetExperts(), context.GetExpertParties()),
      m_part(part)
{
}

uint64_t
TokenExchange::CountThere(uint32_t from, uint32_t to, uint32_t) const
{
    const GpuGroupTable& table = GetContext().GetExperts();
    const uint32_t source = table.GetPlace(from);
    const uint32_t host = table.GetPlace(to);
    return FindExchangePart(GetContext().GetPlan(), source, host) == m_part
               ? GetRouting(from)->tokens[std::size_t{source} * table.GetSize() + host]
               : 0;
}

uint32_t
FindExchangePart(const TrainingPlan& plan, uint32_t from, uint32_t to)
{
    const uint32_t parts = plan.CountExchangeParts();
    const uint32_t gpus = plan.handling.partGpus;
    return parts == 1 ? 0 : (to / gpus + parts - from / gpus) % parts;
}

double
EstimateExchange(double others)
{
    constexpr double crowd = 32; // messages of a GPU at once that make each cost twice as much
    return others * (1 + others / crowd);
}

Operation
MakeTokenExchange(const TrainingContext& context,
                  TrainingKind kind,
                  uint32_t layer,
                  TokenWay way,
                  uint32_t part)
{
    const TrainingPlan& plan = context.GetPlan();
    Operation operation = MakeRoutedOperation<TokenExchange>(context,
                                                             context.GetExpertParties(),
                                                             1,
                                                             kind,
                                                             layer,
                                                             way,
                                                             part);
    // However unequal experts are, over all GPUs of a group as many tokens stay where they are as
    // one GPU has; and as many come to a GPU as it has, in the mean.
    const double pairs = double{1} * plan.GetTokens() * plan.model.topK;
    operation.estimate.bytes = context.CountGpus() * pairs *
                               static_cast<double>(context.GetTokenBytes(way)) * (plan.ep - 1) /
                               plan.ep / plan.CountExchangeParts();
    // What is as large begins and ends at once, and circuits share nothing.
    const bool isAlone = context.MovesCircuits() || (plan.load && plan.load->IsEven());
    const double others = (plan.ep - 1.0) / plan.CountExchangeParts();
    operation.estimate.messages = isAlone ? others : EstimateExchange(others);
    operation.estimate.outside =
        GetOutsideOfExchange(plan.ep, context.GetExpertGroups().GetServers(0).GetCount());
    return operation;
}

} // namespace ns3::rails
