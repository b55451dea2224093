// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHAINED_STEPS_H
#define CHAINED_STEPS_H

#include "phase-steps.h"
#include "step-poster.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rails
{

/**
 * Posts the first step of all servers at the start; from then on a GPU posts its next step in the
 * instant in which the last byte of the step before is delivered to it, whatever other GPUs do. A
 * GPU that is to get nothing in a step does not wait there.
 */
class ChainedSteps : public PhaseSteps
{
  public:
    /**
     * \param shape the cluster
     * \param steps the steps, in order
     * \param poster what posts them; it has planned them, and must outlive this object
     * \param onFirstPost called at the start, before the first post
     */
    ChainedSteps(ClusterShape shape,
                 const std::vector<TrafficStep>& steps,
                 StepPoster& poster,
                 std::function<void()> onFirstPost);

    void Start() override;
    void OnDelivered(const Message& message) override;
    bool IsWaiting() const override;

  private:
    /// Posts all steps that a GPU waits with no longer.
    void Advance(uint32_t gpu);
    /// \return bytes that a GPU has still to get in a step
    uint64_t& GetExpected(uint32_t step, uint32_t gpu);

    uint32_t m_gpus;
    uint32_t m_steps; //!< how many there are
    StepPoster& m_poster;
    std::function<void()> m_onFirstPost;
    std::vector<uint64_t> m_expected; //!< see GetExpected(), by step and GPU
    std::vector<uint32_t> m_next;     //!< the step that each GPU posts next
};

} // namespace ns3::rails

#endif // CHAINED_STEPS_H
