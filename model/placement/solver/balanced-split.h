// SPDX-License-Identifier: GPL-2.0-only
#ifndef BALANCED_SPLIT_H
#define BALANCED_SPLIT_H

#include "min-max-load-flow.h"

#include "ns3/token-routing.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// A split of tokens over hosts, and its largest load.
struct SplitResult
{
    ExpertQuota quota;   //!< by expert: all its hosts in the given order, also hosts without tokens
    uint64_t largest{0}; //!< largest load of a GPU, fixed loads included
};

/**
 * Splits the tokens of each expert over its hosts with the smallest possible largest load of a GPU:
 * LP 1 of MicroMoE (arXiv 2511.16947), solved exactly in whole tokens.
 *
 * MinMaxLoadFlow finds that load. The split is a maximum flow from experts to their hosts to a
 * sink, with the load as capacity of each GPU.
 *
 * Both graphs are kept, so that splits for further micro-batches with the same hosts are fast.
 */
class BalancedSplit
{
  public:
    /**
     * \param hosts GPUs by expert, each once
     * \param gpus number of GPUs
     */
    BalancedSplit(std::vector<std::vector<uint32_t>> hosts, uint32_t gpus);
    ~BalancedSplit();

    BalancedSplit(const BalancedSplit&) = delete;
    BalancedSplit& operator=(const BalancedSplit&) = delete;

    /**
     * \param loads tokens by expert; 0 for experts without hosts
     * \param fixedLoads further tokens by GPU; empty: none
     * \return a split with the smallest largest load
     */
    SplitResult Split(const std::vector<uint64_t>& loads,
                      const std::vector<uint64_t>& fixedLoads = {});

    /**
     * \param loads tokens by expert; 0 for experts without hosts
     * \return the largest load of Split(), faster than Split()
     */
    uint64_t FindLargest(const std::vector<uint64_t>& loads);

    /**
     * \param limit in tokens
     * \param loads tokens by expert; 0 for experts without hosts
     * \return the largest load of Split() if it is below the limit, otherwise nothing, which is
     *     found faster
     */
    std::optional<uint64_t> FindLargestBelow(uint64_t limit, const std::vector<uint64_t>& loads);

  private:
    class Network;

    std::vector<uint64_t> AddUnsplittable(const std::vector<uint64_t>& loads,
                                          const std::vector<uint64_t>& fixedLoads) const;
    MinMaxLoadFlow& GetFlow();
    Network& GetNetwork();
    uint64_t FindLowerBound(const std::vector<uint64_t>& loads,
                            const std::vector<uint64_t>& fixedLoads) const;

    std::vector<std::vector<uint32_t>> m_hosts;
    uint32_t m_gpus;
    // Only experts with several hosts; created on first use.
    std::unique_ptr<MinMaxLoadFlow> m_flow;
    std::unique_ptr<Network> m_network;
};

/// Most GPUs for FindDensity(), which enumerates their subsets.
constexpr uint32_t kMostGpusOfDensity = 16;

/**
 * Largest mean load of any set of GPUs from experts whose hosts are all in the set: equation 3 of
 * MicroMoE, by enumeration of the sets. Rounded up it is the largest load of BalancedSplit.
 * \param loads tokens by expert
 * \param hosts GPUs by expert, at least one each
 * \param gpus number of GPUs, at most kMostGpusOfDensity
 * \return tokens of a GPU
 */
double FindDensity(const std::vector<uint64_t>& loads,
                   const std::vector<std::vector<uint32_t>>& hosts,
                   uint32_t gpus);

} // namespace ns3::rails

#endif // BALANCED_SPLIT_H
