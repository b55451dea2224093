// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_PLACEMENT_H
#define EXPERT_PLACEMENT_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Which GPUs hold which experts. Experts are dealt in order: several consecutive experts to a GPU,
 * or several consecutive GPUs to an expert, whose tokens are then dealt evenly over them.
 */
class ExpertPlacement
{
  public:
    /**
     * \param experts number of experts
     * \param gpus number of GPUs
     * \throws ConfigurationError when neither is a multiple of the other
     */
    ExpertPlacement(uint32_t experts, uint32_t gpus);

    /**
     * \param tokens per expert
     * \return tokens per GPU; where an expert's tokens do not divide evenly over its GPUs, its
     * lowest GPUs get one more each
     */
    std::vector<uint64_t> GetTokensPerGpu(const std::vector<uint64_t>& tokens) const;

  private:
    uint32_t m_experts;
    uint32_t m_gpus;
};

} // namespace ns3::rails

#endif // EXPERT_PLACEMENT_H
