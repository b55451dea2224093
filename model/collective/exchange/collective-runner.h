// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_RUNNER_H
#define COLLECTIVE_RUNNER_H

#include "exchange-messages.h"
#include "failure-replanner.h"
#include "phase-sequence.h"
#include "phase-steps.h"
#include "piece-sender.h"
#include "plan-maker.h"
#include "server-knowledge.h"
#include "step-poster.h"

#include "ns3/message-service.h"
#include "ns3/planner.h"
#include "ns3/rails-router.h"
#include "ns3/workload-schedule.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Runs a schedule: shows every server its own row, asks the planner for pieces, posts them as
 * messages, and starts the next phase in the instant in which the last byte of the one before is
 * delivered (PhaseSequence). Plans are renewed in every phase.
 *
 * A phase may consist of steps, for each of which the planner is asked: in a chain a GPU posts its
 * next step in the instant in which the last byte that it waits for is delivered to it
 * (ChainedSteps); otherwise a step is posted at its own time (TimedSteps).
 *
 * It is the client of the service for all servers, and posts for a server from within what that
 * server is told, or behind all else of an instant; the service stamps the times of messages, and
 * must not deliver one within Post().
 */
class CollectiveRunner : private MessageClient
{
  public:
    /**
     * \param schedule what to do
     * \param service what moves the messages
     * \param planner what places them on rails
     */
    CollectiveRunner(WorkloadSchedule schedule, Ptr<MessageService> service, Ptr<Planner> planner);
    ~CollectiveRunner() override;

    CollectiveRunner(const CollectiveRunner&) = delete;
    CollectiveRunner& operator=(const CollectiveRunner&) = delete;

    /// \param subflows into how many messages, each on a queue pair of its own, a piece is split
    void SetSubflows(uint32_t subflows);

    /// \param router what servers know of failures; without it they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param callback called once, when all phases are over and all messages acknowledged
    void SetFinishedCallback(std::function<void()> callback);

    /**
     * \param callback called in the instant of the first post of a phase, before it, with true, and
     * behind all else of the instant in which its last byte is delivered, with false; all servers
     * have done what they do up to then
     */
    void SetPhaseCallback(std::function<void(bool)> callback);

    /**
     * Starts the first phase now. A plan that does not cover what a server has to send throws
     * std::logic_error, here or when a later phase starts.
     */
    void Start();

    /// To be called when the routing has converged after a failure (FailureReplanner::Replan()).
    void Replan();

    /// \return true when all phases are over and all messages acknowledged
    bool IsFinished() const;

    /// \return true in compute and gap and before a later step: no byte moves, and none should
    bool IsWaiting() const;

    const WorkloadSchedule& GetSchedule() const;

    /// \return all messages made so far, by id
    const std::deque<Message>& GetMessages() const;

    /// \return all phases of the schedule; times that have not come yet are kNever
    const std::vector<PhaseRecord>& GetPhases() const;

    /// \return how many messages are delivered
    uint64_t GetDeliveredMessages() const;

    /// \return how many messages were given up and replaced by others
    uint64_t GetAbandonedMessages() const;

    /// \return payload delivered so far, counted by whole messages
    uint64_t GetDeliveredBytes() const;

    /// \return time of the first post; kNever before it
    TimePs GetFirstPost() const;
    /// \return time of the latest post; kNever before the first
    TimePs GetLastPost() const;
    /// \return time of the latest delivery of a message; kNever before the first
    TimePs GetLastDelivery() const;
    /// \return time of the latest acknowledgement of a message; kNever before the first
    TimePs GetLastAcknowledgement() const;

  private:
    /// \return false when there is nothing to move
    bool StartTraffic(const ScheduledPhase& scheduled, size_t phase);
    void FinishIfDone();

    void OnDelivered(Message& message) override;
    void OnAcknowledged(Message& message) override;
    void OnSent(Message& message) override;
    void OnAlarm(uint32_t server) override;

    WorkloadSchedule m_schedule;
    Ptr<MessageService> m_service;
    bool m_choosesAtSending; //!< asked once
    ServerKnowledge m_knowledge;
    PlanMaker m_planMaker;
    ExchangeMessages m_messages;
    std::unique_ptr<PieceSender> m_sender;
    StepPoster m_poster;
    FailureReplanner m_replanner;
    PhaseSequence m_phases;
    std::unique_ptr<PhaseSteps> m_steps; //!< of the latest phase with traffic
    std::function<void()> m_finishedCallback;
    bool m_finished{false};
};

} // namespace ns3::rails

#endif // COLLECTIVE_RUNNER_H
