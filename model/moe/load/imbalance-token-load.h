// SPDX-License-Identifier: GPL-2.0-only
#ifndef IMBALANCE_TOKEN_LOAD_H
#define IMBALANCE_TOKEN_LOAD_H

#include "token-load.h"

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/**
 * `imbalance`: the workloads W0 to W7 of Megatron-LM's benchmark of token imbalance (pull request
 * 7488, README at 8a2f5bd, benchmark.py at f5c5024), bit for bit. All GPUs have the same token
 * counts; the benchmark's step is our iteration. In its code W2 (hot rank) equals W1 and W4 (ragged
 * sources) is uniform. Two corrected workloads are ours and do what these names say. In
 * W2_CORRECTED one GPU is hot for any number of experts and GPUs, with equal loads on all of its
 * experts. In W4_CORRECTED GPUs have different numbers of tokens.
 */
class ImbalanceTokenLoad : public TokenLoad
{
  public:
    /// Workloads of the benchmark; _CORRECTED are ours.
    enum Workload
    {
        W0,
        W1,
        W2,
        W3,
        W4,
        W5,
        W6,
        W7,
        W2_CORRECTED,
        W4_CORRECTED
    };

    static TypeId GetTypeId();

    void Check(const LoadShape& shape) const override;
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override;

    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>& counts,
                                      const TokenSplit& split) const override;
    uint32_t GetCycle(const LoadShape& shape) const override;
    bool IsEven() const override;

    /**
     * \param shape load shape
     * \param step of the benchmark
     * \return experts of each token of a GPU, topK per token, ascending within a token. A GPU with
     *     fewer tokens than others has the first ones.
     */
    std::vector<uint32_t> DrawTokens(const LoadShape& shape, uint32_t step) const;

    /**
     * \param shape load shape
     * \param step of the benchmark
     * \return tokens of each GPU: shape.tokens; of W4_CORRECTED shape.tokens in the mean
     */
    std::vector<uint32_t> CountTokens(const LoadShape& shape, uint32_t step) const;

  private:
    std::mt19937 GetBits(uint32_t step, const std::string& purpose) const;
    const std::vector<uint32_t>& GetTokens(const LoadShape& shape, uint32_t iteration) const;
    template <typename FindAlike, typename Count>
    std::vector<uint32_t> CountBySource(const LoadShape& shape,
                                        const LoadPlace& place,
                                        const FindAlike& findAlike,
                                        const Count& count) const;

    Workload m_workload;
    uint32_t m_seed;
    uint32_t m_firstStep;
    // Cache of one step: all its layers and micro-batches have the same tokens.
    mutable std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t> m_tokensOf;
    mutable std::vector<uint32_t> m_tokens;
};

} // namespace ns3::rails

#endif // IMBALANCE_TOKEN_LOAD_H
