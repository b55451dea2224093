// SPDX-License-Identifier: GPL-2.0-only
#include "copying-policy.h"
#include "rail-aware-search.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/**
 * `rail-aware`, our own: temporary replicas cost the transfer time on their link (RailAwareSearch).
 * Tokens stay on their GPU, then in their server, up to its share.
 */
class RailAwareExpertPolicy : public CopyingPolicy
{
  public:
    static TypeId GetTypeId();

    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    double GetPublishedPlanningTime() const override;

    std::optional<uint32_t> m_slots;
    double m_worth;
    uint32_t m_limits;
};

NS_OBJECT_ENSURE_REGISTERED(RailAwareExpertPolicy);

TypeId
RailAwareExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::RailAwareExpertPolicy").SetParent<CopyingPolicy>(),
            "Copies cost what the NVLink or NIC takes that they cross, and are made where they "
            "save more; those that leave a server are spread over rails; tokens stay in their "
            "server first. (ours.)")
            .SetGroupName("Rails")
            .AddConstructor<RailAwareExpertPolicy>()
            .AddAttribute("Slots",
                          "Copies that a GPU has memory for. By default 2.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&RailAwareExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Worth",
                          "A copy takes over at least the tokens that a GPU computes, forward, in "
                          "this multiple of the time that the copy takes on its link: 1 where "
                          "copies are waited for on the way forward, 0.67 with the way back, 1.33 "
                          "with gradients of 4 B as well.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RailAwareExpertPolicy::m_worth),
                          MakeNumberRange(0, 1e6))
            .AddAttribute("Limits",
                          "How many limits on loads, evenly spaced from the mean to the largest, "
                          "are tried.",
                          UintegerValue(24),
                          MakeUintegerAccessor(&RailAwareExpertPolicy::m_limits),
                          MakeCountRange<uint32_t>(2, 10'000));
    return tid;
}

SlotRule
RailAwareExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Shared, m_slots, 2};
}

void
RailAwareExpertPolicy::Divide(ExpertDivision& division) const
{
    const RailAwareTrial found =
        RailAwareSearch(division, division.GetCounts(), *GetSlots(GetSetting()), m_worth)
            .Search(m_limits);
    for (const ExpertGift& gift : found.gifts)
    {
        division.Give(gift.expert, gift.gpu, gift.tokens);
    }
}

std::vector<TokenRoute>
RailAwareExpertPolicy::Route(const TokenCounts& counts, ExpertQuota quota) const
{
    return RouteNearFirst(counts, quota, GetSetting().cluster, RoutingLocality::Server);
}

double
RailAwareExpertPolicy::GetPublishedPlanningTime() const
{
    return 0;
}

} // namespace ns3::rails
