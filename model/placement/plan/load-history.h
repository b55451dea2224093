// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_HISTORY_H
#define LOAD_HISTORY_H

#include "token-counts.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rails
{

/**
 * What experts of a layer had to do in iterations that are over. What the iteration under way
 * brings is taken up with its end.
 */
class LoadHistory
{
  public:
    /// Iterations that a policy may look back.
    static constexpr uint32_t kLongestWindow = 1000;

    /**
     * \param experts of the layer
     * \param window iterations that are remembered, at least 1
     */
    LoadHistory(uint32_t experts, uint32_t window);

    /// A micro-batch of the iteration under way.
    void Add(const TokenCounts& counts);

    /// The iteration under way is over.
    void EndIteration();

    /// \return iterations that are over and remembered
    uint32_t GetIterations() const;

    /// \return tokens by expert in an iteration. \param age 0 for the last, 1 for the one before
    const std::vector<uint64_t>& GetLoads(uint32_t age) const;

    /// \return tokens by expert of the mean of the last iterations; empty without any
    /// \param window how many, at most
    std::vector<double> GetMeanLoads(uint32_t window) const;

    /// \return counts of the last iteration, in the mean of its micro-batches, rounded; there must
    /// be one
    const TokenCounts& GetLastCounts() const;

  private:
    uint32_t m_experts;
    uint32_t m_window;
    std::deque<std::vector<uint64_t>> m_loads; //!< the last in front
    TokenCounts m_lastCounts;
    uint32_t m_microbatches{0};     //!< of the iteration under way
    uint32_t m_sources{0};          //!< of the same
    std::vector<uint64_t> m_counts; //!< of the same, by source and expert
};

} // namespace ns3::rails

#endif // LOAD_HISTORY_H
