// SPDX-License-Identifier: GPL-2.0-only
#include "replacement-clock.h"

#include "ns3/component-documentation.h"
#include "ns3/placement-policy.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `smart-moe`: the online part of SmartMoE (ATC'23). Once in a period the experts of each group of
 * expert parallelism change places: the number of experts on a GPU stays, and no expert is
 * replicated. Greedy, as in its artifact: experts in descending load, each to the GPU with room and
 * the lowest load; ties go to the GPU that already holds the expert. Adopted only if the largest
 * load falls.
 *
 * Parallel groups make the same change, by the loads of all groups, and tokens stay in their group.
 */
class SmartMoeExpertPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();
    uint32_t GetPeriod() const override;

  private:
    void DoStart() override;
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override;
    std::vector<TokenRoute> Route(const SourceCounts& own,
                                  const ExpertPlacement& placement) const override;
    double GetPublishedPlanningTime() const override;

    /// \return by expert its GPU in a group, by the greedy method. \param old its present GPU
    std::vector<uint32_t> Deal(const std::vector<double>& loads,
                               const std::vector<uint32_t>& old) const;

    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
};

NS_OBJECT_ENSURE_REGISTERED(SmartMoeExpertPolicy);

namespace
{

/// \return the largest load of a GPU. \param gpuOf by expert
double
FindLargest(const std::vector<double>& loads, const std::vector<uint32_t>& gpuOf, uint32_t gpus)
{
    std::vector<double> sums(gpus);
    for (std::size_t expert = 0; expert < loads.size(); ++expert)
    {
        sums[gpuOf[expert]] += loads[expert];
    }
    return *std::max_element(sums.begin(), sums.end());
}

} // namespace

TypeId
SmartMoeExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::SmartMoeExpertPolicy").SetParent<PlacementPolicy>(),
            "Once in a period experts change places among the GPUs of their group, by what "
            "they had to do. (SmartMoE, ATC'23.)")
            .SetGroupName("Rails")
            .AddConstructor<SmartMoeExpertPolicy>()
            .AddAttribute("Period",
                          "Iterations from one attempt to the next; the first comes after the "
                          "first iteration. (SmartMoE.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&SmartMoeExpertPolicy::m_period),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Window",
                          "Iterations whose mean is the forecast. (Our choice: its own is not "
                          "known.)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&SmartMoeExpertPolicy::m_window),
                          MakeCountRange<uint32_t>(1, LoadHistory::kLongestWindow));
    return tid;
}

uint32_t
SmartMoeExpertPolicy::GetPeriod() const
{
    return m_period;
}

void
SmartMoeExpertPolicy::DoStart()
{
    m_clock.Start(GetSetting().layers, m_period);
}

std::optional<ExpertPlacement>
SmartMoeExpertPolicy::Place(uint32_t layer, const LoadHistory& history)
{
    if (!m_clock.IsDue(layer, history))
    {
        return std::nullopt;
    }
    CountPlanning(layer); // even if no expert moves
    const ExpertSetting& setting = GetSetting();
    const std::vector<double> loads = history.GetMeanLoads(m_window);
    std::vector<uint32_t> old;
    for (const std::vector<uint32_t>& hosts : GetPlacement(layer)->hosts)
    {
        old.push_back(hosts.front()); // of the first group
    }
    const std::vector<uint32_t> gpuOf = Deal(loads, old);
    if (FindLargest(loads, gpuOf, setting.expertParallel) >=
        FindLargest(loads, old, setting.expertParallel))
    {
        return std::nullopt;
    }
    ExpertPlacement placement;
    for (const uint32_t gpu : gpuOf)
    {
        std::vector<uint32_t>& hosts = placement.hosts.emplace_back();
        for (uint32_t group = 0; group < setting.GetGroups(); ++group)
        {
            hosts.push_back(group * setting.expertParallel + gpu);
        }
    }
    return placement;
}

std::vector<uint32_t>
SmartMoeExpertPolicy::Deal(const std::vector<double>& loads, const std::vector<uint32_t>& old) const
{
    std::vector<uint32_t> order(loads.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t left, uint32_t right) {
        return loads[left] > loads[right];
    });
    const uint32_t gpus = GetSetting().expertParallel;
    std::vector<double> sums(gpus);
    std::vector<uint32_t> room(gpus, GetSetting().GetHomes());
    std::vector<uint32_t> gpuOf(loads.size());
    for (const uint32_t expert : order)
    {
        // Starts with the old GPU, which so wins ties.
        uint32_t best = old[expert];
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            if (room[gpu] > 0 && (room[best] == 0 || sums[gpu] < sums[best]))
            {
                best = gpu;
            }
        }
        gpuOf[expert] = best;
        sums[best] += loads[expert];
        --room[best];
    }
    return gpuOf;
}

std::vector<TokenRoute>
SmartMoeExpertPolicy::Route(const SourceCounts& own, const ExpertPlacement& placement) const
{
    std::vector<TokenRoute> routes;
    const uint32_t group = own.GetSource() / GetSetting().expertParallel;
    for (uint32_t expert = 0; expert < own.GetExperts(); ++expert)
    {
        if (own.Get(expert) > 0)
        {
            routes.push_back(
                {own.GetSource(), expert, placement.hosts[expert][group], own.Get(expert)});
        }
    }
    return routes;
}

double
SmartMoeExpertPolicy::GetPublishedPlanningTime() const
{
    // Upper limits from its authors (from notes, not from the paper itself): under 1 ms, and under
    // 50 ms for 1,024 experts.
    return GetSetting().experts < 1024 ? 1e-3 : 50e-3;
}

} // namespace ns3::rails
