// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_ITERATIONS_H
#define RUN_ITERATIONS_H

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/**
 * Maps the simulated iterations to all iterations that a policy sees. Loads and policies count all
 * iterations, warm-up first (LoadPlace::iteration of TokenLoad, MoveWindow, ExpertPlanning). A
 * training counts the simulated ones (TokenDispatch, TrainingContext). Only this class converts
 * between them.
 */
class RunIterations
{
  public:
    RunIterations(uint32_t warmUp, uint32_t iterations)
        : m_warmUp(warmUp),
          m_iterations(iterations)
    {
    }

    /// \return number of a simulated iteration among all
    uint32_t GetSeen(uint32_t run) const
    {
        return m_warmUp + run;
    }

    /// \return number among the simulated iterations; nothing for warm-up, or after the run
    std::optional<uint32_t> FindRun(uint32_t seen) const
    {
        return seen >= m_warmUp && seen < GetEnd() ? std::optional(seen - m_warmUp) : std::nullopt;
    }

    /// \return one past the last simulated iteration, among all
    uint32_t GetEnd() const
    {
        return m_warmUp + m_iterations;
    }

  private:
    uint32_t m_warmUp;
    uint32_t m_iterations;
};

} // namespace ns3::rails

#endif // RUN_ITERATIONS_H
