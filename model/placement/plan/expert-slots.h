// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SLOTS_H
#define EXPERT_SLOTS_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace ns3::rails
{

/// What a policy fills slots of a GPU with, beyond the experts that are at home there.
enum class SlotUse
{
    Nothing, //!< it has no slots
    Replica, //!< replicas that stay, with their part of the optimizer's states: slots of each layer
    Copy,    //!< copies for a micro-batch that stay until its way back: slots of each layer
    Shared   //!< copies that are fetched again before the way back: layers share the slots
};

/// How many slots a policy has.
struct SlotRule
{
    SlotUse use{SlotUse::Nothing};
    std::optional<uint32_t> given{};     //!< by a key of the policy
    std::optional<uint32_t> byDefault{}; //!< if none are given; nothing: without a limit
    std::string key{"slots"};            //!< of the policy
    uint32_t least{0};                   //!< without so many it cannot work
    uint32_t most{std::numeric_limits<uint32_t>::max()}; //!< that it can use
    uint32_t step{1};                                    //!< it has a multiple of these
    uint32_t shared{0}; //!< that replicas need besides, for copies that layers share
    /// Replicas bring a GPU no more of the optimizer's states than experts at home lose.
    bool keepsStates{false};
};

} // namespace ns3::rails

#endif // EXPERT_SLOTS_H
