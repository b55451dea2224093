// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_BUDGET_H
#define EXPERT_BUDGET_H

#include "expert-policy.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

/**
 * Memory of a GPU for experts: weights, gradients and states of the optimizer of all layers with
 * experts that it has. A home takes weights, gradient and an even part of the states, which GPUs of
 * all groups of expert parallelism divide. What a slot takes besides is
 * - of a replica, in each layer, as much: placements may fill all slots of a GPU with experts that
 *   no other GPU of their group holds, so that nothing less is sure to do. Where groups are planned
 *   as one, no other GPU of all of these: it has the states of as many.
 * - of a copy weights and gradient: in each layer, or once where layers share the slots.
 */
struct ExpertBudget
{
    std::string key;           //!< by which it is given
    std::string policyKey;     //!< by which the policy is
    uint64_t bytes{0};         //!< of a GPU
    uint64_t weightBytes{0};   //!< of an expert
    uint64_t gradientBytes{0}; //!< of an expert
    uint64_t stateBytes{0};    //!< of an expert, on all GPUs that hold it together
    uint32_t layers{1};        //!< with experts, of a GPU
    uint32_t groups{1};        //!< of expert parallelism that have the same experts
    uint32_t merged{1};        //!< of these that are planned as one
};

/// \throws ConfigurationError with the key of a budget when experts at home take more
/// \param needed bytes that they take
void CheckHomes(const std::string& key, uint64_t budget, double needed);

/**
 * \param policy whose slots they are
 * \param setting that it plans for, without slots of a budget
 * \return slots of a GPU that fit in; nothing: it has none, or is an oracle, which has no limit
 * \throws ConfigurationError with the key of the budget when experts at home take more or slots are
 * given as well, with that of the policy when it can do nothing with what is left
 */
std::optional<uint32_t> FitSlots(const ExpertPolicy& policy,
                                 const ExpertSetting& setting,
                                 const ExpertBudget& budget);

/// Slots of a GPU, for results.
struct SlotFigures
{
    uint64_t perLayer{0}; //!< in each layer, of replicas and copies that stay until the way back
    uint64_t shared{0};   //!< by layers
};

/**
 * \param mostHeld experts of a layer that a GPU has held for good, at most
 * \param mostCopies copies of a layer that a GPU has had besides, at most
 * \param fetchesAgain what copies do before the way back
 * \return slots that the policy has; if it knows no limit, those that it has filled
 */
SlotFigures FindSlotFigures(const ExpertPolicy& policy,
                            const ExpertSetting& setting,
                            uint64_t mostHeld,
                            uint64_t mostCopies,
                            bool fetchesAgain);

/// \return slots for copies of a micro-batch that a GPU has; nothing: no limit
std::optional<uint32_t> FindCopySlots(const ExpertPolicy& policy, const ExpertSetting& setting);

/// \return a note for a result whose fullest GPU has more than a budget; otherwise empty
std::string DescribeOverrun(const std::string& key, std::optional<uint64_t> budget, double bytes);

} // namespace ns3::rails

#endif // EXPERT_BUDGET_H
