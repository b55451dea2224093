// SPDX-License-Identifier: GPL-2.0-only
#include "copying-policy.h"
#include "proportional-routing.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * `echo`: a GPU with a load above the mean spills tokens of its largest experts to GPUs below the
 * mean (ECHO, Megatron-LM pull request 2368, offloading_planner.py; moe-runtime-2026, section 4).
 * Tokens without a free slot stay at home, so some imbalance remains by design.
 *
 * Declared planning time: none is published, so 0.
 */
class EchoExpertPolicy : public CopyingPolicy
{
  public:
    /// How spills are assigned to GPUs with room.
    enum Algorithm
    {
        APPROX_BIN_PACKING, //!< the GPU with most room takes a spill from the highest bucket
        ONE_SHOT_GREEDY     //!< spills and rooms on one line; each overlap is a replica
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;

    Algorithm m_algorithm;
    std::optional<uint32_t> m_slots;
    double m_threshold;
};

NS_OBJECT_ENSURE_REGISTERED(EchoExpertPolicy);

namespace
{

constexpr uint64_t kBuckets = 8;

/// Tokens of an expert that are above the mean of its home.
struct Spill
{
    uint32_t expert{0};
    uint64_t tokens{0};
};

/// Room of a GPU up to the mean.
struct Spare
{
    uint32_t gpu{0};
    uint64_t tokens{0};
};

template <typename Part>
void
SortLargestFirst(std::vector<Part>& parts)
{
    std::stable_sort(parts.begin(), parts.end(), [](const Part& one, const Part& other) {
        return one.tokens > other.tokens;
    });
}

/// \return experts at home on a GPU, those with most tokens first; of equal ones the last, as they
/// are sorted ascending in the source
std::vector<uint32_t>
ListLargest(const ExpertDivision& division, uint32_t gpu)
{
    std::vector<uint32_t> experts = division.ListHeaviestFirst(gpu);
    std::sort(experts.begin(), experts.end(), [&division](uint32_t one, uint32_t other) {
        return std::pair(division.GetKept(one), one) > std::pair(division.GetKept(other), other);
    });
    return experts;
}

/// \return spills of all GPUs, the largest first: of each its largest experts
std::vector<Spill>
FindSpills(const ExpertDivision& division, uint64_t mean)
{
    std::vector<Spill> spills;
    for (uint32_t gpu = 0; gpu < division.GetLoads().size(); ++gpu)
    {
        uint64_t excess = division.GetLoads()[gpu] > mean ? division.GetLoads()[gpu] - mean : 0;
        for (const uint32_t expert : ListLargest(division, gpu))
        {
            const uint64_t tokens = std::min(excess, division.GetKept(expert));
            if (tokens > 0)
            {
                spills.push_back({expert, tokens});
            }
            excess -= tokens;
        }
    }
    std::sort(spills.begin(), spills.end(), [](const Spill& one, const Spill& other) {
        return std::tuple(other.tokens, one.expert) < std::tuple(one.tokens, other.expert);
    });
    return spills;
}

/// \return GPUs below the mean, the one with most room first
std::vector<Spare>
FindSpares(const ExpertDivision& division, uint64_t mean)
{
    std::vector<Spare> spares;
    for (uint32_t gpu = 0; gpu < division.GetLoads().size(); ++gpu)
    {
        if (division.GetLoads()[gpu] < mean)
        {
            spares.push_back({gpu, mean - division.GetLoads()[gpu]});
        }
    }
    SortLargestFirst(spares);
    return spares;
}

/// Each GPU takes the head of the first bucket; the rest of this spill goes to the end of its
/// bucket. The first bucket has spills of at least the mean; the bounds of the others descend from
/// the mean.
std::vector<ExpertGift>
PackBins(const std::vector<Spill>& spills, const std::vector<Spare>& spares, uint64_t mean)
{
    const uint64_t width = std::max<uint64_t>(1, mean / (kBuckets - 1));
    std::array<std::deque<Spill>, kBuckets> buckets;
    const auto getBucket = [&](uint64_t tokens) -> std::deque<Spill>& {
        return buckets[tokens < mean ? std::min(kBuckets - 1, (mean - tokens) / width + 1) : 0];
    };
    for (const Spill& spill : spills)
    {
        getBucket(spill.tokens).push_back(spill);
    }
    std::vector<ExpertGift> gifts;
    for (const Spare& spare : spares)
    {
        const auto bucket =
            std::find_if(buckets.begin(), buckets.end(), [](const std::deque<Spill>& spillsOf) {
                return !spillsOf.empty();
            });
        if (bucket == buckets.end())
        {
            break;
        }
        Spill spill = bucket->front();
        bucket->pop_front();
        const uint64_t tokens = std::min(spill.tokens, spare.tokens);
        gifts.push_back({spill.expert, spare.gpu, tokens});
        spill.tokens -= tokens;
        if (spill.tokens > 0)
        {
            getBucket(spill.tokens).push_back(spill);
        }
    }
    return gifts;
}

/// Drops the smallest replicas of each home while its load stays within a limit. As in the source,
/// drops none when some home exceeds the limit even with all of its replicas.
void
GiveUpSmallest(std::vector<ExpertGift>& gifts, const ExpertDivision& division, uint64_t limit)
{
    std::vector<uint64_t> loads = division.GetLoads(); // after the gifts
    const auto getLoad = [&](const ExpertGift& gift) -> uint64_t& {
        return loads[division.GetSetting().GetHome(gift.expert)];
    };
    for (const ExpertGift& gift : gifts)
    {
        getLoad(gift) -= gift.tokens;
    }
    if (*std::max_element(loads.begin(), loads.end()) > limit)
    {
        return;
    }
    SortLargestFirst(gifts);
    std::reverse(gifts.begin(), gifts.end());
    gifts.erase(std::remove_if(gifts.begin(),
                               gifts.end(),
                               [&](const ExpertGift& gift) {
                                   const bool fits = getLoad(gift) + gift.tokens <= limit;
                                   getLoad(gift) += fits ? gift.tokens : 0;
                                   return fits;
                               }),
                gifts.end());
}

/// Puts spills and spares on one line: each overlap is a gift. Keeps the largest gifts of a GPU.
std::vector<ExpertGift>
LayOnOneLine(const std::vector<Spill>& spills, const std::vector<Spare>& spares, uint32_t slots)
{
    std::vector<ExpertGift> kept;
    auto spill = spills.begin();
    uint64_t spilled = 0; // of this spill
    for (const Spare& spare : spares)
    {
        std::vector<ExpertGift> gifts;
        uint64_t room = spare.tokens;
        while (room > 0 && spill != spills.end())
        {
            const uint64_t tokens = std::min(room, spill->tokens - spilled);
            gifts.push_back({spill->expert, spare.gpu, tokens});
            room -= tokens;
            spilled += tokens;
            if (spilled == spill->tokens)
            {
                ++spill;
                spilled = 0;
            }
        }
        SortLargestFirst(gifts);
        gifts.resize(std::min<std::size_t>(gifts.size(), slots));
        kept.insert(kept.end(), gifts.begin(), gifts.end());
    }
    return kept;
}

} // namespace

TypeId
EchoExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::EchoExpertPolicy").SetParent<CopyingPolicy>(),
            "What the largest experts of a GPU have above the mean goes to GPUs below it, as "
            "far as there are slots for copies. (ECHO, Megatron-LM, pull request 2368.)")
            .SetGroupName("Rails")
            .AddConstructor<EchoExpertPolicy>()
            .AddAttribute("Algorithm",
                          "approx-bin-packing: the GPU with most room takes a spill out of the "
                          "highest of eight buckets, one for each GPU; one-shot-greedy: spills and "
                          "rooms are laid on one line, and the largest overlaps are the copies. "
                          "(ECHO.)",
                          EnumValue(APPROX_BIN_PACKING),
                          MakeWordAccessor(&EchoExpertPolicy::m_algorithm),
                          MakeEnumChecker(APPROX_BIN_PACKING,
                                          "approx-bin-packing",
                                          ONE_SHOT_GREEDY,
                                          "one-shot-greedy"))
            .AddAttribute("Slots",
                          "Copies that a GPU has memory for. By default, and always with "
                          "approx-bin-packing, 1; with one-shot-greedy as many as it is home to. "
                          "(ECHO.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&EchoExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Threshold",
                          "A copy is given up, the smallest first, as long as the load of its home "
                          "is not above the mean by more than this share; none where some GPU is "
                          "above it with all copies. (ECHO; off there.)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&EchoExpertPolicy::m_threshold),
                          MakeNumberRange(0, 1e6));
    return tid;
}

SlotRule
EchoExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    SlotRule rule{SlotUse::Shared, m_slots};
    rule.byDefault = m_algorithm == APPROX_BIN_PACKING ? 1 : setting.GetHomes();
    rule.most = m_algorithm == APPROX_BIN_PACKING ? 1 : rule.most;
    return rule;
}

void
EchoExpertPolicy::Check(const ExpertSetting& setting) const
{
    CopyingPolicy::Check(setting);
    if (m_algorithm == APPROX_BIN_PACKING && m_slots.value_or(1) != 1)
    {
        throw ConfigurationError("slots",
                                 "approx-bin-packing knows one slot on each GPU, not " +
                                     std::to_string(*m_slots) +
                                     ": leave slots out, or take algorithm: one-shot-greedy");
    }
}

void
EchoExpertPolicy::Divide(ExpertDivision& division) const
{
    const uint64_t mean = division.GetTotal() / division.GetLoads().size();
    const std::vector<Spill> spills = FindSpills(division, mean);
    const std::vector<Spare> spares = FindSpares(division, mean);
    const uint32_t slots = *GetSlots(division.GetSetting());
    std::vector<ExpertGift> gifts;
    if (slots > 0)
    {
        gifts = m_algorithm == APPROX_BIN_PACKING ? PackBins(spills, spares, mean)
                                                  : LayOnOneLine(spills, spares, slots);
    }
    GiveUpSmallest(gifts,
                   division,
                   static_cast<uint64_t>(static_cast<double>(mean) * (1 + m_threshold)));
    for (const ExpertGift& gift : gifts)
    {
        division.Give(gift.expert, gift.gpu, gift.tokens);
    }
}

std::vector<TokenRoute>
EchoExpertPolicy::Route(const TokenCounts& counts, ExpertQuota quota) const
{
    return RouteByFloors(counts, std::move(quota), GetSetting());
}

} // namespace ns3::rails
