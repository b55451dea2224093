// SPDX-License-Identifier: GPL-2.0-only
#include "token-exchange.h"

#include <cstddef>

namespace ns3::rails
{

namespace
{

CommOpTraits
MakeTraits(const TrainingContext& context, TrainingKind kind, uint32_t legs, uint32_t pieces)
{
    CommOpTraits traits = context.MakeTraits(kind, true);
    traits.isDataDependent = true;
    traits.steps = legs * pieces;
    traits.lanes = pieces;
    return traits;
}

} // namespace

RoutedExchange::RoutedExchange(const TrainingContext& context,
                               const Setting& setting,
                               const GpuPartition& groups,
                               const std::vector<uint32_t>& parties,
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
    return m_context.GetStage(gpu) == m_setting.place.stage && m_parties[gpu] == m_setting.party;
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
    return (isBack ? CountForwardBytes(to, from, step) : CountForwardBytes(from, to, step)) *
           m_context.GetTokenBytes(m_setting.way);
}

TokenExchange::TokenExchange(const TrainingContext& context, const Setting& setting, uint32_t part)
    : RoutedExchange(context, setting, context.GetExperts(), context.GetExpertParties()),
      m_part(part)
{
}

uint64_t
TokenExchange::CountForwardBytes(uint32_t from, uint32_t to, uint32_t) const
{
    const GpuPartition& table = GetContext().GetExperts();
    const uint32_t source = table.GetPlace(from);
    const uint32_t host = table.GetPlace(to);
    return FindExchangePart(GetContext().GetSpec(), source, host) == m_part
               ? GetRouting(from)->tokens[std::size_t{source} * table.GetSize() + host]
               : 0;
}

uint32_t
FindExchangePart(const TrainingSpec& spec, uint32_t from, uint32_t to)
{
    const uint32_t parts = spec.CountExchangeParts();
    const uint32_t gpus = spec.handling.partGpus;
    return parts == 1 ? 0 : (to / gpus + parts - from / gpus) % parts;
}

double
EstimateExchange(double others)
{
    constexpr double crowd = 32; // concurrent messages of a GPU that double the cost of each
    return others * (1 + others / crowd);
}

Operation
MakeTokenExchange(const TrainingContext& context,
                  TrainingKind kind,
                  uint32_t layer,
                  TokenWay way,
                  uint32_t part)
{
    const TrainingSpec& spec = context.GetSpec();
    Operation operation = MakeRoutedOperation<TokenExchange>(context,
                                                             context.GetExpertParties(),
                                                             1,
                                                             kind,
                                                             layer,
                                                             way,
                                                             part);
    // For any popularity of experts, local tokens of a group are as many as one GPU sends in total;
    // and a GPU receives as many as it sends, in the mean.
    const double pairs = double{1} * spec.GetTokens() * spec.model.topK;
    operation.estimate.bytes = context.CountGpus() * pairs *
                               static_cast<double>(context.GetTokenBytes(way)) * (spec.ep - 1) /
                               spec.ep / spec.CountExchangeParts();
    // Messages of equal size begin and end together, and circuits share no links.
    const bool isAlone = context.MovesCircuits() || (spec.load && spec.load->IsEven());
    const double others = (spec.ep - 1.0) / spec.CountExchangeParts();
    operation.estimate.messages = isAlone ? others : EstimateExchange(others);
    operation.estimate.outside =
        GetOutsideOfExchange(spec.ep, context.GetExperts().CountServers(0));
    return operation;
}

} // namespace ns3::rails
