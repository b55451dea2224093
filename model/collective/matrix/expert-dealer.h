// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_DEALER_H
#define EXPERT_DEALER_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Tokens assigned to a GPU.
struct GpuTokens
{
    uint32_t gpu{0};
    uint64_t tokens{0}; //!< at least 1
};

/**
 * Placement of experts in order: several consecutive experts per GPU, or several consecutive GPUs
 * per expert. Tokens of an expert are split evenly over its GPUs.
 */
class ExpertDealer
{
  public:
    /**
     * \param experts number of experts
     * \param gpus number of GPUs
     * \throws ConfigurationError when neither is a multiple of the other
     */
    ExpertDealer(uint32_t experts, uint32_t gpus);

    /**
     * Splits the tokens of an expert over its GPUs. A remainder goes to its lowest GPUs, one token
     * each.
     * \param expert at least that of the previous call for the same list
     * \param tokens number of tokens
     * \param dealt tokens by GPU so far; the new ones are added
     */
    void Deal(uint32_t expert, uint64_t tokens, std::vector<GpuTokens>& dealt) const;

    /**
     * Assigns tokens one by one, with the same totals as Deal().
     * \param expert of the token
     * \param turn number of earlier tokens of the expert
     * \return the GPU of the token
     */
    uint32_t GetGpu(uint32_t expert, uint64_t turn) const;

  private:
    uint32_t m_experts;
    uint32_t m_gpus;
};

} // namespace ns3::rails

#endif // EXPERT_DEALER_H
