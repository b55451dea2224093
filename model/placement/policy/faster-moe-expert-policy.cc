// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-documentation.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/layer-time-model.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"
#include "ns3/runtime-policy.h"
#include "ns3/shadow-policy.h"
#include "ns3/shadow-units.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `faster-moe`: dynamic shadowing of FasterMoE. After the gate, experts are shadowed on all GPUs,
 * the heaviest first, while a time model predicts a gain. The declared planning time is 0, as no
 * seconds are published (2.6 to 6.8 % of an iteration in "previous systems" of arXiv 2411.10003,
 * Table I, without the time of an iteration).
 */
class FasterMoeExpertPolicy : public RuntimePolicy
{
  public:
    /// Published policies.
    enum Variant
    {
        PUBLISHED,
        ARTIFACT,
        MASTER
    };

    static TypeId GetTypeId();

    FasterMoeExpertPolicy()
    {
        m_traits.copyWay = CopyWay::Chain;
        m_traits.plansOneGroup = true;
    }

    /// \return Interleaved: its smart schedule
    CopyTiming GetCopyTiming() const override;

    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

    void Check(const ExpertSetting& setting) const override;

  private:
    /// Terms of the time models.
    struct Costs
    {
        double compute;    //!< seconds to compute a token, forward and backward
        double send;       //!< seconds to send a token, four times
        double parameters; //!< seconds to send the parameters of an expert
        double gradients;  //!< seconds to send the gradients of an expert
    };

    /// Differences between the policies.
    struct Rules
    {
        ShadowGrain grain;               //!< unit of shadowing
        std::optional<double> bandwidth; //!< bytes per second; by default the cluster's
        std::optional<double> flops;     //!< in a second; by default the cluster's
        /// Returns the number of units to shadow, the heaviest first.
        uint32_t (FasterMoeExpertPolicy::*count)(const std::vector<ShadowUnit>& units) const;
    };

    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) final;

    /// \return numbers of the shadowed experts, in order of choice
    std::vector<uint32_t> Choose(const TokenCounts& counts) const;

    Rules GetRules() const;
    double FindBandwidth(const ClusterView& cluster) const;
    double FindFlops(const ClusterView& cluster) const;
    Costs FindCosts(double bandwidth) const;
    uint32_t CountPublished(const std::vector<ShadowUnit>& units) const;
    uint32_t CountOfArtifact(const std::vector<ShadowUnit>& units) const;
    uint32_t CountOfMaster(const std::vector<ShadowUnit>& units) const;

    Variant m_variant;
    std::optional<DataRate> m_bandwidth;
    std::optional<double> m_flops;
};

NS_OBJECT_ENSURE_REGISTERED(FasterMoeExpertPolicy);

namespace
{

constexpr double kArtifactBandwidth = 50e9 / 8; //!< bytes per second
constexpr double kArtifactFlops = 11.5e12;      //!< of a V100
constexpr double kArtifactNumberBytes = 4;      //!< multiplied into operations

using Units = std::vector<ShadowUnit>;

double
FindMost(const std::vector<uint64_t>& tokens)
{
    return static_cast<double>(*std::max_element(tokens.begin(), tokens.end()));
}

/**
 * All-to-alls over directed links: NVLink out and in of each GPU, and the NICs of each server
 * together, out and in.
 */
class DirectedLinks
{
  public:
    explicit DirectedLinks(const ClusterView& cluster)
        : m_cluster(cluster)
    {
    }

    /// \param from the first unit without a shadow
    /// \return seconds on the slowest link for one byte per token
    double FindTime(const Units& units, std::size_t from) const
    {
        std::vector<uint64_t> insideOut(m_cluster.gpus);
        std::vector<uint64_t> insideIn(m_cluster.gpus);
        std::vector<uint64_t> acrossOut(m_cluster.GetServerCount());
        std::vector<uint64_t> acrossIn(m_cluster.GetServerCount());
        for (; from < units.size(); ++from)
        {
            const ShadowUnit& unit = units[from];
            for (uint32_t gpu = 0; gpu < m_cluster.gpus; ++gpu)
            {
                const uint64_t tokens = gpu == unit.home ? 0 : unit.tokens[gpu];
                const bool isInside = m_cluster.AreTogether(gpu, unit.home);
                (isInside ? insideOut[gpu] : acrossOut[m_cluster.GetServer(gpu)]) += tokens;
                (isInside ? insideIn[unit.home] : acrossIn[m_cluster.GetServer(unit.home)]) +=
                    tokens;
            }
        }
        const double inside = std::max(FindMost(insideOut), FindMost(insideIn));
        const double across = std::max(FindMost(acrossOut), FindMost(acrossIn));
        return std::max(inside > 0 ? inside / m_cluster.nvlinkRate : 0,
                        across > 0 ? across / GetAcrossRate() : 0);
    }

    /// \return bytes per second of the slowest link in a broadcast to all GPUs
    double FindSlowest() const
    {
        double slowest = std::numeric_limits<double>::infinity();
        if (m_cluster.gpusPerServer > 1)
        {
            slowest = m_cluster.nvlinkRate;
        }
        return m_cluster.GetServerCount() > 1 ? std::min(slowest, GetAcrossRate()) : slowest;
    }

  private:
    double GetAcrossRate() const
    {
        return m_cluster.nicsPerServer * m_cluster.nicRate;
    }

    ClusterView m_cluster;
};

/// \return the units of shadowing, the heaviest first
Units
MakeSorted(const ExpertSetting& setting, const TokenCounts& counts, ShadowGrain grain)
{
    Units units = MakeUnits(setting, counts, grain);
    std::stable_sort(
        units.begin(),
        units.end(),
        [](const ShadowUnit& left, const ShadowUnit& right) { return left.load > right.load; });
    return units;
}

} // namespace

TypeId
FasterMoeExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::FasterMoeExpertPolicy").SetParent<RuntimePolicy>(),
            "Shadows of hot experts on all GPUs, the heaviest first, as long as a time model "
            "says that it pays. (FasterMoE, PPoPP 2022.)")
            .SetGroupName("Rails")
            .AddConstructor<FasterMoeExpertPolicy>()
            .AddAttribute(
                "Variant",
                "Which of its policies. published: all-to-alls are as slow as their "
                "slowest directed link, experts one by one; artifact: all experts of a "
                "GPU together, all-to-alls cost nothing once something is shadowed, and "
                "the bytes of a number are multiplied into floating-point operations; "
                "master: the load of the next expert stands for all, gradients cost "
                "nothing. (Paper; thu-pacman/FasterMoE; laekov/fastmoe.)",
                EnumValue(PUBLISHED),
                MakeWordAccessor(&FasterMoeExpertPolicy::m_variant),
                MakeEnumChecker(PUBLISHED, "published", ARTIFACT, "artifact", MASTER, "master"))
            .AddAttribute("Bandwidth",
                          "Bandwidth of all links in the time model. By default: published, those "
                          "of this cluster; artifact, its 50 Gb/s; master, that of a uniform "
                          "all-to-all on this cluster.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DataRateValue>(&FasterMoeExpertPolicy::m_bandwidth),
                          MakeRateRange(1))
            .AddAttribute("Flops",
                          "Floating-point operations of a GPU in a second in the time model. By "
                          "default those of this cluster; of artifact its 11.5e12.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&FasterMoeExpertPolicy::m_flops),
                          MakeNumberRange(1));
    return tid;
}

CopyTiming
FasterMoeExpertPolicy::GetCopyTiming() const
{
    return CopyTiming::Interleaved;
}

void
FasterMoeExpertPolicy::Check(const ExpertSetting& setting) const
{
    RuntimePolicy::Check(setting);
    CheckModelRates(FindFlops(setting.cluster), FindBandwidth(setting.cluster));
}

std::vector<uint32_t>
FasterMoeExpertPolicy::Choose(const TokenCounts& counts) const
{
    const Rules rules = GetRules();
    const Units units = MakeSorted(GetSetting(), counts, rules.grain);
    const uint32_t many = (this->*rules.count)(units);
    std::vector<uint32_t> experts;
    const std::size_t slots = GetSlots(GetSetting()).value_or(GetSetting().experts);
    for (uint32_t i = 0; i < many && experts.size() + units[i].experts.size() <= slots; ++i)
    {
        experts.insert(experts.end(), units[i].experts.begin(), units[i].experts.end());
    }
    return experts;
}

SlotRule
FasterMoeExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Copy};
}

FasterMoeExpertPolicy::Rules
FasterMoeExpertPolicy::GetRules() const
{
    switch (m_variant)
    {
    case ARTIFACT:
        return {ShadowGrain::Gpu,
                kArtifactBandwidth,
                kArtifactFlops,
                &FasterMoeExpertPolicy::CountOfArtifact};
    case MASTER:
        return {ShadowGrain::Expert, {}, {}, &FasterMoeExpertPolicy::CountOfMaster};
    default:
        return {ShadowGrain::Expert, {}, {}, &FasterMoeExpertPolicy::CountPublished};
    }
}

ExpertPlan
FasterMoeExpertPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    const ExpertPlacement& placement = *GetPlacement(layer);
    std::vector<ExpertShadow> shadows;
    for (const uint32_t expert : Choose(counts))
    {
        std::vector<uint32_t> others;
        for (uint32_t gpu = 0; gpu < GetSetting().cluster.gpus; ++gpu)
        {
            if (gpu != placement.hosts[expert].front())
            {
                others.push_back(gpu);
            }
        }
        shadows.push_back({expert, others});
    }
    return MakeShadowPlan(GetSetting(), placement, counts, shadows);
}

/// Shadows the heaviest units until another one has no gain. The cost of a step has computation and
/// all-to-alls without the tokens that stay on their GPUs, plus a broadcast and a reduction for
/// each shadow.
uint32_t
FasterMoeExpertPolicy::CountPublished(const std::vector<ShadowUnit>& units) const
{
    ClusterView cluster = GetSetting().cluster.ForCopies();
    if (m_bandwidth)
    {
        cluster.gpusPerServer = cluster.nicsPerServer = 1;
        cluster.nicRate = FindBandwidth(cluster);
    }
    const DirectedLinks links(cluster);
    const Costs costs = FindCosts(links.FindSlowest());
    const double perByte = 4 * static_cast<double>(GetSetting().tokenBytes);
    ShadowTrial trial(cluster.gpus, units);
    double least =
        costs.compute * FindMost(trial.GetComputed()) + perByte * links.FindTime(units, 0);
    uint32_t many = 0;
    for (; many < units.size(); ++many)
    {
        trial.Shadow(units[many], {});
        const double seconds = costs.compute * FindMost(trial.GetComputed()) +
                               perByte * links.FindTime(units, many + 1) +
                               (many + 1) * (costs.parameters + costs.gradients);
        if (seconds >= least)
        {
            break;
        }
        least = seconds;
    }
    return many;
}

/// Shadows until the cost rises, without the step that raised it (and without the last step, if
/// none raises it), and only if the cost is then below the cost without shadows.
uint32_t
FasterMoeExpertPolicy::CountOfArtifact(const std::vector<ShadowUnit>& units) const
{
    const Costs costs = FindCosts(FindBandwidth(GetSetting().cluster));
    const double compute = costs.compute * kArtifactNumberBytes;
    const double transfers = (costs.parameters + costs.gradients) * GetSetting().GetHomes();
    ShadowTrial trial(GetSetting().cluster.gpus, units);
    const double without = (compute + costs.send) * static_cast<double>(units.front().load);
    double least = std::numeric_limits<double>::infinity();
    uint32_t many = 0;
    for (; many < units.size(); ++many)
    {
        trial.Shadow(units[many], {});
        const double seconds = compute * FindMost(trial.GetComputed()) + (many + 1) * transfers;
        if (seconds > least)
        {
            break;
        }
        least = seconds;
    }
    return least < without ? std::min(many, static_cast<uint32_t>(units.size() - 1)) : 0;
}

/// Shadows until another step has no gain. The model assumes that the slowest GPU computes and
/// receives the load of the heaviest remaining expert.
uint32_t
FasterMoeExpertPolicy::CountOfMaster(const std::vector<ShadowUnit>& units) const
{
    const Costs costs = FindCosts(FindBandwidth(GetSetting().cluster));
    const double perToken = costs.compute + costs.send;
    double least = perToken * static_cast<double>(units.front().load);
    uint32_t many = 0;
    for (; many + 1 < units.size(); ++many)
    {
        const double seconds =
            perToken * static_cast<double>(units[many + 1].load) + (many + 1) * costs.parameters;
        if (seconds >= least)
        {
            break;
        }
        least = seconds;
    }
    return many;
}

FasterMoeExpertPolicy::Costs
FasterMoeExpertPolicy::FindCosts(double bandwidth) const
{
    const ExpertSetting& setting = GetSetting();
    return {3 * setting.tokenFlops / FindFlops(setting.cluster),
            4 * static_cast<double>(setting.tokenBytes) / bandwidth,
            static_cast<double>(setting.weightBytes) / bandwidth,
            static_cast<double>(setting.gradientBytes) / bandwidth};
}

double
FasterMoeExpertPolicy::FindBandwidth(const ClusterView& cluster) const
{
    if (m_bandwidth)
    {
        return static_cast<double>(m_bandwidth->GetBitRate()) / 8;
    }
    return GetRules().bandwidth.value_or(FindUniformBandwidth(cluster.ForCopies()));
}

double
FasterMoeExpertPolicy::FindFlops(const ClusterView& cluster) const
{
    return m_flops.value_or(GetRules().flops.value_or(cluster.flops));
}

} // namespace ns3::rails
