// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/component-documentation.h"
#include "ns3/runtime-policy.h"
#include "ns3/token-routing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/**
 * `perfect-balance`: no GPU computes more than the mean, rounded up (ours). No policy has a lower
 * largest load. A policy with a larger load can still take less time, as transfers of replicas and
 * tokens take time here, too. It knows the exact counts, plans in no time, and has memory for all
 * temporary replicas until the backward pass. The GPU with the largest excess gives tokens of its
 * largest expert to the GPU with most room, in its own server if possible. Tokens stay on their GPU
 * and in their server as far as the shares permit. Each step fills a GPU, ends an excess or gives
 * away all tokens of an expert on a GPU; so replicas are few, but not minimal.
 */
class PerfectBalanceExpertPolicy : public RuntimePolicy
{
  public:
    static TypeId GetTypeId();

    PerfectBalanceExpertPolicy()
    {
        m_traits.isOracle = true;
    }

    /// Without a limit, independent of the budget.
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;
};

NS_OBJECT_ENSURE_REGISTERED(PerfectBalanceExpertPolicy);

namespace
{

/// Tokens by GPU and expert, moved until no GPU has more than the mean, rounded up.
class Levelling
{
  public:
    Levelling(const ExpertSetting& setting, const TokenCounts& counts)
        : m_setting(setting),
          m_tokens(setting.cluster.gpus, std::vector<uint64_t>(setting.experts)),
          m_loads(setting.cluster.gpus),
          m_limit((counts.GetTotal() + setting.cluster.gpus - 1) / setting.cluster.gpus)
    {
        for (const TokenRoute& route : RouteInGroups(counts, setting))
        {
            m_tokens[route.host][route.expert] += route.tokens;
            m_loads[route.host] += route.tokens;
        }
    }

    ExpertQuota Run()
    {
        while (true)
        {
            const auto most = std::max_element(m_loads.begin(), m_loads.end());
            if (*most <= m_limit)
            {
                return MakeQuota();
            }
            const auto giver = static_cast<uint32_t>(most - m_loads.begin());
            std::vector<uint64_t>& own = m_tokens[giver];
            const auto largest = std::max_element(own.begin(), own.end());
            const uint32_t taker = FindTaker(giver);
            const uint64_t tokens = std::min({*most - m_limit, m_limit - m_loads[taker], *largest});
            m_tokens[taker][static_cast<std::size_t>(largest - own.begin())] += tokens;
            m_loads[taker] += tokens;
            *largest -= tokens;
            *most -= tokens;
        }
    }

  private:
    /// \return the GPU with most room, of the same server if one has any
    uint32_t FindTaker(uint32_t giver) const
    {
        const auto rank = [&](uint32_t gpu) {
            const bool isNear = m_setting.cluster.AreTogether(gpu, giver);
            return std::tuple(m_loads[gpu] < m_limit && isNear,
                              m_limit > m_loads[gpu] ? m_limit - m_loads[gpu] : 0);
        };
        uint32_t best = 0;
        for (uint32_t gpu = 1; gpu < m_loads.size(); ++gpu)
        {
            best = rank(gpu) > rank(best) ? gpu : best;
        }
        return best;
    }

    ExpertQuota MakeQuota() const
    {
        ExpertQuota quota(m_setting.experts);
        for (uint32_t gpu = 0; gpu < m_tokens.size(); ++gpu)
        {
            for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
            {
                if (m_tokens[gpu][expert] > 0)
                {
                    quota[expert].push_back({gpu, m_tokens[gpu][expert]});
                }
            }
        }
        return quota;
    }

    const ExpertSetting& m_setting;
    std::vector<std::vector<uint64_t>> m_tokens;
    std::vector<uint64_t> m_loads;
    uint64_t m_limit;
};

} // namespace

TypeId
PerfectBalanceExpertPolicy::GetTypeId()
{
    static TypeId tid =
        AddFormerName(
            SetDocumentation(
                TypeId("ns3::rails::PerfectBalanceExpertPolicy").SetParent<RuntimePolicy>(),
                "No GPU computes more than the mean, rounded up, with copies without limit, "
                "planned in no time. No policy has a lower max/mean; as its copies and "
                "exchanges take time, others can have a shorter iteration. (Ours; oracle in "
                "earlier versions.)"),
            "oracle")
            .SetGroupName("Rails")
            .AddConstructor<PerfectBalanceExpertPolicy>();
    return tid;
}

SlotRule
PerfectBalanceExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Copy};
}

ExpertPlan
PerfectBalanceExpertPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    ExpertPlan plan;
    plan.placement = GetPlacement(layer);
    plan.routes = RouteNearFirst(counts,
                                 Levelling(GetSetting(), counts).Run(),
                                 GetSetting().cluster,
                                 RoutingLocality::Server);
    AddCopies(GetSetting(), plan);
    return plan;
}

} // namespace ns3::rails
