// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHOOSING_SENDER_H
#define CHOOSING_SENDER_H

#include "exchange-messages.h"
#include "piece-sender.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rails
{

/**
 * Asks the planner for a rail as each piece is sent (Planner::ChooseRail()). A server keeps at most
 * Planner::GetDepth() pieces posted and unsent on each rail; its other pieces wait, in the order in
 * which they came, and the first of them holds up those behind it.
 */
class ChoosingSender : public PieceSender
{
  public:
    /**
     * \param shape the cluster
     * \param planner what chooses rails
     * \param service what tells how much a NIC has to send
     * \param failures what servers know of failures; it must outlive this object
     * \param messages what posts; they must outlive this object
     */
    ChoosingSender(ClusterShape shape,
                   Ptr<Planner> planner,
                   Ptr<MessageService> service,
                   const ServerKnowledge& failures,
                   ExchangeMessages& messages);

    void StartPhase() override;
    void OnPlanned(ServerPlan&& plan, size_t first) override;
    void Send(Message& message) override;
    bool HasRails(const Message& message) const override;
    void OnSent(Message& message) override;
    void OnAbandoning(const Message& message) override;
    void OnConverged() override;
    void SendWaiting() override;

  private:
    /// A plan, whose view is needed until all of its pieces are posted.
    struct KeptPlan
    {
        ServerPlan plan;
        size_t first;    //!< id of the message of the first piece
        size_t unposted; //!< pieces
    };

    /// A message that waits for a rail.
    struct Waiting
    {
        KeptPlan* kept;
        const Piece* piece;
        Message* message;
    };

    /// What a server has to send.
    struct Server
    {
        std::deque<Waiting> waiting;
        std::vector<uint32_t> unsentPieces; //!< per rail: posted and not yet sent
        bool isPosting{false}; //!< PostWhatFits() is at work, and a post has called OnSent()
    };

    void ForgetPosted();
    void PostWhatFits(uint32_t server);
    /// Finds the bytes that each NIC has still to send. \return false when none takes a message
    bool FindRoom(uint32_t server, const Waiting& next);

    ClusterShape m_shape;
    Ptr<Planner> m_planner;
    Ptr<MessageService> m_service;
    const ServerKnowledge& m_knowledge;
    ExchangeMessages& m_messages;
    /// Of this phase, by first, from the oldest that has unposted pieces; they stay in place.
    std::deque<KeptPlan> m_plans;
    std::vector<Server> m_servers;       //!< by number
    std::vector<uint64_t> m_unsentBytes; //!< per rail, as the planner sees them
};

} // namespace ns3::rails

#endif // CHOOSING_SENDER_H
