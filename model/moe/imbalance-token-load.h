// SPDX-License-Identifier: GPL-2.0-only
#ifndef IMBALANCE_TOKEN_LOAD_H
#define IMBALANCE_TOKEN_LOAD_H

#include "token-load.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/**
 * `imbalance`: the workloads W0 to W7 of Megatron-LM's benchmark of token imbalance (pull request
 * 7488, README at 8a2f5bd, benchmark.py at f5c5024), bit for bit. Every GPU sends the same; step is
 * the iteration. In its code W2 equals W1 and W4 is uniform, whatever their names say.
 */
class ImbalanceTokenLoad : public TokenLoad
{
  public:
    /// Which of its workloads.
    enum Workload
    {
        W0,
        W1,
        W2,
        W3,
        W4,
        W5,
        W6,
        W7
    };

    static TypeId GetTypeId();

    void Check(const LoadShape& shape) const override;
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override;

    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>& counts,
                                      const std::vector<uint32_t>& setOf,
                                      uint32_t sets) const override;

    /// \return experts of each token of a GPU, ascending; topK of a token side by side
    std::vector<uint32_t> DrawTokens(const LoadShape& shape, uint32_t step) const;

  private:
    const std::vector<uint32_t>& GetTokens(const LoadShape& shape, uint32_t iteration) const;

    Workload m_workload;
    uint32_t m_seed;
    uint32_t m_firstStep;
    // The same in all layers and micro-batches, so drawn once for a step.
    mutable std::tuple<uint32_t, uint32_t, uint32_t, uint32_t> m_tokensOf;
    mutable std::vector<uint32_t> m_tokens;
};

} // namespace ns3::rails

#endif // IMBALANCE_TOKEN_LOAD_H
