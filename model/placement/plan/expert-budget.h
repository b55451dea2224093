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
 * Memory budget of a GPU for experts: weights, gradients and optimizer states of all its layers
 * with experts. An expert at home takes its weights, gradients and an equal part of the states,
 * which GPUs of all expert-parallel groups divide. A slot takes in addition:
 * - for a persistent replica, the same memory in each layer. All slots may hold experts without
 *   another host in their group, so less may not suffice. Where groups are planned as one, the GPU
 *   may hold the states of as many groups.
 * - for a temporary replica, weights and gradients: per layer, or once where layers share slots.
 */
struct ExpertBudget
{
    std::string key;           //!< key of the budget, for messages
    std::string policyKey;     //!< key of the policy, for messages
    uint64_t bytes{0};         //!< memory of a GPU
    uint64_t weightBytes{0};   //!< weights of an expert
    uint64_t gradientBytes{0}; //!< gradients of an expert
    uint64_t stateBytes{0};    //!< optimizer states of an expert, all hosts together
    uint32_t layers{1};        //!< layers with experts of a GPU
    uint32_t groups{1};        //!< expert-parallel groups with the same experts
    uint32_t merged{1};        //!< groups that are planned as one
};

/// \throws ConfigurationError with the key of a budget when experts at home need more
/// \param needed bytes of experts at home
void CheckHomes(const std::string& key, uint64_t budget, double needed);

/**
 * \param policy that gets the slots
 * \param setting of the policy, without slots
 * \return slots of a GPU that fit in the budget; nothing: the policy has no slots, or is an oracle
 *     without limit
 * \throws ConfigurationError with the key of the budget when experts at home need more or slots are
 *     given as well; with the key of the policy when the slots are too few for it
 */
std::optional<uint32_t> FitSlots(const ExpertPolicy& policy,
                                 const ExpertSetting& setting,
                                 const ExpertBudget& budget);

/// Slots of a GPU, for results.
struct SlotFigures
{
    uint64_t perLayer{0}; //!< slots in each layer, for persistent replicas and for temporary ones
                          //!< that stay until the backward pass
    uint64_t shared{0};   //!< slots that layers share
};

/**
 * \param mostHeld most experts of a layer in the placement of a GPU
 * \param mostCopies most temporary replicas of a layer on a GPU
 * \param fetchesAgain whether temporary replicas are fetched again before the backward pass
 * \return slots of the policy; used slots if the policy has no limit
 */
SlotFigures FindSlotFigures(const ExpertPolicy& policy,
                            const ExpertSetting& setting,
                            uint64_t mostHeld,
                            uint64_t mostCopies,
                            bool fetchesAgain);

/// \return slots of a GPU for temporary replicas; nothing: no limit
std::optional<uint32_t> FindCopySlots(const ExpertPolicy& policy, const ExpertSetting& setting);

/// \return a note if the fullest GPU exceeds a budget; otherwise empty
std::string DescribeOverrun(const std::string& key, std::optional<uint64_t> budget, double bytes);

} // namespace ns3::rails

#endif // EXPERT_BUDGET_H
