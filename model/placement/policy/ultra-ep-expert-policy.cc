// SPDX-License-Identifier: GPL-2.0-only
#include "copying-policy.h"
#include "proportional-routing.h"
#include "ultra-ep-domain.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `ultra-ep`: searches the lowest limit on loads that all GPUs of an NVLink domain can keep with
 * few slots for temporary replicas (UltraEP 1.0.0, csrc/kernels/placement.cu; moe-runtime-2026,
 * section 3). No replica crosses domains. Tokens on a GPU that computes their expert stay there
 * first.
 *
 * Declared planning time: 78 us, the largest of its figures (64 GPUs, 256 experts, max/mean 3.03;
 * 67 us at 1.51, 72 us at 2.01). This excludes rewriting the destinations of tokens, 36 to 39 us.
 */
class UltraEpExpertPolicy : public CopyingPolicy
{
  public:
    /// Which plan of the search is used.
    enum Search
    {
        PUBLISHED, //!< the plan for the final limit
        BEST       //!< the plan with the lowest largest load
    };

    static TypeId GetTypeId();

    UltraEpExpertPolicy()
    {
        m_traits.copyWay = CopyWay::Relays;
    }

    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    double GetPublishedPlanningTime() const override;

    std::optional<uint32_t> m_slots;
    double m_threshold;
    double m_tolerance;
    uint32_t m_minTokens;
    bool m_zeroMaster;
    bool m_locality;
    Search m_search;
};

NS_OBJECT_ENSURE_REGISTERED(UltraEpExpertPolicy);

TypeId
UltraEpExpertPolicy::GetTypeId()
{
    using Self = UltraEpExpertPolicy;

    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::UltraEpExpertPolicy").SetParent<CopyingPolicy>(),
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
                          EnumValue(PUBLISHED),
                          MakeWordAccessor(&Self::m_search),
                          MakeEnumChecker(PUBLISHED, "published", BEST, "best"));
    return tid;
}

SlotRule
UltraEpExpertPolicy::GetSlotRule(const ExpertSetting&) const
{
    return {SlotUse::Shared, m_slots, 2};
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
