// SPDX-License-Identifier: GPL-2.0-only
#include "expert-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ExpertPolicy);

TypeId
ExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ExpertPolicy").SetParent<Object>(),
            "Which GPU computes which tokens, and which experts are copied or moved for that.")
            .SetGroupName("Rails")
            .AddAttribute("PlanningTime",
                          "Time that planning a layer takes; by default what its source says.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ExpertPolicy::m_planningTime),
                          MakeTimeRange(0, kNever / 2));
    return tid;
}

ExpertPolicy::ExpertPolicy(ExpertKnowledge knowledge)
    : m_knowledge(knowledge)
{
}

void
ExpertPolicy::Check(const ExpertSetting& setting) const
{
    if (!setting.AreEven() && !DealsUnevenly())
    {
        throw ConfigurationError("",
                                 std::to_string(setting.experts) +
                                     " experts cannot be dealt evenly to " +
                                     std::to_string(setting.expertParallel) +
                                     " GPUs, which this policy needs: set ep, gpus or "
                                     "model.experts, or take eplb, whose slots hold redundant "
                                     "experts");
    }
    if (m_traits.plansOneGroup && setting.GetGroups() != 1)
    {
        throw ConfigurationError("",
                                 "this policy knows one group of expert parallelism that has all " +
                                     std::to_string(setting.cluster.gpus) + " GPUs, not " +
                                     std::to_string(setting.GetGroups()) +
                                     " groups merged: leave merged_groups out, or take a policy "
                                     "for several groups, such as micro-moe");
    }
}

bool
ExpertPolicy::DealsUnevenly() const
{
    return false;
}

void
ExpertPolicy::Start(const ExpertSetting& setting)
{
    m_setting = setting;
    m_placements.assign(setting.layers,
                        std::make_shared<ExpertPlacement>(ExpertPlacement::InOrder(setting)));
    m_isPlanned.assign(setting.layers, false);
    DoStart();
}

std::vector<ExpertTransfer>
ExpertPolicy::BeginIteration(uint32_t layer, const LoadHistory& history)
{
    return DoBeginIteration(layer, history);
}

ExpertPlan
ExpertPolicy::Plan(uint32_t layer, const TokenCounts& counts)
{
    ExpertPlan plan = DoPlan(layer, counts);
    if (!plan.placement)
    {
        plan.placement = m_placements[layer];
    }
    if (PlansEveryTime() || m_isPlanned[layer])
    {
        plan.isPlanned = true;
        plan.planningSeconds = GetPlanningTime();
        m_isPlanned[layer] = false;
    }
    return plan;
}

/// \return seconds that planning a layer takes
double
ExpertPolicy::GetPlanningTime() const
{
    return m_setting.planning ? m_setting.planning->seconds
           : m_planningTime   ? m_planningTime->GetSeconds()
                              : GetPublishedPlanningTime();
}

std::string
ExpertPolicy::DescribePlanning() const
{
    if (GetKnowledge() == ExpertKnowledge::Nothing || m_traits.isOracle)
    {
        return "";
    }
    const std::string time = FormatTime(std::llround(GetPlanningTime() * kPicosecondsPerSecond));
    return "planning of a layer by the policy of experts takes " +
           (m_setting.planning ? time + ", " + m_setting.planning->rule
            : m_planningTime   ? time + ", as its planning_time says"
            : GetPublishedPlanningTime() > 0
                ? time + ", as its source says"
                : "no time, as no source says how much: "
                  "expert_planning and expert_planning_path (of a study planning and "
                  "planning_path) charge all by one rule");
}

void
ExpertPolicy::CountPlanning(uint32_t layer)
{
    m_isPlanned[layer] = true;
}

SlotRule
ExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {};
}

std::optional<uint32_t>
ExpertPolicy::GetSlots(const ExpertSetting& setting) const
{
    const SlotRule rule = GetSlotRule(setting);
    return setting.slots ? setting.slots : rule.given ? rule.given : rule.byDefault;
}

std::string
ExpertPolicy::DescribeOrigin() const
{
    return "";
}

bool
ExpertPolicy::IsPlain() const
{
    return false;
}

bool
ExpertPolicy::Pads() const
{
    return false;
}

uint32_t
ExpertPolicy::GetPeriod() const
{
    return 0;
}

CopyTiming
ExpertPolicy::GetCopyTiming() const
{
    return CopyTiming::Blocking;
}

LayerRates
ExpertPolicy::FindRates(const ExpertSetting& setting) const
{
    return MakeLayerRates(setting,
                          FindUniformBandwidth(setting.cluster.ForCopies()),
                          setting.cluster.flops);
}

int64_t
ExpertPolicy::AssignStreams(int64_t)
{
    return 0;
}

const std::shared_ptr<const ExpertPlacement>&
ExpertPolicy::GetPlacement(uint32_t layer) const
{
    return m_placements[layer];
}

/// \return the holder that sends an expert to a GPU
uint32_t
ExpertPolicy::FindSender(uint32_t gpu, const std::vector<uint32_t>& holders) const
{
    const auto inServer = std::find_if(holders.begin(), holders.end(), [&](uint32_t holder) {
        return m_setting.cluster.AreTogether(holder, gpu);
    });
    if (inServer != holders.end())
    {
        return *inServer;
    }
    const auto inGroup = std::find_if(holders.begin(), holders.end(), [&](uint32_t holder) {
        return holder / m_setting.expertParallel == gpu / m_setting.expertParallel;
    });
    return inGroup != holders.end() ? *inGroup : holders.front();
}

std::vector<ExpertTransfer>
ExpertPolicy::Move(uint32_t layer, ExpertPlacement placement)
{
    if (const std::string defect = placement.FindDefect(m_setting); !defect.empty())
    {
        throw std::logic_error("a placement of experts of layer " + std::to_string(layer) +
                               " cannot be right: " + defect);
    }
    const ExpertPlacement& before = *m_placements[layer];
    std::vector<ExpertTransfer> transfers;
    for (uint32_t expert = 0; expert < placement.hosts.size(); ++expert)
    {
        for (const uint32_t gpu : placement.ListHosts(expert))
        {
            if (!before.Holds(expert, gpu))
            {
                transfers.push_back(
                    {expert, FindSender(gpu, before.hosts[expert]), gpu, m_setting.weightBytes});
            }
        }
    }
    m_placements[layer] = std::make_shared<ExpertPlacement>(std::move(placement));
    return transfers;
}

void
ExpertPolicy::DoStart()
{
}

double
ExpertPolicy::GetPublishedPlanningTime() const
{
    return 0;
}

} // namespace ns3::rails
