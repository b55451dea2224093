// SPDX-License-Identifier: GPL-2.0-only
#include "shadow-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cstddef>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ShadowPolicy);

TypeId
ShadowPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ShadowPolicy").SetParent<ExpertPolicy>(),
            "Chooses before a layer which experts are shadowed, with a forecast of its counts.")
            .SetGroupName("Rails")
            .AddAttribute("Period",
                          "Iterations from one choice to the next.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ShadowPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000));
    return tid;
}

ShadowPolicy::ShadowPolicy()
    : ExpertPolicy(ExpertKnowledge::Forecast)
{
    m_traits.plansOneGroup = true;
    m_traits.copyWay = CopyWay::Chain;
}

SlotRule
ShadowPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Copy};
}

void
ShadowPolicy::DoStart()
{
    m_shadows.assign(GetSetting().layers, {});
    m_ages.assign(GetSetting().layers, m_period);
}

std::vector<ExpertTransfer>
ShadowPolicy::DoBeginIteration(uint32_t layer, const LoadHistory& history)
{
    if (history.GetIterations() > 0 && ++m_ages[layer] >= m_period)
    {
        m_shadows[layer] = Choose(history.GetLastCounts());
        m_ages[layer] = 0;
        CountPlanning(layer);
    }
    return {};
}

ExpertPlan
ShadowPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    return MakeShadowPlan(GetSetting(), *GetPlacement(layer), counts, m_shadows[layer]);
}

ExpertPlan
MakeShadowPlan(const ExpertSetting& setting,
               const ExpertPlacement& placement,
               const TokenCounts& counts,
               const std::vector<ExpertShadow>& shadows)
{
    ExpertPlan plan;
    std::vector<bool> isShadowed(counts.GetCounts().size());
    for (const ExpertShadow& shadow : shadows)
    {
        const uint32_t home = placement.hosts[shadow.expert].front();
        for (const uint32_t gpu : shadow.gpus)
        {
            isShadowed[std::size_t{gpu} * setting.experts + shadow.expert] = true;
            plan.weights.push_back({shadow.expert, home, gpu, setting.weightBytes});
            plan.gradients.push_back({shadow.expert, gpu, home, setting.gradientBytes});
        }
    }
    for (uint32_t source = 0; source < counts.GetSources(); ++source)
    {
        for (uint32_t expert = 0; expert < counts.GetExperts(); ++expert)
        {
            const uint32_t tokens = counts.Get(source, expert);
            const bool isHere = isShadowed[std::size_t{source} * setting.experts + expert];
            if (tokens > 0)
            {
                plan.routes.push_back(
                    {source, expert, isHere ? source : placement.hosts[expert].front(), tokens});
            }
        }
    }
    return plan;
}

} // namespace ns3::rails
