// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_RUNNER_H
#define COLLECTIVE_RUNNER_H

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/message-service.h"
#include "ns3/planner.h"
#include "ns3/rails-router.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Runs a schedule: shows every server its own row, asks the planner for pieces, posts them as
 * messages, and starts the next phase in the instant in which the last byte of the one before is
 * delivered. Servers post in the order of their numbers, each its pieces for other servers in the
 * planner's order, then what stays inside. Plans are renewed in every phase.
 *
 * A phase may consist of steps, for each of which the planner is asked: in a chain a GPU posts its
 * next step in the instant in which the last byte that it waits for is delivered to it; otherwise a
 * step is posted at its own time. All steps are planned, and their messages numbered, when the
 * phase starts, so that neither depends on who is first.
 *
 * It acts for all servers, and posts from within what it is told; the service
 * stamps the times of messages, and must not deliver one within Post(). Messages stay in place, for
 * the results, as long as the runner lives (about 70 bytes each).
 */
class CollectiveRunner : private MessageClient
{
  public:
    /// When a phase took place.
    struct PhaseRecord
    {
        std::string name;      //!< "dispatch", "combine", "compute" or "gap"
        uint32_t iteration{0}; //!< from 0
        TimePs start{kNever};  //!< start of the first post or of the wait
        TimePs end{kNever};    //!< last byte delivered or end of the wait
    };

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

    /// \param router what servers know of failures, and of their NICs; without it they know of no
    /// failures, and GPUs and NICs are dealt to each other in order
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

    /**
     * To be called when the routing has converged after a failure. What was posted and has not
     * arrived over a way that is cut for good, as far as its server knows, is given up, and all of
     * it is planned and posted anew over what is left; where nothing is left it stays. What was
     * planned and not yet posted moves to the next rail that works.
     */
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

    /// \return how many of them are delivered
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
    /// The messages of a server in a step, by id.
    struct Batch
    {
        size_t first;  //!< those for other servers, in the planner's order
        size_t inside; //!< those that stay inside
        size_t end;    //!< the messages of the next batch
    };

    /// What a planner that chooses at sending has to know of a batch.
    struct Plan
    {
        ServerView view;
        std::vector<Piece> pieces; //!< one for each message for another server
    };

    /// A piece whose rail is chosen as it is sent.
    struct Pending
    {
        const ServerView* view;
        Piece piece;
        Message* message;
    };

    /// A server that chooses rails as it sends.
    struct Sender
    {
        std::deque<Pending> waiting;
        std::vector<uint32_t> unsentPieces; //!< per rail: its own, posted and not yet sent
        bool posting{false};                //!< keeps a service that sends at once from nesting
    };

    /// What the GPUs of a chain wait for.
    struct Chain
    {
        std::vector<uint64_t> expected; //!< bytes still to come, by step and GPU
        std::vector<uint32_t> next;     //!< the step that each GPU posts next
    };

    void StartNextPhase();
    void EndPhase();
    /// \return false when there is nothing to move
    bool StartTraffic(const ScheduledPhase& scheduled);
    /// Makes the messages of a server, those for other servers first.
    void MakeMessages(const TrafficMatrix& traffic, uint32_t domain, uint32_t step);
    /// Tells a server which of the ways to those it has something for are cut.
    void ShowFailures(ServerView& view) const;
    bool HasWay(const ServerView& view, uint32_t to) const;
    /// Gives up what is stranded. \return false when the message was none such
    bool GiveUp(Message& message);
    /// Plans and posts anew what a server had given up of a step.
    void Repost(uint32_t step, ServerView view);
    void CheckPlan(const ServerView& view, const std::vector<Piece>& pieces) const;
    void AddMessage(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t step);
    void StartChain();
    /// Posts all steps that a GPU waits with no longer.
    void Advance(uint32_t gpu);
    void TellStart();
    /// The time of a step has come.
    void ReleaseSteps(uint32_t step);
    /// Posts the steps whose time has come, from one on, and waits for the next.
    void PostDueSteps(uint32_t step);
    /// Posts a step of a server, or of one of its GPUs alone.
    void PostStep(uint32_t step, uint32_t domain, std::optional<uint32_t> gpu = std::nullopt);
    void Post(Message& message);
    void PostWhatFits(uint32_t domain);

    void OnDelivered(Message& message) override;
    void OnAcknowledged(Message& message) override;
    void OnSent(Message& message) override;
    void OnAlarm(uint32_t server) override;
    void FinishIfDone();

    WorkloadSchedule m_schedule;
    Ptr<MessageService> m_service;
    Ptr<Planner> m_planner;
    std::shared_ptr<const Router> m_router;
    std::shared_ptr<const ServerLayout> m_layout; //!< GPUs and NICs of every server
    uint32_t m_subflows{1};
    std::function<void()> m_finishedCallback;
    std::function<void(bool)> m_phaseCallback;
    bool m_tellsEnd{false}; //!< a phase with traffic has ended, and nobody was told
    EventId m_timer;        //!< end of a wait, or start of the next phase
    EventId m_release;      //!< start of the next step

    std::deque<Message> m_messages; // grows without moving what it holds
    std::vector<PhaseRecord> m_phases;
    std::vector<TrafficStep> m_steps; //!< of this phase
    std::vector<Batch> m_batches;     //!< of this phase, by step and server
    std::vector<Plan> m_plans;        //!< the same, when the planner chooses at sending
    std::deque<Plan> m_replans;       //!< of what was given up in this phase, the same
    std::vector<Sender> m_senders;    //!< per server, when the planner chooses at sending
    std::optional<Chain> m_chain;     //!< of this phase
    size_t m_phase{0};                //!< the one that goes on, or the one to start next
    bool m_finished{false};
    uint64_t m_undelivered{0}; //!< messages of this phase, posted or not
    uint64_t m_travelling{0};  //!< messages posted and not delivered
    uint64_t m_unacknowledged{0};
    uint64_t m_abandoned{0};
    size_t m_firstOpen{0}; //!< all messages before were acknowledged or given up
    uint64_t m_deliveredBytes{0};
    TimePs m_firstPost{kNever};
    TimePs m_lastPost{kNever};
    TimePs m_lastDelivery{kNever};
    TimePs m_lastAcknowledgement{kNever};
};

} // namespace ns3::rails

#endif // COLLECTIVE_RUNNER_H
