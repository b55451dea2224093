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
 * Loads of a layer's experts in past iterations. The current iteration is added at its end.
 */
class LoadHistory
{
  public:
    /// Longest history of a policy, in iterations.
    static constexpr uint32_t kLongestWindow = 1000;

    /**
     * \param experts of the layer
     * \param window iterations that are kept, at least 1
     */
    LoadHistory(uint32_t experts, uint32_t window);

    /// Adds a micro-batch of the current iteration.
    void Add(const TokenCounts& counts);

    /// Ends the current iteration.
    void EndIteration();

    /// \return iterations kept in the history
    uint32_t GetIterations() const;

    /// \return tokens by expert in an iteration. \param age 0 for the last, 1 for the one before
    const std::vector<uint64_t>& GetLoads(uint32_t age) const;

    /// \return mean tokens by expert over the last iterations; empty without any
    /// \param window number of iterations, at most
    std::vector<double> GetMeanLoads(uint32_t window) const;

    /// \return counts of the last iteration, mean over its micro-batches, rounded. Valid after an
    ///     iteration.
    const TokenCounts& GetLastCounts() const;

    /// \return longest history asked for in iterations, even if fewer existed; 0: never asked
    uint32_t GetLookBack() const
    {
        return m_lookBack;
    }

  private:
    uint32_t m_experts;
    uint32_t m_window;
    std::deque<std::vector<uint64_t>> m_loads; //!< latest first
    TokenCounts m_lastCounts;
    mutable uint32_t m_lookBack{0}; //!< see GetLookBack()
    uint32_t m_microbatches{0};     //!< micro-batches of the current iteration
    uint32_t m_sources{0};          //!< sources of the current iteration
    std::vector<uint64_t> m_counts; //!< counts of the current iteration, by source and expert
};

/**
 * \param lookBack longest history that a policy has asked for, see GetLookBack()
 * \param warmUp iterations before the recorded ones
 * \param iterations that are recorded
 * \param recorded period of the loads in iterations; 0: no period
 * \return notes if the policy may have seen loads that it is evaluated on, or had a shorter history
 *     than asked for
 */
std::vector<std::string> ListHistoryNotes(uint32_t lookBack,
                                          uint32_t warmUp,
                                          uint32_t iterations,
                                          uint32_t recorded);

} // namespace ns3::rails

#endif // LOAD_HISTORY_H
