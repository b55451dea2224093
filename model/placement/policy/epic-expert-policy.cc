// SPDX-License-Identifier: GPL-2.0-only
#include "eplb-replacement.h"
#include "expert-swap.h"
#include "rail-aware-search.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/runtime-policy.h"
#include "ns3/token-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * `epic`: EPLB places experts once in a period, from their past loads. In each micro-batch, GPUs of
 * a server swap experts in pairs by their exact loads, see FindSwaps() (EPIC, SIGCOMM'26;
 * moe-runtime-2026, section 10, and a summary: AI-Infra-Team/awesome-papers, issue 228; the paper
 * itself was not read). Imbalance between servers remains until the next period of EPLB.
 *
 * A swap must gain at least delta = T_swap / T_comp. Our reading: the number of tokens that a GPU
 * computes while NVLink transfers both experts concurrently, one in each direction. So delta does
 * not depend on the size of an expert, but on the ratio of FLOPS to NVLink bandwidth. Decoding a
 * few tokens takes longer per token, which would lower delta.
 *
 * Our choices, where sources are open or do not train:
 * - A swap lasts one micro-batch; the next one starts from the placement of EPLB. The source
 *   updates its map, so a swap can stay. A lasting swap costs one transfer there, and one in each
 *   micro-batch here.
 * - Both experts are sent, even without tokens for them.
 * - The source decodes, without a backward pass. In a training, weights are fetched again before
 *   the backward pass, as if layers shared the memory, and gradients return to the GPU that sent
 *   the expert. Delta counts the forward pass only.
 * - There are no replicas without extra slots. With them, tokens of an expert are split evenly over
 *   all of its slots, as under `eplb`, and a swap moves one slot with its share.
 *
 * The source's communication modes and its overlap by expert do not affect a plan. Declared
 * planning time: none is published, so 0. The source's figure of about 100 us per layer is a
 * budget, not a measurement; its all-reduce of loads is hidden by quantisation.
 */
class EpicExpertPolicy : public RuntimePolicy, public EplbReplacement
{
  public:
    static TypeId GetTypeId();

    EpicExpertPolicy();

    /// \return Overlapped: experts are sent together with tokens
    CopyTiming GetCopyTiming() const override;

    void Check(const ExpertSetting& setting) const override;
    /// Adds one slot that layers share, for the expert from a swap.
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;

  private:
    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;

    /// \return smallest gain of a swap, in tokens
    double GetMinGain() const;

    std::optional<uint32_t> m_minGain;
};

NS_OBJECT_ENSURE_REGISTERED(EpicExpertPolicy);

TypeId
EpicExpertPolicy::GetTypeId()
{
    static TypeId tid =
        AddEplbAttributes(
            SetDocumentation(
                TypeId("ns3::rails::EpicExpertPolicy").SetParent<RuntimePolicy>(),
                "EPLB places experts once in a period; in each micro-batch the heaviest GPU "
                "of a server and the lightest swap one expert each, and so on in pairs. "
                "(EPIC, SIGCOMM'26.)")
                .SetGroupName("Rails")
                .AddConstructor<EpicExpertPolicy>(),
            "By default none. (Our choice: EPIC is described without.)")
            .AddAttribute("MinGain",
                          "Tokens by which a swap lowers the larger load of its two GPUs at least. "
                          "By default what a GPU computes, forward, while the two experts change "
                          "places over NVLink. (EPIC's delta; its unit is our reading.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&EpicExpertPolicy::m_minGain),
                          MakeCountRange<uint32_t>());
    return tid;
}

EpicExpertPolicy::EpicExpertPolicy()
    : EplbReplacement(0)
{
    m_traits.plansOneGroup = true;
}

SlotRule
EpicExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    SlotRule rule = GetEplbRule(setting);
    rule.shared = 1;
    return rule;
}

uint32_t
EpicExpertPolicy::GetPeriod() const
{
    return GetEplbPeriod();
}

CopyTiming
EpicExpertPolicy::GetCopyTiming() const
{
    return CopyTiming::Overlapped;
}

void
EpicExpertPolicy::Check(const ExpertSetting& setting) const
{
    RuntimePolicy::Check(setting);
    CheckEplb(setting);
    const ClusterView& cluster = setting.cluster;
    const bool hasPairs = std::min(cluster.gpus, cluster.gpusPerServer) > 1;
    const bool isKnown = cluster.flops > 0 && setting.tokenFlops > 0 && cluster.nvlinkRate > 0;
    if (hasPairs && !m_minGain && !isKnown)
    {
        throw ConfigurationError("min_gain",
                                 "it cannot be derived, as it is not known how quickly GPUs "
                                 "compute tokens and send experts over NVLink: give it");
    }
}

void
EpicExpertPolicy::DoStart()
{
    StartEplb(GetSetting());
}

std::vector<ExpertTransfer>
EpicExpertPolicy::DoBeginIteration(uint32_t layer, const LoadHistory& history)
{
    std::optional<ExpertPlacement> placement = PlaceWhenDue(GetSetting(), layer, history);
    return placement ? Move(layer, std::move(*placement)) : std::vector<ExpertTransfer>();
}

double
EpicExpertPolicy::GetMinGain() const
{
    const CopyPrices prices = CopyPrices::From(GetSetting());
    // A quotient that is a whole number may come out a little above it.
    return m_minGain ? *m_minGain : prices.inside / prices.token * (1 - 1e-12);
}

ExpertPlan
EpicExpertPolicy::DoPlan(uint32_t layer, const TokenCounts& counts)
{
    const ExpertSetting& setting = GetSetting();
    ExpertPlacement swapped = *GetPlacement(layer);
    const std::vector<ExpertSlot> slots = ListSlots(counts, swapped);
    ExpertPlan plan;
    plan.fetchesAgain = true;
    const auto send = [&](const ExpertSlot& slot, uint32_t to) {
        swapped.hosts[slot.expert][slot.replica] = to;
        plan.weights.push_back({slot.expert, slot.gpu, to, setting.weightBytes});
        plan.gradients.push_back({slot.expert, to, slot.gpu, setting.gradientBytes});
    };
    for (const SlotSwap& swap : FindSwaps(slots, setting.cluster, GetMinGain()))
    {
        send(slots[swap.heavy], slots[swap.light].gpu);
        send(slots[swap.light], slots[swap.heavy].gpu);
    }
    plan.routes = RouteEvenly(counts, swapped);
    return plan;
}

} // namespace ns3::rails
