// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_RUNNER_H
#define WORKLOAD_RUNNER_H

#include "exchange-messages.h"
#include "failure-replanner.h"
#include "phase-record.h"
#include "piece-sender.h"
#include "traffic-planners.h"

#include "ns3/message-service.h"
#include "ns3/planner.h"
#include "ns3/rails-router.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * What makes a cluster do its work, from the first post to the last acknowledgement: those that
 * derive from it say what is posted when. This class has what they share: the messages, who plans
 * and sends them, and what is done when ways fail.
 *
 * It is the client of the service for all servers, and posts for a server from within what that
 * server is told, or behind all else of an instant; the service stamps the times of messages, and
 * must not deliver one within Post().
 */
class WorkloadRunner : private MessageClient
{
  public:
    ~WorkloadRunner() override;

    WorkloadRunner(const WorkloadRunner&) = delete;
    WorkloadRunner& operator=(const WorkloadRunner&) = delete;

    /// \param subflows into how many messages, each on a queue pair of its own, a piece is split
    void SetSubflows(uint32_t subflows);

    /// \param router what servers know of failures; without it they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// \param frames how bytes become frames
    void SetFrames(const FrameFormat& frames);

    /// \param callback called once, when all is done and all messages are acknowledged
    void SetFinishedCallback(std::function<void()> callback);

    /**
     * Starts now. A plan that does not cover what a server has to send throws std::logic_error,
     * here or later.
     */
    virtual void Start() = 0;

    /**
     * To be called when the run is over, before somebody reads what came of it: messages get ids
     * that do not depend on the order in which servers were called at the same time.
     */
    virtual void NumberMessages();

    /// To be called when the routing has converged after a failure (FailureReplanner::Replan()).
    void Replan();

    /// \return true when all is done and all messages are acknowledged
    bool IsFinished() const;

    /// \return true while no byte moves, and none should
    virtual bool IsWaiting() const = 0;

    const WorkloadSchedule& GetSchedule() const;

    /// \return all phases of the schedule; times that have not come yet are kNever
    virtual const std::vector<PhaseRecord>& GetPhases() const = 0;

    /// \param most see ExchangeMessages::ForgetBeyond()
    void ForgetMessagesBeyond(size_t most);

    /// \return all messages made so far that are not forgotten, by id
    const std::deque<Message>& GetMessages() const;

    /// \return how many messages were made so far
    uint64_t GetMessageCount() const;

    /// \return ExchangeMessages::GetSlowestForgotten()
    TimePs GetSlowestForgotten() const;

    /// \return how many messages are delivered
    uint64_t GetDeliveredMessages() const;

    /// \return how many messages were given up and replaced by others
    uint64_t GetAbandonedMessages() const;

    /// \return payload delivered so far, counted by whole messages
    uint64_t GetDeliveredBytes() const;

    /// \return what the planner has given to circuits
    const CircuitTally& GetCircuitTally() const;

    /// \return ExchangeMessages::GetFirstPost()
    TimePs GetFirstPost() const;
    /// \return time of the latest post; kNever before the first
    TimePs GetLastPost() const;
    /// \return time of the latest delivery of a message; kNever before the first
    TimePs GetLastDelivery() const;
    /// \return time of the latest acknowledgement of a message; kNever before the first
    TimePs GetLastAcknowledgement() const;

  protected:
    /**
     * \param schedule what to do
     * \param service what moves the messages
     * \param planner what places them on rails
     */
    WorkloadRunner(WorkloadSchedule schedule, Ptr<MessageService> service, Ptr<Planner> planner);

    MessageService& GetService() const;
    TrafficPlanners& GetPlanners();
    ExchangeMessages& GetExchangeMessages();
    PieceSender& GetSender();

    /// \return messages that are posted and not delivered
    uint64_t GetTravelling() const;

    /// \return true when the planner is asked for each piece as it is sent
    bool ChoosesAtSending() const;

    /// A message has been delivered, and is counted.
    virtual void DoDelivered(const Message& message) = 0;

    /// The sender of a message knows that it has been delivered, and that is counted.
    virtual void DoAcknowledged(const Message& message) = 0;

    /// The time of an alarm of a server has come.
    virtual void DoAlarm(uint32_t server) = 0;

    /// \return true when nothing is left to be posted
    virtual bool IsOver() const = 0;

    /// \return GPUs of a server that take part in a step, ascending
    virtual std::vector<uint32_t> FindMembers(uint32_t server, uint32_t step) const = 0;

    /// Tells that all is done, if so. To be called when IsOver() may have become true.
    void FinishIfDone();

  private:
    void OnDelivered(Message& message) override;
    void OnAcknowledged(Message& message) override;
    void OnSent(Message& message) override;
    void OnAlarm(uint32_t server) override;

    WorkloadSchedule m_schedule;
    Ptr<MessageService> m_service;
    bool m_choosesAtSending; //!< asked once
    TrafficPlanners m_planners;
    ExchangeMessages m_messages;
    std::unique_ptr<PieceSender> m_sender;
    FailureReplanner m_replanner;
    std::function<void()> m_finishedCallback;
    bool m_finished{false};
};

} // namespace ns3::rails

#endif // WORKLOAD_RUNNER_H
