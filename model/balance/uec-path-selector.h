// SPDX-License-Identifier: GPL-2.0-only
#ifndef UEC_PATH_SELECTOR_H
#define UEC_PATH_SELECTOR_H

#include "path-selector.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * What the load balancers of Ultra Ethernet have in common: a walk over all entropies of a queue
 * pair, in an order that is permuted by XOR with a number drawn anew for every round. (uet-htsim;
 * Ultra Ethernet, arXiv 2508.08906)
 */
class UecPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId();

    UecPathSelector()
    {
        m_traits.scattersFrames = true;
    }

    void Check() const override;
    void Start(TimePs now, const PathContext& context) override;

  protected:
    /// \return number of entropies, a power of two
    uint32_t GetPaths() const
    {
        return m_paths;
    }

    /// \return number of the entropy whose turn it is: 0 to GetPaths() - 1
    uint32_t GetTurn() const
    {
        return m_step ^ m_permutation;
    }

    /// Ends the turn of that entropy.
    void EndTurn();

    /// \return the entropy that frames carry, from its number (0 to GetPaths() - 1)
    uint32_t GetEntropy(uint32_t index) const
    {
        return m_upperBits | index;
    }

    /// \return the number (0 to GetPaths() - 1) of the entropy that a frame carried
    uint32_t GetIndex(uint32_t entropy) const
    {
        return entropy & (m_paths - 1);
    }

  private:
    uint32_t m_paths{0};

    Ptr<UniformRandomVariable> m_random;
    uint32_t m_upperBits{0};
    uint32_t m_step{0};
    uint32_t m_permutation{0};
};

} // namespace ns3::rails

#endif // UEC_PATH_SELECTOR_H
