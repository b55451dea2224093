// SPDX-License-Identifier: GPL-2.0-only
#include "expert-budget.h"

#include "ns3/rails-error.h"
#include "ns3/rails-quantity.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// \return most experts of a GPU by default
uint32_t
CountHomes(const ExpertSetting& setting)
{
    return setting.GetHomes() + (setting.AreEven() ? 0 : 1);
}

uint64_t
DivideUp(uint64_t bytes, uint64_t parts)
{
    return (bytes + parts - 1) / parts;
}

} // namespace

void
CheckHomes(const std::string& key, uint64_t budget, double needed)
{
    if (static_cast<double>(budget) < needed)
    {
        throw ConfigurationError(key,
                                 "the experts at home on a GPU need " + FormatRoundBytes(needed) +
                                     " for weights, gradients and states of the optimizer: "
                                     "expected at least that");
    }
}

std::optional<uint32_t>
FitSlots(const ExpertPolicy& policy, const ExpertSetting& setting, const ExpertBudget& budget)
{
    const SlotRule rule = policy.GetSlotRule(setting);
    if (rule.given)
    {
        throw ConfigurationError(budget.key,
                                 "it says how many slots GPUs have, and the policy's " + rule.key +
                                     ": " + std::to_string(*rule.given) + " too: leave out " +
                                     rule.key + " to compare policies at equal memory, or " +
                                     budget.key + " to have these slots");
    }
    const uint64_t copy = budget.weightBytes + budget.gradientBytes;
    const uint64_t home = copy + DivideUp(budget.stateBytes, budget.groups);
    const double homes =
        double{1} * budget.layers * CountHomes(setting) * static_cast<double>(home);
    CheckHomes(budget.key, budget.bytes, homes);
    if (rule.use == SlotUse::Nothing || policy.GetTraits().isOracle)
    {
        return std::nullopt;
    }
    uint64_t slot = copy;
    if (rule.use == SlotUse::Replica && !rule.keepsStates)
    {
        slot += DivideUp(budget.stateBytes * budget.merged, budget.groups);
    }
    slot *= rule.use == SlotUse::Shared ? 1 : budget.layers;
    // Replica slots include the extra home of the fullest GPU.
    const uint64_t places = rule.use == SlotUse::Replica ? setting.GetHomes() : CountHomes(setting);
    const uint64_t taken = budget.layers * places * home + rule.shared * copy;
    const uint64_t fit =
        (budget.bytes - std::min(budget.bytes, taken)) / std::max<uint64_t>(1, slot);
    const uint64_t most = std::min(rule.most, setting.experts - setting.GetHomes());
    const uint64_t slots = std::min(fit, most) / rule.step * rule.step;
    const double least =
        static_cast<double>(taken) + static_cast<double>(rule.least) * static_cast<double>(slot);
    if (slots < rule.least || static_cast<double>(budget.bytes) < least)
    {
        const uint32_t needed = rule.least + rule.shared;
        throw ConfigurationError(
            budget.policyKey,
            "it needs " + std::to_string(needed) + (needed == 1 ? " slot" : " slots") +
                " of a GPU beyond the experts at home, together " + FormatRoundBytes(least) +
                ": set " + budget.key + " to at least that, or take another policy");
    }
    return static_cast<uint32_t>(slots);
}

SlotFigures
FindSlotFigures(const ExpertPolicy& policy,
                const ExpertSetting& setting,
                uint64_t mostHeld,
                uint64_t mostCopies,
                bool fetchesAgain)
{
    const SlotRule rule = policy.GetSlotRule(setting);
    if (const std::optional<uint32_t> slots = policy.GetSlots(setting))
    {
        return rule.use == SlotUse::Shared ? SlotFigures{0, *slots}
                                           : SlotFigures{*slots, rule.shared};
    }
    const uint64_t homes = CountHomes(setting);
    const uint64_t replicas = mostHeld - std::min(mostHeld, homes);
    return fetchesAgain ? SlotFigures{replicas, mostCopies} : SlotFigures{replicas + mostCopies, 0};
}

std::optional<uint32_t>
FindCopySlots(const ExpertPolicy& policy, const ExpertSetting& setting)
{
    const SlotUse use = policy.GetSlotRule(setting).use;
    return use == SlotUse::Copy || use == SlotUse::Shared ? policy.GetSlots(setting) : std::nullopt;
}

std::string
DescribeOverrun(const std::string& key, std::optional<uint64_t> budget, double bytes)
{
    return !budget || bytes <= static_cast<double>(*budget)
               ? ""
               : "experts take " + FormatRoundBytes(bytes) + " on the fullest GPU, more than the " +
                     key + " of " + FormatRoundBytes(static_cast<double>(*budget)) +
                     ", which this policy does not keep to";
}

} // namespace ns3::rails
