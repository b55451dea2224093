// SPDX-License-Identifier: GPL-2.0-only
#include "pro-prophet-expert-policy.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ProProphetExpertPolicy);

namespace
{

/// A unit that is shadowed, and where it is not.
struct Step
{
    const ShadowUnit* unit;
    std::vector<uint32_t> excluded;
};

/// \return the heaviest unit of a GPU that was not shadowed before; null if there is none
const ShadowUnit*
FindHeaviest(const std::vector<ShadowUnit>& units, const std::vector<Step>& steps, uint32_t gpu)
{
    const ShadowUnit* heaviest = nullptr;
    for (const ShadowUnit& unit : units)
    {
        const bool isUsed = std::any_of(steps.begin(), steps.end(), [&unit](const Step& step) {
            return step.unit == &unit;
        });
        if (unit.home == gpu && !isUsed && (!heaviest || unit.load > heaviest->load))
        {
            heaviest = &unit;
        }
    }
    return heaviest;
}

/// \return shadows of units on all GPUs but their homes and those where they are not
std::vector<ExpertShadow>
MakeShadows(uint32_t gpus, const std::vector<Step>& steps)
{
    std::vector<ExpertShadow> shadows;
    for (const Step& step : steps)
    {
        std::vector<uint32_t> others;
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            const bool isExcluded =
                std::find(step.excluded.begin(), step.excluded.end(), gpu) != step.excluded.end();
            if (gpu != step.unit->home && !isExcluded)
            {
                others.push_back(gpu);
            }
        }
        for (const uint32_t expert : step.unit->experts)
        {
            shadows.push_back({expert, others});
        }
    }
    return shadows;
}

} // namespace

TypeId
ProProphetExpertPolicy::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using VariantValue = decltype(EnumValue(ALGORITHM_1));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ProProphetExpertPolicy").SetParent<ShadowPolicy>(),
                 "Shadows of a few hot experts on all or almost all GPUs, as many as a time model "
                 "says is best for the counts of an iteration before; transfers are scheduled "
                 "under computation. (Pro-Prophet, arXiv 2411.10003.)")
            .SetGroupName("Rails")
            .AddConstructor<ProProphetExpertPolicy>()
            .AddAttribute(
                "Variant",
                "Which planner: algorithm-1 of the paper, or the released one, which "
                "differs from it: bandwidth of all-to-alls by their bytes, floating-point "
                "operations times the bytes of a number, transfers charged for one GPU's "
                "experts however many are sent, all tokens of an expert counted as sent. "
                "(king0722/Pro-Prophet at 44098d3.)",
                VariantValue(ALGORITHM_1),
                MakeAccessorHelper<VariantValue>(&ProProphetExpertPolicy::m_variant),
                MakeEnumChecker(ALGORITHM_1, "algorithm-1", RELEASED, "released"))
            .AddAttribute("Excluded",
                          "GPUs that a shadowed expert is not sent to, those with the fewest "
                          "tokens for it. By default one if each expert has a GPU without any, and "
                          "otherwise none. (n of Algorithm 1; the paper gives none, the default is "
                          "that of the released planner.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ProProphetExpertPolicy::m_excluded),
                          MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute(
                "Heaviest",
                "So many of the heaviest units are shadowed on all GPUs but Excluded, in "
                "place of what a planner chooses. (The fixed rule that Fig. 15 compares with, of "
                "2 and of 3.)",
                EmptyAttributeValue(),
                MakeOptionalAccessor<UintegerValue>(&ProProphetExpertPolicy::m_heaviest),
                MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute(
                "BalanceTolerance",
                "Difference of the largest and the smallest load of a GPU, in mean loads, "
                "below which nothing more is shadowed. By default 0, so that it goes on until "
                "the busiest GPU has been shadowed: it takes the best of all steps, so that a "
                "tolerance only saves planning, which hides under an all-to-all; of the released "
                "planner its 3. (alpha of eq. 7; the paper gives none. 3 ends all planning where "
                "no GPU has 3 mean loads.)",
                EmptyAttributeValue(),
                MakeOptionalAccessor<DoubleValue>(&ProProphetExpertPolicy::m_balanceTolerance),
                MakeNumberRange(0, 1e6))
            .AddAttribute("Scheduled",
                          "The time model takes transfers as scheduled under computation, which is "
                          "eq. 8 of the paper; otherwise as blocking, eq. 6.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ProProphetExpertPolicy::m_scheduled),
                          MakeBooleanChecker())
            .AddAttribute("Fused",
                          "Experts of a GPU are shadowed together, otherwise one by one, the "
                          "heaviest of the busiest GPU first. (Together: the released planner's "
                          "fused mode; the paper has one expert on each GPU.)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ProProphetExpertPolicy::m_fused),
                          MakeBooleanChecker())
            .AddAttribute("Bandwidth",
                          "Mean bandwidth of a GPU in the time model; in that of the released "
                          "planner of transfers alone. By default that of a uniform all-to-all on "
                          "this cluster; of the released planner its 15 Gb/s.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DataRateValue>(&ProProphetExpertPolicy::m_bandwidth),
                          MakeRateRange(1))
            .AddAttribute("Flops",
                          "Floating-point operations of a GPU in a second in the time model. By "
                          "default those of this cluster; of the released planner its 35.7e12.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&ProProphetExpertPolicy::m_flops),
                          MakeNumberRange(1));
    return tid;
}

CopyTiming
ProProphetExpertPolicy::GetCopyTiming() const
{
    return m_scheduled ? CopyTiming::Scheduled : CopyTiming::Blocking;
}

LayerRates
ProProphetExpertPolicy::FindRates(const ExpertSetting& setting) const
{
    const double bandwidth = FindBandwidth(setting.cluster);
    const double flops = FindFlops(setting.cluster);
    return m_variant == RELEASED ? ReleasedEstimate::MakeRates(setting, bandwidth, flops)
                                 : MakeLayerRates(setting, bandwidth, flops);
}

void
ProProphetExpertPolicy::Check(const ExpertSetting& setting) const
{
    ShadowPolicy::Check(setting);
    if (m_excluded.value_or(0) >= setting.cluster.gpus)
    {
        throw ConfigurationError("excluded",
                                 "an expert stays on its home, so less than the " +
                                     std::to_string(setting.cluster.gpus) +
                                     " GPUs can be without it");
    }
    if (m_variant == RELEASED && !m_fused)
    {
        throw ConfigurationError("fused",
                                 "the released planner knows whole GPUs only; take algorithm-1 for "
                                 "experts one by one");
    }
    CheckModelRates(FindFlops(setting.cluster), FindBandwidth(setting.cluster));
}

std::vector<ExpertShadow>
ProProphetExpertPolicy::Choose(const TokenCounts& forecast) const
{
    const ExpertSetting& setting = GetSetting();
    const std::vector<ShadowUnit> units =
        MakeUnits(setting, forecast, m_fused ? ShadowGrain::Gpu : ShadowGrain::Expert);
    if (m_heaviest)
    {
        return ChooseHeaviest(units);
    }
    const uint32_t excluded = m_excluded.value_or(ReleasedEstimate::FindExcluded(units));
    const double tolerance =
        m_balanceTolerance.value_or(m_variant == RELEASED ? ReleasedEstimate::kTolerance : 0);
    const double tolerated =
        tolerance * static_cast<double>(forecast.GetTotal()) / setting.cluster.gpus; // eq. 7

    const std::unique_ptr<ProProphetEstimate> estimate = MakeEstimate(units, excluded);
    const std::vector<uint64_t>& computed = estimate->GetComputed();
    double least = FindSeconds(estimate->GetTime());
    uint32_t accepted = 0;
    const std::size_t slots = GetSlots(setting).value_or(setting.experts);
    std::size_t shadowed = 0; // experts
    std::vector<Step> steps;
    while (true)
    {
        const uint64_t fewest = *std::min_element(computed.begin(), computed.end());
        const auto busiest = std::max_element(computed.begin(), computed.end());
        const ShadowUnit* unit =
            FindHeaviest(units, steps, static_cast<uint32_t>(busiest - computed.begin()));
        if (static_cast<double>(*busiest - fewest) < tolerated || !unit ||
            shadowed + unit->experts.size() > slots)
        {
            break;
        }
        shadowed += unit->experts.size();
        steps.push_back({unit, FindFewest(*unit, excluded)});
        estimate->Shadow(*unit, steps.back().excluded);
        const double seconds = FindSeconds(estimate->GetTime());
        if (seconds < least)
        {
            least = seconds;
            accepted = estimate->Accept(accepted, static_cast<uint32_t>(steps.size()));
        }
    }
    steps.resize(accepted);
    return MakeShadows(setting.cluster.gpus, steps);
}

std::vector<ExpertShadow>
ProProphetExpertPolicy::ChooseHeaviest(std::vector<ShadowUnit> units) const
{
    std::stable_sort(
        units.begin(),
        units.end(),
        [](const ShadowUnit& one, const ShadowUnit& other) { return one.load > other.load; });
    units.resize(std::min<std::size_t>(*m_heaviest, units.size()));
    std::vector<Step> steps;
    std::size_t slots = GetSlots(GetSetting()).value_or(GetSetting().experts);
    for (const ShadowUnit& unit : units)
    {
        if (unit.experts.size() > slots)
        {
            break;
        }
        slots -= unit.experts.size();
        steps.push_back({&unit, FindFewest(unit, m_excluded.value_or(0))});
    }
    return MakeShadows(GetSetting().cluster.gpus, steps);
}

std::unique_ptr<ProProphetEstimate>
ProProphetExpertPolicy::MakeEstimate(const std::vector<ShadowUnit>& units, uint32_t excluded) const
{
    const LayerRates rates = FindRates(GetSetting());
    if (m_variant == RELEASED)
    {
        return std::make_unique<ReleasedEstimate>(rates, units, excluded);
    }
    return std::make_unique<AlgorithmOneEstimate>(rates, units, excluded);
}

double
ProProphetExpertPolicy::FindBandwidth(const ClusterView& cluster) const
{
    if (m_bandwidth)
    {
        return static_cast<double>(m_bandwidth->GetBitRate()) / 8;
    }
    return m_variant == RELEASED ? ReleasedEstimate::kTransferBandwidth
                                 : FindUniformBandwidth(cluster.ForCopies());
}

double
ProProphetExpertPolicy::FindFlops(const ClusterView& cluster) const
{
    return m_flops.value_or(m_variant == RELEASED ? ReleasedEstimate::kFlops : cluster.flops);
}

double
ProProphetExpertPolicy::FindSeconds(const LayerTime& time) const
{
    return m_scheduled ? time.GetScheduled() : time.GetBlocking();
}

} // namespace ns3::rails
