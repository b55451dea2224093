// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_PLAN_H
#define EXPERT_PLAN_H

#include "expert-placement.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Tokens of a GPU that an expert computes on some GPU.
struct TokenRoute
{
    uint32_t source{0};
    uint32_t expert{0};
    uint32_t host{0}; //!< GPU that computes them
    uint32_t tokens{0};
};

/// Parameters or gradients of an expert on their way.
struct ExpertTransfer
{
    uint32_t expert{0};
    uint32_t from{0}; //!< GPU
    uint32_t to{0};   //!< GPU
    uint64_t bytes{0};
};

/// What is done with the tokens of a layer in a micro-batch.
struct ExpertPlan
{
    /// Where experts are for good in this micro-batch.
    std::shared_ptr<const ExpertPlacement> placement;
    /// Every token for every expert, or less where some are dropped.
    std::vector<TokenRoute> routes;
    /// Parameters of copies that exist in this micro-batch alone, sent before experts compute. A
    /// GPU holds the experts that come to it here besides those of the placement.
    std::vector<ExpertTransfer> weights;
    /// Gradients of such copies, sent back after experts have computed backward.
    std::vector<ExpertTransfer> gradients;
    bool fetchesAgain{false};      //!< the weights are sent a second time, before the way back
    uint64_t dropped{0};           //!< tokens that no expert computes
    std::vector<uint64_t> padding; //!< by GPU: rows that experts compute for no token; or empty
    /// Tokens that go from GPU to GPU for no use, as buffers have a fixed size, in all
    uint64_t paddedTokens{0};
    bool isPlanned{false};     //!< something was planned for it, now or since the last plan
    double planningSeconds{0}; //!< time that planning takes, as declared
};

} // namespace ns3::rails

#endif // EXPERT_PLAN_H
