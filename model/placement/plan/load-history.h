// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_HISTORY_H
#define LOAD_HISTORY_H

#include "token-counts.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
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

    /// \return over how many iterations loads were asked for, at most, had there been as many; 0:
    /// nobody asked
    uint32_t GetLookBack() const;

  private:
    uint32_t m_experts;
    uint32_t m_window;
    std::deque<std::vector<uint64_t>> m_loads; //!< the last in front
    TokenCounts m_lastCounts;
    mutable uint32_t m_lookBack{0}; //!< see GetLookBack()
    uint32_t m_microbatches{0};     //!< of the iteration under way
    uint32_t m_sources{0};          //!< of the same
    std::vector<uint64_t> m_counts; //!< of the same, by source and expert
};

/**
 * \param lookBack iterations that a policy has looked back over (LoadHistory::GetLookBack())
 * \param warmUp iterations before those that count
 * \param iterations that count
 * \param recorded iterations after which loads begin anew; 0: never
 * \return what is to be known of a policy that has seen what counts, or fewer iterations than it
 * asks for
 */
std::vector<std::string> ListHistoryNotes(uint32_t lookBack,
                                          uint32_t warmUp,
                                          uint32_t iterations,
                                          uint32_t recorded);

} // namespace ns3::rails

#endif // LOAD_HISTORY_H
