// SPDX-License-Identifier: GPL-2.0-only
#include "pro-prophet-estimate.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/shadow-policy.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * `pro-prophet` (arXiv 2411.10003): shadows of a few hot experts on all or almost all GPUs. While
 * GPUs are unbalanced (eq. 7), the experts of the busiest GPU are shadowed; the time model selects
 * the best number of these steps. The paper has one expert on each GPU. Several experts of a GPU
 * are shadowed together, as in the released code, or one by one, the heaviest of the busiest GPU
 * first; with one expert on each GPU both are equal. The planning time is not published; as it runs
 * under an all-to-all, 0 is declared.
 */
class ProProphetExpertPolicy : public ShadowPolicy
{
  public:
    /// Published planners.
    enum Variant
    {
        ALGORITHM_1,
        RELEASED
    };

    static TypeId GetTypeId();

    /// \return Scheduled when its planner assumes the scheduler, else Blocking
    CopyTiming GetCopyTiming() const override;

    LayerRates FindRates(const ExpertSetting& setting) const override;

    void Check(const ExpertSetting& setting) const override;
    std::vector<ExpertShadow> Choose(const TokenCounts& forecast) const override;

  private:
    /// \return shadows of the heaviest units, at any cost
    std::vector<ExpertShadow> ChooseHeaviest(std::vector<ShadowUnit> units) const;
    std::unique_ptr<ProProphetEstimate> MakeEstimate(const std::vector<ShadowUnit>& units,
                                                     uint32_t excluded) const;
    double FindBandwidth(const ClusterView& cluster) const;
    double FindFlops(const ClusterView& cluster) const;
    double FindSeconds(const LayerTime& time) const;

    Variant m_variant;
    std::optional<uint32_t> m_excluded;
    std::optional<uint32_t> m_heaviest;
    std::optional<double> m_balanceTolerance;
    bool m_scheduled;
    bool m_fused;
    std::optional<DataRate> m_bandwidth;
    std::optional<double> m_flops;
};

NS_OBJECT_ENSURE_REGISTERED(ProProphetExpertPolicy);

namespace
{

/// A shadowed unit, and its excluded GPUs.
struct Step
{
    const ShadowUnit* unit;
    std::vector<uint32_t> excluded;
};

/// \return the heaviest unshadowed unit of a GPU; null if there is none
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

/// \return shadows of units on all GPUs except their homes and excluded GPUs
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
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ProProphetExpertPolicy").SetParent<ShadowPolicy>(),
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
                EnumValue(ALGORITHM_1),
                MakeWordAccessor(&ProProphetExpertPolicy::m_variant),
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
