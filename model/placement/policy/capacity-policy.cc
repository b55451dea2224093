// SPDX-License-Identifier: GPL-2.0-only
#include "capacity-policy.h"

#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/range-checker.h"
#include "ns3/token-routing.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CapacityPolicy);

TypeId
CapacityPolicy::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::CapacityPolicy").SetParent<RuntimePolicy>(),
                 "Every token goes to the home of its expert in its own group of expert "
                 "parallelism, unless the expert takes no more.")
            .SetGroupName("Rails")
            .AddAttribute("CapacityFactor",
                          "Tokens of a GPU that an expert takes at most, over what it would get if "
                          "all experts had as many; more are dropped. By default it takes all. "
                          "(GShard; Tutel, equation 1.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&CapacityPolicy::m_capacityFactor),
                          MakeNumberRange(1e-6, 1e6));
    return tid;
}

bool
CapacityPolicy::Pads() const
{
    return GetPadding() != NONE;
}

ExpertKnowledge
CapacityPolicy::GetKnowledge() const
{
    return ExpertKnowledge::Nothing;
}

bool
CapacityPolicy::HasCapacity() const
{
    return m_capacityFactor.has_value();
}

/// \return tokens of a source that an expert takes at most
uint64_t
CapacityPolicy::GetCapacity() const
{
    const double even = GetSetting().GetMeanLoad() / GetSetting().experts;
    // A product that is a whole number may come out a little above it.
    return static_cast<uint64_t>(std::ceil(*m_capacityFactor * even * (1 - 1e-12)));
}

ExpertPlan
CapacityPolicy::DoPlan(uint32_t, const TokenCounts& counts)
{
    TokenCounts taken = counts;
    ExpertPlan plan;
    for (uint32_t source = 0; HasCapacity() && source < counts.GetSources(); ++source)
    {
        for (uint32_t expert = 0; expert < counts.GetExperts(); ++expert)
        {
            taken.Set(source,
                      expert,
                      static_cast<uint32_t>(
                          std::min<uint64_t>(counts.Get(source, expert), GetCapacity())));
        }
    }
    plan.dropped = counts.GetTotal() - taken.GetTotal();
    plan.routes = RouteInGroups(taken, GetSetting());
    if (Pads())
    {
        Pad(plan, taken);
    }
    return plan;
}

/// Fills the buffers of all pairs of GPUs of a group up to the same number of rows.
void
CapacityPolicy::Pad(ExpertPlan& plan, const TokenCounts& taken) const
{
    const ExpertSetting& setting = GetSetting();
    const uint32_t peers = setting.expertParallel;
    for (uint32_t group = 0; group < setting.GetGroups(); ++group)
    {
        const uint64_t rows = CountRows(group, taken) * setting.GetHomes();
        plan.padding.insert(plan.padding.end(), peers, rows * peers);
        plan.paddedTokens += rows * peers * (peers - 1);
    }
    for (const TokenRoute& route : plan.routes)
    {
        plan.padding[route.host] -= route.tokens;
        plan.paddedTokens -= route.source == route.host ? 0 : route.tokens;
    }
}

/// \return rows that an expert computes for each source of a group
uint64_t
CapacityPolicy::CountRows(uint32_t group, const TokenCounts& taken) const
{
    if (GetPadding() == CAPACITY)
    {
        return GetCapacity();
    }
    const auto sizeOfGroup =
        static_cast<std::ptrdiff_t>(GetSetting().expertParallel) * GetSetting().experts;
    const auto first = taken.GetCounts().begin() + group * sizeOfGroup;
    return *std::max_element(first, first + sizeOfGroup);
}

} // namespace ns3::rails
