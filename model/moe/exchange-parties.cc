// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-parties.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3::rails
{

ExchangeParties::ExchangeParties(const TrainingPlan& plan,
                                 const GpuGroupTable& experts,
                                 const GpuGroupTable& expertTensor)
    : m_experts(Find(plan, experts)),
      m_expertTensor(Find(plan, expertTensor))
{
}

/// Each group becomes the first party that no group before it is in any of its servers.
ExchangeParties::Parties
ExchangeParties::Find(const TrainingPlan& plan, const GpuGroupTable& table)
{
    Parties parties;
    parties.ofGpu.resize(plan.shape.GetGpus());
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> taken; // stage, server and party
    for (const std::vector<uint32_t>& members : table.GetGroups())
    {
        const uint32_t stage = plan.attention.GetCoordinate(members.front(), "pp");
        uint32_t party = 0;
        while (std::any_of(members.begin(), members.end(), [&](uint32_t gpu) {
            return taken.count({stage, plan.shape.GetDomain(gpu), party}) > 0;
        }))
        {
            ++party;
        }
        for (const uint32_t gpu : members)
        {
            taken.emplace(stage, plan.shape.GetDomain(gpu), party);
            parties.ofGpu[gpu] = party;
        }
        parties.count = std::max(parties.count, party + 1);
    }
    return parties;
}

bool
ExchangeParties::Has(Operation::Type type)
{
    switch (type)
    {
    case Operation::Type::ToExperts:
    case Operation::Type::FromExperts:
    case Operation::Type::ToServers:
    case Operation::Type::ToServersGpus:
    case Operation::Type::FromServersGpus:
    case Operation::Type::FromServers:
    case Operation::Type::GatherTokens:
    case Operation::Type::ScatterTokens:
        return true;
    default:
        return false;
    }
}

uint32_t
ExchangeParties::Count(Operation::Type type) const
{
    return Has(type) ? Of(type).count : 1;
}

uint32_t
ExchangeParties::Get(Operation::Type type, uint32_t gpu) const
{
    return Has(type) ? Of(type).ofGpu[gpu] : 0;
}

const ExchangeParties::Parties&
ExchangeParties::Of(Operation::Type type) const
{
    return type == Operation::Type::GatherTokens || type == Operation::Type::ScatterTokens
               ? m_expertTensor
               : m_experts;
}

} // namespace ns3::rails
