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
 * Asks the balancer for a rail when a chunk is sent (Balancer::ChooseRail()). Each rail of a server
 * has at most Balancer::GetDepth() chunks posted and unsent. Other chunks of the server wait in a
 * FIFO queue, whose head blocks the rest.
 */
class ChoosingSender : public PieceSender
{
  public:
    /**
     * \param shape the cluster
     * \param balancer chooses rails
     * \param service reports unsent bytes of NICs
     * \param failures known to servers; must outlive this object
     * \param messages posts messages; must outlive this object
     */
    ChoosingSender(ClusterShape shape,
                   Ptr<Balancer> balancer,
                   Ptr<MessageService> service,
                   const ReachabilityView& failures,
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
    /// A plan, kept until all of its chunks are posted.
    struct KeptPlan
    {
        ServerPlan plan;
        size_t first;    //!< message id of the first chunk
        size_t unposted; //!< number of unposted chunks
    };

    /// A message waiting for a rail.
    struct Waiting
    {
        KeptPlan* kept;
        const Piece* piece;
        Message* message;
    };

    /// Send queue of a server.
    struct Server
    {
        std::deque<Waiting> waiting;
        std::vector<uint32_t> unsentPieces; //!< chunks posted and unsent, per rail
        bool isPosting{false}; //!< guards PostWhatFits() against reentry through OnSent()
    };

    void ForgetPosted();
    void PostWhatFits(uint32_t server);
    /// Sets m_unsentBytes. \return false when no NIC takes a message
    bool FindRoom(uint32_t server, const Waiting& next);

    ClusterShape m_shape;
    Ptr<Balancer> m_balancer;
    Ptr<MessageService> m_service;
    const ReachabilityView& m_reachability;
    ExchangeMessages& m_messages;
    /// Plans of this phase by `first`, from the oldest with unposted chunks. A deque, since Waiting
    /// points into it.
    std::deque<KeptPlan> m_plans;
    std::vector<Server> m_servers;       //!< by server
    std::vector<uint64_t> m_unsentBytes; //!< unsent bytes per rail, input of ChooseRail()
};

} // namespace ns3::rails

#endif // CHOOSING_SENDER_H
