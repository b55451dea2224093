// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIMED_STEPS_H
#define TIMED_STEPS_H

#include "phase-steps.h"
#include "step-poster.h"

#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rails
{

/// Posts each step at its own time (TrafficStep::start), for all servers, behind all else that
/// happens in that instant.
class TimedSteps : public PhaseSteps
{
  public:
    /**
     * \param steps the steps, by start
     * \param poster what posts them; it has planned them, and must outlive this object
     * \param service what moves messages
     * \param onFirstPost called in the instant of the first post when that is the phase's first
     * step, before the post; servers have done what they do up to then
     */
    TimedSteps(std::vector<TrafficStep> steps,
               StepPoster& poster,
               Ptr<MessageService> service,
               std::function<void()> onFirstPost);
    ~TimedSteps() override;

    void Start() override;
    void OnDelivered(const Message& message) override;
    bool IsWaiting() const override;

  private:
    /// Posts the steps whose time has come, from one on, and waits for the next.
    void PostDueSteps(uint32_t step);
    /// The time of a step has come: posts it behind all else of this instant.
    void OnDue(uint32_t step);

    std::vector<TrafficStep> m_steps;
    StepPoster& m_poster;
    Ptr<MessageService> m_service;
    std::function<void()> m_onFirstPost;
    TimePs m_start{kNever}; //!< of the phase
    EventId m_timer;        //!< the next step
};

} // namespace ns3::rails

#endif // TIMED_STEPS_H
