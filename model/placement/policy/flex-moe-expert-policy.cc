// SPDX-License-Identifier: GPL-2.0-only
#include "replacement-clock.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/placement-policy.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

class ExpertSlots;

/**
 * `flex-moe`: FlexMoE (SIGMOD'23; its code is closed). Each GPU has a number of slots (vExperts).
 * An expert fills one or more slots anywhere, and its tokens are split evenly over them. When GPUs
 * are unbalanced, rounds follow. In a round the expert with the highest load per vExpert takes a
 * vExpert (Expand) from the expert with the lowest (Shrink), on the GPU where this gives the lowest
 * ratio of loads. The placement with the lowest ratio of all rounds is adopted.
 *
 * Its third operation, Migrate, is left out, as its description is not verified. Among equal GPUs,
 * Expand prefers one in a server with the expert, which is the purpose of Migrate.
 */
class FlexMoeExpertPolicy : public PlacementPolicy
{
  public:
    /// Measure of imbalance.
    enum Ratio
    {
        MAX_OVER_MEAN,
        MAX_OVER_MIN
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void DoStart() override;
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override;

    /// \return slots of a GPU beyond its number of experts at home
    double FindRatio(const std::vector<double>& gpuLoads) const;
    /// Runs a round. \return false when no slot can change its expert
    bool Exchange(ExpertSlots& slots) const;

    Ratio m_ratio;
    double m_threshold;
    uint32_t m_rounds;
    uint32_t m_patience;
    std::optional<uint32_t> m_slots;
    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
};

NS_OBJECT_ENSURE_REGISTERED(FlexMoeExpertPolicy);

/// The experts in the slots of all GPUs, and the expected loads.
class ExpertSlots
{
  public:
    /**
     * \param slotsOfGpu number of slots of a GPU
     * \param loads expected tokens by expert
     * \param placement initial content of the slots
     */
    ExpertSlots(const ExpertSetting& setting,
                uint32_t slotsOfGpu,
                const std::vector<double>& loads,
                const ExpertPlacement& placement)
        : m_setting(setting),
          m_slotsOfGpu(slotsOfGpu),
          m_loads(loads),
          m_placement(placement),
          m_gpuLoads(setting.cluster.gpus),
          m_used(setting.cluster.gpus)
    {
        for (uint32_t expert = 0; expert < m_loads.size(); ++expert)
        {
            AddShares(expert, 1, m_gpuLoads);
            for (const uint32_t gpu : m_placement.hosts[expert])
            {
                ++m_used[gpu];
            }
        }
    }

    const ExpertPlacement& GetPlacement() const
    {
        return m_placement;
    }

    /// \return load by GPU when tokens are split evenly over the slots of their expert
    const std::vector<double>& GetLoads() const
    {
        return m_gpuLoads;
    }

    /// \return the expert with the highest load per slot
    uint32_t FindHottest() const
    {
        uint32_t hottest = 0;
        for (uint32_t expert = 1; expert < m_loads.size(); ++expert)
        {
            hottest = GetShare(expert) > GetShare(hottest) ? expert : hottest;
        }
        return hottest;
    }

    /// \return the expert with the lowest load per slot among experts with several slots
    /// \param but an expert to ignore
    std::optional<uint32_t> FindColdest(uint32_t but) const
    {
        std::optional<uint32_t> coldest;
        for (uint32_t expert = 0; expert < m_loads.size(); ++expert)
        {
            if (expert != but && m_placement.hosts[expert].size() > 1 &&
                (!coldest || GetShare(expert) < GetShare(*coldest)))
            {
                coldest = expert;
            }
        }
        return coldest;
    }

    /// \return GPUs that have a slot without an expert, ascending
    std::vector<uint32_t> ListFree() const
    {
        std::vector<uint32_t> gpus;
        for (uint32_t gpu = 0; gpu < m_used.size(); ++gpu)
        {
            if (m_used[gpu] < m_slotsOfGpu)
            {
                gpus.push_back(gpu);
            }
        }
        return gpus;
    }

    /**
     * Gives an expert one more slot of a GPU.
     * \param loser the expert now in this slot, if any
     */
    void Give(uint32_t expert, uint32_t gpu, std::optional<uint32_t> loser)
    {
        m_gpuLoads = Predict(expert, gpu, loser);
        if (loser)
        {
            std::vector<uint32_t>& hosts = m_placement.hosts[*loser];
            hosts.erase(std::find(hosts.begin(), hosts.end(), gpu));
            --m_used[gpu];
        }
        m_placement.hosts[expert].push_back(gpu);
        ++m_used[gpu];
    }

    /// \return load by GPU that Give() would lead to
    std::vector<double> Predict(uint32_t expert, uint32_t gpu, std::optional<uint32_t> loser) const
    {
        std::vector<double> gpuLoads = m_gpuLoads;
        const auto slots = static_cast<double>(m_placement.hosts[expert].size());
        AddShares(expert, -1 / (slots + 1), gpuLoads);
        gpuLoads[gpu] += m_loads[expert] / (slots + 1);
        if (loser)
        {
            const auto had = static_cast<double>(m_placement.hosts[*loser].size());
            AddShares(*loser, 1 / (had - 1), gpuLoads);
            gpuLoads[gpu] -= m_loads[*loser] / (had - 1);
        }
        return gpuLoads;
    }

    /// \return true when a GPU of the same server holds an expert
    bool IsInServer(uint32_t gpu, uint32_t expert) const
    {
        const std::vector<uint32_t>& hosts = m_placement.hosts[expert];
        return std::any_of(hosts.begin(), hosts.end(), [&](uint32_t host) {
            return m_setting.cluster.AreTogether(gpu, host);
        });
    }

  private:
    double GetShare(uint32_t expert) const
    {
        return m_loads[expert] / static_cast<double>(m_placement.hosts[expert].size());
    }

    /// Adds a multiple of the share of each slot of an expert.
    void AddShares(uint32_t expert, double times, std::vector<double>& gpuLoads) const
    {
        for (const uint32_t gpu : m_placement.hosts[expert])
        {
            gpuLoads[gpu] += times * GetShare(expert);
        }
    }

    const ExpertSetting& m_setting;
    uint32_t m_slotsOfGpu;
    const std::vector<double>& m_loads;
    ExpertPlacement m_placement;
    std::vector<double> m_gpuLoads;
    std::vector<uint32_t> m_used; //!< slots by GPU
};

TypeId
FlexMoeExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::FlexMoeExpertPolicy").SetParent<PlacementPolicy>(),
            "When GPUs were out of balance, busy experts take slots from idle ones; tokens of "
            "an expert are dealt evenly over its slots. (FlexMoE, SIGMOD'23.)")
            .SetGroupName("Rails")
            .AddConstructor<FlexMoeExpertPolicy>()
            .AddAttribute(
                "Ratio",
                "What is out of balance: max-over-mean: the largest load of a GPU over "
                "the mean; max-over-min: over the smallest. (max-over-mean as noted of "
                "FlexMoE, max-over-min in the artifact of LAER-MoE.)",
                EnumValue(MAX_OVER_MEAN),
                MakeWordAccessor(&FlexMoeExpertPolicy::m_ratio),
                MakeEnumChecker(MAX_OVER_MEAN, "max-over-mean", MAX_OVER_MIN, "max-over-min"))
            .AddAttribute("Threshold",
                          "The ratio above which experts are placed anew. (Our choice: that of "
                          "FlexMoE is not known.)",
                          DoubleValue(1.05),
                          MakeDoubleAccessor(&FlexMoeExpertPolicy::m_threshold),
                          MakeNumberRange(1, 1'000'000))
            .AddAttribute("Rounds",
                          "Slots that change hands at a time, at most. (Artifact of LAER-MoE.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&FlexMoeExpertPolicy::m_rounds),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute(
                "Patience",
                "Rounds in a row that may fail to lower the ratio before it gives up; "
                "what stays is the placement with the lowest ratio. By default it does not end "
                "before its rounds do: where two GPUs are as busy as each other, the first round "
                "alone lowers nothing. 0: it goes on while the ratio falls. (FlexMoE, as it is "
                "described; the artifact of LAER-MoE ends at the first round that fails.)",
                UintegerValue(10),
                MakeUintegerAccessor(&FlexMoeExpertPolicy::m_patience),
                MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute("Slots",
                          "Slots of a GPU besides those for as many experts as are at home there. "
                          "By default none where several groups of expert parallelism are side by "
                          "side, whose slots are shared, else one. (Our choice.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&FlexMoeExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>(0, 1024))
            .AddAttribute("Period",
                          "Iterations from one look at the ratio to the next; the first comes "
                          "after the first iteration. (Our choice.)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FlexMoeExpertPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Window",
                          "Iterations whose mean is the forecast. (Our choice.)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FlexMoeExpertPolicy::m_window),
                          MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow));
    return tid;
}

uint32_t
FlexMoeExpertPolicy::GetPeriod() const
{
    return m_period;
}

void
FlexMoeExpertPolicy::Check(const ExpertSetting& setting) const
{
    if (*GetSlots(setting) < GetSlotRule(setting).least)
    {
        throw ConfigurationError("slots",
                                 "with one group of expert parallelism and no slots more, every "
                                 "expert has one slot and none can change hands: take 1 or more");
    }
}

void
FlexMoeExpertPolicy::DoStart()
{
    m_clock.Start(GetSetting().layers, m_period);
}

SlotRule
FlexMoeExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    SlotRule rule{SlotUse::Replica, m_slots};
    rule.least = setting.GetGroups() > 1 ? 0 : 1; // so that a slot can change its expert
    rule.byDefault = rule.least;
    return rule;
}

std::optional<ExpertPlacement>
FlexMoeExpertPolicy::Place(uint32_t layer, const LoadHistory& history)
{
    if (!m_clock.IsDue(layer, history))
    {
        return std::nullopt;
    }
    const std::vector<double> loads = history.GetMeanLoads(m_window);
    ExpertSlots slots(GetSetting(),
                      GetSetting().GetHomes() + *GetSlots(GetSetting()),
                      loads,
                      *GetPlacement(layer));
    if (FindRatio(slots.GetLoads()) <= m_threshold)
    {
        return std::nullopt;
    }
    CountPlanning(layer); // even without a change
    ExpertPlacement best = slots.GetPlacement();
    const double before = FindRatio(slots.GetLoads());
    double lowest = before;
    uint32_t failed = 0; // rounds since the lowest ratio
    for (uint32_t round = 0; round < m_rounds && failed <= m_patience && Exchange(slots); ++round)
    {
        ++failed;
        const double ratio = FindRatio(slots.GetLoads());
        if (ratio < lowest)
        {
            lowest = ratio;
            best = slots.GetPlacement();
            failed = 0;
        }
    }
    return lowest < before ? std::optional(std::move(best)) : std::nullopt;
}

double
FlexMoeExpertPolicy::FindRatio(const std::vector<double>& gpuLoads) const
{
    const auto [least, most] = std::minmax_element(gpuLoads.begin(), gpuLoads.end());
    const double mean = std::accumulate(gpuLoads.begin(), gpuLoads.end(), 0.0) /
                        static_cast<double>(gpuLoads.size());
    const double base = m_ratio == MAX_OVER_MIN ? *least : mean;
    if (*most <= 0)
    {
        return 1;
    }
    // Rounded, so that mathematically equal ratios are equal here.
    constexpr double steps = 1e9;
    return base > 0 ? std::round(*most / base * steps) / steps
                    : std::numeric_limits<double>::infinity();
}

bool
FlexMoeExpertPolicy::Exchange(ExpertSlots& slots) const
{
    const uint32_t hot = slots.FindHottest();
    // Free slots come before slots of other experts.
    std::vector<uint32_t> gpus = slots.ListFree();
    std::optional<uint32_t> cold;
    if (gpus.empty())
    {
        cold = slots.FindColdest(hot);
        if (!cold)
        {
            return false;
        }
        gpus = slots.GetPlacement().ListHosts(*cold);
    }
    const auto rate = [&](uint32_t gpu) {
        return std::pair(FindRatio(slots.Predict(hot, gpu, cold)), !slots.IsInServer(gpu, hot));
    };
    std::pair best = rate(gpus.front());
    uint32_t bestGpu = gpus.front();
    for (const uint32_t gpu : gpus)
    {
        const std::pair rated = rate(gpu);
        if (rated < best)
        {
            best = rated;
            bestGpu = gpu;
        }
    }
    slots.Give(hot, bestGpu, cold);
    return true;
}

} // namespace ns3::rails
