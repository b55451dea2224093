// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_PLAN_H
#define EXPERT_PLAN_H

#include "expert-placement.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Tokens of a source GPU for an expert that a host computes.
struct TokenRoute
{
    uint32_t source{0};
    uint32_t expert{0};
    uint32_t host{0}; //!< GPU that computes the tokens
    uint32_t tokens{0};
};

/// Transfer of parameters or gradients of an expert.
struct ExpertTransfer
{
    uint32_t expert{0};
    uint32_t from{0}; //!< GPU
    uint32_t to{0};   //!< GPU
    uint64_t bytes{0};
};

/// Replaces numbers of GPUs in their group by numbers in the cluster.
inline void
Renumber(std::vector<ExpertTransfer>& transfers, const std::vector<uint32_t>& members)
{
    for (ExpertTransfer& transfer : transfers)
    {
        transfer.from = members[transfer.from];
        transfer.to = members[transfer.to];
    }
}

/// Plan of a policy for a layer and micro-batch: token routes and transfers of replicas.
struct ExpertPlan
{
    /// Persistent placement in this micro-batch.
    std::shared_ptr<const ExpertPlacement> placement;
    /// Routes of all token-expert pairs, except dropped ones.
    std::vector<TokenRoute> routes;
    /// Parameters of temporary replicas of this micro-batch, sent before experts compute. A GPU
    /// holds these experts in addition to those of the placement.
    std::vector<ExpertTransfer> weights;
    /// Gradients of temporary replicas, sent back after the backward pass of experts.
    std::vector<ExpertTransfer> gradients;
    bool fetchesAgain{false};      //!< weights are fetched again before the backward pass
    uint64_t dropped{0};           //!< token-expert pairs that no expert computes
    std::vector<uint64_t> padding; //!< rows without a token, by GPU; empty: none
    /// Rows without a token sent between GPUs, to fill buffers of fixed size; total
    uint64_t paddedTokens{0};
    bool isPlanned{false};     //!< the policy has planned for this plan, now or since the last plan
    double planningSeconds{0}; //!< declared planning time
};

} // namespace ns3::rails

#endif // EXPERT_PLAN_H
