// SPDX-License-Identifier: GPL-2.0-only
#ifndef BALANCED_SPLIT_H
#define BALANCED_SPLIT_H

#include "least-load.h"

#include "ns3/token-routing.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// How tokens are split over hosts, and what that comes to.
struct SplitResult
{
    ExpertQuota quota;   //!< by expert: its hosts in the order given, also those without tokens
    uint64_t largest{0}; //!< load of the GPU that has most, fixed loads included
};

/**
 * Splits the tokens of each expert over the GPUs that hold it so that the largest load of a GPU is
 * as small as it can be: LP 1 of MicroMoE (arXiv 2511.16947), exactly and in whole tokens.
 *
 * LeastLoad finds how small that is. The split is a maximum flow, from experts to their hosts to a
 * sink that takes so much from each GPU.
 *
 * Both graphs are kept, so that splitting loads of other micro-batches over the same hosts is
 * quick.
 */
class BalancedSplit
{
  public:
    /**
     * \param hosts GPUs by expert, each once
     * \param gpus how many GPUs there are
     */
    BalancedSplit(std::vector<std::vector<uint32_t>> hosts, uint32_t gpus);
    ~BalancedSplit();

    BalancedSplit(const BalancedSplit&) = delete;
    BalancedSplit& operator=(const BalancedSplit&) = delete;

    /**
     * \param loads tokens by expert; none for experts without hosts
     * \param fixedLoads tokens by GPU that it computes besides; empty for none
     * \return a split whose largest load is the smallest possible
     */
    SplitResult Split(const std::vector<uint64_t>& loads,
                      const std::vector<uint64_t>& fixedLoads = {});

    /**
     * \param loads tokens by expert; none for experts without hosts
     * \return the largest load of Split(), in a part of the time
     */
    uint64_t FindLargest(const std::vector<uint64_t>& loads);

    /**
     * \param limit in tokens
     * \param loads tokens by expert; none for experts without hosts
     * \return the largest load of Split(), nothing if it is not below the limit, which is known
     * sooner
     */
    std::optional<uint64_t> FindLargestBelow(uint64_t limit, const std::vector<uint64_t>& loads);

  private:
    class Network;

    std::vector<uint64_t> AddUnsplittable(const std::vector<uint64_t>& loads,
                                          const std::vector<uint64_t>& fixedLoads) const;
    LeastLoad& GetLeastLoad();
    Network& GetNetwork();
    uint64_t FindLowerBound(const std::vector<uint64_t>& loads,
                            const std::vector<uint64_t>& fixedLoads) const;

    std::vector<std::vector<uint32_t>> m_hosts;
    uint32_t m_gpus;
    // Of experts with several hosts; made when needed.
    std::unique_ptr<LeastLoad> m_leastLoad;
    std::unique_ptr<Network> m_network;
};

/// Most GPUs of which FindDensity() looks at every subset.
constexpr uint32_t kMostGpusOfDensity = 16;

/**
 * The largest mean load that any set of GPUs has of experts which no GPU outside can compute:
 * equation 3 of MicroMoE, by enumeration of the sets. Rounded up it is the largest load of
 * BalancedSplit.
 * \param loads tokens by expert
 * \param hosts GPUs by expert, at least one each
 * \param gpus how many GPUs there are, at most kMostGpusOfDensity
 * \return tokens of a GPU
 */
double FindDensity(const std::vector<uint64_t>& loads,
                   const std::vector<std::vector<uint32_t>>& hosts,
                   uint32_t gpus);

} // namespace ns3::rails

#endif // BALANCED_SPLIT_H
