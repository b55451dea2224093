// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_PLACEMENT_H
#define EXPERT_PLACEMENT_H

#include "expert-setting.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Which GPUs hold which experts for good: with their optimizer, from iteration to iteration.
struct ExpertPlacement
{
    static constexpr uint32_t kMostShares = 1024;

    /// GPUs by expert. The first is its home: gradients are added up there. A GPU in which an
    /// expert fills two slots is there twice, and so takes two shares of an even split.
    std::vector<std::vector<uint32_t>> hosts;
    /// Shares of an even split by expert, for each of its hosts from 0 to kMostShares; empty: one
    /// share each.
    std::vector<std::vector<uint32_t>> shares{};

    /**
     * \param setting what is placed
     * \return each expert once in each group of expert parallelism, dealt in order
     */
    static ExpertPlacement InOrder(const ExpertSetting& setting);

    /// \return true when a GPU holds an expert
    bool Holds(uint32_t expert, uint32_t gpu) const;

    /// \return GPUs that hold an expert, each once, the home first
    std::vector<uint32_t> ListHosts(uint32_t expert) const;

    /// \return what is wrong with it: lists of another length, an expert without a home, a GPU or
    /// shares that cannot be; empty when nothing is
    std::string FindDefect(const ExpertSetting& setting) const;

    /// \return GPUs of an expert, each as often as it has shares of an even split
    std::vector<uint32_t> ListShares(uint32_t expert) const;

    /// \return experts by GPU, ascending, as often as they fill slots. \param gpus how many there
    /// are
    std::vector<std::vector<uint32_t>> ListByGpu(uint32_t gpus) const;
};

} // namespace ns3::rails

#endif // EXPERT_PLACEMENT_H
