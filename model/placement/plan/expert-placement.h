// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_PLACEMENT_H
#define EXPERT_PLACEMENT_H

#include "expert-setting.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Persistent placement of experts: hosts with optimizer states, from iteration to iteration.
struct ExpertPlacement
{
    static constexpr uint32_t kMostShares = 1024;

    /// Hosts by expert. The first is the home, where gradients are summed. A GPU that holds an
    /// expert in two slots is listed twice and takes two shares of an even split.
    std::vector<std::vector<uint32_t>> hosts;
    /// Weights of an even split by expert and host, from 0 to kMostShares; empty: equal weights.
    std::vector<std::vector<uint32_t>> shares{};

    /**
     * \param setting of the policy
     * \return the default placement: each expert once in each expert-parallel group, in order
     */
    static ExpertPlacement InOrder(const ExpertSetting& setting);

    /// \return true when a GPU holds an expert
    bool Holds(uint32_t expert, uint32_t gpu) const;

    /// \return hosts of an expert, each once, the home first
    std::vector<uint32_t> ListHosts(uint32_t expert) const;

    /// \return why the placement is invalid: wrong length of a list, an expert without home, an
    ///     unknown GPU or invalid shares; empty if valid
    std::string FindDefect(const ExpertSetting& setting) const;

    /// \return hosts of an expert, each repeated by its shares of an even split
    std::vector<uint32_t> ListShares(uint32_t expert) const;

    /// \return experts by GPU, ascending, once per slot. \param gpus number of GPUs
    std::vector<std::vector<uint32_t>> ListByGpu(uint32_t gpus) const;
};

} // namespace ns3::rails

#endif // EXPERT_PLACEMENT_H
