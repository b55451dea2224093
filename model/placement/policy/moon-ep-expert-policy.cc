// SPDX-License-Identifier: GPL-2.0-only
#include "copying-policy.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/**
 * `moon-ep`: every GPU computes exactly the mean (MoonEP, README and tests/planning_reference.py;
 * moe-runtime-2026, section 2). The GPU with the largest excess fills the GPU with the largest
 * deficit, until no GPU has an excess. A GPU is filled once, by one other GPU, so it never needs
 * more temporary replicas than a GPU has experts at home. Tokens of an expert are moved source by
 * source, independent of their location. It works within one NVLink domain.
 *
 * Declared planning time: 51 us, the larger of its two figures (8 H200, 896 experts, 8,192 tokens;
 * 43 us with 1,024).
 */
class MoonEpExpertPolicy : public CopyingPolicy
{
  public:
    /// Treatment of experts without a free slot on a GPU.
    enum Overflow
    {
        READ, //!< computed there, with weights read from the home each time
        HOME  //!< their tokens stay at home
    };

    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;

  private:
    void Divide(ExpertDivision& division) const override;
    std::vector<TokenRoute> Route(const TokenCounts& counts, ExpertQuota quota) const override;
    double GetPublishedPlanningTime() const override;

    std::optional<uint32_t> m_slots;
    Overflow m_overflow;
    bool m_acrossServers;
};

NS_OBJECT_ENSURE_REGISTERED(MoonEpExpertPolicy);

namespace
{

/// Tokens that a GPU has to give to another.
struct Debt
{
    uint32_t gpu{0};
    uint64_t tokens{0};
};

/// \return by GPU the GPUs that it fills, with numbers of tokens, until each has the mean, rounded
/// up on the first GPUs
std::vector<std::vector<Debt>>
FindDebts(const ExpertDivision& division)
{
    const auto gpus = static_cast<uint32_t>(division.GetLoads().size());
    std::vector<int64_t> balance(gpus); // tokens too many
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        const uint64_t share =
            division.GetTotal() / gpus + (gpu < division.GetTotal() % gpus ? 1 : 0);
        balance[gpu] = static_cast<int64_t>(division.GetLoads()[gpu]) - static_cast<int64_t>(share);
    }
    std::vector<std::vector<Debt>> debts(gpus);
    while (true)
    {
        const auto most = std::max_element(balance.begin(), balance.end());
        const auto least = std::min_element(balance.begin(), balance.end());
        if (*most <= 0)
        {
            return debts;
        }
        debts[static_cast<std::size_t>(most - balance.begin())].push_back(
            {static_cast<uint32_t>(least - balance.begin()), static_cast<uint64_t>(-*least)});
        *most += *least; // may fall below the mean: then another GPU fills it
        *least = 0;
    }
}

/// \return the gifts of a GPU: the largest debt is paid from the largest expert
std::vector<ExpertGift>
Pay(const ExpertDivision& division, uint32_t home, std::vector<Debt> debts)
{
    const uint32_t homes = division.GetSetting().GetHomes();
    std::vector<uint64_t> left;
    for (uint32_t i = 0; i < homes; ++i)
    {
        left.push_back(division.GetKept(home * homes + i));
    }
    std::vector<ExpertGift> gifts;
    while (!debts.empty())
    {
        const auto debt =
            std::max_element(debts.begin(), debts.end(), [](const Debt& one, const Debt& other) {
                return std::tuple(one.tokens, other.gpu) < std::tuple(other.tokens, one.gpu);
            });
        if (debt->tokens == 0)
        {
            break;
        }
        const auto most = std::max_element(left.begin(), left.end());
        const uint64_t tokens = std::min(debt->tokens, *most);
        gifts.push_back(
            {home * homes + static_cast<uint32_t>(most - left.begin()), debt->gpu, tokens});
        *most -= tokens;
        debt->tokens -= tokens;
    }
    return gifts;
}

/// Keeps the gifts of one home that fit into the slots of the GPUs: the largest ones, ties by the
/// higher number of the expert.
void
KeepLargest(std::vector<ExpertGift>& gifts, uint32_t slots)
{
    std::sort(gifts.begin(), gifts.end(), [](const ExpertGift& one, const ExpertGift& other) {
        return std::tuple(one.gpu, other.tokens, other.expert) <
               std::tuple(other.gpu, one.tokens, one.expert);
    });
    uint32_t used = 0;
    uint32_t gpu = 0;
    gifts.erase(std::remove_if(gifts.begin(),
                               gifts.end(),
                               [&](const ExpertGift& gift) {
                                   used = gift.gpu == gpu ? used + 1 : 1;
                                   gpu = gift.gpu;
                                   return used > slots;
                               }),
                gifts.end());
}

} // namespace

TypeId
MoonEpExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::MoonEpExpertPolicy").SetParent<CopyingPolicy>(),
            "Every GPU computes exactly the mean, and gets tokens and copies of experts for "
            "that from one other GPU at most. (MoonEP.)")
            .SetGroupName("Rails")
            .AddConstructor<MoonEpExpertPolicy>()
            .AddAttribute("Slots",
                          "Copies that a GPU has memory for; by default as many as it is home to, "
                          "which is always enough. (MoonEP: training needs them all, inference "
                          "uses 3 or 4.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&MoonEpExpertPolicy::m_slots),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Overflow",
                          "What becomes of experts for which a GPU has no slot. read: it computes "
                          "them with weights that it reads from their home, which counts like a "
                          "copy (MoonEP); home: their tokens stay at home (ours, to see what "
                          "slots are worth).",
                          EnumValue(READ),
                          MakeWordAccessor(&MoonEpExpertPolicy::m_overflow),
                          MakeEnumChecker(READ, "read", HOME, "home"))
            .AddAttribute("AcrossServers",
                          "Whether it may work where GPUs are in several servers, so that copies "
                          "and tokens cross NICs; MoonEP itself needs one NVLink domain. (Ours.)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MoonEpExpertPolicy::m_acrossServers),
                          MakeBooleanChecker());
    return tid;
}

SlotRule
MoonEpExpertPolicy::GetSlotRule(const ExpertSetting& setting) const
{
    SlotRule rule{SlotUse::Shared, m_slots, setting.GetHomes()};
    rule.most = setting.GetHomes();
    return rule;
}

void
MoonEpExpertPolicy::Check(const ExpertSetting& setting) const
{
    CopyingPolicy::Check(setting);
    if (setting.cluster.GetServerCount() > 1 && !m_acrossServers)
    {
        throw ConfigurationError(
            "across_servers",
            "MoonEP needs all GPUs in one server, not in " +
                std::to_string(setting.cluster.GetServerCount()) +
                ": set across_servers to true to see what it would do over NICs");
    }
}

void
MoonEpExpertPolicy::Divide(ExpertDivision& division) const
{
    const std::vector<std::vector<Debt>> debts = FindDebts(division);
    for (uint32_t home = 0; home < debts.size(); ++home)
    {
        std::vector<ExpertGift> gifts = Pay(division, home, debts[home]);
        if (m_overflow == HOME)
        {
            KeepLargest(gifts, *GetSlots(GetSetting()));
        }
        for (const ExpertGift& gift : gifts)
        {
            division.Give(gift.expert, gift.gpu, gift.tokens);
        }
    }
}

std::vector<TokenRoute>
MoonEpExpertPolicy::Route(const TokenCounts& counts, ExpertQuota quota) const
{
    for (std::vector<HostShare>& shares : quota)
    {
        std::sort(shares.begin(), shares.end(), [](const HostShare& one, const HostShare& other) {
            return one.host < other.host;
        });
    }
    return RouteInOrder(counts, quota);
}

double
MoonEpExpertPolicy::GetPublishedPlanningTime() const
{
    return 51e-6;
}

} // namespace ns3::rails
