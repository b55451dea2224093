// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_DEALER_H
#define EXPERT_DEALER_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Tokens for a GPU.
struct GpuTokens
{
    uint32_t gpu{0};
    uint64_t tokens{0}; //!< at least 1
};

/**
 * Which GPUs hold which experts. Experts are dealt in order: several consecutive experts to a GPU,
 * or several consecutive GPUs to an expert, whose tokens are then dealt evenly over them.
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
     * Deals the tokens of an expert to its GPUs. Where they do not divide evenly, its lowest GPUs
     * get one more each.
     * \param expert not lower than that of the call before for the same list
     * \param tokens how many
     * \param dealt what GPUs have got so far, by GPU; it is added to
     */
    void Deal(uint32_t expert, uint64_t tokens, std::vector<GpuTokens>& dealt) const;

    /**
     * Deals tokens one by one, in turn: each GPU gets as many as by Deal().
     * \param expert of the token
     * \param turn how many tokens of the expert were dealt before
     * \return the GPU that gets the token
     */
    uint32_t GetGpu(uint32_t expert, uint64_t turn) const;

  private:
    uint32_t m_experts;
    uint32_t m_gpus;
};

} // namespace ns3::rails

#endif // EXPERT_DEALER_H
