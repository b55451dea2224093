// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SLOTS_H
#define EXPERT_SLOTS_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace ns3::rails
{

/// Use of slots of a GPU, beyond the experts at home there.
enum class SlotUse
{
    Nothing, //!< no slots
    Replica, //!< persistent replicas with optimizer states; slots per layer
    Copy,    //!< temporary replicas that stay until the backward pass; slots per layer
    Shared   //!< temporary replicas, fetched again before the backward pass; slots shared by layers
};

/// Number of slots of a policy.
struct SlotRule
{
    SlotUse use{SlotUse::Nothing};
    std::optional<uint32_t> given{};                     //!< set by a key of the policy
    std::optional<uint32_t> byDefault{};                 //!< default; nothing: no limit
    std::string key{"slots"};                            //!< key of the policy
    uint32_t least{0};                                   //!< least slots that the policy needs
    uint32_t most{std::numeric_limits<uint32_t>::max()}; //!< most slots that the policy can use
    uint32_t step{1};                                    //!< slots are a multiple of it
    uint32_t shared{0}; //!< extra slots for temporary replicas, shared by layers
    /// Replicas add no optimizer states to a GPU beyond those that experts at home give up.
    bool keepsStates{false};
};

} // namespace ns3::rails

#endif // EXPERT_SLOTS_H
