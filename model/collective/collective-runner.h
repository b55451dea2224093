// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_RUNNER_H
#define COLLECTIVE_RUNNER_H

#include "rails-planner.h"
#include "workload-schedule.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/rails-message.h"

#include <cstdint>
#include <deque>
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
 * It takes the callbacks of the message service for itself, and posts from within them; the service
 * stamps the times of messages, and must not deliver one within Post(). Messages stay in place, for
 * the results, as long as the runner lives (about 120 bytes each).
 */
class CollectiveRunner
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
    ~CollectiveRunner();

    CollectiveRunner(const CollectiveRunner&) = delete;
    CollectiveRunner& operator=(const CollectiveRunner&) = delete;

    /// \param callback called once, when all phases are over and all messages acknowledged
    void SetFinishedCallback(Callback<void> callback);

    /**
     * Starts the first phase now. A plan that does not cover what a server has to send throws
     * std::logic_error, here or when a later phase starts.
     */
    void Start();

    /// \return true when all phases are over and all messages acknowledged
    bool IsFinished() const;

    /// \return true while a compute or gap phase lasts: no byte moves, and none should
    bool IsWaiting() const;

    const WorkloadSchedule& GetSchedule() const;

    /// \return all messages made so far, by id
    const std::deque<Message>& GetMessages() const;

    /// \return all phases of the schedule; times that have not come yet are kNever
    const std::vector<PhaseRecord>& GetPhases() const;

    /// \return how many of them are delivered
    uint64_t GetDeliveredMessages() const;

    /// \return payload delivered so far, counted by whole messages
    uint64_t GetDeliveredBytes() const;

    /// \return time of the first post; kNever before it
    TimePs GetFirstPost() const;
    /// \return time of the latest delivery of a message; kNever before the first
    TimePs GetLastDelivery() const;
    /// \return time of the latest acknowledgement of a message; kNever before the first
    TimePs GetLastAcknowledgement() const;

  private:
    /// A server that chooses rails as it sends.
    struct Sender
    {
        ServerView view;
        std::vector<Piece> pieces;
        size_t next{0};                     //!< piece to post next
        size_t firstMessage{0};             //!< message of the first piece
        std::vector<uint32_t> unsentPieces; //!< per rail: its own, posted and not yet sent
        bool posting{false};                //!< keeps a service that sends at once from nesting
    };

    void StartNextPhase();
    void EndPhase();
    /// \return false when there is nothing to move
    bool StartTraffic(const TrafficMatrix& traffic);
    /// Makes the messages of a server, those for other servers first.
    void MakeMessages(const TrafficMatrix& traffic, uint32_t domain);
    void CheckPlan(const ServerView& view, const std::vector<Piece>& pieces) const;
    void AddMessage(uint32_t source, uint32_t destination, uint64_t bytes);
    void Post(Message& message);
    void PostWhatFits(Sender& sender);

    void OnDelivered(Message& message);
    void OnAcknowledged(Message& message);
    void OnSent(Message& message);
    void FinishIfDone();

    WorkloadSchedule m_schedule;
    Ptr<MessageService> m_service;
    Ptr<Planner> m_planner;
    Callback<void> m_finishedCallback;
    EventId m_timer;

    std::deque<Message> m_messages; // grows without moving what it holds
    std::vector<PhaseRecord> m_phases;
    std::vector<Sender> m_senders; //!< per server, when the planner chooses at sending
    size_t m_phase{0};             //!< the one that goes on, or the one to start next
    bool m_finished{false};
    uint64_t m_undelivered{0};
    uint64_t m_unacknowledged{0};
    uint64_t m_deliveredBytes{0};
    TimePs m_firstPost{kNever};
    TimePs m_lastDelivery{kNever};
    TimePs m_lastAcknowledgement{kNever};
};

} // namespace ns3::rails

#endif // COLLECTIVE_RUNNER_H
