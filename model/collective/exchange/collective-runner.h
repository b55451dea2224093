// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_RUNNER_H
#define COLLECTIVE_RUNNER_H

#include "phase-sequence.h"
#include "phase-steps.h"
#include "step-poster.h"
#include "workload-runner.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Runs the phases of a schedule: shows every server its own row, asks the planner for pieces, posts
 * them as messages, and starts the next phase in the instant in which the last byte of the one
 * before is delivered (PhaseSequence). Plans are renewed in every phase.
 *
 * A phase may consist of steps, for each of which the planner is asked: in a chain a GPU posts its
 * next step in the instant in which the last byte that it waits for is delivered to it
 * (ChainedSteps); otherwise a step is posted at its own time (TimedSteps).
 */
class CollectiveRunner : public WorkloadRunner
{
  public:
    /**
     * \param schedule what to do
     * \param service what moves the messages
     * \param planner what places them on rails
     */
    CollectiveRunner(WorkloadSchedule schedule, Ptr<MessageService> service, Ptr<Planner> planner);

    /**
     * \param callback called in the instant of the first post of a phase, before it, with true, and
     * behind all else of the instant in which its last byte is delivered, with false; all servers
     * have done what they do up to then
     */
    void SetPhaseCallback(std::function<void(bool)> callback);

    void Start() override;
    bool IsWaiting() const override;
    const std::vector<PhaseRecord>& GetPhases() const override;

  private:
    /// \return false when there is nothing to move
    bool StartTraffic(const ScheduledPhase& scheduled, size_t phase);

    void DoDelivered(const Message& message) override;
    void DoAcknowledged(const Message& message) override;
    void DoAlarm(uint32_t server) override;
    bool IsOver() const override;

    StepPoster m_poster;
    PhaseSequence m_phases;
    std::unique_ptr<PhaseSteps> m_steps; //!< of the latest phase with traffic
};

} // namespace ns3::rails

#endif // COLLECTIVE_RUNNER_H
