// SPDX-License-Identifier: GPL-2.0-only

// A policy of experts of one's own, which doc/own-policy.rst shows: ./rails build
// examples/own-policy

#include "ns3/placement-policy.h"
#include "ns3/range-checker.h"
#include "ns3/replacement-clock.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <optional>
#include <vector>

using namespace ns3;

/// Replicates, in each server, the expert that had most to do in the last iteration: on the GPU of
/// the server that had least, where that helps. Each of the two takes half of its tokens.
class HottestExpertPolicy : public rails::PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("HottestExpertPolicy")
                                .SetParent<rails::PlacementPolicy>()
                                .AddConstructor<HottestExpertPolicy>()
                                .AddAttribute("Period",
                                              "Iterations from one placement to the next.",
                                              UintegerValue(10),
                                              MakeUintegerAccessor(&HottestExpertPolicy::m_period),
                                              rails::MakeCountRange<uint32_t>(1, 1'000'000));
        return tid;
    }

    uint32_t GetPeriod() const override // moves are spread over as many iterations
    {
        return m_period;
    }

    HottestExpertPolicy()
    {
        m_traits.plansOneGroup = true;
    }

    rails::SlotRule GetSlotRule(const rails::ExpertSetting&) const override
    {
        return {rails::SlotUse::Replica, std::nullopt, 1}; // by default one
    }

  private:
    void DoStart() override
    {
        m_clock.Start(GetSetting().layers, m_period);
    }

    std::optional<rails::ExpertPlacement> Place(uint32_t layer,
                                                const rails::LoadHistory& history) override
    {
        if (!m_clock.IsDue(layer, history))
        {
            return std::nullopt; // experts stay where they are
        }
        const rails::ExpertSetting& setting = GetSetting();
        const std::vector<uint64_t>& loads = history.GetLoads(0);
        rails::ExpertPlacement placement = rails::ExpertPlacement::InOrder(setting);
        std::vector<uint64_t> work(setting.cluster.gpus);
        std::vector<std::optional<uint32_t>> hottest(setting.cluster.GetServerCount());
        for (uint32_t expert = 0; expert < setting.experts; ++expert)
        {
            const uint32_t home = setting.GetHome(expert);
            work[home] += loads[expert];
            std::optional<uint32_t>& hot = hottest[setting.cluster.GetServer(home)];
            hot = hot && loads[*hot] >= loads[expert] ? hot : expert;
        }
        for (uint32_t server = 0; server < hottest.size(); ++server)
        {
            const uint32_t many = setting.cluster.gpusPerServer;
            const uint32_t end = std::min((server + 1) * many, setting.cluster.gpus);
            const auto least = static_cast<uint32_t>(
                std::min_element(work.begin() + server * many, work.begin() + end) - work.begin());
            const auto hot = hottest[server];
            if (hot && *GetSlots(setting) > 0 &&
                work[least] + loads[*hot] / 2 < work[setting.GetHome(*hot)])
            {
                placement.hosts[*hot].push_back(least); // behind the home
            }
        }
        return placement;
    }

    uint32_t m_period;
    rails::ReplacementClock m_clock;
};

NS_OBJECT_ENSURE_REGISTERED(HottestExpertPolicy);
