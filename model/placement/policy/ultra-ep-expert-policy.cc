// SPDX-License-Identifier: GPL-2.0-only
#include "ultra-ep-expert-policy.h"

#include "proportional-routing.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(UltraEpExpertPolicy);

TypeId
UltraEpExpertPolicy::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using SearchValue = decltype(EnumValue(PUBLISHED));
    using Self = UltraEpExpertPolicy;

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::UltraEpExpertPolicy").SetParent<CopyingPolicy>(),
                 "Few slots for copies on each GPU, and the lowest largest load in each NVLink "
                 "domain that a search over loads finds for them. (UltraEP 1.0.0.)")
            .SetGroupName("Rails")
            .AddConstructor<Self>()
            .AddAttribute("Slots",
                          "Copies that a GPU has memory for. By default 2. (UltraEP's tests.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&Self::m_slots),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Threshold",
                          "Largest load over the mean of a domain up to which nothing is copied. "
                          "(UltraEP's balance_threshold.)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_threshold),
                          MakeNumberRange(1, 1e6))
            .AddAttribute("Tolerance",
                          "By how much of that a load may be above it. (UltraEP.)",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Self::m_tolerance),
                          MakeNumberRange(0, 1e6))
            .AddAttribute("MinTokens",
                          "Tokens that a copy must take over, once the first three tries have "
                          "failed. (UltraEP.)",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&Self::m_minTokens),
                          MakeCountRange<uint32_t>(1))
            .AddAttribute("ZeroMaster",
                          "Whether a home may give away all tokens of an expert, the last one "
                          "included. (UltraEP's allow_zero_master.)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_zeroMaster),
                          MakeBooleanChecker())
            .AddAttribute("Locality",
                          "Whether each GPU first computes its own tokens; otherwise those of each "
                          "GPU are dealt in proportion. (UltraEP.)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_locality),
                          MakeBooleanChecker())
            .AddAttribute("Search",
                          "published: the plan of the load at which the search ends, which can be "
                          "none at all (UltraEP); best: of all plans that it came across, the one "
                          "with the lowest largest load (ours).",
                          SearchValue(PUBLISHED),
                          MakeAccessorHelper<SearchValue>(&Self::m_search),
                          MakeEnumChecker(PUBLISHED, "published", BEST, "best"));
    return tid;
}

SlotRule
UltraEpExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Shared, m_slots, 2};
}

CopyWay
UltraEpExpertPolicy::GetCopyWay() const
{
    return CopyWay::Relays;
}

void
UltraEpExpertPolicy::Divide(ExpertDivision& division) const
{
    const ClusterView& cluster = GetSetting().cluster;
    const UltraEpLimits limits{*GetSlots(GetSetting()),
                               m_threshold,
                               m_tolerance,
                               m_minTokens,
                               m_zeroMaster};
    std::vector<ExpertGift> gifts;
    for (uint32_t first = 0; first < cluster.gpus; first += cluster.gpusPerServer)
    {
        const uint32_t end = std::min(cluster.gpus, first + cluster.gpusPerServer);
        UltraEpDomain domain(division, first, end, limits);
        const UltraEpTrial found = domain.Search();
        const std::vector<ExpertGift>& chosen =
            m_search == BEST ? domain.GetBest().gifts : found.gifts;
        gifts.insert(gifts.end(), chosen.begin(), chosen.end());
    }
    for (const ExpertGift& gift : gifts)
    {
        division.Give(gift.expert, gift.gpu, gift.tokens);
    }
}

std::vector<TokenRoute>
UltraEpExpertPolicy::Route(const TokenCounts& counts, ExpertQuota quota) const
{
    return RouteInProportion(counts, quota, m_locality);
}

double
UltraEpExpertPolicy::GetPublishedPlanningTime() const
{
    return 78e-6;
}

} // namespace ns3::rails
